"""Checks of each account: that it opens, and that its rows and its search index agree.

The looking is the daemon's (`check_account`), because nobody else may open an account's file.
Numbers come first; only `--repair` changes anything, and only the index, from the rows.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Mapping
from typing import Any, Final

from mnemod.commands import account
from mnemod.commands.doctor.finding import Finding, State, failed, ok, warning
from mnemod.exits import Refused
from mnemod.transport.client import Client

_DEEP_S: Final = 3_600.0

_MEANS: Final[Mapping[str, str]] = {
    "file": "places where the file is damaged",
    "foreign_keys": "rows that refer to nothing",
    "index_gap": "rows the search index lacks or has too many",
    "stale_index": "search entries that do not match their rows",
    "stuck_jobs": "jobs nobody works on",
    "dead_jobs": "jobs given up",
    "altered_words": "messages whose words were altered",
    "unsourced_items": "memories without a source",
}
"""What a check counts. A newer daemon's check is shown by its own name."""

_TODO: Final[Mapping[str, str]] = {
    "index_gap": "mnemod doctor --deep --repair",
    "stale_index": "mnemod doctor --deep --repair",
    "dead_jobs": "mnemod jobs --state dead",
    "stuck_jobs": "mnemod stop; the next start takes them up",
}
_RESTORE: Final = "copy the account's folder away, then restore a backup or an export"


def check(options: Namespace, name: str) -> Iterator[Finding]:
    """Everything about one account, the daemon started for it if need be."""
    one = Namespace(**{**vars(options), "account": name})
    try:
        client = account.connect(one)
    except Refused as refusal:
        yield failed(name, refusal.reason, "mnemod status; look into the daemon's log")
        return
    with client:
        try:
            yield from _look(client, name, deep=options.deep, repair=options.repair)
        except Refused as refusal:
            yield failed(name, refusal.reason, "look into the daemon's log")


def _look(client: Client, name: str, *, deep: bool, repair: bool) -> Iterator[Finding]:
    before = _ask(client, deep=deep, repair=False)
    health = client.call("health", {})
    counts = health["account"]
    yield ok(name, f"opens: {counts['evidence']} messages, {counts['items']} memories")
    yield _worker(name, health["worker"])
    yield from (_finding(name, row) for row in before["findings"])
    if repair:
        mended = _ask(client, deep=deep, repair=True)
        yield ok(f"{name}: repair", f"{mended.get('rebuilt', 0)} search entries made anew")
        after = _ask(client, deep=deep, repair=False)
        yield from (_finding(f"{name}: then", row) for row in after["findings"] if row["count"])


def _worker(name: str, worker: Mapping[str, str]) -> Finding:
    if worker["state"] != "stopped":
        return ok(f"{name}: worker", worker["state"])
    found = f"no memories are formed ({worker.get('reason', 'unknown')})"
    return warning(f"{name}: worker", found, "mnemod jobs; look into the daemon's log")


def _ask(client: Client, *, deep: bool, repair: bool) -> Any:
    params = {"deep": deep, "repair": repair}
    return client.call("check_account", params, within_s=_DEEP_S)


def _finding(name: str, row: Mapping[str, Any]) -> Finding:
    check, state = row["check"], State(row["state"])
    meaning = _MEANS.get(check, check.replace("_", " "))
    todo = "" if state is State.OK else _TODO.get(check, _RESTORE)
    return Finding(f"{name}: {check.replace('_', ' ')}", state, f"{row['count']} {meaning}", todo)
