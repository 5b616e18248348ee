"""OpenRPC 1.4.1: the document that `rpc.discover` returns and every other language starts from.

Only these words of JSON Schema are used: `$ref`, type, properties, required, additionalProperties,
items, enum, anyOf, the limits, format, default, description. What a request reaches is closed;
what only a reply holds is open. Calls and notifications carry `x-kind`, `x-params` (the type of the
params as one object), `x-idempotent`, `x-before-initialize`; notifications carry `x-direction`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from rpc_schema.targets.model import (
    EnumType,
    ErrorKind,
    Expression,
    FreeType,
    ListOf,
    Member,
    Method,
    NamedType,
    ObjectType,
    OneOf,
    OrNull,
    Primitive,
    Ref,
    ScalarType,
    Schema,
    UnionType,
)

PATHS: Final = ("rpc_schema/openrpc.json", "daemon/mnemod/rpc/openrpc.json")
"""The document beside its sources, and the copy that is installed with the daemon."""


def render(schema: Schema) -> dict[str, str]:
    """The same document under both paths."""
    text = json.dumps(document(schema), indent=2, ensure_ascii=False) + "\n"
    return dict.fromkeys(PATHS, text)


def document(schema: Schema) -> dict[str, Any]:
    """The whole contract as an OpenRPC document."""
    return {
        "openrpc": "1.4.1",
        "info": {
            "title": schema.title,
            "version": schema.version,
            "description": schema.doc,
            "x-protocol-version": schema.protocol_version,
        },
        "methods": [_method(method, _params(schema, method)) for method in schema.methods],
        "components": {
            "schemas": _schemas(schema),
            "errors": {kind: _error(error) for kind, error in schema.errors.items()},
        },
    }


def _schemas(schema: Schema) -> dict[str, Any]:
    sent = schema.sent()
    schemas = {name: _named(named, name in sent) for name, named in schema.types.items()}
    for method in schema.methods:
        params = _params(schema, method)
        schemas[params.name] = _object(params, method.direction == "to_server")
        if isinstance(method.result, ObjectType):
            schemas[method.result.name] = _object(method.result, closed=False)
    return schemas


def _params(schema: Schema, method: Method) -> ObjectType:
    """The params as they travel: a call's own members and those that every call may carry."""
    if method.kind == "notification":
        return method.params
    return replace(method.params, members=(*method.params.members, *schema.call_members))


def _method(method: Method, params: ObjectType) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "name": method.name,
        "description": method.doc,
        "paramStructure": "by-name",
        "params": [_descriptor(member) for member in _required_first(params.members)],
        "x-params": _ref(params.name),
        "x-kind": method.kind,
        "x-since": method.since,
    }
    if method.kind == "notification":
        return {**shown, "x-direction": method.direction}
    assert method.result is not None
    return {
        **shown,
        "result": {"name": "result", "required": True, "schema": _ref(method.result.name)},
        "errors": [{"$ref": f"#/components/errors/{kind}"} for kind in method.errors],
        "x-idempotent": method.idempotent,
        "x-before-initialize": method.before_initialize,
    }


def _required_first(members: Iterable[Member]) -> list[Member]:
    """OpenRPC wants required params before the others; by name the order means nothing."""
    return sorted(members, key=lambda member: not member.required)


def _descriptor(member: Member) -> dict[str, Any]:
    schema = _member(member)
    described = {"description": schema.pop("description")} if member.doc else {}
    return {"name": member.name, **described, "required": member.required, "schema": schema}


def _error(error: ErrorKind) -> dict[str, Any]:
    data = {"kind": error.kind, "retryable": error.retryable}
    return {"code": error.code, "message": error.message, "data": data}


def _named(named: NamedType, closed: bool) -> dict[str, Any]:
    match named:
        case ScalarType(doc=doc, primitive=primitive, limits=limits):
            return {"description": doc, "type": primitive, **limits}
        case EnumType(doc=doc, values=values):
            return {"description": doc, "type": "string", "enum": list(values)}
        case FreeType(doc=doc):
            return {"description": doc, "type": "object", "additionalProperties": True}
        case UnionType(doc=doc, options=options):
            return {"description": doc, "anyOf": [_expression(option) for option in options]}
        case ObjectType():
            return _object(named, closed)


def _object(kind: ObjectType, closed: bool) -> dict[str, Any]:
    return {
        "description": kind.doc,
        "type": "object",
        "properties": {member.name: _member(member) for member in kind.members},
        "required": [member.name for member in kind.members if member.required],
        "additionalProperties": kind.open or not closed,
    }


def _member(member: Member) -> dict[str, Any]:
    """A member's schema. Its words stand beside `$ref`, which is allowed since 2019-09."""
    described = {"description": member.doc} if member.doc else {}
    default = {} if member.default is None else {"default": member.default}
    return {**described, **_expression(member.type), **member.limits, **default}


def _expression(expression: Expression) -> dict[str, Any]:
    match expression:
        case Ref(name):
            return _ref(name)
        case Primitive(name):
            return {"type": name}
        case ListOf(item):
            return {"type": "array", "items": _expression(item)}
        case OneOf(values):
            return {"type": "string", "enum": list(values)}
        case OrNull(value):
            return {"anyOf": [_expression(value), {"type": "null"}]}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}
