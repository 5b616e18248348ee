"""A model that cuts its answers off, or quotes the key it was given, seen from a host."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from tests.support.answering_model import answering_model, first_sentence
from tests.support.bytes_on_disk import holding
from tests.support.processes import Place, wait_until
from tests.support.rpc import RpcError, observe_params
from tests.support.torture import settle

KEY = "k-123-the-key"
SAID = "The kiln shelf posts are 15 cm tall."


def test_words_whose_answer_was_cut_off_are_kept_shown_and_formed_once_later(
    place: Place,
) -> None:
    # B001
    with answering_model(lambda data: first_sentence(data)[:40]) as model:
        client = place.spawn("serve", "--stdio", "--alone", env=model.env).client
        client.initialize()
        told = client.call("observe", **observe_params(SAID, "m-101"))
        settle(client)
        (job,) = client.call("query_jobs", operation="list")["jobs"]
        (row,) = client.call("query_evidence", operation="list")["evidence"]
        recent = client.call("recall_preview", query="kiln shelf posts")["recent_evidence"]

        model.answer = first_sentence
        client.call("retry_formation", job_id=told["job"]["job_id"], request_id="r1")
        settle(client)
        items = client.call("query_world", operation="list")["items"]

    assert (job["state"], job["reason"]) == ("dead", "model_output_truncated")
    assert (row["content"], [one["text"] for one in recent]) == (SAID, [SAID])
    assert [item["text"] for item in items] == [SAID]


@contextmanager
def provider_that_quotes_the_key(status: int) -> Iterator[tuple[str, list[str]]]:
    """Answers every request with `status` and with the key that came; its address, what came."""
    came: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            came.append(self.headers["Authorization"])
            self.rfile.read(int(self.headers["Content-Length"]))
            body = f'{{"error": "no good key: {came[-1]}"}}'.encode()
            self.send_response(status, came[-1])
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1", came
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize("status", [200, 400, 401, 500])
def test_the_models_key_is_in_no_reply_no_log_and_no_file(
    place: Place, tmp_path: Path, status: int
) -> None:
    # C009
    with provider_that_quotes_the_key(status) as (address, came):
        place.env |= {
            "MNEMOD_FORMATION_INTERPRETER": "chat",
            "MNEMOD_CHAT_BASE_URL": address,
            "MNEMOD_CHAT_MODEL": "stub",
            "MNEMOD_CHAT_TIER": "local",
            "MNEMOD_CHAT_API_KEY_ENV": "THE_KEY",
            "MNEMOD_JOBS_RETRY_WAITS_S": "0.05,0.05,0.05",
            "MNEMOD_LOG_LEVEL": "debug",
            "THE_KEY": KEY,
        }
        host = place.spawn()
        replies = [host.client.initialize()]
        replies.append(host.client.call("observe", **observe_params("I keep bees.")))
        wait_until(lambda: len(came) > 0)
        wait_until(lambda: "last_error" in repr(host.client.call("query_jobs", operation="list")))
        replies += [
            host.client.call("query_jobs", operation="list"),
            host.client.call("health"),
            host.client.call("check_account", deep=True),
        ]
        with pytest.raises(RpcError) as refused:
            host.client.call("query_world", operation="get", item_id="it_x")
        status_told = place.run("status", "--json")
        place.run("stop")
        host.process.wait(20)

    assert came[0] == f"Bearer {KEY}"
    assert KEY not in repr(replies) + repr(refused.value.data) + status_told.stdout.decode()
    assert KEY not in host.stderr()
    assert holding(place.data_dir, KEY) == set()
    assert holding(tmp_path, "no good key") == set()
