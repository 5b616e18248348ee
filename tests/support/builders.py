"""Ready-made things to test with: an open account with a clock and ids of the test's own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from mnemod.accounts import Account, Accounts
from mnemod.domain.evidence import EVERYTHING_ALLOWED, Permissions, Speaker
from mnemod.domain.gates.chain import SecretPolicy
from mnemod.domain.intake import Rules
from mnemod.domain.observation import Accepted, Message, Observation
from mnemod.domain.turns import Capture, Dependency, Role
from mnemod.ids import (
    AccountId,
    CommandId,
    ConversationId,
    EpochMs,
    EventId,
    HostId,
    MessageId,
    SessionId,
)
from mnemod.services.commands import Command
from mnemod.services.observe import observe
from tests.support.inline_runner import inline_runner
from tests.support.rules import passing

NOON = EpochMs(1_900_000_000_000)
HOST = HostId("host-1")
TALK = ConversationId("talk-1")


class Clock:
    """Stands still until told."""

    def __init__(self, at_ms: int = NOON) -> None:
        self.at_ms = at_ms

    def __call__(self) -> EpochMs:
        return EpochMs(self.at_ms)

    def forward(self, ms: int) -> None:
        self.at_ms += ms


def counting_mint() -> Callable[[str], str]:
    """Ids that count: `ev_1`, `jb_2`..."""
    made = 0

    def mint(prefix: str) -> str:
        nonlocal made
        made += 1
        return f"{prefix}{made}"

    return mint


@asynccontextmanager
async def open_account(
    data_dir: Path,
    name: str = "a1",
    clock: Clock | None = None,
    *,
    time_zone: str = "UTC",
    rules: Rules | None = None,
    secrets: SecretPolicy = SecretPolicy.HOLD,
) -> AsyncIterator[Account]:
    """An account in `data_dir`, its file real, its work done in place.

    Its gates let everything pass unless `rules` are given.
    """
    accounts = Accounts(
        data_dir,
        now=clock or Clock(),
        mint=counting_mint(),
        runner=inline_runner,
        secrets=secrets,
        rules=rules or passing(),
    )
    try:
        handle = await accounts.open(AccountId(name), time_zone=time_zone, locale="en")
        yield handle.account
    finally:
        await accounts.aclose()


def user(
    message_id: str,
    content: str,
    *,
    permissions: Permissions = EVERYTHING_ALLOWED,
    speaker: Speaker | None = None,
) -> Message:
    """A user's message."""
    return Message(
        MessageId(message_id), Role.USER, content, permissions=permissions, speaker=speaker
    )


def assistant(
    message_id: str,
    content: str,
    *,
    capture: Capture | None = None,
    dependencies: tuple[Dependency, ...] = (),
) -> Message:
    """An assistant's message."""
    return Message(
        MessageId(message_id),
        Role.ASSISTANT,
        content,
        capture=capture,
        dependencies=dependencies,
    )


def observation(
    *messages: Message,
    event: str = "e1",
    host: HostId = HOST,
    conversation: ConversationId = TALK,
    session: str | None = None,
) -> Observation:
    """One `observe` of these messages; its hash tells its content."""
    return Observation(
        host_id=host,
        event_id=EventId(event),
        conversation_id=conversation,
        session_id=None if session is None else SessionId(session),
        messages=messages,
        request_hash=repr((event, conversation, session, messages)),
    )


async def say(account: Account, *texts: str, event: str = "e1") -> Accepted:
    """The owner says these, one message each."""
    messages = [user(f"{event}-m{place}", text) for place, text in enumerate(texts)]
    return await observe(account, observation(*messages, event=event))


def command(
    command_id: str = "c1",
    operation: str = "test",
    *,
    expected: int | None = None,
    body: str = "",
) -> Command:
    """A command whose hash tells its body."""
    from mnemod.ids import WorldRevision

    revision = None if expected is None else WorldRevision(expected)
    return Command(CommandId(command_id), operation, revision, f"{operation}:{body}")
