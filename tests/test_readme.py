"""The README tells the truth: its example runs, its configuration table is the configuration."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from mnemod import settings

README: Final = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def block_after(marker: str) -> str:
    """The fenced block behind `<!-- marker -->`."""
    found = re.search(rf"<!-- {marker} -->\n```\w+\n(.*?)```", README, re.DOTALL)
    assert found is not None
    return found[1]


def run_the_host(home: Path) -> list[str]:
    """What the example prints, with its memory below `home`."""
    bin_folder = Path(sys.executable).parent
    env = {
        "PATH": f"{bin_folder}:{os.environ['PATH']}",
        "HOME": str(home),
        "MNEMOD_DATA_DIR": str(home / "data"),
        "MNEMOD_DAEMON_IDLE_EXIT_S": "1",
    }
    code = block_after("host")

    done = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=60
    )

    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_the_host_example_runs_as_it_stands(tmp_path: Path) -> None:
    lines = run_the_host(tmp_path)

    assert any("I am allergic to walnuts." in line for line in lines)
    assert lines[-1] == "applied"


def test_the_host_example_runs_again_on_what_it_left(tmp_path: Path) -> None:
    first = run_the_host(tmp_path)

    again = run_the_host(tmp_path)

    assert again[-1] == first[-1] == "applied"


def test_every_setting_stands_in_the_table_and_no_other(tmp_path: Path) -> None:
    table = README.split("| key | default |")[1].split("\n\n")[0]
    first_column = "".join(re.findall(r"^\| (`[^|]+)\|", table, re.MULTILINE))
    named = set(re.findall(r"`([a-z_.]+)`", first_column))

    known = set(settings.describe(settings.load(tmp_path, None, {"HOME": str(tmp_path)})))

    assert named == known


@pytest.mark.parametrize("path", re.findall(r"`(tests/[\w/.*]+)`", README))
def test_the_tests_a_promise_names_are_there(path: str) -> None:
    root = Path(__file__).parents[1]

    assert list(root.glob(path))
