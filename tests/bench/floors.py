"""The floors: what the same work costs with nothing of ours in the way."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from mnemod.ids import random_id
from mnemod.store import _sqlite
from tests.bench.crowd import unsaid

_ECHO: Final = """
import sys, trio, orjson
async def serve(stream):
    buffer = b""
    async for chunk in stream:
        buffer += chunk
        while b"\\n" in buffer:
            line, _, buffer = buffer.partition(b"\\n")
            message = orjson.loads(line)
            answer = {"jsonrpc": "2.0", "id": message["id"], "result": {}}
            await stream.send_all(orjson.dumps(answer) + b"\\n")
async def main():
    sock = trio.socket.socket(trio.socket.AF_UNIX)
    await sock.bind(sys.argv[1])
    sock.listen(16)
    print("ready", flush=True)
    await trio.serve_listeners(serve, [trio.SocketListener(sock)])
trio.run(main)
"""

IMPORTS: Final = [sys.executable, "-c", "import trio, orjson, pysqlite3"]


@contextmanager
def echo(path: Path) -> Iterator[None]:
    """A bare trio + orjson server of lines on a Unix socket."""
    process = subprocess.Popen(
        [sys.executable, "-c", _ECHO, str(path)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        process.stdout.readline()
        yield
    finally:
        process.kill()
        process.wait()


def spawn_s(command: list[str]) -> float:
    """Seconds from the spawn of a command to its end."""
    began = time.perf_counter()
    subprocess.run(command, check=True)
    return time.perf_counter() - began


def raw_account(path: Path) -> Any:
    """A bare connection to a file with our tables and the pragmas of an account."""
    schema = Path(_sqlite.__file__).with_name("schema.sql").read_text()
    path.touch()
    connection = _sqlite.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON")
    connection.executescript(schema)
    return connection


def raw_commit(connection: Any, text: str) -> Callable[[int], None]:
    """A function that commits, alone, the rows that an `observe` of one message commits.

    Each time with words of its own, as those who call `observe` have them.
    """
    one = "INSERT INTO {} ({}) VALUES ({})"

    def insert(table: str, **row: Any) -> int:
        names = ", ".join(row)
        marks = ", ".join("?" * len(row))
        return int(
            connection.execute(one.format(table, names, marks), tuple(row.values())).lastrowid
        )

    def commit(_number: int) -> None:
        name = random_id("")
        connection.execute("BEGIN IMMEDIATE")
        _rows(insert, name, unsaid(text, name))
        connection.execute("COMMIT")

    return commit


def _rows(insert: Callable[..., int], name: str, text: str) -> None:
    seq = insert(
        "evidence",
        evidence_id=f"ev_{name}",
        source_kind="spoken",
        host_id="tests",
        conversation_id="c1",
        message_id=name,
        origin_hash=sha256(name.encode()).hexdigest()[:32],
        content=text,
        content_hash=name,
        recorded_at_ms=1,
        local_read=1,
        cloud_read=1,
        inference=1,
        outcome="eligible",
        trust=1.0,
    )
    insert("evidence_lexical", rowid=seq, terms=text.lower())
    insert(
        "job",
        job_id=f"jb_{name}",
        kind="formation",
        state="pending",
        conversation_id="c1",
        next_attempt_at_ms=1,
        created_at_ms=1,
    )
    insert("job_evidence", job_id=f"jb_{name}", evidence_id=f"ev_{name}")
    call = insert(
        "interaction",
        interaction_id=f"ix_{name}",
        host_id="tests",
        event_id=name,
        request_hash=name,
        conversation_id="c1",
        reply="x" * 180,
        created_at_ms=1,
    )
    insert(
        "interaction_turn",
        interaction_seq=call,
        conversation_id="c1",
        role="user",
        host_id="tests",
        message_id=name,
        evidence_id=f"ev_{name}",
    )
