"""Everything behind the doors: accounts, their workers, and what a session may touch.

    accounts (locks, database)  >  workers of each account  >  sessions

Made once for a process, whichever door it serves. Leaving the block is the shutdown, in the order
of the nesting: the sessions are gone by then, the workers hand back what they hold, the accounts
close last.

What answers calls is imported in a thread: what every host calls once its `initialize` has been
answered, the rest when it is called. A host waits for that answer, and not for the modules behind
the calls it has not made yet.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing, asynccontextmanager
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

import trio
from msgspec import Struct

from mnemod import __version__, log
from mnemod.accounts import Account, Accounts
from mnemod.activity import Activity
from mnemod.config import DRAIN_SIGTERM_S, WARM_AFTER_S, Config
from mnemod.errors import AccountBusy, MnemodError, NotFound
from mnemod.feed import Hub
from mnemod.gating import apart
from mnemod.health import Checkup
from mnemod.ids import AccountId, JobId
from mnemod.rpc import generated
from mnemod.rpc.calls import Call, Underway
from mnemod.rpc.dispatch import Method, MethodTable
from mnemod.rpc.document import openrpc_text
from mnemod.rpc.drain import Drain
from mnemod.rpc.ports import AccountHandle, AccountOpener, SessionServices
from mnemod.rpc.subscriptions import Topic
from mnemod.store import meta

if TYPE_CHECKING:
    from mnemod.rpc.generated import Capabilities, StopMode
    from mnemod.rpc.jsonrpc import Dispatch

_FAMILIES: Final[Mapping[str, tuple[str, ...]]] = {
    "checkup": ("check_account",),
    "correct": ("correct_world_item",),
    "explain": ("explain_gates",),
    "forget": (
        "preview_forget",
        "delete_world_item",
        "delete_evidence",
        "retry_storage_cleanup",
    ),
    "gates": ("release_evidence", "rejudge_evidence"),
    "jobs": ("query_jobs", "retry_formation"),
    "observe": ("observe",),
    "recall": ("recall_preview",),
    "receipts": ("query_receipts",),
    "said": ("query_evidence", "query_interactions"),
    "world": ("query_world", "query_provenance"),
}
"""The files that answer calls, and which."""
_FAMILY_OF: Final = {name: family for family, names in _FAMILIES.items() for name in names}
_EVERYDAY: Final = ("observe", "recall")
"""What every host calls. Of the others most daemons load none."""

Handler = Callable[[Call[Account], Any], Awaitable[Mapping[str, object]]]


class Engine(Struct, frozen=True):
    """What a door needs."""

    services: SessionServices[Account]
    drain: Drain
    activity: Activity
    accounts: Accounts

    async def is_working(self) -> bool:
        """Whether a job runs, or is due, in an account that is open."""
        return any([await _is_working(account) for account in self.accounts.opened])


@asynccontextmanager
async def running(
    config: Config, instance: str, *, held_by: int | None = None
) -> AsyncIterator[Engine]:
    """The engine for `config.data_dir`, whose lock this process holds.

    If another process does, `held_by` is its number, and every `initialize` is answered with it.
    """
    drain, activity, workforce = Drain(), Activity(), _Workforce(config)
    accounts = Accounts(config.data_dir, on_open=workforce.join, secrets=config.secrets)
    checkup = Checkup(activity, lambda: [account.worker for account in accounts.opened])
    opener = accounts if held_by is None else _Taken(held_by)
    services = _services(config, instance, opener, drain, checkup)
    async with aclosing(accounts), workforce.at_work():
        if held_by is None:
            workforce.take_up(accounts)
        yield Engine(services, drain, activity, accounts)


async def _is_working(account: Account) -> bool:
    from mnemod.formation.pool import is_due

    try:
        return await is_due(account)
    except MnemodError as error:
        # A file that cannot be read has no work that could be done.
        log.current().warning("jobs_unreadable", kind=error.kind)
        return False


class _Workforce:
    """The workers of every open account, in one nursery."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._nursery: trio.Nursery | None = None

    @asynccontextmanager
    async def at_work(self) -> AsyncIterator[None]:
        """Workers may join in this block; leaving it they hand back what they hold."""
        async with trio.open_nursery() as self._nursery:
            yield
            self._nursery.cancel_scope.cancel()

    def take_up(self, accounts: Accounts) -> None:
        """Go on, in a moment, with what an earlier daemon left undone."""
        assert self._nursery is not None
        self._nursery.start_soon(self._take_up, accounts)

    async def _take_up(self, accounts: Accounts) -> None:
        await trio.sleep(WARM_AFTER_S)
        await accounts.open_unfinished()

    async def join(self, account: Account) -> None:
        """Start the workers of an account that was just opened, without waiting for them."""
        assert self._nursery is not None
        self._nursery.start_soon(self._work, account)

    async def _work(self, account: Account) -> None:
        await trio.sleep(WARM_AFTER_S)
        try:
            pool = await apart(partial(_load_pool, account.locale))
            await pool.serve_account(account, self._config)
        except Exception as exc:  # noqa: BLE001 - what was said stays safe and served without workers
            account.worker.stopped("crashed")
            log.current().error("workers_crashed", at=log.types_only(exc))


