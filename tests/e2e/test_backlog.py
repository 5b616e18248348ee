"""Much to form: over several accounts, while others write, with old jobs in the way."""

from __future__ import annotations

import sqlite3
import threading
import time
from pathlib import Path

from mnemod.domain.instants import parse_instant
from mnemod.ids import AccountId
from mnemod.store.files import account_file
from mnemod.store.unfinished import account_with_work
from tests.support.answering_model import Json, answering_model, first_sentence
from tests.support.processes import Place, memory_kb, wait_until
from tests.support.rpc import Client, observe_params
from tests.support.torture import everything, settle

NO_WORKERS = {"MNEMOD_FORMATION_INTERPRETER": "none"}
ACCOUNTS = 8
EACH = 50
SLACK_S = 0.25


def say(client: Client, count: int) -> None:
    """That many messages, each with its job, all acknowledged; a host may have 288 unanswered."""
    for first in range(0, count, 200):
        asked = [
            client.ask("observe", **observe_params(f"I own {n} boats.", f"m{n}"))
            for n in range(first, min(first + 200, count))
        ]
        assert all("result" in client.answer_to(request_id) for request_id in asked)


def leave_a_backlog(place: Place, count: int, *names: str) -> list[Path]:
    """Accounts with that many pending jobs each, and nobody running. Their files."""
    assert place.run("ensure", env=NO_WORKERS).returncode == 0
    for name in names:
        with place.connect() as client:
            client.initialize(name)
            say(client, count)
    assert place.run("stop").returncode == 0
    return [account_file(place.data_dir, AccountId(name)) for name in names]


def jobs_of(place: Place, name: str) -> list[Json]:
    with place.connect() as client:
        client.initialize(name)
        return everything(client, "query_jobs", "jobs")


def test_a_backlog_of_eight_accounts_is_done_with_no_nudge_and_at_no_falling_pace(
    place: Place,
) -> None:
    # B087
    names = [f"acc-{n}" for n in range(ACCOUNTS)]
    files = leave_a_backlog(place, EACH, *names)

    assert place.run("ensure").returncode == 0
    wait_until(lambda: not any(map(account_with_work, files)))

    jobs = [job for name in names for job in jobs_of(place, name)]
    ended = sorted(parse_instant(job["completed_at"]).at_ms / 1000 for job in jobs)
    quarter = len(ended) // 4
    assert {job["state"] for job in jobs} == {"done"}
    assert len(jobs) == ACCOUNTS * EACH
    assert ended[-1] - ended[-quarter] <= 2 * (ended[quarter - 1] - ended[0]) + SLACK_S


def test_workers_of_four_accounts_and_their_hosts_never_find_a_file_locked(place: Place) -> None:
    # B079
    place.env |= {"MNEMOD_FORMATION_WORKERS": "4"}
    names = [f"acc-{n}" for n in range(4)]
    clients = [place.spawn().client for _ in names]
    for client, name in zip(clients, names, strict=True):
        client.initialize(name)
    threads = [threading.Thread(target=say, args=(client, 125)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for client in clients:
        settle(client)

    jobs = [job for name in names for job in jobs_of(place, name)]
    assert [job["state"] for job in jobs] == ["done"] * 500
    assert [job["last_error"] for job in jobs if "last_error" in job] == []
    assert {job["attempts"] for job in jobs} == {1}


def test_old_dead_jobs_stay_dead_and_recall_stays_quick_while_a_backlog_is_formed(
    place: Place,
) -> None:
    # B139
    (file,) = leave_a_backlog(place, 360, "a1")
    with sqlite3.connect(file) as connection:
        dead = connection.execute(
            "UPDATE job SET state = 'dead', reason = 'invalid_model_result', completed_at_ms = 1"
            " WHERE seq % 3 = 0"
        ).rowcount
    connection.close()

    client = place.spawn().client
    client.initialize()
    took, left = [], 1
    while left:
        began = time.monotonic()
        client.call("recall_preview", query="how many boats do I own")
        took.append(time.monotonic() - began)
        counts = client.call("query_jobs", operation="summary")["counts"]
        time.sleep(0.02)
        left = counts["pending"] + counts["processing"] + counts["retry"]

    assert (counts["dead"], counts["done"]) == (dead, 360 - dead)
    assert len(took) > 5
    assert sorted(took)[int(len(took) * 0.95)] < 0.25


def test_a_hundred_jobs_with_a_slow_model_leave_no_child_and_no_memory_behind(
    place: Place,
) -> None:
    # B095
    def answer(data: Json) -> str:
        if "7 boats" in data["evidence"][0]["text"]:
            time.sleep(0.2)
        return first_sentence(data)

    with answering_model(answer) as model:
        place.env |= model.env
        client = place.spawn().client
        pid = client.initialize()["server"]["pid"]
        say(client, 10)
        settle(client)
        before = memory_kb(pid)
        asked = [
            client.ask("observe", **observe_params(f"I own {n} boats.", f"m{n}"))
            for n in range(10, 110)
        ]
        children = {_children(pid) for _ in asked if client.call("ping") == {}}
        settle(client)

        assert children == {""}
        assert memory_kb(pid) - before < 50 * 1024
        assert client.call("query_jobs", operation="summary")["counts"]["done"] == 110


def _children(pid: int) -> str:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text()
