"""A question as ranking sees it: its terms with their weights, and what it says of who and when.

A term's weight is its BM25 inverse document frequency, ln(1 + (N - n + 0.5) / (n + 0.5)), times
what its kind of word is worth. A term that no row holds weighs most: it is what a miss is made of.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from mnemod.domain.asked_dates import AskedDate, asked_dates
from mnemod.domain.history_cues import is_first_person
from mnemod.domain.recall_vocabulary import CARRIER, STOP
from mnemod.domain.time_phrases import AskedSpan
from mnemod.domain.tokens import terms

TERMS_MAX: Final = 64
"""Of a longer question the longest terms are asked for: they tell most and cost least."""

# What a kind of word is worth beside a plain one. Figures: recall@10 on LoCoMo conversations 0 to
# 2, categories 1 to 4, .776 as it stands, if this value alone is another.
CARRIER_WEIGHT: Final = 0.8  # .774 at 1, .773 at .5
NAME_WEIGHT: Final = 0.5  # .779 at 1 (but category 5 .911, not .920), .769 at .2: who, not what
CHARACTER_WEIGHT: Final = 0.35  # one Han or kana character is a word, or a third of one
GRAMMAR_PAIR_WEIGHT: Final = 0.3  # a pair of which one character is grammar: mostly an accident

ROWS_MIN: Final = 100
"""Rarity is measured as if a store had this many rows: in a small one every word looks common."""

IDENTIFIER_SHARE: Final = 0.02
"""A term with a digit that at most this share of rows hold names one thing, and must be met."""


class Question(Struct, frozen=True):
    """Weights by term, their sum `total`, and which of the terms can carry a match alone."""

    weights: Mapping[str, float]
    total: float
    telling: frozenset[str]
    identifiers: frozenset[str]
    dates: tuple[AskedDate | AskedSpan, ...]
    first_person: bool

    def knowing(self, names: Iterable[str]) -> Question:
        """The question with the terms that are names of people who speak weighed as such."""
        return self._weighing({term for name in names for term in terms(name)})

    def naming_owner(self, named: AbstractSet[str]) -> Question:
        """The question with the terms of the owner's name weighed as one: who, not what."""
        return self._weighing(named - CARRIER)

    def _weighing(self, named: AbstractSet[str]) -> Question:
        weights = {
            term: weight * (NAME_WEIGHT if term in named else 1.0)
            for term, weight in self.weights.items()
        }
        return replace(self, weights=weights, total=sum(weights.values()))


def wanted_terms(query: str) -> tuple[str, ...]:
    """The distinct terms that `query` is searched by, in its order."""
    distinct = list(dict.fromkeys(terms(query)))
    if len(distinct) <= TERMS_MAX:
        return tuple(distinct)
    longest = set(sorted(distinct, key=lambda term: (-len(term), term))[:TERMS_MAX])
    return tuple(term for term in distinct if term in longest)


def ask(
    query: str,
    wanted: Sequence[str],
    frequencies: Mapping[str, int],
    rows: int,
    spans: Sequence[AskedSpan] = (),
) -> Question:
    """The question `query` to a store of `rows` rows, `frequencies` of which hold each term.

    `spans` are the days that its phrases name, seen from now.
    """
    weights = {term: _rarity(frequencies.get(term, 0), rows) * _worth(term) for term in wanted}
    return Question(
        weights=weights,
        total=sum(weights.values()),
        telling=frozenset(term for term in wanted if term not in CARRIER),
        identifiers=frozenset(
            term
            for term in wanted
            if any(sign.isdigit() for sign in term)
            and 0 < frequencies.get(term, 0) <= max(1.0, rows * IDENTIFIER_SHARE)
        ),
        dates=(*asked_dates(query), *spans),
        first_person=is_first_person(query),
    )


def ask_for_any(
    question: Question, wanted: Sequence[str], holders: Mapping[str, int], rows: int
) -> Question:
    """The same question for whatever holds any of `wanted`: one is a full answer."""
    weights = {term: _rarity(holders.get(term, 0), rows) for term in wanted}
    most = max(weights.values(), default=0.0)
    return replace(question, weights=weights, total=most, telling=frozenset(wanted))


def content_of(wanted: Iterable[str]) -> frozenset[str]:
    """Of the terms of a question, those that say what it is about."""
    return frozenset(term for term in wanted if _worth(term) == 1.0)


def _rarity(holders: int, rows: int) -> float:
    others = max(rows, ROWS_MIN, holders) - holders
    return math.log(1 + (others + 0.5) / (holders + 0.5))


def _worth(term: str) -> float:
    if term in CARRIER:
        return CARRIER_WEIGHT
    if not _is_paired(term):
        return 1.0
    if len(term) == 1:
        return CHARACTER_WEIGHT
    return GRAMMAR_PAIR_WEIGHT if STOP.intersection(term) else 1.0


def _is_paired(term: str) -> bool:
    return len(term) <= 2 and unicodedata.category(term[0]) == "Lo"
