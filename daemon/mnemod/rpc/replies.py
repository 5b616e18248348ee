"""The way of every answer: alone to the wire, or into the batch its request came in."""

from __future__ import annotations

from collections.abc import Mapping

from mnemod.errors import MnemodError
from mnemod.ids import Mint
from mnemod.rpc.batch import Batch
from mnemod.rpc.connection import Connection
from mnemod.rpc.in_flight import Pending
from mnemod.rpc.refusals import refusal_for
from mnemod.rpc.wire import RequestId, encode_error, encode_response, result_object


class Replies:
    """Answers calls of one connection. Waits for room to write, and for nothing else."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def settle(
        self, batch: Batch | None, frame: bytes | None, request_id: RequestId | None = None
    ) -> None:
        """Send a frame, or gather it into `batch`; None where there is nothing to answer."""
        if batch is not None:
            frame = batch.settle(request_id, frame)
        if frame is not None:
            await self._connection.send(frame)

    def answer_now(self, call: Pending, frame: bytes | None) -> bool:
        """Answer a call that came alone, if there is room now; say whether there was."""
        return call.batch is None and (frame is None or self._connection.offer(frame))

    async def answer(self, call: Pending, frame: bytes | None) -> None:
        """Answer a call with a frame that is ready; None for a notification."""
        await self.settle(call.batch, frame, call.request.request_id)

    async def result(self, call: Pending, result: Mapping[str, object]) -> None:
        """Answer a request that went well."""
        await self.answer(call, result_frame(call, result))

    async def refuse(self, call: Pending, refusal: MnemodError) -> None:
        """Answer with an error."""
        await self.answer(call, refusal_frame(call, refusal))


def result_frame(call: Pending, result: Mapping[str, object]) -> bytes | None:
    """The answer of a call that went well; None for a notification."""
    request_id = call.request.request_id
    return None if request_id is None else encode_response(result_object(request_id, result))


def refusal_frame(call: Pending, refusal: MnemodError) -> bytes | None:
    """The error answer of a call; None for a notification."""
    request_id = call.request.request_id
    return None if request_id is None else encode_error(request_id, refusal)


def fault_frame(call: Pending, fault: Exception, mint: Mint) -> bytes | None:
    """The error answer of a call that raised `fault`; None for a notification."""
    return refusal_frame(call, refusal_for(fault, call.request.method, mint))
