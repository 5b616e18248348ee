"""The commands a person uses, one after another, against the real daemon."""

from __future__ import annotations

import json
import os
import pty
import sqlite3
import subprocess
from pathlib import Path
from typing import Any

import pytest

from mnemod.exits import Exit
from tests.support.processes import MNEMOD, PATIENCE_S, Place, wait_until

SAID = "My name is Ines Duarte. I live in Lisbon and I am allergic to walnuts."


def call(place: Place, method: str, params: dict[str, Any]) -> Any:
    ran = place.run("rpc", method, "-", stdin=json.dumps(params).encode())
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def observe(place: Place, *contents: str) -> list[str]:
    """The evidence ids of messages of the owner, their memories formed."""
    messages = [
        {"message_id": f"m{n}", "role": "user", "content": content}
        for n, content in enumerate(contents)
    ]
    params = {"event_id": "e1", "conversation_id": "c1", "messages": messages}
    stored = call(place, "observe", params)["evidence"]
    with place.connect() as client:
        client.initialize("default")
        wait_until(lambda: is_idle(client.call("query_jobs", operation="summary")))
    return [row["evidence_id"] for row in stored]


def is_idle(summary: Any) -> bool:
    return not any(summary["counts"][state] for state in ("pending", "processing", "retry"))


def on_a_terminal(place: Place, answer: bytes, *arguments: str) -> tuple[int, str]:
    """Run a command on a terminal and type `answer`. Returns its exit code and what it showed."""
    ours, theirs = pty.openpty()
    env = {**place.env, "TERM": "xterm", "COLUMNS": "80"}
    process = subprocess.Popen(
        [*MNEMOD, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env=env
    )
    os.close(theirs)
    os.write(ours, answer + b"\n")
    shown = b""
    try:
        while chunk := os.read(ours, 4096):
            shown += chunk
    except OSError:
        pass  # Linux says EIO when the last of the other side is closed
    os.close(ours)
    return process.wait(PATIENCE_S), shown.decode()


def test_from_saying_to_forgetting_by_hand(place: Place) -> None:
    [evidence_id] = observe(place, SAID)

    recalled = place.run("recall", "what am I allergic to").stdout.decode()
    item_id = next(word for word in recalled.split() if word.startswith("it_"))
    shown = place.run("show", item_id).stdout.decode()
    assert f"from {evidence_id}" in shown
    assert f"  {SAID}\n" in shown

    code, screen = on_a_terminal(place, b"no", "forget", evidence_id)
    assert (code, "nothing was erased" in screen) == (Exit.FAILED, True)
    assert place.run("show", evidence_id).returncode == 0

    code, screen = on_a_terminal(place, b"forget", "forget", evidence_id)
    assert (code, "gone from the disk" in screen) == (0, True)
    gone = place.run("show", evidence_id)
    assert (gone.returncode, b"already_erased" in gone.stderr) == (Exit.FAILED, True)
    assert b"Nothing found." in place.run("recall", "allergic walnuts").stdout


def test_a_scripted_forget_takes_the_token_of_the_preview_it_saw(place: Place) -> None:
    [evidence_id] = observe(place, SAID)
    preview = json.loads(place.run("forget", evidence_id, "--json").stdout)

    stale = place.run("forget", evidence_id, "--yes", "--token", "not-it")
    done = place.run("forget", evidence_id, "--yes", "--token", preview["forget_scope"], "--json")

    assert (stale.returncode, b"forget_scope_changed" in stale.stderr) == (Exit.FAILED, True)
    assert json.loads(done.stdout)["receipt"]["result_state"] == "applied"


def test_an_export_of_a_quiet_account_is_the_same_twice(place: Place) -> None:
    observe(place, SAID, "我住在杭州。", "毎朝コーヒーを飲んでいます。")

    first, second = place.run("export"), place.run("export", "-o", "out.jsonl")

    assert (first.returncode, second.returncode) == (0, 0)
    assert first.stdout == (place.root / "out.jsonl").read_bytes()
    lines = [json.loads(line) for line in first.stdout.splitlines()]
    assert SAID in [line["row"]["content"] for line in lines if line["kind"] == "evidence"]
    assert lines[-1]["kind"] == "end"
    assert lines[-1]["counts"]["item"] == len([1 for line in lines if line["kind"] == "item"]) > 0


def test_an_index_that_was_lost_is_counted_then_made_anew_and_no_row_is(place: Place) -> None:
    observe(place, *(f"On day {n} I repaired clock number {n}." for n in range(40)))
    assert place.run("stop").returncode == 0
    lost = lose_the_index(place.data_dir / "accounts" / "default" / "memory.db")

    looked = place.run("doctor", "--deep", "--json")
    mended = place.run("doctor", "--deep", "--repair", "--json")
    after = place.run("doctor", "--deep", "--strict")

    assert (looked.returncode, f"{lost} rows the search index" in looked.stdout.decode()) == (
        2,
        True,
    )
    assert f"{lost} search entries made anew" in mended.stdout.decode()
    assert (after.returncode, b"opens: 40 messages" in after.stdout) == (0, True)


def lose_the_index(file: Path) -> int:
    """Empty every table of the search index, as a bad disk might. Returns how many rows it had."""
    with sqlite3.connect(file) as connection:
        gone = [
            connection.execute(f"DELETE FROM {table}").rowcount
            for table in ("evidence_lexical", "item_lexical")
        ]
    connection.close()
    return sum(gone)


def test_a_directory_others_can_read_is_found_with_the_cure(place: Place) -> None:
    observe(place, SAID)
    (place.data_dir / "accounts" / "default").chmod(0o755)

    ran = place.run("doctor")

    assert ran.returncode == 2
    assert b"chmod -R go-rwx" in ran.stdout


@pytest.mark.parametrize("name", ["é ß (x)", 'it\'s "here"', "数据"])
def test_any_folder_name_will_do(tmp_path: Path, name: str) -> None:
    place = Place(tmp_path, tmp_path / name)
    try:
        assert place.run("rpc", "ping").returncode == 0
        assert place.run("recall", "x").returncode == 0
        assert place.run("export", "-o", f"{name}.jsonl").returncode == 0
    finally:
        place.close()
