"""Looking an account over, and making its search index anew where that is what is wrong."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from mnemod.accounts import Account
from mnemod.ids import WorldRevision
from mnemod.store import checkup, lexical, meta, turn_index
from mnemod.store.checkup import Wrong
from mnemod.store.database import Tx

_ONLY_A_WARNING = frozenset({"dead_jobs", "stuck_jobs"})
_MENDED_BY_REBUILD = frozenset({"index_gap", "stale_index"})


class FindingState(StrEnum):
    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"


class Finding(Struct, frozen=True):
    """One check. `count` is how many rows failed it."""

    check: str
    state: FindingState
    count: int


class Checkup(Struct, frozen=True):
    """What was found, before anything was mended; `rebuilt` counts entries made anew."""

    findings: tuple[Finding, ...]
    rebuilt: int | None
    world_revision: WorldRevision


async def look_over(account: Account, *, deep: bool, repair: bool) -> Checkup:
    """Check the file; in depth every row. With `repair`, rebuild an index that disagrees.

    Nothing but the index is ever changed: what is wrong with rows is for a person to decide.
    """
    now = account.now()

    def read(tx: Tx) -> tuple[tuple[Wrong, ...], WorldRevision]:
        found = [
            checkup.pages(tx, deep=deep),
            checkup.keys(tx),
            Wrong("index_gap", lexical.gap(tx) + turn_index.gap(tx)),
            checkup.stuck_jobs(tx, now),
            checkup.dead_jobs(tx),
        ]
        if deep:
            found += [
                checkup.altered_words(tx, account.hash_key),
                checkup.unsourced_items(tx),
                checkup.stale_index(tx),
            ]
        return tuple(found), meta.world_revision(tx)

    wrong, revision = await account.db.read(read)
    rebuilt = None
    if repair and any(w.count and w.check in _MENDED_BY_REBUILD for w in wrong):
        rebuilt = await account.db.write(_rebuild)
    return Checkup(tuple(map(_finding, wrong)), rebuilt, revision)


def _rebuild(tx: Tx) -> int:
    return lexical.rebuild(tx) + turn_index.rebuild(tx)


def _finding(wrong: Wrong) -> Finding:
    if not wrong.count:
        return Finding(wrong.check, FindingState.OK, 0)
    is_warning = wrong.check in _ONLY_A_WARNING
    return Finding(
        wrong.check, FindingState.WARNING if is_warning else FindingState.FAILED, wrong.count
    )
