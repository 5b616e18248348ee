"""One look at a text, or at a portion of one: the orders found in it, and what each amounts to.

An order by itself is injection; one that claims an authority, a role or newer rules is called by
that; one in a comment of some markup by where it hides. Weak words (approve all requests) are an
order only where one of those frames, or a second weak one, stands beside them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from mnemod.domain.folded import Folded
from mnemod.domain.gates import directives, markup, reported
from mnemod.domain.gates.cues import Stretch, Try
from mnemod.domain.gates.directive_rules import Language, Span, languages, near
from mnemod.domain.gates.directives import Finding, Frame
from mnemod.domain.gates.markup import Region
from mnemod.domain.gates.portions import (
    CROWD_MAX,
    FOUND,
    FRAME,
    MARK,
    STANDS,
    TRY,
    WHOLE_MAX,
    Work,
)
from mnemod.domain.gates.verdict import Decision, Detector, Verdict

NEAR_CHARS: Final = 160
"""Weak words this near to each other, or to a frame, belong together."""
AFTER_CHARS: Final = 140
BLOCK_BITS: Final = 9
ENOUGH: Final = 2
TOGETHER: Final = 3
"""So many different words that people say of anything are an order if some name who is ordered."""
_CLAIMS: Final = (Detector.AUTHORITY, Detector.ROLE, Detector.TEMPORAL)
_NAMES_WHO: Final = "addressed"
_STATES: Final = frozenset(("void", "granted", "newer_rules", "guard_gone"))
_ACTIVATES: Final = frozenset(("act_on", "obedience"))


class Look:
    """What is found in `view`, the part of `source` at `place`, while there is work left.

    `cut` is the place in the view from which on nothing was looked for.
    """

    def __init__(self, source: str, place: Span, view: Folded, work: Work) -> None:
        self.source = source
        self.place = place
        self.view = view
        self.text = view.text
        self.written = languages(view.text)
        self.work = work
        self.is_long = len(source) > WHOLE_MAX
        self.cut: int | None = None
        self.skipped: int | None = None
        self.found: list[Finding] = []
        self.regions: list[Region] = []
        self.quoted: dict[Finding, bool] = {}
        self.framed: dict[int, list[Frame]] = {}
        self.paid: dict[str, int] = {}
        self.reminders: dict[Region, bool] = {}

    def verdict(self) -> Verdict | None:
        """The first hold, else the first flag."""
        self.regions = list(markup.regions(self.text))
        flagged = None
        for verdict in self._verdicts():
            if verdict.decision is Decision.HOLD:
                return verdict
            flagged = flagged or verdict
        return flagged

    def weighs(self, activated: bool) -> bool:
        """Whether anything in it is a weak order; to send something counts only if `activated`."""
        return any(
            found.weight
            and not (found.hidden or found.faint)
            and (activated or found.name != "exfiltration")
            for found in self.found
        )

    def activates(self) -> bool:
        """Whether it orders bare of quotation marks that something else be done."""
        return any(
            found.weight and found.name in _ACTIVATES and not self._quoted(found)
            for found in self.found
        )

    def _verdicts(self) -> Iterator[Verdict]:
        for start, end in markup.active(self.text):
            yield self._standing(start, end, "active_markup", Detector.INJECTION)
        if forged := markup.forged_turns(self.text):
            yield self._standing(*forged, "forged_turns", Detector.ROLE)
        weak: list[tuple[Finding, int]] = []
        hiding = [(region.start, region.end) for region in self.regions]
        for language, stretch in near(self.text, self.written, hiding):
            if not self.work.take(TRY * (len(stretch.tries) + len(stretch.others))):
                self._stop(language, stretch.start)
                return
            if self.is_long and len(stretch.tries) > CROWD_MAX:
                self._thin(stretch)
            new = list(directives.findings(self.text, language, stretch))
            self.found += new
            if len(self.found) > directives.FOUND_MAX:
                yield self.flood()
                return
            if new and not self.work.take(self._price(len(new), language, stretch)):
                self._stop(language, stretch.start)
                return
            yield from self._judged(new)
            weak += [(found, len(self.found)) for found in new if found.weight == 1]
        # What is weak in one language or stretch may have its other half in one that came later.
        again = [found for found, known in weak if any(self._near(found, self.found[known:]))]
        if again and not self.work.take(FOUND * len(again)):
            self.cut = again[0].start
            return
        yield from self._judged(again)
        yield from self._quoted_frames()
        if self.cut is None:
            self.cut = self.skipped

    def _thin(self, stretch: Stretch) -> None:
        """Leave out what one rule is tried at beyond CROWD_MAX places: they are near misses made
        to take long. What of them is left is flood enough if they are none."""
        often: Counter[int] = Counter()
        kept: list[Try] = []
        for number, at in stretch.tries:
            often[number] += 1
            if often[number] <= CROWD_MAX:
                kept.append((number, at))
            elif self.skipped is None:
                self.skipped = at
        stretch.tries = kept

    def _price(self, found: int, language: Language, stretch: Stretch) -> float:
        """Of what is found in a stretch, and of the marks around it unless they were paid for."""
        start, end = self.view.span(stretch.start, stretch.end)
        first = max(start - reported.QUOTED_CHARS_MAX, self.paid.get(language.locale, 0))
        self.paid[language.locale] = last = end + reported.QUOTED_CHARS_MAX
        return FOUND * found + MARK * reported.marks(self.source, first, last)

    def flood(self) -> Verdict:
        """What is to be said where near-orders abound."""
        return self._verdict(self.found[-1], Decision.HOLD, "flood", Detector.INJECTION)

    def _stop(self, language: Language, at: int) -> None:
        # A language that was to come after this one has not been looked for at all.
        self.cut = at if language is self.written[-1] else 0

    def _quoted_frames(self) -> Iterator[Verdict]:
        if not reported.quotes(self.source, *self.place):
            return
        for language in self.written:
            for start, end in reported.discussions(self.text, language):
                for frame in directives.frames(self.text, start, end, language):
                    if not self.work.take(FRAME):
                        self.cut = frame.start
                        return
                    verdict = self._of_quotation(frame)
                    if verdict is not None:
                        yield verdict

    def _standing(self, start: int, end: int, reason: str, detector: Detector) -> Verdict:
        found = Finding(start, end, reason, detector, ENOUGH)
        return self._said(found, (start, end), reason, detector)

    def _judged(self, found: Sequence[Finding]) -> Iterator[Verdict]:
        for each in sorted(found, key=lambda one: not one.weight):
            verdict = self._of_order(each) if each.weight else self._of_tale(each)
            if verdict is not None and not self._is_invented(each):
                yield verdict

    def _of_order(self, found: Finding) -> Verdict | None:
        region = self._region(found)
        if region is not None and found.weight < ENOUGH and self._is_reminder(region):
            region = None
        if found.hidden and region is None:
            return None
        claims = self._claims(found, region)
        framed = not found.faint if region is not None else claims and not found.loose
        alone = found.weight < ENOUGH and not framed
        if region is None and self._is_told_of(found):
            return self._verdict(found, Decision.FLAG, found.name, found.detector)
        if alone and self._weight_near(found) < ENOUGH and not self._together(found, claims):
            return self._of_quotation(found)
        # The marks around a whole comment are quotation; those inside it are its own syntax.
        start = region.start if region is not None else found.start
        end = found.end
        if region is not None and region.detector is Detector.COMMENT:
            end = max(end, region.end)
        claims |= {found.detector, *(other.detector for other in self._near(found))}
        detector = _called(found, region, claims)
        return self._said(found, (start, end), found.name, detector)

    def _is_told_of(self, found: Finding) -> bool:
        """What is said of rules, and orders nobody, is a report where attacks are spoken of."""
        states = found.weight < ENOUGH and not found.faint and found.name in _STATES
        return (
            states
            and not self._quoted(found)
            and not self._activated(found)
            and reported.discussed(self.source, *self._span(found))
        )

    def _is_invented(self, found: Finding) -> bool:
        """A line of a song or story that orders nothing of an assistant is none of our business."""
        if self._activated(found):
            return False
        quotation = reported.quotation(self.source, *self._span(found))
        return quotation is not None and reported.invented(self.source, *quotation)

    def _of_quotation(self, found: Finding | Frame) -> Verdict | None:
        """A few words of an attack: of interest only quoted where attacks are spoken of."""
        quotation = reported.quotation(self.source, *self._span(found))
        if quotation is None or not reported.discussed(self.source, *quotation):
            return None
        return self._verdict(found, Decision.FLAG, "quoted", found.detector)

    def _of_tale(self, found: Finding) -> Verdict | None:
        """Somebody told of an order: of interest only where attacks are spoken of."""
        if found.hidden or not reported.discussed(self.source, *self._span(found)):
            return None
        return self._verdict(found, Decision.FLAG, found.name, found.detector)

    def _said(
        self, found: Finding, whole: tuple[int, int], reason: str, detector: Detector
    ) -> Verdict:
        self.work.take(STANDS)
        activated = self._activated(found)
        kind = decided(self.source, *self.view.span(*whole), activated)
        return self._verdict(found, kind, reason, detector)

    def _verdict(
        self, found: Finding | Frame, decision: Decision, reason: str, detector: Detector
    ) -> Verdict:
        return Verdict(decision, reason, detector, *self._span(found))

    def _span(self, found: Finding | Frame) -> tuple[int, int]:
        return self.view.span(found.start, found.end)

    def _quoted(self, found: Finding) -> bool:
        if found not in self.quoted:
            quotation = reported.quotation(self.source, *self._span(found))
            self.quoted[found] = quotation is not None
        return self.quoted[found]

    def _activated(self, found: Finding) -> bool:
        """Whether an order outside quotation marks says that what is quoted be done."""
        return any(
            other.name in _ACTIVATES and not self._quoted(other) for other in self._near(found)
        )

    def _near(self, found: Finding, among: Sequence[Finding] | None = None) -> Iterator[Finding]:
        return (
            other
            for other in (self.found if among is None else among)
            if other.weight and not other.hidden and other is not found
            and other.start < found.end + NEAR_CHARS
            and other.end > found.start - NEAR_CHARS
        )  # fmt: skip

    def _together(self, found: Finding, claims: set[Detector]) -> bool:
        """Whether words that each are said of anything stand here beside one who is ordered."""
        quoted = self._quoted(found)
        names = {found.name} | {
            other.name
            for other in self._near(found)
            if not _is_of_it(found, other)
            and (quoted or not self._quoted(other))
            and (_is_apart(found, other) or not (found.faint or other.faint))
        }
        if _NAMES_WHO in names and len(names) + bool(claims) >= TOGETHER:
            return True
        return found.loose and self._loose_near(found, quoted) + bool(claims) >= TOGETHER

    def _loose_near(self, found: Finding, quoted: bool) -> int:
        """How many different words that people say of anything stand apart from `found`, and it."""
        names = {found.name} | {
            other.name
            for other in self._near(found)
            if other.loose and _is_apart(found, other) and (quoted or not self._quoted(other))
        }
        return len(names)

    def _weight_near(self, found: Finding) -> int:
        weights = {found.name: found.weight}
        for other in self._near(found):
            if (found.loose and other.loose) or _is_of_it(found, other):
                continue
            if (found.faint or other.faint) and not _is_apart(found, other):
                continue
            if not self._quoted(other) or self._quoted(found):
                weights[other.name] = max(other.weight, weights.get(other.name, 0))
        return sum(weights.values())

    def _region(self, found: Finding) -> Region | None:
        holding = [region for region in self.regions if region.inside <= found.start < region.end]
        comments = [region for region in holding if region.detector is Detector.COMMENT]
        return next(iter(comments or holding), None)

    def _is_reminder(self, region: Region) -> bool:
        """What `markup.is_reminder` says of a region, asked once."""
        if region not in self.reminders:
            self.reminders[region] = markup.is_reminder(self.text, region)
        return self.reminders[region]

    def _claims(self, found: Finding, region: Region | None) -> set[Detector]:
        """What is claimed beside the order, in words of their own."""
        claims = set() if region is None else {region.detector}
        first, last = max(0, found.start - NEAR_CHARS), found.end + AFTER_CHARS
        for block in range(first >> BLOCK_BITS, (last >> BLOCK_BITS) + 1):
            for frame in self._frames(block):
                beside = frame.end <= found.start or frame.start >= found.end
                if beside and frame.start >= first and frame.end <= last:
                    claims.add(frame.detector)
        return claims

    def _frames(self, block: int) -> list[Frame]:
        """The frames that begin in a block of the text, looked for once."""
        if block not in self.framed:
            start, end = block << BLOCK_BITS, (block + 1) << BLOCK_BITS
            part = self.text[start : end + AFTER_CHARS]
            self.framed[block] = [
                frame
                for language in languages(part)
                for frame in directives.frames(self.text, start, end + AFTER_CHARS, language)
                if frame.start < end
            ]
        return self.framed[block]


def _is_apart(found: Finding, other: Finding) -> bool:
    return other.end <= found.start or other.start >= found.end


def _is_of_it(found: Finding, other: Finding) -> bool:
    """Whether the words that name who is ordered are some of the order once more."""
    if _NAMES_WHO not in (found.name, other.name):
        return False
    inner, outer = sorted((found, other), key=lambda each: each.end - each.start)
    return outer.start <= inner.start and inner.end <= outer.end


def decided(source: str, start: int, end: int, activated: bool) -> Decision:
    """Whether an order at `start` to `end` of `source` is one, or words that are reported."""
    quotation = reported.quotation(source, start, end)
    if quotation is None or activated or not reported.told(source, *quotation):
        return Decision.HOLD
    return Decision.FLAG


def _called(found: Finding, region: Region | None, claims: set[Detector]) -> Detector:
    if region is not None and region.detector is not Detector.ROLE:
        return region.detector
    return next((claim for claim in _CLAIMS if claim in claims), found.detector)
