"""Files of words: read once, and no word twice in memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemod.domain import ready


def test_words_that_are_said_twice_are_one_string(tmp_path: Path) -> None:
    path = tmp_path / "words.toml"
    path.write_text('[[rule]]\nneeds = ["waive it"]\n[[rule]]\nneeds = ["waive it"]\nweight = 2\n')

    first, second = ready.tables(path)["rule"]

    assert second == {"needs": ["waive it"], "weight": 2}
    assert first["needs"][0] is second["needs"][0]


def test_nothing_is_read_where_nobody_can_wait(tmp_path: Path) -> None:
    with pytest.raises(ready.NotReadyError):
        ready.at_once(lambda: ready.tables(tmp_path / "words.toml"))
