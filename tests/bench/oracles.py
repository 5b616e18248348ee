"""`python -m tests.bench.oracles FILE ... [--missed] [--brief] [--anchor TIME]`: compare readings.

FILE holds JSON lines with `text`, and if known `anchor`, `locale`, `lang`, `expect`; or plain
lines. Shown is every place where another library reads something else out of overlapping words;
with `--missed` also where it reads something and we nothing. The others are often wrong: this finds
what to look at. Never needed to run or test mnemod.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from mnemod.domain.normalise import annotate
from tests.bench import oracles_readers
from tests.bench.oracles_values import Said, agree, labelled, ours


@dataclass(frozen=True, slots=True)
class Line:
    """One text to read, with what is known of it."""

    text: str
    anchor: datetime
    locale: str
    lang: str
    expect: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Difference:
    """One place, read in two ways; `mine` is empty where we read nothing."""

    line: Line
    mine: list[Said]
    other: Said


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.oracles", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--missed", action="store_true")
    parser.add_argument("--brief", action="store_true", help="a line a place")
    parser.add_argument("--anchor", type=datetime.fromisoformat, metavar="TIME",
                        default=datetime.fromisoformat("2026-03-05T15:00:00+00:00"))  # fmt: skip
    asked = parser.parse_args()
    if not any(map(oracles_readers.has, ("dateparser", "jionlp", "ja_timex"))):
        print("nothing to compare with: pip install", *oracles_readers.PACKAGES)
        return 2
    lines = [line for path in asked.files for line in _lines(path, asked.anchor)]
    found: list[Difference] = []
    counts: Counter[str] = Counter()
    for line in lines:
        found += _compared(line, counts, missed=asked.missed)
    if asked.brief:
        print(*map(_brief, found), sep="\n")
    else:
        _show(found)
    print(f"{len(lines)} lines;", ", ".join(f"{name} {n}" for name, n in sorted(counts.items())))
    return 0


def _lines(path: Path, anchor: datetime) -> Iterator[Line]:
    for written in path.read_text("utf-8").splitlines():
        if not written.startswith("{"):
            lang = _guessed(written)
            yield Line(written, anchor, lang, lang)
            continue
        known = json.loads(written)
        lang = known.get("lang") or _guessed(known["text"])
        when = datetime.fromisoformat(known["anchor"]) if "anchor" in known else anchor
        yield Line(known["text"], when, known.get("locale", lang), lang, known.get("expect", []))


def _guessed(text: str) -> str:
    if re.search("[\u3041-\u30ff]", text):
        return "ja"
    return "zh-Hans" if re.search("[\u4e00-\u9fff]", text) else "en"


def _compared(line: Line, counts: Counter[str], *, missed: bool) -> Iterator[Difference]:
    mine = [said for each in annotate(line.text, line.anchor, line.locale) for said in ours(each)]
    for reader in oracles_readers.readers(line.lang):
        for other in _asked(reader, line, counts):
            over = [said for said in mine if said.start < other.end and other.start < said.end]
            if not over:
                counts[f"{other.by} alone"] += 1
                if missed:
                    yield Difference(line, [], other)
            elif any(agree(said, other) for said in over):
                counts[f"{other.by} agrees"] += 1
            else:
                counts[f"{other.by} differs"] += 1
                yield Difference(line, over, other)


def _asked(reader: oracles_readers.Reader, line: Line, counts: Counter[str]) -> list[Said]:
    try:
        return list(reader(line.text, line.anchor))
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError):
        counts[f"{reader.__name__.strip('_')} raised"] += 1
        return []


def _show(found: list[Difference]) -> None:
    table = Table(show_lines=True)
    for heading in ("text", "ours", "theirs", "label"):
        table.add_column(heading, overflow="fold")
    for each in found:
        labels = [labelled(said) for said in each.line.expect
                  if said["start"] < each.other.end and each.other.start < said["end"]]  # fmt: skip
        table.add_row(
            f"{each.line.text}\n{each.line.anchor:%a %Y-%m-%d %H:%M}".replace("[", "\\["),
            "\n".join(_told(said, each.line.text) for said in each.mine) or "-",
            f"{each.other.by}: {_told(each.other, each.line.text)}",
            "\n".join(labels) if each.line.expect else "-",
        )
    Console(width=150).print(table)


def _brief(each: Difference) -> str:
    mine = " / ".join(_told(said, each.line.text) for said in each.mine) or "-"
    return f"{each.line.text} | {mine} | {each.other.by} {_told(each.other, each.line.text)}"


def _told(said: Said, text: str) -> str:
    passage = text[said.start : said.end]
    return f"{passage}: {said.kind} {said.value}{' or' * (said.by == 'ambiguous')}".replace(
        "[", "\\["
    )


if __name__ == "__main__":
    sys.exit(main())
