"""The text form of an Interpretation: the JSON that every interpreter answers with.

    {"result": "items", "items": [{
        "action": "form" | "correct" | "contradict" | "retract",
        "statement_kind": "attribute" | "preference" | ...,
        "supports": [{"evidence_id": "ev_...", "sentence_id": "t0"}],
        "formed_by"?, "corrects"?: [id], "supersedes"?: [id], "contradicts"?: [id], "target"?,
        "holder"?, "relation_type"?, "alias_of"?, "occurred_at"?, "time_expression"?,
        "importance"?: 1..10, "assistant_claim"?}]}
    {"result": "no_change"}
    {"result": "clarification_required", "question": "..."}
    {"result": "out_of_scope", "note": "..."}

A support names one of `sentence_id`, `segment_id`, `quote`, or `start` with `end`.
"""

from __future__ import annotations

import json
from typing import Any, Final

from msgspec import to_builtins

from mnemod.domain.interpretation import Interpretation, Result

_NOTE_NAMES: Final = {Result.CLARIFICATION: "question", Result.OUT_OF_SCOPE: "note"}


def dump(interpretation: Interpretation) -> str:
    """`interpretation` as a reply; `parse` reads it back equal."""
    answer: dict[str, Any] = {"result": interpretation.result.value}
    if interpretation.items:
        answer["items"] = [_plain(to_builtins(item)) for item in interpretation.items]
    if interpretation.note is not None:
        answer[_NOTE_NAMES[interpretation.result]] = interpretation.note
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":"))


def _plain(members: dict[str, Any]) -> dict[str, Any]:
    """`members` without those that say nothing."""
    said = {name: value for name, value in members.items() if value is not None and value != ()}
    if "supports" in said:
        said["supports"] = [_plain(selector) for selector in said["supports"]]
    return said
