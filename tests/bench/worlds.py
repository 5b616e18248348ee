"""Large accounts, made through the store in big transactions: only their size is of interest."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

import trio

from mnemod.accounts import Account, Accounts
from mnemod.domain.observation import Message, Observation
from mnemod.domain.turns import Role
from mnemod.ids import AccountId, ConversationId, EventId, HostId, MessageId
from mnemod.services.observe import observe
from tests.support import worlds

_BATCH: Final = 60
_WORDS: Final = [
    "harbour",
    "crane",
    "kiln",
    "shelf",
    "bees",
    "tarn",
    "window",
    "glaze",
    "ferry",
    "oolong",
    "rowan",
    "cedar",
    "lupin",
    "bicycle",
    "choir",
    "lamp",
    "pump",
    "garden",
    "river",
    "copper",
    "bridge",
    "server",
    "tide",
    "letter",
    "figs",
    "linen",
    "snow",
    "drum",
    "mill",
    "oar",
]


def build(data_dir: Path, rows: int, account: str = "bench") -> str:
    """An account of this many messages, one of which became the fact whose id is returned."""
    return trio.run(partial(_build, data_dir, rows, account))


async def _build(data_dir: Path, rows: int, account: str) -> str:
    accounts = Accounts(data_dir)
    try:
        handle = await accounts.open(AccountId(account), time_zone="UTC", locale="en")
        await _fill(handle.account, rows)
        return await _fact(handle.account)
    finally:
        await accounts.aclose()


async def _fill(account: Account, rows: int) -> None:
    for start in range(0, rows, _BATCH):
        texts = [sentence(number) for number in range(start, min(start + _BATCH, rows))]
        await observe(account, _observation(f"b{start}", texts))


async def _fact(account: Account) -> str:
    text = "My sister Ondine keeps a heron called Pip."
    accepted = await observe(account, _observation("fact", [text]))
    return await worlds.form(account, (accepted.evidence[0].evidence_id, text))


def sentence(number: int) -> str:
    """The same for the same number; like no other in its last word."""
    a, b, c, d, e = (_WORDS[(number * step + step) % len(_WORDS)] for step in (1, 7, 11, 13, 17))
    return f"The {a} by the {b} had {c}, {d} and {e} n{number}."


def _observation(event: str, texts: list[str]) -> Observation:
    return Observation(
        host_id=HostId("bench"),
        event_id=EventId(event),
        conversation_id=ConversationId(f"c{event}"),
        session_id=None,
        messages=tuple(
            Message(MessageId(f"{event}-{place}"), Role.USER, text)
            for place, text in enumerate(texts)
        ),
        request_hash=event,
    )
