"""The answers of one batch, gathered until the last of its members is settled."""

from __future__ import annotations

from mnemod.config import FRAME_BYTES_MAX
from mnemod.errors import ResultTooLarge
from mnemod.rpc.wire import RequestId, encode_batch, encode_error


class Batch:
    """Members settle in any order and are answered in that order."""

    def __init__(self, members: int) -> None:
        self._unsettled = members
        self._answers: list[bytes] = []
        self._bytes = 0

    def settle(self, request_id: RequestId | None, answer: bytes | None) -> bytes | None:
        """Take in one member's answer, None for a notification's.

        Returns the frame to send once every member is settled, if it has any answer in it. An
        answer that would make the whole pass FRAME_BYTES_MAX becomes `result_too_large`.
        """
        if answer is not None:
            if self._bytes + len(answer) > FRAME_BYTES_MAX - _ROOM_FOR_REFUSALS:
                answer = encode_error(
                    request_id, ResultTooLarge(limit="frame_bytes", max=FRAME_BYTES_MAX)
                )
            self._answers.append(answer)
            self._bytes += len(answer)
        self._unsettled -= 1
        return encode_batch(self._answers) if not self._unsettled and self._answers else None


_ROOM_FOR_REFUSALS = 64 * 1024
