"""The discovery file, and who is believed to be the daemon."""

from __future__ import annotations

import json
import os
import shutil
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemod.exits import Exit, Refused
from mnemod.transport import discovery
from mnemod.transport.discovery import Record


@pytest.fixture
def listener(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX) as sock:
        sock.bind(os.fspath(tmp_path / "s"))
        sock.listen()
        yield sock


@pytest.fixture
def record(tmp_path: Path) -> Record:
    return Record(str(tmp_path / "s"), 4711, "instance", "0.1.0", [1])


def test_what_was_written_is_read(tmp_path: Path, record: Record) -> None:
    discovery.write(tmp_path, record)

    assert discovery.read(tmp_path) == record
    assert stat.S_IMODE((tmp_path / "daemon.json").stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["daemon.json"]


def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path, record: Record) -> None:
    (tmp_path / "daemon.json.new").mkdir()

    with pytest.raises(Refused) as caught:
        discovery.write(tmp_path, record)
    assert caught.value.code is Exit.IO


@pytest.mark.parametrize("kept", [0, 1, 40, -1])
def test_a_file_cut_anywhere_is_no_record(tmp_path: Path, record: Record, kept: int) -> None:
    discovery.write(tmp_path, record)
    file = tmp_path / "daemon.json"
    file.write_bytes(file.read_bytes()[:kept])

    assert discovery.read(tmp_path) is None
    assert discovery.connect(tmp_path) is None


@pytest.mark.parametrize("content", [b"[]", b"7", b"{}", b'{"home": 1}', b"\xff", b"[" * 100_000])
def test_a_file_of_something_else_is_no_record(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "daemon.json").write_bytes(content)

    assert discovery.read(tmp_path) is None


@pytest.mark.parametrize("damage", [("pid", "1e999"), ("socket", '"\\ud800"')])
def test_a_damaged_member_leads_to_no_daemon_and_keeps_nobody_out(
    tmp_path: Path, record: Record, damage: tuple[str, str]
) -> None:
    discovery.write(tmp_path, record)
    file = tmp_path / "daemon.json"
    member, value = damage
    was = f'"{member}": {json.dumps(discovery.as_dict(record)[member])}'
    file.write_text(file.read_text().replace(was, f'"{member}": {value}'))

    assert discovery.connect(tmp_path) is None


def test_a_copied_data_directory_does_not_lead_to_the_originals_daemon(
    tmp_path: Path, record: Record
) -> None:
    (tmp_path / "original").mkdir()
    discovery.write(tmp_path / "original", record)
    shutil.copytree(tmp_path / "original", tmp_path / "copy")

    assert discovery.read(tmp_path / "original") == record
    assert discovery.read(tmp_path / "copy") is None


@pytest.mark.usefixtures("listener")
def test_a_listening_socket_of_ours_is_the_daemon(tmp_path: Path, record: Record) -> None:
    discovery.write(tmp_path, record)

    sock = discovery.connect(tmp_path)

    assert sock is not None
    assert sock.gettimeout() is None
    sock.close()


def test_a_dead_socket_is_no_daemon(
    tmp_path: Path, record: Record, listener: socket.socket
) -> None:
    discovery.write(tmp_path, record)
    listener.close()

    assert discovery.connect(tmp_path) is None


def test_a_regular_file_is_no_daemon_and_is_left_alone(tmp_path: Path, record: Record) -> None:
    discovery.write(tmp_path, record)
    (tmp_path / "s").write_text("a letter")

    assert discovery.connect(tmp_path) is None
    assert (tmp_path / "s").read_text() == "a letter"


@pytest.mark.usefixtures("listener")
def test_another_users_daemon_is_refused(
    tmp_path: Path, record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    discovery.write(tmp_path, record)
    uid = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: uid + 1)

    with pytest.raises(Refused) as caught:
        discovery.connect(tmp_path)
    assert caught.value.code is Exit.NO_PERMISSION


def test_only_the_writer_withdraws_it(tmp_path: Path, record: Record) -> None:
    discovery.write(tmp_path, record)
    discovery.withdraw(tmp_path, "somebody else")
    assert discovery.read(tmp_path) == record

    discovery.withdraw(tmp_path, record.instance)
    assert discovery.read(tmp_path) is None
