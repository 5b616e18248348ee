"""`mnemod serve --stdio` as hosts start it: alone, through the proxy, from files and terminals."""

from __future__ import annotations

import json
import os
import pty
import signal
import socket
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from mnemod.config import FRAME_BYTES_MAX
from tests.support.processes import MNEMOD, PATIENCE_S, Place, wait_until
from tests.support.rpc import Client, initialize_params, observe_params, request

ALONE = ("serve", "--stdio", "--alone")
PROXY = ("serve", "--stdio")
WAYS = pytest.mark.parametrize("way", [ALONE, PROXY], ids=["alone", "proxy"])

SCRIPT = (
    request(1, "initialize", **initialize_params())
    + request(2, "observe", **observe_params("I keep bees."))
    + request(3, "query_evidence", operation="list")
)
"""Three requests whose last line has no end."""
UNTERMINATED = SCRIPT.rstrip(b"\n")


def _ids(output: bytes) -> list[int]:
    return sorted(json.loads(line)["id"] for line in output.splitlines())


@WAYS
def test_a_script_in_a_pipe_is_answered_line_by_line(place: Place, way: tuple[str, ...]) -> None:
    ran = place.run(*way, stdin=UNTERMINATED)

    assert (ran.returncode, _ids(ran.stdout), ran.stderr) == (0, [1, 2, 3], b"")


@WAYS
def test_a_script_in_a_file_is_answered_into_a_file(
    place: Place, tmp_path: Path, way: tuple[str, ...]
) -> None:
    (tmp_path / "requests").write_bytes(UNTERMINATED)
    with (tmp_path / "requests").open("rb") as asked, (tmp_path / "answers").open("wb") as told:
        ran = subprocess.run(
            [*MNEMOD, *way],
            stdin=asked,
            stdout=told,
            env=place.env,
            timeout=PATIENCE_S,
            check=False,
        )

    assert ran.returncode == 0
    assert _ids((tmp_path / "answers").read_bytes()) == [1, 2, 3]


@WAYS
def test_a_socket_as_stdin_and_stdout_works(place: Place, way: tuple[str, ...]) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        host = subprocess.Popen([*MNEMOD, *way], stdin=theirs, stdout=theirs, env=place.env)
        theirs.close()
        client = Client(ours.fileno(), ours.fileno())
        assert client.initialize()["account"] == "a1"
        ours.shutdown(socket.SHUT_WR)

        assert client.rest() == b""
        assert host.wait(PATIENCE_S) == 0


@WAYS
def test_a_terminal_works_and_is_left_blocking_by_a_kill(
    place: Place, way: tuple[str, ...]
) -> None:
    ours, terminal = pty.openpty()
    host = subprocess.Popen([*MNEMOD, *way], stdin=terminal, stdout=terminal, env=place.env)
    client = Client(ours, ours)
    client.send(request(7, "ping"))
    wait_until(lambda: b'"result"' in client.receive_line())

    os.kill(host.pid, signal.SIGKILL)
    host.wait(PATIENCE_S)
    assert os.get_blocking(terminal)
    os.close(ours)
    os.close(terminal)


@WAYS
@pytest.mark.parametrize("first", [b"\xef\xbb\xbf{}\n", b"GET / HTTP/1.1\r\n\r\n", b"7\n", b"\x00"])
def test_what_is_no_protocol_is_refused_at_once(
    place: Place, way: tuple[str, ...], first: bytes
) -> None:
    host = place.spawn(*way)
    host.client.send(first)

    answer = host.client.receive()
    assert (answer["id"], answer["error"]["data"]["kind"]) == (None, "parse_error")
    assert host.client.rest() == b""
    assert host.process.wait(PATIENCE_S) == 1


@WAYS
def test_a_line_past_the_limit_is_refused_by_name(place: Place, way: tuple[str, ...]) -> None:
    ran = place.run(*way, stdin=b'{"x":"' + b"y" * (FRAME_BYTES_MAX + 1))

    answer = json.loads(ran.stdout)
    assert (answer["id"], answer["error"]["data"]["kind"]) == (None, "frame_too_long")
    assert ran.returncode == 1


@WAYS
def test_the_longest_line_passes_both_ways(place: Place, way: tuple[str, ...]) -> None:
    asked = request("x" * 128, "ping")
    padded = asked[:-1] + b" " * (FRAME_BYTES_MAX - len(asked) + 1) + b"\n"

    ran = place.run(*way, stdin=padded)

    assert json.loads(ran.stdout)["result"] == {}
    assert ran.returncode == 0


@WAYS
def test_versions_with_nothing_in_common_say_what_there_is(
    place: Place, way: tuple[str, ...]
) -> None:
    host = place.spawn(*way)
    host.client.send(request(1, "initialize", **initialize_params(protocol_versions=[2, 3])))

    error = host.client.answer_to(1)["error"]
    assert error["data"]["kind"] == "unsupported_protocol"
    assert "mnemod stop" in error["message"]
    assert host.client.rest() == b""
    assert host.process.wait(PATIENCE_S) != 0


@pytest.mark.parametrize(
    ("ending", "code"),
    [(request(2, "shutdown") + b'{"jsonrpc":"2.0","method":"exit"}\n', 0),
     (b'{"jsonrpc":"2.0","method":"exit"}\n', 1),
     (b"", 0)],
    ids=["shutdown and exit", "exit without shutdown", "end of input"],
)  # fmt: skip
def test_alone_its_exit_code_is_that_of_a_language_server(
    place: Place, ending: bytes, code: int
) -> None:
    first = request(1, "initialize", **initialize_params())

    assert place.run(*ALONE, stdin=first + ending).returncode == code


