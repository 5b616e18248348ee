"""Secrets that words point at: settings (`api_key = ...`) and sentences of three languages.

A rule is a pattern of a locale with a `value`, and with the group `pin`, `password`, `key` or
`phrase` by which the value is called. What a value must look like depends on how sure the rule is:
after `password=` any word is one, after "my password is" a plain word may be a remark on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from functools import cache
from itertools import islice
from typing import Final

from mnemod.domain import vocabulary
from mnemod.domain.folded import Folded
from mnemod.domain.gates import secret_values
from mnemod.domain.gates.secret_kind import Secret, SecretKind
from mnemod.domain.gates.secret_values import FOLDER

Window = tuple[int, int]


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
HITS_MAX: Final = 2_000
"""Signs of one kind that are looked at in one text."""
TRIES_MAX: Final = 256
"""Values that one rule looks at in one text."""
WINDOW_BEFORE: Final = 120
WINDOW_AFTER: Final = 400
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
    for words in _locales()[: 1 if ascii_only else None]:
        signs = [sign for sign in words.words["sign"] if sign in folded.text]
        windows = _windows(words, signs, folded.text) if signs else ()
        for name in _RULES.keys() & words.data["patterns"].keys() if windows else ():
            yield from _by_rule(words.pattern(name), _RULES[name], windows, folded, text)


@cache
def _locales() -> tuple[vocabulary.Vocabulary, ...]:
    """English first: the only one for a text in ASCII."""
    return tuple(vocabulary.load(FOLDER, locale) for locale in vocabulary.LOCALES)


def _windows(words: vocabulary.Vocabulary, signs: Iterable[str], text: str) -> Sequence[Window]:
    """Where in `text` a rule can match: near a sign with `after` at it, or `before` before it."""
    after, before = words.pattern("after"), words.pattern("before")
    windows: list[Window] = []
    for at in sorted({at for sign in signs for at in islice(_all(sign, text), HITS_MAX)}):
        if after.match(text, at) or before.search(text, max(0, at - WINDOW_BEFORE // 2), at):
            start = max(0, at - WINDOW_BEFORE)
            if windows and start <= windows[-1][1]:
                start = windows.pop()[0]
            windows.append((start, at + WINDOW_AFTER))
    return windows


def _all(sign: str, text: str) -> Iterator[int]:
    at = text.find(sign)
    while at >= 0:
        yield at
        at = text.find(sign, at + len(sign))


def _by_rule(
    pattern: re.Pattern[str],
    sure: _Sure,
    windows: Sequence[Window],
    folded: Folded,
    text: str,
) -> Iterator[Secret]:
    tries, last = TRIES_MAX, None
    for at, stop in windows:
        while tries and (found := pattern.search(folded.text, at, stop)):
            tries -= 1
            start, end = found.span("value")
            # A rejected value may be the words that a next secret is called by.
            at = max(start, at + 1)
            kind = _kind(found)
            end -= len(found["value"]) - len(found["value"].rstrip(_AT_END))
            if end > start and _is_secret(found, text[slice(*folded.span(start, end))], kind, sure):
                at = end
                last = Secret(*folded.span(start, end), kind)
                yield last
    if last and not tries:
        # More than anyone says: what was not looked at may be like what was.
        yield Secret(last.start, len(text), last.kind)


def _kind(found: re.Match[str]) -> SecretKind:
    groups = found.groupdict()
    if groups.get("pin"):
        return SecretKind.PIN
    return SecretKind.KEY if groups.get("key") else SecretKind.PASSWORD


def _is_secret(found: re.Match[str], value: str, kind: SecretKind, sure: _Sure) -> bool:
    match kind:
        case SecretKind.PIN:
            likely = _PIN.fullmatch(value) is not None
        case SecretKind.KEY:
            likely = len(value) >= _KEY_MIN and secret_values.is_mixed(value)
        case _:
            likely = len(value) >= _PASSWORD_MIN and _is_password(found, value, sure)
    return likely and not _is_none(found, value, kind)


def _is_none(found: re.Match[str], value: str, kind: SecretKind) -> bool:
    """Whether what looks like a value keeps a place, shows an example, or counts something."""
    about = found.string[max(0, found.start() - BEFORE) : found.start("value")]
    return (
        secret_values.stands_for_one(found["value"])
        or _NO_VALUE.search(value) is not None
        or secret_values.called_made_up(about, in_documents=kind is SecretKind.KEY)
        or _counts(found, value)
    )


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
