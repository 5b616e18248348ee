"""What reaches the log of a daemon that is told to log everything."""

from __future__ import annotations

import json

from tests.support.processes import Place
from tests.support.rpc import observe_params, request

CANARY = "thecanarysangatnoon"


def test_no_line_holds_what_anybody_said_asked_or_named(place: Place) -> None:
    place.env |= {"MNEMOD_LOG_LEVEL": "debug", "MNEMOD_LOG_FORMAT": "json"}
    host = place.spawn()
    client = host.client
    client.initialize(account=CANARY, host_id=CANARY)
    client.call("observe", **observe_params(f"My name is {CANARY}.", CANARY))
    for line in (
        request(CANARY, "ping"),
        request(901, CANARY),
        request(902, "observe", **{CANARY: CANARY}),
        request(903, "query_world", operation="get", item_id=CANARY),
        request(904, "recall_preview", query=CANARY),
        f'{{"{CANARY}'.encode() + b"\n",
        f'{{"id":905,"method":"ping","params":"{CANARY}"}}\n'.encode(),
    ):
        client.send(line)
    answered = [client.receive() for _ in range(7)]
    place.run("stop")

    log = (place.data_dir / "logs" / "daemon.log").read_bytes()
    assert len(answered) == 7
    assert CANARY.encode() not in log
    assert {"ts", "level", "event"} <= json.loads(log.splitlines()[0]).keys()
    assert host.process.wait(20) == 70
    assert CANARY not in host.stderr()
