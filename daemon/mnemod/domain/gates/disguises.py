"""Takes off what hides words from a rule but not from a reader: look-alikes and letters set apart.

- look-alikes of Latin letters (Cyrillic, Greek, small capitals, accents), wherever they are: what
  becomes of words in those scripts is nothing that a rule knows; a letter stands for a letter, so
  places stay as they are;
- digits and signs inside a word that is known without them;
- letters set apart (`i g n o r e`, `i.g.n.o.r.e`): joined, with a space where the gap is wider, or
  where a known word ends when all gaps are alike;
- words set apart by one sign instead of spaces (`ignore.all.rules`), outside of addresses and names
  in code;
- Chinese and Japanese characters set apart in the same way;
- runs of spaces and line ends made one.

What this gives is only read by rules, never stored or compared.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any, Final

from mnemod.domain import ready
from mnemod.domain.folded import Folded
from mnemod.domain.vocabulary import any_of

_SOURCE: Final = Path(__file__).with_name("vocabulary") / "look_alikes.toml"
WORD_GAP_CHARS: Final = 2
"""A wider gap between letters that are set apart ends a word."""
LIKES_MAX: Final = 40
"""So many different look-alikes are replaced one by one, more of them by a table."""
_GAP: Final = r"[ \t.\u00b7\u2022\u30fb\-_*|/,~+]{1,4}"
_APART: Final = re.compile(rf"(?<![a-z0-9'])[a-z](?:{_GAP}[a-z](?![a-z])){{3,}}(?![a-z0-9'])")
_STRINGS: Final = ".-+~|"
STRUNG_MIN: Final = 4
"""So many like signs may string words together."""
_STRUNG: Final = re.compile(
    r"(?<![^\s\"'(\[>])[a-z]{1,16}([.\-+~|])[a-z]{1,16}(?:\1[a-z]{1,16}){3,}(?![^\s\"')\].!?<])"
)
_SIGN: Final = re.compile("[^a-z ]")
_SIGNS_ALONE: Final = re.compile("[a-z][^a-z ]+[a-z]")
_SIGNS_AND_SPACE: Final = re.compile("[^a-z ]* [^a-z]*")
_EAST: Final = "[\u3041-\u30ff\u3400-\u9fff]"
_EAST_GAP_SIGN: Final = r"[ \t\n.\u00b7\u2022\u30fb\-_*|/\u3001,~+]"
_EAST_GAP: Final = f"{_EAST_GAP_SIGN}{{1,3}}"
_EAST_APART: Final = re.compile(
    rf"(?:(?<!{_EAST}){_EAST}{_EAST_GAP})(?:{_EAST}{_EAST_GAP}){{2,}}{_EAST}(?!{_EAST})"
)
_EAST_SIGN: Final = re.compile(rf"{_EAST_GAP_SIGN}{_EAST}{_EAST_GAP}{_EAST}{_EAST_GAP}{_EAST}")
_NOT_EAST: Final = re.compile("[^\u3041-\u30ff\u3400-\u9fff]+")
_MIXED: Final = re.compile(r"(?<![a-z0-9@$])(?=[a-z0-9@$]*[a-z])[a-z0-9@$]{4,24}(?![a-z0-9])")
_MIXED_CHARS_MAX: Final = 24
_NOT_MIXED: Final = bytes(
    code if (chr(code).isalnum() and code < 128) or code in b"@$" else 32 for code in range(256)
)
_BROKEN: Final = re.compile("\n[ \n]| \n")
# An outline has a byte a character: "a" for a letter, "1" for a sign that stands for one, a space
# for what may part letters. What has not the outline of a disguise needs no closer look.
_OUTLINE: Final = bytes(
    97 if chr(code).islower() and code < 128
    else 49 if code in b"013457@$" else 32 if code in b" \t.-_*|/,~+" else 46
    for code in range(256)
)  # fmt: skip
_FAR_SIGNS: Final = ("\u00b7", "\u2022", "\u30fb")
_APART_OUTLINE: Final = re.compile(b" a {1,4}a {1,4}a(?!a)")
_WORD_BREAK: Final = "\n"


def undisguised(folded: Folded) -> Folded:
    """`folded` as a reader sees it. Linear; most texts come back as they are."""
    plain = folded
    if not folded.text.isascii():
        plain = _same_places(plain, _as_latin(plain.text))
        if _EAST_SIGN.search(plain.text):
            plain = plain.sub(_EAST_APART, lambda found: _NOT_EAST.sub("", found[0]))
    outline = _outline(plain.text)
    if (b"a1" in outline or b"1a" in outline) and _is_mixed(plain.text):
        plain = _same_places(plain, _MIXED.sub(_without_digits, plain.text))
    if _APART_OUTLINE.search(outline):
        plain = plain.sub(_APART, lambda found: _joined(found[0]))
    if _may_be_strung(plain.text):
        plain = _same_places(plain, _STRUNG.sub(_unstrung, plain.text))
    if "  " in plain.text or ("\n" in plain.text and _BROKEN.search(plain.text)):
        return plain.collapsed()
    return plain


def _outline(text: str) -> bytes:
    for sign in _FAR_SIGNS:
        text = text.replace(sign, ".")
    return text.encode("ascii", "replace").translate(_OUTLINE)


def _may_be_strung(text: str) -> bool:
    return any(
        text.count(sign) - text.count(f"{sign} ") >= STRUNG_MIN for sign in _STRINGS if sign in text
    )


def _unstrung(found: re.Match[str]) -> str:
    words = found[0].split(found[1])
    return found[0] if _disguised().isdisjoint(words) else " ".join(words)


def _same_places(folded: Folded, text: str) -> Folded:
    return folded if text == folded.text else Folded(text, folded.layers)


@cache
def _data() -> dict[str, Any]:
    return ready.tables(_SOURCE)


@cache
def _letters() -> dict[int, str]:
    return {ord(like): latin for latin, likes in _data()["letters"].items() for like in likes}


@cache
def _likes() -> re.Pattern[str]:
    return re.compile(f"[{re.escape(''.join(map(chr, _letters())))}]")


@cache
def _word_end() -> re.Pattern[str]:
    return re.compile(f"({any_of(_data()['words'])})")


@cache
def _disguised() -> frozenset[str]:
    return frozenset(_data()["words"])


def _as_latin(text: str) -> str:
    letters = _letters()
    likes = set(_likes().findall(text))
    if len(likes) > LIKES_MAX:
        return text.translate(letters)
    for like in likes:
        text = text.replace(like, letters[ord(like)])
    return text


def _is_mixed(text: str) -> bool:
    """Whether a known word is written with digits or signs for letters."""
    words = set(text.encode("ascii", "replace").translate(_NOT_MIXED).split())
    return any(_plain(word) in _disguised() for word in words if not word.isalpha())


def _plain(word: bytes) -> str:
    if len(word) > _MIXED_CHARS_MAX:
        # An address: what stands before its sign is a word of its own.
        ends = word[: _MIXED_CHARS_MAX + 1]
        word = word[: max(ends.rfind(b"@"), ends.rfind(b"$"), 0)]
    return word.decode().translate(_digits())


def _without_digits(found: re.Match[str]) -> str:
    plain = found[0].translate(_digits())
    return plain if plain != found[0] and plain in _disguised() else found[0]


@cache
def _digits() -> dict[int, str]:
    return {ord(sign): letter for sign, letter in _data()["digits"].items()}


def _joined(apart: str) -> str:
    """Letters set apart as words, by wider gaps if there are any, else by the words known."""
    signed = _SIGN.search(apart) is not None
    if signed and " " in apart and _SIGNS_ALONE.search(apart):
        return _without_gaps(_SIGNS_AND_SPACE.sub(_WORD_BREAK, apart))
    if not signed and (wide := _wide(apart)) in apart:
        return _without_gaps(re.sub(f"{wide} *", _WORD_BREAK, apart))
    letters = _without_gaps(apart)
    if len(set(letters)) == 1:
        return letters
    return " ".join(_word_end().split(letters)).strip()


def _wide(apart: str) -> str:
    """The narrowest gap that ends a word, where all gaps are spaces."""
    narrowest = next(count for count in (1, 2, 3, 4) if re.search(f"[a-z] {{{count}}}[a-z]", apart))
    narrow = max(narrowest, WORD_GAP_CHARS if "   " in apart else 1)
    return " " * (narrow + 1)


def _without_gaps(apart: str) -> str:
    for sign in set(apart):
        if not ("a" <= sign <= "z" or sign == _WORD_BREAK):
            apart = apart.replace(sign, "")
    return apart.replace(_WORD_BREAK, " ")
