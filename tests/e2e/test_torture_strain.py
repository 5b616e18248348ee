"""Short runs of `tests.e2e.torture`: full disks, foreign locks, lost pages, strange calls."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.e2e.torture import damaged, footprint, full_disk, fuzz, outsiders, wild_answers
from tests.support.processes import Place
from tests.support.torture import broken

SEED = 20310203


@pytest.mark.skipif(not full_disk.can_mount(), reason="needs a user namespace to mount a disk in")
def test_on_a_full_disk_nothing_is_lost_and_forgetting_works(tmp_path: Path) -> None:
    assert broken(full_disk.rounds(tmp_path, 1, random.Random(SEED))) == []


def test_a_foreign_lock_on_the_file_holds_up_writes_to_it_and_nothing_else(place: Place) -> None:
    assert broken([outsiders.held_lock(place, random.Random(SEED), held_s=2.0)]) == []


def test_bytes_that_wait_for_a_reader_go_by_themselves_once_it_is_gone(place: Place) -> None:
    assert broken([outsiders.old_reader(place, random.Random(SEED))]) == []


def test_a_lost_page_costs_its_account_alone_and_nothing_more_is_done_to_it(place: Place) -> None:
    assert broken([outsiders.lost_page(place, random.Random(SEED))]) == []


def test_a_damaged_file_is_met_by_name_and_never_brings_the_daemon_down(tmp_path: Path) -> None:
    assert broken(damaged.rounds(tmp_path, 12, random.Random(SEED))) == []


def test_many_mixed_calls_leave_memory_descriptors_and_threads_as_they_were(place: Place) -> None:
    assert broken([footprint.run(place, random.Random(SEED), calls=500)]) == []


def test_made_up_calls_never_hurt_the_daemon(tmp_path: Path) -> None:
    assert broken(fuzz.rounds(tmp_path, 1, random.Random(SEED), seconds=4.0)) == []


def test_a_model_that_answers_anything_forms_nothing_but_words_that_were_said(
    tmp_path: Path,
) -> None:
    assert broken(wild_answers.rounds(tmp_path, 1, random.Random(SEED))) == []
