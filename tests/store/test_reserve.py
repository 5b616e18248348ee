"""The space kept back: spent once, and never a reason for anything else to fail."""

from __future__ import annotations

from pathlib import Path

from mnemod.store.reserve import Reserve


def test_what_is_kept_back_is_spent_once(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    reserve = Reserve(path)
    reserve.keep()

    assert reserve.spend()
    assert not path.with_name(f"{path.name}.reserve").exists()
    assert not reserve.spend()


def test_what_cannot_be_removed_is_not_spent_and_raises_nothing(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    reserve = Reserve(path)
    reserve.keep()
    file = path.with_name(f"{path.name}.reserve")
    file.unlink()
    file.mkdir()

    assert not reserve.spend()
