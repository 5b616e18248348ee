"""`mnemod doctor`: looks for what is wrong and says what to do. Changes nothing without `--repair`.

Exit 0 if nothing is, 1 for warnings with `--strict`, 2 if a check failed.
"""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterator, Mapping
from typing import Final

from mnemod.commands import account, answer, place, terminal
from mnemod.commands.doctor import accounts, daemon, places, software
from mnemod.commands.doctor.finding import Finding, State, exit_code
from mnemod.commands.terminal.page import Cell, Page, Tone, Toned
from mnemod.commands.terminal.words import counted

_TONES: Final[Mapping[State, Tone]] = {
    State.OK: Tone.GOOD,
    State.WARNING: Tone.WARNING,
    State.FAILED: Tone.BAD,
}


def run(arguments: list[str]) -> int:
    """Check everything and show it."""
    options = _options(arguments)
    findings = list(_findings(options))
    if options.json:
        facts = {"findings": [finding.as_dict() for finding in findings], **_counts(findings)}
        answer.give(options, facts, "")
    else:
        show(terminal.page(), findings)
    return exit_code(findings, strict=options.strict)


def show(page: Page, findings: list[Finding]) -> None:
    """One row a check, and under it what to do."""
    rows: list[list[Cell]] = [
        [
            Toned(finding.state, _TONES[finding.state]),
            finding.check,
            "\n".join([finding.found, *([f"-> {finding.todo}"] if finding.todo else [])]),
        ]
        for finding in findings
    ]
    page.table(["", "check", "found"], rows)
    counts = _counts(findings)
    bad = [counted(counts[name], name) for name in ("failure", "warning") if counts[name]]
    worst = Tone.BAD if counts["failure"] else Tone.WARNING if bad else Tone.GOOD
    page.line(", ".join(bad) or "Nothing is wrong.", worst)


def _options(arguments: list[str]) -> Namespace:
    parser = account.parser("doctor", "Look for what is wrong, and say what to do.")
    parser.add_argument("--deep", action="store_true", help="read every row of every account")
    parser.add_argument("--repair", action="store_true", help="make a wrong search index anew")
    parser.add_argument("--strict", action="store_true", help="a warning is a failure: exit 1")
    answer.add_json(parser)
    options = parser.parse_args(arguments)
    if options.repair and not options.deep:
        parser.error("--repair goes with --deep, which says what is wrong first")
    return options


def _findings(options: Namespace) -> Iterator[Finding]:
    data_dir = place.data_dir(options)
    yield from software.check(data_dir, place.config_file(options), os.environ)
    yield from places.check(data_dir)
    if data_dir.is_dir():
        yield from daemon.check(data_dir)
    names = [options.account] if options.account else account.there_are(data_dir)
    for name in names:
        yield from accounts.check(options, name)


def _counts(findings: list[Finding]) -> dict[str, int]:
    states = [finding.state for finding in findings]
    return {"failure": states.count(State.FAILED), "warning": states.count(State.WARNING)}
