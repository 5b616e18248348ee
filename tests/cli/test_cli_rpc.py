"""`mnemod rpc`: one call, its result as JSON, its failure as an exit code."""

from __future__ import annotations

import io
import json

import pytest

from mnemod.exits import Exit
from tests.cli.conftest import Run
from tests.support.fake_daemon import FakeDaemon, Refusal


def refuse_as(kind: str, *, retryable: bool = False) -> object:
    def refuse(_params: dict[str, object]) -> None:
        raise Refusal(kind, retryable=retryable)

    return refuse


def test_the_result_is_printed_as_json_on_one_line(daemon: FakeDaemon, mnemod: Run) -> None:
    daemon.answers["query_jobs"] = {"jobs": [], "text": "猫"}

    ran = mnemod("rpc", "query_jobs", '{"operation":"list"}')

    assert ran == (0, '{"jobs": [], "text": "猫"}\n', "")
    assert daemon.params_of("query_jobs") == [{"operation": "list"}]


def test_params_can_come_on_stdin(
    daemon: FakeDaemon, mnemod: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    daemon.answers["observe"] = lambda params: params
    monkeypatch.setattr("sys.stdin", io.StringIO('{"event_id": "e1"}\n'))

    ran = mnemod("rpc", "observe", "-")

    assert json.loads(ran.out) == {"event_id": "e1"}


def test_tier_and_host_go_into_the_greeting(daemon: FakeDaemon, mnemod: Run) -> None:
    daemon.answers["ping"] = {}

    mnemod("rpc", "ping", "--tier", "cloud", "--host-id", "zed")

    [hello] = daemon.params_of("initialize")
    assert (hello["tier"], hello["host_id"]) == ("cloud", "zed")


@pytest.mark.parametrize(
    ("kind", "retryable", "code"),
    [("busy", True, Exit.TRY_AGAIN), ("not_found", False, Exit.FAILED)],
)
def test_a_refusal_is_told_by_kind_on_stderr(
    daemon: FakeDaemon, mnemod: Run, kind: str, retryable: bool, code: Exit
) -> None:
    daemon.answers["ping"] = refuse_as(kind, retryable=retryable)  # type: ignore[assignment]

    ran = mnemod("rpc", "ping")

    assert (ran.code, ran.out) == (code, "")
    assert ran.err == f"mnemod: It was refused. ({kind})\n"


@pytest.mark.parametrize("params", ["{", "[]", "1"])
def test_params_that_are_no_object_are_a_usage_error_and_nothing_is_called(
    daemon: FakeDaemon, mnemod: Run, params: str
) -> None:
    ran = mnemod("rpc", "ping", params)

    assert (ran.code, daemon.asked) == (Exit.USAGE, [])


def test_params_that_are_no_json_are_told_with_the_place(daemon: FakeDaemon, mnemod: Run) -> None:
    ran = mnemod("rpc", "ping", '{"a": 1,}')

    assert (ran.code, daemon.asked) == (Exit.USAGE, [])
    assert ran.err.startswith("mnemod: the params are not JSON from line 1, column ")
