"""One HTTP/1.1 POST over trio: TLS or loopback, deadlines, nothing else.

No proxy from the environment, no redirect followed, no connection kept. What goes wrong comes back
as a code; no text of the other side leaves this module except the body that was asked for.
"""

from __future__ import annotations

import ipaddress
import ssl
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

import h11
import trio
from msgspec import Struct

CONNECT_S: Final = 10.0
BODY_BYTES_MAX: Final = 4 * 1024 * 1024
TOTAL_TIMES: Final = 4
"""A call ends after this many times its inactivity deadline, however the other side drips."""
_CHUNK_BYTES: Final = 64 * 1024
_PORTS: Final = {"http": 80, "https": 443}


class Address(Struct, frozen=True):
    """Where to post. `path` begins with a slash."""

    host: str
    port: int
    path: str
    secure: bool

    @property
    def is_loopback(self) -> bool:
        """Whether it is this machine."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False


class HttpAnswer(Struct, frozen=True):
    """What came back. Header names are lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class NoAnswer(Struct, frozen=True):
    """Why nothing came back, as a stable code; `gone` if the other side may be there later."""

    code: str
    gone: bool = True


def address(url: str) -> Address | None:
    """The parts of an http or https URL, None if it is not one that can be asked for as it is."""
    if not (url.isascii() and url.isprintable()) or " " in url:
        return None
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in _PORTS or not parts.hostname or parts.username or parts.query:
        return None
    port = _PORTS[parts.scheme] if port is None else port
    return Address(parts.hostname, port, parts.path or "/", parts.scheme == "https")


async def post(
    to: Address,
    headers: Mapping[str, str],
    body: bytes,
    timeout_s: float,
    tls: ssl.SSLContext | None = None,
) -> HttpAnswer | NoAnswer:
    """Send `body` and read the whole answer. `timeout_s` bounds each silence of the other side."""
    try:
        with trio.fail_after(CONNECT_S + TOTAL_TIMES * timeout_s):
            async with await _connected(to) as plain:
                stream = await _secured(plain, to, tls) if to.secure else plain
                return await _exchange(stream, _request(to, headers, body), body, timeout_s)
    except trio.TooSlowError:
        return NoAnswer("timeout")
    except (trio.BrokenResourceError, ssl.SSLError):
        return NoAnswer("tls_failed" if to.secure else "connection_lost")
    except OSError:
        return NoAnswer("connection_refused")


async def _connected(to: Address) -> trio.SocketStream:
    with trio.fail_after(CONNECT_S):
        return await trio.open_tcp_stream(to.host, to.port)


async def _secured(
    plain: trio.SocketStream, to: Address, tls: ssl.SSLContext | None
) -> trio.abc.Stream:
    context = tls or ssl.create_default_context()
    stream = trio.SSLStream(plain, context, server_hostname=to.host, https_compatible=True)
    with trio.fail_after(CONNECT_S):
        await stream.do_handshake()
    return stream


def _request(to: Address, headers: Mapping[str, str], body: bytes) -> h11.Request:
    host = f"[{to.host}]" if ":" in to.host else to.host
    sent = {
        "Host": f"{host}:{to.port}",
        "Accept": "application/json",
        "Accept-Encoding": "identity",
        "Connection": "close",
        "Content-Length": str(len(body)),
        "Content-Type": "application/json",
        **headers,
    }
    return h11.Request(method="POST", target=to.path, headers=list(sent.items()))


async def _exchange(
    stream: trio.abc.Stream, request: h11.Request, body: bytes, timeout_s: float
) -> HttpAnswer | NoAnswer:
    talk = h11.Connection(h11.CLIENT)
    parts = (request, h11.Data(data=body), h11.EndOfMessage())
    with trio.fail_after(timeout_s):
        await stream.send_all(b"".join(talk.send(part) or b"" for part in parts))
    answer: h11.Response | None = None
    chunks = bytearray()
    while True:
        event = await _next_event(talk, stream, timeout_s)
        match event:
            case NoAnswer():
                return event
            case h11.Response():
                answer = event
            case h11.Data():
                chunks += event.data
                if len(chunks) > BODY_BYTES_MAX:
                    return NoAnswer("provider_reply_too_large", gone=False)
            case h11.EndOfMessage() if answer is not None:
                headers = {name.decode(): value.decode("latin-1") for name, value in answer.headers}
                return HttpAnswer(answer.status_code, headers, bytes(chunks))
            case h11.ConnectionClosed():
                return NoAnswer("connection_lost")


async def _next_event(talk: h11.Connection, stream: trio.abc.Stream, timeout_s: float) -> object:
    ended = False
    try:
        while (event := talk.next_event()) is h11.NEED_DATA:
            with trio.fail_after(timeout_s):
                data = await stream.receive_some(_CHUNK_BYTES)
            ended = not data
            talk.receive_data(bytes(data))
    except h11.RemoteProtocolError:
        return NoAnswer("connection_lost") if ended else NoAnswer("invalid_http", gone=False)
    return event
