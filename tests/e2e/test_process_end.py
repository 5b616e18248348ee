"""How the daemon ends: idle, told, killed; and what it costs while it is there."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import time
from pathlib import Path

import pytest

from mnemod.config import IDLE_EXIT_S
from mnemod.ids import AccountId
from mnemod.store.files import account_file
from tests.support.processes import PATIENCE_S, Place, memory_kb, wait_until
from tests.support.rpc import ConnectionEnded, RpcError, SocketClient, observe_params

PROXY_KB_MAX = 16 * 1024
DAEMON_KB_MAX = 45 * 1024


def test_an_idle_daemon_leaves_by_itself_and_leaves_nothing(place: Place) -> None:
    place.run("ensure", env={"MNEMOD_DAEMON_IDLE_EXIT_S": "0.3"})
    door = Path(place.record().socket)

    place.wait_until_gone()

    assert not door.exists()
    assert not (place.data_dir / "daemon.json").exists()
    assert place.daemons() == []
    assert IDLE_EXIT_S == 900


def test_a_connection_keeps_it_here(place: Place) -> None:
    place.run("ensure", env={"MNEMOD_DAEMON_IDLE_EXIT_S": "0.2"})
    with place.connect() as client:
        client.initialize()
        time.sleep(0.6)
        assert client.call("ping") == {}
    place.wait_until_gone()


def test_a_host_that_comes_as_the_daemon_leaves_is_answered_all_the_same(place: Place) -> None:
    env = {"MNEMOD_DAEMON_IDLE_EXIT_S": "0.05"}
    answered = [place.spawn(env=env).client.initialize()["account"] for _ in range(12)]

    assert answered == ["a1"] * 12


def test_sigterm_answers_what_is_in_flight_and_exits_well(place: Place) -> None:
    daemon = place.start_in_foreground()
    with place.connect() as client:
        client.initialize()
        asked = [client.ask("observe", **observe_params(f"text {n}", f"m{n}")) for n in range(30)]
        daemon.terminate()
        answers = [client.answer_to(request_id) for request_id in asked]
        with pytest.raises(ConnectionEnded):
            client.receive()

    assert daemon.wait(PATIENCE_S) == 0
    stored = sum("result" in answer for answer in answers)
    refused = [a["error"]["data"] for a in answers if "error" in a]
    assert {(data["kind"], data["retryable"]) for data in refused} <= {("shutting_down", True)}
    assert stored + len(refused) == 30
    assert not (place.data_dir / "daemon.json").exists()
    assert _evidence_count(place) == stored


def _evidence_count(place: Place) -> int:
    client = place.spawn().client
    client.initialize()
    return len(client.call("query_evidence", operation="list")["evidence"])


def test_sigterm_waits_for_a_call_that_runs(place: Place) -> None:
    daemon = place.start_in_foreground()
    with place.connect() as client:
        client.initialize()
        holder = sqlite3.connect(account_file(place.data_dir, AccountId("a1")))
        holder.execute("BEGIN IMMEDIATE")
        asked = client.ask("observe", **observe_params("waits for the file"))
        client.call("ping")
        daemon.terminate()
        wait_until(lambda: not Path(place.record().socket).exists())
        holder.close()

        assert client.answer_to(asked)["result"]["evidence"][0]["outcome"] == "stored"
    assert daemon.wait(PATIENCE_S) == 0


def test_a_second_sigterm_does_not_wait(place: Place) -> None:
    daemon = place.start_in_foreground()
    with place.connect() as client:
        client.initialize()
        holder = sqlite3.connect(account_file(place.data_dir, AccountId("a1")))
        holder.execute("BEGIN IMMEDIATE")
        client.ask("observe", **observe_params("waits for the file"))
        client.call("ping")
        daemon.terminate()
        wait_until(lambda: not Path(place.record().socket).exists())
        assert daemon.poll() is None
        daemon.terminate()

        assert daemon.wait(2) == 128 + signal.SIGTERM
        holder.close()


@pytest.mark.parametrize("flags", [(), ("--now",)], ids=["drain", "now"])
def test_stop_returns_when_everything_is_closed(place: Place, flags: tuple[str, ...]) -> None:
    host = place.spawn()
    host.client.initialize()

    ran = place.run("stop", "--json", *flags)

    assert json.loads(ran.stdout)["stopped"] is True
    assert place.daemons() == []
    assert host.process.wait(PATIENCE_S) == 70
    assert "daemon closed the connection" in host.stderr()
    assert place.run("status").returncode == 69


def test_a_host_of_a_killed_daemon_gets_its_open_calls_back(place: Place) -> None:
    host = place.spawn()
    host.client.initialize()
    pid = place.record().pid
    os.kill(pid, signal.SIGSTOP)
    asked = [host.client.ask("observe", **observe_params("x", f"m{n}")) for n in range(3)]
    os.kill(pid, signal.SIGKILL)

    answers = [host.client.answer_to(request_id) for request_id in asked]
    assert {answer["error"]["data"]["kind"] for answer in answers} == {"shutting_down"}
    assert host.process.wait(PATIENCE_S) == 70


def test_a_daemon_whose_traces_were_swept_away_is_found_again(place: Place) -> None:
    host = place.spawn()
    pid = host.client.initialize()["server"]["pid"]
    Path(place.record().socket).unlink()
    (place.data_dir / "daemon.json").unlink()

    late = place.spawn()

    assert late.client.initialize()["server"]["pid"] == pid
    assert host.client.call("ping") == {}


def test_a_daemon_whose_data_directory_is_gone_leaves_it_to_another(place: Place) -> None:
    host = place.spawn()
    pid = host.client.initialize()["server"]["pid"]
    host.client.call("observe", **observe_params("I grow leeks."))
    shutil.rmtree(place.data_dir)

    with pytest.raises((RpcError, ConnectionEnded)):
        host.client.call("observe", **observe_params("I grow kale.", message_id="m2"))
    wait_until(lambda: not place.daemons())

    late = place.spawn()
    assert late.client.initialize()["server"]["pid"] != pid
    assert late.client.call("query_evidence", operation="list")["evidence"] == []


def test_sighup_reopens_the_log(place: Place) -> None:
    place.run("ensure")
    log = place.data_dir / "logs" / "daemon.log"
    log.rename(log.with_name("moved"))
    os.kill(place.record().pid, signal.SIGHUP)
    wait_until(log.exists)

    place.run("stop")

    assert b" stopped" in log.read_bytes()
    assert b" stopped" not in log.with_name("moved").read_bytes()


# --- what it costs


def test_the_proxy_and_the_idle_daemon_are_small(place: Place) -> None:
    host = place.spawn()
    host.client.initialize()
    host.client.call("query_world", operation="list")  # all that answers calls is loaded

    assert memory_kb(host.process.pid) <= PROXY_KB_MAX
    assert memory_kb(place.record().pid) <= DAEMON_KB_MAX


def test_a_session_needs_no_daemon_of_its_own(place: Place) -> None:
    hosts = [place.spawn() for _ in range(3)]

    assert {host.client.initialize()["server"]["pid"] for host in hosts} == {place.record().pid}
    assert [host.end() for host in hosts] == [0, 0, 0]
    with SocketClient(place.record().socket) as client:
        assert client.call("health")["connections"] == 1
