"""Calls made up from the contract's own schemas: valid ones, nearly valid ones, and no calls.

Ids come mostly from what the daemon has answered so far, so that a valid call often hits something.
"""

from __future__ import annotations

import json
import random
from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from tests.support.rpc import Json
from tests.support.schemas import openrpc
from tests.support.torture import difficult_text

_NOT_CALLED: Final = {"shutdown", "exit", "daemon.stop", "initialize"}
"""What ends the connection or the daemon, and what begins it."""

_ERASES: Final = {"delete_evidence", "delete_world_item"}

_ID_TYPES: Final = {
    "evidence_id": "EvidenceId",
    "item_id": "ItemId",
    "job_id": "JobId",
    "interaction_id": "InteractionId",
    "forget_scope": "ForgetScope",
    "next_cursor": "Cursor",
    "snapshot_token": "SnapshotToken",
}
_FEW: Final = {"MessageId": "m", "EventId": "e", "ConversationId": "c", "CommandId": "k"}
"""Names a host makes up: few enough to meet again."""

_INSTANTS: Final = ("2031-02-03T04:05:06Z", "2031-02-03T04:05:06.789+05:45", "0001-01-01T00:00:00Z")
_SAID: Final = (
    "I like barley tea.",
    "Mira is my colleague, she plans shifts.",
    "I live in Tarn. My dog is called Fen.",
    "No, I live in Harbor.",
    "我喜欢喝茶。",
    "私は東京に住んでいます。",
    "ok",
    "I don't want you to remember that I like barley tea.",
)
_WILD: Final[tuple[Any, ...]] = (
    None,
    True,
    0,
    -1,
    2**53,
    2**63,
    2**64,
    10**400,
    1.5,
    1e308,
    "",
    " ",
    "\0",
    "\ud800",
    "x" * 5_000,
    [],
    {},
    [[]],
    {"": {}},
    "NaN",
    "2031-13-40T25:61:00Z",
    "%s%n{0}${x}",
    "'; DROP TABLE evidence; --",
    '" OR terms MATCH "*',
)


