"""Whether an account that nobody has open has work left. Reads only, and changes no byte.

A daemon that starts after a crash has no host to tell it which accounts were being worked on.
"""

from __future__ import annotations

from pathlib import Path

from mnemod.ids import AccountId
from mnemod.store import _sqlite
from mnemod.store.opening import looking_at

_Q_UNFINISHED = """
SELECT value
  FROM meta
 WHERE key = 'account_id'
   AND EXISTS (SELECT 1 FROM job WHERE state IN ('pending', 'retry', 'processing'))
"""


def account_with_work(path: Path) -> AccountId | None:
    """The account of this file if a job of it has not ended; None too if it cannot be read."""
    try:
        with looking_at(path) as connection:
            found = connection.execute(_Q_UNFINISHED).fetchone()
    except _sqlite.Error:
        return None  # whoever opens it is told what is wrong with it
    return None if found is None else AccountId(found[0])
