"""Made-up calls at a real daemon: pipelined, in batches, cancelled, between garbage.

Promises: it never dies, never answers `internal`, says nothing but JSON-RPC, answers every call
once with a reply its schema allows; and the account's file is sound at the end.
"""

from __future__ import annotations

import itertools
import json
import random
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import orjson

from mnemod.config import REQUEST_ID_BYTES_MAX, REQUEST_ID_INT_MAX
from tests.e2e.torture.made_up import MadeUp
from tests.support import schemas
from tests.support.processes import Place
from tests.support.rpc import Client, ConnectionEnded, Json, initialize_params, request
from tests.support.torture import Checks, Round, faults_of, settle

ROUND_S: Final = 12.0
BURST: Final = 24
ACCOUNT: Final = "fuzzed"


def rounds(
    folder: Path, count: int, chance: random.Random, seconds: float = ROUND_S
) -> Iterator[Round]:
    """Each round some seconds at one daemon, which all rounds share."""
    place = Place(folder)
    env = {"MNEMOD_LOG_LEVEL": "debug"}
    try:
        keeper = place.spawn(env=env).client
        pid = keeper.initialize(ACCOUNT)["server"]["pid"]
        made_up = MadeUp(chance)
        for _ in range(count):
            yield _Attack(place, made_up, chance).round(keeper, pid, seconds)
    finally:
        place.close()


@dataclass
class _Attack:
    """One round: connection after connection, burst after burst."""

    place: Place
    made_up: MadeUp
    chance: random.Random
    checks: Checks = field(default_factory=Checks)
    sent: dict[object, Json] = field(default_factory=dict)
    kinds: Counter[str] = field(default_factory=Counter)
    ids: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def round(self, keeper: Client, pid: int, seconds: float) -> Round:
        until = time.monotonic() + seconds
        lines = 0
        while time.monotonic() < until:
            lines += self._connection(until)
        alive = self.place.record().pid == pid and self.place.daemons() == [pid]
        self.checks.hold("the daemon lives", alive)
        settle(keeper, 60)
        self.checks.hold("the file is sound", faults_of(keeper) == [])
        common = " ".join(f"{kind}:{count}" for kind, count in self.kinds.most_common(7))
        return self.checks.round(lines=lines, answers=sum(self.kinds.values()), kinds=common)

    def _connection(self, until: float) -> int:
        """Bursts until the daemon hangs up, as it may after garbage, or the time is up."""
        self.sent = {}
        lines = 0
        with self.place.connect() as client, suppress(ConnectionEnded, BrokenPipeError):
            client.send(request("hello", "initialize", **initialize_params(ACCOUNT)))
            while time.monotonic() < until:
                lines += self._burst(client)
            self.checks.hold("every call is answered", not self._unanswered())
        return lines

    def _burst(self, client: Client) -> int:
        burst = [self._line() for _ in range(self.chance.randint(1, BURST))]
        probe = f"probe-{next(self.ids)}"
        client.send(b"\n".join([*burst, request(probe, "ping")]))
        self._read_until(client, probe)
        return len(burst)

    def _line(self) -> bytes:
        request_id = next(self.ids)
        line = self.made_up.line(request_id)
        with suppress(ValueError):
            calls = _messages(orjson.loads(line))
            self.sent |= {call["id"]: call for call in calls if _is_call(call)}
        return line

    def _read_until(self, client: Client, probe: str) -> None:
        """Read to the probe's answer, and then to those that are still owed."""
        seen = False
        while not seen or self._unanswered():
            for answer in _messages(client.receive()):
                self._judge(answer)
                seen = seen or answer.get("id") == probe

    def _unanswered(self) -> bool:
        return bool(self.sent)

    def _judge(self, answer: Json) -> None:
        self.checks.hold("only JSON-RPC is said", answer.get("jsonrpc") == "2.0")
        if "method" in answer:
            return
        asked = self.sent.pop(answer.get("id"), None)
        if "error" in answer:
            kind = answer["error"]["data"]["kind"]
            self.kinds[kind] += 1
            self.checks.hold(f"nothing is internal: {_shape(asked)}", kind != "internal")
            return
        self.kinds["result"] += 1
        self.kinds["erased"] += "receipt" in answer["result"] and _has_erased(asked)
        self.made_up.learn(asked, answer["result"])
        if asked is not None:
            broken = _against_schema(asked["method"], answer["result"])
            self.checks.hold(f"{asked['method']} answers as its schema says{broken}", not broken)


def _messages(value: object) -> list[Json]:
    members = value if isinstance(value, list) else [value]
    return [member for member in members if isinstance(member, dict)]


def _has_erased(asked: Json | None) -> bool:
    return asked is not None and asked["method"] in ("delete_evidence", "delete_world_item")


def _is_call(message: Json) -> bool:
    """Whether an answer is owed under the message's own id."""
    request_id = message.get("id")
    known = (
        0 < len(request_id.encode()) <= REQUEST_ID_BYTES_MAX
        if isinstance(request_id, str)
        else type(request_id) is int and abs(request_id) <= REQUEST_ID_INT_MAX
    )
    whole = message.get("jsonrpc") == "2.0" and isinstance(message.get("method"), str)
    return known and whole and isinstance(message.get("params", {}), dict)


def _shape(asked: Json | None) -> str:
    """A failing call, short, for whoever looks for the cause."""
    return json.dumps(asked)[:400]


def _against_schema(method: str, result: object) -> str:
    name = schemas.method(method)["result"]["schema"]["$ref"].rpartition("/")[2]
    error = next(iter(schemas.validator(name).iter_errors(result)), None)
    return "" if error is None else f": {list(error.absolute_path)} {error.message[:200]}"
