"""Every sample is judged alike by what the daemon runs (msgspec) and by the published schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from mnemod.domain.instants import parse_instant
from mnemod.errors import MnemodError
from mnemod.rpc import generated
from mnemod.rpc.params import convert, read_params
from tests.support.schemas import SCHEMA_FOLDER, openrpc, validator

SAMPLES = SCHEMA_FOLDER / "samples"


def samples(folder: str, of_requests: bool) -> list[Any]:
    """The samples in every `<Type>/<folder>/`, each with its path as the test's id."""
    found = sorted(SAMPLES.glob(f"*/{folder}/*.json"))
    return [
        pytest.param(path.parent.parent.name, path, id=str(path.relative_to(SAMPLES)))
        for path in found
        if is_request(path.parent.parent.name) is of_requests
    ]


def is_request(type_name: str) -> bool:
    return isinstance(getattr(generated, type_name), type(msgspec.Struct))


def taken_by_daemon(type_name: str, message: object) -> bool:
    """Whether the daemon takes `message`: by its own way in for params, by the Struct otherwise."""
    struct = getattr(generated, type_name)
    try:
        if type_name.endswith("Params"):
            convert(read_params(message).members, struct)
        else:
            msgspec.convert(message, struct, strict=True)
    except (MnemodError, msgspec.ValidationError):
        return False
    return True


def read(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


@pytest.mark.parametrize(("type_name", "path"), samples("valid", of_requests=True))
def test_a_valid_request_is_taken_by_both(type_name: str, path: Path) -> None:
    message = read(path)

    assert validator(type_name).is_valid(message)
    assert taken_by_daemon(type_name, message)


@pytest.mark.parametrize(("type_name", "path"), samples("invalid", of_requests=True))
def test_an_invalid_request_is_refused_by_both(type_name: str, path: Path) -> None:
    message = read(path)

    assert not validator(type_name).is_valid(message)
    assert not taken_by_daemon(type_name, message)


@pytest.mark.parametrize(("type_name", "path"), samples("invalid_semantic", of_requests=True))
def test_what_only_a_handler_can_refuse_has_the_right_shape(type_name: str, path: Path) -> None:
    sample = read(path)

    assert sample.keys() == {"params", "kind", "path"}
    assert sample["kind"] in openrpc()["components"]["errors"]
    assert validator(type_name).is_valid(sample["params"])
    assert taken_by_daemon(type_name, sample["params"])


@pytest.mark.parametrize(("type_name", "path"), samples("valid", of_requests=False))
def test_a_valid_result_fits_the_schema(type_name: str, path: Path) -> None:
    assert validator(type_name).is_valid(read(path))


@pytest.mark.parametrize(("type_name", "path"), samples("invalid", of_requests=False))
def test_an_invalid_result_does_not(type_name: str, path: Path) -> None:
    assert not validator(type_name).is_valid(read(path))


@pytest.mark.parametrize("text", ["2031-02-03T04:05:06.000", "2031-02-30T04:05:06Z"])
def test_an_instant_can_have_the_shape_and_name_no_moment(text: str) -> None:
    assert validator("Instant").is_valid(text)
    with pytest.raises(MnemodError):
        parse_instant(text)


@pytest.mark.parametrize("spec", [*generated.METHODS.values(), *generated.NOTIFICATIONS.values()])
def test_every_request_has_samples_of_both_kinds(spec: generated.MethodSpec) -> None:
    folder = SAMPLES / spec.params.__name__

    assert len(list(folder.glob("valid/*.json"))) >= 2
    assert len(list(folder.glob("invalid/*.json"))) >= 4


@pytest.mark.parametrize("length", [0, 1, 511, 512, 513])
@pytest.mark.parametrize("letter", ["a", "ß", "蜂", "𝄞"])
def test_both_count_an_id_in_code_points(letter: str, length: int) -> None:
    message = {"conversation_id": letter * length}

    assert validator("QueryInteractionsParams").is_valid(message) is (1 <= length <= 512)
    assert taken_by_daemon("QueryInteractionsParams", message) is (1 <= length <= 512)


def test_an_account_with_a_newline_at_its_end_is_refused_by_both() -> None:
    message = read(SAMPLES / "InitializeParams/valid/smallest.json") | {"account": "ada\n"}

    assert not validator("InitializeParams").is_valid(message)
    assert not taken_by_daemon("InitializeParams", message)


def test_a_whole_number_written_as_a_fraction_is_not_an_integer() -> None:
    assert not validator("QueryJobsParams").is_valid({"operation": "list", "limit": 5.0})
    assert not taken_by_daemon("QueryJobsParams", {"operation": "list", "limit": 5.0})


MEMBERS = [
    pytest.param(type_name, member, id=f"{type_name}.{member}")
    for type_name, schema in openrpc()["components"]["schemas"].items()
    if hasattr(generated, type_name) and is_request(type_name)
    for member in schema["properties"]
]
ANYTHING: list[Any] = ["text", "", 7, -1, 2**60, 1.5, True, None, [], [1], {}, {"a": 1}]


@pytest.mark.parametrize(("type_name", "member"), MEMBERS)
def test_both_say_the_same_of_anything_in_any_member(type_name: str, member: str) -> None:
    fullest = read(SAMPLES / type_name / "valid/fullest.json")
    messages = [fullest | {member: value} for value in ANYTHING]

    by_schema = [validator(type_name).is_valid(message) for message in messages]
    by_daemon = [taken_by_daemon(type_name, message) for message in messages]

    assert list(zip(ANYTHING, by_daemon, strict=True)) == list(
        zip(ANYTHING, by_schema, strict=True)
    )


def limit_of(schema: dict[str, Any], word: str) -> int | None:
    """The limit `word` of a member, its own or that of the type it refers to."""
    named = schema.get("$ref", "").rpartition("/")[2]
    limited = openrpc()["components"]["schemas"].get(named, schema)
    limit: int | None = limited.get(word)
    return limit


def upper_edges(word: str) -> list[Any]:
    """Every member of a request that is limited by `word`, with its limit."""
    return [
        pytest.param(type_name, member, limit, id=f"{type_name}.{member}")
        for type_name, schema in openrpc()["components"]["schemas"].items()
        if hasattr(generated, type_name) and is_request(type_name)
        for member, inner in schema["properties"].items()
        if (limit := limit_of(inner, word)) is not None
    ]


@pytest.mark.parametrize(("type_name", "member", "most"), upper_edges("maxLength"))
def test_both_end_a_text_at_the_same_length(type_name: str, member: str, most: int) -> None:
    fullest = read(SAMPLES / type_name / "valid/fullest.json")
    at_the_edge, past_it = fullest | {member: "x" * most}, fullest | {member: "x" * (most + 1)}

    assert validator(type_name).is_valid(at_the_edge)
    assert taken_by_daemon(type_name, at_the_edge)
    assert not validator(type_name).is_valid(past_it)
    assert not taken_by_daemon(type_name, past_it)


@pytest.mark.parametrize(("type_name", "member", "most"), upper_edges("maxItems"))
def test_both_end_a_list_at_the_same_length(type_name: str, member: str, most: int) -> None:
    fullest = read(SAMPLES / type_name / "valid/fullest.json")
    row = fullest[member]
    at_the_edge, past_it = fullest | {member: row * most}, fullest | {member: row * (most + 1)}

    assert validator(type_name).is_valid(at_the_edge)
    assert taken_by_daemon(type_name, at_the_edge)
    assert not validator(type_name).is_valid(past_it)
    assert not taken_by_daemon(type_name, past_it)
