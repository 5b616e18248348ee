"""Writes all that is generated from the contract, or with --check says what is stale.

    python -m rpc_schema.generate           write
    python -m rpc_schema.generate --check   write nothing; exit 1 with a diff if stale

Standard library only, and no network: the same contract gives the same bytes everywhere.
"""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from rpc_schema.contract import read
from rpc_schema.targets import TARGETS
from rpc_schema.targets.model import Refused

ROOT: Final = Path(__file__).resolve().parent.parent
_DIFF_LINES_MAX: Final = 20


def generate(root: Path = ROOT) -> dict[str, str]:
    """Every generated file of the contract under `root`, as text by its path from there."""
    schema = read(root / "rpc_schema")
    files: dict[str, str] = {}
    for render in TARGETS.values():
        files |= render(schema)
    return files


def stale(files: Mapping[str, str], root: Path = ROOT) -> dict[str, str]:
    """A short diff by path for every file that is not what the contract makes it."""
    found = {}
    for path, wanted in files.items():
        on_disk = root / path
        present = on_disk.read_text(encoding="utf-8") if on_disk.exists() else ""
        if present != wanted:
            found[path] = _diff(path, present, wanted)
    return found


def write(files: Mapping[str, str], root: Path = ROOT) -> None:
    """Writes each file whole."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8", newline="\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code: 0 done or current, 1 stale, 2 the contract itself is refused."""
    parser = argparse.ArgumentParser(prog="python -m rpc_schema.generate", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, fail if stale")
    parser.add_argument("--root", type=Path, default=ROOT, help=argparse.SUPPRESS)
    asked = parser.parse_args(arguments)
    try:
        files = generate(asked.root)
    except Refused as refused:
        print(f"refused: {refused}", file=sys.stderr)
        return 2
    found = stale(files, asked.root)
    if not asked.check:
        write({path: files[path] for path in found}, asked.root)
        print("\n".join(f"wrote {path}" for path in found) or "all current")
        return 0
    for path, diff in found.items():
        print(f"stale: {path} (run python -m rpc_schema.generate)\n{diff}", file=sys.stderr)
    return 1 if found else 0


def _diff(path: str, present: str, wanted: str) -> str:
    lines = difflib.unified_diff(
        present.splitlines(), wanted.splitlines(), f"{path} (on disk)", f"{path} (contract)",
        lineterm="", n=1,
    )  # fmt: skip
    shown = list(islice(lines, _DIFF_LINES_MAX + 1))
    more = ["..."] if len(shown) > _DIFF_LINES_MAX else []
    return "\n".join([*shown[:_DIFF_LINES_MAX], *more])


if __name__ == "__main__":
    sys.exit(main())
