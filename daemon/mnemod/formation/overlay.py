"""What the earlier parts of a job will have changed, shown to the later ones before it is written.

A host may hand over a whole conversation at once. Its messages are read one after another and
applied together, so a message that corrects an earlier one must find what that one will become. New
items get their ids here, made from the job and their place in it: the same after a restart, so a
stored reply still names them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import final

from msgspec.structs import replace

from mnemod.config import INTERPRET_ITEMS
from mnemod.domain.compiler.change_set import AddName, Change, ChangeSet, Contradict, Form, NewItem
from mnemod.domain.compiler.targets import ended_by
from mnemod.domain.hashing import HashKey, keyed
from mnemod.domain.interpretation import ItemView
from mnemod.domain.keys import comparison_key
from mnemod.formation.prepare import Part
from mnemod.ids import ITEM, ItemId, JobId


@final
class Overlay:
    """The changes of one job so far."""

    def __init__(self, key: HashKey, job_id: JobId) -> None:
        self._key = key
        self._job_id = job_id
        self._new: dict[ItemId, ItemView] = {}
        self._ended: set[ItemId] = set()

    def shown_to(self, part: Part) -> Part:
        """The part as it is to be read: the newest items first, none that has been ended."""
        known = {_claim(item) for item in part.request.items}
        newest = [item for item in reversed(self._new.values()) if _claim(item) not in known]
        current = [
            item for item in (*newest, *part.request.items) if item.item_id not in self._ended
        ]
        items = tuple(current[:INTERPRET_ITEMS])
        return replace(part, request=replace(part.request, items=items))

    def add(self, part: Part, change_set: ChangeSet) -> ChangeSet:
        """Take a part's changes in; returns them with ids for what is new."""
        changes = tuple(
            self._named(change, f"{part.number}.{place}")
            for place, change in enumerate(change_set.changes)
        )
        for change in changes:
            if not isinstance(change, Contradict):
                self._ended.update(ended_by(change))
            self._new.update({view.item_id: view for view in _views(change)})
        return replace(change_set, changes=changes)

    def _named(self, change: Change, place: str) -> Change:
        if not isinstance(change, Form | AddName):
            return change
        item_id = ItemId(ITEM + keyed(self._key, self._job_id, place))
        return replace(change, item=replace(change.item, item_id=item_id))


def _claim(item: ItemView) -> tuple[str, str, str | None]:
    """What makes two items one: said again, it is the item that is there."""
    return comparison_key(item.text), item.kind, item.subject


def _views(change: Change) -> Iterator[ItemView]:
    """The item a change makes, as a later part sees it."""
    if isinstance(change, Form | AddName):
        item: NewItem = change.item
        assert item.item_id is not None, "it was given out above"
        subject = None if item.subject is None else item.subject.name
        yield ItemView(item.item_id, item.kind, item.statement_kind, item.text, subject)
