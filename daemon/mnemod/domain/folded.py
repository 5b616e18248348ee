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
from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Final

from msgspec import Struct, field

from mnemod.domain import han
from mnemod.domain.per_character import PerCharacter
from mnemod.domain.unicode_forms import MARKS_MAX, bounded

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
_SPACES: Final = re.compile(" {2,}")
_FOREIGN: Final = re.compile("([^\x00-\x7f]+)")
_MOSTLY: Final = 16
"""A text with one foreign byte in this many is read as one of ASCII."""
_FOREIGN_MAX: Final = 32
"""And so many different foreign characters in it are replaced one after another."""
_FEW: Final = 16
_SHORT_CHARS: Final = 2_048
_SHORT_MAX: Final = 8
"""So many of the last short texts are remembered: parts of a long one, which is as well."""
_COMPOSED: Final = (
    "\x00-\u02ff\u0370-\u0482\u048a-\u052f\u1e00-\u1fff\u2002-\u206f\u2190-\u27bf\u3000-\u3029"
    "\u3030-\u3098\u309b-\u9fff\uac00-\ud7a3\uff01-\uff9d\U0001f000-\U0001faff"
)
_MAY_COMPOSE: Final = re.compile(f"[^{_COMPOSED}]")
"""What most texts have none of: marks, and letters that join the one before."""
_MAY_BE_LONG: Final = re.compile(f"[^{_COMPOSED}]{{{MARKS_MAX + 1}}}")
_LINES: Final = re.compile(r" ?\n[ \n]+| \n")

Layer = Callable[[int, int], tuple[int, int]]


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
        """The text with `by` where `source`, its own, has `char`: both fold to one character.

        None where the way back is not by character alone: then `source` is to be folded anew.
        """
        layer = self.layers[0] if len(self.layers) == 1 else None
        place = layer.place if isinstance(layer, _PerCharacter) else None
        if place is None:
            return None
        parts, at, done = [], -1, 0
        while (at := source.find(char, at + 1)) >= 0:
            parts.append(self.text[done : place(at)])
            done = place(at) + 1
        return Folded(by.join([*parts, self.text[done:]]), self.layers)

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
        if not _MAY_COMPOSE.search(self.text):
            return self
        cut = bounded(self.text) if _MAY_BE_LONG.search(self.text) else self.text
        layers = self.layers
        if cut != self.text:
            layers = (*layers, _Marked(self.text, _bounds))
        composed = unicodedata.normalize("NFC", cut)
        if composed != cut:
            layers = (*layers, _Marked(cut, _composes))
        return Folded(composed, layers)

    def _made(
        self, changed: str, pattern: re.Pattern[str], by: str | Callable[[re.Match[str]], str]
    ) -> Folded:
        if changed == self.text:
            return self
        replace = by if callable(by) else lambda _: by
        return Folded(changed, (*self.layers, _Replaced(self.text, pattern, replace)))


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
    return Folded(_translated(text), (_PerCharacter(text),)).composed()


_short: Final = lru_cache(maxsize=_SHORT_MAX)(_form)
_long: Final = lru_cache(maxsize=1)(_form)


def _translated(source: str) -> str:
    """`source` through the table: as bytes where most of it is ASCII."""
    data = _bytes(source)
    if (len(data) - len(source)) * _MOSTLY > len(source):
        return source.translate(_TABLE)
    foreign = set(_text(data.translate(None, _ASCII_BYTES)))
    forms = "".join(map(_TABLE.__getitem__, map(ord, foreign)))
    data = data.translate(_LOWER_BYTES)
    # One after another is all at once only where no form is taken for one of the others.
    if len(foreign) <= _FOREIGN_MAX and forms.translate(_TABLE) == forms:
        for char in foreign:
            data = data.replace(_bytes(char), _bytes(_TABLE[ord(char)]))
        return _text(data)
    parts = _FOREIGN.split(_text(data))
    parts[1::2] = [part.translate(_TABLE) for part in parts[1::2]]
    return "".join(parts)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")


def _joins(char: str) -> bool:
    # Jamo vowels and finals join a syllable without being marks.
    return unicodedata.category(char)[0] == "M" or "\u1160" <= char <= "\u11ff"


@lru_cache(maxsize=64)
def _clusters(marks: frozenset[str]) -> re.Pattern[str]:
    one = f"[{''.join(sorted(marks))}]"
    return re.compile(f".?{one}+", re.DOTALL)


