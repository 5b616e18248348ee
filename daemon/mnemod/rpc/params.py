"""From the raw `params` of a request to the typed Struct a handler reads.

A refusal says where (`$.messages[0].role`), never what stood there: that may be someone's words.
"""

from __future__ import annotations

import re
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from mnemod.errors import InvalidParams
from mnemod.rpc.values import require_storable, step_to
from mnemod.rpc.wire import RequestId, is_request_id

StructT = TypeVar("StructT", bound=msgspec.Struct)

# msgspec says where at the end of its message; what it says before may hold the value itself.
_AT: Final = re.compile(r" - at `(?:key` in `)?(\$[^`]*)`\Z")
_MEMBER: Final = re.compile(r"Object (?:missing required|contains unknown) field `([^`]*)`")


class Params(Struct, frozen=True):
    """The members of `params` without `_meta`, and what `_meta` asked for."""

    members: dict[str, object]
    progress_token: RequestId | None


def read_params(raw: object) -> Params:
    """Check what holds for the params of every method; `raw` is that member.

    Raises InvalidParams or TooDeep. `_meta` may hold keys of any name; only `progress_token`
    means something here.
    """
    if not isinstance(raw, dict):
        raise InvalidParams("$")
    require_storable(raw)
    if "_meta" not in raw:
        return Params(raw, None)
    members = dict(raw)
    return Params(members, _progress_token(members.pop("_meta")))


def convert(members: dict[str, object], struct: type[StructT]) -> StructT:
    """`members` as `struct`, strictly. Raises InvalidParams with the path of what does not fit."""
    try:
        return msgspec.convert(members, struct, strict=True)
    except msgspec.ValidationError as error:
        path = _path_in(str(error))
    raise InvalidParams(path)


def _progress_token(meta: object) -> RequestId | None:
    if not isinstance(meta, dict):
        raise InvalidParams("$._meta")
    token = meta.get("progress_token")
    if token is None:
        return None
    if not is_request_id(token):
        raise InvalidParams("$._meta.progress_token")
    return token


def _path_in(message: str) -> str:
    at = _AT.search(message)
    path = at[1] if at else "$"
    named = _MEMBER.match(message)
    return path + step_to(named[1]) if named else path
