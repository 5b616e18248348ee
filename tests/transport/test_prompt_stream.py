"""Real descriptors: what was written arrives whole, however slowly it is read."""

from __future__ import annotations

import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from mnemod.transport.prompt_stream import PromptStream

BIG = b"0123456789abcdef" * 100_000


@asynccontextmanager
async def joined() -> AsyncIterator[tuple[PromptStream, trio.SocketStream]]:
    """A prompt stream and a plain one at the other end of a socket pair."""
    here, there = (
        trio.SocketStream(trio.socket.from_stdlib_socket(end)) for end in socket.socketpair()
    )
    stream = PromptStream.over(here)
    async with there:
        yield stream, there
        await stream.aclose()


async def test_bytes_go_both_ways() -> None:
    async with joined() as (stream, other):
        await other.send_all(b"question")
        heard = await stream.receive_some()
        taken = stream.send_now(b"answer")

        assert (heard, taken) == (b"question", 6)
        assert await other.receive_some() == b"answer"


async def test_receive_some_takes_no_more_than_it_is_told() -> None:
    async with joined() as (stream, other):
        await other.send_all(b"abc")

        assert [await stream.receive_some(2), await stream.receive_some(2)] == [b"ab", b"c"]


async def test_the_end_of_input_is_no_bytes() -> None:
    async with joined() as (stream, other):
        await other.send_eof()

        assert await stream.receive_some() == b""


async def test_send_now_takes_what_fits_and_then_nothing_and_never_waits() -> None:
    async with joined() as (stream, _):
        taken = stream.send_now(BIG)

        assert 0 < taken < len(BIG)
        assert stream.send_now(BIG) < len(BIG)
        assert stream.send_now(b"x") == 0


async def test_send_all_goes_on_when_the_reader_does() -> None:
    async with joined() as (stream, other):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(stream.send_all, BIG)
            await wait_all_tasks_blocked()
            heard = b""
            while len(heard) < len(BIG):
                heard += await other.receive_some(10_000)

    assert heard == BIG


async def test_writing_to_nobody_is_broken() -> None:
    async with joined() as (stream, other):
        await other.aclose()

        with pytest.raises(trio.BrokenResourceError):
            stream.send_now(b"x")
        with pytest.raises(trio.BrokenResourceError):
            await stream.send_all(b"x")


async def test_a_reader_that_waits_is_told_when_the_stream_is_closed() -> None:
    async with joined() as (stream, _):
        async with trio.open_nursery() as nursery:

            async def reads() -> None:
                with pytest.raises(trio.ClosedResourceError):
                    await stream.receive_some()

            nursery.start_soon(reads)
            await wait_all_tasks_blocked()
            await stream.aclose()
        with pytest.raises(trio.ClosedResourceError):
            await stream.receive_some()


async def test_pipes_work_as_sockets_do() -> None:
    (read_end, far_write), (far_read, write_end) = os.pipe(), os.pipe()
    os.set_blocking(read_end, False)
    os.set_blocking(write_end, False)

    async def close() -> None:
        os.close(read_end)
        os.close(write_end)

    stream = PromptStream(read_end, write_end, close)
    os.write(far_write, b"question")
    heard = await stream.receive_some()
    await stream.send_all(b"answer")

    assert (heard, os.read(far_read, 10)) == (b"question", b"answer")
    await stream.aclose()
    os.close(far_write)
    os.close(far_read)
