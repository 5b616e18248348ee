"""How a command answers: one line for people, or with `--json` exactly one object."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping


def add_json(parser: ArgumentParser) -> None:
    """Let the command take `--json`."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def give(options: Namespace, facts: Mapping[str, object], sentence: str) -> None:
    """Print the answer to stdout in the form that was asked for."""
    if not options.json:
        print(sentence)
        return
    import json

    print(json.dumps(facts, ensure_ascii=True))
