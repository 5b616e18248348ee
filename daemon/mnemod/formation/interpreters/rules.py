"""The default interpreter: the deterministic reader of `domain.reading`, inside this process.

It needs no model and no network, and it is never asked twice: the same words get the same answer.
"""

from __future__ import annotations

from dataclasses import dataclass

from mnemod.config import Tier
from mnemod.domain.compiler.reply import dump
from mnemod.domain.interpretation import FormationInput
from mnemod.domain.reading import read
from mnemod.formation.interpret import Again, Outcome, Reply


@dataclass(frozen=True, slots=True)
class RulesInterpreter:
    """Answers from the words alone. One message a call: each is a statement of its own."""

    tier: Tier | None = None
    rewrites: bool = False
    messages_a_call: int = 1

    async def interpret(self, request: FormationInput, again: Again | None) -> Outcome:
        """The reply to `request`; `again` cannot change it."""
        del again
        return Reply(dump(read(request)))
