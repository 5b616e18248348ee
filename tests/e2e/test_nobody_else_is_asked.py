"""No network: everything works without one, and nothing tries to use one (C194, B145)."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.support.processes import MNEMOD, PATIENCE_S, Place
from tests.support.rpc import initialize_params, observe_params


def can_unshare() -> bool:
    """Whether this user may have a network of its own, with nothing in it."""
    tool = shutil.which("unshare")
    return tool is not None and subprocess.run([tool, "-rn", "true"], check=False).returncode == 0


SPY = """
    import os, socket, sys
    def told(event, args):
        asks = event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.sendto")
        dials = event == "socket.connect" and args[0].family != socket.AF_UNIX
        if asks or dials:
            with open(os.environ["SPY"], "a") as out:
                print(event, file=out)
    if "SPY" in os.environ:
        sys.addaudithook(told)
"""
HOST = """
    import json, os, subprocess, sys
    mnemod = sys.argv[1:]
    host = subprocess.Popen([*mnemod, "serve", "--stdio", *WAY],
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    def call(method, **params):
        host.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method,
                                     "params": params}).encode() + b"\\n")
        host.stdin.flush()
        while True:
            answer = json.loads(host.stdout.readline())
            if "id" in answer:
                return answer["result"]
    call("initialize", **json.loads(os.environ["INITIALIZE"]))
    row = call("observe", **json.loads(os.environ["OBSERVE"]))["evidence"][0]["evidence_id"]
    while not (items := call("query_world", operation="list")["items"]):
        pass
    recalled = call("recall_preview", query="bees")["rendered"]
    target = {"target_kind": items[0]["object_kind"], "target_id": items[0]["item_id"]}
    fixed = call("correct_world_item", command_id="c1", correction_text="I keep hens.", **target)
    target = {"target_kind": "evidence", "target_id": row}
    scope = call("preview_forget", **target)["forget_scope"]
    gone = call("delete_evidence", command_id="c2", forget_scope=scope, **target)
    host.stdin.close()
    host.wait()
    exported = subprocess.run([*mnemod, "export", "--account", "a1"], capture_output=True)
    stopped = subprocess.run([*mnemod, "stop"], capture_output=True)
    print(json.dumps({
        "recalled": "bees" in recalled,
        "fixed": fixed["receipt"]["result_state"],
        "gone": gone["receipt"]["result_state"],
        "codes": [host.returncode, exported.returncode, stopped.returncode],
        "lines": len(exported.stdout.splitlines()) > 2,
    }))
"""


@pytest.mark.skipif(not can_unshare(), reason="needs a network namespace of its own")
@pytest.mark.parametrize("way", [[], ["--alone"]], ids=["proxy", "alone"])
def test_with_no_network_at_all_everything_works_and_nothing_is_dialled(
    place: Place, tmp_path: Path, way: list[str]
) -> None:
    (tmp_path / "spies").mkdir()
    (tmp_path / "spies" / "sitecustomize.py").write_text(textwrap.dedent(SPY))
    env = {
        **place.env,
        "PYTHONPATH": str(tmp_path / "spies"),
        "SPY": str(tmp_path / "dialled"),
        "INITIALIZE": json.dumps(initialize_params(tier="local")),
        "OBSERVE": json.dumps(observe_params("I keep bees.")),
    }
    program = f"WAY = {way!r}\n{textwrap.dedent(HOST)}"

    ran = subprocess.run(
        ["unshare", "-rn", sys.executable, "-c", program, *MNEMOD],
        env=env, capture_output=True, timeout=PATIENCE_S, check=False,
    )  # fmt: skip

    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    assert told == {
        "recalled": True,
        "fixed": "applied",
        "gone": "applied",
        "codes": [0, 0, 0],
        "lines": True,
    }
    assert not (tmp_path / "dialled").exists()


def test_the_spy_would_have_seen_it(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(textwrap.dedent(SPY))
    dial = "import socket; socket.socket().connect_ex(('127.0.0.1', 9))"

    subprocess.run(
        [sys.executable, "-c", dial],
        env={"PYTHONPATH": str(tmp_path), "SPY": str(tmp_path / "dialled")},
        check=True,
    )

    assert (tmp_path / "dialled").read_text() == "socket.connect\n"
