"""The vocabulary files hold together: every name resolves, every locale answers every question."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

import pytest

from mnemod.domain.reading.claims import claim_of
from mnemod.domain.reading.clauses import Clause
from mnemod.domain.reading.folding import fold
from mnemod.domain.reading.lexicon import LOCALES, ClaimRule, Lexicon, lexicon
from mnemod.domain.world import StatementKind
from tests.domain.reading.test_reading_statements import CHINESE, ENGLISH, JAPANESE

IMPLIED = {"ties", "ours", "likes", "person_is", "judges", "life"}
"""Cues that say no more than the patterns of the rules that need them."""
ABOUT = {"owner", "self", "named", "known", "thing", "tie", "renamed"}


def vocabulary(locale: str) -> dict[str, Any]:
    path = files("mnemod.domain.reading").joinpath(f"vocabulary/{locale}.toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))


EVERY_LOCALE = pytest.mark.parametrize("locale", LOCALES)


@EVERY_LOCALE
def test_every_locale_knows_the_cues_that_all_need(locale: str) -> None:
    own = {"horizon", "habitual", "lasting_wish", "passing", *IMPLIED}

    assert set(lexicon(locale).cues) | own == set(lexicon("en").cues) | own


@EVERY_LOCALE
def test_a_cue_that_a_rule_needs_is_there(locale: str) -> None:
    needed = {rule.needs for rule in lexicon(locale).claims} - {None}

    assert needed <= set(lexicon(locale).cues)


@EVERY_LOCALE
def test_every_rule_is_about_something_and_names_it(locale: str) -> None:
    rules = lexicon(locale).claims
    naming = [rule for rule in rules if rule.about in ABOUT - {"owner"}]

    assert {rule.about for rule in rules} <= ABOUT
    assert all("name" in rule.pattern.compiled().groupindex for rule in naming)


@EVERY_LOCALE
def test_every_tie_says_which(locale: str) -> None:
    ties = [rule for rule in lexicon(locale).claims if rule.about == "tie"]

    assert ties
    assert all("role" in rule.pattern.compiled().groupindex for rule in ties)
    assert {rule.kind for rule in ties} == {StatementKind.RELATIONSHIP}


@EVERY_LOCALE
def test_importance_is_said_for_every_kind_and_within_its_range(locale: str) -> None:
    known = lexicon(locale)
    grades = [*known.importance.values(), *(weight.importance for weight in known.weights)]

    assert set(known.importance) == {kind.value for kind in StatementKind}
    assert all(1 <= grade <= 10 for grade in grades)


@EVERY_LOCALE
def test_folding_keeps_every_offset(locale: str) -> None:
    table = vocabulary(locale)["fold"]

    assert len(table["from"]) == len(table["to"])
    assert len(set(table["from"])) == len(table["from"])


@EVERY_LOCALE
def test_no_word_is_listed_twice_under_one_name(locale: str) -> None:
    lists = vocabulary(locale)["words"]

    assert {name: sorted(set(words)) for name, words in lists.items()} == {
        name: sorted(words) for name, words in lists.items()
    }


@EVERY_LOCALE
def test_a_role_has_one_meaning(locale: str) -> None:
    roles = [word for words in vocabulary(locale)["roles"].values() for word in words]

    assert sorted(roles) == sorted(set(roles))


@EVERY_LOCALE
def test_every_refusal_says_why(locale: str) -> None:
    assert all(rule["why"].strip() and rule["when"] for rule in vocabulary(locale)["refuse"])


def test_the_same_ties_exist_in_every_language() -> None:
    kinds = [set(vocabulary(locale)["roles"]) for locale in LOCALES]

    assert kinds[1] <= kinds[0]
    assert kinds[2] <= kinds[0]


def compiled_for(said: str) -> tuple[Lexicon, list[ClaimRule]]:
    """An unused vocabulary after one clause was read with it, and the rules it has compiled."""
    fresh = lexicon.__wrapped__("en")
    claim_of(Clause(0, len(said), said, said.lower(), fresh), frozenset())
    return fresh, [rule for rule in fresh.claims if rule.pattern.known]


def test_a_rule_is_not_compiled_for_a_clause_that_begins_otherwise_or_lacks_its_words() -> None:
    fresh, compiled = compiled_for("the shelf in the hall is 15 cm tall")

    assert fresh.refusals.known
    assert [rule for rule in compiled if rule.begins or rule.needs] == []


def test_a_rule_is_compiled_for_a_clause_that_begins_like_it() -> None:
    _, compiled = compiled_for("my sister is called Mia")

    assert [rule.about for rule in compiled if rule.begins] == ["tie"]


@pytest.mark.parametrize(
    ("locale", "examples"), [("en", ENGLISH), ("zh", CHINESE), ("ja", JAPANESE)]
)
def test_where_a_rule_matches_stands_what_its_own_words_imply(
    locale: str, examples: list[tuple[str, ...]]
) -> None:
    known = lexicon(locale)
    said = [fold(text, known.fold) for text, *_ in examples]
    matched = [
        (rule.needs, text)
        for rule in known.claims
        for text in said
        if rule.needs in IMPLIED and rule.pattern.compiled().match(text)
    ]

    assert matched
    assert [pair for pair in matched if not known.cue(str(pair[0])).search(pair[1])] == []
