"""Reads the source as the house rules see it: one function a rule, each naming what breaks it.

Every function takes the text of one module and answers with the lines or names at fault, so that a
rule can be shown to bite on three lines of made-up code (tests/test_house.py does).
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Final, TypeGuard

ROOT: Final = Path(__file__).resolve().parents[2]
PACKAGE: Final = ROOT / "daemon" / "mnemod"
GENERATED: Final = frozenset({"rpc/generated.py"})
FILE_LINES_MAX: Final = 400
FUNCTION_LINES_MAX: Final = 60
WORDS_MAX: Final = 12

_SQL_CALLS: Final = frozenset({"execute", "executemany", "executescript"})
_DRIVERS: Final = frozenset({"sqlite3", "pysqlite3", "pysqlite2", "apsw"})
_BROAD: Final = frozenset({"Exception", "BaseException"})
# Letters of kana, Han and Hangul. Their punctuation is allowed: it belongs to no one language.
_EAST_ASIAN: Final = re.compile("[\u3005-\u3007\u3041-\u30ff\u3400-\u9fff\uac00-\ud7af]")

Function = ast.FunctionDef | ast.AsyncFunctionDef


def modules() -> list[str]:
    """Every hand-written module of the daemon, by its path below the package."""
    paths = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))
    return [path for path in paths if path not in GENERATED]


def source(module: str) -> str:
    """The text of one module of the daemon."""
    return (PACKAGE / module).read_text("utf-8")


def too_long(text: str) -> list[str]:
    """Functions over the limit, with their lengths, and the file itself if it is."""
    lines = len(text.splitlines())
    whole = [f"the file: {lines} lines"] if lines > FILE_LINES_MAX else []
    lengths = {
        name: (node.end_lineno or node.lineno) - node.lineno + 1
        for name, node in _functions(ast.parse(text))
    }
    return whole + [
        f"{n}: {size} lines" for n, size in lengths.items() if size > FUNCTION_LINES_MAX
    ]


def sql_calls(text: str) -> list[int]:
    """Lines that run SQL."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in _SQL_CALLS
    ]


def driver_imports(text: str) -> list[int]:
    """Lines that import an SQLite driver, by statement or by name."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.stmt | ast.expr) and _DRIVERS & set(_imported_by(node))
    ]


def dataclasses(text: str) -> list[int]:
    """Lines of the classes that are dataclasses."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ClassDef)
        and any("dataclass" in ast.unparse(made_by) for made_by in node.decorator_list)
    ]


def broad_excepts(text: str) -> list[str]:
    """The functions that catch, or suppress, everything; one entry for each place.

    A class body counts to what it stands in.
    """
    tree = ast.parse(text)
    places = [("(module)", tree), *_functions(tree)]
    return [name for name, node in places for inner in _own_nodes(node) if _is_broad(inner)]


def east_asian(text: str) -> list[int]:
    """Lines whose strings hold words of Chinese, Japanese or Korean.

    Escapes are no words (`\\u4e00-\\u9fff` is a range), and docstrings may give an example.
    """
    documented = {node.value.lineno for node in ast.walk(ast.parse(text)) if _is_docstring(node)}
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return [
        token.start[0]
        for token in tokens
        if token.type == tokenize.STRING
        and token.start[0] not in documented
        and _EAST_ASIAN.search(token.string)
    ]


def word_lists(text: str) -> list[int]:
    """Lines where a long list of plain words begins: a vocabulary, which is data."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.List | ast.Tuple | ast.Set)
        and len(node.elts) > WORDS_MAX
        and all(isinstance(e, ast.Constant) and isinstance(e.value, str) for e in node.elts)
    ]


def has_docstring(text: str) -> bool:
    """Whether a module says what it is for; an empty one need not."""
    return not text.strip() or ast.get_docstring(ast.parse(text)) is not None


def test_names(folder: Path) -> set[str]:
    """The names of all tests below `folder`."""
    return {
        node.name
        for path in folder.rglob("test_*.py")
        for _, node in _functions(ast.parse(path.read_text("utf-8")))
        if node.name.startswith("test_")
    }


def named_tests(text: str) -> list[str]:
    """The tests that a text names, each as `path::name` in backticks, in order."""
    return re.findall(r"`([\w/]+\.py::test_\w+)`", text)


def is_there(folder: Path, named: str) -> bool:
    """Whether the file `path::name` speaks of is below `folder` and has a test of that name."""
    path, _, name = named.partition("::")
    file = folder / path
    return file.is_file() and re.search(rf"def {name}\(", file.read_text("utf-8")) is not None


def keys_of(text: str, *attributes: str) -> set[str]:
    """The string keys of the dicts that are assigned to `self.<attribute>`."""
    return {
        key.value
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.AnnAssign | ast.Assign)
        and isinstance(node.value, ast.Dict)
        and any(_attribute(target) in attributes for target in _targets(node))
        for key in node.value.keys
        if isinstance(key, ast.Constant) and isinstance(key.value, str)
    }


def _is_docstring(node: ast.AST) -> TypeGuard[ast.Expr]:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _functions(tree: ast.AST, above: str = "") -> Iterator[tuple[str, Function]]:
    """Every function, methods and inner ones too, by its dotted name."""
    for node in ast.iter_child_nodes(tree):
        name = above
        if isinstance(node, Function | ast.ClassDef):
            name = f"{above}.{node.name}".lstrip(".")
        if isinstance(node, Function):
            yield name, node
        yield from _functions(node, name)


def _own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function that are not those of a function within it."""
    for node in ast.iter_child_nodes(function):
        if not isinstance(node, Function):
            yield node
            yield from _own_nodes(node)


def _is_broad(node: ast.AST) -> bool:
    if isinstance(node, ast.ExceptHandler):
        return node.type is None or _names_all(node.type)
    return (
        isinstance(node, ast.Call)
        and _called(node) == "suppress"
        and any(_names_all(argument) for argument in node.args)
    )


def _names_all(kind: ast.AST) -> bool:
    return any(_last_name(part) in _BROAD for part in ast.walk(kind))


def _imported_by(node: ast.AST) -> list[str]:
    match node:
        case ast.Import(names=names):
            return [alias.name.partition(".")[0] for alias in names]
        case ast.ImportFrom(module=str(module), level=0):
            return [module.partition(".")[0]]
        case ast.Call(args=[ast.Constant(value=str(name)), *_]) if "import" in _called(node):
            return [name.partition(".")[0]]
        case _:
            return []


def _called(call: ast.Call) -> str:
    return _last_name(call.func)


def _last_name(node: ast.AST) -> str:
    """`b` of `a.b` and of `b`; nothing for anything else."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _targets(node: ast.AnnAssign | ast.Assign) -> list[ast.expr]:
    return [node.target] if isinstance(node, ast.AnnAssign) else node.targets


def _attribute(target: ast.expr) -> str | None:
    return target.attr if isinstance(target, ast.Attribute) else None
