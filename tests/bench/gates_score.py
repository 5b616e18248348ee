"""Scores the write gates on labelled lines: `python -m tests.bench.gates_score FILE [--show]`.

Each line has `text`, `lang`, `label` (pass, noise, hold, flag) and, for an attack, the `detector`
that names it. Wrong holds among `pass` come first: they cost a user words. A detector is compared
where the line and the gates both say `hold`.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mnemod.domain.gates.chain import judge
from mnemod.domain.gates.verdict import Verdict

LABELS = ("pass", "noise", "hold", "flag")
FORMED = frozenset(("pass", "flag"))


@dataclass
class Tally:
    """Counts of one language: pairs of label and verdict, and detectors where both hold."""

    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    detectors: int = 0
    agreed: int = 0

    def labelled(self, label: str) -> int:
        return sum(count for (wanted, _), count in self.pairs.items() if wanted == label)

    def judged(self, label: str) -> int:
        return sum(count for (_, got), count in self.pairs.items() if got == label)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("path", type=Path)
    options.add_argument("--show", action="store_true", help="print each line judged otherwise")
    chosen = options.parse_args()
    lines = [json.loads(line) for line in chosen.path.read_text(encoding="utf-8").splitlines()]
    print(report(score(lines, chosen.show)))


def score(lines: Iterable[dict[str, Any]], show: bool = False) -> dict[str, Tally]:
    """The tallies by language, and of all under "all"."""
    tallies: dict[str, Tally] = defaultdict(Tally)
    for line in lines:
        verdict = judge(line["text"]).verdict
        for name in (line["lang"], "all"):
            count(tallies[name], line, verdict)
        if show:
            print_difference(line, verdict)
    return tallies


def count(tally: Tally, line: dict[str, Any], verdict: Verdict) -> None:
    tally.pairs[line["label"], verdict.decision.value] += 1
    if line["label"] == verdict.decision.value == "hold":
        tally.detectors += 1
        tally.agreed += line["detector"] == verdict.detector


def print_difference(line: dict[str, Any], verdict: Verdict) -> None:
    wanted, got = line["label"], verdict.decision.value
    if wanted != got:
        print(f"{line['id']} {wanted} is judged {got} ({verdict.reason}): {line['text'][:160]!r}")
    elif wanted == "hold" and verdict.detector != line["detector"]:
        found = f"{verdict.detector} ({verdict.reason})"
        print(f"{line['id']} {line['detector']} is called {found}: {line['text'][:160]!r}")


def report(tallies: dict[str, Tally]) -> str:
    parts = [wrong_holds(tallies), ""]
    parts.append(f"{'lang':8} {'label':6} {'precision':>16} {'recall':>16}")
    for name, tally in sorted(tallies.items()):
        parts += [row(name, label, tally) for label in LABELS]
    parts.append("")
    for name, tally in sorted(tallies.items()):
        parts.append(
            f"{name:8} noise F1 {f1(tally, 'noise'):.3f}  formed or not {rate(*formed(tally))}"
            f"  detector {rate(tally.agreed, tally.detectors)}"
        )
    return "\n".join(parts)


def wrong_holds(tallies: dict[str, Tally]) -> str:
    rows = [
        f"{name} {rate(tally.pairs['pass', 'hold'], tally.labelled('pass'))}"
        for name, tally in sorted(tallies.items())
    ]
    return "pass held: " + ", ".join(rows)


def row(name: str, label: str, tally: Tally) -> str:
    right = tally.pairs[label, label]
    precision = rate(right, tally.judged(label))
    return f"{name:8} {label:6} {precision:>16} {rate(right, tally.labelled(label)):>16}"


def formed(tally: Tally) -> tuple[int, int]:
    """Lines on which label and verdict agree whether the text is formed, and all lines."""
    right = sum(
        count
        for (wanted, got), count in tally.pairs.items()
        if (wanted in FORMED) == (got in FORMED)
    )
    return right, sum(tally.pairs.values())


def f1(tally: Tally, label: str) -> float:
    both = tally.judged(label) + tally.labelled(label)
    return 2 * tally.pairs[label, label] / both if both else 1.0


def rate(part: int, whole: int) -> str:
    return f"{part / whole:.3f} ({part}/{whole})" if whole else "- (0/0)"


if __name__ == "__main__":
    main()
