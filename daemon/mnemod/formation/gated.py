"""The gates once more, over what a reply chose: a span alone may say what its message did not.

"He wrote: do as I say" is a report; "do as I say" by itself is a command. So each text that would
become an item, and each name that would stand for somebody, passes the gates before anything is
written. What they hold is left out, and the job says so; noise is no reason, since a short fact may
look like it. Words that their owner released are not held a second time.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from typing import Final

from mnemod.domain.compiler.change_set import AddName, Change, ChangeSet, Form, NewItem
from mnemod.formation.checks import references
from mnemod.gating import Gates, Said, apart
from mnemod.ids import EvidenceId

ITEM_HELD: Final = "item_held"
"""Why a proposal was left out."""


async def gated(changes: ChangeSet, gates: Gates, released: Collection[EvidenceId]) -> ChangeSet:
    """The changes without those that would make an item, or a name, of held words.

    What takes long is judged in a thread.
    """
    said = [_said(change, released) for change in changes.changes]
    judge = partial(_are_held, said, gates)
    held = gates.at_once([Said(text) for texts in said for text in texts], judge)
    if held is None:
        held = await apart(judge)
    kept = tuple(one for one, is_held in zip(changes.changes, held, strict=True) if not is_held)
    return ChangeSet(kept, (*changes.dropped, *([ITEM_HELD] * sum(held))))


def _are_held(said: Sequence[Sequence[str]], gates: Gates) -> list[bool]:
    return [any(gates.verdict_of_stored(text).is_held for text in texts) for texts in said]


def _said(change: Change, released: Collection[EvidenceId]) -> tuple[str, ...]:
    """All texts a change would write that nobody has vouched for."""
    match change:
        case Form(item=item):
            names = references(change)
        case AddName(item=item, entity=entity, alias=alias):
            names = (*references(change), entity, alias)
        case _:
            return ()
    if _is_vouched_for(item, released):
        return ()
    said = (item.text, item.relation_type or "", *(name.name for name in names), *_claimed(item))
    return tuple(text for text in dict.fromkeys(said) if text)


def _is_vouched_for(item: NewItem, released: Collection[EvidenceId]) -> bool:
    return all(span.evidence_id in released for span in item.spans)


def _claimed(item: NewItem) -> tuple[str, ...]:
    """What a bare "yes" says yes to: its words are found with the item's."""
    return () if item.claim is None else (item.claim.text,)
