"""Reads the compact notation of the wire contract, and refuses whatever is not in it.

The notation is specified in README.md. A refusal names the file, the member and the reason; there
is no warning and nothing is guessed. `checks.py` refuses what only the whole contract can show.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from rpc_schema.targets.model import (
    EnumType,
    Expression,
    FreeType,
    ListOf,
    Member,
    NamedType,
    ObjectType,
    OneOf,
    OrNull,
    Place,
    Primitive,
    Ref,
    Scalar,
    ScalarType,
    UnionType,
)

PRIMITIVES: Final = frozenset({"string", "integer", "number", "boolean"})
LIMITS: Final[Mapping[str, frozenset[str]]] = {
    "string": frozenset({"minLength", "maxLength", "pattern", "format"}),
    "integer": frozenset({"minimum", "maximum"}),
    "number": frozenset({"minimum", "maximum"}),
    "boolean": frozenset(),
    "list": frozenset({"minItems", "maxItems"}),
    "named": frozenset(),
}
_FORMS: Final = frozenset({"type", "enum", "fields", "free", "any_of"})
_EVERY_LIMIT: Final = frozenset[str]().union(*LIMITS.values())
_TYPE_NAME: Final = re.compile(r"[A-Z][A-Za-z0-9]*")
_MEMBER_NAME: Final = re.compile(r"_?[a-z][a-z0-9_]*")


def load(path: Path) -> dict[str, Any]:
    """The JSON object in `path`. Refuses a name that stands twice, which JSON would let pass."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) < len(pairs):
            names = [name for name, _ in pairs]
            raise Place(path.name).refuse(f"{_repeated(names)!r} stands twice in one object")
        return members

    try:
        value = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=once)
    except ValueError as error:
        raise Place(path.name).refuse(f"not JSON: {error}") from error
    return as_object(value, Place(path.name))


def as_object(value: object, place: Place) -> dict[str, Any]:
    """`value` as a JSON object, or a refusal."""
    if not isinstance(value, dict):
        raise place.refuse("must be an object")
    return value


def exactly(
    spec: Mapping[str, Any],
    required: frozenset[str],
    place: Place,
    optional: frozenset[str] = frozenset(),
) -> None:
    """Refuses the first key that is missing, and the first that has no meaning here."""
    for key in sorted(required - spec.keys()):
        raise place.refuse(f"has no {key}")
    for key in sorted(spec.keys() - required - optional):
        raise place.refuse(f"unknown key {key!r}")


def doc_of(spec: Mapping[str, Any], place: Place) -> str:
    """The doc of `spec`, which must say something."""
    doc = spec.get("doc")
    if not isinstance(doc, str) or not doc.strip():
        raise place.refuse("has no doc")
    if "\\" in doc or '"""' in doc or not doc.isprintable():
        raise place.refuse("a doc is one line, with no backslash and no three quotes in a row")
    return doc


def strings(value: object, place: Place) -> tuple[str, ...]:
    """A list of different strings."""
    if not isinstance(value, list) or not all(isinstance(v, str) and v for v in value):
        raise place.refuse("must be a list of strings")
    if len(set(value)) < len(value):
        raise place.refuse(f"{_repeated(value)!r} stands twice")
    return tuple(value)


def read_types(spec: Mapping[str, Any], file: str) -> dict[str, NamedType]:
    """Every named type of types.json, in its order."""
    return {name: read_type(name, value, Place(file, name)) for name, value in spec.items()}


def read_type(name: str, value: object, place: Place) -> NamedType:
    """One named type: exactly one of type, enum, fields, free or any_of says which."""
    spec = as_object(value, place)
    if not _TYPE_NAME.fullmatch(name):
        raise place.refuse("a type's name is CamelCase")
    doc = doc_of(spec, place)
    forms = _FORMS & spec.keys()
    if len(forms) != 1:
        raise place.refuse("needs exactly one of type, enum, fields, free, any_of")
    (form,) = forms
    allowed = _EVERY_LIMIT if form == "type" else {"open"} if form == "fields" else set()
    exactly(spec, frozenset({"doc", form}), place, frozenset(allowed))
    match form:
        case "type":
            return _scalar(name, doc, spec, place)
        case "enum":
            return EnumType(name, doc, _values(spec["enum"], place))
        case "fields":
            members = read_members(spec["fields"], place)
            return ObjectType(name, doc, members, _true(spec, "open", place))
        case "free":
            _true(spec, "free", place)
            return FreeType(name, doc)
        case _:
            return _union(name, doc, spec, place)