@dataclass
class MadeUp:
    """Makes up calls, and learns ids from answers."""

    chance: random.Random
    known: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        document = openrpc()
        self._schemas: Json = document["components"]["schemas"]
        self._previews: deque[tuple[Json, Any]] = deque(maxlen=20)
        self._params = {
            entry["name"]: entry["x-params"]["$ref"].rpartition("/")[2]
            for entry in document["methods"]
            if entry["name"] not in _NOT_CALLED and entry["x-kind"] != "notification"
        }

    def learn(self, asked: Json | None, answer: object) -> None:
        """Remember the ids in an answer, the newest few hundred of each type, and previews."""
        if asked is not None and asked["method"] == "preview_forget":
            self._previews.append((asked["params"], answer))
        for name, value in _members(answer):
            if name in _ID_TYPES and isinstance(value, str):
                pool = self.known[_ID_TYPES[name]]
                pool.append(value)
                del pool[:-300]

    def line(self, request_id: int) -> bytes:
        """One line to send: mostly a call with this id, or a batch of it, or something else."""
        roll = self.chance.random()
        if roll < 0.04:
            return self._garbage()
        if roll < 0.08:
            return _dumped(self._batch(request_id))
        if roll < 0.12:
            return _dumped(self._cancel(request_id))
        return _dumped(self._message(request_id))

    def _message(self, request_id: object) -> Any:
        roll = self.chance.random()
        method = self.chance.choice(list(self._params))
        params = self._value({"$ref": f"/{self._params[method]}"}, 0)
        if method in _ERASES and self._previews and roll > 0.3:
            params |= self._confirmed()
        if roll < 0.35:
            params = self._spoiled(params)
        message: Json = {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}
        if roll > 0.97:
            del message["id"]
        if roll < 0.03:
            return self._spoiled(message)
        return message

    def _confirmed(self) -> Json:
        """What a preview was asked, with the token it gave."""
        asked, answer = self.chance.choice(self._previews)
        return {**asked, "forget_scope": answer["forget_scope"]}

    def _batch(self, request_id: int) -> Any:
        return [self._message(f"{request_id}.{n}") for n in range(self.chance.randint(0, 5))]

    def _cancel(self, request_id: int) -> Any:
        wanted = request_id - self.chance.randint(-2, 20)
        params = {"id": wanted if self.chance.random() < 0.9 else self.chance.choice(_WILD)}
        return {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": params}

    def _garbage(self) -> bytes:
        data = self.chance.randbytes(self.chance.randint(1, 60)).replace(b"\n", b"?")
        return self.chance.choice((data, b"{", b"null", b"[1]", b"\xff\xfe", b"[" * 3_000, b""))

    def _value(self, schema: Json, depth: int) -> Any:
        if "$ref" in schema:
            return self._named(schema["$ref"].rpartition("/")[2], depth)
        if "anyOf" in schema:
            return self._value(self.chance.choice(schema["anyOf"]), depth)
        if "enum" in schema:
            return self.chance.choice(schema["enum"])
        make = getattr(self, f"_{schema.get('type', 'null')}")
        return make(schema, depth)

    def _named(self, name: str, depth: int) -> Any:
        if name in _FEW:
            return f"{_FEW[name]}{self.chance.randrange(400)}"
        pool = self.known.get(name)
        if pool and self.chance.random() < 0.95:
            return self.chance.choice(pool)
        return self._value(self._schemas[name], depth)

    def _object(self, schema: Json, depth: int) -> Json:
        required = set(schema.get("required", ()))
        members = schema.get("properties", {})
        return {
            name: self._member(name, inner, depth + 1)
            for name, inner in members.items()
            if name in required or self.chance.random() < 0.3 / (depth + 1)
        }

    def _member(self, name: str, schema: Json, depth: int) -> Any:
        pool = self.known.get(f"{_ID_TYPES.get(name, '')}")
        if name == "target_id":
            pool = self.known["EvidenceId"] + self.known["ItemId"]
        if pool and self.chance.random() < 0.9:
            return self.chance.choice(pool)
        if name in ("content", "query", "correction_text"):
            said = self.chance.choice(_SAID)
            return said if self.chance.random() < 0.7 else difficult_text(self.chance)
        return self._value(schema, depth)

    def _array(self, schema: Json, depth: int) -> list[Any]:
        least = schema.get("minItems", 0)
        count = self.chance.randint(least, max(least, 3))
        return [self._value(schema["items"], depth + 1) for _ in range(count)]

    def _string(self, schema: Json, _: int) -> str:
        if schema.get("format") == "date-time":
            return self.chance.choice(_INSTANTS)
        if "pattern" in schema:
            return f"a{self.chance.randrange(5)}"
        most = min(schema.get("maxLength", 60), 60)
        text = difficult_text(self.chance, most)[:most]
        return text or "x" * schema.get("minLength", 0)

    def _integer(self, schema: Json, _: int) -> int:
        least = schema.get("minimum", -5)
        return self.chance.randint(least, min(schema.get("maximum", least + 60), least + 60))

    def _number(self, _: Json, __: int) -> float:
        return self.chance.random()

    def _boolean(self, _: Json, __: int) -> bool:
        return self.chance.random() < 0.5

    def _null(self, _: Json, __: int) -> None:
        return None

    def _spoiled(self, value: Any) -> Any:
        """The value with one thing wrong, somewhere inside."""
        if isinstance(value, dict) and value and self.chance.random() < 0.8:
            name = self.chance.choice(list(value))
            return self._spoiled_member(value, name)
        if isinstance(value, list) and value and self.chance.random() < 0.8:
            place = self.chance.randrange(len(value))
            return [*value[:place], self._spoiled(value[place]), *value[place + 1 :]]
        return self.chance.choice(_WILD)

    def _spoiled_member(self, value: Json, name: str) -> Json:
        roll = self.chance.random()
        if roll < 0.2:
            return {key: inner for key, inner in value.items() if key != name}
        if roll < 0.35:
            return {**value, f"{name}_": value[name]}
        if roll < 0.4:
            return {**value, name: _nested(self.chance.randint(20, 400))}
        return {**value, name: self._spoiled(value[name])}


def _nested(depth: int) -> Any:
    value: Any = 0
    for _ in range(depth):
        value = [value]
    return value


def _members(value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name, inner
            yield from _members(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _members(inner)


def _dumped(message: object) -> bytes:
    # Escaped, so that a lone surrogate can be sent too.
    return json.dumps(message).encode()
