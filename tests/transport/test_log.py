"""What a log line holds, what it cannot hold, and how large logs get."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from mnemod.log import Log, types_only
from mnemod.log.files import RotatingFile, open_append

CANARY = "the-heron-eats-at-noon"


class _Lines:
    """A sink that keeps what it is given."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def write(self, line: bytes) -> None:
        self.lines.append(line.decode())

    def reopen(self) -> None:
        pass


def _at_noon() -> float:
    return 1_796_040_000.1239


def test_a_text_line_says_when_what_and_how_long() -> None:
    sink = _Lines()
    Log(sink, wall_clock=_at_noon).info("call_answered", conn=3, method="observe", ms=1.8)

    assert sink.lines == [
        "2026-11-30T12:00:00.123Z info call_answered conn=3 method=observe ms=1.8\n"
    ]


def test_a_json_line_is_one_object_with_the_same_members() -> None:
    sink = _Lines()
    Log(sink, json_lines=True, wall_clock=_at_noon).error("call_failed", kind="busy", error_id="e1")

    assert json.loads(sink.lines[0]) == {
        "ts": "2026-11-30T12:00:00.123Z",
        "level": "error",
        "event": "call_failed",
        "kind": "busy",
        "error_id": "e1",
    }


def test_events_below_the_level_are_not_written() -> None:
    sink = _Lines()
    log = Log(sink, level="warning")
    log.debug("a")
    log.info("b")
    log.warning("c")

    assert [line.split()[2] for line in sink.lines] == ["c"]


def test_a_request_id_is_hashed_and_stays_the_same_hash() -> None:
    sink = _Lines()
    log = Log(sink)
    log.info("asked", id=CANARY)
    log.info("answered", id=CANARY)
    log.info("asked", id=CANARY + "!")

    shown = [line.split()[-1] for line in sink.lines]
    assert shown[0] == shown[1] != shown[2]
    assert CANARY not in "".join(sink.lines)


def _fail_with(text: str) -> None:
    raise ExceptionGroup(text, [KeyError(text), ExceptionGroup(text, [ValueError(text)])])


def test_an_exception_is_shown_by_types_and_places_only() -> None:
    with pytest.raises(ExceptionGroup) as caught:
        _fail_with(CANARY)

    shown = types_only(caught.value)
    assert shown.startswith("ExceptionGroup(KeyError,ExceptionGroup(ValueError))@")
    assert f"{__name__}:" in shown
    assert CANARY not in shown
    assert "/" not in shown


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "daemon.log"


def test_files_are_rotated_while_running_and_stay_under_the_cap(path: Path) -> None:
    sink = RotatingFile(path, bytes_max=1_000, files=3)
    for number in range(100):
        sink.write(b"%03d" % number + b"." * 96 + b"\n")
    sink.close()

    kept = sorted(path.parent.iterdir())
    assert [file.name for file in kept] == ["daemon.log", "daemon.log.1", "daemon.log.2"]
    assert sum(file.stat().st_size for file in kept) <= 3_000
    assert path.read_bytes().splitlines()[-1].startswith(b"099")


def test_a_file_that_another_process_filled_is_rotated_too(path: Path) -> None:
    sink = RotatingFile(path, bytes_max=1_000, files=3)
    path.write_bytes(b"x" * 999 + b"\n")
    sink.write(b"after\n")
    sink.close()

    assert path.read_bytes() == b"after\n"


def test_a_log_is_private_whatever_the_umask(path: Path) -> None:
    before = os.umask(0)
    try:
        os.close(open_append(path))
    finally:
        os.umask(before)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_line_that_a_kill_cut_short_does_not_swallow_the_next(path: Path) -> None:
    path.write_bytes(b"half a li")
    sink = RotatingFile(path)
    sink.write(b"whole\n")
    sink.close()

    assert path.read_bytes() == b"half a li\nwhole\n"


def test_a_link_in_the_logs_place_is_not_followed(path: Path) -> None:
    path.symlink_to(path.with_name("elsewhere"))

    with pytest.raises(OSError, match="symbolic links"):
        open_append(path)


def test_reopening_follows_an_outside_rotation(path: Path) -> None:
    sink = RotatingFile(path)
    path.rename(path.with_name("moved"))
    sink.reopen()
    sink.write(b"new\n")
    sink.close()

    assert path.read_bytes() == b"new\n"