def _load_pool(locale: str) -> Any:
    """The module of the workers, with the language they will need: off the loop."""
    lexicons = import_module("mnemod.domain.reading.lexicon")
    language = locale.partition("-")[0].lower()
    lexicons.lexicon(language if language in lexicons.LOCALES else "en")
    return import_module("mnemod.formation.pool")


class _Taken(Struct, frozen=True):
    """The accounts of a data directory that another process holds."""

    owner_pid: int

    async def open(
        self, account_id: AccountId, *, time_zone: str | None, locale: str | None
    ) -> AccountHandle[Account]:
        del account_id, time_zone, locale  # none of them can be opened
        raise AccountBusy(owner_pid=self.owner_pid)


def _services(
    config: Config,
    instance: str,
    accounts: AccountOpener[Account],
    drain: Drain,
    checkup: Checkup,
) -> SessionServices[Account]:
    methods = _Methods()

    def stop(mode: StopMode) -> None:
        drain.start(DRAIN_SIGTERM_S if mode == "drain" else 0.0)

    return SessionServices(
        accounts=accounts,
        methods=methods,
        topics={"jobs": Topic("job_changed", _job_changes, _job)},
        server={
            "name": "mnemod",
            "version": __version__,
            "pid": os.getpid(),
            "instance": instance,
        },
        capabilities=_capabilities(config, methods),
        world_revision=_world_revision,
        health=checkup.of,
        discover=openrpc_text,
        stop=stop,
        drain=drain,
    )


class _Methods(MethodTable[Account]):
    """Every query and command of the contract, their handlers imported when first needed."""

    def __init__(self) -> None:
        served = (spec for spec in generated.METHODS.values() if spec.kind in ("query", "command"))
        super().__init__(
            Method(each.name, each.params, self._deferred(each.name), _BEGINNINGS.get(each.name))
            for each in served
        )
        self._handlers: dict[str, Handler] = {}

    def _load(self) -> Dispatch:
        for family in _EVERYDAY:
            self._import(family)
        return super()._load()

    def _deferred(self, name: str) -> Handler:
        async def answer(call: Call[Account], params: Any) -> Mapping[str, object]:
            if handler := self._handlers.get(name):
                return await handler(call, params)
            # Off the loop, and no command sent after this one comes before it.
            with call.in_order():
                await trio.to_thread.run_sync(self._import, _FAMILY_OF[name])
                return await self._handlers[name](call, params)

        return answer

    def _import(self, family: str) -> None:
        self._handlers |= import_module(f"mnemod.rpc.methods.{family}").HANDLERS


def _begin_observe(call: Call[Account], params: Any) -> Underway[Any] | None:
    from mnemod.rpc.methods import observe

    return observe.begin(call, params)


# What a host sends with every turn of a conversation.
_BEGINNINGS: Final = {"observe": _begin_observe}


def _job_changes(account: Account) -> Hub[JobId]:
    return account.job_changes


async def _job(account: Account, job_id: JobId) -> Mapping[str, object] | None:
    """What `job_changed` tells: the job as it is now, or nothing if it is gone."""
    from mnemod.rpc.methods.jobs import job_row
    from mnemod.services.jobs import get_job

    try:
        shown, _ = await get_job(account, job_id)
    except NotFound:
        return None
    return {"job": job_row(shown)}


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
