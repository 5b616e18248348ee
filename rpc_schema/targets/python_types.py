"""The contract's types in Python: checked where a request holds them, described in a reply."""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Mapping
from typing import Final

from rpc_schema.targets.model import (
    EnumType,
    Expression,
    FreeType,
    ListOf,
    Member,
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
from rpc_schema.targets.python_text import (
    attribute,
    comment,
    docstring,
    import_line,
    literal,
    quoted,
    wrapped,
)

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


class Writer:
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
            import_line(module, sorted(names)) for module, names in sorted(modules.items()) if names
        )

    def aliases(self) -> str:
        """The scalars that requests carry, checked, and the enums known to nobody else."""
        lines = [
            f"_{name}: TypeAlias = {_annotated(self._plain(name), named.limits)}"
            for name, named in self.types.items()
            if name in self.sent and isinstance(named, ScalarType) and _meta(named.limits)
        ]
        enums = [
            wrapped(f"{name}: TypeAlias = Literal[", quoted(named.values), "]")
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
            docstring(kind.doc),
        ]
        lines += [""] if kind.members else []
        for member in kind.members:
            lines += [*comment(member.doc), f"    {self._field(member)}"]
        return "\n".join([*lines, ""])

    def row(self, kind: ObjectType, name: str) -> str:
        if any(keyword.iskeyword(member.name) for member in kind.members):
            return self._row_with_keywords(kind, name)
        lines = [f"class {name}(TypedDict):", docstring(kind.doc)]
        lines += [""] if kind.members else []
        for member in kind.members:
            lines += [*comment(member.doc), f"    {member.name}: {self._shown_member(member)}"]
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
        name = attribute(member.name)
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
            return f"{ENUMS[kind.name][1]}({literal(value)})"
        return literal(value)

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
                return f"Literal[{', '.join(quoted(values))}]"
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
                return f"Literal[{', '.join(quoted(values))}]"

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
                return " | ".join((self._shown if row else self._in)(option) for option in options)
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


def _annotated(kind: str, limits: Mapping[str, Scalar]) -> str:
    meta = _meta(limits)
    return f"Annotated[{kind}, Meta({meta})]" if meta else kind


def _meta(limits: Mapping[str, Scalar]) -> str:
    return ", ".join(
        f"{_META[key]}={literal(_python_pattern(value) if key == 'pattern' else value)}"
        for key, value in limits.items()
        if key in _META
    )


def _python_pattern(pattern: Scalar) -> str:
    r"""In JSON Schema `$` is the end; in Python it also stands before a last newline, so `\Z`."""
    text = str(pattern)
    return text[:-1] + r"\Z" if text.endswith("$") and not text.endswith(r"\$") else text
