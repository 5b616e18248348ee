"""The wire contract as values: what every target reads, and nothing a target has to guess.

`rpc_schema.notation` makes one `Schema` out of the JSON files and refuses what is outside the
notation, so a target may rely on every name being known and every object having a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

Scalar = str | int | float | bool
Kind = Literal["query", "command", "session", "notification"]
Direction = Literal["to_server", "to_client"]


class Refused(Exception):
    """The contract holds something the notation has no word for, or a word that means nothing."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the contract we are: a file, and the dotted way to a member of it."""

    file: str
    member: str = ""

    def at(self, name: str) -> Place:
        return Place(self.file, f"{self.member}.{name}" if self.member else name)

    def refuse(self, reason: str) -> Refused:
        return Refused(f"{self.file}: {self.member}: {reason}" if self.member else
                       f"{self.file}: {reason}")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ref:
    """The use of a named type."""

    name: str


@dataclass(frozen=True, slots=True)
class Primitive:
    """`string`, `integer`, `number` or `boolean`."""

    name: str


@dataclass(frozen=True, slots=True)
class ListOf:
    item: Expression


@dataclass(frozen=True, slots=True)
class OrNull:
    """A value or null, where null has a meaning of its own."""

    value: Expression


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of a few strings, written where it is used because nothing else uses it."""

    values: tuple[str, ...]


Expression = Ref | Primitive | ListOf | OrNull | OneOf


@dataclass(frozen=True, slots=True)
class Member:
    """A member of an object. An optional one may be absent; it is never null for that."""

    name: str
    required: bool
    type: Expression
    limits: Mapping[str, Scalar] = field(default_factory=dict)
    default: Scalar | None = None
    doc: str = ""


@dataclass(frozen=True, slots=True)
class ScalarType:
    """A primitive with limits (JSON Schema keywords)."""

    name: str
    doc: str
    primitive: str
    limits: Mapping[str, Scalar]


@dataclass(frozen=True, slots=True)
class EnumType:
    name: str
    doc: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ObjectType:
    """An object. An `open` one keeps unknown members even in a request."""

    name: str
    doc: str
    members: tuple[Member, ...]
    open: bool = False


@dataclass(frozen=True, slots=True)
class FreeType:
    """Any JSON object."""

    name: str
    doc: str


@dataclass(frozen=True, slots=True)
class UnionType:
    """One of a few types: in a request primitives alone."""

    name: str
    doc: str
    options: tuple[Expression, ...]


NamedType = ScalarType | EnumType | ObjectType | FreeType | UnionType


@dataclass(frozen=True, slots=True)
class ErrorKind:
    kind: str
    code: int
    retryable: bool
    message: str


@dataclass(frozen=True, slots=True)
class Method:
    """A call or a notification. `result` is None for a notification only.

    `own_errors` are those a test must be named for; `errors` adds those of its groups.
    """

    name: str
    since: int
    kind: Kind
    direction: Direction
    doc: str
    idempotent: bool
    before_initialize: bool
    params: ObjectType
    result: ObjectType | Ref | None
    own_errors: tuple[str, ...]
    errors: tuple[str, ...]

    @property
    def title(self) -> str:
        """The name in CamelCase: `rpc.discover` is RpcDiscover, `$/cancelRequest` CancelRequest."""
        return camel(self.name)


@dataclass(frozen=True, slots=True)
class Schema:
    """The whole contract, in the order of its files.

    `call_members` may stand in the params of every call beside its own; the session takes them off.
    `examples` are values for samples: by type, and by member where a member has a type of its own.
    """

    version: str
    protocol_version: int
    title: str
    doc: str
    types: Mapping[str, NamedType]
    errors: Mapping[str, ErrorKind]
    methods: tuple[Method, ...]
    call_members: tuple[Member, ...]
    examples: Mapping[str, Mapping[str, Scalar]]

    @property
    def calls(self) -> tuple[Method, ...]:
        """The methods that are answered."""
        return tuple(m for m in self.methods if m.kind != "notification")

    @property
    def to_server(self) -> tuple[Method, ...]:
        """The notifications that a host sends."""
        return self._notifications("to_server")

    @property
    def to_client(self) -> tuple[Method, ...]:
        """The notifications that the daemon sends."""
        return self._notifications("to_client")

    def _notifications(self, direction: Direction) -> tuple[Method, ...]:
        return tuple(
            m for m in self.methods if m.kind == "notification" and m.direction == direction
        )

    def sent(self) -> frozenset[str]:
        """Names of the types that requests reach: these are closed."""
        received = (*self.calls, *self.to_server)
        members = [m for method in received for m in method.params.members]
        return self._reached(m.type for m in (*members, *self.call_members))

    def shown(self) -> frozenset[str]:
        """Names of the types that replies and the daemon's notifications reach."""
        told = [m.type for method in self.to_client for m in method.params.members]
        answers = [e for method in self.calls for e in _result_expressions(method)]
        return self._reached(iter([*told, *answers]))

    def _reached(self, roots: Iterator[Expression]) -> frozenset[str]:
        seen: set[str] = set()
        waiting = [name for root in roots for name in names_in(root)]
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            named = self.types[name]
            if isinstance(named, ObjectType):
                waiting.extend(n for member in named.members for n in names_in(member.type))
            elif isinstance(named, UnionType):
                waiting.extend(n for option in named.options for n in names_in(option))
        return frozenset(seen)


def names_in(expression: Expression) -> tuple[str, ...]:
    """The names of types that an expression uses; at most one, as things stand."""
    match expression:
        case Ref(name):
            return (name,)
        case ListOf(inner) | OrNull(inner):
            return names_in(inner)
        case Primitive() | OneOf():
            return ()


def file_of(method: str) -> str:
    """Where a method is written: what is not a letter or digit becomes `_`."""
    return f"methods/{re.sub(r'[^A-Za-z0-9]+', '_', method)}.json"


def camel(name: str) -> str:
    """`preview_forget` is PreviewForget; what is not a letter or digit starts a new word."""
    words = "".join(c if c.isalnum() else " " for c in name).split()
    return "".join(word[:1].upper() + word[1:] for word in words)


def _result_expressions(method: Method) -> tuple[Expression, ...]:
    match method.result:
        case ObjectType(members=members):
            return tuple(member.type for member in members)
        case Ref() as ref:
            return (ref,)
        case None:
            return ()
