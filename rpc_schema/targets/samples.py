"""Samples: messages that every language must judge alike, each a file a person can read.

For each request's object, and each result in `RESULTS`: what is valid at its smallest and its
fullest, and one message for each way to break it: every limit, every null, and each kind of wrong
type once an object. Valid means shape: what only a handler can tell is in `invalid_semantic`,
written by hand, as are samples under other names. Values come from examples.json, all invented.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from rpc_schema.targets.model import (
    EnumType,
    Expression,
    FreeType,
    ListOf,
    Member,
    ObjectType,
    OneOf,
    OrNull,
    Place,
    Primitive,
    Ref,
    Scalar,
    ScalarType,
    Schema,
    UnionType,
)

FOLDER: Final = "rpc_schema/samples"
RESULTS: Final = (
    "InitializeResult",
    "ObserveResult",
    "RecallPreviewResult",
    "QueryWorldResult",
    "QueryProvenanceResult",
    "QueryJobsResult",
    "PreviewForgetResult",
    "DeleteEvidenceResult",
)
# A sample past a longer limit would be a page of one letter; a test walks those edges instead.
_SHOWN_CHARS_MAX: Final = 128
_SHOWN_ITEMS_MAX: Final = 32

Sample = tuple[str, Any]
"""A file's path below its type's folder, and the message."""


def render(schema: Schema) -> dict[str, str]:
    """Every generated sample by its path."""
    maker = _Maker(schema)
    files: dict[str, str] = {}
    for kind in _requests(schema):
        for path, message in maker.request(kind):
            files[f"{FOLDER}/{kind.name}/{path}.json"] = _text(message)
    for method in schema.calls:
        if isinstance(method.result, ObjectType) and method.result.name in RESULTS:
            for path, message in maker.result(method.result):
                files[f"{FOLDER}/{method.result.name}/{path}.json"] = _text(message)
    return files


def _requests(schema: Schema) -> Iterator[ObjectType]:
    """The objects that requests hold, then the params themselves as they travel."""
    sent = schema.sent()
    for name, named in schema.types.items():
        if name in sent and isinstance(named, ObjectType):
            yield named
    for method in schema.calls:
        yield replace(method.params, members=(*method.params.members, *schema.call_members))
    for method in schema.to_server:
        yield method.params


def _text(message: object) -> str:
    return json.dumps(message, indent=2, ensure_ascii=False) + "\n"


@dataclass(frozen=True, slots=True)
class _Maker:
    """Makes messages out of a contract and its examples."""

    schema: Schema

    def request(self, kind: ObjectType) -> Iterator[Sample]:
        smallest = self._object(kind, full=False)
        yield "valid/smallest", smallest
        yield "valid/fullest", self._object(kind, full=True)
        yield "invalid/a-list", [smallest]
        if not kind.open:
            yield "invalid/unknown-member", {**smallest, "owner": "ada"}
        if not kind.members:
            yield "invalid/a-string", "text"
            yield "invalid/null", None
        for name in _first(m.name for m in kind.members if m.required):
            yield f"invalid/missing-{name}", _without(smallest, name)
        told: set[str] = set()
        for member in self._own(kind):
            for reason, value in (*self._mistyped(member, told), *self._past(member)):
                yield f"invalid/{reason}-{member.name}", {**smallest, member.name: value}

    def _own(self, kind: ObjectType) -> tuple[Member, ...]:
        """The members to break. Those of every call are broken where there are no others."""
        shared = self.schema.call_members
        return tuple(m for m in kind.members if m not in shared) or kind.members

    def result(self, kind: ObjectType) -> Iterator[Sample]:
        smallest = self._object(kind, full=False)
        yield "valid/smallest", smallest
        yield "valid/fullest", self._object(kind, full=True)
        yield "valid/unknown-member", {**smallest, "since_then": [1]}
        yield "invalid/a-list", [smallest]
        for name in _first(m.name for m in kind.members if m.required):
            yield f"invalid/missing-{name}", _without(smallest, name)
        for name in _first(m.name for m in kind.members if not m.required):
            yield f"invalid/null-{name}", {**smallest, name: None}

    def _mistyped(self, member: Member, told: set[str]) -> Iterator[Sample]:
        """Null, and a value of another type unless `told` has this kind of mistake already."""
        if not member.required:
            yield "null", None
        for reason, value in self._wrong(member).items():
            if reason not in told:
                told.add(reason)
                yield reason, value

    def _wrong(self, member: Member) -> dict[str, Any]:
        match self._base(member.type):
            case "string":
                return {"number-for": 7}
            case "integer":
                return {"boolean-for": True, "fraction-for": 1.5, "text-for": "7"}
            case "boolean":
                return {"one-for": 1}
            case "enum":
                return {"unknown-value": "elsewhere"}
            case "union":
                return {"boolean-for": True}
            case "list":
                return {"object-for": {"0": self._value(member, member.type, full=False)}}
            case _:
                return {"list-for": []}

    def _past(self, member: Member) -> Iterator[Sample]:
        for word, limit in {**self._limits(member.type), **member.limits}.items():
            match word, limit:
                case "minLength", _:
                    yield "empty", ""
                case "maxLength", int(most) if most <= _SHOWN_CHARS_MAX:
                    yield "too-long", "x" * (most + 1)
                case "minimum", int(least):
                    yield "too-small", least - 1
                case "maximum", int(most):
                    yield "too-large", most + 1
                case "minItems", _:
                    yield "no", []
                case "maxItems", int(most) if most <= _SHOWN_ITEMS_MAX:
                    yield "too-many", self._value(member, member.type, full=False) * (most + 1)
                case "pattern", _:
                    yield "misshapen", "../ada"

    def _object(self, kind: ObjectType, full: bool) -> dict[str, Any]:
        return {
            member.name: self._value(member, member.type, full)
            for member in kind.members
            if full or member.required
        }

    def _value(self, member: Member, kind: Expression, full: bool) -> Any:
        match kind:
            case Ref(name):
                return self._named(name, full)
            case ListOf(item):
                return [self._value(member, item, full)]
            case OrNull(value):
                return self._value(member, value, full) if full else None
            case OneOf(values):
                return values[0]
            case Primitive("boolean"):
                return True
            case Primitive():
                return self._example("members", member.name)

    def _named(self, name: str, full: bool) -> Any:
        match self.schema.types[name]:
            case ObjectType() as kind:
                return self._object(kind, full)
            case EnumType(values=values):
                return values[0]
            case FreeType():
                return {"anything": {"deep": [1, None, True]}}
            case ScalarType() | UnionType():
                return self._example("types", name)

    def _example(self, table: str, name: str) -> Scalar:
        if name not in self.schema.examples[table]:
            raise Place("examples.json", f"{table}.{name}").refuse("has no example")
        return self.schema.examples[table][name]

    def _base(self, kind: Expression) -> str:
        match kind:
            case Primitive(name):
                return name
            case ListOf():
                return "list"
            case OneOf():
                return "enum"
            case OrNull(value):
                return self._base(value)
            case Ref(name):
                named = self.schema.types[name]
                words = {EnumType: "enum", UnionType: "union"}
                if isinstance(named, ScalarType):
                    return named.primitive
                return words.get(type(named), "object")

    def _limits(self, kind: Expression) -> Mapping[str, Scalar]:
        named = self.schema.types[kind.name] if isinstance(kind, Ref) else None
        return named.limits if isinstance(named, ScalarType) else {}


def _first(names: Iterator[str]) -> list[str]:
    return [name for name, _ in zip(names, range(1), strict=False)]


def _without(message: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {member: value for member, value in message.items() if member != name}
