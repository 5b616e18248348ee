"""Who reads the Evidence: one protocol, whoever stands behind it.

An interpreter answers with text (see `domain.compiler.reply`), or says that it cannot be reached,
or that what came back was no answer. It never writes and never sees more than its request.
"""

from __future__ import annotations

import json
from typing import Protocol

from msgspec import Struct

from mnemod.config import Tier
from mnemod.domain.interpretation import FormationInput


class Reply(Struct, frozen=True):
    """An answer in text. Token counts are the provider's; "length" as finish reason: cut off."""

    text: str
    finish_reason: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None

    def usage(self) -> str:
        """All but the text, as JSON for the checkpoint."""
        kept = {
            "finish_reason": self.finish_reason,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
        }
        return json.dumps({name: value for name, value in kept.items() if value is not None})

    @staticmethod
    def stored(text: str, usage: str | None) -> Reply:
        """A reply as it was checkpointed."""
        return Reply(text, **json.loads(usage or "{}"))


class Outage(Struct, frozen=True):
    """Nobody answered, or only to say "later", in `retry_after_s` seconds if it told so."""

    code: str
    retry_after_s: float | None = None


class Malformed(Struct, frozen=True):
    """Something came back that holds no answer, or a refusal that waiting does not cure."""

    code: str


Outcome = Reply | Outage | Malformed


class Again(Struct, frozen=True):
    """The one second chance: the first answer, and why it could not be used."""

    reply: str
    code: str
    hint: str


class Interpreter(Protocol):
    """Reads a request. Cancelling it must end its work and its connections."""

    @property
    def tier(self) -> Tier | None:
        """Where the words go; None if they stay inside the daemon."""

    @property
    def rewrites(self) -> bool:
        """Whether asking again can give another answer."""

    @property
    def messages_a_call(self) -> int:
        """How many messages one request holds at most."""

    async def interpret(self, request: FormationInput, again: Again | None) -> Outcome:
        """Answer, or say why not. Raises nothing but Cancelled and its own defects."""
