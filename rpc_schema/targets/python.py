"""Python: strict msgspec Structs for what comes in, TypedDicts for what goes out, one table.

Read at run time by the daemon's rpc layer only. A request's objects refuse unknown members, null
for what may be left out, and every value past a limit; `Maybe` is how absence reads as None
without letting null in. Results are plain dicts: typed, and checked in tests alone.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from typing import Final

from rpc_schema.targets.model import Method, ObjectType, Schema
from rpc_schema.targets.python_text import quoted, wrapped
from rpc_schema.targets.python_types import Writer

PATH: Final = "daemon/mnemod/rpc/generated.py"
_HEAD: Final = '''\
"""DO NOT EDIT: generated from rpc_schema/ by `python -m rpc_schema.generate`.

{doc}

Structs named `...Params`, and the Structs they hold, are requests: closed and checked on conversion
(`msgspec.convert`). TypedDicts are replies: plain dicts, open. A type that travels both ways has
its reply under the name `...Row`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Final,
    Literal,
    NamedTuple,
    NotRequired,
    TypeAlias,
    TypedDict,
    TypeVar,
)

from msgspec import Meta, Struct, field
'''
_MAYBE: Final = '''\
SCHEMA_VERSION: Final = "{version}"
PROTOCOL_VERSION: Final = {protocol}

_T = TypeVar("_T")

if TYPE_CHECKING:
    Maybe: TypeAlias = _T | None
else:

    class Maybe:
        """Absent reads as None, and null is refused: what is checked is the type without None."""

        def __class_getitem__(cls, kind):
            return kind
'''
_SPEC: Final = '''\
class MethodSpec(NamedTuple):
    """What the dispatcher must know of a method. `errors` are the kinds it may answer with."""

    name: str
    kind: Literal["query", "command", "session", "notification"]
    params: type[Struct]
    errors: frozenset[str]
    idempotent: bool
    before_initialize: bool
'''


def render(schema: Schema) -> dict[str, str]:
    """The one generated module of the daemon."""
    writer = Writer(schema)
    received = (*schema.calls, *schema.to_server)
    parts = [
        _HEAD.format(doc=textwrap.fill(schema.doc, 99)) + "\n" + writer.imports(),
        _MAYBE.format(version=schema.version, protocol=schema.protocol_version),
        writer.aliases(),
        *writer.structs(),
        *(writer.struct(method.params) for method in received),
        _rows(dict(_named_rows(writer, schema))),
        _SPEC,
        _table("METHODS", "Every call a host may make.", schema.calls),
        _table("NOTIFICATIONS", "Every notification a host may send.", schema.to_server),
    ]
    return {PATH: "\n\n".join(parts)}


def _named_rows(writer: Writer, schema: Schema) -> Iterable[tuple[str, str]]:
    yield from writer.rows()
    results = [m.result for m in schema.calls if isinstance(m.result, ObjectType)]
    for shown in (*(m.params for m in schema.to_client), *results):
        yield shown.name, writer.row(shown, shown.name)


def _rows(rows: Mapping[str, str]) -> str:
    """The reply types as a type checker sees them. At run time each is `dict`, which is what a
    TypedDict makes when called: the classes alone would take longer than all the rest of the file.
    """
    classes = "\n".join(textwrap.indent(row, "    ") for row in rows.values())
    names = "".join(f"    {name} = dict\n" for name in rows)
    return f"if TYPE_CHECKING:\n\n{classes}\nelse:\n{names}"


def _table(name: str, doc: str, methods: Iterable[Method]) -> str:
    rows = [f'    "{method.name}": MethodSpec(\n{_row_of(method)}    ),' for method in methods]
    head = f"{name}: Final[Mapping[str, MethodSpec]] = {{"
    return "\n".join([head, *rows, "}", f'"""{doc}"""', ""])


def _row_of(method: Method) -> str:
    errors = sorted(method.errors)
    listed = (
        wrapped("errors=frozenset({", quoted(errors), "}),", indent=" " * 8)
        if errors
        else "        errors=frozenset(),"
    )
    lines = [
        f'        name="{method.name}",',
        f'        kind="{method.kind}",',
        f"        params={method.params.name},",
        listed,
        f"        idempotent={method.idempotent},",
        f"        before_initialize={method.before_initialize},",
    ]
    return "\n".join([*lines, ""])
