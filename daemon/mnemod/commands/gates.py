"""`mnemod gates explain TEXT|-`: what the rules see in a text. `mnemod gates rejudge`: judge again.

Explaining stores nothing, and needs no account where there is none yet. Judging again goes through
all that older rules judged, a page at a time, and shows what has, or with `--dry-run` would have,
another verdict; never any of the words.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Final

from mnemod.commands import account, answer, place, terminal, throwaway
from mnemod.commands.terminal.page import Cell, Page, Tone, Toned
from mnemod.commands.terminal.words import counted, visible
from mnemod.config import PAGE_MAX
from mnemod.exits import Exit, Refused
from mnemod.transport.client import Client

if TYPE_CHECKING:
    from mnemod.rpc.generated import (
        Annotation,
        ExplainGatesResult,
        Gate,
        GateStep,
        RejudgedRow,
        Verdict,
    )

SHOWN_MAX: Final = 60
"""Characters of a passage in a table, and rows of what changed."""

_TONES: Final[Mapping[str, Tone]] = {
    "pass": Tone.GOOD,
    "flag": Tone.WARNING,
    "noise": Tone.FAINT,
    "hold": Tone.BAD,
}
_BECOMES: Final[Mapping[str, str]] = {
    "pass": "stored, and read for memories",
    "flag": "stored and read for memories, trusted less",
    "noise": "stored, and neither read for memories nor recalled",
    "hold": "kept out of every reach; `release_evidence` or a forget decides",
}


def run(arguments: list[str]) -> int:
    """Explain a text, or judge what is stored again."""
    options = _parser().parse_args(arguments)
    if options.what == "rejudge":
        if options.text is not None or options.at is not None:
            raise Refused(Exit.USAGE, "rejudge takes no text and no --at: it judges what is stored")
        return _rejudge(options)
    if options.dry_run or options.all:
        raise Refused(Exit.USAGE, "--dry-run and --all are of rejudge: explain stores nothing")
    if options.text is None:
        raise Refused(Exit.USAGE, "say which text: mnemod gates explain TEXT, or - to read it")
    return _explain(options)


def _parser() -> ArgumentParser:
    parser = account.parser("gates", "See what the rules see in a text, or let them judge again.")
    parser.add_argument("what", choices=("explain", "rejudge"), help="explain stores nothing")
    parser.add_argument("text", metavar="TEXT", nargs="?", help="to explain; - reads it from stdin")
    parser.add_argument("--at", metavar="T", help="explain: when it was said, RFC 3339 (now)")
    parser.add_argument("--dry-run", action="store_true", help="rejudge: show it, change nothing")
    parser.add_argument("--all", action="store_true", help="rejudge: what today's rules judged too")
    answer.add_json(parser)
    return parser


def _explain(options: Namespace) -> int:
    text = sys.stdin.read() if options.text == "-" else options.text
    params = {"content": text, **({"at": options.at} if options.at else {})}
    with _asked(options) as client:
        result: Any = client.call("explain_gates", params)
    if options.json:
        answer.give(options, result, "")
    else:
        show_explained(terminal.page(), text, result)
    return Exit.OK


def _asked(options: Namespace) -> AbstractContextManager[Client]:
    """The account meant; one for this question where nothing is kept yet and none is named."""
    if options.account is None and not account.there_are(place.data_dir(options)):
        return throwaway.connected(options)
    return account.connect(options)


def show_explained(page: Page, text: str, result: ExplainGatesResult) -> None:
    """The text with what the verdict points at, each gate's word, and what passages mean."""
    gate = result["gate"]
    page.passage(text, list(spans_of(gate)))
    page.line()
    page.line(f"{gate['decision']}: {_BECOMES[gate['decision']]}", _TONES[gate["decision"]])
    page.line()
    page.table(["gate", "says", "why"], [_step(text, step) for step in result["steps"]])
    page.line()
    if rows := [_meaning(text, each) for each in result["annotations"]]:
        page.table(["kind", "value", "words"], rows)
        page.line()
    page.facts(list(_facts(text, result)))


