"""What a recall shows as one block for a prompt: facts, then quotes, then what is provisional.

Every line names its speaker and its date, in the offset of whoever said it; what was never dated
shows when it came in, in the zone of the account.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo

from mnemod import config
from mnemod.domain.evidence import Instant
from mnemod.domain.recall_windows import scaled
from mnemod.domain.render import Line, block, line, within, written
from mnemod.domain.time_window import offset_min
from mnemod.ids import EpochMs
from mnemod.services.recall_shown import ShownItem, ShownQuote, ShownRecent
from mnemod.store.recalled_turns import SaidRow


def rendered_block(
    items: Sequence[ShownItem],
    quotes: Sequence[ShownQuote],
    recent: Sequence[ShownRecent],
    zone: tzinfo,
    *,
    max_items: int,
) -> str:
    """The block, within its budgets; empty if nothing is shown."""
    chars = scaled(config.RECALL_ITEM_CHARS, max_items, config.RECALL_ITEMS)
    facts = within((line(_of_item(item, zone)) for item in items), chars)
    said = [line(_of_quote(quote, zone)) for quote in quotes]
    fresh = [line(_of_turn(one.row, one.text, zone, "provisional")) for one in recent]
    return block([facts, said, fresh], config.RENDER_TOKENS)


def _of_item(item: ShownItem, zone: tzinfo) -> Line:
    shown = item.shown
    labels = [shown.item.layer.value]
    if item.is_past:
        ended = shown.item.valid_to_ms
        labels.append("past" if ended is None else f"past until {_day(ended, zone)}")
    speakers = (source.row.speaker for source in item.saying)
    labels += dict.fromkeys(f"said by {who.name}" for who in speakers if who is not None)
    moment = item.said_at or _local(shown.item.recorded_at_ms, zone)
    return Line(tuple(labels), moment, shown.item.text, quoted=False)


def _of_quote(quote: ShownQuote, zone: tzinfo) -> Line:
    labels = () if quote.superseded_by is None else ("superseded",)
    return _of_turn(quote.row, quote.text, zone, *labels)


def _of_turn(row: SaidRow, text: str, zone: tzinfo, *labels: str) -> Line:
    said = "said" if row.speaker is None else f"said by {row.speaker.name}"
    moment = row.said_at or _local(row.recorded_at_ms, zone)
    return Line((said, *labels), moment, text, quoted=True)


def _local(at_ms: EpochMs, zone: tzinfo) -> Instant:
    return Instant(at_ms, offset_min(at_ms, zone))


def _day(at_ms: EpochMs, zone: tzinfo) -> str:
    return written(_local(at_ms, zone))[:10]
