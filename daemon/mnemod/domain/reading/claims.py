"""What one clause says: its kind, whom it is about, who says so, how much it matters.

A clause that matches a refusal says nothing. Otherwise the first rule that matches at its start,
after the openers ("by the way", "顺便说"), decides. What no rule describes is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from mnemod.domain.reading.clauses import Clause
from mnemod.domain.reading.lexicon import ClaimRule, Lexicon
from mnemod.domain.reading.names import proper_name
from mnemod.domain.ready import Pattern
from mnemod.domain.world import StatementKind

_OPENERS_MAX: Final = 4


class Claim(Struct, frozen=True):
    """A clause as a statement. No `name`: it is about the speaker. `role` is a tie's kind."""

    clause: Clause
    kind: StatementKind
    about: str
    name: str | None
    holder: str | None
    role: str | None
    importance: int
    standing: bool
    negative: bool
    bound: bool


def claim_of(clause: Clause, known: frozenset[str]) -> Claim | None:
    """What `clause` claims, or None. `known`: names of people known beforehand, case folded."""
    vocabulary = clause.lexicon
    if vocabulary.refusals.compiled().search(clause.folded):
        return None
    begin = after_openers(clause.folded, vocabulary)
    near = _Near(clause, begin)
    for rule in vocabulary.claims:
        if rule.about == "known" and not known:
            continue
        # What is compiled is quick to try; what is not is asked for its words first.
        pattern = rule.pattern.known or near.compiled(rule)
        found = pattern and pattern.match(clause.folded, begin)
        if found and (claim := _claim(clause, rule, found, known)):
            return claim
    return None


def after_openers(folded: str, vocabulary: Lexicon) -> int:
    """Where the statement begins behind interjections, connectives and leading times."""
    begin = 0
    for _ in range(_OPENERS_MAX):
        opener = vocabulary.cue("opener").match(folded, begin)
        if not opener or opener.end() == begin:
            break
        begin = opener.end()
    return begin


class _Near:
    """Which rules a clause comes near: it begins like them, and has what they need."""

    def __init__(self, clause: Clause, begin: int) -> None:
        self._clause = clause
        self._begin = begin
        self._told: dict[Pattern, bool] = {}

    def compiled(self, rule: ClaimRule) -> re.Pattern[str] | None:
        """The pattern of a rule that may match here."""
        if rule.begins is not None and not self._begins(rule.begins):
            return None
        if rule.needs is not None and not self._holds(self._clause.lexicon.cues[rule.needs]):
            return None
        return rule.pattern.compiled()

    def _begins(self, beginning: Pattern) -> bool:
        if beginning not in self._told:
            found = beginning.compiled().match(self._clause.folded, self._begin)
            self._told[beginning] = found is not None
        return self._told[beginning]

    def _holds(self, cue: Pattern) -> bool:
        if cue not in self._told:
            self._told[cue] = cue.compiled().search(self._clause.folded) is not None
        return self._told[cue]


def _claim(
    clause: Clause, rule: ClaimRule, found: re.Match[str], known: frozenset[str]
) -> Claim | None:
    if rule.needs and not clause.lexicon.cue(rule.needs).search(clause.folded):
        return None
    groups = dict(_groups(clause, found))
    name = proper_name(groups["name"], clause.lexicon) if "name" in groups else None
    if "name" in groups and name is None:
        return None
    if rule.about == "known" and (name is None or name.casefold() not in known):
        return None
    return Claim(
        clause=clause,
        kind=rule.kind,
        about=rule.about,
        name=name,
        holder=groups.get("holder"),
        role=clause.lexicon.roles.get(found["role"]) if "role" in groups else None,
        importance=_importance(clause, rule),
        standing=rule.standing,
        negative=rule.negative,
        bound=rule.bound,
    )


def _groups(clause: Clause, found: re.Match[str]) -> Iterator[tuple[str, str]]:
    for name in found.re.groupindex:
        start, end = found.span(name)
        if start >= 0:
            yield name, clause.source[start:end]


def _importance(clause: Clause, rule: ClaimRule) -> int:
    for weight in clause.lexicon.weights:
        if weight.pattern.compiled().search(clause.folded):
            return weight.importance
    return clause.lexicon.importance[rule.kind]
