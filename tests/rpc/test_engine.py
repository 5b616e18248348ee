"""The whole daemon behind one connection in memory: what is wired to what, and how it lets go."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from trio.testing import memory_stream_pair

from mnemod import engine
from mnemod.config import Config, Interpreter
from mnemod.domain.gates.verdict import Detector
from mnemod.engine import Engine
from mnemod.errors import StorageCorrupt
from mnemod.ids import AccountId
from mnemod.rpc import generated
from mnemod.rpc.session import serve_connection
from mnemod.services.health import AccountHealth
from mnemod.store.files import ACCOUNT_LOCK, account_file
from mnemod.store.gates import GateCounts
from mnemod.store.jobs import JobState
from mnemod.store.lifetime_lock import AccountLock
from mnemod.transport.framing import Framer
from tests.support.rpc import AsyncClient, RpcError, observe_params

A1 = AccountId("a1")
PATIENCE_S = 20.0


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return Config(tmp_path)


@asynccontextmanager
async def _connected(parts: Engine) -> AsyncIterator[AsyncClient]:
    ours, theirs = memory_stream_pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve_connection, theirs, Framer(), parts.services)
        with trio.fail_after(PATIENCE_S):
            yield AsyncClient(ours)
            await ours.aclose()


async def test_what_was_said_is_formed_and_the_host_is_told(config: Config) -> None:
    async with engine.running(config, "i") as parts, _connected(parts) as client:
        await client.initialize()
        await client.call("subscribe", topic="jobs")
        observed = await client.call("observe", **observe_params("I live in Oslo."))

        states = [(await _next_job(client, observed["job"]["job_id"]))]
        while states[-1] not in ("done", "no_change", "dead"):
            states.append(await _next_job(client, observed["job"]["job_id"]))
        listed = await client.call("query_world", operation="list")

    assert states[-1] == "done"
    assert [item["text"] for item in listed["items"]] != []


async def _next_job(client: AsyncClient, job_id: str) -> str:
    told = client.notifications.pop(0) if client.notifications else await client.receive()
    assert told["method"] == "job_changed"
    assert told["params"]["job"]["job_id"] == job_id
    state: str = told["params"]["job"]["state"]
    return state


async def test_every_method_of_the_contract_is_promised_and_has_a_handler(config: Config) -> None:
    async with engine.running(config, "i") as parts:
        promised = parts.services.capabilities["methods"]

    served = [name for name, spec in generated.METHODS.items() if spec.kind in ("query", "command")]
    assert promised == sorted(served)
    assert engine._FAMILY_OF.keys() == set(served)


async def test_leaving_waits_for_no_module_of_the_workers(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    loading, let_go, loaded = trio.Event(), threading.Event(), list[str]()

    def load(locale: str) -> None:
        trio.from_thread.run_sync(loading.set)
        let_go.wait(PATIENCE_S / 4)
        loaded.append(locale)

    monkeypatch.setattr(engine, "_load_pool", load)
    async with engine.running(config, "i") as parts, _connected(parts) as client:
        await client.initialize()
        await loading.wait()
    left_before = list(loaded)
    let_go.set()

    assert left_before == []


async def test_leaving_lets_every_account_go(config: Config) -> None:
    async with engine.running(config, "i") as parts:
        async with _connected(parts) as client:
            await client.initialize()
            await client.call("observe", **observe_params("x"))

    AccountLock.take(account_file(config.data_dir, A1).with_name(ACCOUNT_LOCK)).release()


async def test_a_data_directory_of_another_process_answers_with_its_number(config: Config) -> None:
    async with engine.running(config, "i", held_by=4711) as parts, _connected(parts) as client:
        assert await client.call("ping") == {}
        with pytest.raises(RpcError) as caught:
            await client.initialize()

    assert caught.value.kind == "account_busy"
    assert caught.value.data["details"] == {"owner_pid": 4711}
    assert not account_file(config.data_dir, A1).exists()


async def test_workers_that_crash_leave_the_rest_served_and_say_so(
    config: Config, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def crash(config: Config) -> None:
        raise KeyError("the canary sang")

    monkeypatch.setattr("mnemod.formation.pool.chosen_interpreter", crash)
    async with engine.running(config, "i") as parts, _connected(parts) as client:
        await client.initialize()
        await client.call("observe", **observe_params("x"))
        while (health := await client.call("health"))["worker"].get("reason") != "crashed":
            await trio.sleep(0.01)

    assert health["worker"]["state"] == "stopped"
    assert "formation" in health["degraded"]
    logged = capfd.readouterr().err
    assert "workers_crashed" in logged
    assert "canary" not in logged


async def test_work_in_a_file_that_cannot_be_read_keeps_nobody_here(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unreadable(account: object) -> bool:
        raise StorageCorrupt()

    monkeypatch.setattr("mnemod.formation.pool.is_due", unreadable)
    async with engine.running(config, "i") as parts, _connected(parts) as client:
        await client.initialize()
        assert await parts.is_working() is False


async def test_a_job_that_nobody_works_on_keeps_nobody_here(tmp_path: Path) -> None:
    config = Config(tmp_path, interpreter=Interpreter.NONE)
    async with engine.running(config, "i") as parts, _connected(parts) as client:
        await client.initialize()
        await client.call("observe", **observe_params("x"))
        assert await parts.is_working() is False


async def test_health_of_an_account_counts_its_rows_and_that_of_the_daemon_does_not(
    config: Config,
) -> None:
    async with engine.running(config, "i") as parts, _connected(parts) as client:
        before = await client.call("health")
        welcome = await client.initialize()
        await client.call("observe", **observe_params("x"))
        after = await client.call("health")

    assert "account" not in before
    assert "account" not in welcome["health"]
    assert welcome["health"]["degraded"] == ["encoder"]
    assert (after["account"]["evidence"], after["account"]["index_gap"]) == (1, 0)
    assert after["degraded"] == ["encoder"]


async def test_what_does_not_work_is_named(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    async def ailing(account: object) -> AccountHealth:
        gates = GateCounts(1, 0, 0, dict.fromkeys((*Detector, None), 0), 0, 0, 0, 0, 0, 0)
        return AccountHealth(1, gates, 1, 0, 0, 1, dict.fromkeys(JobState, 0), True, 4_096, 0)

    monkeypatch.setattr("mnemod.services.health.of", ailing)
    async with engine.running(config, "i") as parts, _connected(parts) as client:
        await client.initialize()
        health = await client.call("health")

    assert health["status"] == "degraded"
    assert health["degraded"] == ["encoder", "index", "storage_cleanup"]
    assert health["account"]["cleanup_pending"] == 1


def test_what_answers_calls_is_not_loaded_to_answer_initialize() -> None:
    program = "import mnemod.app, sys; print(*(m for m in sys.modules if m.startswith('mnemod.')))"
    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True
    ).stdout.split()

    heavy = ("mnemod.services", "mnemod.formation", "mnemod.rpc.methods", "mnemod.rpc.jsonrpc")
    assert [name for name in loaded if name.startswith(heavy)] == []


async def test_a_call_that_waits_for_its_handler_keeps_its_place_the_first_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    steps: list[str] = []

    @contextmanager
    def in_order() -> Iterator[None]:
        steps.append("holds its place")
        yield
        steps.append("lets others begin")

    async def handler(_: object, word: str) -> dict[str, object]:
        steps.append(word)
        return {}

    methods = engine._Methods()
    family = SimpleNamespace(HANDLERS={"delete_evidence": handler})
    monkeypatch.setattr(engine, "import_module", lambda _: family)
    call: Any = SimpleNamespace(in_order=in_order)
    answer = methods._methods["delete_evidence"].handler
    await answer(call, "first")
    await answer(call, "second")

    assert steps == ["holds its place", "first", "lets others begin", "second"]
