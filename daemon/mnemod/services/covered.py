"""Knowing a text again whose secrets were covered before it was stored.

Under `secrets = "redact"` no digest of what stood there is kept: a keyed one would let whoever has
the file, and with it the key, try out short secrets. So a message that is sent again is compared
under the cover that its stored row has, and an `observe` or a correction with covered texts is
known again by the digest of its covered form. Both hold whatever the rules of now would cover.

The price: a message whose secret alone was changed, to one as long, counts as the same message.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from mnemod.domain.hashing import HashKey, keyed
from mnemod.domain.intake import Judged, covered_as
from mnemod.domain.observation import Message, Observation
from mnemod.domain.turns import Role
from mnemod.ids import HostId
from mnemod.store import evidence, turns
from mnemod.store.database import Tx


def covered_hash(key: HashKey, call: Observation, texts: Sequence[str]) -> str:
    """What names the content of a call whose messages have these texts."""
    messages = tuple(
        replace(message, content=text) for message, text in zip(call.messages, texts, strict=True)
    )
    whole = replace(call, messages=messages, request_hash="")
    return keyed(key, "observe covered", msgspec.json.encode(whole).decode())


def as_kept(tx: Tx, host_id: HostId, message: Message, origin: str, judged: Judged) -> str:
    """The message's text with what is covered of it on disk covered; as judged if it is not there.

    The same before and after what is new of its call is stored.
    """
    if message.role is Role.ASSISTANT:
        turn = turns.assistant_text(tx, host_id, message.message_id)
        if turn is None:
            return judged.content
        return covered_as(turn[0], message.content) if turn[1] else message.content
    if evidence.known(tx, origin) is None:
        return judged.content
    return row_as_kept(tx, origin, message.content) or message.content


def row_as_kept(tx: Tx, origin: str, text: str) -> str | None:
    """`text` covered as the stored row of this origin is; None if there is none, or nothing is."""
    known = evidence.known(tx, origin)
    if known is None or not known.is_covered:
        return None
    row = evidence.by_id(tx, known.evidence_id)
    return None if row is None else covered_as(row.content, text)
