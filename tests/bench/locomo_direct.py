"""LoCoMo without socket and formation: what ranking alone does, fast enough to choose constants."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from mnemod.accounts import Account, Accounts
from mnemod.config import Tier
from mnemod.domain.evidence import Instant, Speaker
from mnemod.domain.observation import Message, Observation
from mnemod.domain.turns import Role
from mnemod.ids import (
    AccountId,
    ConversationId,
    EpochMs,
    EventId,
    HostId,
    MessageId,
    SessionId,
)
from mnemod.services.observe import observe
from mnemod.services.recall import Recall, recall
from tests.bench.locomo import DEPTHS, Ask, Conversation, Turn, batches
from tests.support.inline_runner import inline_runner


@asynccontextmanager
async def opened(conversation: Conversation, folder: Path) -> AsyncIterator[Ask]:
    """The conversation observed in an account of its own, and a way to ask it."""
    accounts = Accounts(folder, runner=inline_runner)
    try:
        account = (await accounts.open(AccountId("bench"))).account
        by_evidence = await _observed(account, conversation)

        async def ask(question: str) -> Sequence[str]:
            depth = max(DEPTHS)
            asked = Recall(question, None, Tier.LOCAL, max_items=depth, max_quotes=depth)
            found = await recall(account, asked)
            return [by_evidence[quote.row.evidence_id] for quote in found.quotes]

        yield ask
    finally:
        await accounts.aclose()


async def _observed(account: Account, conversation: Conversation) -> dict[str, str]:
    by_evidence: dict[str, str] = {}
    for place, (session, turns) in enumerate(batches(conversation)):
        accepted = await observe(
            account,
            Observation(
                host_id=HostId("bench"),
                event_id=EventId(f"e{place}"),
                conversation_id=ConversationId(conversation.name),
                session_id=SessionId(str(session)),
                messages=tuple(_message(conversation, turn) for turn in turns),
                request_hash=str(place),
            ),
        )
        by_evidence |= {row.evidence_id: row.message_id for row in accepted.evidence}
    # Everything counts as formed: the window of what is not would only hide turns from the quotes.
    await account.db.write(lambda tx: tx.execute("DELETE FROM job_evidence"))
    return by_evidence


def _message(conversation: Conversation, turn: Turn) -> Message:
    name = turn.speaker
    return Message(
        MessageId(turn.dia_id),
        Role.USER,
        turn.text,
        said_at=Instant(EpochMs(int(turn.at.timestamp() * 1000)), 0),
        speaker=None if name == conversation.owner else Speaker(name.lower(), name),
    )
