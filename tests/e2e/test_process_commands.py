"""The commands about the process itself: what they print, and how they exit."""

from __future__ import annotations

import json
import subprocess
import time

import pytest

from mnemod import __version__
from mnemod.cli import COMMANDS
from mnemod.rpc.document import openrpc_text
from tests.support.processes import MNEMOD, Place
from tests.support.rpc import initialize_params, request

VERSION_S_MAX = 0.06


def test_version_comes_at_once_and_imports_no_parser(place: Place) -> None:
    times = []
    for _ in range(5):
        began = time.monotonic()
        ran = place.run("--version")
        times.append(time.monotonic() - began)

    assert ran.stdout.decode() == f"mnemod {__version__}\n"
    assert min(times) < VERSION_S_MAX


def test_version_as_json_names_all_it_stands_on(place: Place) -> None:
    facts = json.loads(place.run("--version", "--json").stdout)

    assert facts["version"] == __version__
    assert facts["protocol_versions"] == [1]
    assert {"schema", "sqlite", "python"} <= facts.keys()


def test_schema_prints_the_document_and_starts_nothing(place: Place) -> None:
    ran = place.run("schema")

    assert ran.stdout == openrpc_text()
    assert not place.data_dir.exists()


def test_a_reader_that_has_enough_is_no_error_worth_a_traceback(place: Place) -> None:
    with subprocess.Popen(
        [*MNEMOD, "schema"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=place.env
    ) as command:
        assert command.stdout is not None
        assert command.stderr is not None
        command.stdout.read(1)
        command.stdout.close()

        assert command.wait(10) == 74
        assert command.stderr.read() == b""


def test_help_lists_every_command(place: Place) -> None:
    shown = place.run("--help").stdout.decode()

    assert [name for name in COMMANDS if f"  {name} " not in shown] == []


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("nonsense",), 2),
        (("serve",), 2),
        (("serve", "--stdio", "--foreground"), 2),
        (("serve", "--alone"), 2),
        (("status", "--nonsense"), 2),
        (("status",), 69),
        (("stop",), 0),
        (("schema", "--help"), 0),
    ],
)
def test_exit_codes(place: Place, arguments: tuple[str, ...], code: int) -> None:
    assert place.run(*arguments).returncode == code


def test_status_of_nothing_and_of_something(place: Place) -> None:
    nothing = json.loads(place.run("status", "--json").stdout)
    place.run("ensure")
    something = place.run("status", "--json")

    assert nothing["running"] is False
    facts = json.loads(something.stdout)
    assert (something.returncode, facts["running"]) == (0, True)
    assert facts["pid"] == place.record().pid
    assert facts["health"]["uptime_s"] >= 0


def test_status_shows_the_configuration_and_where_each_value_is_from(place: Place) -> None:
    (place.root / "c.toml").write_bytes(b'\xef\xbb\xbf[log]\r\nlevel = "debug"\r\n')
    (place.root / ".env").write_text("MNEMOD_FORMATION_WORKERS=9\n")

    ran = place.run("status", "--json", "--config", "c.toml", env={"MNEMOD_LOG_FORMAT": "json"})

    shown = json.loads(ran.stdout)["configuration"]
    assert shown["log.level"] == {"value": "debug", "from": "file"}
    assert shown["log.format"] == {"value": "json", "from": "MNEMOD_LOG_FORMAT"}
    assert shown["formation.workers"] == {"value": 1, "from": "default"}


@pytest.mark.parametrize(
    "arguments",
    [("ensure",), ("serve", "--stdio"), ("serve", "--stdio", "--alone"), ("serve", "--foreground")],
    ids=" ".join,
)
def test_a_broken_configuration_stops_the_start_with_file_and_line(
    place: Place, arguments: tuple[str, ...]
) -> None:
    config = place.root / "c.toml"
    config.write_text("[formation]\n\nworkers = 0\n")

    ran = place.run(*arguments, "--config", "c.toml")

    assert ran.returncode == 78
    assert f"{config}, line 3: formation.workers".encode() in ran.stderr
    assert ran.stdout == b""


def test_a_daemon_that_runs_keeps_its_configuration_when_the_file_breaks(place: Place) -> None:
    config = place.root / "c.toml"
    config.write_text('formation.interpreter = "none"\n')
    place.env["MNEMOD_CONFIG"] = str(config)
    place.run("ensure")
    config.write_text("formation.interpreter = \n")

    ran = place.run("serve", "--stdio", stdin=request(1, "initialize", **initialize_params()))

    assert ran.returncode == 0
    assert json.loads(ran.stdout)["result"]["capabilities"]["interpreter"] == "none"
    assert "line 1" in json.loads(place.run("status", "--json").stdout)["configuration_error"]
