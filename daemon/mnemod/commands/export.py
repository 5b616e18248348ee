"""`mnemod export`: JSON Lines of all an account holds, read over RPC.

    {"kind":"account","format":"mnemod-export/1","schema_version":…,"account":…,"world_revision":…}
    {"kind":"evidence","row":…}      what was said, in the order it came
    {"kind":"turn","row":…}          conversations, in order
    {"kind":"item","row":…,"support":[…],"transitions":[…]}
    {"kind":"job","row":…}
    {"kind":"receipt","row":…}
    {"kind":"end","world_revision":…,"counts":{…}}

What the gates called noise, or hold, leaves this machine in no export: such a line keeps its row
without the words (`"content":null`), says so (`"left_out":"held"`), and the end counts them.

The same account gives the same bytes. A file without its last line is not whole; if the world
moved on meanwhile the export says so and ends with 75. With `-o` the file is written beside its
place with mode 0600 and renamed over it, so it is there whole or not at all. A target that is a
symbolic link is refused, never followed: its words would land in a place nobody named.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

from mnemod.commands import account, place
from mnemod.commands.terminal.words import counted
from mnemod.config import PAGE_MAX
from mnemod.exits import Exit, Refused
from mnemod.transport.client import Client, JsonObject

FORMAT: Final = "mnemod-export/1"

_PARTS: Final[tuple[tuple[str, str, JsonObject, str], ...]] = (
    ("evidence", "query_evidence", {"operation": "list"}, "evidence"),
    ("turn", "query_interactions", {}, "turns"),
    ("item", "query_world", {"operation": "list"}, "items"),
    ("job", "query_jobs", {"operation": "list"}, "jobs"),
    ("receipt", "query_receipts", {}, "receipts"),
)
"""The kind of line, the method, its params, and the member that holds the rows."""


_KEPT_BACK: Final = ("noise", "held")
"""Outcomes of messages whose words no export holds."""


class Moved(Refused):
    """The world changed while it was read; what was written is no single moment of it."""

    def __init__(self, unfinished: int) -> None:
        when = f"when `mnemod jobs` shows none of the {counted(unfinished, 'job')} under way"
        again = f"run it again {when}" if unfinished else "run it again"
        super().__init__(Exit.TRY_AGAIN, f"the account changed during the export; {again}")


def run(arguments: list[str]) -> int:
    """Write everything, then check that the world stood still."""
    parser = account.parser("export", "Write all an account holds as JSON Lines.")
    parser.add_argument("-o", "--output", metavar="FILE", help="a file instead of stdout")
    options = parser.parse_args(arguments)
    name = options.account or account.the_only(place.data_dir(options))
    target = Path(options.output) if options.output else None
    with account.connect(options) as client, _opened(target) as out:
        written, left_out = write(client, name, out, _progress())
    sys.stderr.write(f"exported {counted(written, 'line')}\n" if target else "")
    sys.stderr.write(f"{_told(left_out)}\n" if left_out else "")
    return Exit.OK


def write(
    client: Client, account_name: str, out: BinaryIO, progress: Callable[[str, int], None]
) -> tuple[int, Counter[str]]:
    """Write the account's lines to `out`. Returns how many, and of how many the words were left
    out, by outcome. Raises Moved."""
    begun = _stamp(client)
    counts = dict.fromkeys((kind for kind, *_ in _PARTS), 0)
    left_out = Counter[str]()
    _put(out, _header(account_name, begun.revision))
    for kind, method, params, member in _PARTS:
        for line in _lines(client, kind, _rows(client, method, params, member)):
            _put(out, line)
            counts[kind] += 1
            left_out.update([line["left_out"]] if kind == "evidence" and "left_out" in line else [])
            progress(kind, counts[kind])
    ended = _stamp(client)
    if ended != begun:
        raise Moved(sum(ended.jobs.get(state, 0) for state in ("pending", "processing")))
    end = {"kind": "end", "world_revision": begun.revision, "counts": counts}
    _put(out, {**end, "left_out": left_out} if left_out else end)
    return sum(counts.values()) + 2, left_out


def _told(left_out: Counter[str]) -> str:
    parts = [f"{left_out[word]} {word}" for word in _KEPT_BACK if left_out[word]]
    return f"left out the words of messages kept back by the gates: {', '.join(parts)}"


def _header(account_name: str, revision: int) -> JsonObject:
    from mnemod.rpc.generated import SCHEMA_VERSION

    return {
        "kind": "account",
        "format": FORMAT,
        "schema_version": SCHEMA_VERSION,
        "account": account_name,
        "world_revision": revision,
    }


def _lines(client: Client, kind: str, rows: Iterator[JsonObject]) -> Iterator[JsonObject]:
    if kind == "item":
        return _items(client, rows)
    return (_line(kind, row) for row in rows)


def _line(kind: str, row: JsonObject) -> JsonObject:
    """A row as a line, without the words that are kept back. Of turns, no such words came here."""
    outcome = row.get("outcome")
    if outcome not in _KEPT_BACK:
        return {"kind": kind, "row": row}
    return {
        "kind": kind,
        "row": {**row, "content": None, **({"annotations": []} if "annotations" in row else {})},
        "left_out": outcome,
    }


def _items(client: Client, rows: Iterator[JsonObject]) -> Iterator[JsonObject]:
    """Each item with the whole of what explains it, its messages by id since they stand above."""
    found = list(rows)
    asked = (
        ("query_provenance", {"object_kind": row["object_kind"], "item_id": row["item_id"]})
        for row in found
    )
    for row, why in zip(found, client.calls(asked), strict=True):
        support = [part["support"] for part in _support(client, row, why)]
        yield {"kind": "item", "row": row, "support": support, "transitions": why["transitions"]}


def _support(client: Client, row: JsonObject, why: JsonObject) -> Iterator[JsonObject]:
    """All spans of an item, of which `why` has the first page."""
    yield from why["support"]
    while "next_cursor" in why:
        named = {"object_kind": row["object_kind"], "item_id": row["item_id"]}
        why = client.call("query_provenance", {**named, "cursor": why["next_cursor"]})
        yield from why["support"]


def _rows(client: Client, method: str, params: JsonObject, member: str) -> Iterator[JsonObject]:
    cursor: dict[str, Any] = {}
    while True:
        page = client.call(method, {**params, "limit": PAGE_MAX, **cursor})
        yield from page[member]
        if page.get("next_cursor") is None:
            return
        cursor = {"cursor": page["next_cursor"]}


class _Stamp(NamedTuple):
    """What differs when anything was added, formed, changed or erased in between."""

    revision: int
    evidence: int
    jobs: JsonObject


def _stamp(client: Client) -> _Stamp:
    # A message that was only taken in does not raise the revision; the counts tell of it.
    health = client.call("health", {})
    revision = client.call("query_receipts", {"limit": 1})["world_revision"]
    return _Stamp(revision, health["account"]["evidence"], health["account"]["jobs"])


def _put(out: BinaryIO, line: JsonObject) -> None:
    text = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
    out.write(text.encode() + b"\n")


def _progress() -> Callable[[str, int], None]:
    """Shows how far it is, on a terminal only."""
    if not sys.stderr.isatty():
        return lambda _kind, _count: None

    def show(kind: str, count: int) -> None:
        if count % 100 == 0:
            sys.stderr.write(f"\r{kind} {count:,}\x1b[K\r")

    return show


@contextmanager
def _opened(target: Path | None) -> Iterator[BinaryIO]:
    """Where the lines go. A file gets its name only when the block ends well."""
    if target is None:
        yield sys.stdout.buffer
        return
    if target.is_symlink():
        raise Refused(Exit.CANNOT_CREATE, f"{target} is a symbolic link; name the file itself")
    beside = target.with_name(f"{target.name}.{os.getpid()}.new")
    try:
        fd = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except OSError as exc:
        raise Refused(
            Exit.CANNOT_CREATE, f"{target} cannot be made ({type(exc).__name__})"
        ) from None
    try:
        with open(fd, "wb") as out:  # noqa: PTH123 - a descriptor, for its mode
            yield out
            out.flush()
            os.fsync(fd)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)  # there only if it did not get its name