def _folded(char: str) -> str:
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


class _PerCharacter(Struct):
    """Back through the table. `ends[n]` is where the folded form of the first n + 1 ends.

    A character for a character nearly always, and then there is no way to go. Where a few are not,
    only these are looked for.
    """

    source: str
    ends: list[int] = field(default_factory=list)
    few: _Replaced | None = None
    is_known: bool = False

    def __call__(self, start: int, end: int) -> tuple[int, int]:
        if not self.is_known:
            self._look()
        if not self.ends:
            return (start, end) if self.few is None else self.few(start, end)
        first = bisect_right(self.ends, start)
        return (first, first) if end <= start else (first, bisect_right(self.ends, end - 1) + 1)

    @property
    def place(self) -> Callable[[int], int] | None:
        """Where the form of a source's character stands, if that needs no looking for."""
        if not self.is_known:
            self._look()
        if self.ends:
            return lambda at: self.ends[at - 1] if at else 0
        return (lambda at: at) if self.few is None else None

    def _look(self) -> None:
        self.is_known = True
        uneven = [char for char in set(self.source) if len(_TABLE[ord(char)]) != 1]
        if not uneven:
            return
        few = len(uneven) <= _FEW and sum(map(self.source.count, uneven)) <= len(self.source) / _FEW
        if few:
            one = re.compile(f"[{re.escape(''.join(uneven))}]")
            self.few = _Replaced(self.source, one, lambda found: _TABLE[ord(found[0])])
        else:
            self.ends = list(accumulate(map(len, map(_TABLE.__getitem__, map(ord, self.source)))))


class _Replaced(Struct):
    """Back through `Folded.sub`. A site is one replacement: its ends after, and its ends before."""

    before: str
    pattern: re.Pattern[str]
    by: Callable[[re.Match[str]], str]
    sites: list[tuple[int, int, int, int]] | None = None

    def __call__(self, start: int, end: int) -> tuple[int, int]:
        if self.sites is None:
            self.sites = _sites(self.before, self.pattern, self.by)
        if end <= start:
            return (_back(self.sites, start)[0],) * 2
        return _back(self.sites, start)[0], _back(self.sites, end - 1)[1]


def _sites(
    before: str, pattern: re.Pattern[str], by: Callable[[re.Match[str]], str]
) -> list[tuple[int, int, int, int]]:
    sites, shift = [], 0
    for found in pattern.finditer(before):
        length = len(by(found))
        at = found.start() + shift
        sites.append((at, at + length, found.start(), found.end()))
        shift += length - (found.end() - found.start())
    return sites


def _back(sites: Sequence[tuple[int, int, int, int]], at: int) -> tuple[int, int]:
    """The ends in the source of what the one character at `at` came from."""
    place = bisect_right(sites, at, key=lambda site: site[0]) - 1
    if place < 0:
        return at, at + 1
    _, after_end, start, end = sites[place]
    if at < after_end:
        return start, end
    return end + at - after_end, end + at - after_end + 1


class _Marked(Struct):
    """Back over what was done to marks: `way` says to which, once somebody asks."""

    source: str
    way: Callable[[str], tuple[re.Pattern[str], Callable[[re.Match[str]], str]]]
    layer: _Replaced | None = None

    def __call__(self, start: int, end: int) -> tuple[int, int]:
        if self.layer is None:
            self.layer = _Replaced(self.source, *self.way(self.source))
        return self.layer(start, end)


def _bounds(source: str) -> tuple[re.Pattern[str], Callable[[re.Match[str]], str]]:
    """Marks that were too many belong to the last one kept."""
    marks = "".join(sorted(filter(unicodedata.combining, set(source))))
    return re.compile(f"[{marks}]+"), lambda found: bounded(found[0])


def _composes(source: str) -> tuple[re.Pattern[str], Callable[[re.Match[str]], str]]:
    """A letter and its marks became one character, or fewer."""
    clusters = _clusters(frozenset(char for char in set(source) if _joins(char)))
    return clusters, lambda found: unicodedata.normalize("NFC", found[0])


_TABLE: Final = PerCharacter(_folded)
_ASCII: Final = str.maketrans("\t\x0b\x0c\r\x1c\x1d\x1e\x1f`", " \n\n\n    '")
_ASCII_BYTES: Final = bytes(range(128))
_LOWER_BYTES: Final = bytes(
    ord(chr(code).lower().translate(_ASCII)) for code in range(128)
) + bytes(range(128, 256))
