"""What the search times: each step a text passes before it is acknowledged, alone and together.

Times are of this thread's CPU, so that other processes beside it count little (the process's own
clock goes by ticks while a timer runs). A pattern that runs away is stopped by one: `re` looks for
signals while it searches.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from types import FrameType
from typing import Any, Final

from mnemod.domain import keys, tokens
from mnemod.domain.folded import Folded, fold
from mnemod.domain.gates import chain, encoded, entropy, guard, noise, secrets
from mnemod.domain.gates.bare import bare
from mnemod.domain.normalise import annotate

BOUND_MS: Final = 50.0
"""The whole, for any text of 256 KiB."""
LIMIT_S: Final = 2.0
"""A run is stopped after this much CPU time, and counted as that long."""
WHOLE: Final = "whole"
ROUNDS: Final = 3
_ANOTHER: Final = "x" * 64 * 1024


@dataclass(frozen=True, slots=True)
class Step:
    """A function of what `ready` makes of a text: that is another step's work, and not timed.

    `is_part` says whether it is searched alone too: a part of the whole, with no parts of its own
    but code, which hides among all that the guard reads.
    """

    name: str
    call: Callable[[Any], object]
    ready: Callable[[str], Any] = str
    is_part: bool = True

    def cpu_ms(self, text: str, rounds: int = ROUNDS) -> float:
        """The best of `rounds` runs over `text`, in milliseconds of CPU time.

        A run that is stopped counts LIMIT_S and is not repeated.
        """
        best = LIMIT_S * 1_000
        for _ in range(rounds):
            _forget()
            ready = self.ready(text)
            began = time.thread_time()
            try:
                with limited():
                    self.call(ready)
            except TooSlow:
                return best
            best = min(best, (time.thread_time() - began) * 1_000)
        return best

    def first_ms(self, text: str) -> float:
        """What the very first run costs, in a copy of this process: nothing is cached there."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.write(writing, str(self.cpu_ms(text, rounds=1)).encode())
            finally:
                os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as answer:
            took = float(answer.read() or LIMIT_S * 1_000)
        os.waitpid(child, 0)
        return took


def _forget() -> None:
    """Have another text remembered as the last: a text that comes in is met for the first time."""
    fold(_ANOTHER)
    bare(_ANOTHER)


class TooSlow(Exception):
    """A run took longer than LIMIT_S."""


@contextmanager
def limited() -> Iterator[None]:
    """Raises TooSlow after LIMIT_S of CPU time."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


_WHEN: Final = datetime(2026, 3, 5, 15, 0, tzinfo=UTC)


def steps() -> dict[str, Step]:
    """Every step by name, `whole` first: the chain and the normaliser one after the other."""
    alone = (
        Step("chain", chain.judge, is_part=False),
        Step("fold", fold),
        Step("noise", _over_both(noise.find), _text_and_folded),
        Step("guard", _over_both(guard.inspect), _text_and_folded),
        Step("encoded", encoded.read),
        Step("secrets", _over_both(secrets.find), _text_and_folded),
        Step("entropy", entropy.suspicion),
        Step("normalise", _annotated, _text_and_folded),
        Step("keys", keys.comparison_key, is_part=False),
        Step("terms", tokens.terms, is_part=False),
    )
    return {step.name: step for step in (Step(WHOLE, _whole, is_part=False), *alone)}


def _whole(text: str) -> None:
    chain.judge(text)
    annotate(text, _WHEN, "en")


def _annotated(both: tuple[str, Folded]) -> object:
    return annotate(both[0], _WHEN, "en", folded=both[1])


def _over_both(find: Callable[[str, Folded], object]) -> Callable[[tuple[str, Folded]], object]:
    return lambda both: find(*both)


def _text_and_folded(text: str) -> tuple[str, Folded]:
    return text, fold(text)
