"""A locale's vocabulary, loaded once: words, claim rules, refusals and weights.

The TOML beside this file is the only place that knows a word of any language. Patterns there are
regular expressions over folded text (see `folding`), matched at the start of a clause with
`claim`, anywhere with everything else; `@list` stands for any word of `[words]`, or for the
pattern of `[parts]`, of that name. Clauses have a greatest length, so no pattern takes more than
bounded time.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from mnemod.domain.world import StatementKind

LOCALES: Final = ("en", "zh", "ja")
# Patterns may be broken into lines; what they match never holds a line break.
_LAYOUT: Final = re.compile(r"\n")
_LIST: Final = re.compile(r"@([a-z_]+)")


@dataclass(frozen=True, slots=True)
class ClaimRule:
    """One shape of a plain statement.

    `about` is `owner`, `named` (the group `name` is the subject), `known` (the same, and the name
    must be known from the account or from a tie in the same message), `thing` (a pet or thing gets
    its name) or `tie` (a relationship to the group `name`, whose role is the group `role`).
    `needs` names a cue that must stand somewhere in the clause. `standing` marks wishes only the
    owner may have, `negative` what could be no more than a denial of something the assistant said,
    `bound` what means nothing but as a correction.
    """

    kind: StatementKind
    about: str
    pattern: re.Pattern[str]
    needs: str | None
    standing: bool
    negative: bool
    bound: bool


@dataclass(frozen=True, slots=True)
class Weight:
    """Raises or lowers the importance of a claim that holds the pattern."""

    pattern: re.Pattern[str]
    importance: int


@dataclass(frozen=True, slots=True)
class Lexicon:
    """All that is known about one language. `cue(name)` is one compiled pattern of `[cues]`."""

    locale: str
    stop_words: frozenset[str]
    fold: Mapping[int, int]
    claims: tuple[ClaimRule, ...]
    refusals: re.Pattern[str]
    cues: Mapping[str, re.Pattern[str]]
    weights: tuple[Weight, ...]
    importance: Mapping[str, int]
    roles: Mapping[str, str]
    months: Mapping[str, int]
    dimensions: Mapping[str, re.Pattern[str]]
    first_person: Mapping[str, str]
    name_shape: re.Pattern[str]
    not_names: frozenset[str]
    honorifics: tuple[str, ...]

    def cue(self, name: str) -> re.Pattern[str]:
        return self.cues[name]


@cache
def lexicon(locale: str) -> Lexicon:
    """The vocabulary of `locale`, one of LOCALES."""
    path = Path(__file__).with_name("vocabulary") / f"{locale}.toml"
    return _build(locale, tomllib.loads(path.read_text(encoding="utf-8")))


def _build(locale: str, data: dict[str, Any]) -> Lexicon:
    roles = {word: kind for kind, listed in data["roles"].items() for word in listed}
    parts = _parts({**data["words"], "role": list(roles)}, data["parts"])
    fold = data["fold"]
    return Lexicon(
        locale=locale,
        stop_words=frozenset(data["words"]["stop"]),
        fold=str.maketrans(fold["from"], fold["to"]),
        claims=tuple(_claim(rule, parts) for rule in data["claim"]),
        refusals=_pattern("|".join(f"(?:{rule['when']})" for rule in data["refuse"]), parts),
        cues={name: _pattern(when, parts) for name, when in data["cues"].items()},
        weights=tuple(
            Weight(_pattern(rule["when"], parts), rule["importance"]) for rule in data["weight"]
        ),
        importance=data["importance"],
        roles=roles,
        months=data["months"],
        dimensions={name: _pattern(when, parts) for name, when in data["dimensions"].items()},
        first_person=data["first_person"],
        name_shape=_pattern(data["names"]["shape"], parts),
        not_names=frozenset(data["names"]["never"]),
        honorifics=tuple(data["names"]["honorifics"]),
    )


def _parts(words: Mapping[str, list[str]], patterns: Mapping[str, str]) -> dict[str, str]:
    """Each name a pattern may refer to, with what it stands for; a part may use earlier ones."""
    parts = {name: _alternation(listed) for name, listed in words.items()}
    for name, pattern in patterns.items():
        parts[name] = f"(?:{_expand(pattern, parts)})"
    return parts


def _claim(rule: dict[str, Any], parts: Mapping[str, str]) -> ClaimRule:
    return ClaimRule(
        kind=StatementKind(rule["kind"]),
        about=rule.get("about", "owner"),
        pattern=_pattern(rule["when"], parts),
        needs=rule.get("needs"),
        standing=rule.get("standing", False),
        negative=rule.get("negative", False),
        bound=rule.get("bound", False),
    )


def _pattern(source: str, parts: Mapping[str, str]) -> re.Pattern[str]:
    return re.compile(_expand(source, parts))


def _expand(source: str, parts: Mapping[str, str]) -> str:
    return _LIST.sub(lambda found: parts[found[1]], _LAYOUT.sub("", source))


def _alternation(listed: list[str]) -> str:
    # Longest first: "best friend" before "best".
    longest_first = sorted(listed, key=len, reverse=True)
    return "(?:" + "|".join(re.escape(word) for word in longest_first) + ")"
