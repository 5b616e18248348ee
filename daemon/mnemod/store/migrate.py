"""How an account's file gets today's schema: built whole, or migrated to it step by step.

`schema.sql` is the whole schema of today. `migrations/NNNN_name.sql` are the steps that lead to
it; a test compares the two. `user_version` is the number of the last step, and one row of
`migration` records each. A step, its record and the new `user_version` commit together or not at
all. The steps of a file that exists run with foreign keys off, as SQLite asks of those that
rebuild a table, and are checked before their commit.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

from mnemod import faults
from mnemod.errors import AccountCorrupt
from mnemod.ids import EpochMs
from mnemod.store import _sqlite
from mnemod.store.erasure import COPY_SUFFIX
from mnemod.store.files import create_private

_log = logging.getLogger(__name__)

_NAME: Final = re.compile(r"(\d{4})_[a-z0-9_]+")

_Q_RECORD = """
INSERT INTO migration (number, name, applied_at_ms)
VALUES (:number, :name, :applied_at_ms)
"""


class Migration(Struct, frozen=True):
    """One step. `number` rises by one from 1; `name` is its file's, without the ending."""

    number: int
    name: str
    sql: str


class Schema(Struct, frozen=True):
    """What a file should look like, and how an older one gets there."""

    whole: str
    migrations: tuple[Migration, ...]

    @property
    def version(self) -> int:
        """The `user_version` of a file that has it all."""
        return len(self.migrations)


@cache
def packaged() -> Schema:
    """The schema that comes with this mnemod."""
    here = Path(__file__)
    steps = here.with_name("migrations").glob("*.sql")
    migrations = numbered(_migration(step.name, step.read_text("utf-8")) for step in steps)
    return Schema(here.with_name("schema.sql").read_text("utf-8"), migrations)


def numbered(steps: Iterable[Migration]) -> tuple[Migration, ...]:
    """The steps in order. Raises ValueError if they are not numbered 1, 2, 3 and so on."""
    ordered = tuple(sorted(steps, key=lambda step: step.number))
    if [step.number for step in ordered] != list(range(1, len(ordered) + 1)):
        raise ValueError("the migrations are not numbered 1, 2, 3 and so on")
    return ordered


def build(connection: _sqlite.Connection, schema: Schema, now: EpochMs) -> None:
    """Give an empty file the whole schema of today, in one transaction."""
    connection.execute("BEGIN IMMEDIATE")
    for statement in statements(schema.whole):
        connection.execute(statement)
    for migration in schema.migrations:
        _record(connection, migration, now)
    connection.execute("COMMIT")


def upgrade(connection: _sqlite.Connection, path: Path, schema: Schema, now: EpochMs) -> None:
    """Run the steps this file lacks, after copying it. A step that fails leaves it as it was.

    Raises what the step raised; AccountCorrupt if its rows break a foreign key.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    missing = schema.migrations[version:]
    if not missing:
        return
    copy_to = path.with_name(f"{path.name}{COPY_SUFFIX}{missing[0].number:04}")
    _copy(connection, copy_to)
    _log.info("copied an account's file before migrating it: %s", copy_to.name)
    connection.execute("PRAGMA foreign_keys = OFF")
    try:
        for migration in missing:
            _apply(connection, migration, now)
    finally:
        connection.execute("PRAGMA foreign_keys = ON")


def statements(script: str) -> Iterator[str]:
    """The statements of a script, one by one: `executescript` would commit before it began.

    Raises ValueError at the end of a script whose last statement has none.
    """
    *pieces, rest = script.split(";")
    statement = ""
    for piece in pieces:
        statement += piece + ";"
        if _sqlite.is_complete(statement):
            yield statement
            statement = ""
    if any(line and not line.startswith("--") for line in map(str.strip, rest.splitlines())):
        raise ValueError("a script ends inside a statement")


def _apply(connection: _sqlite.Connection, migration: Migration, now: EpochMs) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statement in statements(migration.sql):
            connection.execute(statement)
        _record(connection, migration, now)
        if connection.execute("PRAGMA foreign_key_check").fetchone() is not None:
            raise AccountCorrupt(migration=migration.number)
        faults.hit("migrate.before_commit")
        connection.execute("COMMIT")
        faults.hit("migrate.after_commit")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _record(connection: _sqlite.Connection, migration: Migration, now: EpochMs) -> None:
    connection.execute(
        _Q_RECORD,
        {"number": migration.number, "name": migration.name, "applied_at_ms": now},
    )
    connection.execute(f"PRAGMA user_version = {migration.number}")


def _copy(connection: _sqlite.Connection, to: Path) -> None:
    """A copy through SQLite, so that it holds what the log holds; on disk before we go on."""
    to.unlink(missing_ok=True)
    create_private(to)
    with closing(_sqlite.connect(to)) as copy:
        connection.backup(copy)
    with to.open("rb") as file:
        os.fsync(file.fileno())


def _migration(file_name: str, sql: str) -> Migration:
    name = file_name.removesuffix(".sql")
    numbered = _NAME.fullmatch(name)
    if numbered is None:
        raise ValueError("a migration is not called NNNN_name.sql")
    return Migration(int(numbered[1]), name, sql)
