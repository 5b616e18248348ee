"""Everything behind the doors: accounts, their workers, and what a session may touch.

    accounts (locks, database)  >  workers of each account  >  sessions

Made once for a process, whichever door it serves. Leaving the block is the shutdown, in the order
of the nesting: the sessions are gone by then, the workers hand back what they hold, the accounts
close last.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

import trio

from mnemod import __version__
from mnemod.accounts import Account, Accounts
from mnemod.activity import Activity
from mnemod.config import DRAIN_SIGTERM_S, Config
from mnemod.errors import AccountBusy
from mnemod.ids import AccountId
from mnemod.rpc import generated
from mnemod.rpc.dispatch import Method, MethodTable
from mnemod.rpc.document import openrpc_text
from mnemod.rpc.drain import Drain
from mnemod.rpc.ports import AccountHandle, AccountOpener, SessionServices
from mnemod.store import _sqlite, meta

if TYPE_CHECKING:
    from mnemod.rpc.generated import Capabilities, Health, StopMode

_FAMILIES: Final = ("observe", "said", "world", "receipts", "correct", "forget")


@dataclass(frozen=True, slots=True)
class Engine:
    """What a door needs."""

    services: SessionServices[Account]
    drain: Drain
    activity: Activity
    accounts: Accounts

    async def is_working(self) -> bool:
        """Whether a job runs, or is due, in an account that is open."""
        return False


@dataclass(frozen=True, slots=True)
class _Taken:
    """The accounts of a data directory that another process holds."""

    owner_pid: int

    async def open(
        self, account_id: AccountId, *, time_zone: str | None, locale: str | None
    ) -> AccountHandle[Account]:
        del account_id, time_zone, locale  # none of them can be opened
        raise AccountBusy(owner_pid=self.owner_pid)


@asynccontextmanager
async def running(
    config: Config, instance: str, *, held_by: int | None = None
) -> AsyncIterator[Engine]:
    """The engine for `config.data_dir`, whose lock this process holds.

    If another process does, `held_by` is its number, and every `initialize` is answered with it.
    """
    drain, activity = Drain(), Activity()
    accounts = Accounts(config.data_dir)
    async with aclosing(accounts):
        opener = accounts if held_by is None else _Taken(held_by)
        services = _services(config, instance, opener, drain, activity)
        yield Engine(services, drain, activity, accounts)


def _services(
    config: Config,
    instance: str,
    accounts: AccountOpener[Account],
    drain: Drain,
    activity: Activity,
) -> SessionServices[Account]:
    methods = _method_table()
    started_at = trio.current_time()

    async def health(_account: Account | None) -> Health:
        return {
            "status": "degraded",
            "degraded": ["encoder"],
            "uptime_s": round(trio.current_time() - started_at, 3),
            "connections": activity.connections,
            "sqlite": f"{_sqlite.DRIVER} {'.'.join(map(str, _sqlite.VERSION))}",
            "worker": {"state": "idle"},
        }

    def stop(mode: StopMode) -> None:
        drain.start(DRAIN_SIGTERM_S if mode == "drain" else 0.0)

    return SessionServices(
        accounts=accounts,
        methods=methods,
        topics={},
        server={
            "name": "mnemod",
            "version": __version__,
            "pid": os.getpid(),
            "instance": instance,
        },
        capabilities=_capabilities(config, methods),
        world_revision=_world_revision,
        health=health,
        discover=openrpc_text,
        stop=stop,
        drain=drain,
    )


def _method_table() -> MethodTable[Account]:
    methods: list[Method[Account, Any]] = []
    for family in _FAMILIES:
        handlers: Mapping[str, Any] = import_module(f"mnemod.rpc.methods.{family}").HANDLERS
        methods += [
            Method(name, generated.METHODS[name].params, handler)
            for name, handler in handlers.items()
        ]
    return MethodTable(methods)


def _capabilities(config: Config, methods: MethodTable[Account]) -> Capabilities:
    return {
        "forget_scope_fence": 1,
        "forget_batch": 1,
        "recall_tier": True,
        "batch": True,
        "subscriptions": ["jobs"],
        "interpreter": config.interpreter.value,
        "encoder": {"state": "absent"},
        "methods": list(methods.names),
    }


async def _world_revision(account: Account) -> int:
    return await account.db.read(meta.world_revision)
