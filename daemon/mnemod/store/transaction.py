"""What a service holds while it reads or writes: a connection inside a transaction.

It can run statements and nothing else. Beginning, committing and rolling back are the writer's
and the readers' alone, so no function can end a transaction it shares with others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

Parameters = Sequence[Any] | Mapping[str, Any]


class Rows(Protocol):
    """What a statement gave: rows as tuples, in order, read once."""

    @property
    def rowcount(self) -> int:
        """Rows inserted, changed or deleted; -1 for a SELECT."""

    @property
    def lastrowid(self) -> int | None:
        """The rowid of the last row inserted."""

    def fetchone(self) -> Any:
        """The next row as a tuple, or None at the end."""

    def fetchall(self) -> list[Any]:
        """The rows that are left."""

    def fetchmany(self, size: int = ..., /) -> list[Any]:
        """At most `size` of the rows that are left."""

    def __iter__(self) -> Iterator[Any]: ...


class Tx(Protocol):
    """A transaction that is open, and that somebody else will end."""

    def execute(self, sql: str, parameters: Parameters = ..., /) -> Rows:
        """Run one statement. Parameters are named (`:job_id`) and given as a mapping."""

    def executemany(self, sql: str, parameters: Iterable[Parameters], /) -> Rows:
        """Run one statement once for each set of parameters."""
