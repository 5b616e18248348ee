"""Python: strict msgspec Structs for what comes in, TypedDicts for what goes out, one table.

Read at run time by the daemon's rpc layer only. A request's objects refuse unknown members, null
for what may be left out, and every value past a limit; `Maybe` is how absence reads as None
without letting null in. Results are plain dicts: typed, and checked in tests alone.
"""

from __future__ import annotations

import keyword
import textwrap
from collections.abc import Iterable, Mapping
from typing import Final

from rpc_schema.targets.model import (
    EnumType,
    Expression,
    FreeType,
    ListOf,
    Member,
    Method,
    ObjectType,
    OneOf,
    OrNull,
    Place,
    Primitive,
    Ref,
    Scalar,
    ScalarType,
    Schema,
    UnionType,
)

PATH: Final = "daemon/mnemod/rpc/generated.py"
IDS: Final = frozenset(
    {
        "AccountId",
        "CommandId",
        "ConversationId",
        "EventId",
        "EvidenceId",
        "HostId",
        "InteractionId",
        "ItemId",
        "JobId",
        "MessageId",
        "SessionId",
        "TransitionId",
        "WorldRevision",
    }
)
"""Scalars that have a NewType in mnemod.ids."""

ENUMS: Final[Mapping[str, tuple[str, str]]] = {
    "FormedBy": ("mnemod.domain.world", "FormedBy"),
    "ItemState": ("mnemod.domain.world", "ItemState"),
    "Layer": ("mnemod.domain.world", "Layer"),
    "ObjectKind": ("mnemod.domain.world", "ItemKind"),
    "Outcome": ("mnemod.domain.evidence", "Outcome"),
    "Precision": ("mnemod.domain.world", "Precision"),
    "Relation": ("mnemod.domain.world", "Relation"),
    "SourceKind": ("mnemod.domain.evidence", "SourceKind"),
    "StatementKind": ("mnemod.domain.world", "StatementKind"),
    "Tier": ("mnemod.config", "Tier"),
    "TransitionKind": ("mnemod.domain.world", "TransitionKind"),
}
"""Enums that have a StrEnum inside the daemon: module and class."""

_PRIMITIVES: Final = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
_META: Final = {
    "minimum": "ge",
    "maximum": "le",
    "minLength": "min_length",
    "maxLength": "max_length",
    "minItems": "min_length",
    "maxItems": "max_length",
    "pattern": "pattern",
}
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
    writer = _Writer(schema)
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


def _named_rows(writer: _Writer, schema: Schema) -> Iterable[tuple[str, str]]:
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


class _Writer:
    """Writes the types of one contract. A sent type is checked; a shown one is only described."""

    def __init__(self, schema: Schema) -> None:
        self.types = schema.types
        self.sent = schema.sent()
        self.shown = schema.shown()
        self.used = self.sent | self.shown

    def imports(self) -> str:
        modules: dict[str, set[str]] = {"mnemod.ids": set(IDS & self.used)}
        for name in ENUMS.keys() & self.used:
            module, twin = ENUMS[name]
            modules.setdefault(module, set()).add(twin)
        return "".join(
            _import(module, sorted(names)) for module, names in sorted(modules.items()) if names
        )

    def aliases(self) -> str:
        """The scalars that requests carry, checked, and the enums known to nobody else."""
        lines = [
            f"_{name}: TypeAlias = {_annotated(self._plain(name), named.limits)}"
            for name, named in self.types.items()
            if name in self.sent and isinstance(named, ScalarType) and _meta(named.limits)
        ]
        enums = [
            _wrapped(f"{name}: TypeAlias = Literal[", _quoted(named.values), "]")
            for name, named in self.types.items()
            if isinstance(named, EnumType) and name not in ENUMS
        ]
        return "\n".join([*enums, "", *lines, ""])

    def structs(self) -> Iterable[str]:
        for name, named in self.types.items():
            if name in self.sent and isinstance(named, ObjectType):
                yield self.struct(named)

    def rows(self) -> Iterable[tuple[str, str]]:
        for name, named in self.types.items():
            if name in self.shown and isinstance(named, ObjectType):
                row_name = self._row_name(name)
                yield row_name, self.row(named, row_name)

    def struct(self, kind: ObjectType) -> str:
        closed = "" if kind.open else "forbid_unknown_fields=True, "
        lines = [
            f"class {kind.name}(Struct, frozen=True, kw_only=True, {closed}gc=False):",
            _docstring(kind.doc),
        ]
        lines += [""] if kind.members else []
        for member in kind.members:
            lines += [*_comment(member), f"    {self._field(member)}"]
        return "\n".join([*lines, ""])

    def row(self, kind: ObjectType, name: str) -> str:
        if any(keyword.iskeyword(member.name) for member in kind.members):
            return self._row_with_keywords(kind, name)
        lines = [f"class {name}(TypedDict):", _docstring(kind.doc)]
        lines += [""] if kind.members else []
        for member in kind.members:
            lines += [*_comment(member), f"    {member.name}: {self._shown_member(member)}"]
        return "\n".join([*lines, ""])

    def _row_with_keywords(self, kind: ObjectType, name: str) -> str:
        members = [f'    "{m.name}": "{self._shown_member(m)}",' for m in kind.members]
        head = [f"{name} = TypedDict(", f'    "{name}",', "    {"]
        doc = ['"""' + kind.doc + '"""', ""]
        return "\n".join([*head, *("    " + line for line in members), "    },", ")", *doc])

    def _shown_member(self, member: Member) -> str:
        shown = self._shown(member.type)
        return shown if member.required else f"NotRequired[{shown}]"

    def _field(self, member: Member) -> str:
        name = _attribute(member.name)
        checked = self._checked(member)
        renamed = name != member.name
        if member.required:
            return f"{name}: {checked}" + (f' = field(name="{member.name}")' if renamed else "")
        if member.default is not None:
            default = self._default(member.type, member.default)
        else:
            checked, default = f"Maybe[{checked}]", "None"
        if renamed:
            default = f'field(default={default}, name="{member.name}")'
        return f"{name}: {checked} = {default}"

    def _default(self, kind: Expression, value: Scalar) -> str:
        if isinstance(kind, Ref) and kind.name in ENUMS:
            return f"{ENUMS[kind.name][1]}({_literal(value)})"
        return _literal(value)

    def _checked(self, member: Member) -> str:
        return _annotated(self._in(member.type), member.limits)

    def _in(self, kind: Expression) -> str:
        """A type as a request's checked field has it."""
        match kind:
            case Ref(name):
                named = self.types[name]
                limited = isinstance(named, ScalarType) and bool(_meta(named.limits))
                return f"_{name}" if limited else self._plain(name)
            case ListOf(item):
                return f"tuple[{self._in(item)}, ...]"
            case Primitive(name):
                return _PRIMITIVES[name]
            case OneOf(values):
                return f"Literal[{', '.join(_quoted(values))}]"
            case OrNull():
                raise Place("targets/python.py").refuse("null in a request has no Python form")

    def _shown(self, kind: Expression) -> str:
        """A type as a reply has it."""
        match kind:
            case Ref(name):
                return self._plain(name, row=True)
            case ListOf(item):
                return f"list[{self._shown(item)}]"
            case OrNull(value):
                return f"{self._shown(value)} | None"
            case Primitive(name):
                return _PRIMITIVES[name]
            case OneOf(values):
                return f"Literal[{', '.join(_quoted(values))}]"

    def _plain(self, name: str, row: bool = False) -> str:
        """A named type without its limits."""
        match self.types[name]:
            case ScalarType(primitive=primitive):
                return name if name in IDS else _PRIMITIVES[primitive]
            case EnumType():
                return ENUMS[name][1] if name in ENUMS else name
            case FreeType():
                return "dict[str, Any]"
            case UnionType(options=options):
                return " | ".join(_PRIMITIVES[option.name] for option in options)
            case ObjectType():
                return self._row_name(name) if row else name

    def _row_name(self, name: str) -> str:
        if name not in self.sent:
            return name
        if f"{name}Row" in self.types:
            raise Place("types.json", name).refuse(
                f"its reply would be called {name}Row, as is another"
            )
        return f"{name}Row"