def spans_of(gate: Gate | None) -> Iterator[tuple[int, int]]:
    """Where the words stand that a verdict points at."""
    if gate is not None and "start" in gate and "end" in gate:
        yield gate["start"], gate["end"]


def _step(text: str, step: GateStep) -> list[Cell]:
    why = " ".join(word for word in (step.get("detector"), step.get("reason")) if word)
    words = _cut(text[step["start"] : step["end"]]) if "start" in step and "end" in step else ""
    told = f'{why}: "{words}"' if words else why or "nothing"
    return [step["gate"], Toned(step["decision"], _TONES[step["decision"]]), told]


def _meaning(text: str, each: Annotation) -> list[Cell]:
    value = json.dumps(each["value"], ensure_ascii=False)
    precision = each.get("precision")
    exact = f"{value} ({precision})" if precision else value
    return [each["kind"], exact, _cut(text[each["span"]["start"] : each["span"]["end"]])]


def _facts(text: str, result: ExplainGatesResult) -> Iterator[tuple[str, str]]:
    yield "read as", _cut(result["folded"])
    if result["stored"] != text:
        yield "stored as", _cut(result["stored"])
    yield "trust", f"{result['trust']:.2f}"
    yield "rules", str(result["gate"]["rules_version"])
    if result["annotations_failed"]:
        yield "passages", "could not be worked out"


def _cut(text: str) -> str:
    plain = visible(" ".join(text.split()))
    return plain if len(plain) <= SHOWN_MAX else plain[: SHOWN_MAX - 1] + "\u2026"


def _rejudge(options: Namespace) -> int:
    with account.connect(options) as client:
        pages = list(_pages(client, options))
    judged = [row for page in pages for row in page["judged"]]
    changed = [row for row in judged if row["changed"]]
    if options.json:
        facts = {"judged": len(judged), "changed": changed, "dry_run": options.dry_run}
        answer.give(options, {**facts, "rules_version": pages[-1]["rules_version"]}, "")
    else:
        show_rejudged(terminal.page(), len(judged), changed, dry_run=options.dry_run)
    return Exit.OK


def _pages(client: Client, options: Namespace) -> Iterator[Any]:
    params: dict[str, Any] = {"limit": PAGE_MAX, "dry_run": options.dry_run, "all": options.all}
    done = 0
    while True:
        page: Any = client.call("rejudge_evidence", params)
        yield page
        done += len(page["judged"])
        if page.get("next_cursor") is None:
            return
        if sys.stderr.isatty():
            sys.stderr.write(f"\rjudged {done:,}\x1b[K\r")
        params["cursor"] = page["next_cursor"]


def show_rejudged(
    page: Page, judged: int, changed: Iterable[RejudgedRow], *, dry_run: bool
) -> None:
    """How many verdicts differ and from what to what, then the rows."""
    rows = list(changed)
    moves = Counter((_verdict(row["before"]), _verdict(row["after"])) for row in rows)
    if moves:
        page.table(
            ["messages", "were", "are"] if not dry_run else ["messages", "are", "would be"],
            [[f"{count:,}", before, after] for (before, after), count in moves.most_common()],
        )
        page.line()
        page.table(
            ["message", "was", "is" if not dry_run else "would be"],
            [
                [row["evidence_id"], _verdict(row["before"]), _verdict(row["after"])]
                for row in rows[:SHOWN_MAX]
            ],
        )
        if len(rows) > SHOWN_MAX:
            page.line(f"and {counted(len(rows) - SHOWN_MAX, 'more message')}", Tone.FAINT)
    verb = "would change" if dry_run else "changed"
    page.line(f"{counted(judged, 'message')} judged, {len(rows):,} {verb}", Tone.FAINT)
    if not judged:
        page.line("Today's rules judged them all already; --all judges those again.", Tone.FAINT)


def _verdict(found: Verdict) -> str:
    gate = found.get("gate")
    if gate is None:
        return found["outcome"]
    why = gate.get("detector") or gate.get("reason") or gate["decision"]
    return f"{found['outcome']} ({why})"
