"""Text as rules read it, with the way back: every place in the folded form names its source's.

Folding makes one form of what looks or reads the same, and takes away what cannot be seen:

- NFKC and case folding of each character: width, ligatures, half-width kana, enclosed forms;
- traditional Chinese characters as simplified ones (`han`), in Japanese text too;
- invisible characters out: zero-width, bidirectional, variation selectors, fillers, soft hyphens;
- marks that are written apart composed with their letter (so NFC and NFD are one);
- dashes `-`, quotation marks `'` and `"`, `~`, ideographic stops as ASCII where Unicode does not.
  The marks `。`, `、`, `「`, `」`, `『`, `』` stay: sentences and quotations end at them;
- every kind of white space a space, every kind of line end `\\n`. Runs stay as long as they are;
  `collapsed` makes one of each.

The stored text is never changed. Offsets count code points and are half open.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Final

from msgspec import Struct

from mnemod.domain import han
from mnemod.domain.per_character import PerCharacter
from mnemod.domain.unicode_forms import MARKS_MAX, bounded
from mnemod.domain.way_back import Layer, Lazy, by_character, by_match, by_pieces, by_text

EXPANSION_MAX: Final = 6
"""A character that stands for more (two Arabic ligatures do) is kept as it is."""

_MARKS: Final = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—―−﹣－⁃", "-"),
        **dict.fromkeys("‘’‚‛ʼ＇`´‹›", "'"),
        **dict.fromkeys("“”„‟«»＂″", '"'),
        **dict.fromkeys("～〜∼", "~"),
        **dict.fromkeys("．", "."),
        **dict.fromkeys("\r\x0b\x0c\x85\u2028\u2029", "\n"),
        "｡": "。",
        "､": "、",
    }
)
_INVISIBLE: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
_ONLY_SCRIPT: Final = re.compile(
    "[\u3400-\ua48f\uac00-\ud7a3\ue000-\uf8ff\U00010800-\U00010c7f\U00011900-\U0001342f"
    "\U00013440-\U00016e3f\U00016e60-\U0001bc9f\U0001bcb0-\U0001d15d\U0001d800-\U0001e8ff"
    "\U0001f252-\U0001fbef\U00020000-\U0002f7ff\U0002fa20-\U000dffff\U000f0000-\U0010ffff]"
)
"""Characters in which nothing but their script can change: so it is soon said of a new one."""
_SPACES: Final = re.compile(" {2,}")
_FOREIGN: Final = re.compile("([^\x00-\x7f]+)")
_OFTEN: Final = 4
_SELDOM: Final = 16
"""A text with one foreign byte in so many is worth a look at what is foreign in it."""
_CHANGING_MAX: Final = 48
"""So many different characters are replaced one after another."""
_SHORT_CHARS: Final = 2_048
_SHORT_MAX: Final = 8
"""So many of the last short texts are remembered: parts of a long one, which is as well."""
_COMPOSED: Final = (
    "\x00-\u02ff\u0370-\u0482\u048a-\u052f\u1e00-\u1fff\u2002-\u206f\u2190-\u27bf\u3000-\u3029"
    "\u3030-\u3098\u309b-\u9fff\uac00-\ud7a3\uff01-\uff9d\U0001f000-\U0001faff"
)
_MAY_COMPOSE: Final = re.compile(f"[^{_COMPOSED}]")
"""What most texts have none of: marks, and letters that join the one before."""
_MAY_BE_LONG: Final = re.compile(f"[^{_COMPOSED}]{{{MARKS_MAX + 1},}}")
_APART_MAX: Final = 16 * 1024
"""So many marks, and letters that join, are a flood: their letters are left without them."""
_MANY_APART: Final = re.compile(f"(?:[{_COMPOSED}]*+[^{_COMPOSED}]){{{_APART_MAX}}}")
_FEW_APART: Final = 24
"""One of them in so many characters is few."""
_RUN: Final = re.compile(f"[^{_COMPOSED}]+")
_GROWTH_MAX: Final = 1.25
_LINES: Final = re.compile(r" ?\n[ \n]+| \n")
DASHES: Final = (
    "-\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u207b\u208b\u2212\ufe31\ufe32\ufe58\ufe63\uff0d"
)
"""All that fold to `-`, which stands first for `re`."""


class Folded(Struct, frozen=True):
    """A folded text. `layers` lead from it back to its source, the last made first."""

    text: str
    layers: tuple[Layer, ...] = ()

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where `text[start:end]` stands in the source."""
        for layer in reversed(self.layers):
            start, end = layer(start, end)
        return start, end

    def with_sign(self, source: str, char: str, by: str) -> Folded | None:
        """The text with `by` where `source`, its own, has `char`, one of DASHES; no mark joins it.

        None where a dash came from something else: then `source` is to be folded anew.
        """
        dashes = [each for each in DASHES if each in source]
        if self.text.count("-") != sum(map(source.count, dashes)):
            return None
        if dashes == [char]:
            return Folded(self.text.replace("-", by), self.layers)
        signs = re.sub(f"[^{''.join(dashes)}]+", "", source).replace(char, by)
        for each in dashes:
            signs = signs.replace(each, "-")
        parts = [""] * (2 * len(signs) + 1)
        parts[::2], parts[1::2] = self.text.split("-"), signs
        return Folded("".join(parts), self.layers)

    def sub(self, pattern: re.Pattern[str], by: str | Callable[[re.Match[str]], str]) -> Folded:
        """The text with every match replaced, as `re.sub` does, and the way back kept.

        A text stands as it is, back-slashes too; what depends on the match is a function's work.
        """
        literal = by.replace("\\", r"\\") if isinstance(by, str) else by
        return self._made(pattern.sub(literal, self.text), pattern, by)

    def collapsed(self) -> Folded:
        """The text with one space for a run of them, and one line end where a run holds one."""
        return self.sub(_SPACES, " ").sub(_LINES, "\n")

    def composed(self) -> Folded:
        """The text with marks that stand apart in one character with their letter (NFC)."""
        return self.bounded()._in_nfc() if _MAY_COMPOSE.search(self.text) else self

    def bounded(self) -> Folded:
        """The text with no endless run of marks: of each no more than MARKS_MAX."""
        cut = _MAY_BE_LONG.sub(lambda run: bounded(run[0]), self.text)
        if cut == self.text:
            return self
        return Folded(cut, (*self.layers, Lazy(partial(_bounds, self.text))))

    def _in_nfc(self) -> Folded:
        composed = _nfc(self.text)
        if composed == self.text:
            return self
        return Folded(composed, (*self.layers, Lazy(partial(_composes, self.text))))

    def _made(
        self, changed: str, pattern: re.Pattern[str], by: str | Callable[[re.Match[str]], str]
    ) -> Folded:
        if changed == self.text:
            return self
        replace = by if callable(by) else lambda _: by
        return Folded(changed, (*self.layers, Lazy(lambda: by_match(self.text, pattern, replace))))


