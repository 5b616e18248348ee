"""From the text of a reply to an Interpretation, or the reason why not. Strict on purpose.

The reply is one JSON object and nothing else; see `reply.py` for its shape. Tolerated, because they
leave no doubt: a block of thinking in front, one code fence around the whole, null for absent, a
single id where a list of ids stands, case and spaces around an enumerated word. Refused: prose
around the object, a second object, a key twice, numbers JSON does not know, unknown members, and
text that was cut off, whatever could be read of it.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, Final, NoReturn

from mnemod.config import FREE_JSON_DEPTH_MAX, INTERPRETED_ITEMS_MAX
from mnemod.domain.compiler.members import Members
from mnemod.domain.compiler.refusal import CompileError, Refusal
from mnemod.domain.interpretation import Action, Interpretation, ProposedItem, Result, Selector
from mnemod.domain.world import FormedBy, StatementKind

INVALID: Final = "invalid_model_result"
TRUNCATED: Final = "model_output_truncated"
REPLY_CHARS_MAX: Final = 200_000
SELECTORS_MAX: Final = 16
NOTE_CHARS_MAX: Final = 500

_THINKING: Final = re.compile(r"\s*<(think|thinking|thought)>(.*?)(</\1>|\Z)", re.DOTALL)
_FENCE_OPENS: Final = re.compile(r"(`{3,}|~{3,})[ \t]*[\w+-]*[ \t]*\n")


def parse(reply: str, finish_reason: str | None = None) -> Interpretation | CompileError:
    """Read a reply. `finish_reason` is the provider's; "length" means that text is missing."""
    try:
        if finish_reason == "length":
            raise Refusal(TRUNCATED, "The answer was cut off. Answer shorter, as one JSON object.")
        return _interpretation(_object(_unwrapped(reply)))
    except Refusal as refused:
        return refused.error


def _unwrapped(reply: str) -> str:
    """The reply without thinking in front and without a fence around the whole."""
    body = reply
    if thinking := _THINKING.match(reply):
        if not thinking[3]:
            raise Refusal(TRUNCATED, "The thinking never ended. Answer with the JSON object alone.")
        body = reply[thinking.end() :]
    body = body.strip()
    if not (fence := _FENCE_OPENS.match(body)):
        return body
    inner = body[fence.end() :].rstrip()
    # An unclosed fence still is the whole reply: what follows it decides.
    return inner.removesuffix(fence[1]).rstrip()


def _object(text: str) -> dict[str, Any]:
    if len(text) > REPLY_CHARS_MAX:
        raise Refusal(INVALID, f"The answer is longer than {REPLY_CHARS_MAX} characters.")
    _require_whole(text)
    try:
        value = json.loads(
            text,
            object_pairs_hook=_without_twins,
            parse_constant=_no_such_number,
            parse_float=_finite,
        )
    except ValueError:
        raise Refusal(INVALID, "Answer with one JSON object and nothing around it.") from None
    if not isinstance(value, dict):
        raise Refusal(INVALID, "The answer is JSON, but not an object.")
    return value


def _require_whole(text: str) -> None:
    """Raise if an object begins and never ends, or if anything is nested beyond reason."""
    depth, in_string, escaped = 0, False, False
    for char in text:
        if in_string:
            in_string = escaped or char != '"'
            escaped = char == "\\" and not escaped
        elif char == '"':
            in_string = True
        elif char in "{[":
            depth += 1
            if depth > FREE_JSON_DEPTH_MAX:
                raise Refusal(INVALID, f"Nested deeper than {FREE_JSON_DEPTH_MAX}.")
        elif char in "}]":
            depth -= 1
    if text.startswith("{") and depth > 0:
        raise Refusal(TRUNCATED, "The JSON object does not end. Answer shorter.")


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise Refusal(INVALID, "A JSON object has the same key twice.")
    return members


def _no_such_number(_: str) -> NoReturn:
    raise Refusal(INVALID, "NaN and Infinity are not JSON.")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise Refusal(INVALID, "A number is too large.")
    return value


