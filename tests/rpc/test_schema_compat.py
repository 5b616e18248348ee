"""A change of the contract that would break a host is named; one that would not is let be."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rpc_schema.compat import breaks
from tests.support.schemas import SCHEMA_FOLDER, openrpc

Document = dict[str, Any]
Change = Callable[[Document], object]
RELEASED = sorted((SCHEMA_FOLDER / "released").glob("*.json"))


def schema(name: str, **members: Any) -> Document:
    return {
        "type": "object",
        "properties": members,
        "required": sorted(members),
        "additionalProperties": name.endswith("Result"),
    }


def contract() -> Document:
    """A small contract: one call, one notification each way, a type in both directions."""
    ref = "#/components/schemas/"
    return {
        "info": {"x-protocol-version": 1},
        "methods": [
            {
                "name": "ask",
                "x-params": {"$ref": f"{ref}AskParams"},
                "result": {"schema": {"$ref": f"{ref}AskResult"}},
                "x-idempotent": True,
                "x-before-initialize": True,
            },
            {
                "name": "told",
                "x-params": {"$ref": f"{ref}ToldParams"},
                "x-direction": "to_client",
            },
        ],
        "components": {
            "schemas": {
                "AskParams": schema(
                    "AskParams",
                    tone={"$ref": f"{ref}Tone"},
                    words={"type": "string", "minLength": 1, "maxLength": 9, "pattern": "^a"},
                    turns={"type": "array", "items": {"type": "integer", "maximum": 5}},
                    key={"anyOf": [{"type": "string"}, {"type": "integer"}]},
                    loud={"type": "boolean", "default": False},
                ),
                "AskResult": schema(
                    "AskResult",
                    tone={"$ref": f"{ref}Tone"},
                    rows={"type": "array", "items": {"type": "string"}},
                    note={"anyOf": [{"type": "string"}, {"type": "integer"}]},
                ),
                "ToldParams": schema("ToldParams", seq={"type": "integer", "maximum": 9}),
                "Tone": {"type": "string", "enum": ["warm", "dry"]},
            },
            "errors": {"busy": {"code": 1, "data": {"kind": "busy", "retryable": True}}},
        },
    }


def at(*path: str | int) -> Callable[[Document], Any]:
    def walk(document: Document) -> Any:
        place: Any = document
        for step in path:
            place = place[step]
        return place

    return walk


def put(*path: str | int, value: object) -> Change:
    return lambda document: at(*path[:-1])(document).__setitem__(path[-1], value)


def drop(*path: str | int) -> Change:
    return lambda document: at(*path[:-1])(document).__delitem__(path[-1])


TYPES = ("components", "schemas")
ASK = (*TYPES, "AskParams")
ASKED = (*ASK, "properties")
ANSWER = (*TYPES, "AskResult")
ANSWERED = (*ANSWER, "properties")

BREAKS: list[tuple[Change, str]] = [
    (drop("methods", 1), "told: the method is gone"),
    (put("methods", 0, "x-idempotent", value=False), "ask: no longer idempotent"),
    (put("methods", 0, "x-before-initialize", value=False), "ask: no longer before-initialize"),
    (put("methods", 0, "result", "schema", value={}), "ask: another type of result"),
    (put("methods", 0, "x-params", value={}), "ask: another x-params"),
    (put("methods", 1, "x-direction", value="to_server"), "told: another x-direction"),
    (drop(*TYPES, "Tone"), "Tone: the type is gone"),
    (put(*TYPES, "Tone", "enum", value=["warm"]), "Tone: 'dry' is no longer taken"),
    (put(*ASK, "required", value=["how"]), "AskParams.how: is required now"),
    (drop(*ASKED, "tone"), "AskParams.tone: is no longer taken"),
    (put(*ASKED, "words", "minLength", value=2), "AskParams.words: minLength is higher"),
    (put(*ASKED, "words", "maxLength", value=8), "AskParams.words: maxLength is lower"),
    (put(*ASKED, "words", "pattern", value="^b"), "AskParams.words: another pattern"),
    (put(*ASKED, "words", "enum", value=["a"]),
     "AskParams.words: only some values are still taken"),
    (put(*ASKED, "words", "type", value="integer"), "AskParams.words: another type"),
    (put(*ASKED, "turns", "maxItems", value=9), "AskParams.turns: maxItems is lower"),
    (put(*ASKED, "turns", "minItems", value=1), "AskParams.turns: minItems is higher"),
    (put(*ASKED, "turns", "items", "minimum", value=0), "AskParams.turns[]: minimum is higher"),
    (put(*ASKED, "turns", "items", "maximum", value=4), "AskParams.turns[]: maximum is lower"),
    (drop(*ASKED, "turns", "items"), "AskParams.turns: another shape"),
    (drop(*ASKED, "key", "anyOf", 1), "AskParams.key: {'type': 'integer'} is no longer taken"),
    (put(*ASKED, "loud", "default", value=True), "AskParams.loud: another default"),
    (drop(*ANSWERED, "tone"), "AskResult.tone: is gone"),
    (put(*ANSWER, "required", value=["rows", "note"]), "AskResult.tone: may be left out now"),
    (put(*ANSWERED, "rows", "items", "type", value="integer"), "AskResult.rows[]: another type"),
    (put(*ANSWERED, "note", "anyOf", 1, value={"type": "null"}),
     "AskResult.note: can be {'type': 'null'} now"),
    (put(*TYPES, "ToldParams", "properties", value={}), "ToldParams.seq: is gone"),
    (drop("components", "errors", "busy"), "busy: the error kind is gone"),
    (put("components", "errors", "busy", "code", value=2),
     "busy: another code, or another word on whether to retry"),
]  # fmt: skip

HARMLESS: dict[str, Change] = {
    "a new method": lambda document: document["methods"].append({"name": "new", "x-params": {}}),
    "a new type": put(*TYPES, "New", value={"type": "string"}),
    "a new optional member in a request": put(*ASKED, "new", value={"type": "string"}),
    "a required member that may be left out now": put(*ASK, "required", value=[]),
    "a new value in an enum": put(*TYPES, "Tone", "enum", value=["warm", "dry", "shy"]),
    "a wider limit": put(*ASKED, "words", "maxLength", value=10),
    "a limit lifted": drop(*ASKED, "words", "minLength"),
    "one more thing a request may be": lambda document: at(*ASKED, "key", "anyOf")(document).append(
        {"type": "boolean"}
    ),
    "a new member in a result": put(*ANSWERED, "new", value={"type": "string"}),
    "one thing less a result may be": drop(*ANSWERED, "note", "anyOf", 1),
    "another limit in what the daemon sends": put(
        *TYPES, "ToldParams", "properties", "seq", "maximum", value=8
    ),
    "a new error kind": put("components", "errors", "idle", value={}),
    "other words in a doc": put(*ASK, "description", value="Asks."),
}


def test_a_contract_is_compatible_with_itself() -> None:
    assert breaks(contract(), contract()) == []
    assert breaks(openrpc(), openrpc()) == []


@pytest.mark.parametrize(("change", "sentence"), BREAKS, ids=[row[1] for row in BREAKS])
def test_what_would_break_a_host_is_named(change: Change, sentence: str) -> None:
    old, new = contract(), contract()
    change(new)

    assert sentence in breaks(old, new)


@pytest.mark.parametrize("change", HARMLESS.values(), ids=HARMLESS)
def test_what_would_not_is_let_be(change: Change) -> None:
    old, new = contract(), contract()
    change(new)

    assert new != old
    assert breaks(old, new) == []


def test_a_raised_protocol_version_may_break_anything() -> None:
    old, new = contract(), contract()
    drop("methods", 0)(new)
    put("info", "x-protocol-version", value=2)(new)

    assert breaks(old, new) == []


def test_a_break_of_the_real_contract_is_named() -> None:
    new = copy.deepcopy(openrpc())
    drop(*TYPES, "DeleteEvidenceParams", "properties", "forget_scope")(new)

    assert breaks(openrpc(), new) == ["DeleteEvidenceParams.forget_scope: is no longer taken"]


@pytest.mark.parametrize("path", RELEASED, ids=lambda path: path.name)
def test_the_contract_breaks_no_released_one(path: Path) -> None:
    assert breaks(json.loads(path.read_text("utf-8")), openrpc()) == []
