"""A chat model as interpreter: the request as delimited data, a prompt in its language, one answer.

The prompt is `prompts/formation.<locale>.md`. What people said travels as JSON inside a user
message and is named as data there; a reply's thinking is not the reply (see `compiler.parse`).
"""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any, Final, final

from mnemod.adapters.chat import Answer, Away, ChatEndpoint
from mnemod.config import ChatConfig, Tier
from mnemod.domain.instants import format_instant
from mnemod.domain.interpretation import EvidenceView, FormationInput, Range
from mnemod.domain.reading.scripts import is_japanese, locale_of
from mnemod.formation.interpret import Again, Malformed, Outage, Outcome, Reply

PREVIOUS_CHARS_MAX: Final = 4_000
"""Of an answer that could not be used, as much is shown again."""


@final
class ChatInterpreter:
    """Reads with the model behind an endpoint."""

    rewrites: Final = True
    messages_a_call: Final = 4

    def __init__(self, config: ChatConfig, endpoint: ChatEndpoint | None = None) -> None:
        self._tier = config.tier
        self._endpoint = endpoint or ChatEndpoint(config)

    @property
    def tier(self) -> Tier:
        return self._tier

    async def interpret(self, request: FormationInput, again: Again | None) -> Outcome:
        """Ask the model once."""
        answer = await self._endpoint.ask(messages(request, again))
        match answer:
            case Answer():
                return Reply(
                    answer.text,
                    answer.finish_reason,
                    answer.prompt_tokens,
                    answer.completion_tokens,
                )
            case Away():
                return Outage(answer.code, answer.retry_after_s)
            case _:
                return Malformed(answer.code)


def messages(request: FormationInput, again: Again | None) -> list[dict[str, str]]:
    """The conversation to send: the prompt, the data, and for a second try what went wrong."""
    data = json.dumps(payload(request), ensure_ascii=False, separators=(",", ":"))
    # The same JSON, but nothing a person said can close the delimiter.
    data = data.replace("</", "<\\/")
    asked = [
        {"role": "system", "content": prompt(_language(request))},
        {"role": "user", "content": f"<data>\n{data}\n</data>"},
    ]
    if again is not None:
        problem = json.dumps({"error": again.code, "hint": again.hint})
        asked += [
            {"role": "assistant", "content": again.reply[:PREVIOUS_CHARS_MAX] or "-"},
            {"role": "user", "content": f"<problem>\n{problem}\n</problem>"},
        ]
    return asked


def payload(request: FormationInput) -> dict[str, Any]:
    """The request as the prompt describes it. Texts are shown unescaped."""
    return {
        "evidence": [_evidence(view) for view in request.evidence],
        "preceding_turns": [{"role": turn.role, "text": turn.text} for turn in request.turns],
        "current_items": [
            {
                "id": item.item_id,
                "kind": item.kind.value,
                "statement_kind": item.statement_kind and item.statement_kind.value,
                "text": item.text,
                "subject": item.subject or "owner",
            }
            for item in request.items
        ],
        "entities": [
            {"name": entity.name, "aliases": list(entity.aliases)} for entity in request.entities
        ],
        "time_zone": request.zone,
    }


@cache
def prompt(locale: str) -> str:
    """The instructions in one language."""
    path = Path(__file__).parents[1] / f"prompts/formation.{locale}.md"
    return path.read_text(encoding="utf-8")


def _evidence(view: EvidenceView) -> dict[str, Any]:
    said_at = view.said_at
    return {
        "id": view.evidence_id,
        "speaker": view.speaker or "owner",
        "said_at": said_at and format_instant(said_at.at_ms, said_at.offset_min),
        "text": view.text,
        "sentences": [_range(part, view.text) for part in view.sentences],
        "segments": [_range(part, view.text) for part in view.segments],
    }


def _range(part: Range, text: str) -> dict[str, str]:
    return {"id": part.id, "text": text[part.start : part.end]}


def _language(request: FormationInput) -> str:
    """The language most of the messages are in."""
    spoken = Counter(locale_of(view.text, is_japanese(view.text)) for view in request.evidence)
    return spoken.most_common(1)[0][0]
