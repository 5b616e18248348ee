"""A data directory whose daemon is a fake, and commands run against it in this process."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from mnemod import cli
from tests.support.fake_daemon import FakeDaemon, listening


class Ran(NamedTuple):
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def daemon(data_dir: Path) -> Iterator[FakeDaemon]:
    """Keeps one account, and answers nothing but `initialize` until a test adds to `answers`."""
    made = FakeDaemon({})
    with tempfile.TemporaryDirectory(prefix="mn-") as short:
        with listening(made, data_dir, Path(short) / "s"):
            (data_dir / "accounts").mkdir(mode=0o700)
            (data_dir / "accounts" / "default").mkdir(mode=0o700)
            yield made


@pytest.fixture
def mnemod(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs one command line on the data directory."""

    def run(command: str, *arguments: str) -> Ran:
        try:
            code = cli.run([command, "--data-dir", str(data_dir), *arguments])
        except SystemExit as ended:  # argparse's way to refuse a command line
            code = int(ended.code or 0)
        printed = capsys.readouterr()
        return Ran(int(code), printed.out, printed.err)

    return run
