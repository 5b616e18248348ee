"""Who may see what: the strictest source wins, and what rests on nothing is shown nowhere."""

from __future__ import annotations

import pytest

from mnemod.config import Tier
from mnemod.domain.evidence import Permissions
from mnemod.domain.visibility import all_readable, allows


@pytest.mark.parametrize(
    ("permissions", "local", "cloud"),
    [
        (Permissions(), True, True),
        (Permissions(cloud_read=False), True, False),
        (Permissions(local_read=False), False, True),
        (Permissions(inference=False), True, True),
    ],
)
def test_one_destination_does_not_imply_the_other(
    permissions: Permissions, local: bool, cloud: bool
) -> None:
    assert (allows(permissions, Tier.LOCAL), allows(permissions, Tier.CLOUD)) == (local, cloud)


@pytest.mark.parametrize("tier", list(Tier))
def test_what_rests_on_nothing_or_on_a_row_that_is_gone_is_shown_nowhere(tier: Tier) -> None:
    assert not all_readable([], tier)
    assert not all_readable([None], tier)
