"""An account's file is damaged while nothing runs: any page, in any way, or its log.

Promises: every answer is a result or a refusal by name, never `internal`, and the daemon lives;
a look over the account says that something is wrong, or the account is refused as corrupt, unless
the damage lies where nothing is kept.
"""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from mnemod.ids import AccountId
from mnemod.store.files import account_file
from tests.support.processes import Host, Place
from tests.support.rpc import ConnectionEnded, Json, RpcError, observe_params
from tests.support.torture import Checks, Round, forget, settle

PAGE: Final = 4096
HARMS: Final = ("zeroes", "noise", "bit", "cut", "swap", "log")
ALONE: Final = ("serve", "--stdio", "--alone")
SAID: Final = ("I like barley tea.", "Mira is my colleague, she plans shifts.", "I live in Tarn.")

_CALLS: Final[tuple[tuple[str, Json], ...]] = (
    ("check_account", {"deep": True}),
    ("health", {}),
    ("query_evidence", {"operation": "list"}),
    ("query_world", {"operation": "list"}),
    ("query_jobs", {"operation": "list"}),
    ("query_receipts", {"limit": 9}),
    ("recall_preview", {"query": "which tea do I like"}),
    ("observe", observe_params("I row at dawn.", "after")),
    ("check_account", {"repair": True}),
)


def rounds(folder: Path, count: int, chance: random.Random) -> Iterator[Round]:
    """Each round one harm to a copy of the same account, and every sort of call."""
    place = Place(folder)
    try:
        whole = _make(place)
        for number in range(count):
            yield _round(place, whole, HARMS[number % len(HARMS)], chance)
    finally:
        place.close()


def _make(place: Place) -> Path:
    """An account with something in every table; a copy of its folder with its log."""
    host = place.spawn(*ALONE)
    client = host.client
    client.initialize()
    for number, text in enumerate(SAID * 4):
        params = observe_params(text, f"m{number}")
        params["messages"].append(
            {"message_id": f"a{number}", "role": "assistant", "content": f"So {text}"}
        )
        client.call("observe", **params)
    settle(client)
    rows = client.call("query_evidence", operation="list")["evidence"]
    forget(client, "first", "evidence", rows[0]["evidence_id"])
    client.call("observe", **observe_params("It rained.", "last"))
    host.close()  # killed, so that its log is still there
    account = account_file(place.data_dir, AccountId("a1")).parent
    whole = place.root / "whole"
    shutil.copytree(account, whole)
    return whole


def _round(place: Place, whole: Path, harm: str, chance: random.Random) -> Round:
    checks = Checks()
    file = account_file(place.data_dir, AccountId("a1"))
    shutil.rmtree(file.parent)
    shutil.copytree(whole, file.parent)
    page = _harm(file, harm, chance)
    host = place.spawn(*ALONE)
    kinds: Counter[str] = Counter()
    try:
        kinds[_kind(host, "initialize", None, checks)] += 1
        for method, params in _CALLS if "result" in kinds else ():
            kinds[_kind(host, method, params, checks)] += 1
        checks.hold("the daemon lives", host.process.poll() is None)
        host.end()
        checks.hold("it leaves as it should", host.process.returncode == 0)
    except ConnectionEnded:
        checks.hold("the daemon lives", False)
    host.close()
    checks.hold("nothing is internal", "internal" not in kinds)
    shown = " ".join(f"{kind}:{count}" for kind, count in kinds.most_common())
    return checks.round(harm=harm, page=page, answers=shown)


def _kind(host: Host, method: str, params: Json | None, checks: Checks) -> str:
    try:
        if params is None:
            host.client.initialize()
        else:
            found = host.client.call(method, **params)
            if any(row["state"] == "failed" for row in found.get("findings", ())):
                return "damage told"
    except RpcError as error:
        checks.hold(f"{method} is refused by name", error.kind != "internal")
        return error.kind
    return "result"


def _harm(file: Path, harm: str, chance: random.Random) -> int:
    """Do it; returns the page it was done to."""
    if harm == "log":
        file = file.with_name(file.name + "-wal")
    data = bytearray(file.read_bytes())
    page = chance.randrange(max(len(data) // PAGE, 1))
    at = page * PAGE
    if harm == "zeroes":
        data[at : at + PAGE] = bytes(PAGE)
    elif harm == "noise":
        data[at : at + PAGE] = chance.randbytes(PAGE)
    elif harm == "cut":
        del data[at + chance.randrange(PAGE) :]
    elif harm == "swap":
        other = chance.randrange(len(data) // PAGE) * PAGE
        one, two = data[at : at + PAGE], data[other : other + PAGE]
        data[at : at + PAGE], data[other : other + PAGE] = two, one
    else:
        data[at + chance.randrange(min(PAGE, len(data)))] ^= 1 << chance.randrange(8)
    file.write_bytes(data)
    return page
