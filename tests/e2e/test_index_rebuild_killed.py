"""The search index is being made anew when the daemon is killed (B091)."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import time
from pathlib import Path

from mnemod.ids import AccountId
from mnemod.store.files import account_file
from tests.support.processes import Host, Place
from tests.support.rpc import Client, Json
from tests.support.torture import everything, faults_of, settle

MESSAGES = 512
ROUNDS = 4
ALONE = ("serve", "--stdio", "--alone")


def test_whenever_a_rebuild_is_killed_no_row_is_lost_and_the_next_one_ends_it(
    place: Place,
) -> None:
    chance = random.Random(91)
    host = _started(place)
    for first in range(0, MESSAGES, 64):
        host.client.call("observe", **_sixty_four(first))
    settle(host.client)
    rows, items = _kept(host.client)
    assert host.end() == 0
    file = account_file(place.data_dir, AccountId("a1"))
    assert len(rows) == MESSAGES
    assert items != []

    gaps = []
    for _ in range(ROUNDS):
        lost = _lose_the_index(file)
        _killed_while_repairing(place, after_s=chance.uniform(0, 0.1))
        host = _started(place)
        gaps.append(host.client.call("health")["account"]["index_gap"])
        assert gaps[-1] in (0, lost)  # the new one or the old one
        assert _kept(host.client) == (rows, items)
        host.client.call("check_account", deep=True, repair=True)
        assert faults_of(host.client) == []
        assert host.end() == 0
    assert any(gaps), "no kill came early enough to mean anything"


def _started(place: Place) -> Host:
    host = place.spawn(*ALONE)
    host.client.initialize()
    return host


def _sixty_four(first: int) -> Json:
    messages = [
        {"message_id": f"m{n}", "role": "user", "content": f"I own {n} boats."}
        for n in range(first, first + 64)
    ]
    return {"event_id": f"e{first}", "conversation_id": "c1", "messages": messages}


def _kept(client: Client) -> tuple[list[str], list[str]]:
    rows = everything(client, "query_evidence", "evidence")
    items = everything(client, "query_world", "items")
    return [row["content"] for row in rows], [item["text"] for item in items]


def _lose_the_index(file: Path) -> int:
    with sqlite3.connect(file) as connection:
        gone = [
            connection.execute(f"DELETE FROM {table}").rowcount
            for table in ("evidence_lexical", "item_lexical")
        ]
    connection.close()
    return sum(gone)


def _killed_while_repairing(place: Place, after_s: float) -> None:
    host = _started(place)
    host.client.ask("check_account", deep=True, repair=True)
    time.sleep(after_s)
    os.kill(host.process.pid, signal.SIGKILL)
    host.process.wait()
