"""The daemon as a process: found or started once, with whatever in the way, for its user only."""

from __future__ import annotations

import json
import os
import resource
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.storm import storm
from tests.support.processes import PATIENCE_S, Place
from tests.support.rpc import observe_params, request

FOREGROUND = ("serve", "--foreground")
NOBODY = 65_534


@pytest.fixture
def few_files() -> Iterator[None]:
    """What this process starts may open 128 files, and more only if it asks."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (128, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.usefixtures("few_files")
def test_the_limit_on_files_of_whoever_started_it_does_not_limit_the_accounts(place: Place) -> None:
    place.run("ensure")

    for number in range(20):
        with place.connect() as client:
            client.initialize(f"a{number}")
            assert client.call("observe", **observe_params("I grow leeks."))["evidence"]


# --- many starters


def test_a_storm_of_starts_between_kills_ends_with_one_daemon_and_every_call_answered(
    place: Place,
) -> None:
    rounds = storm(place, rounds=2, hosts=30)

    assert [(one.answered, one.daemons) for one in rounds] == [(30, 1), (30, 1)]


def test_ensure_starts_once_and_says_so_in_one_object(place: Place) -> None:
    first, second = (place.run("ensure", "--json") for _ in range(2))

    started, joined = json.loads(first.stdout), json.loads(second.stdout)
    assert (started.pop("started"), joined.pop("started")) == (True, False)
    assert started == joined
    assert started["protocol_versions"] == [1]
    assert (first.returncode, first.stderr) == (0, b"")


def test_the_daemon_is_nobodys_child_and_knows_nothing_of_its_starter(place: Place) -> None:
    place.run("ensure", env={"GIT_AUTHOR_NAME": "Reed", "OPENAI_API_KEY": "k", "LC_TIME": "C"})

    pid = place.record().pid
    environment = Path(f"/proc/{pid}/environ").read_bytes().decode().split("\0")
    assert {name.partition("=")[0] for name in environment if name} == {*place.env, "LC_TIME"}
    assert Path(f"/proc/{pid}/cwd").readlink() == Path("/")
    assert os.getsid(pid) != os.getsid(0)
    assert int(Path(f"/proc/{pid}/stat").read_text().split()[3]) != os.getpid()


@pytest.mark.parametrize("command", ["ensure", "serve --stdio"])
def test_what_the_first_host_left_open_is_not_held_open_by_the_daemon(
    place: Place, command: str
) -> None:
    reader, writer = os.pipe()
    place.run(*command.split(), pass_fds=[writer], stdin=request(1, "ping"))
    os.close(writer)

    assert place.daemons() != []
    assert os.read(reader, 1) == b""  # would wait for ever if anybody still held the other end
    os.close(reader)


def test_the_models_key_passes_by_the_name_the_configuration_gives(place: Place) -> None:
    config = place.root / "config.toml"
    config.write_text('chat.api_key_env = "OPENAI_API_KEY"\n')

    place.run("ensure", "--config", "config.toml", env={"OPENAI_API_KEY": "k", "OTHER_KEY": "o"})

    environment = Path(f"/proc/{place.record().pid}/environ").read_bytes()
    assert b"OPENAI_API_KEY=k" in environment
    assert b"OTHER_KEY" not in environment


def test_two_data_directories_are_two_daemons(place: Place, tmp_path: Path) -> None:
    other = Place(tmp_path, data_dir=tmp_path / "other")
    here, there = place.spawn().client, other.spawn().client

    here.initialize()
    there.initialize()
    here.call("observe", **observe_params("only here"))

    assert here.call("query_evidence", operation="list")["evidence"] != []
    assert there.call("query_evidence", operation="list")["evidence"] == []
    assert place.record().pid != other.record().pid
    other.close()


def test_a_link_to_the_data_directory_leads_to_the_same_daemon(place: Place) -> None:
    place.run("ensure")
    (place.root / "alias").symlink_to(place.data_dir)

    joined = place.run("ensure", "--json", "--data-dir", "alias")

    assert json.loads(joined.stdout)["pid"] == place.record().pid


# --- what lies in the way


def test_numbers_of_a_living_stranger_in_stale_files_harm_nobody(place: Place) -> None:
    place.run("ensure")
    place.kill_daemon()
    with subprocess.Popen(["sleep", "60"]) as stranger:
        (place.data_dir / "daemon.lock").write_text(f"{stranger.pid}\n")
        record = json.loads((place.data_dir / "daemon.json").read_text())
        (place.data_dir / "daemon.json").write_text(json.dumps({**record, "pid": stranger.pid}))

        assert place.run("stop").returncode == 0
        assert place.run("ensure").returncode == 0
        assert place.run("stop").returncode == 0
        assert stranger.poll() is None
        stranger.kill()


@pytest.mark.parametrize("file", ["daemon.json", "logs/daemon.log"])
def test_a_side_file_cut_to_half_a_line_does_not_stop_the_next_start(
    place: Place, file: str
) -> None:
    place.run("ensure")
    place.kill_daemon()
    whole = (place.data_dir / file).read_bytes()
    (place.data_dir / file).write_bytes(whole[: len(whole) // 2])

    assert place.run("ensure").returncode == 0
    assert place.spawn().client.initialize()["account"] == "a1"


def test_something_else_at_the_sockets_path_is_refused_and_left_alone(place: Place) -> None:
    (place.root / "s").write_text("a letter")

    ran = place.run(*FOREGROUND, "--socket", "s")

    assert ran.returncode == 73
    assert b"not a socket" in ran.stderr
    assert (place.root / "s").read_text() == "a letter"


def test_a_second_daemon_in_the_foreground_is_told_who_is_first(place: Place) -> None:
    place.run("ensure")

    ran = place.run(*FOREGROUND)

    assert ran.returncode == 75
    assert str(place.record().pid).encode() in ran.stderr


def test_a_linked_runtime_directory_is_refused(place: Place) -> None:
    runtime = place.root / "run"
    (place.root / "elsewhere").mkdir(mode=0o700)
    (runtime / "mnemod").symlink_to(place.root / "elsewhere")

    ran = place.run("ensure", env={"XDG_RUNTIME_DIR": str(runtime)})

    assert ran.returncode == 77
    assert place.spawn("serve", "--stdio", env={"XDG_RUNTIME_DIR": str(runtime)}).end() == 77


def test_an_open_data_directory_is_refused(place: Place) -> None:
    place.data_dir.mkdir(mode=0o755)

    ran = place.run("serve", "--stdio")

    assert ran.returncode == 77
    assert b"chmod 700" in ran.stderr


@pytest.mark.parametrize(
    "name", ['é ß (x)/it\'s "here"/数据', "h" * 90, "h" * 120], ids=["unicode", "90", "120"]
)
def test_a_directory_of_any_name_and_length_works(tmp_path: Path, name: str) -> None:
    home = tmp_path / name
    home.mkdir(parents=True, mode=0o700)
    place = Place(home)
    # The socket's directory is short, as real ones are; the data directory may be of any length.
    place.env["TMPDIR"] = str(tmp_path)
    try:
        client = place.spawn().client
        client.initialize()
        assert client.call("observe", **observe_params("x"))["evidence"][0]["outcome"] == "stored"
        assert json.loads(place.run("status", "--json").stdout)["running"] is True
        assert place.run("stop").returncode == 0
    finally:
        place.close()


def test_a_socket_path_that_fits_nowhere_is_refused_with_the_reason(place: Place) -> None:
    long = place.root / ("t" * 90)
    long.mkdir(mode=0o700)

    ran = place.run("ensure", env={"TMPDIR": str(long)})

    assert ran.returncode == 78
    assert b"TMPDIR" in ran.stderr


# --- who may come in


def test_nothing_is_open_to_others_under_any_umask_and_no_port_listens(place: Place) -> None:
    before = os.umask(0)
    try:
        host = place.spawn()
    finally:
        os.umask(before)
    host.client.initialize()
    host.client.call("observe", **observe_params("x"))

    made = [place.data_dir, *place.data_dir.rglob("*")]
    door = Path(place.record().socket)
    shared = [str(p) for p in (*made, door, door.parent) if p.lstat().st_mode & 0o077]
    assert shared == []
    assert _tcp_listeners(place.record().pid) == []


def _tcp_listeners(pid: int) -> list[str]:
    open_files = {str(fd.readlink()) for fd in Path(f"/proc/{pid}/fd").iterdir() if fd.is_symlink()}
    rows = [
        line.split()
        for table in ("tcp", "tcp6")
        for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]
    ]
    return [row[1] for row in rows if f"socket:[{row[9]}]" in open_files]


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to become another user")
def test_another_user_is_let_go_without_a_word(place: Place) -> None:
    door = Path("/tmp") / f"mnemod-test-{os.getpid()}.sock"
    daemon = place.start_in_foreground("--socket", str(door))
    door.chmod(0o666)

    with socket.socket(socket.AF_UNIX) as visitor:
        os.seteuid(NOBODY)
        try:
            visitor.connect(str(door))
        finally:
            os.seteuid(0)
        visitor.settimeout(PATIENCE_S)
        assert visitor.recv(100) == b""

    daemon.terminate()
    assert daemon.wait(PATIENCE_S) == 0
