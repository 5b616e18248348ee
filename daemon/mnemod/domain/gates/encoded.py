"""What a text says in code: every part that decodes to something readable, with its place.

No shape is taken for harmless unseen. A digest, an id, a path or a picture stays out because
it decodes to nothing readable; a directive of 32 letters in hex has the very shape of a SHA-256.
What comes out is not judged here: an encoded greeting is a payload as well.

A text of up to LONG characters is read run by run. Of a longer one its ends and its longest runs
are, and all of it is read as a whole (`encoded_long`, `encoded_escapes.whole`): that takes the same
time whatever stands there, and nothing in front of a run can push it out of sight.

Spans are in code points of the text as it was given. Invisible characters and full width hide
nothing; upper and lower case stay, because base64 needs them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from mnemod.domain.gates import encoded_signs
from mnemod.domain.gates.bare import bare
from mnemod.domain.gates.encoded_signs import Sign
from mnemod.domain.gates.runs import long_runs

INPUT_MAX: Final = 256 * 1024
"""Code points. A longer text is not decoded at all."""
READ_MAX: Final = 96 * 1024
"""Characters that are read of a longer text."""
DECODED_MAX: Final = 1024 * 1024
"""Code points that all decoding of one text may yield."""
WORK_MAX: Final = 288
"""Units of work for what decoded texts say in code in their turn; people's texts take some tens."""
READING: Final = 64
"""Characters that are read for a unit, beside one for each run."""
PAYLOAD: Final = 4
"""Units for what is found."""
STRETCH: Final = 3
"""Units for a stretch of escapes, whether it says anything or not."""
LONG: Final = 8 * 1024
WORD_MIN: Final = 16
"""Characters of a word in a long decoded text that is decoded again."""
ENDS: Final = 512
"""Characters at either end of a long text that are read run by run as well."""
DEPTH_MAX: Final = 3
PAYLOADS_MAX: Final = 64
"""A text with more of them gets the last as one."""

_Found = tuple[int, int, str]
GoOn = Callable[[], bool]

_LONG_WORD: Final = b"a" * WORD_MIN
_IN_WORD: Final = bytes(0x2E if chr(code).isspace() else 0x61 for code in range(256))


class Payload(Struct, frozen=True):
    """A part of a text, and what it says once decoded."""

    start: int
    end: int
    text: str


class Decoded(Struct, frozen=True):
    """The payloads of a text, and the first part of it that was not looked at for any."""

    payloads: tuple[Payload, ...]
    unread: tuple[int, int] | None = None


_NOTHING: Final = Decoded(())


