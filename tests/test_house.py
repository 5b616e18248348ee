"""The house rules (daemon/STYLE.md) as tests: nobody argues with a failing test."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

from mnemod import engine, errors
from mnemod.rpc import methods as families
from rpc_schema.contract import read
from rpc_schema.generate import generate, stale
from rpc_schema.targets.model import Method
from tests.support import house

SCHEMA = read(house.ROOT / "rpc_schema")
FAMILIES = {
    module.name: import_module(f"{families.__name__}.{module.name}").HANDLERS
    for module in iter_modules(families.__path__)
    if hasattr(import_module(f"{families.__name__}.{module.name}"), "HANDLERS")
}
ROOT_HOLDS = {
    "pyproject.toml",
    "README.md",
    "daemon",
    "rpc_schema",
    "clients",
    "tests",
    "packaging",
    ".ci",
    ".gitignore",
}
VAGUE = {"utils", "util", "helpers", "common", "misc"}

BROAD_EXCEPTS = {
    ("cli.py", "_call"): "the last line of defence of a command: it shows no text and exits",
    ("engine.py", "_Workforce._work"): "what was said stays safe and served without workers",
    ("formation/worker.py", "work"): "a defect ends its job, not its worker",
    ("gating.py", "Gates.notes"): "a rule's fault must not cost what was said",
    ("gating.py", "Gates.verdict"): "a rule's fault must not cost what was said",
    ("rpc/dispatch.py", "MethodTable._answer.answer"): "the library would put its text on the wire",
    ("rpc/handshake.py", "initialize"): "whatever went wrong goes on; the account is let go",
    ("rpc/session.py", "serve_connection"): "a connection's fault ends that connection only",
    ("rpc/taskless.py", "Taskless.take"): "one call's fault ends that call, nothing else",
    ("rpc/taskless.py", "Taskless._told"): "one call's fault ends that call, nothing else",
    ("rpc/workers.py", "Workers._outcome"): "one call's fault ends that call, nothing else",
}
"""Where everything is caught, and why. Anywhere else a handler names what it expects."""

LIGHT = ("commands/", "config.py", "settings/", "transport/")
"""What a proxy and a command load, which do without msgspec: their values are dataclasses."""

NOT_ON_THE_WIRE = {
    "lease_lost": "raised and caught between a worker and its job; external workers come later",
}
"""Error classes that no method answers with, and why."""


def name_of_test(method: Method, kind: str) -> str:
    """What the test of an error is called: dots and slashes of a method become `_`."""
    return f"test_{re.sub(r'[^A-Za-z0-9]+', '_', method.name)}_{kind}"


ERROR_TESTS = [name_of_test(method, kind) for method in SCHEMA.calls for kind in method.own_errors]
EXISTING_TESTS = house.test_names(house.ROOT / "tests")


# --- size and shape of the source


@pytest.mark.parametrize("module", house.modules())
def test_a_file_and_its_functions_are_short_enough_to_read(module: str) -> None:
    assert house.too_long(house.source(module)) == []


@pytest.mark.parametrize("module", house.modules())
def test_a_module_says_what_it_is_for(module: str) -> None:
    assert house.has_docstring(house.source(module))


@pytest.mark.parametrize("module", house.modules())
def test_words_of_a_language_are_data_and_not_code(module: str) -> None:
    assert house.east_asian(house.source(module)) == []


@pytest.mark.parametrize("module", [m for m in house.modules() if m.startswith("domain/")])
def test_a_vocabulary_is_a_data_file(module: str) -> None:
    assert house.word_lists(house.source(module)) == []


@pytest.mark.parametrize("module", house.modules())
def test_a_module_is_named_for_what_it_holds(module: str) -> None:
    assert Path(module).stem not in VAGUE


def test_the_root_holds_what_the_plan_says_and_nothing_else() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=house.ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if listed.returncode:
        pytest.skip("not a git work tree")

    assert {path.partition("/")[0] for path in listed.stdout.splitlines()} <= ROOT_HOLDS


# --- who may do what


@pytest.mark.parametrize("module", [m for m in house.modules() if not m.startswith("store/")])
def test_only_the_store_runs_sql(module: str) -> None:
    assert house.sql_calls(house.source(module)) == []


@pytest.mark.parametrize("module", [m for m in house.modules() if m != "store/_sqlite.py"])
def test_only_one_module_imports_a_driver(module: str) -> None:
    assert house.driver_imports(house.source(module)) == []


@pytest.mark.parametrize("module", [m for m in house.modules() if not m.startswith(LIGHT)])
def test_a_value_of_the_daemon_costs_its_start_little(module: str) -> None:
    assert house.dataclasses(house.source(module)) == []


def test_everything_is_caught_only_where_listed() -> None:
    found = Counter(
        (module, function)
        for module in house.modules()
        for function in house.broad_excepts(house.source(module))
    )

    assert found == Counter(BROAD_EXCEPTS.keys())


# --- the contract and the code


def test_generated_code_is_current() -> None:
    assert stale(generate()) == {}


@pytest.mark.parametrize("method", [m.name for m in SCHEMA.calls if m.kind != "session"])
def test_a_method_of_the_contract_has_one_handler(method: str) -> None:
    holders = [family for family, handlers in FAMILIES.items() if method in handlers]

    assert len(holders) == 1, f"{method}: handlers in {holders or 'no file of rpc/methods/'}"


@pytest.mark.parametrize("family", FAMILIES)
def test_a_handler_answers_a_query_or_command_of_the_contract(family: str) -> None:
    known = {method.name for method in SCHEMA.calls if method.kind != "session"}

    assert FAMILIES[family].keys() <= known


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_of_handlers_has_the_service_of_its_name(family: str) -> None:
    assert (house.PACKAGE / "services" / f"{family}.py").exists()


def test_every_family_of_handlers_is_served_by_the_methods_it_answers() -> None:
    served = {family: sorted(names) for family, names in engine._FAMILIES.items()}

    assert served == {family: sorted(handlers) for family, handlers in FAMILIES.items()}


def test_the_session_answers_its_methods_and_no_others() -> None:
    answered = house.keys_of(house.source("rpc/session_methods.py"), "immediate", "worked")

    assert answered == {method.name for method in SCHEMA.calls if method.kind == "session"}


@pytest.mark.parametrize("name", ERROR_TESTS)
def test_an_error_that_a_method_lists_has_a_test_named_for_it(name: str) -> None:
    there_is_one = name in EXISTING_TESTS

    assert there_is_one, f"no test is called {name}"


@pytest.mark.parametrize("kind", sorted(errors.kinds().keys() | SCHEMA.errors.keys()))
def test_an_error_is_the_same_in_the_code_and_in_the_contract(kind: str) -> None:
    raised, listed = errors.kinds().get(kind), SCHEMA.errors.get(kind)
    if kind in NOT_ON_THE_WIRE:
        assert listed is None
        return

    assert raised is not None, f"{kind}: no class"
    assert listed is not None, f"{kind}: not in errors.json"
    assert (raised.code, raised.retryable, raised(None).message) == (
        listed.code,
        listed.retryable,
        listed.message,
    )


def test_an_error_that_is_not_on_the_wire_is_still_a_class() -> None:
    assert NOT_ON_THE_WIRE.keys() <= errors.kinds().keys()


# --- the cases and their tests

CASES = (house.ROOT / "tests" / "CASES.md").read_text("utf-8")


@pytest.mark.parametrize("named", sorted(set(house.named_tests(CASES))))
def test_a_test_that_a_case_names_is_there(named: str) -> None:
    assert house.is_there(house.ROOT / "tests", named)


@pytest.mark.parametrize("row", re.findall(r"^\| [BCW]\d{3} \|.*$", CASES, re.MULTILINE))
def test_a_case_has_a_test_or_a_reason_to_wait(row: str) -> None:
    reason = re.search(r"\| later: \S+", row)

    assert house.named_tests(row) or reason


# --- the rules bite: each of them on a few lines of made-up code


def test_the_rule_on_length_bites() -> None:
    body = "    x = 1\n" * 60
    long_file = "x = 1\n" * 401

    assert house.too_long(f"class A:\n  def f():\n{body}") == ["A.f: 61 lines"]
    assert house.too_long(long_file) == ["the file: 401 lines"]
    assert house.too_long("def f():\n" + "    x = 1\n" * 59) == []


def test_the_rule_on_sql_bites() -> None:
    assert house.sql_calls("tx.execute(q)\ntx.executemany(q, r)\ndb.c.executescript(s)") == [
        1,
        2,
        3,
    ]
    assert house.sql_calls("execute = 1\nrun.executes()") == []


def test_the_rule_on_drivers_bites() -> None:
    assert house.driver_imports("import sqlite3\nfrom pysqlite3 import dbapi2") == [1, 2]
    assert house.driver_imports("import_module('sqlite3.dbapi2')\nfrom x import sqlite") == [1]
    assert house.driver_imports("from . import sqlite3") == []


def test_the_rule_on_values_bites() -> None:
    assert house.dataclasses("@dataclass\nclass A:\n    x: int") == [2]
    assert house.dataclasses("@dataclasses.dataclass(slots=True)\nclass A:\n    x: int") == [2]
    assert house.dataclasses("class A(Struct, frozen=True):\n    x: int") == []


@pytest.mark.parametrize(
    "handler",
    [
        "except:",
        "except Exception:",
        "except BaseException as e:",
        "except (ValueError, Exception):",
        "except* Exception:",
        "except builtins.Exception:",
    ],
)
def test_the_rule_on_catching_everything_bites(handler: str) -> None:
    text = f"class A:\n  def f():\n    def g():\n      try: pass\n      {handler} pass"

    assert house.broad_excepts(text) == ["A.f.g"]


def test_the_rule_on_catching_everything_sees_suppress_and_module_code() -> None:
    assert house.broad_excepts("def f():\n  with suppress(Exception): pass") == ["f"]
    assert house.broad_excepts("try: pass\nexcept Exception: pass") == ["(module)"]
    assert house.broad_excepts("def f():\n  with suppress(OSError): pass") == []


def test_the_rule_on_words_bites() -> None:
    assert house.east_asian("""x = '蜂'""") == [1]
    assert house.east_asian('"""An example: 蜂."""\nx = "[\\u4e00-\\u9fff]"') == []
    assert house.word_lists(f"x = {tuple('abcdefghijklm')}") == [1]
    assert house.word_lists(f"x = {tuple('abcdefghijkl')}") == []


def test_the_rule_on_docstrings_bites() -> None:
    assert not house.has_docstring("import os")
    assert house.has_docstring('"""Says it."""')
    assert house.has_docstring("\n")


def test_the_rule_on_cases_bites() -> None:
    named = house.named_tests("| B1 | `test_house.py::test_gone`, `no.py::test_x`, test_y |")

    assert named == ["test_house.py::test_gone", "no.py::test_x"]
    assert [house.is_there(house.ROOT / "tests", one) for one in named] == [False, False]
    assert house.is_there(house.ROOT / "tests", "test_house.py::test_the_rule_on_cases_bites")
