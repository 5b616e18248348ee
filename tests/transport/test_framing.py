"""Framing: whatever way the bytes are cut, the same frames come out, and nonsense ends at once."""

from __future__ import annotations

import tracemalloc
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemod.config import FRAME_BYTES_MAX
from mnemod.errors import FrameTooLong, ParseError
from mnemod.transport.framing import Framer

A, B, C = b'{"id":1}', b'{"id":2}', b'[{"id":3}]'


def framed(body: bytes, header: bytes = b"Content-Length: %d\r\n\r\n") -> bytes:
    return header % len(body) + body


def read(data: bytes, *cuts: int) -> tuple[list[bytes], Framer]:
    """What a framer makes of `data` when it arrives cut at `cuts` and then ends."""
    framer = Framer()
    edges = [0, *sorted(cuts), len(data)]
    parts = [data[start:stop] for start, stop in pairwise(edges)]
    frames = [frame for part in parts for frame in framer.feed(part)]
    return frames + framer.end(), framer


GOOD = {
    "lf": A + b"\n" + B + b"\n" + C + b"\n",
    "crlf": A + b"\r\n" + B + b"\r\n" + C + b"\r\n",
    "mixed": A + b"\r\n" + B + b"\n" + C + b"\r\n",
    "blank lines": b"\n \t\r\n" + A + b"\n\n\r\n  \n" + B + b"\n" + C + b"\n",
    "no last newline": A + b"\n" + B + b"\n" + C,
    "headers": framed(A) + framed(B) + framed(C),
    "lower case": b"".join(framed(x, b"content-length: %d\r\n\r\n") for x in (A, B, C)),
    "type first": b"".join(
        framed(
            x,
            b"Content-Type: application/vscode-jsonrpc; charset=utf8\r\nCONTENT-LENGTH:%d\r\n\r\n",
        )
        for x in (A, B, C)
    ),
    "bare lf headers": b"".join(framed(x, b"Content-Length: %d\n\n") for x in (A, B, C)),
    "blank lines before headers": b"\r\n\n" + framed(A) + b"\r\n" + framed(B) + framed(C),
}


@pytest.mark.parametrize("data", GOOD.values(), ids=GOOD.keys())
@given(st.lists(st.integers(0, 400), max_size=12))
def test_the_same_frames_come_out_wherever_the_bytes_are_cut(data: bytes, cuts: list[int]) -> None:
    frames, framer = read(data, *(min(cut, len(data)) for cut in cuts))

    assert frames == [A, B, C]
    assert framer.fatal is None


@pytest.mark.parametrize("data", GOOD.values(), ids=GOOD.keys())
def test_bytes_one_at_a_time_are_enough(data: bytes) -> None:
    frames, framer = read(data, *range(len(data)))

    assert (frames, framer.fatal) == ([A, B, C], None)


@given(
    st.lists(st.binary(max_size=300), min_size=1, max_size=6),
    st.lists(st.integers(0, 2_000), max_size=12),
)
def test_headers_carry_any_bytes(bodies: list[bytes], cuts: list[int]) -> None:
    data = b"".join(framed(body) for body in bodies)

    frames, framer = read(data, *(min(cut, len(data)) for cut in cuts))

    assert (frames, framer.fatal) == (bodies, None)


@given(st.lists(st.text(st.characters(exclude_characters="\n"), max_size=50), max_size=8))
def test_a_line_ends_at_line_feed_and_at_nothing_else(texts: list[str]) -> None:
    lines = [b'"%b"' % text.encode("utf-8", "replace") for text in texts]

    frames, _ = read(b"\n".join([A, *lines]))

    assert frames == [A, *lines]


@pytest.mark.parametrize("opening", [A + b"\n", framed(A)], ids=["lines", "headers"])
@given(body=st.binary(max_size=300).filter(lambda body: b"\n" not in body and body.strip() == body))
def test_an_answer_is_framed_as_the_question_was(opening: bytes, body: bytes) -> None:
    client, daemon = Framer(), Framer()
    client.feed(opening)
    daemon.feed(opening)

    frames = client.feed(daemon.encode(body))

    assert frames == ([body] if body or opening.startswith(b"C") else [])


@pytest.mark.parametrize(
    "first",
    [
        b"\xef\xbb\xbf" + A,
        b"GET / HTTP/1.1\r\n",
        b"POST",
        b"7",
        b'"x"\n',
        b"null\n",
        b"\x00\x01",
        b"\xff",
    ],
)
def test_a_first_byte_that_begins_no_message_is_fatal_at_once(first: bytes) -> None:
    framer = Framer()

    assert framer.feed(b"\n  " + first[:1]) == []
    assert isinstance(framer.fatal, ParseError)
    assert framer.feed(A + b"\n") == []
    assert framer.encode(B) == B + b"\n"