def read(text: str) -> Decoded:
    """What `text` says in code, for a bounded time, and what of it was not read.

    Of a text of more than READ_MAX characters the ends are read, and the longest runs between them.
    """
    if len(text) <= READ_MAX:
        return _decoded(text, WORK_MAX)
    first, last = READ_MAX - READ_MAX // 4, len(text) - READ_MAX // 4
    head, tail = (_decoded(part, WORK_MAX // 2).payloads for part in (text[:first], text[last:]))
    moved = [replace(each, start=each.start + last, end=each.end + last) for each in tail]
    return Decoded((*head, *_longest(text, first, last), *moved), (first, last))


def _longest(text: str, start: int, end: int) -> Iterator[Payload]:
    from mnemod.domain.gates import encoded_runs

    data = text[start:end][:INPUT_MAX].encode("ascii", "replace")
    for at, to, said in encoded_runs.longest(data):
        yield Payload(start + at, start + to, said)


def payloads(text: str) -> tuple[Payload, ...]:
    """All payloads of `text` by place, each inner one after the outer one it stands in."""
    return _decoded(text, WORK_MAX).payloads if len(text) <= INPUT_MAX else ()


def _decoded(text: str, work: int) -> Decoded:
    visible = bare(text)
    level = _level(visible.text, visible.data())
    if level is None:
        return _NOTHING
    budget = _Budget(DECODED_MAX, work)
    found: dict[Payload, None] = {}
    for start, end, said in _found(level, len(visible.text), budget):
        found.setdefault(Payload(*visible.span(start, end), said))
    unread = visible.span(*budget.unread) if budget.unread else None
    return Decoded(_few(sorted(found, key=lambda payload: payload.start)), unread)


def _few(found: list[Payload]) -> tuple[Payload, ...]:
    if len(found) <= PAYLOADS_MAX:
        return tuple(found)
    rest = found[PAYLOADS_MAX - 1 :]
    end = max(payload.end for payload in rest)
    joined = Payload(rest[0].start, end, "\n".join(payload.text for payload in rest))
    return (*found[: PAYLOADS_MAX - 1], joined)


class _Budget(Struct):
    """What is left of DECODED_MAX and of WORK_MAX, and the first part that they did not reach."""

    left: int
    work: int
    seen: set[str] = field(default_factory=set)
    unread: tuple[int, int] | None = None

    def take(self, size: int, work: int = 0) -> bool:
        self.left -= size
        self.work -= work
        return self.left >= 0 and (work == 0 or self.work >= 0)

    def is_new(self, said: str) -> bool:
        """Whether nothing equal was read before."""
        count = len(self.seen)
        self.seen.add(said)
        return len(self.seen) > count


def _found(level: Iterator[_Found], size: int, budget: _Budget) -> Iterator[_Found]:
    for start, end, said in level:
        if not budget.take(len(said)):
            budget.unread = budget.unread or (start, size)
            return
        yield start, end, said
        for inner in _inside(said, DEPTH_MAX - 1, budget):
            yield start, end, inner
        if budget.work < 0:
            budget.unread = budget.unread or (start, end)


def _inside(said: str, depth: int, budget: _Budget) -> Iterator[str]:
    """What a decoded text says in code in its turn, `depth` times over."""
    if depth == 0 or not budget.is_new(said):
        return
    text = _worth_reading(said)
    data = text.encode("ascii", "replace")
    if not budget.take(0, 1 + len(text) // READING + encoded_signs.runs(data)):
        return
    for _, _, inner in _level(text, data, lambda: budget.take(0, STRETCH)) or ():
        if not budget.take(len(inner), PAYLOAD):
            return
        yield inner
        yield from _inside(inner, depth - 1, budget)


def _worth_reading(said: str) -> str:
    """What of a long decoded text may be code in its turn: its long words, of many the outer ones.

    Prose that came out of one decoder is not put through all of them again.
    """
    if len(said) <= LONG:
        return said
    if len(said) > 4 * LONG:
        return f"{_long_words(said)}\n{_long_words(said[::-1])[::-1]}"
    words = "\n".join([word for word in said.split() if len(word) >= WORD_MIN])
    return words if len(words) <= 2 * LONG else f"{words[:LONG]}\n{words[-LONG:]}"


def _long_words(said: str) -> str:
    """The first of the long words of `said`."""
    kinds = said.encode("ascii", "replace").translate(_IN_WORD)
    words: list[str] = []
    size = 0
    for start, end in long_runs(kinds, _LONG_WORD):
        words.append(said[start:end][:LONG])
        size += len(words[-1])
        if size >= LONG:
            break
    return "\n".join(words)


def _level(text: str, data: bytes, go_on: GoOn = lambda: True) -> Iterator[_Found] | None:
    """What `text`, whose projection `data` is, says once decoded; None for nearly every message.

    `go_on` is asked before each stretch of escapes.
    """
    if len(text) > LONG:
        return _of_long(text, data, go_on)
    signs = encoded_signs.of(data)
    return _of_short(text, data, signs, go_on) if signs else None


def _of_short(text: str, data: bytes, signs: list[Sign], go_on: GoOn) -> Iterator[_Found]:
    if Sign.ESCAPES in signs:
        from mnemod.domain.gates import encoded_escapes

        yield from encoded_escapes.stretches(text, go_on)
        signs.remove(Sign.ESCAPES)
    if not signs:
        return
    from mnemod.domain.gates import encoded_runs

    for sign in signs:
        found = list(encoded_runs.READERS[sign](data))
        yield from found
        if found and sign is Sign.HEXADECIMAL:
            # Pairs of hex digits are pieces of base64 as well: they would be read twice.
            return


def _of_long(text: str, data: bytes, go_on: GoOn) -> Iterator[_Found]:
    from mnemod.domain.gates import encoded_escapes, encoded_long, encoded_runs

    whole = list(encoded_runs.longest(data))
    yield from whole
    # One run from end to end is read; its letters a second time say nothing else.
    if not any(end - start > 0.9 * len(data) for start, end, _ in whole):
        yield from encoded_long.found(data)
        for at in (0, len(text) - ENDS):
            part = slice(at, at + ENDS)
            for start, end, said in _level(text[part], data[part], go_on) or ():
                yield at + start, at + end, said
    yield from encoded_escapes.whole(text, data, go_on)
