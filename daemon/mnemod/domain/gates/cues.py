"""Where in a text the words a rule needs stand together: no pattern runs where it can't match.

A text is cut into pieces: sentences, and what is cut off a long one. A rule is tried in a piece
that has a word of every list it needs; the piece after a cut counts as its own. One that says with
which words it begins is tried only where one of those stands.

Latin words are compared by their first `PREFIX` letters (inflections need no list); words of a
language without spaces wherever they occur. That is looser than any pattern, never
stricter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import compress, count
from operator import or_
from typing import Final, NamedTuple

from msgspec import Struct, field

PREFIX: Final = 4
PIECE_CHARS: Final = 256
"""A sentence is cut after so many."""
JOIN_CHARS: Final = 64
STRETCH_CHARS: Final = 2048
MASKS_MAX: Final = 20_000
"""So many sets of words are known at a time."""
BITS_MAX: Final = 1_024
"""So many sets of rules are kept with their numbers."""
_END: Final = ord(".")
_LETTERS: Final = bytes(
    code if chr(code).isalnum() and code < 128 else _END if code in b".!" else 32
    for code in range(256)
)
_ONLY_LETTERS: Final = _LETTERS.replace(b".", b" ")
_EAST_END: Final = re.compile(r"[。!?]|\.\s")
_CODE_BITS: Final = 32
_PAIR: Final = 2
_Marked = tuple[tuple[str, int], ...]
"""Words that begin with the same two characters, each with its bits."""
Try = tuple[int, int]
"""The number of a rule, and a place where it is to be tried."""


class Piece(NamedTuple):
    """`start` to `end` of a text, and a set of rules (as bits) that have all their words there."""

    start: int
    end: int
    rules: int


class Stretch(Struct):
    """Pieces near each other in which rules may match.

    `tries` are those of rules that say how they begin, `others` those of the others in `pieces`.
    """

    start: int
    end: int
    tries: list[Try] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    others: list[Try] = field(default_factory=list)


class Cues:
    """The word lists of one language, which of them each rule needs, and what each begins with."""

    def __init__(
        self,
        lists: Mapping[str, Sequence[str]],
        needs: Sequence[Sequence[str]],
        begins: Sequence[Sequence[str]],
    ) -> None:
        self.lists = lists
        self.bits = {name: 1 << at for at, name in enumerate(lists)}
        self.begun = sum(1 << at for at, words in enumerate(begins) if words)
        self._needs = [sum({self.bits[name] for name in each}) for each in needs]
        self._begins = begins
        self._rules: dict[int, int] = {}

    def tried(self, mask: int) -> int:
        """The rules that need no word beside those of the lists in `mask`."""
        found = self._rules.get(mask)
        if found is None:
            if len(self._rules) >= MASKS_MAX:
                self._rules.clear()
            found = sum(1 << at for at, needed in enumerate(self._needs) if mask & needed == needed)
            self._rules[mask] = found
        return found


class LatinCues(Cues):
    """Cues of a language with spaces, in Latin letters."""

    def __init__(
        self,
        lists: Mapping[str, Sequence[str]],
        needs: Sequence[Sequence[str]],
        begins: Sequence[Sequence[str]],
    ) -> None:
        super().__init__(lists, needs, begins)
        self._words: dict[bytes, int] = {}
        """By its first letters what a word counts for: its lists, and above them what it begins."""
        self._shift = len(lists)
        self._lists = (1 << self._shift) - 1
        for name, words in lists.items():
            for word in words:
                self._add(max(latin_words(word), key=len), self.bits[name])
        for at, words in enumerate(begins):
            for word in words:
                self._note(latin_words(word)[0], 1 << at + self._shift)

    def stretches(self, text: str) -> Iterator[Stretch]:
        """In order."""
        return joined(self._found(text))

    def _add(self, word: bytes, lists: int) -> None:
        if len(word) < PREFIX:
            for ending in (b"s", b"i", b"e"):  # plural, -ing, -ed
                self._note(word + ending, lists)
        self._note(word, lists)

    def _note(self, word: bytes, counts: int) -> None:
        self._words[word[:PREFIX]] = self._words.get(word[:PREFIX], 0) | counts

    def _found(self, text: str) -> Iterator[tuple[Piece, Sequence[Try]]]:
        for start, piece, beyond in _pieces(text):
            words = piece.split(b" ")
            counts = self._counts(words)
            known = reduce(or_, counts)
            lists = known
            if beyond:  # a rule may need words of the piece that follows a cut
                lists |= reduce(or_, self._counts(beyond.split()), 0)
            rules = self.tried(lists & self._lists)
            others = rules & ~self.begun
            begun = known & rules << self._shift
            tries = []
            if begun:
                place = start
                for word, count in zip(words, counts, strict=True):
                    if count & begun:
                        for number in bits((count & begun) >> self._shift):
                            tries.append((number, place))
                    place += len(word) + 1
            if tries or others:
                yield Piece(start, start + len(piece), others), tries

    def _counts(self, words: Iterable[bytes]) -> list[int]:
        get = self._words.get
        return [get(word[:PREFIX], 0) for word in words]


class EastWords:
    """Words of languages without spaces, each with a set (as bits) of what it counts for."""

    def __init__(self) -> None:
        self._pairs: dict[int, _Marked] = {}
        self._alone: dict[str, int] = {}
        self._single: re.Pattern[str] | None = None

    def add(self, word: str, bits: int) -> None:
        if len(word) == 1:
            self._alone[word] = self._alone.get(word, 0) | bits
            self._single = None
            return
        pair = ord(word[0]) | ord(word[1]) << _CODE_BITS
        known = dict(self._pairs.get(pair, ()))
        # Most words are in one list: they share its bits.
        known[word] = known[word] | bits if word in known else bits
        self._pairs[pair] = tuple(known.items())

    def hits(self, text: str) -> list[tuple[int, int]]:
        """Where a word begins, and its bits: in order, a place once for each word there."""
        hits = []
        found = self._found(text)
        for place, words in zip(compress(count(), found), filter(None, found), strict=False):
            for word, of_word in words:
                if len(word) == _PAIR or text.startswith(word, place):
                    hits.append((place, of_word))
        if self._alone:
            if self._single is None:
                self._single = re.compile(f"[{re.escape(''.join(self._alone))}]")
            alone = self._alone
            hits += [(each.start(), alone[each[0]]) for each in self._single.finditer(text)]
        hits.sort()
        return hits

    def _found(self, text: str) -> list[_Marked | None]:
        """The words that begin with the two characters at each place."""
        data = memoryview(text.encode("utf-32-le", "surrogatepass"))
        found: list[_Marked | None] = [None] * (len(text) - 1)
        found[::2] = map(self._pairs.get, data[: len(text) // 2 * 8].cast("Q"))
        found[1::2] = map(self._pairs.get, data[4 : 4 + (len(text) - 1) // 2 * 8].cast("Q"))
        return found


class EastCues:
    """Cues of languages without spaces, which share characters: looked for in one go."""

    def __init__(self, languages: Sequence[Cues]) -> None:
        self.words = EastWords()
        self._languages = languages
        self._rules: dict[int, list[tuple[int, int]]] = {}
        self._shifts = [len(one.lists) for one in languages]
        self.width = sum(self._shifts)
        """Bits of a word that are lists; those above are free to use."""
        shift = 0
        for language in languages:
            for name, words in language.lists.items():
                of_list = language.bits[name] << shift
                for word in words:
                    self.words.add(word, of_list)
            shift += len(language.lists)

    def pieces(self, text: str, hits: Sequence[tuple[int, int]]) -> list[list[Piece]]:
        """Of each language, in order; `hits` of `words` in the text."""
        found: list[list[Piece]] = [[] for _ in self._languages]
        pieces = list(self._masks(text, hits))
        following = (*(mask for _, _, mask, _ in pieces[1:]), 0)
        for (start, end, mask, is_cut), after in zip(pieces, following, strict=False):
            for number, rules in self._tried(mask | after if is_cut else mask):
                found[number].append(Piece(start, end, rules))
        return found

    def _tried(self, mask: int) -> list[tuple[int, int]]:
        """The languages, by number, that have rules to be tried, and the rules."""
        known = self._rules.get(mask)
        if known is None:
            known = []
            lists = mask
            for number, (language, count) in enumerate(
                zip(self._languages, self._shifts, strict=True)
            ):
                if rules := language.tried(lists & ((1 << count) - 1)):
                    known.append((number, rules))
                lists >>= count
            if len(self._rules) >= MASKS_MAX:
                self._rules.clear()
            self._rules[mask] = known
        return known

    def _masks(
        self, text: str, hits: Sequence[tuple[int, int]]
    ) -> Iterator[tuple[int, int, int, bool]]:
        """The pieces with a word of any list, the lists, and whether the piece was cut off."""
        end = mask = start = 0
        last, is_cut = len(text), False
        ends = _east_ends(text)
        lists = (1 << self.width) - 1
        for at, found in hits:
            while at >= end:
                if mask := mask & lists:
                    yield start, end, mask, is_cut
                start, mask = end, 0
                end, is_cut = next(ends, (last + 1, False))
            mask |= found
        if mask := mask & lists:
            yield start, min(end, last), mask, is_cut


def _east_ends(text: str) -> Iterator[tuple[int, bool]]:
    """Where each piece ends, and whether it is cut off there."""
    start = 0
    for found in _EAST_END.finditer(text):
        end = found.end()
        while end - start > PIECE_CHARS:
            start += PIECE_CHARS
            yield start, True
        yield end, False
        start = end
    while len(text) - start > PIECE_CHARS:
        start += PIECE_CHARS
        yield start, True
    yield len(text), False


@lru_cache(maxsize=BITS_MAX)
def bits(rules: int) -> tuple[int, ...]:
    """The numbers of the rules in a set of them."""
    numbers = []
    while rules:
        numbers.append((rules & -rules).bit_length() - 1)
        rules &= rules - 1
    return tuple(numbers)


def latin_words(text: str) -> list[bytes]:
    """The words of a folded text in Latin letters."""
    return text.encode("ascii", "replace").translate(_ONLY_LETTERS).split()


def _pieces(text: str) -> Iterator[tuple[int, bytes, bytes]]:
    """Where each piece starts, its words with spaces between, and what it was cut off from."""
    # What is no ASCII becomes a question mark, which ends nothing then.
    data = text.replace("?", "!").encode("ascii", "replace").translate(_LETTERS)
    start = 0
    for sentence in data.split(b"."):
        if len(sentence) <= PIECE_CHARS:
            if sentence:
                yield start, sentence, b""
        else:
            cuts = [*_cuts(sentence), len(sentence)]
            for first, cut, end in zip([0, *cuts], cuts, [*cuts[1:], len(sentence)], strict=False):
                yield start + first, sentence[first:cut], sentence[cut:end]
        start += len(sentence) + 1


def _cuts(sentence: bytes) -> Iterator[int]:
    """Where a long sentence is cut: between words."""
    cut = sentence.find(b" ", PIECE_CHARS)
    while cut >= 0:
        yield cut
        cut = sentence.find(b" ", cut + PIECE_CHARS) if len(sentence) - cut > PIECE_CHARS else -1


def joined(found: Iterable[tuple[Piece, Sequence[Try]]]) -> Iterator[Stretch]:
    """Pieces near each other as one stretch of a bounded length."""
    stretch: Stretch | None = None
    for piece, tries in found:
        if stretch is not None and (
            piece.start > stretch.end + JOIN_CHARS or piece.end > stretch.start + STRETCH_CHARS
        ):
            yield stretch
            stretch = None
        if stretch is None:
            stretch = Stretch(piece.start, piece.end)
        stretch.end = piece.end
        stretch.tries += tries
        if piece.rules:
            stretch.pieces.append(piece)
    if stretch is not None:
        yield stretch
