"""One connection from its first byte to its last.

    reader   takes frames in order; answers what needs no work itself, starts or queues the rest
    workers  run the calls, each in a cancel scope of its own
    writer   writes what is answered

The reader never waits for a call, so a `$/cancelRequest` is always read; the exception is
`initialize`, because what comes after depends on it. The end comes in order: stop reading, finish
the calls in flight or cut them off, answer them, flush, let the account go.
"""

from __future__ import annotations

from typing import Generic

import trio

from mnemod.config import BAD_LINES_MAX, DRAIN_EOF_S, FLUSH_WITHIN_S
from mnemod.errors import Cancelled, NotInitialized, ParseError, ShuttingDown
from mnemod.rpc.calls import AccountT
from mnemod.rpc.connection import Connection
from mnemod.rpc.ending import Ending
from mnemod.rpc.ports import ByteStream, Framing, SessionServices
from mnemod.rpc.reception import Reception
from mnemod.rpc.refusals import refusal_for
from mnemod.rpc.wire import Refused, encode_error, parse


async def serve_connection(
    stream: ByteStream, framing: Framing, services: SessionServices[AccountT]
) -> Ending:
    """Serve `stream` until it ends, and close it. Raises nothing but trio.Cancelled."""
    session = Session(stream, framing, services)
    try:
        return await session.run()
    except Exception as fault:  # noqa: BLE001  a connection's fault ends that connection only
        refusal_for(fault, "(connection)", services.mint)
        return Ending.FAILED
    finally:
        session.release()
        with trio.move_on_after(FLUSH_WITHIN_S, shield=True):
            await stream.aclose()


class Session(Generic[AccountT]):
    """The life of one connection."""

    def __init__(
        self, stream: ByteStream, framing: Framing, services: SessionServices[AccountT]
    ) -> None:
        self._services = services
        self._connection = Connection(stream, framing)
        self._reception = Reception(self._connection, services, self._end)
        self._everything = trio.CancelScope()
        self._reading = trio.CancelScope()
        self._ending: Ending | None = None
        self._bad_lines = 0

    async def run(self) -> Ending:
        """Serve until something ends it."""
        with self._everything:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._write)
                nursery.start_soon(self._obey_drain)
                nursery.start_soon(self._expect_initialize)
                async with trio.open_nursery() as calls:
                    try:
                        await self._read(calls)
                        await self._finish_calls()
                    finally:
                        calls.cancel_scope.cancel()
                        await self._reception.see_out()
                await self._connection.flush()
                nursery.cancel_scope.cancel()
        return self._ending or Ending.EOF

    def release(self) -> None:
        """Let the account go. No call runs any more."""
        self._reception.session.release()

    def _end(self, ending: Ending) -> None:
        """Read no further. The first reason counts."""
        self._ending = self._ending or ending
        self._reading.cancel()

    def _break(self) -> None:
        """Nobody is there to answer to, whatever the end was to be: cancel the calls too."""
        self._ending = Ending.BROKEN
        self._everything.cancel()

    async def _read(self, calls: trio.Nursery) -> None:
        try:
            with self._reading:
                while not self._ending:
                    frames = await self._connection.receive()
                    self._connection.gathers = len(frames) > 1
                    for frame in frames:
                        await self._take(frame, calls)
                    self._connection.gathers = False
                    await self._look_for_the_end()
        except trio.BrokenResourceError:
            self._break()

    async def _take(self, frame: bytes, calls: trio.Nursery) -> None:
        if self._ending:
            return
        message = parse(frame)
        if not (isinstance(message, Refused) and isinstance(message.error, ParseError)):
            self._bad_lines = 0
            await self._reception.take(message, len(frame), calls)
            return
        await self._connection.send(encode_error(None, message.error))
        self._bad_lines += 1
        if self._bad_lines == BAD_LINES_MAX:
            self._end(Ending.REFUSED)

    async def _look_for_the_end(self) -> None:
        if self._connection.fatal:
            await self._connection.send(encode_error(None, self._connection.fatal))
            self._end(Ending.REFUSED)
        elif self._connection.at_end:
            self._end(Ending.SHUTDOWN if self._reception.session.leaving else Ending.EOF)

    async def _write(self) -> None:
        try:
            await self._connection.write()
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            self._break()

    async def _obey_drain(self) -> None:
        await self._services.drain.wait()
        with trio.CancelScope(deadline=self._services.drain.deadline):
            await self._reception.idle()
        self._end(Ending.DRAINED)

    async def _expect_initialize(self) -> None:
        if self._services.initialize_within_s is None:
            return
        await trio.sleep(self._services.initialize_within_s)
        await self._reception.idle()  # it may be opening an account just now
        if self._reception.session.binding is None:
            await self._connection.send(encode_error(None, NotInitialized()))
            self._end(Ending.REFUSED)

    async def _finish_calls(self) -> None:
        drain = self._services.drain
        deadline = min(trio.current_time() + DRAIN_EOF_S, drain.deadline)
        with trio.CancelScope(deadline=deadline):
            await self._reception.idle()
        with trio.move_on_after(FLUSH_WITHIN_S):
            await self._reception.cut_off(ShuttingDown() if drain.started else Cancelled())
            await self._reception.idle()
        with trio.move_on_after(FLUSH_WITHIN_S):
            await self._reception.session.say_goodbye()
