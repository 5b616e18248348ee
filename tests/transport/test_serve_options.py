"""The short way past the parser reads what the parser reads."""

from __future__ import annotations

import pytest

from mnemod.commands.serve import Options, _read, _read_plain


@pytest.mark.parametrize(
    "line",
    [
        ["--stdio"],
        ["--stdio", "--alone"],
        ["--alone", "--stdio", "--data-dir", "a b"],
        ["--stdio", "--data-dir", "d", "--config", "c"],
        ["--config", "c", "--stdio", "--config", "last"],
    ],
    ids=" ".join,
)
def test_a_hosts_usual_line_is_read_alike_both_ways(line: list[str]) -> None:
    plain = _read_plain(line)

    assert plain == _read(line)
    assert isinstance(plain, Options)


@pytest.mark.parametrize(
    "line",
    [
        [],
        ["--alone"],
        ["--stdio", "--data-dir"],
        ["--stdio", "--data-dir", ""],
        ["--stdio", "--data-dir=d"],
        ["--stdio", "--help"],
        ["--foreground", "--socket", "s"],
        ["--stdio", "extra"],
    ],
    ids=" ".join,
)
def test_anything_unusual_is_left_to_the_parser(line: list[str]) -> None:
    assert _read_plain(line) is None
