"""LoCoMo through the real daemon: observed over its socket, formed by its workers, then asked."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import Progress

from tests.bench.locomo import DEPTHS, Ask, Conversation, batches, messages, turns_of
from tests.bench.subjects import daemon, session
from tests.support.rpc import SocketClient

_POLL_S: Final = 0.1
_UNFINISHED: Final = ("pending", "processing", "retry")


@asynccontextmanager
async def opened(conversation: Conversation, folder: Path) -> AsyncIterator[Ask]:
    """The conversation observed and formed in a daemon of its own, and a way to ask it."""
    with daemon(folder) as (_, path), session(path) as client:
        with Progress(console=Console(stderr=True), transient=True) as progress:
            by_evidence = _observe(client, conversation, progress)
            _wait(client, progress)

        async def ask(question: str) -> Sequence[str]:
            depth = max(DEPTHS)
            reply = client.call(
                "recall_preview", query=question, max_items=depth, max_quotes=depth, explain=True
            )
            return turns_of(reply, by_evidence)

        yield ask


def _observe(
    client: SocketClient, conversation: Conversation, progress: Progress
) -> dict[str, str]:
    by_evidence: dict[str, str] = {}
    task = progress.add_task(f"{conversation.name}: observe", total=len(conversation.turns))
    for place, (number, turns) in enumerate(batches(conversation)):
        reply = client.call(
            "observe",
            event_id=f"e{place}",
            conversation_id=conversation.name,
            session_id=f"session-{number}",
            messages=messages(conversation, turns),
        )
        by_evidence |= {row["evidence_id"]: row["message_id"] for row in reply["evidence"]}
        progress.advance(task, len(turns))
    return by_evidence


def _wait(client: SocketClient, progress: Progress) -> None:
    """Until every job has ended."""
    task = progress.add_task("form", total=None)
    while True:
        counts = client.call("query_jobs", operation="summary")["counts"]
        left = sum(counts[state] for state in _UNFINISHED)
        progress.update(task, total=sum(counts.values()), completed=sum(counts.values()) - left)
        if not left:
            return
        time.sleep(_POLL_S)