def read_members(value: object, place: Place) -> tuple[Member, ...]:
    """The members of an object; `name?` is one that may be absent."""
    spec = as_object(value, place)
    names = [name.removesuffix("?") for name in spec]
    if len(set(names)) < len(names):
        raise place.at(_repeated(names)).refuse("both required and optional")
    return tuple(_member(name, member, place) for name, member in spec.items())


def read_expression(text: object, place: Place) -> Expression:
    """A type where it is used: `X`, a primitive, `[X]`, or either of them with `|null`."""
    if not isinstance(text, str):
        raise place.refuse("a type is written as a string; objects need a name of their own")
    if text.endswith("|null"):
        return OrNull(read_expression(text.removesuffix("|null"), place))
    if text.startswith("[") and text.endswith("]"):
        return ListOf(read_expression(text[1:-1], place))
    if text in PRIMITIVES:
        return Primitive(text)
    if _TYPE_NAME.fullmatch(text):
        return Ref(text)
    raise place.refuse(f"cannot read the type {text!r}")


def _member(written: str, value: object, above: Place) -> Member:
    name = written.removesuffix("?")
    place = above.at(name)
    if not _MEMBER_NAME.fullmatch(name):
        raise place.refuse("a member's name is snake_case")
    spec = {"type": value} if isinstance(value, str) else as_object(value, place)
    forms = {"type", "enum"} & spec.keys()
    if {"fields", "free", "any_of"} & spec.keys():
        raise place.refuse("an object needs a type of its own in types.json")
    if len(forms) != 1:
        raise place.refuse("needs exactly one of type, enum")
    exactly(spec, frozenset(forms), place, frozenset({"doc", "default", *_EVERY_LIMIT}))
    kind: Expression = (
        OneOf(_values(spec["enum"], place))
        if "enum" in spec
        else read_expression(spec["type"], place)
    )
    default = spec.get("default")
    if default is not None and not written.endswith("?"):
        raise place.refuse("a required member has no default")
    if "doc" in spec:
        doc_of(spec, place)
    return Member(
        name,
        not written.endswith("?"),
        kind,
        _limits(spec, _limited_as(kind), place),
        default,
        spec.get("doc", ""),
    )


def _scalar(name: str, doc: str, spec: Mapping[str, Any], place: Place) -> ScalarType:
    primitive = spec["type"]
    if primitive not in PRIMITIVES:
        raise place.refuse("a named type stands on string, integer, number or boolean")
    return ScalarType(name, doc, primitive, _limits(spec, primitive, place))


def _union(name: str, doc: str, spec: Mapping[str, Any], place: Place) -> UnionType:
    options = tuple(read_expression(text, place) for text in strings(spec["any_of"], place))
    if len(options) < 2 or any(isinstance(option, OrNull) for option in options):
        raise place.refuse("any_of takes two or more types, none of them null")
    return UnionType(name, doc, options)


def _values(value: object, place: Place) -> tuple[str, ...]:
    values = strings(value, place)
    if not values:
        raise place.refuse("an enum has values")
    return values


def _limited_as(kind: Expression) -> str:
    match kind:
        case Primitive(name):
            return name
        case ListOf():
            return "list"
        case _:
            return "named"


def _limits(spec: Mapping[str, Any], limited_as: str, place: Place) -> dict[str, Scalar]:
    limits = {key: value for key, value in spec.items() if key in _EVERY_LIMIT}
    for key, value in limits.items():
        if key not in LIMITS[limited_as]:
            raise place.refuse(f"{limited_as} types have no {key}")
        wanted = str if key in {"pattern", "format"} else int
        if not isinstance(value, wanted) or isinstance(value, bool):
            raise place.refuse(f"{key} must be {wanted.__name__}")
    if limits.get("format", "date-time") != "date-time":
        raise place.refuse("the only format is date-time")
    return limits


def _true(spec: Mapping[str, Any], key: str, place: Place) -> bool:
    if spec.get(key, True) is not True:
        raise place.refuse(f"{key} is true or left out")
    return key in spec


def _repeated(names: Sequence[str]) -> str:
    return next(name for name in names if names.count(name) > 1)
