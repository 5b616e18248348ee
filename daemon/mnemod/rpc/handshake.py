"""`initialize`: a connection says who it is, gets its account, and learns what it may do.

It happens once. The client lists the protocol versions it speaks, so that one round is enough; the
newest common one is answered. Everything additive is a capability, never a version.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic

from msgspec import Struct

from mnemod import config
from mnemod.config import PROTOCOL_VERSIONS
from mnemod.errors import UnsupportedProtocol
from mnemod.ids import WorldRevision
from mnemod.rpc.calls import AccountT, SessionInfo
from mnemod.rpc.generated import SCHEMA_VERSION, InitializeParams
from mnemod.rpc.ports import AccountHandle, SessionServices

if TYPE_CHECKING:
    from mnemod.rpc.generated import InitializeResult, Limits


class Binding(Generic[AccountT], Struct, frozen=True):
    """The account a connection is bound to for its life, and who speaks on it."""

    handle: AccountHandle[AccountT]
    session: SessionInfo


async def initialize(
    params: InitializeParams, services: SessionServices[AccountT]
) -> tuple[Binding[AccountT], InitializeResult]:
    """Open the account and say what can be done with it.

    Raises UnsupportedProtocol before anything is opened, and whatever opening raises.
    """
    version = _common_version(params.protocol_versions)
    handle = await services.accounts.open(
        params.account, time_zone=params.time_zone, locale=params.locale
    )
    try:
        welcome: InitializeResult = {
            "protocol_version": version,
            "schema_version": SCHEMA_VERSION,
            "server": services.server,
            "account": params.account,
            "world_revision": WorldRevision(await services.world_revision(handle.account)),
            "capabilities": services.capabilities,
            "limits": limits(),
            "health": await services.health(None),  # the account's part counts rows: on demand
        }
    except BaseException:
        handle.release()
        raise
    session = SessionInfo(params.host_id, params.tier, params.locale, params.client.name)
    return Binding(handle, session), welcome


def limits() -> Limits:
    """What a host must stay within; every one of them is a constant of `config`."""
    return {
        "frame_bytes": config.FRAME_BYTES_MAX,
        "in_flight": config.IN_FLIGHT_MAX,
        "queued": config.QUEUED_MAX,
        "batch_members": config.BATCH_MEMBERS_MAX,
        "message_bytes": config.MESSAGE_BYTES_MAX,
        "messages": config.MESSAGES_MAX,
        "query_chars": config.QUERY_CHARS_MAX,
        "id_chars": config.ID_CHARS_MAX,
        "forget_targets": config.FORGET_TARGETS_MAX,
        "page": config.PAGE_MAX,
        "free_json_depth": config.FREE_JSON_DEPTH_MAX,
    }


def _common_version(offered: tuple[int, ...]) -> int:
    common = set(offered) & set(PROTOCOL_VERSIONS)
    if not common:
        raise UnsupportedProtocol(supported=",".join(map(str, PROTOCOL_VERSIONS)))
    return max(common)
