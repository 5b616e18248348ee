"""An open account for every test here."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from mnemod.accounts import Account
from tests.support.builders import Clock, open_account


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def account(tmp_path: Path, clock: Clock) -> AsyncIterator[Account]:
    async with open_account(tmp_path, clock=clock) as opened:
        yield opened
