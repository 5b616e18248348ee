"""What a session needs from the rest of the daemon: handed in once by the composition root.

The protocols are as small as the session's use of them, so tests pass ten-line fakes. `AccountT` is
what handlers work on; a session opens it, passes it through, and lets it go.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar, runtime_checkable

from msgspec import Struct

from mnemod.errors import MnemodError
from mnemod.ids import AccountId, Mint, random_id
from mnemod.rpc.calls import AccountT
from mnemod.rpc.dispatch import MethodTable
from mnemod.rpc.drain import Drain
from mnemod.rpc.subscriptions import Topic

if TYPE_CHECKING:
    from mnemod.rpc.generated import Capabilities, Health, Server, StopMode

AccountT_co = TypeVar("AccountT_co", covariant=True)


class ByteStream(Protocol):
    """Both directions of one connection: a trio stream, a pair of pipes, or memory in tests."""

    async def receive_some(self, max_bytes: int | None = None, /) -> bytes | bytearray:
        """At least one byte, or none at the end of input."""

    async def send_all(self, data: bytes, /) -> None:
        """All of `data`. Raises trio.BrokenResourceError once the other end is gone."""

    async def aclose(self) -> None:
        """Close both directions."""


@runtime_checkable
class Prompt(Protocol):
    """What a ByteStream may have besides: a way to write without waiting."""

    def send_now(self, data: bytes, /) -> int:
        """Write what can be written at once; how many bytes that were."""


class Framing(Protocol):
    """Bytes into frames and back; see `transport/framing.py` for the one there is."""

    @property
    def fatal(self) -> MnemodError | None:
        """Why nothing more can be read."""

    def feed(self, data: bytes, /) -> list[bytes]:
        """The frames that `data` completes."""

    def end(self) -> list[bytes]:
        """The frames that the end of input completes."""

    def encode(self, frame: bytes, /) -> bytes:
        """`frame` as it goes over the wire."""


class AccountHandle(Protocol[AccountT_co]):
    """One connection's hold on an open account."""

    @property
    def account(self) -> AccountT_co:
        """What handlers work on."""

    def release(self) -> None:
        """Let go. Called once, when no call of the connection runs any more."""


class AccountOpener(Protocol[AccountT_co]):
    """Opens accounts by name."""

    async def open(
        self, account_id: AccountId, *, time_zone: str | None, locale: str | None
    ) -> AccountHandle[AccountT_co]:
        """Open or create. Raises the MnemodError that `initialize` is to answer."""


class SessionServices(Generic[AccountT], Struct, frozen=True):
    """Everything a session may touch. Made once; every connection reads the same."""

    accounts: AccountOpener[AccountT]
    methods: MethodTable[AccountT]
    topics: Mapping[str, Topic[AccountT]]
    """What can be subscribed to, by name."""
    server: Server
    capabilities: Capabilities
    """What `initialize` promises: only what is true."""
    world_revision: Callable[[AccountT], Awaitable[int]]
    health: Callable[[AccountT | None], Awaitable[Health]]
    """Of the daemon, and of the account if one is bound."""
    discover: Callable[[], bytes]
    """The OpenRPC document, as JSON."""
    stop: Callable[[StopMode], None]
    """Begins the end of the daemon; called once the answer to `daemon.stop` is queued."""
    drain: Drain
    initialize_within_s: float | None = None
    """How long a connection may stay nameless; None for as long as it likes (stdio)."""
    mint: Mint = random_id
