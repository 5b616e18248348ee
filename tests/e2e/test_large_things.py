"""What is far too long or too much: a line without an end, a huge file, calls of every length."""

from __future__ import annotations

import json
import random
import sqlite3
import time
from contextlib import suppress
from pathlib import Path

from mnemod.config import FRAME_BYTES_MAX
from mnemod.ids import AccountId
from mnemod.store.files import account_file
from tests.support.processes import Place, memory_kb
from tests.support.rpc import Client, initialize_params, observe_params, request

MIB = 1024 * 1024
FIRST_REPLY_S = 1.0
GROWTH_KB = 24 * 1024


def peak_kb(pid: int) -> int:
    """The most memory a process ever had resident."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0])


def test_a_line_without_an_end_costs_at_most_twice_the_limit_and_nobody_else(
    place: Place,
) -> None:
    # B105: 512 MiB are offered; the daemon stops reading long before.
    host = place.spawn()
    pid = host.client.initialize()["server"]["pid"]
    before = peak_kb(pid)
    with place.connect() as endless:
        endless.send(b'{"x":"')
        with suppress(BrokenPipeError, ConnectionResetError):
            for _ in range(512):
                endless.send(b"y" * MIB)
        slowest = max(_took(host.client) for _ in range(20))

    assert slowest < 0.25
    assert peak_kb(pid) - before < 2 * FRAME_BYTES_MAX / 1024 + 2 * 1024


def _took(client: Client) -> float:
    began = time.monotonic()
    client.call("ping")
    return time.monotonic() - began


def test_the_first_reply_of_a_daemon_with_a_huge_file_comes_at_once(place: Place) -> None:
    # B136
    host = place.spawn("serve", "--stdio", "--alone")
    host.client.initialize()
    host.client.call("observe", **observe_params("I keep bees.", "m0"))
    host.end()
    file = account_file(place.data_dir, AccountId("a1"))
    _fill(file)
    assert file.stat().st_size > 200 * MIB

    began = time.monotonic()
    host = place.spawn("serve", "--stdio", "--alone")
    host.client.send(request(1, "initialize", **initialize_params()))
    reply = host.client.answer_to(1)["result"]
    took = time.monotonic() - began

    assert took < FIRST_REPLY_S
    assert reply["capabilities"]["encoder"] == {"state": "absent"}
    assert host.client.call("recall_preview", query="bees")["degraded"] == ["encoder"]


def _fill(file: Path) -> None:
    """A thousand more messages of 200 KiB, as the table of messages has them."""
    with sqlite3.connect(file) as connection:
        columns = [row[1] for row in connection.execute("PRAGMA table_info(evidence)")]
        own = {
            "seq": "n.value + 1000",
            "evidence_id": "'ev_' || n.value",
            "message_id": "'x' || n.value",
            "origin_hash": "'hash' || n.value",
            "content": "hex(zeroblob(102400))",
        }
        chosen = ", ".join(own.get(name, name) for name in columns)
        connection.execute(
            f"INSERT INTO evidence ({', '.join(columns)}) SELECT {chosen}"
            " FROM (SELECT * FROM evidence LIMIT 1), json_each(?) AS n",
            (json.dumps(list(range(1, 1_051))),),
        )
    connection.close()


def test_calls_of_every_length_leave_no_memory_behind(place: Place) -> None:
    # B137
    chance = random.Random(137)
    client = place.spawn(env={"MNEMOD_FORMATION_INTERPRETER": "none"}).client
    pid = client.initialize()["server"]["pid"]
    _calls(client, chance, range(30))
    before = memory_kb(pid)

    _calls(client, chance, range(30, 110))

    assert memory_kb(pid) - before < GROWTH_KB


def _calls(client: Client, chance: random.Random, numbers: range) -> None:
    for number in numbers:
        words = " ".join(f"w{chance.randrange(5_000)}" for _ in range(800))
        client.call("recall_preview", query=words[: chance.randint(1, 4_000)])
        if number % 4 == 0:
            text = words[: chance.randint(1, 4_000)]
            client.call("observe", **observe_params(text, f"m{number}"))
