"""Bytes into frames and back: a push parser with no I/O in it.

A connection speaks one of two framings, told apart once by its first non-blank byte:

    `{` `[`   lines     one JSON value, then 0x0A; 0x0D before it and blank lines are dropped
    `C` `c`   headers   `Content-Length: N` among other fields, an empty line, N bytes (as in LSP)

Anything else (a byte order mark, HTTP, binary) can never become a message, so it is fatal at once
instead of a handshake that hangs. Limits are checked before bytes are kept. At the end of input an
unterminated last line is a frame: that is what `printf` without a newline sends.
"""

from __future__ import annotations

import re
from typing import Final

from mnemod.config import FRAME_BYTES_MAX, HEADER_BYTES_MAX
from mnemod.errors import FrameTooLong, MnemodError, ParseError

_BLANK: Final = b" \t\r\n"
_EMPTY_LINE: Final = re.compile(rb"\r?\n\r?\n")


class Framer:
    """Both directions of one connection: `feed` what arrived, `encode` what leaves.

    After `feed` and `end` look at `fatal`: when it is set, the frames just returned are still
    good, and nothing more can be read from this connection.
    """

    def __init__(
        self, frame_bytes_max: int = FRAME_BYTES_MAX, header_bytes_max: int = HEADER_BYTES_MAX
    ) -> None:
        self._frame_bytes_max = frame_bytes_max
        self._header_bytes_max = header_bytes_max
        self._reader: _Lines | _Headers | None = None
        self._nonsense: MnemodError | None = None

    @property
    def fatal(self) -> MnemodError | None:
        """Why this connection cannot be read any further: ParseError or FrameTooLong."""
        return self._reader.fatal if self._reader else self._nonsense

    def feed(self, data: bytes) -> list[bytes]:
        """The frames that `data` completes, in order; none after a fatal fault."""
        if self._reader is None:
            data = data.lstrip(_BLANK)
            self._choose(data[:1])
        return [] if self._reader is None or self._reader.fatal else self._reader.feed(data)

    def end(self) -> list[bytes]:
        """The frame that the end of input completes, if there is one."""
        return [] if self._reader is None or self._reader.fatal else self._reader.end()

    def encode(self, frame: bytes) -> bytes:
        """`frame` in the framing of the other side; a line if that is not known."""
        if isinstance(self._reader, _Headers):
            return b"Content-Length: %d\r\n\r\n%b" % (len(frame), frame)
        return frame + b"\n"

    def _choose(self, first: bytes) -> None:
        if self._nonsense or not first:
            return
        if first in b"{[":
            self._reader = _Lines(self._frame_bytes_max)
        elif first in b"Cc":
            self._reader = _Headers(self._frame_bytes_max, self._header_bytes_max)
        else:
            self._nonsense = ParseError()


class _Lines:
    """One JSON value a line. Only the byte 0x0A ends one: U+2028 may stand inside strings."""

    def __init__(self, frame_bytes_max: int) -> None:
        self.fatal: MnemodError | None = None
        self._frame_bytes_max = frame_bytes_max
        self._kept = bytearray()

    def feed(self, data: bytes) -> list[bytes]:
        *ends, tail = data.split(b"\n")
        frames: list[bytes] = []
        for end in ends:
            if not self._fits(end):
                return frames
            line = self._line_with(end)
            if line:
                frames.append(line)
        if self._fits(tail):
            self._kept += tail
        return frames

    def end(self) -> list[bytes]:
        line = self._line_with(b"")
        return [line] if line else []

    def _fits(self, part: bytes) -> bool:
        if len(self._kept) + len(part) <= self._frame_bytes_max:
            return True
        self._kept.clear()
        self.fatal = _too_long(self._frame_bytes_max)
        return False

    def _line_with(self, end: bytes) -> bytes:
        if not self._kept:
            return end.strip(_BLANK)
        # A long line is copied once, here: stripping its end first spares a second copy.
        self._kept += end.rstrip(_BLANK)
        line = bytes(self._kept)
        self._kept.clear()
        return line.strip(_BLANK)


class _Headers:
    """`Content-Length` framing. Names in any case, other fields ignored, bare LF forgiven."""

    def __init__(self, frame_bytes_max: int, header_bytes_max: int) -> None:
        self.fatal: MnemodError | None = None
        self._frame_bytes_max = frame_bytes_max
        self._header_bytes_max = header_bytes_max
        self._header = b""
        self._body = bytearray()
        self._body_bytes: int | None = None  # how long the body is; None while inside a header

    def feed(self, data: bytes) -> list[bytes]:
        frames: list[bytes] = []
        while data and not self.fatal:
            data = self._read_header(data) if self._body_bytes is None else self._read_body(data)
            if self._body_bytes == len(self._body):
                frames.append(bytes(self._body))
                self._body.clear()
                self._body_bytes = None
        return frames

    def end(self) -> list[bytes]:
        if self._header or self._body_bytes is not None:
            self.fatal = ParseError()  # cut off inside a message: not a clean goodbye
        return []

    def _read_body(self, data: bytes) -> bytes:
        """Take body bytes off `data` and return the rest."""
        missing = (self._body_bytes or 0) - len(self._body)
        self._body += data[:missing]
        return data[missing:]

    def _read_header(self, data: bytes) -> bytes:
        """Take header bytes off `data` and return the rest."""
        room = self._header_bytes_max - len(self._header)
        header = (self._header + data[:room]).lstrip(_BLANK)
        if empty_line := _EMPTY_LINE.search(header):
            self._header = b""
            self._body_bytes = self._content_length(header[: empty_line.start()])
            return header[empty_line.end() :] + data[room:]
        self._header = header
        if len(header) == self._header_bytes_max:
            self.fatal = ParseError()
        return data[room:]

    def _content_length(self, header: bytes) -> int | None:
        fields = [line.partition(b":") for line in header.splitlines()]
        lengths = [value.strip() for name, _, value in fields if name.lower() == b"content-length"]
        if (
            len(lengths) != 1
            or not lengths[0].isdigit()
            or not all(colon for _, colon, _ in fields)
        ):
            self.fatal = ParseError()
            return None
        if int(lengths[0]) > self._frame_bytes_max:
            self.fatal = _too_long(self._frame_bytes_max)
            return None
        return int(lengths[0])


def _too_long(frame_bytes_max: int) -> FrameTooLong:
    return FrameTooLong(limit="frame_bytes", max=frame_bytes_max)
