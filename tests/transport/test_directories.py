"""Private directories, and where the socket goes."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from mnemod.exits import Exit, Refused
from mnemod.transport.directories import find_data_dir, fits, make_private, socket_path


def _code(directory: Path) -> Exit:
    with pytest.raises(Refused) as caught:
        make_private(directory)
    return caught.value.code


def test_what_is_missing_is_made_private_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        made = make_private(tmp_path / "a" / "b")
    finally:
        os.umask(before)

    assert stat.S_IMODE(made.stat().st_mode) == 0o700
    assert stat.S_IMODE(made.parent.stat().st_mode) == 0o700


def test_a_directory_open_to_others_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)

    assert _code(tmp_path) is Exit.NO_PERMISSION
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755


def test_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)

    assert _code(tmp_path / "link") is Exit.NO_PERMISSION


def test_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    assert _code(tmp_path / "file") is Exit.NO_PERMISSION


def test_another_users_directory_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    uid = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: uid + 1)

    assert _code(tmp_path) is Exit.NO_PERMISSION


def test_a_path_under_a_file_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    assert _code(tmp_path / "file" / "below") is Exit.CANNOT_CREATE


def test_a_linked_data_directory_is_the_real_one(tmp_path: Path) -> None:
    real = make_private(tmp_path / "real")
    (tmp_path / "alias").symlink_to(real)

    assert find_data_dir(str(tmp_path / "alias"), {}) == real


def test_the_command_line_beats_the_variable(tmp_path: Path) -> None:
    env = {"MNEMOD_DATA_DIR": str(tmp_path / "variable")}

    assert find_data_dir(str(tmp_path / "named"), env) == tmp_path / "named"
    assert find_data_dir(None, env) == tmp_path / "variable"


def test_a_private_runtime_directory_is_used(tmp_path: Path) -> None:
    found = socket_path(tmp_path, {"XDG_RUNTIME_DIR": str(tmp_path)})

    assert found.parent == tmp_path / "mnemod"
    assert len(found.name) == len("123456789abc.sock")


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    return tmp_path / f"mnemod-{os.geteuid()}"


def test_without_a_runtime_directory_the_temporary_one_serves(
    tmp_path: Path, temporary: Path
) -> None:
    assert socket_path(tmp_path, {}).parent == temporary


def test_an_open_runtime_directory_is_not_trusted(tmp_path: Path, temporary: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir(mode=0o755)

    assert socket_path(tmp_path, {"XDG_RUNTIME_DIR": str(shared)}).parent == temporary


def test_a_runtime_directory_with_too_long_a_path_gives_way(
    tmp_path: Path, temporary: Path
) -> None:
    long = make_private(tmp_path / ("d" * 120))

    assert socket_path(tmp_path, {"XDG_RUNTIME_DIR": str(long)}).parent == temporary


def test_no_place_short_enough_is_a_configuration_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.gettempdir", lambda: "/" + "t" * 100)

    with pytest.raises(Refused) as caught:
        socket_path(tmp_path, {})
    assert caught.value.code is Exit.CONFIG


def test_lengths_are_counted_in_bytes() -> None:
    assert fits(Path("/" + "a" * 99))
    assert not fits(Path("/" + "a" * 100))
    assert not fits(Path("/" + "é" * 50))
