"""Accounts: opened once, held by whoever uses them, closed in order when the daemon leaves.

An open account is its database, its locks, its clock and two ways of telling: the bell wakes the
workers, the job hub tells subscribers. It stays open until the daemon leaves, so that work goes on
after the last host has gone. Two handles of one account share one `Account`.
"""

from __future__ import annotations

import errno
import secrets
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from functools import partial
from pathlib import Path

import trio
from msgspec import Struct

from mnemod.config import LOOP_ERROR_WAIT_S
from mnemod.domain.hashing import HashKey
from mnemod.domain.intake import Rules
from mnemod.errors import MnemodError, Overloaded, ShuttingDown
from mnemod.feed import Hub
from mnemod.gating import HOLD, Gates
from mnemod.ids import AccountId, EpochMs, JobId, Mint, OwnerId, random_id
from mnemod.store import meta
from mnemod.store.database import Database, Tx
from mnemod.store.files import (
    ACCOUNT_FILE,
    ACCOUNT_LOCK,
    account_file,
    make_private_folder,
    require_local_disk,
)
from mnemod.store.lane import Runner, ThreadLane
from mnemod.store.lifetime_lock import AccountLock, LifetimeLock
from mnemod.store.unfinished import account_with_work
from mnemod.worker_sign import WorkerSign

HASH_KEY_BYTES = 32
OWNERS_FOLDER = "owners"
DEFAULT_TIME_ZONE = "UTC"
DEFAULT_LOCALE = "en"


