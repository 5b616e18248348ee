"""The measures of `python -m tests.bench`: figures, with floors measured beside them."""

from __future__ import annotations

import itertools
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

import trio

from tests.bench import floors, gate_times, recall_scale, worlds
from tests.bench import slow_disk as slow_disks
from tests.bench.crowd import Crowd, unsaid
from tests.bench.subjects import MNEMOD, daemon, first_answer_s, resident_mb, session
from tests.bench.table import Figure, median_ms, p99_ms
from tests.support.rpc import SocketClient, initialize_params, observe_params, request

Tell = Callable[[str], None]

TEXT: Final = "The kiln shelf posts by the window are 15 cm tall, and I glaze on Fridays."
CHINESE: Final = "窗边的窑架立柱高15厘米，我每周五上釉。"
JAPANESE: Final = "窓際の窯の棚柱は高さ15センチで、金曜日に釉薬を掛けます。"
WRITERS: Final = {
    "one account": (TEXT,),
    "one account, in Chinese": (CHINESE,),
    "one account, in Japanese": (JAPANESE,),
    "one account, in all three": (TEXT, CHINESE, JAPANESE),
}
"""What an account got before it rests: what it holds follows what its owner writes."""
CLIENTS: Final = 64
CROWD_RATIO: Final = 12.0
FSYNC_MS: Final = 4.0
WORKLESS: Final = {"formation_interpreter": "none"}
"""Observing is measured with no worker beside it: forming is other work, at other times."""


def cold_start(scratch: Path, tell: Tell) -> list[Figure]:
    """Spawn to the answer of `initialize`, on a new account, against importing the libraries."""
    ours, bare = [], []
    for turn in range(15):
        tell(f"cold start {turn + 1}/15")
        data_dir = str(scratch / f"cold{turn}")
        ours.append(first_answer_s([MNEMOD, "serve", "--stdio", "--alone", "--data-dir", data_dir]))
        bare.append(floors.spawn_s(floors.IMPORTS))
    return [
        Figure(
            "cold start, --alone, new account",
            median_ms(ours),
            "ms",
            "import trio, orjson, pysqlite3",
            median_ms(bare),
            at_most=1.6,
        )
    ]


def ping(scratch: Path, tell: Tell) -> list[Figure]:
    """One call that touches nothing, against a bare echo."""
    ours: list[float] = []
    bare: list[float] = []
    with (
        daemon(scratch / "ping") as (_, path),
        floors.echo(scratch / "echo.sock"),
        session(path) as client,
        SocketClient(scratch / "echo.sock") as echo,
    ):
        for turn in range(20):
            tell(f"ping {turn + 1}/20")
            ours += timed(lambda: client.call("ping"), 250)
            bare += timed(lambda: echo.call("ping"), 250)
    return [
        Figure(
            "ping, p50",
            median_ms(ours),
            "ms",
            "trio + orjson echo",
            median_ms(bare),
            at_most=1.8,
        ),
        Figure("ping, p99", p99_ms(ours), "ms", "trio + orjson echo", p99_ms(bare)),
    ]


def observe_alone(scratch: Path, tell: Tell) -> list[Figure]:
    """One client's `observe` of new words against a raw FULL commit of such rows and a ping."""
    ours: list[float] = []
    pings: list[float] = []
    commits: list[float] = []
    connection = floors.raw_account(scratch / "raw.db")
    commit = floors.raw_commit(connection, TEXT)
    numbers = itertools.count()
    with daemon(scratch / "alone", **WORKLESS) as (_, path), session(path) as client:

        def observe() -> None:
            name = f"m{next(numbers)}"
            client.call("observe", **observe_params(unsaid(TEXT, name), name))

        for turn in range(20):
            tell(f"observe, one client {turn + 1}/20")
            ours += timed(observe, 100)
            commits += timed(lambda: commit(next(numbers)), 100)
            pings += timed(lambda: client.call("ping"), 100)
    floor = median_ms(commits) + median_ms(pings)
    return [
        Figure(
            "observe, one client, p50",
            median_ms(ours),
            "ms",
            "raw FULL commit + ping",
            floor,
            at_most=1.35,
            note=f"commit {median_ms(commits):.2f} ms, ping {median_ms(pings):.2f} ms",
        ),
        Figure("observe, one client, p99", p99_ms(ours), "ms"),
    ]


