"""A match that the gates doubt comes after a clean equal one, and is never lost for it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from mnemod.accounts import Account
from mnemod.config import Tier
from mnemod.ids import EvidenceId
from mnemod.services.gates import Wanted, rejudge
from mnemod.services.observe import observe
from mnemod.services.recall import Recall, recall
from tests.support import worlds
from tests.support.builders import observation, open_account, user
from tests.support.rules import judge_by, scripted
from tests.support.work import settle_all


@pytest.fixture
async def account(tmp_path: Path) -> AsyncIterator[Account]:
    async with open_account(tmp_path, rules=scripted()) as opened:
        yield opened


async def heard(account: Account, text: str, event: str) -> EvidenceId:
    call = observation(user(event, text), event=event, conversation=f"talk {event}")  # type: ignore[arg-type]
    row = (await observe(account, call)).evidence[0].evidence_id
    await settle_all(account)
    return row


async def quotes(account: Account, query: str) -> list[str]:
    found = await recall(account, Recall(query, None, Tier.LOCAL))
    return [quote.text for quote in found.quotes]


CLEAN = "The ferry to the harbour leaves WRITTEN at noon"
FLAGGED = "The ferry to the harbour leaves QUOTED at noon"


@pytest.mark.parametrize("order", [(CLEAN, FLAGGED), (FLAGGED, CLEAN)])
async def test_a_flagged_quote_stands_below_a_clean_equal_one(
    account: Account, order: tuple[str, str]
) -> None:
    # W122
    await heard(account, order[0], "e1")
    await heard(account, order[1], "e2")

    assert await quotes(account, "When does the ferry to the harbour leave?") == [CLEAN, FLAGGED]


@pytest.mark.parametrize("order", [(CLEAN, FLAGGED), (FLAGGED, CLEAN)])
async def test_a_flagged_item_stands_below_a_clean_equal_one(
    account: Account, order: tuple[str, str]
) -> None:
    # W122
    for place, text in enumerate(order):
        row = await heard(account, text, f"e{place}")
        await worlds.form(account, (row, text))
    # The builder forms with full trust: let the rules of now say what it is.
    judge_by(account, scripted(2))
    await account.db.write(lambda tx: tx.execute("UPDATE evidence SET trust = 0.9"))
    await rejudge(account, Wanted(0, 9))

    found = await recall(account, Recall("When does the ferry leave?", None, Tier.LOCAL))
    assert [one.shown.item.text for one in found.items] == [CLEAN, FLAGGED]


async def test_an_exact_code_is_found_first_though_its_message_is_flagged(
    account: Account,
) -> None:
    # W122
    await heard(account, "The pump of the ferry has a part that failed", "e1")
    await heard(account, "He wrote QUOTED of part AC-2041", "e2")

    found = await quotes(account, "Which part of the ferry pump is AC-2041?")

    assert found[0] == "He wrote QUOTED of part AC-2041"
