"""Short runs of `tests.e2e.torture`: what a kill, or a rival, may cost. Nothing."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.e2e.torture import fault_points, killed_observers, rivals, two_hosts
from tests.support.torture import broken

SEED = 20310203


def test_whatever_was_acknowledged_before_a_kill_is_there_and_sending_again_adds_nothing(
    tmp_path: Path,
) -> None:
    assert broken(killed_observers.rounds(tmp_path, 3, random.Random(SEED))) == []


def test_two_hosts_at_the_same_moment_leave_forty_rows(tmp_path: Path) -> None:
    assert broken(two_hosts.rounds(tmp_path, 1, random.Random(SEED))) == []


def test_of_two_hosts_that_forget_one_line_of_corrections_one_does_and_one_is_told(
    tmp_path: Path,
) -> None:
    assert broken(rivals.rounds(tmp_path, 3, random.Random(SEED))) == []


@pytest.mark.parametrize("fault", fault_points.FAULTS)
def test_a_kill_at_a_named_point_loses_nothing_and_buys_nothing_twice(
    tmp_path: Path, fault: str
) -> None:
    found = fault_points.some((fault,), tmp_path, random.Random(SEED))

    assert broken(found) == []
