"""`mnemod doctor`: finds what is wrong, says what to do, and mends only when told to."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from mnemod import __version__
from mnemod.commands.doctor import daemon as daemon_checks
from mnemod.commands.doctor import places, software
from mnemod.commands.doctor.finding import Finding, State, exit_code, failed, ok, warning
from mnemod.exits import Exit
from tests.cli.conftest import Ran, Run
from tests.support.fake_daemon import FakeDaemon, Refusal

FINE, WARN, FAIL = ok("a", "b"), warning("a", "b", "c"), failed("a", "b", "c")


def the(check: str, findings: Sequence[Finding]) -> Finding:
    return next(finding for finding in findings if finding.check == check)


def found(ran: Ran, check: str) -> dict[str, str]:
    findings: list[dict[str, str]] = json.loads(ran.out)["findings"]
    return next(finding for finding in findings if finding["check"] == check)


@pytest.mark.parametrize(
    ("findings", "strict", "code"),
    [
        ([FINE], True, 0),
        ([FINE, WARN], False, 0),
        ([FINE, WARN], True, 1),
        ([WARN, FAIL], False, 2),
        ([FAIL, FINE], True, 2),
    ],
)
def test_the_worst_finding_decides_the_exit_code(
    findings: list[Finding], strict: bool, code: int
) -> None:
    assert exit_code(findings, strict=strict) == code


# --- places


def private(path: Path) -> Path:
    path.mkdir(mode=0o700, parents=True)
    return path


def with_account(data_dir: Path) -> Path:
    file = private(private(data_dir) / "accounts" / "mia") / "memory.db"
    file.touch(0o600)
    return file


def test_a_private_directory_is_fine(tmp_path: Path) -> None:
    with_account(tmp_path / "d")

    assert {finding.state for finding in places.check(tmp_path / "d")} == {State.OK}


def test_an_account_file_that_others_can_read_fails_and_is_named(tmp_path: Path) -> None:
    file = with_account(tmp_path / "d")
    file.chmod(0o640)

    finding = the("directories", list(places.check(tmp_path / "d")))

    assert (finding.state, str(file) in finding.found) == (State.FAILED, True)
    assert finding.todo == f"chmod -R go-rwx '{tmp_path / 'd'}'"


def test_looking_makes_nothing(tmp_path: Path) -> None:
    assert the("directories", list(places.check(tmp_path / "d"))).state is State.OK
    assert list(tmp_path.iterdir()) == []


def test_files_from_the_future_mean_a_clock_to_look_at(tmp_path: Path) -> None:
    os.utime(with_account(tmp_path / "d"), (4e9, 4e9))

    assert the("clock", list(places.check(tmp_path / "d"))).state is State.WARNING


# --- the program


def test_a_wrong_setting_fails_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    file.write_text("[formation]\ninterpreter = 'magic'\n")

    finding = the("configuration", list(software.check(tmp_path, file, {})))

    assert (finding.state, "line 2" in finding.found) == (State.FAILED, True)


def test_each_setting_that_is_not_the_default_is_shown_with_its_origin(tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    file.write_text("[formation]\nworkers = 2\n")
    env = {"MNEMOD_LOG_LEVEL": "debug"}

    findings = list(software.check(tmp_path, file, env))

    assert the("formation.workers", findings).found == "2 (from file)"
    assert the("log.level", findings).found == "debug (from MNEMOD_LOG_LEVEL)"


def test_a_model_s_key_that_is_missing_is_a_warning_that_does_not_show_it(tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    file.write_text("[chat]\napi_key_env = 'MY_KEY'\n")

    without = list(software.check(tmp_path, file, {}))
    with_key = list(software.check(tmp_path, file, {"MY_KEY": "sk-secret"}))

    assert the("chat.api_key_env", without[::-1]).state is State.WARNING
    assert "sk-secret" not in str(with_key)
    assert State.WARNING not in {finding.state for finding in with_key}


def test_another_mnemod_before_ours_is_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, ours = private(tmp_path / "a") / "mnemod", private(tmp_path / "b") / "mnemod"
    for program in (other, ours):
        program.touch(0o755)
    monkeypatch.setattr("sys.argv", [str(ours)])
    path = f"{other.parent}{os.pathsep}{ours.parent}"

    finding = the("PATH", list(software.check(tmp_path, None, {"PATH": path})))

    assert (finding.state, str(other) in finding.found) == (State.WARNING, True)


# --- the daemon and the accounts


HEALTH = {
    "uptime_s": 3.0,
    "worker": {"state": "idle"},
    "account": {"evidence": 3, "items": 2},
}


@pytest.fixture
def healthy(daemon: FakeDaemon, data_dir: Path) -> FakeDaemon:
    """A daemon with one account, mia, of which nothing is wrong."""
    (data_dir / "accounts" / "default").rename(data_dir / "accounts" / "mia")
    daemon.answers |= {"health": HEALTH, "check_account": {"findings": [row("index_gap", 0)]}}
    return daemon


def row(check: str, count: int) -> dict[str, Any]:
    return {"check": check, "state": "failed" if count else "ok", "count": count}


def test_a_healthy_account_is_counted_and_nothing_is_wrong(
    healthy: FakeDaemon, mnemod: Run
) -> None:
    ran = mnemod("doctor")

    assert "opens: 3 messages, 2 memories" in ran.out
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "Nothing is wrong.")
    assert healthy.params_of("check_account") == [{"deep": False, "repair": False}]


def test_a_gap_in_the_index_fails_with_its_number_and_is_not_mended_unasked(
    healthy: FakeDaemon, mnemod: Run
) -> None:
    healthy.answers["check_account"] = {"findings": [row("index_gap", 12345)]}

    ran = mnemod("doctor", "--deep", "--json")

    finding = found(ran, "mia: index gap")
    assert (ran.code, finding["state"]) == (2, "failed")
    assert finding["found"] == "12345 rows the search index lacks or has too many"
    assert finding["todo"] == "mnemod doctor --deep --repair"
    assert healthy.params_of("check_account") == [{"deep": True, "repair": False}]


def test_repair_tells_the_numbers_first_then_mends_then_looks_again(
    healthy: FakeDaemon, mnemod: Run
) -> None:
    answers = iter(
        [
            {"findings": [row("index_gap", 7)]},
            {"findings": [row("index_gap", 7)], "rebuilt": 7},
            {"findings": [row("index_gap", 0)]},
        ]
    )
    healthy.answers["check_account"] = lambda _params: next(answers)

    ran = mnemod("doctor", "--deep", "--repair")

    asked = [params["repair"] for params in healthy.params_of("check_account")]
    assert asked == [False, True, False]
    assert ran.out.index("7 rows the search index") < ran.out.index("7 search entries made anew")


def test_repair_without_deep_is_a_usage_error(healthy: FakeDaemon, mnemod: Run) -> None:
    assert mnemod("doctor", "--repair").code == Exit.USAGE
    assert healthy.asked == []


def test_a_worker_that_stopped_is_a_warning_and_with_strict_a_failure(
    healthy: FakeDaemon, mnemod: Run
) -> None:
    stopped = {"state": "stopped", "reason": "interpreter_none"}
    healthy.answers["health"] = {**HEALTH, "worker": stopped}

    assert mnemod("doctor").code == 0
    ran = mnemod("doctor", "--strict", "--json")

    assert ran.code == 1
    assert "interpreter_none" in found(ran, "mia: worker")["found"]


def test_an_account_that_does_not_open_fails_and_the_others_are_still_looked_at(
    healthy: FakeDaemon, mnemod: Run, data_dir: Path
) -> None:
    private(data_dir / "accounts" / "zoe")

    def greet(params: dict[str, Any]) -> dict[str, Any]:
        if params["account"] == "mia":
            raise Refusal("account_corrupt")
        return {}

    healthy.answers["initialize"] = greet

    ran = mnemod("doctor", "--json")

    assert ran.code == 2
    assert "account_corrupt" in found(ran, "mia")["found"]
    assert found(ran, "zoe")["state"] == "ok"


def test_a_daemon_of_another_version_is_a_warning(
    healthy: FakeDaemon, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(daemon_checks, "__version__", "99")

    finding = the("daemon version", list(daemon_checks.check(data_dir)))

    assert (finding.state, finding.todo) == (State.WARNING, "mnemod stop")
    assert __version__ in finding.found


def test_no_daemon_running_is_fine(tmp_path: Path) -> None:
    [finding] = daemon_checks.check(private(tmp_path / "d"))

    assert finding.state is State.OK


def test_a_directory_that_is_held_while_nobody_answers_is_a_warning(tmp_path: Path) -> None:
    from mnemod.transport import daemon_lock

    data_dir = private(tmp_path / "d")
    lock = daemon_lock.try_take(data_dir)
    assert lock is not None

    with lock:
        lock.write_owner(4711)
        [finding] = daemon_checks.check(data_dir)

    assert (finding.state, "process 4711" in finding.found) == (State.WARNING, True)
