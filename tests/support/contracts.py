"""A copy of the wire contract that a test may edit."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.support.schemas import SCHEMA_FOLDER

Edit = Callable[[dict[str, Any]], object]


def copy_contract(root: Path) -> Path:
    """The hand-written files of `rpc_schema/`, copied below `root`. Returns their folder."""
    folder = root / "rpc_schema"
    shutil.copytree(SCHEMA_FOLDER / "methods", folder / "methods")
    for name in ("info.json", "types.json", "errors.json", "examples.json"):
        shutil.copy(SCHEMA_FOLDER / name, folder / name)
    return folder


def edit(path: Path, change: Edit) -> None:
    """Apply `change` to the JSON object in `path`."""
    value = json.loads(path.read_text("utf-8"))
    change(value)
    path.write_text(json.dumps(value), "utf-8")
