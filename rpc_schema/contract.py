"""Puts the files of the contract together, and refuses what only the whole can show.

`read(folder)` is the one way in: every target and every test starts from the `Schema` it returns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, get_args

from rpc_schema.notation import (
    doc_of,
    load,
    only,
    read_expression,
    read_members,
    read_types,
    strings,
)
from rpc_schema.targets.model import (
    EnumType,
    ErrorKind,
    Expression,
    Kind,
    ListOf,
    Member,
    Method,
    NamedType,
    ObjectType,
    OneOf,
    OrNull,
    Place,
    Primitive,
    Ref,
    ScalarType,
    Schema,
    camel,
    names_in,
)

_NOTIFICATION: Final = frozenset({"method", "since", "kind", "doc", "params", "direction"})
_CALL: Final = frozenset(
    {"method", "since", "kind", "doc", "params", "result", "idempotent", "before_initialize",
     "error_groups", "errors"}
)  # fmt: skip
_PYTHON: Final[Mapping[str, type | tuple[type, ...]]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
}


def read(folder: Path) -> Schema:
    """The contract in `folder`. Raises Refused with file, member and reason."""
    info = _read_info(load(folder / "info.json"))
    types = read_types(load(folder / "types.json"), "types.json")
    errors, groups = _read_errors(load(folder / "errors.json"))
    extra = read_members(info["call_members"], Place("info.json", "call_members"))
    methods = tuple(
        _read_method(load(path), Place(f"methods/{path.name}"), groups)
        for path in sorted((folder / "methods").glob("*.json"))
    )
    schema = Schema(
        info["schema_version"],
        info["protocol_version"],
        info["title"],
        info["doc"],
        types,
        errors,
        methods,
        extra,
    )
    _check(schema)
    return schema


def _read_info(info: dict[str, Any]) -> dict[str, Any]:
    place = Place("info.json")
    wanted = {
        "title": str,
        "doc": str,
        "schema_version": str,
        "protocol_version": int,
        "call_members": dict,
    }
    only(info, frozenset(wanted), place)
    for key, kind in wanted.items():
        if not isinstance(info.get(key), kind):
            raise place.at(key).refuse(f"must be {kind.__name__}")
    if not re.fullmatch(r"\d+\.\d+\.\d+", info["schema_version"]):
        raise place.at("schema_version").refuse("must be three numbers with dots")
    return info


def _read_errors(
    spec: dict[str, Any],
) -> tuple[dict[str, ErrorKind], dict[str, tuple[str, ...]]]:
    only(spec, frozenset({"groups", "errors"}), Place("errors.json"))
    errors = {
        kind: _read_error(kind, value, Place("errors.json", kind))
        for kind, value in spec["errors"].items()
    }
    codes = [error.code for error in errors.values()]
    for error in errors.values():
        if codes.count(error.code) > 1:
            raise Place("errors.json", error.kind).refuse(f"code {error.code} is taken")
    groups = {}
    for name, kinds in spec["groups"].items():
        place = Place("errors.json", f"groups.{name}")
        groups[name] = strings(kinds, place)
        _known(groups[name], errors, "error kind", place)
    return errors, groups


def _read_error(kind: str, spec: dict[str, Any], place: Place) -> ErrorKind:
    only(spec, frozenset({"code", "retryable", "message"}), place)
    match spec:
        case {"code": int(code), "retryable": bool(retryable), "message": str(message)} if message:
            return ErrorKind(kind, code, retryable, message)
    raise place.refuse("needs a code, retryable and a message")


def _read_method(
    spec: dict[str, Any],
    place: Place,
    groups: Mapping[str, tuple[str, ...]],
) -> Method:
    name = spec.get("method")
    if not isinstance(name, str) or not name:
        raise place.refuse("has no method")
    expected = re.sub(r"[^A-Za-z0-9]+", "_", name) + ".json"
    if place.file != f"methods/{expected}":
        raise place.refuse(f"the file of {name!r} is called {expected}")
    kind = spec.get("kind")
    if kind not in get_args(Kind):
        raise place.at("kind").refuse(f"unknown kind {kind!r}")
    if not isinstance(spec.get("since"), int):
        raise place.at("since").refuse("must be a protocol version")
    doc = doc_of(spec, place)
    if kind == "notification":
        return _read_notification(spec, name, doc, place)
    return _read_call(spec, name, doc, place, groups)


def _read_notification(spec: dict[str, Any], name: str, doc: str, place: Place) -> Method:
    only(spec, _NOTIFICATION, place)
    direction = spec.get("direction")
    if direction not in {"to_server", "to_client"}:
        raise place.at("direction").refuse("to_server or to_client")
    params = _params(spec, name, place)
    return Method(
        name, spec["since"], "notification", direction, doc, True, False, params, None, (), ()
    )


def _read_call(
    spec: dict[str, Any],
    name: str,
    doc: str,
    place: Place,
    groups: Mapping[str, tuple[str, ...]],
) -> Method:
    only(spec, _CALL, place)
    for key in _CALL - {"before_initialize"}:
        if key not in spec:
            raise place.refuse(f"has no {key}")
    if not isinstance(spec["idempotent"], bool):
        raise place.at("idempotent").refuse("must be true or false")
    used = strings(spec["error_groups"], place.at("error_groups"))
    _known(used, groups, "error group", place.at("error_groups"))
    own = strings(spec["errors"], place.at("errors"))
    shared = [kind for group in used for kind in groups[group]]
    return Method(
        name=name,
        since=spec["since"],
        kind=spec["kind"],
        direction="to_server",
        doc=doc,
        idempotent=spec["idempotent"],
        before_initialize=spec.get("before_initialize", False),
        params=_params(spec, name, place),
        result=_result(spec["result"], name, place.at("result")),
        own_errors=own,
        errors=tuple(dict.fromkeys([*own, *shared])),
    )


def _params(spec: dict[str, Any], name: str, place: Place) -> ObjectType:
    members = read_members(spec.get("params"), place.at("params"))
    return ObjectType(f"{camel(name)}Params", f"What `{name}` takes.", members)


def _result(value: object, name: str, place: Place) -> ObjectType | Ref:
    if isinstance(value, str):
        result = read_expression(value, place)
        if not isinstance(result, Ref):
            raise place.refuse("a result is an object")
        return result
    return ObjectType(f"{camel(name)}Result", f"What `{name}` answers.", read_members(value, place))


def _check(schema: Schema) -> None:
    """What only the whole contract can show."""
    for place, members in _objects(schema):
        for member in members:
            _check_member(member, schema.types, place.at(member.name))
    for method in schema.methods:
        place = Place("methods", method.name)
        if isinstance(method.result, Ref):
            _known([method.result.name], schema.types, "type", place.at("result"))
        _known(method.own_errors, schema.errors, "error kind", place.at("errors"))
    sent, shown = schema.sent(), schema.shown()
    _none_unused(schema.types, sent | shown, "types.json", "type")
    answered = {kind for method in schema.methods for kind in method.errors}
    _none_unused(schema.errors, answered, "errors.json", "error kind")
    for place, members in _objects(schema, sent):
        for member in members:
            if isinstance(member.type, OrNull):
                raise place.at(member.name).refuse("a request says nothing by null: leave it out")
    titles = [*schema.types, *_own_titles(schema)]
    for title in titles:
        if titles.count(title) > 1:
            raise Place("types.json", title).refuse("this name is made for a method too")


def _own_titles(schema: Schema) -> list[str]:
    results = [m.result.name for m in schema.calls if isinstance(m.result, ObjectType)]
    return [m.params.name for m in schema.methods] + results


def _objects(
    schema: Schema, only_sent: frozenset[str] | None = None
) -> Iterable[tuple[Place, tuple[Member, ...]]]:
    """Every object of the contract with its place; of requests alone if `only_sent` is given."""
    for name, named in schema.types.items():
        if isinstance(named, ObjectType) and (only_sent is None or name in only_sent):
            yield Place("types.json", name), named.members
    for method in schema.methods:
        place = Place("methods", method.name)
        if only_sent is None or method.direction == "to_server":
            yield place.at("params"), method.params.members
        if only_sent is None and isinstance(method.result, ObjectType):
            yield place.at("result"), method.result.members


def _check_member(member: Member, types: Mapping[str, NamedType], place: Place) -> None:
    _known(names_in(member.type), types, "type", place)
    if member.default is not None and not _fits(member.default, member.type, types):
        raise place.refuse(f"the default {member.default!r} is not of its type")


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


def _known(names: Iterable[str], known: Iterable[str], what: str, place: Place) -> None:
    for name in names:
        if name not in set(known):
            raise place.refuse(f"unknown {what} {name!r}")


def _none_unused(names: Iterable[str], used: Iterable[str], file: str, what: str) -> None:
    for name in names:
        if name not in set(used):
            raise Place(file, name).refuse(f"no method uses this {what}")
