"""An open account whose clock is trio's, for every test here."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from mnemod.accounts import Account
from tests.support.builders import open_account
from tests.support.formation import TrioClock


@pytest.fixture
async def account(tmp_path: Path) -> AsyncIterator[Account]:
    async with open_account(tmp_path, clock=TrioClock()) as opened:
        yield opened
