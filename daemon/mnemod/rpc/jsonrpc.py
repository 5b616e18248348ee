"""The one module that imports jsonrpcserver.

Its `async_dispatch` gathers with asyncio and so fails under trio; the parts it is made of know no
event loop. These are undocumented names of a pinned version: a test imports them all.

- Its package imports a validator, a web server and asyncio, of no use to us: 60 ms and 5 MB.
  That of its results, `oslash`, imports a dozen kinds of them, where one is used.
  So the parts are imported without running the packages' own `__init__`, and a request is
  dispatched as its `async_dispatcher.dispatch_request` does it: find the method, check the
  arguments, await it. The first two come out the same for every call of a method (it always gets
  a call and its members): they are done once, when the table is made.
- It puts the text of an unexpected exception on the wire, so methods here return outcomes and
  never raise one.
- It binds params to a signature by name; ours are typed elsewhere, so they travel as one argument.
"""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from importlib.util import find_spec, module_from_spec
from typing import Any, TypeAlias

if "jsonrpcserver" not in sys.modules and (_spec := find_spec("jsonrpcserver")) is not None:
    sys.modules["jsonrpcserver"] = module_from_spec(_spec)
if "oslash" not in sys.modules and (_spec := find_spec("oslash")) is not None:
    sys.modules["oslash"] = module_from_spec(_spec)

from jsonrpcserver.dispatcher import get_method, to_response, validate_args
from jsonrpcserver.request import Request
from jsonrpcserver.response import to_serializable_one
from jsonrpcserver.result import Error, Success

from mnemod.errors import MnemodError
from mnemod.rpc.wire import RequestId, error_data

Members: TypeAlias = dict[str, object]
Outcome: TypeAlias = Mapping[str, object] | MnemodError
Answer: TypeAlias = Callable[[Any, Members], Awaitable[Outcome]]
Method: TypeAlias = Callable[[Any, Members], Awaitable[Any]]
Dispatch: TypeAlias = Callable[[str, Members, RequestId | None, Any], Awaitable[Members | None]]


def dispatcher(answers: Mapping[str, Answer]) -> Dispatch:
    """A function that answers (method, members, request id, call) with a response object.

    It gives None for a notification. `answers` must hold the method.
    """
    named = {name: _as_method(answer) for name, answer in answers.items()}
    methods = {name: _found(named, name) for name in named}

    async def dispatch(
        method: str, members: Members, request_id: RequestId | None, call: object
    ) -> Members | None:
        result = await methods[method](call, members)
        if request_id is None:
            return None
        request = Request(method, [members], request_id)
        response: Members = to_serializable_one(to_response(request, result))
        return response

    return dispatch


def _found(methods: Mapping[str, Method], name: str) -> Method:
    """The method of this name, which takes what every method of ours is called with."""
    request = Request(name, [{}], None)
    found: Method = get_method(methods, name).bind(partial(validate_args, request, None))._value
    return found


def _as_method(answer: Answer) -> Method:
    async def method(call: Any, members: Members) -> Any:
        outcome = await answer(call, members)
        if isinstance(outcome, MnemodError):
            return Error(outcome.code, outcome.message, error_data(outcome))
        return Success(outcome)

    return method