def fold(text: str) -> Folded:
    """`text` as the head of this file says. Linear; the way back is worked out when asked for.

    The last text is remembered: the gates and the normaliser look at the same one after another.
    """
    return _short(text) if len(text) <= _SHORT_CHARS else _long(text)


def fold_part(text: str) -> Folded:
    """The same of a part of a text, or of what it says in code: the text stays remembered."""
    return _short(text) if len(text) <= _SHORT_CHARS else _form(text)


def _form(text: str) -> Folded:
    if text.isascii():
        return Folded(text.lower().translate(_ASCII))
    # Marks are counted after this: what stood between them, and could not be seen, is gone.
    form = Folded(_translated(text), (Lazy(lambda: by_character(text, _TABLE)),))
    if not _MAY_COMPOSE.search(form.text):
        return form
    return form.bounded() if _is_flood(text, form.text) else form.composed()


def _is_flood(source: str, form: str) -> bool:
    """Whether a long text is made of what takes long to compose, as none that people wrote is."""
    if len(source) <= _SHORT_CHARS:
        return False
    return len(form) > _GROWTH_MAX * len(source) or _MANY_APART.match(form) is not None


_short: Final = lru_cache(maxsize=_SHORT_MAX)(_form)
_long: Final = lru_cache(maxsize=1)(_form)


