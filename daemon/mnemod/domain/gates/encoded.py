"""What a text says in code: every part that decodes to something readable, with its place.

No shape is taken for harmless unseen. A digest, an id, a path or a picture stays out because
it decodes to nothing readable; a directive of 32 letters in hex has the very shape of a SHA-256.
What comes out is not judged here: an encoded greeting is a payload as well.

Spans are in code points of the text as it was given. Invisible characters and full width hide
nothing; upper and lower case stay, because base64 needs them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from mnemod.domain.gates import encoded_signs
from mnemod.domain.gates.bare import bare
from mnemod.domain.gates.encoded_signs import Sign

INPUT_MAX: Final = 256 * 1024
"""Code points. A longer text is not decoded at all."""
DECODED_MAX: Final = 1024 * 1024
"""Code points that all decoding of one text may yield."""
DEPTH_MAX: Final = 3
PAYLOADS_MAX: Final = 64
"""A text with more of them gets the last as one."""

_ORDER: Final = (Sign.BASE64, Sign.NUMBERS, Sign.HEXADECIMAL, Sign.PIECES)


@dataclass(frozen=True, slots=True)
class Payload:
    """A part of a text, and what it says once decoded."""

    start: int
    end: int
    text: str


def payloads(text: str) -> tuple[Payload, ...]:
    """All payloads of `text` by place, each inner one after the outer one it stands in."""
    if len(text) > INPUT_MAX:
        return ()
    visible = bare(text)
    found: dict[Payload, None] = {}
    budget = _Budget(DECODED_MAX)
    for start, end, said in _found(visible.text, DEPTH_MAX, budget):
        found.setdefault(Payload(*visible.span(start, end), said))
    return _few(sorted(found, key=lambda payload: payload.start))


def _few(found: list[Payload]) -> tuple[Payload, ...]:
    if len(found) <= PAYLOADS_MAX:
        return tuple(found)
    rest = found[PAYLOADS_MAX - 1 :]
    end = max(payload.end for payload in rest)
    joined = Payload(rest[0].start, end, "\n".join(payload.text for payload in rest))
    return (*found[: PAYLOADS_MAX - 1], joined)


@dataclass(slots=True)
class _Budget:
    left: int

    def take(self, size: int) -> bool:
        self.left -= size
        return self.left >= 0


def _found(text: str, depth: int, budget: _Budget) -> Iterator[tuple[int, int, str]]:
    for start, end, said in _one_level(text):
        if not budget.take(len(said)):
            return
        yield start, end, said
        if depth > 1:
            for _, _, inner in _found(said, depth - 1, budget):
                yield start, end, inner


def _one_level(text: str) -> Iterator[tuple[int, int, str]]:
    data = text.encode("ascii", "replace")
    signs = encoded_signs.of(data)
    if Sign.ESCAPES in signs:
        from mnemod.domain.gates import encoded_escapes

        yield from encoded_escapes.stretches(text)
    if signs - {Sign.ESCAPES}:
        from mnemod.domain.gates import encoded_runs

        for sign in _ORDER:
            found = list(encoded_runs.READERS[sign](data)) if sign in signs else []
            yield from found
            if found and sign is Sign.HEXADECIMAL:
                # Pairs of hex digits are pieces of base64 as well: they would be read twice.
                return
