"""The socket's name: what it replaces, what it leaves alone, and how it goes."""

from __future__ import annotations

import os
import socket
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from mnemod.exits import Exit, Refused
from mnemod.transport import socket_file


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s.sock"


def _connects(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as sock:
        return sock.connect_ex(os.fspath(path)) == 0


def test_it_listens_and_only_its_owner_may_open_it(path: Path) -> None:
    before = os.umask(0)
    try:
        made = socket_file.bind(path)
        assert os.umask(0) == 0
    finally:
        os.umask(before)

    assert _connects(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    made.remove()
    assert list(path.parent.iterdir()) == []


def test_a_dead_socket_is_replaced(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(os.fspath(path))

    made = socket_file.bind(path)

    assert _connects(path)
    made.remove()


def _directory(path: Path) -> None:
    path.mkdir()


def _file(path: Path) -> None:
    path.write_text("a letter")


def _dangling_link(path: Path) -> None:
    path.symlink_to(path.with_name("nowhere"))


@pytest.mark.parametrize("put", [_directory, _file, _dangling_link])
def test_what_is_no_socket_is_refused_and_left_alone(
    path: Path, put: Callable[[Path], None]
) -> None:
    put(path)
    before = path.lstat()

    with pytest.raises(Refused) as caught:
        socket_file.bind(path)

    assert caught.value.code is Exit.CANNOT_CREATE
    assert path.lstat() == before


def test_a_live_socket_is_never_replaced(path: Path) -> None:
    live = socket_file.bind(path)

    with pytest.raises(Refused) as caught:
        socket_file.bind(path)

    assert caught.value.code is Exit.CANNOT_CREATE
    assert _connects(path)
    live.remove()


def test_another_users_socket_is_refused_and_left_alone(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(os.fspath(path))
    uid = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: uid + 1)

    with pytest.raises(Refused) as caught:
        socket_file.bind(path)

    assert caught.value.code is Exit.NO_PERMISSION
    assert path.exists()


def test_a_private_name_left_by_a_kill_is_no_hindrance(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(os.fspath(path) + ".new")

    made = socket_file.bind(path)

    assert _connects(path)
    made.remove()
    assert list(path.parent.iterdir()) == []


def test_hidden_it_is_not_found_but_its_visitors_still_are(path: Path) -> None:
    made = socket_file.bind(path)
    with socket.socket(socket.AF_UNIX) as visitor:
        visitor.connect(os.fspath(path))
        made.hide()

        assert not path.exists()
        assert made.has_visitors()
        made.show()
        assert _connects(path)
    made.remove()


def test_without_visitors_there_are_none(path: Path) -> None:
    made = socket_file.bind(path)

    assert not made.has_visitors()
    made.hide()
    made.remove()
    assert list(path.parent.iterdir()) == []


def test_a_successors_socket_is_not_removed(path: Path) -> None:
    made = socket_file.bind(path)
    path.unlink()
    successor = socket_file.bind(path)

    made.remove()

    assert _connects(path)
    successor.remove()


def test_a_name_that_is_there_is_kept_and_looks_used(path: Path) -> None:
    made = socket_file.bind(path)
    os.utime(path, (1, 1))

    assert not made.keep_found()
    assert path.stat().st_mtime > 1_000_000
    made.remove()


def test_a_name_that_was_taken_away_is_made_again(path: Path) -> None:
    made = socket_file.bind(path)
    lost = made.sock
    path.unlink()

    assert made.keep_found()
    assert _connects(path)
    assert not made.keep_found()
    lost.close()
    made.remove()
    assert list(path.parent.iterdir()) == []


def test_a_hidden_name_is_not_missed(path: Path) -> None:
    made = socket_file.bind(path)
    made.hide()

    assert not made.keep_found()
    assert not path.exists()
    made.remove()


def test_what_somebody_put_in_its_place_is_left_alone(path: Path) -> None:
    made = socket_file.bind(path)
    path.unlink()
    path.write_text("a letter")

    with pytest.raises(Refused):
        made.keep_found()
    assert path.read_text() == "a letter"
    made.remove()
    assert path.read_text() == "a letter"


def test_the_longest_path_that_fits_can_be_bound(tmp_path: Path) -> None:
    room = 100 - len(os.fsencode(tmp_path)) - 1
    path = tmp_path / ("s" * room)

    made = socket_file.bind(path)

    assert _connects(path)
    made.remove()