def _import(module: str, names: list[str]) -> str:
    line = f"from {module} import {', '.join(names)}\n"
    if len(line) <= 100:
        return line
    return f"from {module} import (\n" + "".join(f"    {name},\n" for name in names) + ")\n"


def _annotated(kind: str, limits: Mapping[str, Scalar]) -> str:
    meta = _meta(limits)
    return f"Annotated[{kind}, Meta({meta})]" if meta else kind


def _meta(limits: Mapping[str, Scalar]) -> str:
    return ", ".join(
        f"{_META[key]}={_literal(_python_pattern(value) if key == 'pattern' else value)}"
        for key, value in limits.items()
        if key in _META
    )


def _python_pattern(pattern: Scalar) -> str:
    r"""In JSON Schema `$` is the end; in Python it also stands before a last newline, so `\Z`."""
    text = str(pattern)
    return text[:-1] + r"\Z" if text.endswith("$") and not text.endswith(r"\$") else text


def _literal(value: Scalar) -> str:
    if not isinstance(value, str):
        return repr(value)
    quoted = value.replace('"', '\\"')
    return f'r"{value}"' if "\\" in value else f'"{quoted}"'


def _quoted(values: Iterable[str]) -> list[str]:
    return [_literal(value) for value in values]


def _attribute(name: str) -> str:
    plain = name.lstrip("_")
    return f"{plain}_" if keyword.iskeyword(plain) else plain


def _docstring(doc: str) -> str:
    line = f'    """{doc}"""'
    if len(line) <= 100:
        return line
    body = textwrap.fill(doc, 96, initial_indent="    ", subsequent_indent="    ")
    return f'    """{body.lstrip()}\n    """'


def _comment(member: Member) -> list[str]:
    return textwrap.wrap(member.doc, 96, initial_indent="    # ", subsequent_indent="    # ")


def _wrapped(head: str, items: list[str], tail: str, indent: str = "") -> str:
    line = indent + head + ", ".join(items) + tail
    if len(line) <= 100:
        return line
    inner = f"{indent}    "
    body = textwrap.fill(", ".join(items) + ",", 100, initial_indent=inner, subsequent_indent=inner)
    return f"{indent}{head}\n{body}\n{indent}{tail}"


def _table(name: str, doc: str, methods: Iterable[Method]) -> str:
    rows = [f'    "{method.name}": MethodSpec(\n{_row_of(method)}    ),' for method in methods]
    head = f"{name}: Final[Mapping[str, MethodSpec]] = {{"
    return "\n".join([head, *rows, "}", f'"""{doc}"""', ""])


def _row_of(method: Method) -> str:
    errors = sorted(method.errors)
    listed = (
        _wrapped("errors=frozenset({", _quoted(errors), "}),", indent=" " * 8)
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
