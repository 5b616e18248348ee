"""Which portions of a long text the guard reads, for a budget of work that only the text decides.

Work is counted in units of about a microsecond: so much for a character, a rule that is tried,
something found. It is never measured by a clock: the same text has the same verdict anywhere.

A text of up to WHOLE_MAX characters is one portion, and its budget more than any that people wrote
needs. A longer one is too if the budget looks to be enough; else its ends are read, and then the
blocks in which an order is likeliest (`strong_words`). What is left unread is for the caller to
tell, never to pass over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from mnemod.domain.folded import Folded
from mnemod.domain.gates.directive_rules import Span
from mnemod.domain.gates.strong_words import glance

WHOLE_MAX: Final = 16 * 1024
"""Characters of a text that is read from its beginning to its end, while the budget lasts."""
HEAD: Final = 6 * 1024
TAIL: Final = 2 * 1024
WHOLE_BUDGET: Final = 25_000.0
"""Of such a text. Of all that were tried at its full length (notes, talk, code, licences, lists of
cases) none took more than 23,400, but for lists of the words of attacks."""
BUDGET: Final = 22_000.0
BUDGET_MIN: Final = 6_000.0
OTHERS: Final = 0.06
"""Units for each byte that all else takes which is done with a text before it is acknowledged."""
DECODED_BUDGET: Final = 2_500.0
"""And for all that it says in code."""
ENDS_SHARE: Final = 0.6
"""The most of it that the ends of a text may take."""
GLANCE: Final = 0.03
"""Of a character, for the glance at all of a text that says where to begin."""
CHAR: Final = 0.32
BYTE: Final = 0.25
"""Of each byte more that a character takes in UTF-8: Chinese and Japanese take longer."""
WORD: Final = 3.0
"""Of a word that a strong rule may need: a guess at the tries it leads to."""
CAUTION: Final = 1.15
"""A text is read whole if so much more than what it looks to take is there."""
TRY: Final = 1.0
CROWD_MAX: Final = 128
"""Places at which one rule is tried in one stretch of a long text."""
FOUND: Final = 80.0
MARK: Final = 2.0
"""Of each quotation mark near what is found."""
FRAME: Final = 40.0
"""Of a frame that may be quoted where attacks are spoken of."""
STANDS: Final = 250.0
"""Of what may be an order: whether the words around it report it."""
LOOK: Final = 60.0
BLOCK: Final = 512
GLANCED_MAX: Final = 192
"""Blocks that are glanced at: three quarters of them at the beginning, a quarter at the end."""
MARGIN: Final = 160
"""Characters read on either side of a portion: an order across its border is whole in one."""


class Work(Struct):
    """What is left of a budget, in units."""

    left: float

    def take(self, units: float) -> bool:
        """Whether there was so much left; what there was is used up."""
        self.left -= units
        return self.left >= 0


def portions(text: str, folded: Folded, work: Work) -> Iterator[Span]:
    """The portions of `text` that `work` is enough for, in the order they are to be read in."""
    if not text:
        return
    if len(text) <= WHOLE_MAX:
        yield 0, len(text)
        return
    # Folding moves places a little: a text in which it moves them far is ranked less well.
    count = -(-len(text) // BLOCK)
    numbers = list(range(count))
    if count > GLANCED_MAX:
        del numbers[GLANCED_MAX * 3 // 4 : count - GLANCED_MAX // 4]
    place = len(folded.text) / count
    seen = glance([folded.text[int(at * place) : int((at + 1) * place)] for at in numbers])
    work.take(GLANCE * BLOCK * len(numbers))
    share = (price(folded.text) - LOOK) / count
    prices = {at: share + WORD * known for at, known in zip(numbers, seen.known, strict=True)}
    if count == len(numbers) and sum(prices.values()) * CAUTION <= work.left:
        yield 0, len(text)
        return
    ends = list(_ends(prices, work.left * ENDS_SHARE))
    for run in _runs(ends):
        yield run[0] * BLOCK, min(len(text), (run[-1] + 1) * BLOCK)
    read = frozenset(ends)
    for at in map(numbers.__getitem__, seen.order):
        if at in read:
            continue
        if work.left <= 0:
            return
        yield at * BLOCK, min(len(text), (at + 1) * BLOCK)


def budget(text: str) -> Work:
    """What may be done for `text`: the more else it takes, the less, so that all is bounded."""
    if len(text) <= WHOLE_MAX:
        return Work(WHOLE_BUDGET)
    size = len(text.encode("utf-8", "surrogatepass"))
    return Work(max(BUDGET_MIN, BUDGET - OTHERS * size))


def price(text: str) -> float:
    """Of one look at `text`, without the rules that are tried in it."""
    return LOOK + CHAR * len(text) + BYTE * (len(text.encode("utf-8", "surrogatepass")) - len(text))


def affordable(work: Work) -> int:
    """The characters of a decoded text that are worth a glance."""
    return max(0, int(work.left / CHAR))


def unread(size: int, read: Iterable[Span]) -> Span | None:
    """The first part of a text of `size` characters that is in none of the spans `read`."""
    at = 0
    for start, end in sorted(read):
        if start > at:
            return at, start
        at = max(at, end)
    return (at, size) if at < size else None


def _ends(prices: Mapping[int, float], left: float) -> Iterator[int]:
    """The blocks of the ends of a text, by number, as many as `left` units are enough for."""
    last = max(prices) + 1
    for at in (*range(min(last, HEAD // BLOCK)), *range(max(0, last - TAIL // BLOCK), last)):
        left -= prices[at]
        if left < 0:
            return
        yield at


def _runs(chosen: Iterable[int]) -> Iterator[list[int]]:
    """Numbers in order, those that follow each other together."""
    run: list[int] = []
    for at in sorted(chosen):
        if run and at > run[-1] + 1:
            yield run
            run = []
        run.append(at)
    if run:
        yield run
