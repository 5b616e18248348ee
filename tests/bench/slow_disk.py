"""A disk whose fsync takes as long as one says: the same program on a slower machine's disk.

How much sharing commits can gain depends on what one costs. This builds, with the C compiler, a
library that makes every fsync wait, to be preloaded into the daemon and into the raw floor alike.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Final

_SOURCE: Final = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
static int slowly(const char *name, int fd) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    const char *ms = getenv("BENCH_FSYNC_MS");
    double wait = ms ? atof(ms) : 0;
    struct timespec pause = {(time_t)(wait / 1000), (long)(wait * 1e6) % 1000000000L};
    nanosleep(&pause, 0);
    return real(fd);
}
int fsync(int fd) { return slowly("fsync", fd); }
int fdatasync(int fd) { return slowly("fdatasync", fd); }
"""


def environment(scratch: Path, fsync_ms: float) -> dict[str, str] | None:
    """Variables that make a child's fsync take `fsync_ms` longer; None without a C compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    source, library = scratch / "slow.c", scratch / "slow.so"
    source.write_text(_SOURCE)
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return {"LD_PRELOAD": str(library), "BENCH_FSYNC_MS": str(fsync_ms)}
