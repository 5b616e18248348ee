"""Secrets that words point at: settings (`api_key = ...`) and sentences of three languages.

A rule is a pattern of a locale with a `value`, and with the group `pin`, `password`, `key` or
`phrase` by which the value is called. What a value must look like depends on how sure the rule is:
after `password=` any word is one, after "my password is" a plain word may be a remark on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum
from typing import Final

from mnemod.domain import vocabulary
from mnemod.domain.folded import Folded
from mnemod.domain.gates import secret_values
from mnemod.domain.gates.secret_kind import Secret, SecretKind
from mnemod.domain.gates.secret_values import FOLDER


class _Sure(IntEnum):
    """How sure a rule is that a password follows."""

    IF_MIXED = 0
    IF_LAST = 1
    ANY_WORD = 2


_RULES: Final = {
    "setting": _Sure.IF_LAST,
    "option": _Sure.ANY_WORD,
    "header": _Sure.IF_MIXED,
    "login": _Sure.ANY_WORD,
    "said": _Sure.IF_LAST,
    "called": _Sure.IF_MIXED,
    "changed": _Sure.IF_MIXED,
    "beside": _Sure.IF_MIXED,
    "words": _Sure.ANY_WORD,
}
BEFORE: Final = 30
"""Characters before the name of a secret that may call it an example."""
_KEY_MIN: Final = 8
_PASSWORD_MIN: Final = 3
_PIN: Final = re.compile(r"(?=[a-z#*]{0,4}[0-9])[0-9a-z#*-]{3,12}", re.IGNORECASE)
_AT_END: Final = ".,;:)?'\"]}>"
_NO_VALUE: Final = re.compile(r"://|\(.{0,100}\)|^[$<%{]|^[0-9]{4}[/-][0-9]{1,2}[/-][0-9]{1,2}$")
_CLAUSE_END: Final = re.compile(
    r"[\"']?(?:[.,;:!?)\]}]|\s{0,2}(?:$|\n)|[\u3001\u3002\u300d]|[\u3040-\u9fff])"
)


def said(folded: Folded, text: str) -> Iterator[Secret]:
    """The secrets that `folded`, which is `text` folded, has words for."""
    ascii_only = folded.text.isascii()
    for locale in vocabulary.LOCALES:
        words = vocabulary.load(FOLDER, locale)
        if (ascii_only and locale != "en") or not any(
            s in folded.text for s in words.words["sign"]
        ):
            continue
        for name in words.data["patterns"]:
            yield from _by_rule(words.pattern(name), _RULES[name], folded, text)


def _by_rule(pattern: re.Pattern[str], sure: _Sure, folded: Folded, text: str) -> Iterator[Secret]:
    at = 0
    while found := pattern.search(folded.text, at):
        # A rejected value may be the words that a next secret is called by.
        at = max(found.end("value") if found.start("value") < at else found.start("value"), at + 1)
        kind = _kind(found)
        start, end = found.span("value")
        end -= len(found["value"]) - len(found["value"].rstrip(_AT_END))
        if end > start and _is_secret(found, text[slice(*folded.span(start, end))], kind, sure):
            at = end
            yield Secret(*folded.span(start, end), kind)


def _kind(found: re.Match[str]) -> SecretKind:
    groups = found.groupdict()
    if groups.get("pin"):
        return SecretKind.PIN
    return SecretKind.KEY if groups.get("key") else SecretKind.PASSWORD


def _is_secret(found: re.Match[str], value: str, kind: SecretKind, sure: _Sure) -> bool:
    if secret_values.stands_for_one(found["value"]) or _NO_VALUE.search(value):
        return False
    about = found.string[max(0, found.start() - BEFORE) : found.start("value")]
    if secret_values.called_made_up(about, in_documents=kind is SecretKind.KEY):
        return False
    if _counts(found, value):
        return False
    match kind:
        case SecretKind.PIN:
            return _PIN.fullmatch(value) is not None
        case SecretKind.KEY:
            return len(value) >= _KEY_MIN and secret_values.is_mixed(value)
        case _:
            return len(value) >= _PASSWORD_MIN and _is_password(found, value, sure)


def _is_password(found: re.Match[str], value: str, sure: _Sure) -> bool:
    groups = found.groupdict()
    if groups.get("phrase") or secret_values.is_mixed(value):
        return True
    if sure is _Sure.IF_MIXED or secret_values.is_remark(value):
        return False
    if sure is _Sure.ANY_WORD or groups.get("quote") or groups.get("sign") == "=":
        return True
    return (
        _CLAUSE_END.match(found.string, found.end("value")) is not None or value != found["value"]
    )


def _counts(found: re.Match[str], value: str) -> bool:
    """Whether `value` is a number of something: "eight characters", not a password of one digit."""
    return (
        value.isdecimal()
        and secret_values.counters().match(found.string, found.end("value")) is not None
    )
