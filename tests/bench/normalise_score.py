"""Scores annotations on labelled lines: `python -m tests.bench.normalise_score PATH.jsonl`.

A found span is right when start, end, kind and value all agree. Proportions agree within 0.001,
durations by their length, candidates as sets. Agreement of precision is counted apart, over the
spans that are right. A span on a line with none expected counts against precision.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from mnemod.domain.annotation import Ambiguous, Amount, Annotation, Interval
from mnemod.domain.normalise import annotate

SHARE_TOLERANCE = 0.001
DURATION = re.compile(
    r"P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?"
    r"(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?"
)
Span = dict[str, Any]


@dataclass
class Tally:
    """Counts of one language, or of one kind in it."""

    expected: int = 0
    given: int = 0
    right: int = 0
    precise: int = 0
    empty_lines: int = 0
    stayed_empty: int = 0


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("path", type=Path)
    options.add_argument("--show", action="store_true", help="print each wrong or missing span")
    chosen = options.parse_args()
    lines = [json.loads(line) for line in chosen.path.read_text(encoding="utf-8").splitlines()]
    print(report(score(lines, chosen.show)))


def score(lines: Iterable[dict[str, Any]], show: bool = False) -> dict[tuple[str, str], Tally]:
    """The tallies by language and kind; of all languages, and of all kinds, under "all"."""
    tallies: dict[tuple[str, str], Tally] = defaultdict(Tally)
    for line in lines:
        given = found_in(line)
        for language in (line["lang"], "all"):
            for kind in ("all", *{span["kind"] for span in (*line["expect"], *given)}):
                count(tallies[language, kind], line["expect"], given, kind)
        if show:
            print_mistakes(line, given)
    return tallies


def found_in(line: dict[str, Any]) -> list[Span]:
    """What `annotate` finds in a line, in the shape of the labels."""
    anchor = datetime.fromisoformat(line["anchor"])
    return [labelled(each) for each in annotate(line["text"], anchor, line["locale"])]


def labelled(found: Annotation) -> Span:
    return {
        "start": found.start,
        "end": found.end,
        "kind": found.kind.value,
        "value": plain(found.value),
        "precision": found.precision.value if found.precision else None,
    }


def plain(value: Any) -> Any:
    match value:
        case Interval(start=start, end=end):
            return {"start": start, "end": end}
        case Amount(number=number, currency=currency):
            return {"amount": Decimal(number), "currency": currency}
        case Ambiguous(candidates=candidates):
            return {"ambiguous": [plain(each) for each in candidates]}
        case _:
            return value


def count(tally: Tally, expected: list[Span], given: list[Span], kind: str) -> None:
    wanted = [span for span in expected if kind in ("all", span["kind"])]
    shown = [span for span in given if kind in ("all", span["kind"])]
    tally.expected += len(wanted)
    tally.given += len(shown)
    for span in shown:
        partner = next((other for other in wanted if agrees(other, span)), None)
        tally.right += partner is not None
        tally.precise += partner is not None and partner["precision"] == span["precision"]
    if not expected:
        tally.empty_lines += 1
        tally.stayed_empty += not given


def agrees(wanted: Span, given: Span) -> bool:
    places = all(wanted[name] == given[name] for name in ("start", "end", "kind"))
    return places and same_value(wanted["kind"], wanted["value"], given["value"])


def same_value(kind: str, wanted: Any, given: Any) -> bool:
    if isinstance(wanted, dict) and "ambiguous" in wanted:
        return isinstance(given, dict) and same_candidates(kind, wanted, given)
    match kind:
        case "proportion":
            return isinstance(given, float | int) and abs(wanted - given) <= SHARE_TOLERANCE
        case "duration":
            return isinstance(given, str) and length(wanted) == length(given)
        case "amount":
            return as_amount(wanted) == as_amount(given)
        case "interval":
            return ends(wanted) == ends(given)
        case _:
            return bool(wanted == given)


def same_candidates(kind: str, wanted: Span, given: Span) -> bool:
    left = wanted["ambiguous"]
    right = given.get("ambiguous", [])
    return len(left) == len(right) and all(
        any(same_value(kind, one, other) for other in right) for one in left
    )


def as_amount(value: Any) -> tuple[Decimal, str | None] | None:
    if not isinstance(value, dict) or "amount" not in value:
        return None
    return Decimal(str(value["amount"])), value["currency"]


def ends(value: Any) -> list[str] | None:
    if isinstance(value, dict):
        return [value.get("start", ""), value.get("end", "")]
    return list(value) if isinstance(value, list) else None


def length(duration: str) -> tuple[Decimal, Decimal] | None:
    """A duration as months and seconds: the two that nothing turns into each other."""
    found = DURATION.fullmatch(duration)
    if found is None:
        return None
    years, months, weeks, days, hours, minutes, seconds = (
        Decimal(part or 0) for part in found.groups()
    )
    return years * 12 + months, (((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds


def print_mistakes(line: dict[str, Any], given: list[Span]) -> None:
    text = line["text"]
    head = f"{line['id']} {line['locale']} {line['anchor'][:16]}"
    for span in line["expect"]:
        if not any(agrees(span, other) for other in given):
            print(f"{head} missing {shown(text, span)} | {text}")
    for span in given:
        if not any(agrees(other, span) for other in line["expect"]):
            print(f"{head} wrong {shown(text, span)} | {text}")


def shown(text: str, span: Span) -> str:
    written = text[span["start"] : span["end"]]
    return f"{span['kind']} {written!r} = {span['value']} ({span['precision']})"


def report(tallies: dict[tuple[str, str], Tally]) -> str:
    rows = [
        f"{'lang':8} {'kind':10} {'right':>5} {'given':>5} {'expect':>6} {'precision':>9}"
        f" {'recall':>6}  {'unit':>7}  empty"
    ]
    for (language, kind), tally in sorted(tallies.items()):
        empty = f"{tally.stayed_empty}/{tally.empty_lines}" if kind == "all" else ""
        rows.append(
            f"{language:8} {kind:10} {tally.right:>5} {tally.given:>5} {tally.expected:>6}"
            f" {tally.right / max(tally.given, 1):>9.3f}"
            f" {tally.right / max(tally.expected, 1):>6.3f}"
            f"  {f'{tally.precise}/{tally.right}':>7}  {empty}"
        )
    return "\n".join(rows)


if __name__ == "__main__":
    main()
