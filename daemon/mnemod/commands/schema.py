"""`mnemod schema`: the OpenRPC document, without starting anything."""

from __future__ import annotations

import sys
from argparse import ArgumentParser

from mnemod.exits import Exit
from mnemod.rpc.document import openrpc_text


def run(arguments: list[str]) -> int:
    """Print the document that `rpc.discover` returns, byte for byte as it was generated."""
    description = "Print the OpenRPC description of every method, type and error."
    ArgumentParser(prog="mnemod schema", description=description).parse_args(arguments)
    sys.stdout.buffer.write(openrpc_text())
    return Exit.OK
