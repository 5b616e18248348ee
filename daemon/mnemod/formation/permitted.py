"""What an interpreter of some destination may be shown: by the permissions of the words beneath.

An item may be shown where all Evidence under it may; an assistant's turn where all it relied on
may, and the message it answers. What the gates hold is shown to no interpreter, an assistant's turn
neither: it may repeat what was held, or bring a command of its own. Turns are few, so they are
judged again by the rules of now. The same rule is asked again before anything is written.
"""

from __future__ import annotations

from typing import Final

from mnemod.config import INTERPRET_TURNS, Tier
from mnemod.domain.evidence import Evidence, Outcome
from mnemod.domain.sourcing import Source
from mnemod.domain.turns import Capture, Dependency, DependencyKind, Role, Turn
from mnemod.domain.visibility import allows, in_reach
from mnemod.gating import Gates
from mnemod.ids import ConversationId, EvidenceId, ItemId
from mnemod.store import entity_names, evidence, supports, turns
from mnemod.store.database import Tx

# Enough to find INTERPRET_TURNS permitted ones behind some that are not.
_LOOK_BACK: Final = 4 * INTERPRET_TURNS


def source_of(tx: Tx, evidence_id: EvidenceId) -> Source:
    """A row of Evidence with what is needed to judge it."""
    return Source(evidence.by_id(tx, evidence_id), evidence.content_hash(tx, evidence_id))


def evidence_permitted(tx: Tx, evidence_id: EvidenceId, tier: Tier | None) -> bool:
    """Whether these words may go there and be inferred from."""
    return _row_permitted(evidence.by_id(tx, evidence_id), tier)


def item_permitted(tx: Tx, item_id: ItemId, tier: Tier | None) -> bool:
    """Whether all Evidence under an item may go there and be inferred from."""
    under = {support.span.evidence_id for support in supports.of(tx, item_id)}
    under |= {name.evidence_id for name in entity_names.of(tx, item_id)}
    return all(evidence_permitted(tx, evidence_id, tier) for evidence_id in under)


def preceding_turns(
    tx: Tx, gates: Gates, conversation_id: ConversationId, before: EvidenceId, tier: Tier | None
) -> tuple[Turn, ...]:
    """The last INTERPRET_TURNS permitted turns before a message, oldest first."""
    found: list[Turn] = []
    question_permitted = True
    for turn in turns.preceding(tx, conversation_id, before, _LOOK_BACK):
        if turn.role is Role.USER:
            row = None if turn.evidence_id is None else evidence.by_id(tx, turn.evidence_id)
            permitted = _row_permitted(row, tier)
            # An answer tells what was asked. Of a greeting there is nothing to tell.
            question_permitted = permitted or _is_permitted_noise(row, tier)
        else:
            permitted = question_permitted and _assistant_turn_permitted(tx, turn, tier)
        if permitted and turn.content:
            found.append(turn)
    # The last first: those that are not shown need not be judged.
    chosen: list[Turn] = []
    for turn in reversed(found):
        if len(chosen) < INTERPRET_TURNS and not _is_held(turn, gates):
            chosen.append(turn)
    return tuple(reversed(chosen))


def _is_held(turn: Turn, gates: Gates) -> bool:
    if turn.role is Role.USER:
        return False  # its Evidence was asked
    return gates.verdict_of_stored(turn.content or "").is_held


def _is_permitted_noise(row: Evidence | None, tier: Tier | None) -> bool:
    return row is not None and row.outcome is Outcome.NOISE and _allowed(row, tier)


def _assistant_turn_permitted(tx: Tx, turn: Turn, tier: Tier | None) -> bool:
    if turn.held or turn.capture is Capture.WITHHELD:
        return False
    needed = turns.dependencies(tx, turn.turn_seq)
    return all(_dependency_permitted(tx, dependency, tier) for dependency in needed)


def _dependency_permitted(tx: Tx, dependency: Dependency, tier: Tier | None) -> bool:
    match dependency.kind:
        case DependencyKind.EVIDENCE:
            return evidence_permitted(tx, EvidenceId(dependency.ref_id), tier)
        case DependencyKind.ITEM:
            return item_permitted(tx, ItemId(dependency.ref_id), tier)
        case DependencyKind.INTERACTION:
            return True  # its turns are asked for themselves where they are shown


def _row_permitted(row: Evidence | None, tier: Tier | None) -> bool:
    return row is not None and in_reach(row) and _allowed(row, tier)


def _allowed(row: Evidence, tier: Tier | None) -> bool:
    return row.permissions.inference and (tier is None or allows(row.permissions, tier))
