"""The search index is being made anew when the daemon is killed (B091)."""

from __future__ import annotations

import signal
import sqlite3
from pathlib import Path

from mnemod.ids import AccountId
from mnemod.store.files import account_file
from tests.support.processes import PATIENCE_S, Host, Place
from tests.support.rpc import Client, Json
from tests.support.torture import everything, faults_of, settle

MESSAGES = 256
POINTS = ("write.before_begin:2", "write.before_commit:2", "write.after_commit:2")
"""Of a daemon that has written once, for the host that came, before the rebuild."""


def test_wherever_a_rebuild_is_killed_no_row_is_lost_and_the_index_is_the_old_or_the_new(
    place: Place,
) -> None:
    host = _started(place)
    for first in range(0, MESSAGES, 64):
        host.client.call("observe", **_sixty_four(first))
    settle(host.client)
    rows, items = _kept(host.client)
    assert host.end() == 0
    file = account_file(place.data_dir, AccountId("a1"))
    lost = _lose_the_index(file)

    gaps = []
    for point in POINTS:
        _killed_while_repairing(place, point)
        host = _started(place)
        gaps.append(host.client.call("health")["account"]["index_gap"])
        assert _kept(host.client) == (rows, items)
        assert host.end() == 0

    host = _started(place)
    assert (len(rows), len(items) > 0) == (MESSAGES, True)
    assert gaps == [lost, lost, 0]
    assert faults_of(host.client) == []
    assert host.client.call("recall_preview", query="255 boats")["items"] != []


def test_a_rebuild_that_was_cut_off_is_ended_by_the_next_one(place: Place) -> None:
    host = _started(place)
    host.client.call("observe", **_sixty_four(0))
    settle(host.client)
    assert host.end() == 0
    _lose_the_index(account_file(place.data_dir, AccountId("a1")))
    _killed_while_repairing(place, "write.before_commit:2")

    host = _started(place)
    assert faults_of(host.client) != []
    host.client.call("check_account", deep=True, repair=True)

    assert faults_of(host.client) == []


def _started(place: Place, **env: str) -> Host:
    host = place.spawn("serve", "--stdio", "--alone", env=env)
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


def _killed_while_repairing(place: Place, point: str) -> None:
    env = {"MNEMOD_TEST_BUILD": "1", "MNEMOD_FAULT": f"{point}:kill"}
    host = _started(place, MNEMOD_FORMATION_INTERPRETER="none", **env)
    host.client.ask("check_account", deep=True, repair=True)
    assert host.process.wait(PATIENCE_S) == -signal.SIGKILL
