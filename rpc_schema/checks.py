"""Refuses what only the whole contract can show: names that mean nothing, words nobody uses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

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
    ScalarType,
    Schema,
    UnionType,
    file_of,
    names_in,
)

_PYTHON: Final[Mapping[str, type | tuple[type, ...]]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
}


def check(schema: Schema) -> None:
    """Raises Refused for the first thing that is wrong with the contract as a whole."""
    _every_name_is_known(schema)
    _nothing_is_unused(schema)
    _every_default_fits(schema)
    _no_request_holds_null(schema)
    _a_choice_is_told_by_its_shape(schema)
    _no_name_is_made_twice(schema)


def known(names: Iterable[str], by: Iterable[str], what: str, place: Place) -> None:
    """Refuses the first of `names` that is not in `by`."""
    for name in names:
        if name not in set(by):
            raise place.refuse(f"unknown {what} {name!r}")


def _every_name_is_known(schema: Schema) -> None:
    for place, members in _objects(schema):
        for member in members:
            known(names_in(member.type), schema.types, "type", place.at(member.name))
    for name, named in schema.types.items():
        if isinstance(named, UnionType):
            for option in named.options:
                known(names_in(option), schema.types, "type", Place("types.json", name))
    for method in schema.calls:
        place = Place(file_of(method.name))
        if isinstance(method.result, Ref):
            known([method.result.name], schema.types, "type", place.at("result"))
            if not isinstance(schema.types[method.result.name], ObjectType | FreeType):
                raise place.at("result").refuse("a result is an object")
        known(method.own_errors, schema.errors, "error kind", place.at("errors"))


def _nothing_is_unused(schema: Schema) -> None:
    reached = schema.sent() | schema.shown()
    answered = {kind for method in schema.methods for kind in method.errors}
    for name in schema.types:
        if name not in reached:
            raise Place("types.json", name).refuse("no method uses this type")
    for kind in schema.errors:
        if kind not in answered:
            raise Place("errors.json", kind).refuse("no method answers with this error")


def _every_default_fits(schema: Schema) -> None:
    requests = list(_objects(schema, schema.sent()))
    for place, members in _objects(schema):
        for member in members:
            if member.default is None:
                continue
            if (place, members) not in requests:
                raise place.at(member.name).refuse("only a request has defaults")
            if not _fits(member.default, member.type, schema.types):
                raise place.at(member.name).refuse(f"{member.default!r} is not of its type")


def _no_request_holds_null(schema: Schema) -> None:
    for place, members in _objects(schema, schema.sent()):
        for member in members:
            if isinstance(member.type, OrNull):
                raise place.at(member.name).refuse("a request says nothing by null: leave it out")


def _a_choice_is_told_by_its_shape(schema: Schema) -> None:
    """A request chooses among primitives; a reply among these, lists of them, and objects."""
    sent = schema.sent()
    for name, named in schema.types.items():
        if not isinstance(named, UnionType):
            continue
        place = Place("types.json", name)
        for option in named.options:
            if name in sent and not isinstance(option, Primitive):
                raise place.refuse("any_of in a request takes primitives")
            if isinstance(option, Ref) and not isinstance(schema.types[option.name], ObjectType):
                raise place.refuse("any_of takes no names but those of objects")


def _no_name_is_made_twice(schema: Schema) -> None:
    results = [m.result.name for m in schema.calls if isinstance(m.result, ObjectType)]
    made = [*(m.params.name for m in schema.methods), *results]
    for name in made:
        if name in schema.types or made.count(name) > 1:
            raise Place("types.json", name).refuse("this name is made for a method")


def _objects(
    schema: Schema, only_sent: frozenset[str] | None = None
) -> Iterable[tuple[Place, tuple[Member, ...]]]:
    """Every object of the contract with its place; of requests alone if `only_sent` is given."""
    yield Place("info.json", "call_members"), schema.call_members
    for name, named in schema.types.items():
        if isinstance(named, ObjectType) and (only_sent is None or name in only_sent):
            yield Place("types.json", name), named.members
    for method in schema.methods:
        place = Place(file_of(method.name))
        if only_sent is None or method.direction == "to_server":
            yield place.at("params"), method.params.members
        if only_sent is None and isinstance(method.result, ObjectType):
            yield place.at("result"), method.result.members


def _fits(value: object, kind: Expression, types: Mapping[str, NamedType]) -> bool:
    match kind:
        case OneOf(values):
            return value in values
        case Primitive(name):
            return isinstance(value, _PYTHON[name]) and (
                name == "boolean" or not isinstance(value, bool)
            )
        case Ref(name):
            return _fits_named(value, types[name])
        case ListOf() | OrNull():
            return False


def _fits_named(value: object, named: NamedType) -> bool:
    match named:
        case EnumType(values=values):
            return value in values
        case ScalarType(primitive=primitive):
            return _fits(value, Primitive(primitive), {})
        case _:
            return False
