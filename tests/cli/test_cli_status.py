"""`mnemod status`: whether it runs, what it lacks, and whether it would start again."""

from __future__ import annotations

from pathlib import Path

from mnemod.exits import Exit
from tests.cli.conftest import Run
from tests.support.fake_daemon import FakeDaemon


def test_what_is_degraded_is_said_in_words(daemon: FakeDaemon, mnemod: Run) -> None:
    daemon.answers["health"] = {"status": "degraded", "degraded": ["encoder", "new_word"]}

    ran = mnemod("status")

    first, *lacks = ran.out.splitlines()
    assert first.endswith("): degraded")
    assert lacks == ["recall goes by words alone, without an encoder", "without new word"]


def test_a_configuration_that_stops_the_next_start_is_said_while_none_runs(
    tmp_path: Path, mnemod: Run
) -> None:
    config = tmp_path / "c.toml"
    config.write_text("[log]\nlevel = 1\n", encoding="utf-8")

    ran = mnemod("status", "--config", str(config))

    assert ran.code == Exit.UNAVAILABLE
    first, second = ran.out.splitlines()
    assert first.startswith("mnemod is not running for ")
    assert second.startswith(f"the next start will fail: {config}, line 2: log.level")
