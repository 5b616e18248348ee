"""What the demo says about itself, each sentence checked before it is printed as true."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence, and whether it turned out to be so."""

    sentence: str
    holds: bool


@dataclass(slots=True)
class Claims:
    """All claims of one run, in order."""

    made: list[Claim] = field(default_factory=list)

    def add(self, sentence: str, holds: bool) -> Claim:
        """Keep a claim, true or not."""
        claim = Claim(sentence, holds)
        self.made.append(claim)
        return claim

    @property
    def broken(self) -> list[Claim]:
        """Those that did not hold."""
        return [claim for claim in self.made if not claim.holds]
