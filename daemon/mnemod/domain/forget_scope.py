"""The token that binds a forget to what its preview showed.

It is a keyed digest over the account, the ordered targets and every row the cascade erases or
changes, with what it says. Rows outside the cascade may come and go; anything inside that changes
makes another token. Nothing can be read out of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NewType

from mnemod.domain.cascade_rows import Cascade, Links
from mnemod.domain.hashing import HashKey, keyed
from mnemod.errors import ForgetScopeChanged, ForgetScopeRequired
from mnemod.ids import AccountId

ForgetScope = NewType("ForgetScope", str)

_VERSION: Final = "fs1_"


def scope(
    key: HashKey,
    account_id: AccountId,
    targets: Sequence[tuple[str, str]],
    cascade: Cascade,
    links: Links,
) -> ForgetScope:
    """The token of this cascade. `targets` are (kind, id) in the order they were given."""
    parts = [account_id, *(f"{kind}:{target}" for kind, target in targets)]
    parts.extend(sorted(_rows(cascade, links)))
    return ForgetScope(_VERSION + keyed(key, *parts))


def require(given: str | None, now: ForgetScope) -> None:
    """Raises ForgetScopeRequired without a token, ForgetScopeChanged with another one."""
    if given is None:
        raise ForgetScopeRequired
    if given != now:
        raise ForgetScopeChanged


def _rows(cascade: Cascade, links: Links) -> Iterator[str]:
    for item_id in cascade.items:
        item = links.item(item_id)
        yield f"item\0{item_id}\0{item and item.state}\0{item and item.text}"
    for item_id, supports in cascade.kept.items():
        spans = [(s.span.evidence_id, s.span.start, s.span.end) for s in supports]
        yield f"kept\0{item_id}\0{spans}"
    for item_id, names in cascade.named.items():
        yield f"named\0{item_id}\0{[(name.name, name.evidence_id) for name in names]}"
    for evidence_id in cascade.evidence:
        row = links.evidence(evidence_id)
        yield f"evidence\0{evidence_id}\0{row and row.content}"
    for evidence_id, redaction in cascade.redactions.items():
        row = links.evidence(evidence_id)
        yield f"redaction\0{evidence_id}\0{redaction.cuts}\0{row and row.content}"
    for turn_seq, (turn, _) in cascade.turns.items():
        yield f"turn\0{turn_seq}\0{turn.content}"