def test_alone_beside_a_daemon_is_refused_once_and_by_the_owners_number(place: Place) -> None:
    host = place.spawn()
    daemon = host.client.initialize()["server"]["pid"]

    ran = place.run(*ALONE, stdin=request(0, "ping") + SCRIPT)

    answers = {json.loads(line)["id"]: json.loads(line) for line in ran.stdout.splitlines()}
    assert answers[0]["result"] == {}
    assert answers[1]["error"]["data"]["kind"] == "account_busy"
    assert answers[1]["error"]["data"]["details"] == {"owner_pid": daemon}
    assert answers[2]["error"]["data"]["kind"] == "not_initialized"


@WAYS
def test_noise_on_descriptor_one_never_reaches_the_host(
    place: Place, tmp_path: Path, way: tuple[str, ...]
) -> None:
    package = tmp_path / "noise"
    package.mkdir()
    (package / "sitecustomize.py").write_text(
        textwrap.dedent("""
            import os, sys, threading, time
            class Noise:
                def find_spec(self, name, path=None, target=None):
                    if name in ("socket", "trio", "json"):
                        os.write(1, b"native noise about " + name.encode() + b"\\n")
                        print("and printed")
            def chatter():
                time.sleep(0.05)
                while True:
                    if "mnemod.transport.diversion" in sys.modules:
                        os.write(1, b"noise on a timer\\n")
                    time.sleep(0.005)
            def begin():
                sys.meta_path.insert(0, Noise())
            import builtins
            real = builtins.__import__
            import fcntl
            dup2 = os.dup2
            def dup2_then_noise(fd, fd2, *rest, **more):
                dup2(fd, fd2, *rest, **more)
                if fd2 == 1:
                    begin()
                    threading.Thread(target=chatter, daemon=True).start()
                return fd2
            os.dup2 = dup2_then_noise
        """)
    )
    ran = place.run(
        *way, stdin=SCRIPT, env={"PYTHONPATH": str(package), "PYTHONWARNINGS": "default"}
    )

    assert (ran.returncode, _ids(ran.stdout)) == (0, [1, 2, 3])
    assert b"noise" in ran.stderr


@WAYS
@pytest.mark.parametrize("closed", ["0<&-", "2>&-", "0<&- 2>&-"])
def test_a_host_that_starts_us_with_descriptors_closed_harms_nothing(
    place: Place, way: tuple[str, ...], closed: str
) -> None:
    shell = f'exec "$@" {closed}'
    ran = subprocess.run(
        ["sh", "-c", shell, "sh", *MNEMOD, *way],
        input=SCRIPT,
        env=place.env,
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )

    assert ran.returncode == 0
    assert _ids(ran.stdout) == ([] if "0" in closed else [1, 2, 3])


def test_sigterm_ends_it_alone_like_a_daemon(place: Place) -> None:
    host = place.spawn(*ALONE)
    host.client.initialize()

    host.process.terminate()

    assert host.process.wait(PATIENCE_S) == 0
    assert host.client.rest() == b""


@WAYS
@pytest.mark.parametrize(
    "env",
    [
        {"LC_ALL": "C"},
        {"PYTHONIOENCODING": "cp1252"},
        {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"},
    ],
    ids=lambda env: "+".join(env),
)
def test_text_survives_every_locale_byte_for_byte(
    place: Place, way: tuple[str, ...], env: dict[str, str]
) -> None:
    said = "Привет, สวัสดี ★ 🎏 \U0001f468\u200d\U0001f469\u200d\U0001f467 \u200fשלום"
    host = place.spawn(*way, env=env)
    host.client.initialize()
    host.client.call("observe", **observe_params(said))

    listed = host.client.call("query_evidence", operation="list")
    assert listed["evidence"][0]["content"] == said
    assert host.end() == 0


@WAYS
def test_a_host_that_dies_takes_us_along_though_a_sibling_holds_the_pipe(
    place: Place, way: tuple[str, ...]
) -> None:
    host_program = textwrap.dedent("""
        import json, os, subprocess, sys
        proxy = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        sibling = subprocess.Popen(["sleep", "60"], pass_fds=[proxy.stdin.fileno()])
        params = json.loads(os.environ["INITIALIZE"]) | {"process_id": os.getpid()}
        call = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
        proxy.stdin.write(json.dumps(call).encode() + b"\\n")
        proxy.stdin.flush()
        proxy.stdout.readline()
        print(proxy.pid, sibling.pid, flush=True)
        os.kill(os.getpid(), 9)
    """)
    host = subprocess.Popen(
        [sys.executable, "-c", host_program, *MNEMOD, *way],
        env={**place.env, "INITIALIZE": json.dumps(initialize_params())},
        stdout=subprocess.PIPE,
    )
    assert host.stdout is not None
    proxy, sibling = map(int, host.stdout.readline().split())
    host.wait(PATIENCE_S)

    wait_until(lambda: not Path(f"/proc/{proxy}").exists())
    assert Path(f"/proc/{sibling}").exists()
    os.kill(sibling, signal.SIGKILL)
    host.stdout.close()
