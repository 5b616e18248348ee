"""How Python source looks: literals, lines that wrap at 100 columns, docstrings, comments."""

from __future__ import annotations

import json
import keyword
import textwrap
from collections.abc import Iterable
from typing import Final

from rpc_schema.targets.model import Scalar

WIDTH: Final = 100


def literal(value: Scalar) -> str:
    """`value` as Python writes it, strings in double quotes."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def quoted(values: Iterable[str]) -> list[str]:
    """Each string as a literal."""
    return [literal(value) for value in values]


def attribute(name: str) -> str:
    """The name an attribute can have for the member `name`."""
    plain = name.lstrip("_")
    return f"{plain}_" if keyword.iskeyword(plain) else plain


def docstring(doc: str) -> str:
    """The docstring of a class at the left margin."""
    line = f'    """{doc}"""'
    if len(line) <= WIDTH:
        return line
    body = textwrap.fill(doc, WIDTH - 4, initial_indent="    ", subsequent_indent="    ")
    return f'    """{body.lstrip()}\n    """'


def comment(doc: str) -> list[str]:
    """The lines of a comment inside such a class; none for no words."""
    return textwrap.wrap(doc, WIDTH - 4, initial_indent="    # ", subsequent_indent="    # ")


def wrapped(head: str, items: list[str], tail: str, indent: str = "") -> str:
    """`head`, the items with commas, `tail`: on one line if it fits, else the items below."""
    line = indent + head + ", ".join(items) + tail
    if len(line) <= WIDTH:
        return line
    inner = f"{indent}    "
    body = textwrap.fill(
        ", ".join(items) + ",", WIDTH, initial_indent=inner, subsequent_indent=inner
    )
    return f"{indent}{head}\n{body}\n{indent}{tail}"


def import_line(module: str, names: list[str]) -> str:
    """An import with a last newline."""
    line = f"from {module} import {', '.join(names)}\n"
    if len(line) <= WIDTH:
        return line
    return f"from {module} import (\n" + "".join(f"    {name},\n" for name in names) + ")\n"
