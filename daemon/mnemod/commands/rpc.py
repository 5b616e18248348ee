"""`mnemod rpc METHOD [JSON|-]`: one call, for scripts and for finding out what is wrong."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from typing import Any

from mnemod.commands import account, terminal
from mnemod.exits import Exit, Refused


def run(arguments: list[str]) -> int:
    """Print the result as JSON. A refusal ends with 1, or with 75 if later may do."""
    options = _parser().parse_args(arguments)
    params = _params(options.params)
    with account.connect(
        options, tier=options.tier, host_id=options.host_id, may_make=True
    ) as client:
        result = client.call(options.method, params)
    indent = 2 if terminal.is_terminal() else None
    print(json.dumps(result, ensure_ascii=False, indent=indent))
    return Exit.OK


def _parser() -> ArgumentParser:
    parser = account.parser("rpc", "Call one method of the daemon, starting it if need be.")
    parser.add_argument("method", metavar="METHOD", help="`mnemod schema` describes them all")
    parser.add_argument(
        "params", metavar="JSON", nargs="?", default="{}", help="the params; - reads them"
    )
    parser.add_argument("--tier", choices=("local", "cloud"), default="local", help="who reads it")
    parser.add_argument("--host-id", metavar="ID", default=account.HOST_ID, help="as which host")
    return parser


def _params(given: str) -> dict[str, Any]:
    text = sys.stdin.read() if given == "-" else given
    try:
        params = json.loads(text)
    except json.JSONDecodeError as wrong:
        where = f"line {wrong.lineno}, column {wrong.colno}"
        raise Refused(Exit.USAGE, f"the params are not JSON from {where} on") from None
    if not isinstance(params, dict):
        raise Refused(Exit.USAGE, "the params must be a JSON object")
    return params