def observe_many(scratch: Path, tell: Tell) -> list[Figure]:
    """64 clients at once, with new words each, against serial raw commits of such rows.

    Beside it what a server reaches here that only echoes their calls, and judges and stores
    nothing: the faster a disk, the less of what is asked is a matter of the disk.
    """
    connection = floors.raw_account(scratch / "serial.db")
    commit = floors.raw_commit(connection, TEXT)
    ours, bare, echoed = [], [], []
    numbers = itertools.count()
    with (
        daemon(scratch / "many", **WORKLESS) as (_, path),
        floors.echo(scratch / "echo.sock"),
        closing(Crowd(path, CLIENTS, TEXT)) as crowd,
        closing(Crowd(scratch / "echo.sock", CLIENTS, TEXT)) as echo,
    ):
        for turn in range(5):
            tell(f"observe, {CLIENTS} clients {turn + 1}/5")
            ours.append(crowd.rate(2.0))
            echoed.append(echo.rate(1.0))
            took = timed(lambda: commit(next(numbers)), 1_000)
            bare.append(len(took) / sum(took))
    serial, most = statistics.median(bare), statistics.median(echoed)
    return [
        Figure(
            f"observe, {CLIENTS} clients",
            statistics.median(ours),
            "a second",
            "serial raw FULL commits",
            serial,
            at_least=CROWD_RATIO,
            note=f"one commit takes {1_000 / serial:.2f} ms on this disk",
        ),
        Figure(
            f"bare echo of the same calls, {CLIENTS} clients",
            most,
            "a second",
            "serial raw FULL commits",
            serial,
        ),
    ]


def slow_disk(scratch: Path, tell: Tell) -> list[Figure]:
    """Both `observe` measures again on a disk whose fsync takes 4 ms, as many do."""
    tell(f"observe, on a disk whose fsync takes {FSYNC_MS:g} ms")
    slowly = slow_disks.environment(scratch, FSYNC_MS)
    if slowly is None:
        tell("no C compiler, no slow disk: left out")
        return []
    command = [sys.executable, "-m", "tests.bench", "observe_alone", "observe_many", "--json"]
    done = subprocess.run(
        command, env={**os.environ, **slowly}, capture_output=True, text=True, check=False
    )
    return [
        Figure(**{**row, "name": f"{row['name']}, fsync {FSYNC_MS:g} ms"})
        for row in ({n: r[n] for n in Figure.__slots__} for r in json.loads(done.stdout))
    ]


def preview(scratch: Path, tell: Tell) -> list[Figure]:
    """The preview of the same forget in a small and in a large account."""
    small, large = [], []
    for name, rows, took in (("small", 1_000, small), ("large", 100_000, large)):
        tell(f"preview: building {rows:,} rows")
        target = worlds.build(scratch / name, rows)
        with daemon(scratch / name, **WORKLESS) as (_, path), session(path) as client:
            tell(f"preview at {rows:,} rows")
            call = {"target_kind": "cognition", "target_id": target}
            timed(lambda client=client, call=call: client.call("preview_forget", **call), 20)
            took += timed(
                lambda client=client, call=call: client.call("preview_forget", **call), 300
            )
    return [
        Figure(
            "preview_forget at 100,000 rows, p50",
            median_ms(large),
            "ms",
            "the same at 1,000 rows",
            median_ms(small),
            at_most=2,
        )
    ]


def recall(scratch: Path, tell: Tell) -> list[Figure]:
    """A question in small and large accounts against FTS5's own ranking of the same terms."""
    figures = []
    for rows in recall_scale.SIZES:
        tell(f"recall: {rows:,} turns")
        folder = scratch / str(rows)
        folder.mkdir()
        found = trio.run(recall_scale.measure, rows, folder)
        figures.append(
            Figure(
                f"recall_preview at {rows:,} turns, p50",
                statistics.median(found.recall),
                "ms",
                "FTS5's own ranking",
                statistics.median(found.floor),
            )
        )
    return figures


