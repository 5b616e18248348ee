"""Params: what no method accepts, where a refusal points, and that it never quotes."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemod.errors import InvalidParams, MnemodError, TooDeep
from mnemod.rpc.params import convert, read_params
from mnemod.rpc.wire import encode_response, result_object


class Inner(msgspec.Struct, forbid_unknown_fields=True):
    role: Literal["user", "assistant"]
    score: int = 0


class Outer(msgspec.Struct, forbid_unknown_fields=True):
    name: Annotated[str, msgspec.Meta(pattern="^[a-z]*$")] = ""
    many: list[Inner] = []
    free: dict[str, Any] = {}
    counts: dict[str, int] = {}


def nested(depth: int, innermost: object = 1) -> object:
    """`innermost` inside `depth` arrays."""
    return nested(depth - 1, [innermost]) if depth else innermost


@pytest.mark.parametrize("raw", [None, [], [1], "x", 1, True])
def test_params_are_an_object(raw: object) -> None:
    with pytest.raises(InvalidParams) as refused:
        read_params(raw)

    assert refused.value.path == "$"


@pytest.mark.parametrize(
    ("raw", "path"),
    [
        ({"a": "x\0"}, "$.a"),
        ({"a": [{"b": ["", "\0"]}]}, "$.a[0].b[1]"),
        ({"a": {"b\0": 1}}, "$.a[...]"),
        ({"a": {"not a name": "\0"}}, "$.a[...]"),
        ({"_meta": {"note": "\0"}}, "$._meta.note"),
        ({"a": 2**63}, "$.a"),
        ({"a": -(2**63) - 1}, "$.a"),
        ({"a": 1.2345e29}, "$.a"),
        ({"a": [1, 2.0**63]}, "$.a[1]"),
    ],
)
def test_a_nul_and_a_number_beyond_64_bits_are_refused_where_they_stand(
    raw: dict[str, object], path: str
) -> None:
    with pytest.raises(InvalidParams) as refused:
        read_params(raw)

    assert refused.value.path == path


def test_an_integer_that_the_parser_turned_into_a_float_is_refused() -> None:
    with pytest.raises(InvalidParams):
        read_params(orjson.loads(b'{"a":123456789012345678901234567890}'))


@pytest.mark.parametrize(
    "value", [2**63 - 1, -(2**63), 1.5, -1e18, True, None, "\u0001\u200b", "\u2028"]
)
def test_everything_else_is_taken_as_it_is(value: object) -> None:
    assert read_params({"a": value}).members == {"a": value}


def test_a_member_may_nest_as_deep_as_the_limit_and_not_deeper() -> None:
    assert read_params({"a": nested(32)}).members == {"a": nested(32)}
    with pytest.raises(TooDeep) as refused:
        read_params({"b": 1, "a": {"x": nested(32)}})

    assert refused.value.path == "$.a.x" + "[0]" * 31
    assert refused.value.details == {"limit": "free_json_depth", "max": 32}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=20,
)


def outcome(raw: object) -> object:
    try:
        return read_params(raw).members
    except MnemodError:
        return None


@given(st.dictionaries(st.text(max_size=5).filter(lambda name: name != "_meta"), JSON, max_size=4))
def test_what_is_accepted_can_always_be_written_back(raw: dict[str, object]) -> None:
    members = outcome(raw)

    written = orjson.loads(encode_response(result_object(1, members)))["result"]

    assert written == members


def test_meta_is_taken_off_and_may_hold_anything() -> None:
    params = read_params({"a": 1, "_meta": {"progress_token": "t", "traceparent": "00", "x y": {}}})

    assert (params.members, params.progress_token) == ({"a": 1}, "t")


@pytest.mark.parametrize(
    ("meta", "path"),
    [
        ([], "$._meta"),
        (None, "$._meta"),
        ({"progress_token": 1.5}, "$._meta.progress_token"),
        ({"progress_token": "x" * 129}, "$._meta.progress_token"),
        ({"progress_token": True}, "$._meta.progress_token"),
    ],
)
def test_a_meta_that_means_nothing_is_refused(meta: object, path: str) -> None:
    with pytest.raises(InvalidParams) as refused:
        read_params({"_meta": meta})

    assert refused.value.path == path


@pytest.mark.parametrize(
    ("members", "path"),
    [
        ({"unknown": 1}, "$.unknown"),
        ({"many": [{}]}, "$.many[0].role"),
        ({"many": [{"role": "user"}, {"role": "user", "more": 1}]}, "$.many[1].more"),
        ({"many": [{"role": "secret-words"}]}, "$.many[0].role"),
        ({"many": [{"role": "user", "score": "secret-words"}]}, "$.many[0].score"),
        ({"many": [{"role": "user", "score": True}]}, "$.many[0].score"),
        ({"many": [{"role": "user", "score": 1.0}]}, "$.many[0].score"),
        ({"name": "secret-words"}, "$.name"),
        ({"name": 1}, "$.name"),
        ({"counts": {"secret-words": "x"}}, "$.counts[...]"),
        ({"secret-words": 1}, "$[...]"),
        ({"name": "` - at `$.secret-words`"}, "$.name"),
        ({"many": [{"role": "` - at `$.secret-words"}]}, "$.many[0].role"),
    ],
)
def test_a_refusal_points_at_the_member_and_never_quotes_it(
    members: dict[str, object], path: str
) -> None:
    with pytest.raises(InvalidParams) as refused:
        convert(members, Outer)

    assert refused.value.path == path
    assert refused.value.details == {}
    assert "secret-words" not in repr(refused.value)
    assert refused.value.__context__ is None


def test_params_that_fit_become_the_struct() -> None:
    many = [{"role": "user", "score": 3}]

    assert convert({"many": many}, Outer) == Outer(many=[Inner("user", 3)])
