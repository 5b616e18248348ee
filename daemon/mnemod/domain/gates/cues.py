"""Where in a text the words a rule needs stand together: no pattern runs where it can't match.

A text is cut into pieces: sentences, and what is cut off a long one. A rule is tried in a piece
that has a word of every list it needs; the piece after a cut counts as its own. One that says with
which words it begins is tried only where one of those stands and the words it needs follow.

Latin words are compared by their first `PREFIX` letters (inflections need no list); words of a
language without spaces wherever they occur. That is looser than any pattern, never
stricter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

PREFIX: Final = 4
PIECE_CHARS: Final = 256
"""A sentence is cut after so many."""
JOIN_CHARS: Final = 64
STRETCH_CHARS: Final = 2048
MASKS_MAX: Final = 20_000
"""So many sets of words are known at a time."""
SEEN_MAX: Final = 1_024
"""So many different pieces of one text are looked at once, however often they stand there."""
_END: Final = ord(".")
_LETTERS: Final = bytes(
    code if chr(code).isalnum() and code < 128 else _END if code in b".!" else 32
    for code in range(256)
)
_ONLY_LETTERS: Final = _LETTERS.replace(b".", b" ")
_EAST_END: Final = re.compile(r"[。!?]|\.\s")
_CODE_BITS: Final = 32
_PAIR: Final = 2
_Words = tuple[bytes, list[tuple[int, int]], int, int]
"""A piece, what each word known in it is in, and all lists and rules of them."""


@dataclass(frozen=True, slots=True)
class Piece:
    """`start` to `end` of a text, and a set of rules (as bits) that have all their words there."""

    start: int
    end: int
    rules: int


@dataclass(slots=True)
class Stretch:
    """Pieces near each other in which rules may match.

    `tries` are the places at which a rule that says how it begins is to be tried, and its number;
    `others` the numbers of the others to be tried in `pieces`, and the places.
    """

    start: int
    end: int
    tries: list[tuple[int, int]] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    others: list[tuple[int, int]] = field(default_factory=list)


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
        self._words: dict[bytes, tuple[int, int]] = {}
        for name, words in lists.items():
            for word in words:
                self._add(max(latin_words(word), key=len), self.bits[name], 0)
        for at, words in enumerate(begins):
            for word in words:
                self._add(latin_words(word)[0], 0, 1 << at)

    def stretches(self, text: str) -> Iterator[Stretch]:
        """In order."""
        return joined(self._found(text))

    def _add(self, word: bytes, lists: int, begins: int) -> None:
        if len(word) < PREFIX and lists:
            for ending in (b"s", b"i", b"e"):  # plural, -ing, -ed
                self._note(word + ending, lists, begins)
        self._note(word, lists, begins)

    def _note(self, word: bytes, lists: int, begins: int) -> None:
        before = self._words.get(word[:PREFIX], (0, 0))
        self._words[word[:PREFIX]] = before[0] | lists, before[1] | begins

    def _found(self, text: str) -> Iterator[tuple[Piece, list[tuple[int, int]]]]:
        seen: dict[bytes, _Words] = {}
        tried: dict[tuple[bytes, int], list[tuple[int, int]]] = {}
        waits: tuple[int, _Words] | None = None
        for start, piece, is_cut in _pieces(text):
            words = seen.get(piece) or self._looked_up(piece)
            if len(seen) < SEEN_MAX:
                seen[piece] = words
            if waits is not None:
                # A rule needs words of the piece that follows a cut.
                yield from self._judged(*waits, words[2], tried)
            waits = (start, words) if is_cut else None
            if waits is None:
                yield from self._judged(start, words, 0, tried)
        if waits is not None:
            yield from self._judged(*waits, 0, tried)

    def _looked_up(self, piece: bytes) -> _Words:
        get = self._words.get
        hits = [hit for word in piece.split() if (hit := get(word[:PREFIX]))]
        lists = begins = 0
        for each, begin in hits:
            lists |= each
            begins |= begin
        return piece, hits, lists, begins

    def _judged(
        self,
        start: int,
        words: _Words,
        after: int,
        tried: dict[tuple[bytes, int], list[tuple[int, int]]],
    ) -> Iterator[tuple[Piece, list[tuple[int, int]]]]:
        piece, hits, lists, begins = words
        rules = self.tried(lists | after)
        others = rules & ~self.begun
        tries = []
        if rules & begins:
            known = tried.get((piece, after))
            if known is None:
                known = self._tries(piece, hits, after)
                if len(tried) < SEEN_MAX:
                    tried[piece, after] = known
            tries = [(start + at, number) for at, number in known]
        if tries or others:
            yield Piece(start, start + len(piece), others), tries

    def _tries(
        self, piece: bytes, hits: list[tuple[int, int]], after: int
    ) -> list[tuple[int, int]]:
        """Where a rule may begin, as words it needs follow: by place, then by rule."""
        known, begun = self._rules, []
        for at in range(len(hits) - 1, -1, -1):
            lists, begins = hits[at]
            after |= lists
            if begins:
                there = known.get(after)
                rules = begins & (self.tried(after) if there is None else there)
                if rules:
                    begun.append((at, rules))
        if not begun:
            return []
        places = self._places(piece)
        return [(places[at], number) for at, rules in reversed(begun) for number in bits(rules)]

    def _places(self, piece: bytes) -> list[int]:
        """Where the words stand that are in a list, or that a rule may begin with."""
        places, at, words = [], 0, self._words
        for word in piece.split(b" "):
            if word[:PREFIX] in words:
                places.append(at)
            at += len(word) + 1
        return places


class EastWords:
    """Words of languages without spaces, each with a set (as bits) of what it counts for."""

    def __init__(self) -> None:
        self._pairs: dict[int, dict[str, int]] = {}
        self._alone: dict[str, int] = {}
        self._single: re.Pattern[str] | None = None

    def add(self, word: str, bits: int) -> None:
        if len(word) == 1:
            self._alone[word] = self._alone.get(word, 0) | bits
            self._single = None
            return
        known = self._pairs.setdefault(ord(word[0]) | ord(word[1]) << _CODE_BITS, {})
        known[word] = known.get(word, 0) | bits

    def hits(self, text: str) -> list[tuple[int, int]]:
        """Where a word begins, and its bits: in order, a place once for each word there."""
        data = text.encode("utf-32-le", "surrogatepass")
        hits = []
        for odd in (0, 1):
            whole = (len(text) - odd) // 2 * 8
            codes = memoryview(data)[4 * odd : 4 * odd + whole].cast("Q")
            found = enumerate(map(self._pairs.get, codes))
            for at, words in [(at, words) for at, words in found if words]:
                place = 2 * at + odd
                for word, of_word in words.items():
                    if len(word) == _PAIR or text.startswith(word, place):
                        hits.append((place, of_word))
        if self._alone:
            if self._single is None:
                self._single = re.compile(f"[{re.escape(''.join(self._alone))}]")
            alone = self._alone
            hits += [(each.start(), alone[each[0]]) for each in self._single.finditer(text)]
        hits.sort()
        return hits


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
                for word in words:
                    self.words.add(word, language.bits[name] << shift)
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


def bits(rules: int) -> Iterator[int]:
    """The numbers of the rules in a set of them."""
    while rules:
        yield (rules & -rules).bit_length() - 1
        rules &= rules - 1


def latin_words(text: str) -> list[bytes]:
    """The words of a folded text in Latin letters."""
    return text.encode("ascii", "replace").translate(_ONLY_LETTERS).split()


def _pieces(text: str) -> Iterator[tuple[int, bytes, bool]]:
    """Where each piece starts, its words with spaces between, and whether it was cut off."""
    # What is no ASCII becomes a question mark, which ends nothing then.
    data = text.replace("?", "!").encode("ascii", "replace").translate(_LETTERS)
    start = 0
    for sentence in data.split(b"."):
        first = 0
        while len(sentence) - first > PIECE_CHARS:
            cut = sentence.find(b" ", first + PIECE_CHARS)
            if cut < 0:
                break
            yield start + first, sentence[first:cut], True
            first = cut
        yield start + first, sentence[first:] if first else sentence, False
        start += len(sentence) + 1


def joined(found: Iterable[tuple[Piece, Sequence[tuple[int, int]]]]) -> Iterator[Stretch]:
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
