"""The built document is OpenRPC, its schemas are JSON Schema, and requests are closed in it.

What is checked by what: the document against the schema that OpenRPC 1.4.1 publishes
(`rpc_schema/meta/`, unchanged), which leaves the schemas inside to JSON Schema draft 7; each of
those schemas against draft 2020-12 too, whose meaning (words beside `$ref`) is the one we use; and
what neither can say, by the tests below.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT7

from rpc_schema.contract import read
from tests.support.schemas import SCHEMA_FOLDER, openrpc, validator

SCHEMA = read(SCHEMA_FOLDER)
COMPONENTS = openrpc()["components"]["schemas"]
REQUESTS = sorted(SCHEMA.sent() | {m.params.name for m in (*SCHEMA.calls, *SCHEMA.to_server)})
OBJECTS = {name for name, schema in COMPONENTS.items() if "required" in schema}
WORDS = {
    "$ref", "type", "properties", "required", "additionalProperties", "items", "enum", "anyOf",
    "minimum", "maximum", "minLength", "maxLength", "pattern", "format", "minItems", "maxItems",
    "default", "description",
}  # fmt: skip


def openrpc_validator() -> jsonschema.Draft7Validator:
    """OpenRPC's own schema, with draft 7 standing where it names a meta-schema by address."""
    draft = jsonschema.Draft7Validator.META_SCHEMA
    address = "https://meta.json-schema.tools/"
    there = {
        "$id": address,
        "allOf": [{"$ref": draft["$id"]}],
        "definitions": {"JSONSchemaObject": {"properties": {"$ref": {"type": "string"}}}},
    }
    documents = {address: there, address.rstrip("/"): there, draft["$id"]: draft}
    registry = Registry().with_resources(
        (name, Resource.from_contents(contents, default_specification=DRAFT7))
        for name, contents in documents.items()
    )
    published = json.loads((SCHEMA_FOLDER / "meta/openrpc-1.4.schema.json").read_text("utf-8"))
    del published["$schema"]
    return jsonschema.Draft7Validator(published, registry=registry)


def schemas_within(schema: Any) -> Iterator[dict[str, Any]]:
    """`schema` and every schema inside it."""
    yield schema
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", [])]
    for one in (*inner, *([schema["items"]] if "items" in schema else [])):
        yield from schemas_within(one)


def test_the_document_is_openrpc() -> None:
    assert [error.message for error in openrpc_validator().iter_errors(openrpc())] == []


@pytest.mark.parametrize(
    ("member", "value"), [("nam", "x"), ("paramStructure", "by-luck"), ("errors", [{"code": "x"}])]
)
def test_the_check_against_openrpc_sees_a_mistake(member: str, value: object) -> None:
    document = copy.deepcopy(openrpc())
    document["methods"][0][member] = value

    assert not openrpc_validator().is_valid(document)


@pytest.mark.parametrize("name", sorted(COMPONENTS))
def test_a_schema_is_json_schema_in_the_few_words_we_use(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(COMPONENTS[name])

    assert {word for schema in schemas_within(COMPONENTS[name]) for word in schema} <= WORDS


@pytest.mark.parametrize("name", sorted(COMPONENTS))
def test_what_a_schema_refers_to_is_there(name: str) -> None:
    refs = {schema["$ref"] for schema in schemas_within(COMPONENTS[name]) if "$ref" in schema}

    assert {ref.removeprefix("#/components/schemas/") for ref in refs} <= COMPONENTS.keys()


@pytest.mark.parametrize("name", sorted(COMPONENTS))
def test_no_object_is_anonymous(name: str) -> None:
    _, *inner = schemas_within(COMPONENTS[name])

    assert [schema for schema in inner if schema.get("type") == "object"] == []


@pytest.mark.parametrize("name", sorted(OBJECTS & set(REQUESTS) - {"CallMeta"}))
def test_an_object_that_a_request_reaches_is_closed(name: str) -> None:
    assert COMPONENTS[name]["additionalProperties"] is False


@pytest.mark.parametrize("name", sorted(OBJECTS - set(REQUESTS) | {"CallMeta"}))
def test_any_other_object_is_open(name: str) -> None:
    assert COMPONENTS[name]["additionalProperties"] is True


@pytest.mark.parametrize("method", openrpc()["methods"], ids=lambda method: method["name"])
def test_a_method_s_params_one_by_one_are_those_of_its_params_type(method: dict[str, Any]) -> None:
    params = COMPONENTS[method["x-params"]["$ref"].rpartition("/")[2]]

    assert {param["name"] for param in method["params"]} == params["properties"].keys()
    assert [p["name"] for p in method["params"] if p["required"]] == params["required"]


@pytest.mark.parametrize("method", SCHEMA.to_client, ids=lambda method: method.name)
def test_a_notification_of_the_daemon_has_open_params(method: Any) -> None:
    shown = next(entry for entry in openrpc()["methods"] if entry["name"] == method.name)

    assert (shown["x-direction"], "result" in shown) == ("to_client", False)
    assert COMPONENTS[method.params.name]["additionalProperties"] is True


def test_a_call_lists_its_own_errors_and_those_of_its_groups() -> None:
    observe = next(entry for entry in openrpc()["methods"] if entry["name"] == "observe")
    kinds = {error["$ref"].rpartition("/")[2] for error in observe["errors"]}

    assert {"event_id_conflict", "invalid_params", "not_initialized", "storage_full"} <= kinds


def test_a_misspelt_member_is_refused_and_an_unknown_one_in_a_reply_is_not() -> None:
    forget = {"command_id": "c", "target_kind": "evidence", "target_id": "ev_1"}

    assert validator("DeleteEvidenceParams").is_valid({**forget, "forget_scope": "fs"})
    assert not validator("DeleteEvidenceParams").is_valid({**forget, "forget_token": "fs"})
    assert validator("StorageCleanup").is_valid({"state": "complete", "since": 1})
