"""The default interpreter: the deterministic reader of `domain.reading`, inside this process.

It needs no model and no network, and it is never asked twice: the same words get the same answer.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import trio
from msgspec import Struct

from mnemod.config import Tier
from mnemod.domain.compiler.reply import dump
from mnemod.domain.interpretation import FormationInput, Interpretation
from mnemod.domain.reading import read
from mnemod.formation.interpret import Again, Outcome, Reply

Run = Callable[
    [Callable[[FormationInput], Interpretation], FormationInput], Awaitable[Interpretation]
]


class RulesInterpreter(Struct, frozen=True):
    """Answers from the words alone. One message a call: each is a statement of its own.

    The first texts of a language load its vocabulary and compile what they come near, a tenth of a
    second of work, and a long text takes a while: `run` does it off the loop.
    """

    tier: Tier | None = None
    rewrites: bool = False
    messages_a_call: int = 1
    run: Run = trio.to_thread.run_sync

    async def interpret(self, request: FormationInput, again: Again | None) -> Outcome:
        """The reply to `request`; `again` cannot change it."""
        del again
        return Reply(dump(await self.run(read, request)))
