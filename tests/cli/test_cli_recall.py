"""`mnemod recall`: what came back, what it rests on, and what is missing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mnemod.exits import Exit
from tests.cli.conftest import Run
from tests.support.fake_daemon import FakeDaemon


def support(evidence_id: str) -> dict[str, Any]:
    return {"evidence_id": evidence_id, "relation": "support", "start": 0, "end": 1, "quote": "x"}


def item(text: str = "I live in Lisbon.", label: str = "current") -> dict[str, Any]:
    row = {"item_id": "it_1", "text": text, "recorded_at": "2031-05-05T00:00:00Z"}
    sources = [support("ev_1"), support("ev_2"), support("ev_1")]
    said_at = "2031-05-04T23:45:00+09:00"
    return {"item": {**row, "support": sources}, "label": label, "said_at": said_at}


def quote(**more: Any) -> dict[str, Any]:
    head = {"evidence_id": "ev_9", "text": "I used to live in Porto."}
    return {**head, "recorded_at": "2030-01-01T00:00:00Z", "conversation_id": "c", **more}


def result(**more: Any) -> dict[str, Any]:
    nothing: dict[str, Any] = {"items": [], "quotes": [], "recent_evidence": [], "degraded": []}
    return {**nothing, "cut": {"items": 0, "quotes": 0, "recent_evidence": 0}, **more}


def test_a_memory_is_shown_with_its_day_its_label_and_each_source_once(
    daemon: FakeDaemon, mnemod: Run
) -> None:
    daemon.answers["recall_preview"] = result(items=[item()])

    ran = mnemod("recall", "where do I live")

    assert ran.code == 0
    assert ran.out.splitlines()[:5] == [
        "Memories",
        "said                 words",
        "2031-05-04  current  I live in Lisbon.",
        "                     it_1",
        "                     from ev_1",
    ]
    assert ran.out.count("ev_1") == 1
    assert "1 result in " in ran.out


def test_a_quote_names_its_speaker_and_says_what_replaced_it(
    daemon: FakeDaemon, mnemod: Run
) -> None:
    speaker = {"id": "p1", "name": "Ana"}
    daemon.answers["recall_preview"] = result(
        quotes=[quote(speaker=speaker, superseded_by="it_7"), quote()]
    )

    out = mnemod("recall", "porto").out

    assert "2030-01-01  Ana    I used to live in Porto." in out
    assert "2030-01-01  owner  I used to live in Porto." in out
    assert "no longer so: it_7" in out


def test_what_was_said_lately_is_marked_provisional(daemon: FakeDaemon, mnemod: Run) -> None:
    daemon.answers["recall_preview"] = result(recent_evidence=[quote(provisional=True)])

    assert "2030-01-01  provisional  I used to live in Porto." in mnemod("recall", "porto").out


def test_finding_nothing_is_said(daemon: FakeDaemon, mnemod: Run) -> None:
    daemon.answers["recall_preview"] = result()

    ran = mnemod("recall", "x")

    assert (ran.code, ran.out.splitlines()[0]) == (0, "Nothing found.")


def test_what_is_missing_is_said(daemon: FakeDaemon, mnemod: Run) -> None:
    withheld = [{"object_kind": "evidence", "reason": "cloud_read", "count": 3}]
    cut = {"items": 2, "quotes": 1, "recent_evidence": 0}
    daemon.answers["recall_preview"] = result(
        degraded=["encoder", "new_word"], cut=cut, withheld=withheld
    )

    out = mnemod("recall", "x").out

    assert "Recall goes by words alone, without an encoder." in out
    assert "Without new word." in out
    assert "More matched: 2 memories, 1 quote." in out
    assert "Kept back: 3 evidence (cloud_read)." in out


def test_a_time_that_was_not_understood_is_said_with_how_to_write_it(
    daemon: FakeDaemon, mnemod: Run
) -> None:
    daemon.answers["recall_preview"] = result(degraded=["time_unparsed"])

    out = mnemod("recall", "--time", "2031-13").out

    assert "The time was not understood: write it 2031-05, 2031-05-04 or 'last week'." in out


def test_a_window_of_time_is_shown_with_its_offsets(daemon: FakeDaemon, mnemod: Run) -> None:
    window = {
        "from": "2031-05-01T00:00:00+09:00",
        "to": "2031-06-01T00:00:00+09:00",
        "time_zone": "Asia/Tokyo",
    }
    daemon.answers["recall_preview"] = result(time_window=window)

    out = mnemod("recall", "--time", "2031-05").out

    assert "2031-05-01T00:00:00+09:00 to 2031-06-01T00:00:00+09:00 (Asia/Tokyo)" in out
    assert daemon.params_of("recall_preview") == [{"time": "2031-05", "explain": False}]


def test_why_a_row_is_there_is_shown_when_asked(daemon: FakeDaemon, mnemod: Run) -> None:
    explain = {"terms": ["live", "lisbon"], "rank": 1, "score": 2.5, "channel": "lexical"}
    daemon.answers["recall_preview"] = result(items=[{**item(), "explain": explain}])

    out = mnemod("recall", "x", "--explain", "--history", "always").out

    assert "lexical rank 1, score 2.500 'live' 'lisbon'" in out
    [asked] = daemon.params_of("recall_preview")
    assert asked == {"query": "x", "history": "always", "explain": True}


def test_a_row_that_holds_no_word_of_the_question_is_shown_for_what_was_said_around_it(
    daemon: FakeDaemon, mnemod: Run
) -> None:
    explain = {"terms": [], "rank": 2, "score": 1.5, "channel": "lexical"}
    daemon.answers["recall_preview"] = result(quotes=[{**quote(), "explain": explain}])

    out = mnemod("recall", "x", "--explain").out

    assert "lexical rank 2, score 1.500 for what was said around it" in out


def test_json_is_the_result_as_it_came(daemon: FakeDaemon, mnemod: Run) -> None:
    daemon.answers["recall_preview"] = result(items=[item()])

    assert json.loads(mnemod("recall", "x", "--json").out) == result(items=[item()])


def test_words_cannot_steer_the_terminal(daemon: FakeDaemon, mnemod: Run) -> None:
    daemon.answers["recall_preview"] = result(items=[item("clear \x1b[2J it")])

    assert "clear ␛[2J it" in mnemod("recall", "x").out


@pytest.mark.parametrize("arguments", [[], ["--history", "always"]])
def test_asking_nothing_is_a_usage_error(
    daemon: FakeDaemon, mnemod: Run, arguments: list[str]
) -> None:
    assert mnemod("recall", *arguments).code == Exit.USAGE
    assert daemon.asked == []