def test_a_byte_order_mark_counts_only_at_the_very_beginning() -> None:
    frames, framer = read(A + b"\n\xef\xbb\xbf" + B + b"\n" + C + b"\n")

    assert frames == [A, b"\xef\xbb\xbf" + B, C]  # the second is bad JSON, not bad framing
    assert framer.fatal is None


def test_a_line_may_be_as_long_as_a_frame_and_not_one_byte_longer() -> None:
    longest = b"[" + b" " * 98 + b"]"
    framer = Framer(frame_bytes_max=100)

    assert framer.feed(longest + b"\n" + A + b"\n" + longest + b" \n" + B) == [longest, A]
    assert isinstance(framer.fatal, FrameTooLong)
    assert framer.fatal.details == {"limit": "frame_bytes", "max": 100}
    assert framer.end() == []


def test_a_line_without_an_end_is_given_up_when_it_passes_the_limit() -> None:
    framer = Framer(frame_bytes_max=100)

    assert framer.feed(b"[" + b"1" * 99) == []
    assert framer.fatal is None
    assert framer.feed(b"1") == []
    assert isinstance(framer.fatal, FrameTooLong)


@pytest.mark.parametrize("ending", [b"\n", b"\r\n"])
@pytest.mark.parametrize("headed", [False, True], ids=["lines", "headers"])
def test_a_frame_of_the_longest_kind_takes_little_more_than_twice_its_size(
    headed: bool, ending: bytes
) -> None:
    chunk = b"1" * 32_768
    framer = Framer()
    framer.feed(b"Content-Length: %d\r\n\r\n[" % FRAME_BYTES_MAX if headed else b"[")
    chunks = FRAME_BYTES_MAX // len(chunk) - 1
    tracemalloc.start()
    _ = [framer.feed(chunk) for _ in range(chunks)]
    frames = framer.feed(chunk[:-3] + (b"]  " if headed else b"]" + ending))
    _, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak_bytes < 2.2 * FRAME_BYTES_MAX
    assert framer.fatal is None
    assert [len(frame) > FRAME_BYTES_MAX - 4 for frame in frames] == [True]


def test_a_body_that_is_announced_too_long_is_refused_before_any_of_it_came() -> None:
    framer = Framer(frame_bytes_max=100)

    assert framer.feed(b"Content-Length: 100\r\n\r\n" + b"1" * 100) == [b"1" * 100]
    assert framer.feed(b"Content-Length: 101\r\n\r\n") == []
    assert isinstance(framer.fatal, FrameTooLong)


@pytest.mark.parametrize(
    "header",
    [
        b"Content-Length: -1\r\n\r\n",
        b"Content-Length: 1e2\r\n\r\n",
        b"Content-Length: \xc2\xb2\r\n\r\n",
        b"Content-Length:\r\n\r\n",
        b"Content-Length: 8\r\nContent-Length: 8\r\n\r\n",
        b"Content-Type: text/plain\r\n\r\n",
        b"CONNECT example.org:443 HTTP/1.1\r\n\r\n",
        b"Content-Length: 8\r\nnot a field\r\n\r\n",
        b"C" * 4097,
    ],
)
def test_a_header_that_does_not_say_one_length_is_fatal(header: bytes) -> None:
    frames, framer = read(framed(A) + header + B)

    assert frames == [A]
    assert isinstance(framer.fatal, ParseError)


def test_a_header_may_be_as_long_as_the_limit() -> None:
    padding = 100 - len(b"Content-Length: 8\r\nC-: \r\n\r\n")
    header = b"Content-Length: 8\r\nC-: %b\r\n\r\n" % (b"x" * padding)
    framer = Framer(header_bytes_max=100)

    assert framer.feed(header + A + header.replace(b"C-", b"C--") + B) == [A]
    assert isinstance(framer.fatal, ParseError)


@pytest.mark.parametrize("cut_off", [b"Conten", b"Content-Length: 9\r\n\r\n", framed(A)[:-1]])
def test_an_end_inside_a_headed_message_is_no_clean_goodbye(cut_off: bytes) -> None:
    frames, framer = read(framed(A) + cut_off)

    assert frames == [A]
    assert isinstance(framer.fatal, ParseError)


@pytest.mark.parametrize(
    "data", [b"", b"\n\n", A + b"\n", A + b"\n \r\n", framed(A), framed(A) + b"\r\n"]
)
def test_an_end_between_messages_is_clean(data: bytes) -> None:
    _, framer = read(data)

    assert framer.fatal is None
