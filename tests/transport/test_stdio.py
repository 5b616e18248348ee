"""The byte stream over private descriptors, whatever they are."""

from __future__ import annotations

import os
import socket
import threading
from pathlib import Path

import pytest
import trio

from mnemod.transport.diversion import Stdio
from mnemod.transport.host_spotter import HostSpotter
from mnemod.transport.plain_io import read_some, write_all
from mnemod.transport.stdio import StdioStream
from tests.support.rpc import request


async def test_pipes_carry_bytes_both_ways_and_end() -> None:
    stdin, host_out = os.pipe()
    host_in, stdout = os.pipe()
    stream = StdioStream(Stdio(stdin, stdout))
    os.write(host_out, b"asked")
    os.close(host_out)

    assert await stream.receive_some(100) == b"asked"
    assert await stream.receive_some(100) == b""
    await stream.send_all(b"told")
    assert os.read(host_in, 100) == b"told"
    await stream.aclose()
    os.close(host_in)


async def test_regular_files_carry_bytes_both_ways_and_end(tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(b"asked")
    stdin = os.open(tmp_path / "in", os.O_RDONLY)
    stdout = os.open(tmp_path / "out", os.O_WRONLY | os.O_CREAT)
    stream = StdioStream(Stdio(stdin, stdout))

    assert await stream.receive_some(100) == b"asked"
    assert await stream.receive_some(100) == b""
    await stream.send_all(b"told")
    await stream.aclose()
    assert (tmp_path / "out").read_bytes() == b"told"


async def test_a_pipe_is_given_back_as_blocking_as_it_came() -> None:
    stdin, host_out = os.pipe()
    shared = os.dup(stdin)
    stream = StdioStream(Stdio(stdin, os.open(os.devnull, os.O_WRONLY)))
    assert not os.get_blocking(shared)

    await stream.aclose()

    assert os.get_blocking(shared)
    os.close(shared)
    os.close(host_out)


async def test_a_host_that_stopped_reading_breaks_the_stream(tmp_path: Path) -> None:
    host_in, stdout = os.pipe()
    os.close(host_in)
    stream = StdioStream(Stdio(os.open(os.devnull, os.O_RDONLY), stdout))

    with pytest.raises(trio.BrokenResourceError):
        await stream.send_all(b"told")
    await stream.aclose()


async def test_an_ended_input_ends_a_read_that_waits_and_every_later_one() -> None:
    stdin, host_out = os.pipe()
    stream = StdioStream(Stdio(stdin, os.open(os.devnull, os.O_WRONLY)))
    async with trio.open_nursery() as nursery:

        async def end() -> None:
            await trio.testing.wait_all_tasks_blocked()
            stream.end_input()

        nursery.start_soon(end)
        assert await stream.receive_some(100) == b""
    os.write(host_out, b"late")
    assert await stream.receive_some(100) == b""
    await stream.aclose()
    os.close(host_out)


def test_descriptors_somebody_made_non_blocking_are_waited_for() -> None:
    sent = b"y" * 1_000_000
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setblocking(False)
        theirs.setblocking(False)
        writer = threading.Thread(target=write_all, args=(ours.fileno(), sent))
        writer.start()
        writer_ended = threading.Thread(target=lambda: (writer.join(), ours.close()))
        writer_ended.start()
        received = b"".join(iter(lambda: read_some(theirs.fileno()), b""))
        writer_ended.join(10)

    assert received == sent


def test_the_hosts_process_is_spotted_once_and_only_if_it_is_an_ancestor() -> None:
    found: list[int] = []
    spotter = HostSpotter(found.append)
    asked = request(1, "initialize", process_id=os.getppid())

    assert spotter.feed(asked + asked) == [asked.strip(), asked.strip()]
    assert found == [os.getppid()]


def test_only_the_first_initialize_is_listened_to() -> None:
    found: list[int] = []
    spotter = HostSpotter(found.append)
    spotter.feed(request(1, "initialize") + request(2, "initialize", process_id=os.getppid()))

    assert found == []


def test_a_strangers_process_is_not_watched() -> None:
    found: list[int] = []
    HostSpotter(found.append).feed(request(1, "initialize", process_id=os.getpid()))

    assert found == []
