"""Secrets that words point at: settings (`api_key = ...`) and sentences of three languages.

A rule is a pattern of a locale with a `value`, and with the group `pin`, `password`, `key` or
`phrase` by which the value is called. What a value must look like depends on how sure the rule is:
after `password=` any word is one, after "my password is" a plain word may be a remark on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum
from functools import cache
from itertools import islice
from typing import Final, TypeVar

from mnemod.domain import vocabulary
from mnemod.domain.folded import Folded
from mnemod.domain.gates import secret_values
from mnemod.domain.gates.secret_kind import Secret, SecretKind
from mnemod.domain.gates.secret_values import FOLDER

Each = TypeVar("Each")


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
HITS_MAX: Final = 2_500
"""Words for secrets that are looked at in one text, from its beginning, and in its last part."""
TAIL: Final = 16_384
SHORT: Final = 300
"""Characters of a text whose signs are looked for all at once."""
DIFFERENT_MAX: Final = 500
"""Such words with different words after them that are looked at."""
REPEATS_MAX: Final = 512
TRIES_MAX: Final = 64
"""Words for secrets whose surroundings all rules of a language look at."""
MEMO: Final = 64
"""Characters from such a word on: where they are the same again, so is the answer."""
WINDOW_BEFORE: Final = 120
WINDOW_AFTER: Final = 400
REACH: Final = 40
"""Characters before and in a name of a secret of several words."""
WORDS_BEFORE: Final = 4
HAN_BEFORE: Final = 10
BEFORE: Final = 30
"""Characters before the name of a secret that may call it an example."""
URL_BEFORE: Final = 300
"""Characters of an address before a setting in it."""
_IN_ADDRESS: Final = re.compile(r"://[^\s\"'<>]{1,300}[?&#;]\Z")
_NEXT_PART: Final = re.compile("[&#]")
_DIGIT: Final = re.compile("[0-9]")
_WORD_START: Final = re.compile(r"(?<![a-z0-9])[a-z0-9]|(?<![a-z0-9-])-")
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
    for words in _locales()[: 1 if folded.text.isascii() else None]:
        if signs := _signs(words, folded.text):
            yield from _of_locale(words, signs, folded, text)


@cache
def _locales() -> tuple[vocabulary.Vocabulary, ...]:
    """English first: the only one for a text in ASCII."""
    return tuple(vocabulary.load(FOLDER, locale) for locale in vocabulary.LOCALES)


def _of_locale(
    words: vocabulary.Vocabulary, signs: list[int], folded: Folded, text: str
) -> Iterator[Secret]:
    done, last = 0, None
    followed, beyond = _followed(words, signs, folded.text)
    for number, (at, *again) in enumerate(followed):
        for found, sure in _matches(words, folded.text, at) if at >= done else ():
            if told := _secret(found, sure, folded, text):
                secret, done = told
                last = secret if last is None or number < TRIES_MAX // 2 else last
                yield secret
                yield from _repeated(found, at, again[:REPEATS_MAX], secret, folded)
                beyond = beyond or len(again) > REPEATS_MAX
    for at in _preceded(words, signs, folded.text):
        window = words.pattern("called").search(folded.text, max(0, at - WINDOW_BEFORE), at + REACH)
        if window and (told := _secret(window, _RULES["called"], folded, text)):
            yield told[0]
    if last and beyond:
        # More than anyone says: what was not looked at may be like what was.
        yield Secret(last.start, len(text), last.kind)


def _repeated(
    found: re.Match[str], at: int, again: list[int], secret: Secret, folded: Folded
) -> Iterator[Secret]:
    """The secret of a sign once more where the same words follow the sign again."""
    size = secret.end - secret.start
    for other in again:
        start, _ = folded.span(found.start("value") + other - at, found.end("value") + other - at)
        yield Secret(start, start + size, secret.kind)


def _signs(words: vocabulary.Vocabulary, text: str) -> list[int]:
    """Where words for secrets begin: of very many the first and the last."""
    if len(text) <= SHORT:
        return [hit.start() for hit in _any_sign(words).finditer(text)]
    found: set[int] = set()
    for pattern, signs in _kinds_of_signs(words):
        if not pattern.search(text):
            continue
        hits = [hit.start() for hit in islice(pattern.finditer(text), HITS_MAX + 1)]
        if len(hits) <= HITS_MAX:
            found.update(hits)
            continue
        for sign in signs:
            found.update(islice(_all(sign, text, 0), HITS_MAX))
            found.update(islice(_all(sign, text, len(text) - TAIL), HITS_MAX))
    return _outer(sorted(found), 3 * HITS_MAX)


@cache
def _any_sign(words: vocabulary.Vocabulary) -> re.Pattern[str]:
    return re.compile("|".join(pattern.pattern for pattern, _ in _kinds_of_signs(words)))


@cache
def _kinds_of_signs(
    words: vocabulary.Vocabulary,
) -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    """The signs by their first letter, which `re` is quick to look for."""
    signs = words.words["sign"]
    by_first = {sign[0]: tuple(each for each in signs if each[0] == sign[0]) for sign in signs}
    return tuple((_beginning(first, alike), alike) for first, alike in by_first.items())


def _beginning(first: str, signs: tuple[str, ...]) -> re.Pattern[str]:
    # The rest of a sign is only looked at: another may begin in it.
    rest = "|".join(re.escape(sign[1:]) for sign in signs)
    return re.compile(f"{re.escape(first)}(?={rest})")


def _all(sign: str, text: str, start: int) -> Iterator[int]:
    at = text.find(sign, max(0, start))
    while at >= 0:
        yield at
        at = text.find(sign, at + len(sign))


def _followed(
    words: vocabulary.Vocabulary, signs: list[int], text: str
) -> tuple[list[list[int]], bool]:
    """The signs that something like a value follows, and whether there are too many of them.

    Signs with the same words after them are one, with all its places, so that repeating a sentence
    pushes nothing out. Of too many those with a digit near come first, then the outer ones.
    """
    after = words.pattern("after").match
    alike: dict[str, list[int]] = {}
    for at in signs:
        alike.setdefault(text[at : at + MEMO], []).append(at)
    different = list(alike.values())
    beyond = len(signs) >= 3 * HITS_MAX or len(different) > DIFFERENT_MAX
    followed = [places for places in _outer(different, DIFFERENT_MAX) if after(text, places[0])]
    if len(followed) <= TRIES_MAX:
        return followed, beyond
    likely = [each for each in followed if _DIGIT.search(text, each[0], each[0] + MEMO)]
    return _outer(likely or followed, TRIES_MAX), True


def _outer(found: list[Each], most: int) -> list[Each]:
    """`found`, or of more than `most` the first and the last."""
    return found if len(found) <= most else found[: most // 2] + found[-most // 2 :]


def _preceded(words: vocabulary.Vocabulary, signs: list[int], text: str) -> list[int]:
    """The signs before which "... is my" stands."""
    before = words.pattern("before").search
    return [
        at for at in _outer(signs, TRIES_MAX) if before(text, max(0, at - WINDOW_BEFORE // 2), at)
    ]


def _matches(
    words: vocabulary.Vocabulary, text: str, at: int
) -> Iterator[tuple[re.Match[str], _Sure]]:
    """What the rules find that begin at a sign, or at a word shortly before it."""
    stop = at + WINDOW_AFTER
    starts = _starts(text, at)
    near = text[max(0, at - REACH) : stop]
    for sure, needs, pattern in _rules(words):
        if any(map(near.__contains__, needs)):
            for start in starts:
                found = pattern.match(text, start, stop)
                # A name further left may be another secret's: it has its own sign.
                if found and found.start("value") > at:
                    yield found, sure
                    break


@cache
def _rules(
    words: vocabulary.Vocabulary,
) -> tuple[tuple[_Sure, tuple[str, ...], re.Pattern[str]], ...]:
    """How sure each rule is, what it needs nearby, and its pattern."""
    there = words.data["patterns"].keys() - {"called"}
    return tuple(
        (sure, words.words[f"needs_{name}"], words.pattern(name))
        for name, sure in _RULES.items()
        if name in there
    )


def _starts(text: str, at: int) -> list[int]:
    """Places where a name that ends in the sign at `at` may begin, the first ones first."""
    low = max(0, at - REACH)
    if text[at].isascii():
        return [found.start() for found in _WORD_START.finditer(text, low, at + 1)][-WORDS_BEFORE:]
    return list(range(max(0, at - HAN_BEFORE), at + 1))


def _secret(
    found: re.Match[str], sure: _Sure, folded: Folded, text: str
) -> tuple[Secret, int] | None:
    """The secret that a rule found, if it is one, and where looking for others goes on."""
    start, kind = found.start("value"), _kind(found)
    for end, beyond in _ends(found):
        span = folded.span(start, end) if end > start else (0, 0)
        if end > start and _is_secret(found, text[slice(*span)], kind, sure):
            return Secret(*span, kind), beyond
    return None


def _ends(found: re.Match[str]) -> Iterator[tuple[int, int]]:
    """Where a value may end, and what is found with it: in an address before the next part of it.

    Whoever writes an address by hand may have a mark in a password: the whole value comes next.
    """
    value, (start, end) = found["value"], found.span("value")
    part = _NEXT_PART.search(value)
    if part and _IN_ADDRESS.search(found.string, max(0, found.start() - URL_BEFORE), found.start()):
        yield start + part.start(), start + part.start()
    yield start + len(value.rstrip(_AT_END)), end


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
        _CLAUSE_END.match(found.string, found.end("value")) is not None
        or value != found["value"]
        or secret_values.is_used(found.string, found.end("value"))
    )


def _counts(found: re.Match[str], value: str) -> bool:
    """Whether `value` is a number of something: "eight characters", not a password of one digit."""
    return (
        value.isdecimal()
        and secret_values.counters().match(found.string, found.end("value")) is not None
    )