def _interpretation(answer: dict[str, Any]) -> Interpretation:
    members = Members(answer, INVALID)
    result = members.word("result", Result, INVALID)
    match result:
        case Result.ITEMS:
            reply = Interpretation(result, items=_items(members.objects("items")))
        case Result.CLARIFICATION:
            reply = Interpretation(result, note=_note(members, "question"))
        case Result.OUT_OF_SCOPE:
            reply = Interpretation(result, note=_note(members, "note"))
        case Result.NO_CHANGE:
            reply = Interpretation(result)
    members.require_no_other("schema_version", "reason")
    return reply


def _note(members: Members, name: str) -> str:
    note = (members.text(name) or "").strip()
    if not 0 < len(note) <= NOTE_CHARS_MAX:
        raise Refusal(INVALID, f"{name} is missing, blank, or over {NOTE_CHARS_MAX} characters.")
    return note


def _items(proposals: list[dict[str, Any]]) -> tuple[ProposedItem, ...]:
    if not proposals:
        raise Refusal("invalid_item_batch", "No items: answer no_change instead.")
    if len(proposals) > INTERPRETED_ITEMS_MAX:
        raise Refusal("too_many_items", f"At most {INTERPRETED_ITEMS_MAX} items.")
    return tuple(_item(Members(proposal, "invalid_item")) for proposal in proposals)


def _item(members: Members) -> ProposedItem:
    item = ProposedItem(
        action=members.word("action", Action, "invalid_action"),
        statement_kind=members.word("statement_kind", StatementKind, "unsupported_statement_kind"),
        supports=_selectors(members.objects("supports")),
        formed_by=_formed_by(members),
        corrects=members.ids("corrects"),
        supersedes=members.ids("supersedes"),
        contradicts=members.ids("contradicts"),
        target=members.name("target"),
        holder=members.name("holder"),
        relation_type=members.name("relation_type"),
        alias_of=members.name("alias_of"),
        occurred_at=members.name("occurred_at"),
        time_expression=members.name("time_expression"),
        importance=_importance(members),
        assistant_claim=members.text("assistant_claim"),
    )
    # A proposition is read past: the words of an item are its spans.
    members.require_no_other("proposition", "reason")
    return item


def _formed_by(members: Members) -> FormedBy:
    if not members.has("formed_by"):
        return FormedBy.STATED
    formed_by = members.word("formed_by", FormedBy, "invalid_formed_by")
    if formed_by not in (FormedBy.STATED, FormedBy.CONFIRMED):
        raise Refusal("invalid_formed_by", "formed_by is stated or confirmed.")
    return formed_by


def _importance(members: Members) -> int:
    importance = members.integer("importance")
    if importance is None:
        return 5
    if not 1 <= importance <= 10:
        raise Refusal("invalid_importance", "importance is a whole number from 1 to 10.")
    return importance


def _selectors(supports: list[dict[str, Any]]) -> tuple[Selector, ...]:
    if not 0 < len(supports) <= SELECTORS_MAX:
        raise Refusal("no_support_span", f"Give 1 to {SELECTORS_MAX} supports for each item.")
    return tuple(_selector(Members(support, "invalid_support_span")) for support in supports)


def _selector(members: Members) -> Selector:
    selector = Selector(
        evidence_id=members.text("evidence_id") or "",
        sentence_id=members.text("sentence_id"),
        segment_id=members.text("segment_id"),
        quote=members.text("quote"),
        start=members.integer("start"),
        end=members.integer("end"),
    )
    members.require_no_other()
    offsets = None if selector.start is None and selector.end is None else selector
    ways = (selector.sentence_id, selector.segment_id, selector.quote, offsets)
    if sum(way is not None for way in ways) != 1 or (selector.start is None) != (
        selector.end is None
    ):
        raise Refusal(
            "invalid_support_span",
            "A support names exactly one of sentence_id, segment_id, quote, or start with end.",
        )
    return selector
