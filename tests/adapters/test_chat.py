"""Asking a model over HTTP: what goes out, what may come back, and every way it goes wrong."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from mnemod.adapters.chat import Answer, Away, ChatEndpoint, Useless, why_unusable
from mnemod.adapters.http_post import Address, HttpAnswer, NoAnswer, address, post
from mnemod.config import ChatConfig, Tier
from tests.support.stub_model import Hang, Http, Raw, Scripted, StubModel, say

HELLO = [{"role": "user", "content": "hello"}]
NOON_S = 1_900_000_000.0


def endpoint(stub: StubModel, **environ: str) -> ChatEndpoint:
    config = ChatConfig(stub.base_url, "m1", "STUB_KEY" if environ else "", timeout_s=20.0)
    return ChatEndpoint(config, environ=environ, wall_clock=lambda: NOON_S)


async def answer_to(*scripted: Scripted) -> Answer | Away | Useless:
    async with StubModel(*scripted) as stub:
        return await endpoint(stub).ask(HELLO)


async def test_the_question_is_a_chat_completion() -> None:
    async with StubModel(say("{}")) as stub:
        answer = await endpoint(stub, STUB_KEY="sk-1").ask(HELLO)

    assert answer == Answer("{}", "stop", 7, 3)
    (asked,) = stub.asked
    assert (asked.method, asked.target) == ("POST", "/v1/chat/completions")
    assert asked.headers["authorization"] == "Bearer sk-1"
    assert asked.body == {
        "model": "m1",
        "messages": HELLO,
        "temperature": 0,
        "response_format": {"type": "json_object"},
        "stream": False,
    }


async def test_no_key_is_sent_where_none_is_named() -> None:
    async with StubModel(say("{}")) as stub:
        await endpoint(stub).ask(HELLO)

    assert "authorization" not in stub.asked[0].headers


async def test_a_named_key_that_is_not_there_costs_no_call() -> None:
    async with StubModel(say("{}")) as stub:
        answer = await endpoint(stub, OTHER="x").ask(HELLO)

    assert answer == Away("api_key_missing")
    assert stub.asked == []


@pytest.mark.parametrize("key", ["one\ntwo", "schl\u00fcssel", "\x00"])
async def test_a_key_that_no_header_can_hold_costs_no_call_and_no_job(key: str) -> None:
    async with StubModel(say("{}")) as stub:
        answer = await endpoint(stub, STUB_KEY=key).ask(HELLO)

    assert answer == Away("api_key_invalid")
    assert stub.asked == []


async def test_the_key_is_read_at_each_call_and_not_kept() -> None:
    environ = {"STUB_KEY": "one"}
    async with StubModel(say("{}")) as stub:
        asking = ChatEndpoint(ChatConfig(stub.base_url, "m1", "STUB_KEY"), environ=environ)
        await asking.ask(HELLO)
        environ["STUB_KEY"] = "two"
        await asking.ask(HELLO)

    assert [asked.headers["authorization"] for asked in stub.asked] == [
        "Bearer one",
        "Bearer two",
    ]
    assert "two" not in repr(vars(asking)["_config"])


async def test_an_answer_in_chunks_is_read_whole() -> None:
    whole = say("{}")
    assert await answer_to(Http(body=whole.body, chunked=True)) == Answer("{}", "stop", 7, 3)


async def test_an_answer_cut_off_by_the_model_says_so() -> None:
    assert await answer_to(say('{"a', "length")) == Answer('{"a', "length", 7, 3)
    assert await answer_to(say(None, "length")) == Answer("", "length", 7, 3)


@pytest.mark.parametrize(
    "scripted",
    [
        Http(body=b'{"choices": []}'),
        say(None),
        say([{"type": "text", "text": "{}"}]),
        say("{}", finish_reason=7),  # type: ignore[arg-type]
        Http(body=b"<html>busy</html>", headers={"Content-Type": "text/html"}),
        Http(body=b""),
        Http(body=b"[]"),
        Http(body=b'{"choices": [7]}'),
        Http(body=b'{"choices": [{"message": null}]}'),
        Http(body=b'{"error": {"message": "no"}}'),
    ],
)
async def test_an_answer_without_an_answer_in_it_is_useless(scripted: Scripted) -> None:
    # B071
    assert await answer_to(scripted) == Useless("invalid_provider_response")


async def test_an_empty_text_is_an_answer_that_the_compiler_judges() -> None:
    assert await answer_to(say("")) == Answer("", "stop", 7, 3)


@pytest.mark.parametrize("status", [401, 402, 403, 404, 408, 429, 500, 502, 503, 529])
async def test_a_provider_that_is_away_or_locked_is_waited_for(status: int) -> None:
    # B007, B070
    assert await answer_to(Http(status)) == Away(f"http_{status}")


@pytest.mark.parametrize("status", [301, 302, 307, 400, 413, 422])
async def test_a_refusal_of_this_very_question_is_useless(status: int) -> None:
    moved = {"Location": "http://203.0.113.1/elsewhere"}
    assert await answer_to(Http(status, headers=moved)) == Useless(f"http_{status}")


@pytest.mark.parametrize(
    ("told", "seconds"),
    [
        ("2", 2.0),
        ("0", 0.0),
        ("Sun, 17 Mar 2030 17:47:10 GMT", 30.0),
        ("soon", None),
        ("-5", None),
        ("Mon, 01 Jan 99999999999999999999 00:00:00 GMT", None),
    ],
)
async def test_retry_after_is_a_number_or_a_date(told: str, seconds: float | None) -> None:
    # B076
    answer = await answer_to(Http(429, headers={"Retry-After": told}))
    assert answer == Away("http_429", seconds)


async def test_nobody_there_is_an_outage() -> None:
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    port = listener.socket.getsockname()[1]
    await listener.aclose()
    asking = ChatEndpoint(ChatConfig(f"http://127.0.0.1:{port}", "m1"))

    assert await asking.ask(HELLO) == Away("connection_refused")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", Away("connection_lost")),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{", Away("connection_lost")),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{", Away("connection_lost")),
        (b"SSH-2.0-OpenSSH_9.6\r\n\r\n", Useless("invalid_http")),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", Useless("invalid_http")),
    ],
)
async def test_a_broken_answer_is_an_outage_or_useless(
    data: bytes, expected: Away | Useless
) -> None:
    assert await answer_to(Raw(data)) == expected


async def test_an_interim_answer_is_passed_over() -> None:
    body = say("{}").body
    head = f"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n"
    assert await answer_to(Raw(head.encode() + body)) == Answer("{}", "stop", 7, 3)


async def test_a_body_without_end_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mnemod.adapters.http_post.BODY_BYTES_MAX", 1_000)
    assert await answer_to(Http(body=b"x" * 1_001)) == Useless("provider_reply_too_large")


async def test_silence_past_the_deadline_is_a_timeout(autojump_clock: MockClock) -> None:
    started = trio.current_time()
    assert await answer_to(Hang()) == Away("timeout")
    assert trio.current_time() - started == pytest.approx(20.0)


async def test_cancelling_a_call_closes_its_connection() -> None:
    async with StubModel(Hang()) as stub:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(endpoint(stub).ask, HELLO)
            await stub.was_asked.wait()
            assert not stub.gone_away.is_set()
            nursery.cancel_scope.cancel()
        with trio.fail_after(5):
            await stub.gone_away.wait()


async def test_proxies_of_the_environment_are_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    # B145
    monkeypatch.setenv("http_proxy", "http://203.0.113.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://203.0.113.1:9")
    assert await answer_to(say("{}")) == Answer("{}", "stop", 7, 3)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://127.0.0.1:8080/v1", Address("127.0.0.1", 8080, "/v1", False)),
        ("https://api.example.com/v1/", Address("api.example.com", 443, "/v1/", True)),
        ("http://[::1]:11434", Address("::1", 11434, "/", False)),
        ("ftp://127.0.0.1", None),
        ("127.0.0.1:8080", None),
        ("http://", None),
        ("http://user:pass@127.0.0.1", None),
        ("http://127.0.0.1/?key=1", None),
        ("http://127.0.0.1:99999", None),
        ("http://127.0.0.1/v1 beta", None),
        ("http://127.0.0.1/v\u00fc", None),
        ("http://b\u00fccher.example/v1", None),
        ("http://127.0.0.1/\x01", None),
        ("", None),
    ],
)
def test_an_address_is_a_plain_url(url: str, expected: Address | None) -> None:
    assert address(url) == expected


@pytest.mark.parametrize(
    ("url", "tier", "reason"),
    [
        ("", Tier.CLOUD, "chat_not_configured"),
        ("ws://localhost", Tier.LOCAL, "chat_base_url_invalid"),
        ("http://api.example.com/v1", Tier.CLOUD, "chat_plain_http_refused"),
        ("http://192.0.2.7:8080/v1", Tier.LOCAL, "chat_plain_http_refused"),
        ("https://api.example.com/v1", Tier.LOCAL, "chat_local_not_loopback"),
        ("https://api.example.com/v1", Tier.CLOUD, None),
        ("http://localhost:11434/v1", Tier.LOCAL, None),
        ("http://127.0.0.2:8080/v1", Tier.LOCAL, None),
        ("http://[::1]:8080/v1", Tier.CLOUD, None),
    ],
)
def test_words_go_in_the_clear_to_this_machine_alone(
    url: str, tier: Tier, reason: str | None
) -> None:
    assert why_unusable(ChatConfig(url, "m1", tier=tier)) == reason


async def test_a_certificate_nobody_vouches_for_ends_the_call(tls: ssl.SSLContext) -> None:
    async with https(tls) as port:
        answer = await post(Address("localhost", port, "/", True), {}, b"{}", 5.0)

    assert answer == NoAnswer("tls_failed")


async def test_a_call_over_tls_to_a_trusted_host_is_answered(tls: ssl.SSLContext) -> None:
    trusting = ssl.create_default_context(cafile=str(CERTIFICATE))
    async with https(tls) as port:
        answer = await post(Address("localhost", port, "/", True), {}, b"{}", 5.0, trusting)

    assert isinstance(answer, HttpAnswer)
    assert (answer.status, answer.body) == (200, b"{}")


CERTIFICATE = Path(__file__).with_name("localhost.pem")


@pytest.fixture
def tls() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    return context


@asynccontextmanager
async def https(tls: ssl.SSLContext) -> AsyncIterator[int]:
    """A server that answers every connection that gets through its handshake."""

    async def serve(stream: trio.SSLStream) -> None:
        try:
            await stream.receive_some()
            await stream.send_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
        except (trio.BrokenResourceError, ssl.SSLError):
            pass  # the client did not like the certificate

    async with trio.open_nursery() as nursery:
        (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
        secure = trio.SSLListener(listener, tls, https_compatible=True)
        nursery.start_soon(trio.serve_listeners, serve, [secure])
        yield listener.socket.getsockname()[1]
        nursery.cancel_scope.cancel()
