"""Puts the files of the contract together.

`read(folder)` is the one way in: every target and every test starts from the `Schema` it returns.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, get_args

from rpc_schema.checks import check, known
from rpc_schema.notation import (
    as_object,
    doc_of,
    exactly,
    load,
    read_expression,
    read_members,
    read_types,
    strings,
)
from rpc_schema.targets.model import (
    ErrorKind,
    Kind,
    Method,
    NamedType,
    ObjectType,
    Place,
    Ref,
    Scalar,
    Schema,
    camel,
    file_of,
)

_NOTIFICATION: Final = frozenset({"method", "since", "kind", "doc", "params", "direction"})
_CALL: Final = frozenset(
    {"method", "since", "kind", "doc", "params", "result", "idempotent", "error_groups",
     "errors"}
)  # fmt: skip


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
        _read_examples(load(folder / "examples.json"), types),
    )
    check(schema)
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
    exactly(info, frozenset(wanted), place)
    for key, kind in wanted.items():
        if not isinstance(info[key], kind):
            raise place.at(key).refuse(f"must be {kind.__name__}")
    if not re.fullmatch(r"\d+\.\d+\.\d+", info["schema_version"]):
        raise place.at("schema_version").refuse("must be three numbers with dots")
    return info


def _read_examples(
    spec: dict[str, Any], types: Mapping[str, NamedType]
) -> Mapping[str, Mapping[str, Scalar]]:
    place = Place("examples.json")
    exactly(spec, frozenset({"types", "members"}), place)
    known(spec["types"], types, "type", place.at("types"))
    return {table: as_object(spec[table], place.at(table)) for table in ("types", "members")}


def _read_errors(
    spec: dict[str, Any],
) -> tuple[dict[str, ErrorKind], dict[str, tuple[str, ...]]]:
    exactly(spec, frozenset({"groups", "errors"}), Place("errors.json"))
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
        known(groups[name], errors, "error kind", place)
    return errors, groups


def _read_error(kind: str, spec: dict[str, Any], place: Place) -> ErrorKind:
    exactly(spec, frozenset({"code", "retryable", "message"}), place)
    match spec["code"], spec["retryable"], spec["message"]:
        case int(code), bool(retryable), str(message) if message:
            return ErrorKind(kind, code, retryable, message)
    raise place.refuse("takes a number, true or false, and a sentence")


def _read_method(
    spec: dict[str, Any],
    place: Place,
    groups: Mapping[str, tuple[str, ...]],
) -> Method:
    name = spec.get("method")
    if not isinstance(name, str) or not name:
        raise place.refuse("has no method")
    if place.file != file_of(name):
        raise place.refuse(f"the file of {name!r} is called {file_of(name)}")
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
    exactly(spec, _NOTIFICATION, place)
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
    exactly(spec, _CALL, place, frozenset({"before_initialize"}))
    for key in ("idempotent", "before_initialize"):
        if not isinstance(spec.get(key, False), bool):
            raise place.at(key).refuse("must be true or false")
    used = strings(spec["error_groups"], place.at("error_groups"))
    known(used, groups, "error group", place.at("error_groups"))
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
    members = read_members(spec["params"], place.at("params"))
    return ObjectType(f"{camel(name)}Params", f"What `{name}` takes.", members)


def _result(value: object, name: str, place: Place) -> ObjectType | Ref:
    if isinstance(value, str):
        result = read_expression(value, place)
        if not isinstance(result, Ref):
            raise place.refuse("a result is an object")
        return result
    return ObjectType(f"{camel(name)}Result", f"What `{name}` answers.", read_members(value, place))
