"""What the contract is turned into. A target is one function from the contract to whole files.

A new target is a module with such a function and a line in `TARGETS`. Targets never read the JSON
files: all they know comes from `model.Schema`, and what they cannot say they refuse.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from rpc_schema.targets import openrpc, python, samples
from rpc_schema.targets.model import Schema

Files = Mapping[str, str]
"""Whole files by their path from the root of the repository."""

TARGETS: Final[Mapping[str, Callable[[Schema], Files]]] = {
    "openrpc": openrpc.render,
    "python": python.render,
    "samples": samples.render,
}
