"""What JSON values a call may carry, whatever its schema says of them.

Whatever is accepted can be stored and given back. So three things are refused here that a JSON
parser lets through: a NUL character (SQLite and C clients end strings at it), a number that does
not fit 64 bits (the parser has already turned such an integer into a float), and nesting that the
parser reads but the writer cannot write. One walk over the params looks for all three.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from mnemod.config import FREE_JSON_DEPTH_MAX
from mnemod.errors import InvalidParams, TooDeep

_NUMBER_MIN: Final = -(2**63)
_NUMBER_MAX: Final = 2**63 - 1
_PLAIN_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")


def require_storable(params: dict[str, object]) -> None:
    """Raise InvalidParams or TooDeep, with the JSON path, at the first value that cannot be kept.

    Each member of `params` may nest FREE_JSON_DEPTH_MAX arrays and objects deep.
    """
    fault = _fault_in(params, FREE_JSON_DEPTH_MAX + 1)
    if fault is None:
        return
    path = "$" + fault.steps
    if fault.too_deep:
        raise TooDeep(path, limit="free_json_depth", max=FREE_JSON_DEPTH_MAX)
    raise InvalidParams(path)


def step_to(name: str) -> str:
    """The step of a JSON path to a member: `.name`, or `[...]` if that may be someone's text."""
    return f".{name}" if _PLAIN_NAME.fullmatch(name) else "[...]"


class _Fault(NamedTuple):
    too_deep: bool
    steps: str

    def under(self, step: str) -> _Fault:
        return self._replace(steps=step + self.steps)


def _fault_in(value: object, room: int) -> _Fault | None:
    """The first fault in `value`, which may open `room` more levels.

    This is on the way of every call: the path is put together only when there is a fault.
    """
    if isinstance(value, str):
        return _Fault(False, "") if "\0" in value else None
    if isinstance(value, dict | list) and not room:
        return _Fault(True, "")
    if isinstance(value, dict):
        for name, child in value.items():
            if "\0" in name:
                return _Fault(False, step_to(name))
            if fault := _fault_in(child, room - 1):
                return fault.under(step_to(name))
    elif isinstance(value, list):
        for index, child in enumerate(value):
            if fault := _fault_in(child, room - 1):
                return fault.under(f"[{index}]")
    elif isinstance(value, int | float) and not _NUMBER_MIN <= value <= _NUMBER_MAX:
        return _Fault(False, "")
    return None
