"""`mnemod forget ID...`: shows all that would go and why, asks, and erases exactly that.

    forget ID...                     preview, question on the terminal, deed
    forget ID... --json              the preview alone, with its `forget_scope`; nothing is erased
    forget ID... --yes --token T     the deed, for a preview seen before; refused if it has changed
    forget ID... --yes               preview and deed at once

Without a terminal nothing is erased unless `--yes` says so.
"""

from __future__ import annotations

import secrets
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from mnemod.commands import account, answer, terminal
from mnemod.commands.terminal.page import Cell, Page, Tone, Toned
from mnemod.commands.terminal.words import counted, moment
from mnemod.exits import Exit, Refused
from mnemod.ids import EVIDENCE, ITEM
from mnemod.transport.client import Client

if TYPE_CHECKING:
    from mnemod.rpc.generated import PreviewForgetResult, PreviewRow, Receipt

WHY: Final[Mapping[str, str]] = {
    "target": "you named it",
    "source": "it is what was said",
    "revision": "another version of it",
    "unsupported": "nothing else supports it",
    "keeps_other_support": "loses these words, keeps others",
    "orphaned": "nothing refers to it any more",
    "relied": "an answer that used it",
    "copy": "a copy of the words",
    "job": "work on the words",
}
"""The reasons of a preview row, as sentences. A new one is shown as the daemon wrote it."""

_WORD: Final = "forget"
_NOT_YET: Final = "pending"


def run(arguments: list[str]) -> int:
    """Exit 0 once it is erased, or was only previewed; 1 if it was refused or not confirmed."""
    options = _options(arguments)
    with account.connect(options) as client:
        targets = _targets(client, options.ids)
        scope = options.token
        if scope is None:
            preview: Any = client.call("preview_forget", targets)
            if options.json and not options.yes:
                answer.give(options, preview, "")
                return Exit.OK
            _confirm(terminal.page(), preview, options)
            scope = preview["forget_scope"]
        result: Any = client.call(_method(targets), _command(targets, scope))
    if options.json:
        answer.give(options, result, "")
    else:
        show_receipt(terminal.page(), result["receipt"])
    return Exit.FAILED if result["receipt"]["result_state"] == "rejected" else Exit.OK


def show_preview(page: Page, preview: PreviewForgetResult) -> None:
    """One row for each thing that goes or changes, and how many there are."""
    page.table(["", "what", "why", "words"], [_row(row) for row in preview["items"]])
    page.line(_total(preview), Tone.STRONG)


def show_receipt(page: Page, receipt: Receipt) -> None:
    """What was done, and whether the bytes are off the disk."""
    cleanup = receipt.get("storage_cleanup", {"state": "complete"})
    pending = cleanup["state"] == _NOT_YET
    again = f'mnemod rpc retry_storage_cleanup \'{{"command_id":"{receipt["command_id"]}"}}\''
    page.facts(
        [
            ("receipt", receipt["command_id"]),
            ("result", f"{receipt['result_state']}, {counted(len(receipt['affected_ids']), 'id')}"),
            ("world", f"revision {receipt['before_revision']} -> {receipt['after_revision']}"),
            ("done", moment(receipt["completed_at"])),
            ("bytes", f"still in the log file; try: {again}" if pending else "gone from the disk"),
            ("sha-256", receipt["receipt_hash"]),
        ]
    )


def why(reason: str) -> str:
    """A preview row's reason for people."""
    return WHY.get(reason, reason)


def _options(arguments: list[str]) -> Namespace:
    parser = account.parser("forget", "Erase memories or messages, and all that comes of them.")
    parser.add_argument("ids", metavar="ID", nargs="+", help="it_... or ev_...")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument("--token", metavar="T", help="the forget_scope of a preview seen before")
    answer.add_json(parser)
    options = parser.parse_args(arguments)
    if options.token is not None and not options.yes:
        parser.error("--token says what was confirmed elsewhere; it needs --yes")
    return options


def _targets(client: Client, ids: Sequence[str]) -> dict[str, Any]:
    """The targets as the methods take them: the first, then the others."""
    first, *others = [{"target_kind": _kind(client, id_), "target_id": id_} for id_ in ids]
    return {**first, "additional_targets": others} if others else {**first}


def _kind(client: Client, target_id: str) -> str:
    if target_id.startswith(EVIDENCE):
        return "evidence"
    if not target_id.startswith(ITEM):
        raise Refused(
            Exit.USAGE, f"{target_id} is neither a memory (it_...) nor a message (ev_...)"
        )
    found: Any = client.call("query_world", {"operation": "get", "item_id": target_id})
    kind: str = found["item"]["object_kind"]
    return kind


def _method(targets: Mapping[str, Any]) -> str:
    return "delete_evidence" if targets["target_kind"] == "evidence" else "delete_world_item"


def _command(targets: Mapping[str, Any], scope: str) -> dict[str, Any]:
    command_id = f"cli-{secrets.token_hex(8)}"
    return {"command_id": command_id, **targets, "forget_scope": scope}


def _confirm(page: Page, preview: PreviewForgetResult, options: Namespace) -> None:
    """Show what would go and have it confirmed. Raises Refused if it is not."""
    if not options.json:
        show_preview(page, preview)
    if options.yes:
        return
    if not terminal.can_ask():
        raise Refused(Exit.FAILED, "nothing was erased: there is no terminal to ask on; add --yes")
    try:
        said = input(f"Type {_WORD} to erase this for good: ")
    except EOFError:
        said = ""
    if said.strip() != _WORD:
        raise Refused(Exit.FAILED, "nothing was erased")


def _row(row: PreviewRow) -> list[Cell]:
    goes = row["effect"] == "erased"
    effect = Toned("goes", Tone.BAD) if goes else Toned("changes", Tone.WARNING)
    name = row["name"] if row["name"] is not None else "(words not shown here)"
    return [effect, _what(row), why(row["reason"]), name]


def _what(row: PreviewRow) -> str:
    if row["object_kind"] == "evidence":
        return "message"
    if row["object_kind"] == "turn":
        return "answer" if row["item_type"] == "assistant" else "turn"
    return row["item_type"]


def _total(preview: PreviewForgetResult) -> str:
    return "In all: " + ", ".join(_counts(preview)) + "."


def _counts(preview: PreviewForgetResult) -> Iterator[str]:
    yield counted(preview["item_count"], "memory", "memories")
    yield counted(preview["evidence_count"], "message")
    others = len(preview["items"]) - preview["item_count"] - preview["evidence_count"]
    if others > 0:
        yield counted(others, "other trace")
