"""The zone of the machine changes nothing that is stored (B040)."""

from __future__ import annotations

import pytest

from mnemod.domain.instants import parse_instant
from tests.support.processes import Place

ASKED = ["2031-05-04T20:45:00.000+09:00", "2031-01-31T23:59:59.999-03:30", "2031-10-26T02:30:00Z"]


@pytest.mark.parametrize("zone", ["Pacific/Auckland", "America/St_Johns", "UTC"])
def test_what_was_said_when_is_kept_as_it_was_said_in_every_zone(place: Place, zone: str) -> None:
    host = place.spawn("serve", "--stdio", "--alone", env={"TZ": zone})
    host.client.initialize()
    messages = [
        {"message_id": f"m{n}", "role": "user", "content": "The kiln is hot.", "at": at}
        for n, at in enumerate(ASKED)
    ]
    host.client.call("observe", event_id="e1", conversation_id="c1", messages=messages)
    rows = host.client.call("query_evidence", operation="list")["evidence"]
    found = host.client.call("recall_preview", time="2031-05-04")

    assert [parse_instant(row["said_at"]) for row in rows] == [parse_instant(at) for at in ASKED]
    assert rows[0]["said_at"] == ASKED[0]
    assert found["time_window"]["from"] == "2031-05-04T00:00:00.000Z"
