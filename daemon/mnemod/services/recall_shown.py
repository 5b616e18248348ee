"""What a recall shows, row by row: the plain values that the method's reply is made of."""

from __future__ import annotations

from msgspec import Struct

from mnemod.config import Tier
from mnemod.domain.evidence import Instant
from mnemod.domain.time_window import Window
from mnemod.domain.world import Relation
from mnemod.ids import EvidenceId, ItemId, WorldRevision
from mnemod.services.showing import Shown, Sourced
from mnemod.store.recalled_turns import SaidRow


class Explained(Struct, frozen=True):
    """Why a row stands where it does. `rank` counts over items and quotes together, from 1."""

    terms: tuple[str, ...]
    rank: int
    score: float
    channel: str


class ShownItem(Struct, frozen=True):
    """An item, whether it still holds, when its words were last said, and what took its place."""

    seq: int
    shown: Shown
    is_past: bool
    said_at: Instant | None
    successor_id: ItemId | None
    explained: Explained

    @property
    def saying(self) -> tuple[Sourced, ...]:
        """The sources that say it; others may speak against it."""
        return saying(self.shown)


class ShownQuote(Struct, frozen=True):
    """Exact words. `superseded_by` is the item that took the place of what they say."""

    row: SaidRow
    text: str
    superseded_by: ItemId | None
    explained: Explained


class ShownRecent(Struct, frozen=True):
    """Words that came in lately and are not formed yet."""

    row: SaidRow
    text: str


class Withheld(Struct, frozen=True):
    """Rows kept back, by kind and reason."""

    object_kind: str
    reason: str
    count: int


class Cut(Struct, frozen=True):
    """Rows that matched and did not fit."""

    items: int
    quotes: int
    recent: int


class Recalled(Struct, frozen=True):
    """The whole answer. `rendered` is the block for a prompt.

    `window_bounds` are those of `window` as written in `time_zone`; empty where there is none.
    """

    items: tuple[ShownItem, ...]
    quotes: tuple[ShownQuote, ...]
    recent: tuple[ShownRecent, ...]
    cut: Cut
    withheld: tuple[Withheld, ...]
    degraded: tuple[str, ...]
    window: Window | None
    window_bounds: tuple[str, str]
    time_zone: str
    tier: Tier
    rendered: str
    rendered_tokens: int
    evidence_ids: tuple[EvidenceId, ...]
    snapshot_token: str
    query_hash: str
    world_revision: WorldRevision


def saying(shown: Shown) -> tuple[Sourced, ...]:
    """Of what lies under an item, what says it."""
    return tuple(one for one in shown.support if one.support.relation is Relation.SUPPORT)
