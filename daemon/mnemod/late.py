"""OpenSSL, left out of a process until something speaks TLS: 4.4 MB, and 10 ms of a start.

trio imports `ssl` for streams that only a distant interpreter's answer comes through, and `hashlib`
asks OpenSSL for digests that Python has of its own. `put_off` stands in for the one, and says that
the other is not there. Whoever uses `ssl` afterwards gets all of it: the first look at it loads it.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Final, Protocol

_TLS: Final = "ssl"
_DIGESTS: Final = "_hashlib"
_OWN_DIGESTS: Final = (("_md5",), ("_sha1",), ("_sha256", "_sha2"), ("_sha3",), ("_blake2",))
"""Modules of Python that make up for it, one of each group: builds may leave them out."""


class Find(Protocol):
    """Says whether there is a module of that name: `importlib.util.find_spec`."""

    def __call__(self, name: str, /) -> object | None: ...


class Late(ModuleType):
    """Stands in for a module that is imported by whoever first asks for something in it."""

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)  # what looks at every module asks for such names
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


def put_off(modules: dict[str, ModuleType | None] | None = None, find: Find = find_spec) -> None:
    """Keep OpenSSL out of this process until it is used. Before trio is imported, or in vain.

    `modules` are `sys.modules`, where a test does not give its own.
    """
    loaded: dict[str, ModuleType | None] = sys.modules if modules is None else modules  # type: ignore[assignment]
    loaded.setdefault(_TLS, Late(_TLS))
    if all(any(map(find, group)) for group in _OWN_DIGESTS):
        loaded.setdefault(_DIGESTS, None)
