"""The daemon on a disk of six megabytes: it fills up, something is forgotten, room comes back.

Promises: `storage_full` by name and nothing acknowledged missing; a forget works while it is full
and leaves no byte once there is room; then everything works with no restart.
Runs itself again inside a user namespace, where it may mount the disk.
"""

from __future__ import annotations

import json
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.e2e.torture.sentinels import found
from tests.support import faults
from tests.support.processes import Place
from tests.support.rpc import Client, Json, RpcError, observe_params
from tests.support.torture import Checks, Round, everything, faults_of, forget, unseen_word

_OWN_DISK: Final = ("unshare", "--map-root-user", "--mount")
_KIB: Final = 1024
CLEAN_WITHIN_S = 15.0


def can_mount() -> bool:
    """Whether this machine lets us have a disk of our own."""
    if sys.platform != "linux" or shutil.which("unshare") is None:
        return False
    script = "mount -t tmpfs -o size=64k none /mnt"
    return faults.run_command([*_OWN_DISK, "sh", "-c", script]).returncode == 0


def rounds(folder: Path, count: int, chance: random.Random) -> Iterator[Round]:
    """Each round on a new disk."""
    for number in range(count):
        home = folder / str(number)
        home.mkdir()
        child = f"{sys.executable} -m {__name__} {home} {chance.randrange(2**32)}"
        script = f"mount -t tmpfs -o size=6m none /mnt && exec {child}"
        ended = faults.run_command([*_OWN_DISK, "sh", "-c", script])
        if ended.returncode:
            yield Round({"exit": ended.returncode}, (f"the child works: {ended.stderr}",))
        else:
            told: Json = json.loads(ended.stdout)
            yield Round(told["figures"], tuple(told["broken"]))


def _inside(home: Path, chance: random.Random) -> Round:
    checks = Checks()
    ballast = Path("/mnt/ballast")
    ballast.write_bytes(bytes(2_500 * _KIB))
    place = Place(home, Path("/mnt/data"))
    try:
        client = place.spawn("serve", "--stdio", "--alone").client
        client.initialize()
        secret = unseen_word(chance)
        kept, kinds = _fill(client, secret)
        checks.hold("a full disk is named", kinds == {"storage_full"})
        rows = everything(client, "query_evidence", "evidence")
        there = {row["message_id"]: row["content"] for row in rows}
        checks.hold("nothing acknowledged is missing", kept.items() <= there.items())
        checks.hold("nothing refused is there", kept.keys() == there.keys())
        first = next(row["evidence_id"] for row in rows if row["message_id"] == "m0")
        receipt = forget(client, "forget", "evidence", first)["receipt"]
        checks.hold("a forget works while it is full", receipt["result_state"] == "applied")
        ballast.unlink()
        after = client.call("observe", **observe_params("There is room.", "room"))
        checks.hold("it works again without a restart", after["replayed"] is False)
        clean_ms = _wait_clean(place, client, secret)
        checks.hold("no byte is left once there is room", found(place.data_dir, secret) == {})
        checks.hold("the file is sound", faults_of(client) == [])
    finally:
        place.close()
    cleanup = receipt["storage_cleanup"]
    state = f"{cleanup['state']} {cleanup.get('reason', '')}"
    return checks.round(acknowledged=len(kept), cleanup=state.strip(), clean_ms=clean_ms)


def _fill(client: Client, secret: str) -> tuple[dict[str, str], set[str]]:
    """Messages until three in a row are refused: those acknowledged, and the refusals' kinds."""
    kept: dict[str, str] = {}
    kinds: set[str] = set()
    refused = 0
    for number in range(1_000):
        text = f"{secret if number == 0 else number} " + "x" * 20 * _KIB
        try:
            client.call("observe", **observe_params(text, f"m{number}"))
            kept[f"m{number}"] = text
        except RpcError as error:
            kinds.add(error.kind)
            refused += 1
        if refused == 3:
            break
    return kept, kinds


def _wait_clean(place: Place, client: Client, secret: str) -> int:
    """Milliseconds until the daemon has cleaned up by itself."""
    began = time.monotonic()
    while found(place.data_dir, secret) and time.monotonic() - began < CLEAN_WITHIN_S:
        client.call("ping")
        time.sleep(0.05)
    return round((time.monotonic() - began) * 1000)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(dir=sys.argv[1]) as folder:
        done = _inside(Path(folder), random.Random(int(sys.argv[2])))
    print(json.dumps({"figures": dict(done.figures), "broken": done.broken}))
