"""`check_account`: looking an account's file over."""

from __future__ import annotations

from typing import Final, cast

from mnemod.accounts import Account
from mnemod.rpc import generated as wire
from mnemod.rpc.calls import Call
from mnemod.rpc.methods import shapes
from mnemod.services import checkup as service


async def check_account(
    call: Call[Account], params: wire.CheckAccountParams
) -> wire.CheckAccountResult:
    """What is wrong, in numbers."""
    found = await service.look_over(call.account, deep=params.deep, repair=params.repair)
    made = {
        "findings": [
            {"check": finding.check, "state": finding.state.value, "count": finding.count}
            for finding in found.findings
        ],
        "rebuilt": found.rebuilt,
        "world_revision": found.world_revision,
    }
    return cast("wire.CheckAccountResult", shapes.present(made))


HANDLERS: Final = {"check_account": check_account}