def _translated(source: str) -> str:
    """`source` through the table: as bytes where most of it is ASCII."""
    data = _bytes(source)
    foreign_bytes = len(data) - len(source)
    if foreign_bytes * _OFTEN > len(source):
        return source.translate(_TABLE)
    changing = _changing(_text(data.translate(None, _ASCII_BYTES)))
    # One after another is all at once only where no form is taken for one of the others.
    if len(changing) <= _CHANGING_MAX and changing.keys().isdisjoint("".join(changing.values())):
        data = data.translate(_LOWER_BYTES)
        for char, form in changing.items():
            data = data.replace(_bytes(char), _bytes(form))
        return _text(data)
    if foreign_bytes * _SELDOM > len(source):
        return source.translate(_TABLE)
    parts = _FOREIGN.split(_text(data.translate(_LOWER_BYTES)))
    parts[1::2] = [part.translate(_TABLE) for part in parts[1::2]]
    return "".join(parts)


def _changing(foreign: str) -> dict[str, str]:
    """The characters of `foreign` that fold to something else, each with its form."""
    forms = ((char, _TABLE[ord(char)]) for char in set(foreign))
    return {char: form for char, form in forms if form != char}


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")


def _nfc(text: str) -> str:
    """`text` in NFC. Of a long one with few marks, only these and their letters are looked at."""
    if len(text) <= _SHORT_CHARS or len(_MAY_COMPOSE.findall(text)) * _FEW_APART > len(text):
        return unicodedata.normalize("NFC", text)
    parts: list[str] = []
    done = 0
    for run in _RUN.finditer(text):
        at = max(done, run.start() - 1)
        parts += text[done:at], unicodedata.normalize("NFC", text[at : run.end()])
        done = run.end()
    return "".join([*parts, text[done:]])


def _joins(char: str) -> bool:
    # Jamo vowels and finals join a syllable without being marks.
    return unicodedata.category(char)[0] == "M" or "\u1160" <= char <= "\u11ff"


def _folded(char: str) -> str:
    return han.simplified(char) if _ONLY_SCRIPT.match(char) else _worked_out(char)


def _worked_out(char: str) -> str:
    if unicodedata.category(char) == "Cf" or _INVISIBLE.match(char):
        return ""
    if _is_plain(char):
        return han.simplified(char)
    marked = char.translate(_MARKS)
    wide = unicodedata.normalize("NFKC", marked)
    if len(wide) > EXPANSION_MAX:
        return char
    plain = unicodedata.normalize("NFKC", wide.translate(_MARKS).casefold()).translate(_MARKS)
    simple = han.simplified(plain)
    return "".join(" " if each.isspace() and each != "\n" else each for each in simple)


def _is_plain(char: str) -> bool:
    """Whether its script is all that can change in it: so it is for nearly every one there is."""
    return (
        ord(char) not in _MARKS
        and not char.isspace()
        and char == char.casefold() == unicodedata.normalize("NFKC", char)
    )


def _bounds(source: str) -> Layer:
    """Marks that were too many belong to the last one kept."""
    marks = "".join(sorted(filter(unicodedata.combining, set(source))))
    return by_text(source, f"[{marks}]+", bounded)


def _composes(source: str) -> Layer:
    """A letter and its marks became one character, or fewer."""
    marks = "".join(sorted(filter(_joins, set(source))))
    parts = re.split(f"([{marks}]+)", source)
    before = parts[:-1:2]
    clusters = [gap[-1:] + run for gap, run in zip(before, parts[1::2], strict=True)]
    gaps = [max(0, len(gap) - 1) for gap in before]
    return by_pieces(gaps, clusters, partial(unicodedata.normalize, "NFC"))


_TABLE: Final = PerCharacter(_folded)
_ASCII: Final = str.maketrans("\t\x0b\x0c\r\x1c\x1d\x1e\x1f`", " \n\n\n    '")
_ASCII_BYTES: Final = bytes(range(128))
_LOWER_BYTES: Final = bytes(
    ord(chr(code).lower().translate(_ASCII)) for code in range(128)
) + bytes(range(128, 256))
