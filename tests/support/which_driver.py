"""Says which SQLite driver the store chose, and which are loaded in its process."""

from __future__ import annotations

import sys

import mnemod.store.database  # noqa: F401  all of the store is to be loaded
from mnemod.store import _sqlite

print(_sqlite.DRIVER)
print("loaded=" + ",".join(sorted({"sqlite3", "pysqlite3"} & set(sys.modules))))
