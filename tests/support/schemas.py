"""The JSON Schemas of the wire contract, as tests check messages against them.

Two places where Python's `jsonschema` reads JSON Schema more loosely than other languages are made
strict here: `$` in a pattern is the end and not also the place before a last newline, and 1.0 is
not an integer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import jsonschema
from jsonschema.exceptions import ValidationError
from jsonschema.protocols import Validator

SCHEMA_FOLDER: Final = Path(__file__).resolve().parents[2] / "rpc_schema"


@cache
def openrpc() -> dict[str, Any]:
    """The built document, as committed."""
    document: dict[str, Any] = json.loads((SCHEMA_FOLDER / "openrpc.json").read_text("utf-8"))
    return document


@cache
def method(name: str) -> dict[str, Any]:
    """The entry of the method `name`; a name that is not in the contract fails the test."""
    found = [entry for entry in openrpc()["methods"] if entry["name"] == name]
    assert found, f"the contract has no method {name}"
    entry: dict[str, Any] = found[0]
    return entry


@cache
def validator(type_name: str, *, closed: bool = False) -> Validator:
    """A validator of the type `type_name`; `closed` refuses unknown members in replies too."""
    components = openrpc()["components"]
    assert type_name in components["schemas"], f"the contract has no type {type_name}"
    document = {
        "$ref": f"#/components/schemas/{type_name}",
        "components": _closed(components) if closed else components,
    }
    return _Strict(document)


def _closed(schema: Any) -> Any:
    """A copy in which every object with named members takes no others."""
    if isinstance(schema, list):
        return [_closed(inner) for inner in schema]
    if not isinstance(schema, dict):
        return schema
    copy = {name: _closed(inner) for name, inner in schema.items()}
    return {**copy, "additionalProperties": False} if "required" in schema else copy


def _pattern(
    _: Validator, pattern: str, instance: object, __: Mapping[str, Any]
) -> Iterator[ValidationError]:
    anchored = pattern[:-1] + r"\Z" if pattern.endswith("$") else pattern
    if isinstance(instance, str) and not re.search(anchored, instance):
        yield ValidationError(f"does not match {pattern}")


def _is_integer(_: object, instance: object) -> bool:
    return isinstance(instance, int) and not isinstance(instance, bool)


_Strict = jsonschema.validators.extend(
    jsonschema.Draft202012Validator,
    {"pattern": _pattern},
    type_checker=jsonschema.Draft202012Validator.TYPE_CHECKER.redefine("integer", _is_integer),
)
