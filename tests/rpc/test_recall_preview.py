"""`recall_preview` on the wire: its shape, its tier, and that a slow read is given up."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from mnemod.accounts import Account
from mnemod.config import Tier
from mnemod.domain.evidence import Permissions
from mnemod.errors import DeadlineExceeded
from mnemod.ids import HostId
from mnemod.rpc import generated as wire
from mnemod.rpc.calls import Call, Progress, SessionInfo
from mnemod.rpc.methods.recall import recall_preview
from mnemod.services.recall import stricter
from mnemod.store.database import Database
from mnemod.store.files import account_file
from tests.support.builders import NOON, open_account
from tests.support.inline_runner import inline_runner
from tests.support.recalling import known, told


@pytest.fixture
async def account(tmp_path: Path) -> AsyncIterator[Account]:
    async with open_account(tmp_path) as opened:
        yield opened


def call(account: Account, tier: Tier = Tier.LOCAL) -> Call[Account]:
    session = SessionInfo(HostId("host-1"), tier, "en", "test")
    return Call(account, session, Progress(None, lambda _: None))


async def reply(account: Account, connection: Tier = Tier.LOCAL, **params: Any) -> dict[str, Any]:
    asked = msgspec.convert(params, wire.RecallPreviewParams)
    return dict(await recall_preview(call(account, connection), asked))


async def test_the_reply_can_be_sent_back_as_dependencies(account: Account) -> None:
    made = await known(account, "The kiln is in the shed")
    quoted = await told(account, "The kiln cracked")

    found = await reply(account, query="kiln")
    sent_back = msgspec.convert(found["dependencies"], wire.Dependencies)

    assert sent_back.capture == "complete"
    assert [(ref.object_kind, ref.item_id) for ref in sent_back.items or ()] == [
        ("cognition", made)
    ]
    assert list(sent_back.evidence_ids or ()) == [quoted]
    assert sent_back.snapshot_token == found["snapshot_token"]


async def test_an_empty_answer_depends_on_nothing(account: Account) -> None:
    found = await reply(account, query="kiln")

    assert found["dependencies"]["capture"] == "complete_empty"
    assert (found["items"], found["quotes"], found["recent_evidence"]) == ([], [], [])
    assert (found["rendered"], found["rendered_tokens"]) == ("", 0)
    assert (found["model_call_count"], found["world_write_count"]) == (0, 0)
    assert "withheld" not in found


async def test_explanations_come_when_asked_for(account: Account) -> None:
    await known(account, "The kiln is in the shed")
    await told(account, "The kiln cracked")

    plain = await reply(account, query="hot kiln")
    explained = await reply(account, query="hot kiln", explain=True)

    assert "explain" not in plain["items"][0]
    rows = [*explained["items"], *explained["quotes"]]
    assert sorted(row["explain"]["rank"] for row in rows) == [1, 2]
    assert all(row["explain"]["terms"] == ["kiln"] for row in rows)
    assert explained["withheld"] == []


@pytest.mark.parametrize(
    ("connection", "wanted", "given"),
    [
        (Tier.LOCAL, None, Tier.LOCAL),
        (Tier.LOCAL, Tier.CLOUD, Tier.CLOUD),
        (Tier.CLOUD, None, Tier.CLOUD),
        (Tier.CLOUD, Tier.LOCAL, Tier.CLOUD),
    ],
)
def test_a_call_can_only_narrow_the_tier(
    connection: Tier, wanted: Tier | None, given: Tier
) -> None:
    assert stricter(connection, wanted) is given


async def test_a_cloud_connection_gets_no_local_words_by_asking(account: Account) -> None:
    await told(account, "The kiln cracked", permissions=Permissions(cloud_read=False))

    found = await reply(account, Tier.CLOUD, query="kiln", tier="local", explain=True)

    assert (found["tier"], found["quotes"]) == ("cloud", [])
    assert found["withheld"] == [{"object_kind": "evidence", "reason": "permission", "count": 1}]


async def test_the_window_is_told_with_its_zone(account: Account) -> None:
    found = await reply(account, query="kiln", time="2031-05")

    assert found["time_window"] == {
        "from": "2031-05-01T00:00:00.000Z",
        "to": "2031-06-01T00:00:00.000Z",
        "time_zone": "UTC",
    }


async def test_every_time_has_an_offset(account: Account) -> None:
    await known(account, "The kiln is in the shed", at="2031-05-04T20:45:00+09:00")
    await told(account, "The kiln cracked", at="2031-05-04T20:45:00+09:00", formed=False)

    found = await reply(account, query="kiln")

    assert found["items"][0]["said_at"] == "2031-05-04T20:45:00.000+09:00"
    assert found["recent_evidence"][0]["said_at"] == "2031-05-04T20:45:00.000+09:00"
    assert found["recent_evidence"][0]["recorded_at"].endswith("Z")
    assert found["recent_evidence"][0]["provisional"] is True


async def test_recall_preview_limit_exceeded_is_caught_by_the_schema_first() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"query": "x" * 4_001}, wire.RecallPreviewParams)


async def test_recall_preview_deadline_exceeded(tmp_path: Path) -> None:
    async with open_account(tmp_path) as account:
        for number in range(300):
            await told(account, f"the kiln reached {number} degrees")
    path = account_file(tmp_path, account.account_id)
    slow = await Database.open(path, now=NOON, runner=inline_runner, read_deadline_s=0.0)

    with pytest.raises(DeadlineExceeded):
        await reply(replace(account, db=slow), query="kiln degrees", max_quotes=50)
    await slow.aclose()
