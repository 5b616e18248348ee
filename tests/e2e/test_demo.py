"""`mnemod demo` against the real daemon: every claim holds, and a false one is called false."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from mnemod.commands import demo
from mnemod.commands.demo import script
from mnemod.exits import Exit
from tests.support.processes import Place


def test_the_demo_keeps_all_its_promises_and_leaves_nothing(place: Place) -> None:
    ran = place.run("demo", "--fast", "--svg", "demo.svg")

    shown = ran.stdout.decode()
    assert (ran.returncode, ran.stderr) == (Exit.OK, b"")
    held = re.search(r"All (\d+) claims held in ([0-9.]+) s", shown)
    assert held is not None
    assert (int(held[1]), "NOT TRUE" in shown) == (16, False)
    assert float(held[2]) < 20
    assert re.search(r"brekke [1-9]\d* -> 0, ropework [1-9]\d* -> 0", shown)
    assert "1 restart_recovered" in shown
    # The directory was under TMPDIR, and the user's own directory was not so much as made.
    assert sorted(path.name for path in place.root.iterdir()) == ["demo.svg", "run"]
    assert not [path for path in (place.root / "run").iterdir() if "demo" in path.name]


def test_a_claim_that_does_not_hold_ends_the_demo_with_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = script.load()
    wrong = replace(real.questions[0], expect="hazelnuts")
    monkeypatch.setattr(
        script, "load", lambda: replace(real, questions=(wrong, *real.questions[1:]))
    )

    code = demo.run(["--fast", "--plain"])

    shown = capsys.readouterr().out
    assert code == Exit.FAILED
    assert "NOT TRUE: each question was answered by the message that says so" in shown
    assert "1 of 16 claims did not hold" in shown
