"""A fault point strikes in a test build, when it is asked to, and never otherwise."""

from __future__ import annotations

import errno

import pytest

from mnemod import faults

_BUILD = {"MNEMOD_TEST_BUILD": "1"}


@pytest.mark.parametrize(
    "environ",
    [
        {},
        _BUILD,
        {"MNEMOD_FAULT": "checkpoint:1:full"},
        {"MNEMOD_TEST_BUILD": "0", "MNEMOD_FAULT": "checkpoint:1:full"},
    ],
)
def test_nothing_strikes_outside_a_test_build(environ: dict[str, str]) -> None:
    hit = faults.armed(environ)

    hit("checkpoint")

    assert hit is faults._nothing


def test_a_fault_strikes_at_the_hit_it_names_and_at_no_other() -> None:
    hit = faults.armed({**_BUILD, "MNEMOD_FAULT": "checkpoint:2:full"})
    hit("checkpoint")
    hit("write.before_begin")

    with pytest.raises(OSError) as struck:
        hit("checkpoint")
    hit("checkpoint")

    assert struck.value.errno == errno.ENOSPC


@pytest.mark.parametrize("fault", ["chekpoint", "checkpoint:1:explode", "checkpoint:x"])
def test_a_fault_nobody_can_hit_is_refused_at_start(fault: str) -> None:
    with pytest.raises(ValueError):
        faults.armed({**_BUILD, "MNEMOD_FAULT": fault})


def test_the_table_in_the_module_lists_every_point() -> None:
    rows = [line for line in (faults.__doc__ or "").splitlines() if line.startswith("| ")]

    assert {row.split("|")[1].strip() for row in rows[2:]} == faults.POINTS
