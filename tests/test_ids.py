"""Ids are never given twice, in whichever process or thread."""

from __future__ import annotations

import os

from mnemod.ids import EVIDENCE, random_id


def test_no_id_is_given_twice() -> None:
    made = [random_id(EVIDENCE) for _ in range(10_000)]

    assert len(set(made)) == len(made)
    assert {len(one) for one in made} == {len(EVIDENCE) + 32}
    assert all(int(one.removeprefix(EVIDENCE), 16) for one in made)


def test_a_forked_process_gives_other_ids() -> None:
    random_id(EVIDENCE)
    reads, writes = os.pipe()
    child = os.fork()
    if not child:
        os.write(writes, _digits().encode())
        os._exit(0)
    os.waitpid(child, 0)

    assert os.read(reads, 100).decode() != _digits()
    os.close(reads)
    os.close(writes)


def _digits() -> str:
    """What is random in the next id: its last twenty digits."""
    return random_id(EVIDENCE)[-20:]
