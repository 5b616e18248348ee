"""Bare refusals of a model: sentences about what the assistant cannot do, and nothing beside them.

Each sentence must be a refusal, an apology or an offer to help with something else. A person who
cannot do a thing names the thing, and that is a fact.

A sentence is read as a row of classes, a letter for the longest phrase at each place, and the shape
of the row tells: S sorry, L link, A "as an AI" (Q "as an" before W), I the speaker, U unable,
N lacks, B help, D another verb, O what is refused, R a whole refusal, V verdict on a request,
M whose rules, H "something that", K the beginning of an offer, T the tail of a clause. A word of no
class ends the reading, unless the speaker has said that it is a machine: then it is X, and free.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from msgspec import Struct

from mnemod.domain.folded import fold
from mnemod.domain.gates import noise_words
from mnemod.domain.gates.noise_reason import NoiseReason
from mnemod.domain.gates.phrase_table import PhraseTable

TEXT_CHARS_MAX: Final = 800
_SENTENCE: Final = re.compile("[^.!?\u3002\n]++[.!?\u3002\n]*+\\s*+")
_COMMA: Final = re.compile("[,;\u3001:-]")
_COMMAS_MAX: Final = 6
_HEAD_CHARS: Final = 80
_SENTENCE_CHARS_MAX: Final = 300
_CLASSES_MAX: Final = 40
_CLASSES: Final = {
    "object": "O", "link": "L", "close": "K", "tail": "T", "mine": "M", "do": "D", "bare": "B",
    "self": "I", "verdict": "V", "lack": "N", "unable": "U", "sorry": "S", "something": "H",
    "refuse": "R", "machine": "W", "as": "Q", "as_ai": "A",
}  # fmt: skip
"""Letters by the name of their list; of two classes of a phrase the later one here counts."""
_SILENT: Final = " \u30fc"
_WORD: Final = re.compile("[a-z0-9]+|.")


class _Words(Struct, frozen=True):
    """The class of every phrase, and the lengths of those that begin with two characters."""

    classes: PhraseTable[str]
    lengths: dict[str, tuple[int, ...]]
    shape: re.Pattern[str]


def find(folded: str) -> NoiseReason | None:
    """REFUSAL where every sentence of the text belongs to one."""
    if len(folded) > TEXT_CHARS_MAX:
        return None
    locales = noise_words.LOCALES[:1] if folded.isascii() else noise_words.LOCALES
    # Words in ASCII are soon looked for; in other text its beginning tells sooner.
    if folded.isascii() and not _is_signed(folded, locales[0]):
        return None
    head = noise_words.form(folded[:_HEAD_CHARS])
    return NoiseReason.REFUSAL if any(_refuses(folded, head, each) for each in locales) else None


def _refuses(folded: str, head: str, locale: str) -> bool:
    words = _words(locale)
    # Nearly every text begins otherwise, or has none of the words that make a refusal.
    if _at(head, 0, words) is None or not _is_signed(folded, locale):
        return False
    refused = False
    for found in _SENTENCE.finditer(folded):
        said = _said(found[0], words)
        if said is None:
            return False
        refused = refused or said
    return refused


def _is_signed(folded: str, locale: str) -> bool:
    return any(map(folded.__contains__, _signs(locale)))


def _said(sentence: str, words: _Words) -> bool | None:
    """Whether a sentence refuses; False for an apology or an offer, None for any other."""
    if len(sentence) > _SENTENCE_CHARS_MAX:
        return None
    text = noise_words.form(sentence)
    row = _row(text, words)
    if row and words.shape.fullmatch(row):
        return True
    if not text or (row and not row.strip("SL")):
        return False
    commas = [found.start() for found in _COMMA.finditer(sentence)][:_COMMAS_MAX]
    for at in commas:
        rest, head = sentence[at + 1 :], _row(noise_words.form(sentence[:at]), words)
        if not head:
            break
        if words.shape.fullmatch(head) and (_refused(rest, words) or _offers(rest, words)):
            return True
    return False if _offers(sentence, words) else None


def _refused(clause: str, words: _Words) -> bool:
    return words.shape.fullmatch(_row(noise_words.form(clause), words)) is not None


def _offers(clause: str, words: _Words) -> bool:
    """Whether a clause begins as an offer or an apology does; how it goes on is free."""
    text, at = noise_words.form(clause), 0
    while found := _at(text, at, words):
        if found[0] == "K":
            return True
        if found[0] not in "SL":
            return False
        at += found[1] + 1 if text[at + found[1] : at + found[1] + 1] == " " else found[1]
    return at >= len(text) > 0


def _row(text: str, words: _Words) -> str:
    """The classes of a sentence in their one letter; empty if a word has none."""
    row, at, free = "", 0, False
    while at < len(text) and len(row) < _CLASSES_MAX:
        if text[at] in _SILENT:
            at += 1
            continue
        found = _at(text, at, words)
        if found is None:
            if not free:
                return ""
            word = _WORD.match(text, at)
            found = ("X", len(word[0]) if word else 1)
        kind, length = found
        if kind == "W":
            kind, row = ("A", row[:-1]) if row.endswith("Q") else ("O", row)
        row += kind
        free = free or kind == "A"
        at += length
    return row if at >= len(text) or free else ""


def _at(text: str, at: int, words: _Words) -> tuple[str, int] | None:
    """The class and the length of the longest phrase at `at`."""
    for length in (*words.lengths.get(text[at : at + 2], ()), 1):
        phrase = text[at : at + length]
        kind = words.classes.get(phrase)
        if kind and not (phrase[-1].isascii() and _goes_on(text, at + len(phrase))):
            return kind, len(phrase)
    return None


def _goes_on(text: str, at: int) -> bool:
    return at < len(text) and text[at].isascii() and text[at].isalnum()


@cache
def _signs(locale: str) -> tuple[str, ...]:
    # As the text is written, so that nothing has to be done to it before this first look.
    listed = noise_words.source(f"refusals/{locale}", "signs")
    return tuple(fold(listed).text.split(", "))


@cache
def _words(locale: str) -> _Words:
    source = f"refusals/{locale}"
    classes = {
        phrase: letter
        for name, letter in _CLASSES.items()
        for phrase in noise_words.phrases(source, name)
    }
    lengths: dict[str, set[int]] = {}
    for phrase in classes:
        lengths.setdefault(phrase[:2], set()).add(len(phrase))
    return _Words(
        PhraseTable(classes),
        {first: tuple(sorted(found, reverse=True)) for first, found in lengths.items()},
        noise_words.pattern(source, "refusal"),
    )