def memory(scratch: Path, tell: Tell) -> list[Figure]:
    """What an idle daemon with an open account and an idle proxy hold."""
    figures = []
    for number, (writer, texts) in enumerate(WRITERS.items()):
        tell(f"memory: {writer}")
        with daemon(scratch / f"memory{number}") as (pid, path), session(path) as client:
            for turn, text in enumerate(texts):
                client.call("observe", **observe_params(text, f"m{turn}"))
            client.call("recall_preview", query="kiln")
            time.sleep(1.0)
            asked = 45 if texts == (TEXT,) else None
            figures.append(Figure(f"idle daemon, {writer}", resident_mb(pid), "MB", at_most=asked))
            proxy = _proxy_mb(scratch / f"memory{number}")
    return [*figures, Figure("idle stdio proxy", proxy, "MB", at_most=16)]


def deaf_client(scratch: Path, tell: Tell) -> list[Figure]:
    """A client that writes 36,000 requests and reads nothing, beside one that behaves."""
    tell("a client that never reads")
    with daemon(scratch / "deaf") as (pid, path), session(path) as client:
        before_mb = resident_mb(pid)
        alone = timed(lambda: client.call("ping"), 500)
        deaf = _deaf(path)
        beside = timed(lambda: client.call("ping"), 500)
        grown_mb = resident_mb(pid) - before_mb
        deaf.close()
    return [
        Figure("memory for a client that never reads", grown_mb, "MB", at_most=40),
        Figure(
            "delay of another's call, p50", median_ms(beside) - median_ms(alone), "ms", at_most=5
        ),
    ]


def timed(call: Callable[[], object], times: int) -> list[float]:
    """Seconds each of `times` calls took."""
    took = []
    for _ in range(times):
        began = time.perf_counter()
        call()
        took.append(time.perf_counter() - began)
    return took


def _proxy_mb(data_dir: Path) -> float:
    proxy = subprocess.Popen(
        [MNEMOD, "serve", "--stdio", "--data-dir", str(data_dir)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert proxy.stdin is not None
    assert proxy.stdout is not None
    proxy.stdin.write(request(1, "initialize", **initialize_params("bench")))
    proxy.stdin.flush()
    proxy.stdout.readline()
    held = resident_mb(proxy.pid)
    proxy.stdin.close()
    proxy.wait(20)
    return held


def _deaf(path: Path) -> socket.socket:
    sock = socket.socket(socket.AF_UNIX)
    sock.connect(str(path))
    sock.sendall(request(0, "initialize", **initialize_params("bench")))
    sock.recv(65_536)
    flood = b"".join(request(number, "query_world", operation="list") for number in range(36_000))
    sock.setblocking(False)
    until = time.monotonic() + 3.0
    while flood and time.monotonic() < until:
        try:
            flood = flood[sock.send(flood[:65_536]) :]
        except BlockingIOError:
            time.sleep(0.01)
    return sock


def gates(_scratch: Path, tell: Tell) -> list[Figure]:
    """The gates and the normaliser over everyday texts of six sizes in three languages."""
    return gate_times.figures(tell)


ALL: Final[Sequence[Callable[[Path, Tell], list[Figure]]]] = (
    cold_start,
    ping,
    observe_alone,
    observe_many,
    slow_disk,
    preview,
    recall,
    memory,
    deaf_client,
    gates,
)


def run(names: Iterable[str], tell: Tell) -> list[Figure]:
    """The figures of the measures of these names, in the order they stand above."""
    wanted = set(names)
    figures: list[Figure] = []
    for measure in ALL:
        if wanted and measure.__name__ not in wanted:
            continue
        with tempfile.TemporaryDirectory(dir=os.environ.get("MNEMOD_BENCH_DIR")) as scratch:
            figures += measure(Path(scratch), tell)
    return figures
