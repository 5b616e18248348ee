"""Scores the rules interpreter on labelled lines: `python -m tests.bench.formation_score
PATH.jsonl`.

Each line is a conversation whose last user message is formed. Earlier user messages are formed
first, in order, so that a correction or retraction finds the item it speaks of. An item is found
when its text and kind agree, the text trimmed of white space and of ". ! ? 。 ！ ？ ， ," at both
ends.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mnemod.domain.compiler.change_set import KIND_OF, ChangeSet
from mnemod.domain.compiler.check import compile_reply
from mnemod.domain.compiler.refusal import CompileError
from mnemod.domain.interpretation import (
    Action,
    EvidenceView,
    FormationInput,
    Interpretation,
    ItemView,
    ProposedItem,
    Result,
    Selector,
    TurnView,
)
from mnemod.domain.reading import read
from mnemod.domain.segments import segments, sentences
from mnemod.domain.world import FormedBy, StatementKind
from mnemod.ids import EvidenceId, ItemId

TRIMMED = " \t\n.!?。！？，,"
AGREEMENTS = ("statement_kind", "subject", "holder", "formed_by", "occurred_at")
KINDS = {
    StatementKind.NAMING: "entity_name",
    StatementKind.ALIAS: "entity_name",
    StatementKind.RELATIONSHIP: "relationship",
    StatementKind.EVENT: "event",
    StatementKind.EVALUATION: "evaluation",
}
TITLES = (
    "dr. ",
    "dr ",
    "mr ",
    "mrs ",
    "ms ",
    "coach ",
    "さん",
    "ちゃん",
    "くん",
    "君",
    "様",
    "先生",
    "氏",
    "老师",
    "老師",
)


@dataclass
class Tally:
    """Counts of one language; `agreed` over the found items."""

    expected: int = 0
    formed: int = 0
    found: int = 0
    empty_lines: int = 0
    stayed_empty: int = 0
    agreed: Counter[str] = field(default_factory=Counter)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("path", type=Path)
    options.add_argument("--first", type=int, help="score only the first N lines")
    options.add_argument("--last", type=int, help="score only the last N lines")
    options.add_argument("--misses", action="store_true", help="print each wrong or missing item")
    chosen = options.parse_args()
    lines = [json.loads(line) for line in chosen.path.read_text(encoding="utf-8").splitlines()]
    lines = lines[: chosen.first] if chosen.first else lines[-(chosen.last or 0) :]
    print(report(score(lines, chosen.misses)))


def score(lines: Iterable[dict[str, Any]], show_misses: bool = False) -> dict[str, Tally]:
    """The tallies by language, and of all under "all"."""
    tallies: dict[str, Tally] = defaultdict(Tally)
    for line in lines:
        formed = formed_items(line["messages"], line.get("zone", "UTC"))
        for name in (line["lang"], "all"):
            count(tallies[name], line["expect"], formed)
        if show_misses:
            print_misses(line, formed)
    return tallies


def formed_items(messages: list[dict[str, str]], zone: str) -> list[dict[str, Any]]:
    """What the interpreter forms from the last message, in the shape of the labels."""
    items: tuple[ItemView, ...] = ()
    proposed: list[tuple[EvidenceView, ProposedItem]] = []
    for at, message in enumerate(messages):
        if message["role"] != "user":
            continue
        request = request_at(messages, at, items, zone)
        view = request.evidence[0]
        proposed = [(view, item) for item in taken(request)]
        items = items_after(items, proposed)
    return [labelled(view, item) for view, item in proposed]


def taken(request: FormationInput) -> list[ProposedItem]:
    """What the interpreter proposes and the compiler takes: a reply it refuses forms nothing."""
    answer = read(request)
    if isinstance(compile_reply(answer, request), CompileError):
        return []
    return [item for item in answer.items if is_taken(item, request)]


def is_taken(item: ProposedItem, request: FormationInput) -> bool:
    alone = compile_reply(Interpretation(Result.ITEMS, (item,)), request)
    return isinstance(alone, ChangeSet) and not alone.dropped


def request_at(
    messages: list[dict[str, str]], at: int, items: tuple[ItemView, ...], zone: str
) -> FormationInput:
    text = messages[at]["content"]
    view = EvidenceView(
        EvidenceId(f"e{at}"), text, sentences(text), segments(text), speaker=None, said_at=None
    )
    turns = tuple(
        TurnView(turn["role"], turn["content"], f"m{number}")
        for number, turn in enumerate(messages[:at])
    )
    return FormationInput((view,), turns[-4:], items, (), locale="en", zone=zone)


def items_after(
    items: tuple[ItemView, ...], proposed: Iterable[tuple[EvidenceView, ProposedItem]]
) -> tuple[ItemView, ...]:
    current = {item.item_id: item for item in items}
    for view, item in proposed:
        for gone in (*item.corrects, *item.supersedes, *item.contradicts):
            current.pop(ItemId(gone), None)
        if item.action is not Action.RETRACT:
            new = ItemId(f"{view.evidence_id}-{len(current)}")
            subject = None if item.statement_kind is StatementKind.RELATIONSHIP else item.target
            current[new] = ItemView(
                new,
                KIND_OF[item.statement_kind],
                item.statement_kind,
                chosen_text(view, item),
                subject,
            )
    return tuple(current.values())


def chosen_text(view: EvidenceView, item: ProposedItem) -> str:
    return " ".join(view.text[slice(*chosen_range(view, chosen))] for chosen in item.supports)


def chosen_range(view: EvidenceView, chosen: Selector) -> tuple[int, int]:
    for named in (*view.sentences, *view.segments):
        if named.id in (chosen.sentence_id, chosen.segment_id):
            return named.start, named.end
    assert chosen.start is not None
    assert chosen.end is not None
    return chosen.start, chosen.end


def labelled(view: EvidenceView, item: ProposedItem) -> dict[str, Any]:
    about_owner = item.target is None or item.statement_kind is StatementKind.RELATIONSHIP
    return {
        "kind": label_of(item),
        "text": chosen_text(view, item),
        "statement_kind": item.statement_kind.value,
        "subject": "owner" if about_owner else item.target,
        "holder": item.holder or "owner",
        "formed_by": "confirmed" if item.formed_by is FormedBy.CONFIRMED else "stated",
        "occurred_at": item.occurred_at,
    }


def label_of(item: ProposedItem) -> str:
    if item.action is Action.RETRACT:
        return "retraction"
    if item.action is Action.CORRECT or item.supersedes:
        return "correction"
    return KINDS.get(item.statement_kind, "cognition")


def count(tally: Tally, expected: list[dict[str, Any]], formed: list[dict[str, Any]]) -> None:
    tally.expected += len(expected)
    tally.formed += len(formed)
    if not expected:
        tally.empty_lines += 1
        tally.stayed_empty += not formed
    for wanted, got in matches(expected, formed):
        tally.found += 1
        tally.agreed.update(name for name in AGREEMENTS if same(name, wanted[name], got[name]))


def matches(
    expected: list[dict[str, Any]], formed: list[dict[str, Any]]
) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    left = {key_of(item): item for item in formed}
    for wanted in expected:
        got = left.pop(key_of(wanted), None)
        if got is not None:
            yield wanted, got


def key_of(item: dict[str, Any]) -> tuple[str, str]:
    return item["kind"], item["text"].strip(TRIMMED)


def same(name: str, wanted: str | None, got: str | None) -> bool:
    if name == "subject":
        return without_title(wanted or "") == without_title(got or "")
    return wanted == got


def without_title(name: str) -> str:
    bare = name.casefold()
    for title in TITLES:
        bare = bare.removeprefix(title).removesuffix(title)
    return bare


def print_misses(line: dict[str, Any], formed: list[dict[str, Any]]) -> None:
    expected = line["expect"]
    hits = list(matches(expected, formed))
    for wanted in expected:
        if not any(wanted is hit for hit, _ in hits):
            label = f"{wanted['kind']}/{wanted['statement_kind']}"
            print(f"{line['id']} missing {label}: {wanted['text']}")
    for got in formed:
        if not any(got is hit for _, hit in hits):
            print(f"{line['id']} wrong {got['kind']}/{got['statement_kind']}: {got['text']}")
    for wanted, got in hits:
        for name in AGREEMENTS:
            if not same(name, wanted[name], got[name]):
                print(f"{line['id']} {name}: {wanted[name]} is read as {got[name]}: {got['text']}")


def report(tallies: dict[str, Tally]) -> str:
    columns = f"{'lang':8} {'found':>5} {'formed':>6} {'expect':>6} {'precision':>9} {'recall':>6}"
    rows = [f"{columns}  empty  " + "  ".join(AGREEMENTS)]
    for name, tally in sorted(tallies.items()):
        agreed = "  ".join(f"{tally.agreed[field]:>{len(field)}}" for field in AGREEMENTS)
        rows.append(
            f"{name:8} {tally.found:>5} {tally.formed:>6} {tally.expected:>6}"
            f" {tally.found / max(tally.formed, 1):>9.3f}"
            f" {tally.found / max(tally.expected, 1):>6.3f}"
            f"  {tally.stayed_empty}/{tally.empty_lines}  {agreed}"
        )
    return "\n".join(rows)


if __name__ == "__main__":
    main()
