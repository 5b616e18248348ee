"""A chat model on a port of its own: answers what it is asked from what it is asked, and counts.

It speaks the OpenAI-style protocol over plain HTTP on this machine, one thread a request, for tests
without an event loop; `stub_model` plays scripts, and every kind of bad answer, for those with one.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]


class AnsweringModel:
    """`answer` turns the data of a request into the text of the reply."""

    def __init__(self, answer: Callable[[Json], str]) -> None:
        self.answer = answer
        self.asked: list[Json] = []
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True

    @property
    def env(self) -> dict[str, str]:
        """The settings of a daemon that asks this model."""
        return {
            "MNEMOD_FORMATION_INTERPRETER": "chat",
            "MNEMOD_CHAT_BASE_URL": f"http://127.0.0.1:{self._server.server_port}/v1",
            "MNEMOD_CHAT_MODEL": "stub",
            "MNEMOD_CHAT_TIER": "local",
            "MNEMOD_JOBS_RETRY_WAITS_S": "0.1,0.1,0.1",
        }

    def calls_about(self, text: str) -> int:
        """How many requests had a message with this text as Evidence."""
        return sum(any(one["text"] == text for one in data["evidence"]) for data in self.asked)

    def _reply(self, body: bytes) -> bytes:
        data = data_of(json.loads(body))
        with self._lock:
            self.asked.append(data)
        message = {"role": "assistant", "content": self.answer(data)}
        choice = {"message": message, "finish_reason": "stop"}
        return json.dumps({"choices": [choice], "usage": {"prompt_tokens": 1}}).encode()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                reply = model._reply(body)
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(reply)))
                self.end_headers()
                self.wfile.write(reply)

            def log_message(self, *_: object) -> None:
                pass

        return Handler

    def serve(self) -> None:
        """Answer until `close`."""
        self._server.serve_forever(poll_interval=0.02)

    def close(self) -> None:
        """Stop answering."""
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def answering_model(answer: Callable[[Json], str]) -> Iterator[AnsweringModel]:
    """A model that answers while the block runs."""
    model = AnsweringModel(answer)
    thread = threading.Thread(target=model.serve, daemon=True)
    thread.start()
    try:
        yield model
    finally:
        model.close()
        thread.join()


def data_of(body: Json) -> Json:
    """What a request says, out of its delimiters."""
    content = body["messages"][1]["content"]
    inside = content.removeprefix("<data>\n").removesuffix("\n</data>")
    data: Json = json.loads(inside)
    return data


def first_sentence(data: Json) -> str:
    """A faithful reply: the first sentence of each message is an attribute of its speaker."""
    proposals = [
        {
            "action": "form",
            "statement_kind": "attribute",
            "supports": [{"evidence_id": one["id"], "sentence_id": "t0"}],
        }
        for one in data["evidence"]
    ]
    return json.dumps({"result": "items", "items": proposals})
