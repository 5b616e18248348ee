"""What is generated is current, says what the contract says, and is strict with requests."""

from __future__ import annotations

import subprocess
import sys
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import pytest

from mnemod import ids
from mnemod.config import PROTOCOL_VERSIONS, Tier
from mnemod.rpc import document, generated
from rpc_schema.contract import read
from rpc_schema.generate import ROOT, generate, main, stale, write
from rpc_schema.targets.model import EnumType, Method
from rpc_schema.targets.python_types import ENUMS, IDS
from tests.support.contracts import copy_contract, edit
from tests.support.schemas import SCHEMA_FOLDER

SCHEMA = read(SCHEMA_FOLDER)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the contract with all that is generated from it, current."""
    copy_contract(tmp_path)
    (tmp_path / "daemon/mnemod/rpc").mkdir(parents=True)
    write(generate(tmp_path), tmp_path)
    return tmp_path


def check(project: Path) -> int:
    return main(["--check", "--root", str(project)])


def test_every_generated_file_is_current() -> None:
    assert stale(generate()) == {}


def test_generating_twice_gives_the_same_bytes(project: Path) -> None:
    assert generate(project) == generate(project)
    assert check(project) == 0


def test_check_names_each_stale_file_when_one_field_is_edited(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(project / "rpc_schema/types.json", lambda types: types["SessionId"].update(maxLength=511))

    assert check(project) == 1
    said = capsys.readouterr().err
    assert "stale: daemon/mnemod/rpc/generated.py" in said
    assert "stale: rpc_schema/openrpc.json" in said
    assert (
        "-_SessionId: TypeAlias = Annotated[SessionId, Meta(min_length=1, max_length=512)]" in said
    )
    assert (
        "+_SessionId: TypeAlias = Annotated[SessionId, Meta(min_length=1, max_length=511)]" in said
    )


def test_check_writes_nothing(project: Path) -> None:
    path = project / "daemon/mnemod/rpc/generated.py"
    path.write_text("edited by hand", "utf-8")

    assert check(project) == 1
    assert path.read_text("utf-8") == "edited by hand"


def test_check_names_a_file_that_is_not_there(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "rpc_schema/openrpc.json").unlink()

    assert check(project) == 1
    assert "stale: rpc_schema/openrpc.json" in capsys.readouterr().err


def test_a_contract_outside_the_notation_ends_with_2(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(project / "rpc_schema/types.json", lambda types: types["Tier"].pop("doc"))

    assert check(project) == 2
    assert capsys.readouterr().err == "refused: types.json: Tier: has no doc\n"


def test_the_generator_needs_nothing_but_the_standard_library() -> None:
    # -S leaves site-packages out; -I leaves the environment out.
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c",
         "import sys; sys.path.insert(0, '.')\n"
         "from rpc_schema.generate import main\nsys.exit(main(['--check']))"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert (run.returncode, run.stderr) == (0, "")


def test_the_installed_document_is_the_one_beside_its_sources() -> None:
    assert document.openrpc_text() == (SCHEMA_FOLDER / "openrpc.json").read_bytes()
    assert document.openrpc()["info"]["version"] == generated.SCHEMA_VERSION


def test_the_protocol_version_is_one_the_daemon_speaks() -> None:
    assert generated.PROTOCOL_VERSION in PROTOCOL_VERSIONS


@pytest.mark.parametrize("name", sorted(ENUMS))
def test_an_enum_of_the_daemon_has_the_values_of_the_contract(name: str) -> None:
    module, twin = ENUMS[name]
    inside = getattr(import_module(module), twin)
    contract = SCHEMA.types[name]

    assert issubclass(inside, StrEnum)
    assert isinstance(contract, EnumType)
    assert tuple(inside) == contract.values


@pytest.mark.parametrize("name", sorted(IDS))
def test_an_id_of_the_contract_has_a_name_inside_the_daemon(name: str) -> None:
    assert name in SCHEMA.types
    assert hasattr(ids, name)


@pytest.mark.parametrize("method", SCHEMA.calls, ids=lambda method: method.name)
def test_the_table_says_of_a_call_what_the_contract_says(method: Method) -> None:
    spec = generated.METHODS[method.name]

    assert spec == generated.MethodSpec(
        name=method.name,
        kind=method.kind,
        params=getattr(generated, method.params.name),
        errors=frozenset(method.errors),
        idempotent=method.idempotent,
        before_initialize=method.before_initialize,
    )


def test_the_tables_hold_what_hosts_send_and_nothing_else() -> None:
    assert list(generated.METHODS) == [method.name for method in SCHEMA.calls]
    assert list(generated.NOTIFICATIONS) == [method.name for method in SCHEMA.to_server]


def test_what_is_left_out_reads_as_none_and_a_default_as_itself() -> None:
    params = msgspec.convert({"query": "tea"}, generated.RecallPreviewParams)

    assert params == generated.RecallPreviewParams(query="tea")
    assert (params.time, params.tier, params.history, params.explain) == (None, None, "auto", False)


def test_params_hold_the_enums_of_the_daemon() -> None:
    params = msgspec.convert({"query": "tea", "tier": "local"}, generated.RecallPreviewParams)

    assert params.tier is Tier.LOCAL


def test_params_cannot_be_changed() -> None:
    params: Any = generated.RecallPreviewParams(query="tea")

    with pytest.raises(AttributeError):
        params.query = "coffee"


def test_a_reply_is_a_plain_dict() -> None:
    assert generated.JobRef(job_id=ids.JobId("jb_1"), state="done") == {
        "job_id": "jb_1",
        "state": "done",
    }
