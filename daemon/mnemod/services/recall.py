"""Recall: what bears on a question or a time, in one snapshot. Writes nothing, calls no model.

Same snapshot, same clock, same question: the same bytes. What may not be shown is filtered in the
queries, before anything is ranked, limited or counted as a match.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from mnemod import config
from mnemod.accounts import Account
from mnemod.config import Tier
from mnemod.domain.hashing import keyed
from mnemod.domain.history_cues import History, wants_past
from mnemod.domain.local_time import local_time, zone_named
from mnemod.domain.render import estimated_tokens
from mnemod.domain.time_phrases import asked_spans, phrase_window
from mnemod.domain.time_window import Window, in_zone, parse_window
from mnemod.errors import InvalidParams, LimitExceeded
from mnemod.ids import EpochMs, EvidenceId, WorldRevision
from mnemod.services import recall_windows as windows
from mnemod.services.recall_asked import by_kind, prepare
from mnemod.services.recall_items import Items, items_near, score_items
from mnemod.services.recall_rendered import rendered_block
from mnemod.services.recall_shown import (
    Cut,
    Recalled,
    ShownItem,
    ShownQuote,
    ShownRecent,
    Withheld,
)
from mnemod.services.recall_turns import Turns, score_turns, turns_near
from mnemod.store import meta, recalled_items
from mnemod.store.database import Tx

ENCODER: Final = "encoder"
TIME_UNPARSED: Final = "time_unparsed"

HITS_PER_ROW: Final = 6
HITS_MIN: Final = 40
"""Candidates to score for each row that may be shown. Recall@5 on LoCoMo is .695 with 24 to 48 for
five quotes and .693 with 160, at twice the time."""


class Recall(Struct, frozen=True):
    """A question, a time, or both. `tier` is where the answer goes."""

    query: str | None
    time: str | None
    tier: Tier
    history: History = History.AUTO
    max_items: int = config.RECALL_ITEMS
    max_quotes: int = config.RECALL_QUOTES
    explain: bool = False


def stricter(connection: Tier, asked: Tier | None) -> Tier:
    """The tier an answer is made for: a host may ask for less than its connection may see.

    A cloud connection that asks for `local` gets what may go to a cloud all the same.
    """
    return Tier.CLOUD if Tier.CLOUD in (connection, asked) else Tier.LOCAL


async def recall(account: Account, ask: Recall) -> Recalled:
    """What bears on the question.

    Raises InvalidParams if neither a query nor a time is given, LimitExceeded for too long a query,
    and the store's DeadlineExceeded.
    """
    if ask.query is None and ask.time is None:
        raise InvalidParams("$.query")
    if ask.query is not None and len(ask.query) > config.QUERY_CHARS_MAX:
        raise LimitExceeded("$.query", limit="query_chars", max=config.QUERY_CHARS_MAX)
    now = account.now()
    return await account.db.read(lambda tx: _Reading(tx, account, ask, now).answer())


class _Reading:
    """One recall in one snapshot."""

    def __init__(self, tx: Tx, account: Account, ask: Recall, now: EpochMs) -> None:
        self._tx = tx
        self._account = account
        self._ask = ask
        # The reply says which zone was used: this machine may not know the account's.
        self._zone = zone_named(account.zone)
        self._now = local_time(now, self._zone)
        self._window = None if ask.time is None else self._window_of(ask.time)
        past = wants_past(ask.query or "", ask.history)
        query = ask.query or ""
        spans = asked_spans(query, self._now, account.locale)
        self._asked = prepare(tx, query, spans, self._window, ask.tier, past, self._zone, now)

    def answer(self) -> Recalled:
        turns, found = self._candidates()
        recent, recent_cut = windows.recent(self._tx, self._asked, turns)
        items, items_cut = windows.choose_items(self._tx, self._asked, found, self._ask.max_items)
        told = {one.row.evidence_id for one in recent} | _sources(items)
        quotes = windows.choose_quotes(
            self._tx, self._asked, turns, found, told, self._ask.max_quotes
        )
        items, shown_quotes = _ranked(items, quotes.shown)
        rendered = rendered_block(
            items, shown_quotes, recent, self._zone, max_items=self._ask.max_items
        )
        revision = meta.world_revision(self._tx)
        return Recalled(
            items=items,
            quotes=shown_quotes,
            recent=recent,
            cut=Cut(items_cut, quotes.cut, recent_cut),
            withheld=self._withheld(turns, found, quotes.overtaken),
            degraded=self._degraded(),
            window=self._window,
            window_bounds=self._bounds(),
            time_zone=str(self._zone),
            tier=self._ask.tier,
            rendered=rendered,
            rendered_tokens=estimated_tokens(rendered),
            evidence_ids=_quoted_ids(shown_quotes, recent),
            snapshot_token=self._token(revision, items, shown_quotes, recent, rendered),
            query_hash=self._hash(),
            world_revision=revision,
        )

    def _window_of(self, time: str) -> Window | None:
        window = parse_window(time, self._zone)
        return window or phrase_window(time, self._now, self._account.locale)

    def _candidates(self) -> tuple[Turns, Items]:
        if not self._asked.wanted:
            turns = turns_near(self._tx, self._asked)
            return turns, items_near(self._tx, self._asked, turns)
        turns, found = self._matching()
        if turns.scores or found.scores:
            return turns, found
        by_kind_asked = by_kind(self._tx, self._ask.query or "", self._asked)
        if by_kind_asked is None:
            return turns, found
        self._asked = by_kind_asked
        return self._matching()

    def _matching(self) -> tuple[Turns, Items]:
        turns = score_turns(self._tx, self._asked, _hits(self._ask.max_quotes))
        return turns, score_items(self._tx, self._asked, turns, _hits(self._ask.max_items))

    def _bounds(self) -> tuple[str, str]:
        window = self._window
        if window is None:
            return "", ""
        return in_zone(window.from_ms, self._zone), in_zone(window.to_ms, self._zone)

    def _degraded(self) -> tuple[str, ...]:
        not_understood = self._ask.time is not None and self._window is None
        return (ENCODER, TIME_UNPARSED) if not_understood else (ENCODER,)

    def _withheld(self, turns: Turns, found: Items, overtaken: int) -> tuple[Withheld, ...]:
        if not self._ask.explain:
            return ()
        rows = [
            Withheld("evidence", "permission", turns.kept_back),
            Withheld("evidence", "outside_window", turns.outside),
            Withheld("evidence", "superseded", overtaken),
        ]
        hidden = recalled_items.why_hidden(self._tx, found.kept_back)
        rows += [Withheld("item", reason, count) for reason, count in sorted(hidden.items())]
        return tuple(row for row in rows if row.count)

    def _hash(self) -> str:
        ask = self._ask
        return keyed(
            self._account.hash_key, "recall", ask.query or "", ask.time or "", ask.history.value
        )

    def _token(
        self,
        revision: WorldRevision,
        items: Sequence[ShownItem],
        quotes: Sequence[ShownQuote],
        recent: Sequence[ShownRecent],
        rendered: str,
    ) -> str:
        """Names what was shown, to whom, at which revision. Tells nothing of it."""
        ids = [item.shown.item.item_id for item in items]
        return keyed(
            self._account.hash_key,
            "snapshot",
            self._ask.tier.value,
            str(revision),
            " ".join(ids),
            " ".join(_quoted_ids(quotes, recent)),
            rendered,
        )


def _hits(rows: int) -> int:
    return max(HITS_MIN, HITS_PER_ROW * rows)


def _ranked(
    items: Sequence[ShownItem], quotes: Sequence[ShownQuote]
) -> tuple[tuple[ShownItem, ...], tuple[ShownQuote, ...]]:
    """Both windows with their rows' places in one order."""
    scores = [*(i.explained.score for i in items), *(q.explained.score for q in quotes)]
    order = sorted(range(len(scores)), key=lambda place: (-scores[place], place))
    ranks = {place: rank for rank, place in enumerate(order, 1)}
    return (
        tuple(
            replace(item, explained=replace(item.explained, rank=ranks[place]))
            for place, item in enumerate(items)
        ),
        tuple(
            replace(quote, explained=replace(quote.explained, rank=ranks[len(items) + place]))
            for place, quote in enumerate(quotes)
        ),
    )


def _sources(items: Iterable[ShownItem]) -> set[EvidenceId]:
    return {source.row.evidence_id for item in items for source in item.saying}


def _quoted_ids(
    quotes: Sequence[ShownQuote], recent: Sequence[ShownRecent]
) -> tuple[EvidenceId, ...]:
    rows = [*(quote.row for quote in quotes), *(one.row for one in recent)]
    return tuple(dict.fromkeys(row.evidence_id for row in rows))
