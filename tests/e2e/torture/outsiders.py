"""Something outside holds the file's write lock, or reads an old snapshot, or a page is lost.

Promises: reads and other accounts go on, a write waits or is `busy` and can be tried again; a
forget says that its bytes have to wait for a reader, and they go by themselves once it is gone; a
damaged account is refused by name and left byte for byte, and the other accounts work.
"""

from __future__ import annotations

import random
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from mnemod.ids import AccountId
from mnemod.store.files import account_file
from tests.e2e.torture.sentinels import found
from tests.support.bytes_on_disk import fingerprint
from tests.support.processes import Place
from tests.support.rpc import Client, Json, RpcError, observe_params, result_of
from tests.support.torture import (
    Checks,
    Round,
    everything,
    faults_of,
    forget,
    settle,
    unseen_word,
)

HELD_S: Final = 8.0
PROMPT_S: Final = 1.0
PAGE: Final = 4096
CLEAN_WITHIN_S: Final = 15.0


def rounds(folder: Path, count: int, chance: random.Random) -> Iterator[Round]:
    """Each round all three."""
    for number in range(count):
        for name, one in _CASES.items():
            home = folder / f"{number}-{name}"
            home.mkdir()
            place = Place(home)
            try:
                yield one(place, chance)
            finally:
                place.close()


def held_lock(place: Place, _: random.Random, held_s: float = HELD_S) -> Round:
    """An outside process writes for `held_s`, and takes its time."""
    checks = Checks()
    writer = place.spawn().client
    writer.initialize("a1")
    writer.call("observe", **observe_params("I keep bees.", "m0"))
    outside = sqlite3.connect(account_file(place.data_dir, AccountId("a1")), isolation_level=None)
    outside.execute("BEGIN IMMEDIATE")
    waiting = writer.ask("observe", **observe_params("I keep hens.", "m1"))
    with place.connect() as reader, place.connect() as other:
        reader.initialize("a1")
        other.initialize("a2")
        slowest = _slowest(reader, other, held_s)
    outside.execute("ROLLBACK")
    outside.close()
    outcome = _outcome(writer.answer_to(waiting))
    checks.hold("reads and other accounts go on", slowest < PROMPT_S)
    checks.hold("the write waited or was busy", outcome in ("written", "busy, retryable"))
    writer.call("observe", **observe_params("I keep hens.", "m1"))
    rows = everything(writer, "query_evidence", "evidence")
    texts = sorted(row["content"] for row in rows)
    checks.hold("no half of it", texts == ["I keep bees.", "I keep hens."])
    checks.hold("the file is sound", faults_of(writer) == [])
    figures = {"held_s": held_s, "slowest_other_ms": round(slowest * 1000)}
    return checks.round(case="lock held outside", write=outcome, **figures)


def _slowest(reader: Client, other: Client, held_s: float) -> float:
    """The longest call in that time, in seconds: reads of the held account, writes to another.

    Not on the writer's connection: what is asked there after a command waits for it.
    """
    began = time.monotonic()
    took = [0.0]
    while time.monotonic() - began < held_s:
        took.append(_took(reader, "recall_preview", query="bees"))
        took.append(_took(reader, "query_jobs", operation="list"))
        took.append(_took(other, "observe", **observe_params("I keep geese.", f"g{len(took)}")))
        time.sleep(0.05)
    return max(took)


def _took(client: Client, method: str, **params: object) -> float:
    began = time.monotonic()
    client.call(method, **params)
    return time.monotonic() - began


def _outcome(answer: Json) -> str:
    try:
        result_of(answer)
    except RpcError as error:
        return f"{error.kind}, {'retryable' if error.data['retryable'] else 'final'}"
    return "written"


def lost_page(place: Place, chance: random.Random) -> Round:
    """One of three accounts has lost a page while nothing ran."""
    checks = Checks()
    for name in ("left", "middle", "right"):
        host = place.spawn("serve", "--stdio", "--alone")
        host.client.initialize(name)
        host.client.call("observe", **observe_params(f"I live in {name} hall.", "m0"))
        host.end()
    damaged = account_file(place.data_dir, AccountId("middle"))
    with damaged.open("r+b") as file:
        file.seek(PAGE)  # the second page, the first without the file's header
        file.write(bytes(PAGE))
    before = _account_files(damaged)
    client = place.spawn().client
    checks.hold("it is refused by name", _kind(client, "middle") == "account_corrupt")
    for name in chance.sample(("left", "right"), 2):
        with place.connect() as other:
            other.initialize(name)
            other.call("observe", **observe_params("I still row.", "m1"))
            rows = everything(other, "query_evidence", "evidence")
        texts = [row["content"] for row in rows]
        checks.hold("the others work", texts == [f"I live in {name} hall.", "I still row."])
    with place.connect() as again:
        checks.hold("refused again", _kind(again, "middle") == "account_corrupt")
    checks.hold("it is left byte for byte", _account_files(damaged) == before)
    return checks.round(case="page lost", write="account_corrupt")


def _account_files(path: Path) -> dict[str, str]:
    """The account's file and whatever SQLite put beside it, by their hashes."""
    files = fingerprint(path.parent)
    return {name: digest for name, digest in files.items() if name.startswith(path.name)}


def _kind(client: Client, account: str) -> str:
    try:
        client.initialize(account)
    except RpcError as error:
        return error.kind
    return ""


def old_reader(place: Place, chance: random.Random) -> Round:
    """An outside process goes on reading what is being forgotten."""
    checks = Checks()
    secret = unseen_word(chance)
    client = place.spawn().client
    client.initialize()
    told = client.call("observe", **observe_params(f"I like {secret} tea.", "m0"))
    settle(client)
    outside = sqlite3.connect(account_file(place.data_dir, AccountId("a1")), isolation_level=None)
    outside.execute("BEGIN")
    outside.execute("SELECT count(*) FROM evidence").fetchone()
    evidence_id = told["evidence"][0]["evidence_id"]
    cleanup = forget(client, "forget", "evidence", evidence_id)["receipt"]["storage_cleanup"]
    said_so = (cleanup["state"], cleanup.get("reason")) == ("pending", "wal_reader_busy")
    checks.hold("the receipt says what it waits for", said_so)
    checks.hold("health says so", client.call("health")["account"]["cleanup_pending"] > 0)
    recalled = client.call("recall_preview", query=secret, history="always")
    checks.hold("it is not recalled meanwhile", secret not in str(recalled))
    outside.execute("ROLLBACK")
    outside.close()
    began = time.monotonic()
    while found(place.data_dir, secret) and time.monotonic() - began < CLEAN_WITHIN_S:
        time.sleep(0.05)
    clean_ms = round((time.monotonic() - began) * 1000)
    checks.hold("the bytes go by themselves", found(place.data_dir, secret) == {})
    settled = client.call("health")["account"]["cleanup_pending"] == 0
    checks.hold("health says that too", settled)
    figures = {"held_s": 0, "slowest_other_ms": f"clean after {clean_ms}"}
    return checks.round(case="old reader", write=cleanup.get("reason", ""), **figures)


_CASES: Final = {"lock": held_lock, "reader": old_reader, "page": lost_page}
