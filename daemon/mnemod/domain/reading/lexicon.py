"""A locale's vocabulary, loaded once: words, claim rules, refusals and weights.

The TOML beside this file is the only place that knows a word of any language. Patterns there are
regular expressions over folded text (see `folding`), matched at the start of a clause with
`claim`, anywhere with everything else; `@list` stands for any word of `[words]`, or for the
pattern of `[parts]`, of that name. Clauses have a greatest length, so no pattern takes more than
bounded time.

A pattern is compiled when a clause first comes near it: in full, with the lists it names, those of
a language are ten times as long as they are written, and most people say few of these things. So a
`claim` may say apart how it `begins` (its pattern is that and `when`, and many begin alike) and
which cue it `needs`: without both it can't match, and is not compiled.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from mnemod.domain import ready
from mnemod.domain.ready import Pattern
from mnemod.domain.world import StatementKind

LOCALES: Final = ("en", "zh", "ja")
# Patterns may be broken into lines; what they match never holds a line break.
_LAYOUT: Final = re.compile(r"\n")
_LIST: Final = re.compile(r"@([a-z_]+)")


class ClaimRule(Struct, frozen=True):
    """One shape of a plain statement.

    `about` is `owner`, `named` (the group `name` is the subject), `known` (the same, and the name
    must be known from the account or from a tie in the same message), `thing` (a pet or thing gets
    its name) or `tie` (a relationship to the group `name`, whose role is the group `role`).
    `begins` is what its pattern begins with, one for all that begin alike; None: with anything.
    `needs` names a cue that must stand somewhere in the clause. `standing` marks wishes only the
    owner may have, `negative` what could be no more than a denial of something the assistant said,
    `bound` what means nothing but as a correction.
    """

    kind: StatementKind
    about: str
    pattern: Pattern
    begins: Pattern | None
    needs: str | None
    standing: bool
    negative: bool
    bound: bool


class Weight(Struct, frozen=True):
    """Raises or lowers the importance of a claim that holds the pattern."""

    pattern: Pattern
    importance: int


class Lexicon(Struct, frozen=True):
    """All that is known about one language. `cue(name)` is one compiled pattern of `[cues]`."""

    locale: str
    stop_words: frozenset[str]
    fold: Mapping[int, int]
    claims: tuple[ClaimRule, ...]
    refusals: Pattern
    cues: Mapping[str, Pattern]
    weights: tuple[Weight, ...]
    importance: Mapping[str, int]
    roles: Mapping[str, str]
    months: Mapping[str, int]
    dimensions: Mapping[str, Pattern]
    first_person: Mapping[str, str]
    name_shape: Pattern
    not_names: frozenset[str]
    honorifics: tuple[str, ...]

    def cue(self, name: str) -> re.Pattern[str]:
        return self.cues[name].compiled()


@cache
def lexicon(locale: str) -> Lexicon:
    """The vocabulary of `locale`, one of LOCALES."""
    return _build(locale, ready.tables(Path(__file__).with_name("vocabulary") / f"{locale}.toml"))


def _build(locale: str, data: dict[str, Any]) -> Lexicon:
    roles = {word: kind for kind, listed in data["roles"].items() for word in listed}
    parts = _parts({**data["words"], "role": list(roles)}, data["parts"])
    expand = partial(_expand, parts)
    fold = data["fold"]
    return Lexicon(
        locale=locale,
        stop_words=frozenset(data["words"]["stop"]),
        fold=str.maketrans(fold["from"], fold["to"]),
        claims=_claims(data["claim"], expand),
        refusals=Pattern("|".join(f"(?:{rule['when']})" for rule in data["refuse"]), expand),
        cues={name: Pattern(when, expand) for name, when in data["cues"].items()},
        weights=tuple(
            Weight(Pattern(rule["when"], expand), rule["importance"]) for rule in data["weight"]
        ),
        importance=data["importance"],
        roles=roles,
        months=data["months"],
        dimensions={name: Pattern(when, expand) for name, when in data["dimensions"].items()},
        first_person=data["first_person"],
        name_shape=Pattern(data["names"]["shape"], expand),
        not_names=frozenset(data["names"]["never"]),
        honorifics=tuple(data["names"]["honorifics"]),
    )


def _parts(words: Mapping[str, list[str]], patterns: Mapping[str, str]) -> dict[str, str]:
    """Each name a pattern may refer to, with what it stands for, as it is written."""
    parts = {name: _alternation(listed) for name, listed in words.items()}
    return parts | {name: f"(?:{pattern})" for name, pattern in patterns.items()}


def _claims(rules: list[dict[str, Any]], expand: Callable[[str], str]) -> tuple[ClaimRule, ...]:
    begins = {begun: Pattern(begun, expand) for rule in rules if (begun := rule.get("begins"))}
    return tuple(
        ClaimRule(
            kind=StatementKind(rule["kind"]),
            about=rule.get("about", "owner"),
            pattern=Pattern(rule.get("begins", "") + rule["when"], expand),
            begins=begins.get(rule.get("begins")),
            needs=rule.get("needs"),
            standing=rule.get("standing", False),
            negative=rule.get("negative", False),
            bound=rule.get("bound", False),
        )
        for rule in rules
    )


def _expand(parts: Mapping[str, str], source: str) -> str:
    plain = _LAYOUT.sub("", source)
    return _LIST.sub(lambda found: _expand(parts, parts[found[1]]), plain)


def _alternation(listed: list[str]) -> str:
    # Longest first: "best friend" before "best".
    longest_first = sorted(listed, key=len, reverse=True)
    return "(?:" + "|".join(re.escape(word) for word in longest_first) + ")"
