"""A process that takes a lifetime lock, says its owner id, and lives until it is killed.

python -m tests.support.living_child DIRECTORY
"""

from __future__ import annotations

import signal
import sys
from pathlib import Path

from mnemod.store.lifetime_lock import LifetimeLock

lock = LifetimeLock.take(Path(sys.argv[1]))
print(lock.owner_id, flush=True)
signal.pause()
