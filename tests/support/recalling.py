"""Asking an account, and reading off the answer what a test is about."""

from __future__ import annotations

from functools import partial
from typing import Any

from mnemod.accounts import Account
from mnemod.config import Tier
from mnemod.domain.evidence import EVERYTHING_ALLOWED, Instant, Permissions, Speaker
from mnemod.domain.instants import parse_instant
from mnemod.domain.observation import Message
from mnemod.domain.turns import Role
from mnemod.domain.world import FormedBy, ItemKind, Layer
from mnemod.ids import ITEM, ConversationId, EvidenceId, ItemId, MessageId
from mnemod.services.observe import observe
from mnemod.services.recall import Recall, recall
from mnemod.services.recall_shown import Recalled
from mnemod.store import items, lexical, meta
from mnemod.store.database import Tx
from tests.support import worlds
from tests.support.builders import observation


async def asked(
    account: Account,
    query: str | None = None,
    *,
    time: str | None = None,
    tier: Tier = Tier.LOCAL,
    **more: Any,
) -> Recalled:
    """The answer to a question."""
    return await recall(account, Recall(query, time, tier, **more))


def item_texts(found: Recalled) -> list[str]:
    """The words of the items, best first."""
    return [item.shown.item.text for item in found.items]


def quote_texts(found: Recalled) -> list[str]:
    """The words of the quotes, best first."""
    return [quote.text for quote in found.quotes]


def recent_texts(found: Recalled) -> list[str]:
    """What is provisional, oldest first."""
    return [one.text for one in found.recent]


async def told(
    account: Account,
    text: str,
    *,
    at: str | None = None,
    speaker: str | None = None,
    permissions: Permissions = EVERYTHING_ALLOWED,
    talk: str | None = None,
    formed: bool = True,
) -> EvidenceId:
    """Someone says this, in a conversation of its own; with `formed` its job has ended."""
    message = Message(
        MessageId(f"m:{text}:{at}"),
        Role.USER,
        text,
        said_at=_moment(at),
        speaker=None if speaker is None else Speaker(speaker.lower(), speaker),
        permissions=permissions,
    )
    event = observation(
        message, event=f"e:{text}:{at}", conversation=ConversationId(talk or f"c:{text}:{at}")
    )
    accepted = await observe(account, event)
    if formed and accepted.job_id is not None:
        await end_job(account, accepted.job_id)
    return accepted.evidence[0].evidence_id


async def known(account: Account, text: str, **more: Any) -> ItemId:
    """A current fact of exactly these words, said by the owner."""
    return await worlds.form(account, (await told(account, text, **more), text))


async def end_job(
    account: Account, job_id: str, state: str = "done", reason: str | None = None
) -> None:
    """The job is over, whatever it found."""
    await account.db.write(partial(_end, job_id=job_id, state=state, reason=reason))


def _end(tx: Tx, *, job_id: str, state: str, reason: str | None) -> None:
    tx.execute(
        "UPDATE job SET state = ?, reason = ?, completed_at_ms = 1 WHERE job_id = ?",
        (state, reason, job_id),
    )


async def hide(account: Account, item_id: ItemId, how: str) -> None:
    """Archive or mute an item (`archived_at_ms`, `muted_at_ms`): later issues have commands."""
    await account.db.write(
        lambda tx: tx.execute(f"UPDATE item SET {how} = 1 WHERE item_id = ?", (item_id,))
    )


async def derive(account: Account, source: ItemId, text: str) -> ItemId:
    """A reflection made of another item: later issues have workers for it."""

    def write(tx: Tx) -> ItemId:
        new = items.NewItem(
            item_id=ItemId(account.mint(ITEM)),
            kind=ItemKind.REFLECTION,
            layer=Layer.REFLECTION,
            text=text,
            key=text,
            statement_kind=None,
            formed_by=FormedBy.DERIVED,
            importance=5,
            confidence=280,
            trust=1.0,
            recorded_at_ms=account.now(),
            created_revision=meta.world_revision(tx),
        )
        lexical.index_item(tx, items.insert(tx, new), text)
        tx.execute("INSERT INTO derivation VALUES (?, ?)", (new.item_id, source))
        return new.item_id

    return await account.db.write(write)


def _moment(at: str | None) -> Instant | None:
    return None if at is None else parse_instant(at)
