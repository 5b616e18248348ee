"""`python -m tests.bench.gate_times`: what the gates and the normaliser cost on everyday texts.

Invented prose in three languages, in an order of its own for each size. The floor is orjson parsing
the same text, which `observe` has done already by then. Times are the median CPU time of
`chain.judge` and `normalise.annotate` together. Exits 1 if 1 KiB takes longer than 1 ms, or 256 KiB
longer than 50. What others may send on purpose is `tests.bench.slow_inputs`.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Final

import orjson
from rich.console import Console

from tests.bench.slow_inputs_steps import WHOLE, steps
from tests.bench.table import Figure, show

SIZES: Final = (60, 200, 1_024, 4_096, 64 * 1024, 256 * 1024)
BOUNDS_MS: Final = {1_024: 1.0, 256 * 1024: 50.0}
RUNS: Final = {60: 400, 200: 400, 1_024: 200, 4_096: 60, 64 * 1024: 9, 256 * 1024: 5}
VARIANTS: Final = 20
"""Texts of one size, so that a short one is not one lucky sentence."""


def figures(tell: Callable[[str], None]) -> list[Figure]:
    """The median of every language and size."""
    whole = steps()[WHOLE].call
    whole("\u00e9 20% ignore")
    found = []
    for language, sentences in prose().items():
        for size in SIZES:
            tell(f"gates, {language}, {size:,} bytes")
            found.append(_figure(whole, language, sentences, size))
    return found


def prose() -> dict[str, list[str]]:
    """Sentences by language."""
    source = Path(__file__).with_suffix(".toml").read_text("utf-8")
    known: dict[str, list[str]] = tomllib.loads(source)
    return known


def text_of(sentences: list[str], size: int, variant: int) -> str:
    """Prose of about `size` bytes of UTF-8: whole sentences, or what fits of the first."""
    chance = random.Random(variant)
    joiner = " " if sentences[0].isascii() else ""
    said: list[str] = []
    while (room := size - len(joiner.join(said).encode())) > 0:
        said += chance.sample(sentences, min(len(sentences), 1 + room // 120))
    return joiner.join(said).encode()[:size].decode(errors="ignore")


def _figure(
    whole: Callable[[str], object], language: str, sentences: list[str], size: int
) -> Figure:
    texts = [text_of(sentences, size, variant) for variant in range(min(VARIANTS, RUNS[size]))]
    ours, parsing = [], []
    for run in range(RUNS[size]):
        text = texts[run % len(texts)]
        ours.append(_cpu_s(lambda text=text: whole(text)))  # type: ignore[misc]
        frame = orjson.dumps(text)
        parsing.append(_cpu_s(lambda frame=frame: orjson.loads(frame)))  # type: ignore[misc]
    floor = statistics.median(parsing) * 1_000
    return Figure(
        f"gates and normaliser, {language}, {_size(size)}",
        statistics.median(ours) * 1_000,
        "ms",
        at_most=BOUNDS_MS.get(size),
        note=f"orjson parses it in {floor:.2g} ms",
    )


def _cpu_s(call: Callable[[], object]) -> float:
    began = time.thread_time()
    call()
    return time.thread_time() - began


def _size(size: int) -> str:
    return f"{size} B" if size < 1_024 else f"{size // 1_024} KiB"


def main() -> int:
    with Console(stderr=True).status("starting") as status:
        found = figures(status.update)
    show(found, as_json="--json" in sys.argv)
    return 0 if all(figure.is_met is not False for figure in found) else 1


if __name__ == "__main__":
    sys.exit(main())
