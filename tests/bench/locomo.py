"""Evidence recall on a LoCoMo conversation: `python -m tests.bench.locomo conv0.json [...]`.

Observes the whole conversation through a daemon of its own over its socket, with progress, waits
for formation, asks every question with `recall_preview`, and prints the share of each question's
evidence turns among the first 5, 10 and 20 distinct turns that came back. One speaker is the owner,
the other is named as `speaker`. Items and quotes stand in the order of `explain.rank` and count as
the turns their words are from. `--direct` skips socket and formation: the ranking alone, in the
same process, for choosing constants. The data is CC BY-NC 4.0 and no part of the project.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import trio

DEPTHS = (5, 10, 20)
ADVERSARIAL = 5
BATCH = 32

Ask = Callable[[str], Awaitable[Sequence[str]]]
"""A question to the `dia_id`s of the turns that came back, best first."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn; `session` is its number, `at` the time of the session."""

    dia_id: str
    session: int
    speaker: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the turns that hold its answer."""

    text: str
    category: int
    evidence: frozenset[str]


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation of two; `owner` is the one whose memory it becomes."""

    name: str
    owner: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One question's outcome."""

    category: int
    recall: tuple[float, ...]
    ms: float


def load(path: Path) -> Conversation:
    """Read a conversation; questions without evidence that exists are left out."""
    data = json.loads(path.read_text(encoding="utf-8"))
    turns = tuple(_turns(data["conversation"]))
    known = {turn.dia_id for turn in turns}
    asked = (_question(entry, known) for entry in data["qa"])
    questions = tuple(question for question in asked if question.evidence)
    return Conversation(path.stem, data["conversation"]["speaker_a"], turns, questions)


def _turns(conversation: Mapping[str, Any]) -> Iterator[Turn]:
    numbers = sorted(int(key[8:]) for key in conversation if re.fullmatch(r"session_\d+", key))
    for number in numbers:
        at = datetime.strptime(
            conversation[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y"
        ).replace(tzinfo=UTC)
        for turn in conversation[f"session_{number}"]:
            photo = turn.get("blip_caption")
            text = turn["text"] + (f" [shares a photo: {photo}]" if photo else "")
            yield Turn(turn["dia_id"], number, turn["speaker"], text, at)


def _question(entry: Mapping[str, Any], known: set[str]) -> Question:
    # A few entries are malformed: two ids in one string, a colon too many, a leading zero.
    found = re.findall(r"D:?(\d+):0*(\d+)", " ".join(entry["evidence"]))
    ids = {f"D{session}:{turn}" for session, turn in found} & known
    return Question(entry["question"], entry["category"], frozenset(ids))


def messages(conversation: Conversation, turns: Iterable[Turn]) -> list[dict[str, Any]]:
    """Turns as `observe` takes them."""
    made = []
    for turn in turns:
        message: dict[str, Any] = {
            "message_id": turn.dia_id,
            "role": "user",
            "content": turn.text,
            "at": turn.at.isoformat(),
        }
        if turn.speaker != conversation.owner:
            message["speaker"] = {"id": turn.speaker.lower(), "name": turn.speaker}
        made.append(message)
    return made


def batches(conversation: Conversation) -> Iterator[tuple[int, list[Turn]]]:
    """The conversation as a host would send it: a session at a time, BATCH messages a call."""
    for number in sorted({turn.session for turn in conversation.turns}):
        session = [turn for turn in conversation.turns if turn.session == number]
        for start in range(0, len(session), BATCH):
            yield number, session[start : start + BATCH]


def turns_of(reply: Mapping[str, Any], by_evidence: Mapping[str, str]) -> list[str]:
    """The distinct turns of a reply in the order of rank."""
    ranked = [(item["explain"]["rank"], _sources(item)) for item in reply["items"]]
    ranked += [(quote["explain"]["rank"], [quote["evidence_id"]]) for quote in reply["quotes"]]
    ids = (by_evidence[one] for _, sources in sorted(ranked) for one in sources)
    return list(dict.fromkeys(ids))


def _sources(item: Mapping[str, Any]) -> list[str]:
    return [support["evidence_id"] for support in item["item"]["support"]]


async def measure(conversation: Conversation, ask: Ask) -> list[Row]:
    """Every question's recall at each depth, and how long its answer took."""
    rows = []
    for question in conversation.questions:
        start = time.perf_counter()
        found = await ask(question.text)
        ms = (time.perf_counter() - start) * 1e3
        recall = tuple(
            len(question.evidence.intersection(found[:depth])) / len(question.evidence)
            for depth in DEPTHS
        )
        rows.append(Row(question.category, recall, ms))
    return rows


def table(name: str, rows: Sequence[Row]) -> str:
    """Recall by category; the adversarial one apart."""
    groups = {"1 to 4": [row for row in rows if row.category != ADVERSARIAL]}
    for category in sorted({row.category for row in rows}):
        groups[f"{category} alone"] = [row for row in rows if row.category == category]
    lines = [f"{name}: {len(rows)} questions, p50 {statistics.median(r.ms for r in rows):.2f} ms"]
    lines.append(f"{'category':<10} {'n':>4}" + "".join(f" {'@' + str(k):>6}" for k in DEPTHS))
    for label, group in groups.items():
        means = [statistics.fmean(row.recall[at] for row in group) for at in range(len(DEPTHS))]
        lines.append(f"{label:<10} {len(group):>4}" + "".join(f" {mean:>6.3f}" for mean in means))
    return "\n".join(lines)


async def direct(conversation: Conversation, folder: Path) -> list[Row]:
    """The ranking alone: no socket, no formation."""
    from tests.bench.locomo_direct import opened

    async with opened(conversation, folder) as ask:
        return await measure(conversation, ask)


async def over_socket(conversation: Conversation, folder: Path) -> list[Row]:
    """Through the real daemon, everything formed first."""
    from tests.bench.locomo_socket import opened

    async with opened(conversation, folder) as ask:
        return await measure(conversation, ask)


async def run(paths: Sequence[Path], *, is_direct: bool) -> None:
    """Measure each conversation and print its table, then that of all."""
    everything: list[Row] = []
    for path in paths:
        conversation = load(path)
        with tempfile.TemporaryDirectory() as folder:
            measured = direct if is_direct else over_socket
            rows = await measured(conversation, Path(folder))
        print(table(conversation.name, rows), end="\n\n", flush=True)
        everything += rows
    if len(paths) > 1:
        print(table("all", everything))


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.locomo", description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path, metavar="conv.json")
    parser.add_argument("--direct", action="store_true", help="the ranking alone, in-process")
    arguments = parser.parse_args()
    trio.run(lambda: run(arguments.paths, is_direct=arguments.direct))


if __name__ == "__main__":
    main()
