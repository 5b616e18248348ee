"""What a daemon gets from its starter, and what the starter hears of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mnemod.exits import Exit, Refused
from mnemod.transport.spawn import (
    Inherited,
    Report,
    _await_report,
    clean_environment,
    daemon_command,
)


def test_nothing_of_the_first_host_reaches_the_daemon() -> None:
    env = {
        "HOME": "/h",
        "PATH": "/p",
        "LANG": "C",
        "LC_ALL": "C",
        "TZ": "UTC",
        "TMPDIR": "/t",
        "XDG_RUNTIME_DIR": "/r",
        "MNEMOD_LOG_LEVEL": "debug",
        "OPENAI_API_KEY": "secret",
        "GIT_AUTHOR_NAME": "Reed",
        "PYTHONPATH": "/x",
        "LD_PRELOAD": "/x.so",
        "HTTP_PROXY": "x",
    }

    kept = clean_environment(env, api_key_env="OPENAI_API_KEY")

    assert sorted(env.keys() - kept.keys()) == [
        "GIT_AUTHOR_NAME",
        "HTTP_PROXY",
        "LD_PRELOAD",
        "PYTHONPATH",
    ]
    assert kept["OPENAI_API_KEY"] == "secret"


def test_without_a_configured_key_no_key_passes() -> None:
    assert clean_environment({"OPENAI_API_KEY": "secret", "": "x"}, api_key_env="") == {"": "x"}


def test_the_command_line_carries_absolute_paths_and_the_descriptors() -> None:
    command = daemon_command(Path("/da ta"), Path("/c.toml"), Inherited(5, 7))

    serve = command.index("serve")
    assert command[serve:] == [
        "serve", "--foreground", "--spawned", "5,7",
        "--data-dir", "/da ta", "--config", "/c.toml",
    ]  # fmt: skip
    assert Inherited.from_text("5,7") == Inherited(5, 7)


def _heard(tmp_path: Path, say: object) -> None:
    ours, theirs = os.pipe()
    report = Report(theirs)
    try:
        if callable(say):
            say(report)
        else:
            os.close(theirs)
        _await_report(ours, tmp_path)
    finally:
        os.close(ours)


def test_ready_lets_the_starter_go_on(tmp_path: Path) -> None:
    _heard(tmp_path, Report.ready)


def test_a_refusal_arrives_with_its_code_and_reason(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="chmod 700 'é'") as caught:
        _heard(tmp_path, lambda report: report.refused(Refused(Exit.CONFIG, "chmod 700 'é'")))

    assert caught.value.code is Exit.CONFIG


def test_a_daemon_that_dies_without_a_word_is_told_of_by_the_end_of_its_log(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "daemon.log").write_text("".join(f"line {n}\n" for n in range(9)))

    with pytest.raises(Refused) as caught:
        _heard(tmp_path, None)

    assert caught.value.code is Exit.INTERNAL
    assert caught.value.reason.splitlines()[1:] == [f"    line {n}" for n in range(4, 9)]


def test_a_daemon_that_dies_before_it_has_a_log_is_told_of_too(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"daemon\.log") as caught:
        _heard(tmp_path, None)

    assert caught.value.code is Exit.INTERNAL


def test_a_starter_that_went_away_is_no_trouble() -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    report = Report(theirs)

    report.ready()
    report.ready()

    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(theirs)
