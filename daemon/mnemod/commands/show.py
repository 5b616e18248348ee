"""`mnemod show ID`: one memory with the words it is made of, one message, or one job."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from mnemod.commands import account, answer, terminal
from mnemod.commands.gates import spans_of
from mnemod.commands.jobs import facts_of
from mnemod.commands.terminal.page import Page, Tone
from mnemod.commands.terminal.words import moment
from mnemod.exits import Exit, Refused
from mnemod.ids import EVIDENCE, ITEM, JOB, ItemId
from mnemod.transport.client import Client

if TYPE_CHECKING:
    from mnemod.rpc.generated import (
        EvidenceRow,
        ItemRow,
        ProvenanceRow,
        QueryProvenanceResult,
        QueryWorldResult,
        TransitionRow,
    )


def run(arguments: list[str]) -> int:
    """Show what the id names; its first letters say what kind of thing that is."""
    parser = account.parser("show", "Show a memory, a message or a job by its id.")
    parser.add_argument("id", metavar="ID", help="it_..., ev_... or jb_...")
    answer.add_json(parser)
    options = parser.parse_args(arguments)
    shower = next((show for prefix, show in _SHOWERS if options.id.startswith(prefix)), None)
    if shower is None:
        raise Refused(Exit.USAGE, "an id begins with it_, ev_ or jb_")
    with account.connect(options) as client:
        shower(client, options)
    return Exit.OK


def _item(client: Client, options: Namespace) -> None:
    history: Any = client.call("query_world", {"operation": "history", "item_id": options.id})
    kind = next(row["object_kind"] for row in history["items"] if row["item_id"] == options.id)
    wanted = {"object_kind": kind, "item_id": options.id}
    provenance: Any = client.call("query_provenance", wanted)
    if options.json:
        answer.give(options, provenance, "")
    else:
        show_item(terminal.page(), provenance, history)


def show_item(page: Page, provenance: QueryProvenanceResult, history: QueryWorldResult) -> None:
    """The item, its words inside the messages they come from, and its place in its history."""
    item = provenance["item"]
    page.line(item["text"], Tone.STRONG)
    page.facts(list(_item_facts(item)))
    for evidence_id, rows in _by_evidence(provenance["support"]).items():
        page.line()
        said_by = _who_and_when(rows[0]["evidence"])
        page.line(f"from {evidence_id}, said by {said_by}", Tone.FAINT)
        _show_words(page, rows)
    texts = {row["item_id"]: row["text"] for row in history.get("items", ())}
    for step in provenance["transitions"]:
        page.line()
        page.line(_step(step, item, texts))


def _item_facts(item: ItemRow) -> Iterator[tuple[str, str]]:
    kind = item.get("statement_kind", item["object_kind"])
    yield "id", item["item_id"]
    yield "state", item["state"]
    yield "kind", f"{kind}, {item['formed_by']}, layer {item['layer']}"
    for name in ("subject", "holder", "name", "relation_type", "occurred_at", "time_expression"):
        if value := item.get(name):
            yield name.replace("_", " "), str(value)
    yield "confidence", f"{item['confidence']} of 1000, trust {item['trust']:g}"
    yield "recorded", moment(item["recorded_at"])
    if hidden := [name for name in ("archived", "muted", "pinned") if item[name]]:
        yield "marked", ", ".join(hidden)


def _by_evidence(support: Iterable[ProvenanceRow]) -> dict[str, list[ProvenanceRow]]:
    grouped: dict[str, list[ProvenanceRow]] = {}
    for row in support:
        grouped.setdefault(row["support"]["evidence_id"], []).append(row)
    return grouped


def _show_words(page: Page, rows: list[ProvenanceRow]) -> None:
    content = rows[0]["evidence"]["content"]
    if content is None:
        page.line("The words may not be shown here.", Tone.WARNING)
        return
    page.passage(content, [(row["support"]["start"], row["support"]["end"]) for row in rows])


def _step(step: TransitionRow, item: ItemRow, texts: Mapping[ItemId, str]) -> str:
    """What this item replaced, or what replaced it."""
    prior, successor = step["prior_item_id"], step.get("successor_item_id")
    is_prior = prior == item["item_id"]
    other = successor if is_prior else prior
    verb = f"gave way ({step['kind']})" if is_prior else f"replaced ({step['kind']})"
    if other is None:
        return f"ended ({step['kind']}) {moment(step['at'])}"
    joined = " to" if is_prior else ""
    return f"{verb}{joined}: {texts.get(other, 'words not shown')}\n  {other}, {moment(step['at'])}"


def _evidence(client: Client, options: Namespace) -> None:
    result: Any = client.call("query_evidence", {"operation": "get", "evidence_id": options.id})
    if options.json:
        answer.give(options, result, "")
    else:
        show_evidence(terminal.page(), result["evidence_row"])


def show_evidence(page: Page, row: EvidenceRow) -> None:
    """The message whole, and all that is known of it."""
    if row["content"] is None:
        page.line("The words may not be shown here.", Tone.WARNING)
    else:
        page.passage(row["content"], list(spans_of(row.get("gate"))))
    allowed = [name.replace("_", " ") for name, yes in row["permissions"].items() if yes]
    page.facts(
        [
            ("id", row["evidence_id"]),
            ("said by", _who_and_when(row)),
            ("recorded", moment(row["recorded_at"])),
            ("conversation", row["conversation_id"]),
            ("message", row["message_id"]),
            ("source", f"{row['source_kind']}, {row['outcome']}, trust {row['trust']:g}"),
            *_gate_facts(row),
            ("allows", ", ".join(allowed) or "nothing"),
        ]
    )


def _gate_facts(row: EvidenceRow) -> Iterator[tuple[str, str]]:
    """What the gates said; a message they keep back is read by nobody, whatever it allows."""
    gate = row.get("gate")
    if gate is None:
        return
    why = " ".join(word for word in (gate.get("detector"), gate.get("reason")) if word)
    yield "gates", f"{gate['decision']} ({why})" if why else gate["decision"]
    if row["outcome"] in ("held", "noise"):
        yield "kept back", "from recall and memories, until it is released"


def _who_and_when(row: EvidenceRow) -> str:
    speaker, said_at = row.get("speaker"), row.get("said_at")
    who = speaker["name"] if speaker else "the owner"
    return f"{who}, {moment(said_at)}" if said_at else who


def _job(client: Client, options: Namespace) -> None:
    result: Any = client.call("query_jobs", {"operation": "get", "job_id": options.id})
    if options.json:
        answer.give(options, result, "")
    else:
        terminal.page().facts(facts_of(result["job"]))


_SHOWERS = ((ITEM, _item), (EVIDENCE, _evidence), (JOB, _job))
