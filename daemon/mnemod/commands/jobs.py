"""`mnemod jobs`: the background work, where each piece stands and why; `--watch` follows it."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from mnemod.commands import account, answer, terminal
from mnemod.commands.terminal.page import Cell, Page, Tone, Toned
from mnemod.commands.terminal.words import counted, moment
from mnemod.config import PAGE_DEFAULT, PAGE_MAX
from mnemod.exits import Exit
from mnemod.transport.client import Client, JsonObject

if TYPE_CHECKING:
    from mnemod.rpc.generated import JobRow, QueryJobsResult

_TONES: Final[Mapping[str, Tone]] = {
    "done": Tone.GOOD,
    "no_change": Tone.GOOD,
    "retry": Tone.WARNING,
    "clarification": Tone.WARNING,
    "dead": Tone.BAD,
}
STATES: Final = (
    "pending",
    "processing",
    "retry",
    "done",
    "no_change",
    "clarification",
    "out_of_scope",
    "dead",
)
"""The contract's `JobState`, without the import of all its types."""

_WATCH_S: Final = 60.0


def run(arguments: list[str]) -> int:
    """Show jobs, newest state first as the daemon lists them; `--watch` goes on until Ctrl-C."""
    options = _options(arguments)
    with account.connect(options) as client:
        if options.watch:
            # Before the list is read, so that no change falls between the two.
            client.call("subscribe", {"topic": "jobs"})
        result: Any = client.call("query_jobs", _params(options))
        if options.json:
            answer.give(options, result, "")
        else:
            show(terminal.page(), result)
        if options.watch:
            _watch(client, options)
    return Exit.OK


def show(page: Page, result: QueryJobsResult) -> None:
    """The jobs, and how many stand in each state."""
    rows = [_row(job) for job in result.get("jobs", ())]
    if rows:
        page.table(["created", "state", "tries", "job"], rows)
    else:
        page.line("No jobs.")
    counts = [f"{number} {state}" for state, number in result["counts"].items() if number]
    worker = result["worker"]
    reason = f" ({worker['reason']})" if worker.get("reason") else ""
    page.line(
        f"worker {worker['state']}{reason}; in all: {', '.join(counts) or 'none'}", Tone.FAINT
    )
    if result.get("next_cursor"):
        page.line("There are more; --limit shows more of them.", Tone.FAINT)


def facts_of(job: JobRow) -> list[tuple[str, str]]:
    """All that is known of a job, as names and values."""
    return list(_facts(job))


def _options(arguments: list[str]) -> Namespace:
    parser = account.parser("jobs", "Show the background work and where it stands.")
    parser.add_argument("--state", choices=STATES, metavar="STATE", help=", ".join(STATES))
    parser.add_argument("--limit", metavar="N", type=int, default=PAGE_DEFAULT, help="how many")
    parser.add_argument("--watch", action="store_true", help="go on showing changes")
    answer.add_json(parser)
    options = parser.parse_args(arguments)
    if not 1 <= options.limit <= PAGE_MAX:
        parser.error(f"--limit is from 1 to {PAGE_MAX}")
    return options


def _params(options: Namespace) -> dict[str, Any]:
    state = {"state": options.state} if options.state else {}
    return {"operation": "list", "limit": options.limit, **state}


def _watch(client: Client, options: Namespace) -> None:
    page = terminal.page()
    while True:
        notice = client.next_notice(_WATCH_S)
        if notice is None:
            continue
        if options.json:
            print(json.dumps(notice["params"]), flush=True)
        else:
            page.line(_change(notice))
            sys.stdout.flush()


def _change(notice: JsonObject) -> str:
    if notice["method"] == "job_changed":
        job: JobRow = notice["params"]["job"]
        at = moment(job.get("completed_at") or job["created_at"])
        return "  ".join([at, job["state"], job["job_id"], *_why(job)])
    return f"{counted(notice['params'].get('dropped', 0), 'change')} went by unseen"


def _row(job: JobRow) -> list[Cell]:
    state = Toned(job["state"], _TONES.get(job["state"], Tone.PLAIN))
    words = "\n".join([job["job_id"], *_why(job)])
    return [moment(job["created_at"]), state, str(job["attempts"]), words]


def _why(job: JobRow) -> Iterator[str]:
    told = (job.get("reason"), job.get("last_error"), job.get("recovery"))
    yield from (text.replace("_", " ") for text in told if text)


def _facts(job: JobRow) -> Iterator[tuple[str, str]]:
    yield "id", job["job_id"]
    yield "kind", job["kind"]
    yield "state", job["state"]
    for name in ("reason", "last_error", "recovery", "claimed_for_ms"):
        if value := job.get(name):
            yield name.replace("_", " "), str(value)
    yield "attempts", str(job["attempts"])
    yield "created", moment(job["created_at"])
    for name in ("next_attempt_at", "completed_at"):
        if value := job.get(name):
            yield name.removesuffix("_at").replace("_", " "), moment(str(value))
    yield "reads", ", ".join(job["evidence_ids"]) or "nothing"
    yield "made", ", ".join(job["item_ids"]) or "nothing"
