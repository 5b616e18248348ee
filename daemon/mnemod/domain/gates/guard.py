"""The injection guard and the detectors of poisoning: what a text orders the assistant to do.

They look for an order (`directives`), not for topics: somebody told to ignore, reveal or obey, and
what it is aimed at. `look` says what an order amounts to where it stands; one that shows only
after decoding is held by where it hides. Quoted and reported orders are a `flag` (`reported`).

All rules read the folded text with disguises taken off; spans are places in the source.

A text is read for a budget of work: more than any that people wrote needs up to
`portions.WHOLE_MAX` characters; in a longer one the likeliest portions come first (`portions`).
What is left unread is a `flag` for the reason `not_read_whole`, at the first place that was not
read, or a hold where near-orders abound. An order in there is no pass, and what is formed of the
text is judged again by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mnemod.domain.folded import Folded, fold_part
from mnemod.domain.gates import mixed, portions, reported
from mnemod.domain.gates.directive_rules import Span
from mnemod.domain.gates.disguises import undisguised
from mnemod.domain.gates.look import Look, decided
from mnemod.domain.gates.portions import MARGIN, Work
from mnemod.domain.gates.verdict import Decision, Detector, Verdict

FLOOD_MIN: Final = 48
FLOOD_CHARS: Final = 100
"""So many near-orders, one in so many characters of what was read of a text, are a flood."""


def inspect(text: str, folded: Folded) -> Verdict | None:
    """What is wrong with `text` (its folded form given): a hold, a flag, or None.

    Linear, and bounded by `portions.budget`.
    """
    reading = _Reading(text, folded, portions.budget(text))
    verdict = reading.verdict()
    if verdict is not None and verdict.decision is Decision.HOLD:
        return verdict
    hidden, unread = _hidden_in_code(text, reading)
    return hidden or verdict or _not_read(reading.unread() or unread)


def _not_read(unread: Span | None) -> Verdict | None:
    if unread is None:
        return None
    return Verdict(Decision.FLAG, "not_read_whole", Detector.INJECTION, *unread)


def _hidden_in_code(text: str, outer: _Reading) -> tuple[Verdict | None, Span | None]:
    """A hold or flag for an order that shows only after decoding, and the first part unread."""
    from mnemod.domain.gates import encoded  # it asks nothing of this module, and loads late

    flagged = None
    decoded = encoded.read(text)
    if not decoded.payloads:
        return None, decoded.unread
    work = outer.work if len(text) <= portions.WHOLE_MAX else Work(portions.DECODED_BUDGET)
    activated = outer.activates()
    unread = decoded.unread
    for payload in decoded.payloads:
        said = payload.text[: portions.affordable(work)]
        inner = _Reading(said, fold_part(said), work)
        found = inner.verdict()
        start = payload.start
        end = start + len(text[start : payload.end].rstrip())
        if found is None and not inner.weighs(activated):
            if len(said) < len(payload.text) or inner.unread() is not None:
                unread = unread or (start, end)
            continue
        kind = _of_payload(text, start, end, activated)
        verdict = Verdict(kind, "encoded_order", Detector.ENCODED, start, end)
        if kind is Decision.HOLD:
            return verdict, None
        flagged = flagged or verdict
    return flagged, unread


def _of_payload(source: str, start: int, end: int, activated: bool) -> Decision:
    """Whatever else the text tells of: bare of marks, only talk of attacks makes a report of it."""
    if not activated and reported.discussed(source, start, end):
        return Decision.FLAG
    return decided(source, start, end, activated)


class _Reading:
    """The looks at one text that a budget of work is enough for."""

    def __init__(self, text: str, folded: Folded, work: Work) -> None:
        self.text = text
        self.folded = folded
        self.work = work
        self.looks: list[Look] = []
        self.read: list[Span] = []

    def verdict(self) -> Verdict | None:
        """The first hold, else the first flag."""
        flagged = None
        for verdict in self._verdicts():
            if verdict.decision is Decision.HOLD:
                return verdict
            flagged = flagged or verdict
        return flagged

    def unread(self) -> Span | None:
        """The first part of the text that was not read."""
        return portions.unread(len(self.text), self.read)

    def activates(self) -> bool:
        """Whether it orders bare of quotation marks that something else be done."""
        return any(look.activates() for look in self.looks)

    def weighs(self, activated: bool) -> bool:
        """Whether anything in it is a weak order; to send something counts only if `activated`."""
        return any(look.weighs(activated) for look in self.looks)

    def _verdicts(self) -> Iterator[Verdict]:
        for start, end in portions.portions(self.text, self.folded, self.work):
            look = self._look(start, end)
            if look is None:
                return
            verdict = look.verdict() or self._in_one_language(look)
            self.looks.append(look)
            if look.cut is None:
                self.read.append((start, end))
            if verdict is not None:
                yield verdict
            if look.cut is not None and self._is_flood():
                # What is left unread may hold none of them.
                yield next(each for each in reversed(self.looks) if each.found).flood()

    def _look(self, start: int, end: int) -> Look | None:
        """At a portion of the text with its margins, if there is work left for it."""
        view, place = self.folded, (start, end)
        if end - start < len(self.text):
            place = max(0, start - MARGIN), end + MARGIN
            view = _part(self.text, *place)
        if not self.work.take(portions.price(view.text)):
            return None
        return Look(self.text, place, undisguised(view), self.work)

    def _in_one_language(self, look: Look) -> Verdict | None:
        """What is wrong with it where its words of two languages are read in one."""
        view = mixed.in_one_language(look.view, look.written)
        if view is None:
            return None
        other = Look(self.text, look.place, view, self.work)
        enough = self.work.take(portions.price(view.text))
        verdict = other.verdict() if enough else None
        if not enough or other.cut is not None:
            look.cut = 0
        return verdict

    def _is_flood(self) -> bool:
        found = sum(len(look.found) for look in self.looks)
        size = sum(len(look.view.text) if look.cut is None else look.cut for look in self.looks)
        return found >= FLOOD_MIN and found * FLOOD_CHARS >= size


def _part(text: str, start: int, end: int) -> Folded:
    """A part of `text`, folded; its spans are places in all of it."""
    part = fold_part(text[start:end])
    return Folded(part.text, (lambda at, to: (at + start, to + start), *part.layers))
