"""`mnemod recall QUERY`: what is remembered about it, and the words it rests on."""

from __future__ import annotations

import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from mnemod.commands import account, answer, terminal
from mnemod.commands.terminal.page import Cell, Page, Tone, Toned
from mnemod.commands.terminal.words import counted, day, lack
from mnemod.exits import Exit, Refused

if TYPE_CHECKING:
    from mnemod.rpc.generated import (
        Explain,
        Quote,
        RecalledItem,
        RecallPreviewResult,
        RecentEvidence,
    )

_TONES: Final[Mapping[str, Tone]] = {"current": Tone.GOOD, "past": Tone.FAINT}
_KINDS: Final[Mapping[str, tuple[str, str]]] = {
    "items": ("memory", "memories"),
    "quotes": ("quote", "quotes"),
    "recent_evidence": ("message not read yet", "messages not read yet"),
}


def run(arguments: list[str]) -> int:
    """Ask, and show what came back and how long it took."""
    options = _parser().parse_args(arguments)
    params = _params(options)
    with account.connect(options, tier=options.tier) as client:
        asked_at = time.perf_counter()
        result: Any = client.call("recall_preview", params)
        took_ms = (time.perf_counter() - asked_at) * 1000
    if options.json:
        answer.give(options, result, "")
    else:
        show(terminal.page(), result, took_ms)
    return Exit.OK


def show(page: Page, result: RecallPreviewResult, took_ms: float) -> None:
    """The memories, the quotes, and what was said too lately to have become either."""
    _section(page, "Memories", [_item(row) for row in result["items"]])
    _section(page, "Quotes", [_quote(row) for row in result["quotes"]])
    _section(page, "Said lately, not read yet", [_recent(row) for row in result["recent_evidence"]])
    shown = sum(
        len(rows) for rows in (result["items"], result["quotes"], result["recent_evidence"])
    )
    if not shown:
        page.line("Nothing found.")
    for note in _notes(result):
        page.line(note, Tone.WARNING)
    page.line(f"{counted(shown, 'result')} in {took_ms:.1f} ms", Tone.FAINT)


def _parser() -> ArgumentParser:
    parser = account.parser("recall", "Bring back what bears on a question or a time.")
    parser.add_argument("query", metavar="QUERY", nargs="?", help="in your own words")
    parser.add_argument(
        "--time", metavar="T", help="2031-05, a range A..B, 'last week', \u5148\u9031"
    )
    parser.add_argument("--history", choices=("auto", "never", "always"), help="also what was")
    parser.add_argument("--tier", choices=("local", "cloud"), default="local", help="who reads it")
    parser.add_argument("--explain", action="store_true", help="why each row is there")
    answer.add_json(parser)
    return parser


def _params(options: Namespace) -> dict[str, Any]:
    wanted = {"query": options.query, "time": options.time, "history": options.history}
    if not (options.query or options.time):
        raise Refused(
            Exit.USAGE, "say what to recall: mnemod recall 'where do I live?', or --time 2031-05"
        )
    return {name: value for name, value in wanted.items() if value} | {"explain": options.explain}


def _section(page: Page, title: str, rows: Sequence[Sequence[Cell]]) -> None:
    if rows:
        page.line(title, Tone.STRONG)
        page.table(["said", "", "words"], rows)


def _item(row: RecalledItem) -> list[Cell]:
    item, label = row["item"], row["label"]
    said = row.get("said_at") or item["recorded_at"]
    sources = dict.fromkeys(support["evidence_id"] for support in item["support"])
    below = [f"{item['item_id']}", *(f"from {source}" for source in sources)]
    return [day(said), Toned(label, _TONES[label]), _with(item["text"], below, row.get("explain"))]


def _quote(row: Quote) -> list[Cell]:
    below: list[str] = [row["evidence_id"]]
    if successor := row.get("superseded_by"):
        below.append(f"no longer so: {successor}")
    words = _with(row["text"], below, row.get("explain"))
    return [day(row.get("said_at") or row["recorded_at"]), _who(row), words]


def _recent(row: RecentEvidence) -> list[Cell]:
    said = day(row.get("said_at") or row["recorded_at"])
    words = _with(row["text"], [row["evidence_id"]], None)
    return [said, Toned("provisional", Tone.WARNING), words]


def _who(row: Quote) -> str:
    speaker = row.get("speaker")
    return speaker["name"] if speaker else "owner"


def _with(text: str, below: list[str], explain: Explain | None) -> str:
    if explain:
        why = f"{explain['channel']} rank {explain['rank']}, score {explain['score']:.3f}"
        below = [*below, " ".join([why, *_matched(explain)])]
    return "\n".join([" ".join(text.split()), *below])


def _matched(explain: Explain) -> Iterator[str]:
    """The words of the question a row holds, or whose words it is there for."""
    if explain["channel"] == "lexical" and not explain["terms"]:
        yield "for what was said around it"
    yield from (f"'{term}'" for term in explain["terms"])


def _notes(result: RecallPreviewResult) -> Iterator[str]:
    for word in result["degraded"]:
        yield lack(word).capitalize() + "."
    counts: Any = result["cut"]
    if cut := [counted(counts[name], *kind) for name, kind in _KINDS.items() if counts[name]]:
        yield f"More matched: {', '.join(cut)}."
    for row in result.get("withheld", ()):
        yield f"Kept back: {row['count']} {row['object_kind']} ({row['reason']})."
    if window := result.get("time_window"):
        yield f"Looked from {window['from']} to {window['to']} ({window['time_zone']})."
