"""Kinds of things: asked for by name, told by members, and nothing doubtful in the data."""

from __future__ import annotations

import tomllib
from importlib.resources import files

import pytest

from mnemod.domain import recall_categories
from mnemod.domain.question import content_of, wanted_terms
from mnemod.domain.recall_categories import LOCALES, members_asked_for
from mnemod.domain.tokens import terms

MEMBERS = [
    member
    for locale in LOCALES
    for kind in tomllib.loads(
        files(recall_categories.__name__).joinpath(f"{locale}.toml").read_text("utf-8")
    ).values()
    for member in kind["members"].split()
]


def asked_for(query: str) -> tuple[str, ...]:
    return members_asked_for(query, content_of(wanted_terms(query)))


@pytest.mark.parametrize(
    ("query", "member"),
    [
        ("what drink do I like", "americano"),
        ("Which FRUIT does she like?", "plum"),
        ("我喜欢什么饮料", "咖啡"),
        ("好きな飲み物は何ですか", "抹茶"),
    ],
)
def test_a_kind_is_asked_for_by_its_name(query: str, member: str) -> None:
    assert set(terms(member)) & set(asked_for(query))


@pytest.mark.parametrize(
    "query", ["what colour is the keypad", "drinking habits", "drinks at the harbour", "kiln", ""]
)
def test_whoever_asks_about_more_gets_no_members(query: str) -> None:
    assert asked_for(query) == ()


@pytest.mark.parametrize("member", MEMBERS)
def test_each_member_is_told_by_exactly_one_term(member: str) -> None:
    assert len([term for term in terms(member) if len(term) > 1]) == 1