def wall_clock() -> EpochMs:
    """Now, in epoch milliseconds."""
    return EpochMs(time.time_ns() // 1_000_000)


class Bell:
    """Wakes every worker that waits. A ring while nobody waits is kept for the next who does."""

    def __init__(self) -> None:
        self._rung = trio.Event()

    def ring(self) -> None:
        """There is work."""
        self._rung.set()

    async def wait(self) -> None:
        """Sleep until the bell has rung since the last time anybody woke."""
        await self._rung.wait()
        if self._rung.is_set():
            self._rung = trio.Event()


class Account(Struct, frozen=True):
    """An open account. `zone` is an IANA name, `locale` a BCP 47 tag, both kept at first use.

    `gates` judge every text before it is stored.
    """

    account_id: AccountId
    db: Database
    now: Callable[[], EpochMs]
    mint: Mint
    hash_key: HashKey
    owner_id: OwnerId
    owners_folder: Path
    zone: str
    locale: str
    bell: Bell
    job_changes: Hub[JobId]
    worker: WorkerSign
    gates: Gates


class _Open(Struct):
    """An account with the locks that keep it ours."""

    account: Account
    account_lock: AccountLock
    lifetime_lock: LifetimeLock


class Handle(Struct, frozen=True):
    """One user's hold on an open account."""

    account: Account

    def release(self) -> None:
        """Let go. The account stays open for its workers until the daemon leaves."""


class Accounts:
    """All accounts of one data directory that this process has open."""

    def __init__(
        self,
        data_dir: Path,
        *,
        on_open: Callable[[Account], Awaitable[None]] | None = None,
        now: Callable[[], EpochMs] = wall_clock,
        mint: Mint = random_id,
        runner: Runner = ThreadLane,
        secrets: str = HOLD,
        rules: Rules | None = None,
    ) -> None:
        """`on_open` is awaited once for each account, before its first user gets it.

        `rules` judge what is taken in: those of this mnemod unless others are given; `secrets` is
        the setting's word.
        """
        self._data_dir = data_dir
        self._on_open = on_open
        self._now = now
        self._mint = mint
        self._runner = runner
        self._secrets = secrets
        self._rules = rules
        self._open: dict[AccountId, _Open] = {}
        self._opening: dict[Path, trio.Lock] = {}
        """One a file: a slow one keeps nobody waiting who wants another."""
        self._closed = False

    async def open(
        self, account_id: AccountId, *, time_zone: str | None = None, locale: str | None = None
    ) -> Handle:
        """Open an account, making it if it is new, and hold it.

        Raises AccountBusy, AccountCorrupt, AccountForeign, AccountNewerSchema, StorageUnsupported,
        ShuttingDown, Overloaded if the process may open no more files, and the store's errors.
        """
        async with self._alone_with(account_file(self._data_dir, account_id)):
            if self._closed:
                raise ShuttingDown()
            held = self._open.get(account_id)
            if held is None:
                with self._counting_files():
                    held = await self._take(account_id, time_zone, locale)
        return Handle(held.account)

    @property
    def opened(self) -> tuple[Account, ...]:
        """The accounts that are open now."""
        return tuple(held.account for held in self._open.values())

    async def open_unfinished(self) -> None:
        """Open the accounts that have work left, so that it goes on though no host comes back.

        One whose file is busy is tried again; one that cannot be opened is left for whoever asks
        for it.
        """
        waiting = sorted(self._data_dir.glob(f"accounts/*/{ACCOUNT_FILE}"))
        while waiting:
            waiting = [path for path in waiting if not await self._take_up(path)]
            if waiting:
                await trio.sleep(LOOP_ERROR_WAIT_S)

    async def _take_up(self, path: Path) -> bool:
        """Open the account of this file if it has work; False if it is to be tried again."""
        # Under the lock: a second connection beside one that is being opened makes it busy.
        async with self._alone_with(path):
            account_id = await trio.to_thread.run_sync(account_with_work, path)
        if account_id is None or account_file(self._data_dir, account_id) != path:
            return True
        try:
            await self.open(account_id)
        except MnemodError as error:
            return not error.retryable or self._closed
        return True

    async def aclose(self) -> None:
        """Close every account: its log emptied, its locks let go. Safe to call twice."""
        with trio.CancelScope(shield=True):
            self._closed = True
            # What is being opened now is waited for; a file that cannot be closed keeps no other
            # open, and no lock held.
            async with AsyncExitStack() as closing:
                for opening in list(self._opening.values()):
                    async with opening:
                        pass
                while self._open:
                    _, held = self._open.popitem()
                    closing.callback(held.account_lock.release)
                    closing.callback(held.lifetime_lock.release)
                    closing.push_async_callback(held.account.db.aclose)

    @contextmanager
    def _counting_files(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            if error.errno not in (errno.EMFILE, errno.ENFILE):
                raise
            raise Overloaded(accounts=len(self._open)) from None

    def _alone_with(self, path: Path) -> trio.Lock:
        return self._opening.setdefault(path, trio.Lock())

    async def _take(
        self, account_id: AccountId, time_zone: str | None, locale: str | None
    ) -> _Open:
        path = account_file(self._data_dir, account_id)
        make_private_folder(path.parent)
        require_local_disk(path.parent)
        async with AsyncExitStack() as undo:
            account_lock = AccountLock.take(path.with_name(ACCOUNT_LOCK))
            undo.callback(account_lock.release)
            db = await Database.open(path, now=self._now(), runner=self._runner)
            undo.push_async_callback(_close, db)
            lifetime_lock = LifetimeLock.take(path.parent / OWNERS_FOLDER)
            undo.callback(lifetime_lock.release)
            facts = await db.write(partial(_introduce, account_id, time_zone, locale))
            account = self._account(account_id, db, lifetime_lock, path.parent, facts)
            if self._on_open is not None:
                await self._on_open(account)
            undo.pop_all()
        held = self._open[account_id] = _Open(account, account_lock, lifetime_lock)
        return held

    def _account(
        self,
        account_id: AccountId,
        db: Database,
        lock: LifetimeLock,
        folder: Path,
        facts: _Facts,
    ) -> Account:
        return Account(
            account_id=account_id,
            db=db,
            now=self._now,
            mint=self._mint,
            hash_key=facts.hash_key,
            owner_id=lock.owner_id,
            owners_folder=folder / OWNERS_FOLDER,
            zone=facts.zone,
            locale=facts.locale,
            bell=Bell(),
            job_changes=Hub(),
            worker=WorkerSign(),
            gates=Gates(
                facts.hash_key,
                secrets=self._secrets,
                locale=facts.locale,
                zone=facts.zone,
                rules=self._rules,
            ),
        )


async def _close(db: Database) -> None:
    with trio.CancelScope(shield=True):
        await db.aclose()


class _Facts(Struct, frozen=True):
    hash_key: HashKey
    zone: str
    locale: str


def _introduce(account_id: AccountId, time_zone: str | None, locale: str | None, tx: Tx) -> _Facts:
    meta.introduce(tx, account_id, HashKey(secrets.token_bytes(HASH_KEY_BYTES)))
    # Kept at first use: a host that says nothing settles nothing.
    for key, value in ((meta.TIME_ZONE, time_zone), (meta.LOCALE, locale)):
        if value is not None:
            meta.set_once(tx, key, value)
    return _Facts(
        hash_key=meta.hash_key(tx),
        zone=meta.get_text(tx, meta.TIME_ZONE) or DEFAULT_TIME_ZONE,
        locale=meta.get_text(tx, meta.LOCALE) or DEFAULT_LOCALE,
    )
