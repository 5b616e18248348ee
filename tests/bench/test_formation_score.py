from __future__ import annotations

from typing import Any

from tests.bench.formation_score import formed_items, report, score

BEES = {
    "kind": "cognition",
    "statement_kind": "attribute",
    "text": "I keep bees",
    "subject": "owner",
    "holder": "owner",
    "formed_by": "stated",
    "occurred_at": None,
}


def line(text: str, *expect: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": "x",
        "lang": "en",
        "messages": [{"role": "user", "content": text}],
        "expect": list(expect),
    }


def test_marks_at_the_ends_do_not_count() -> None:
    tally = score([line("I keep bees!", BEES)])["en"]

    assert (tally.found, tally.formed, tally.expected) == (1, 1, 1)
    assert set(tally.agreed.values()) == {1}


def test_an_item_of_another_kind_is_not_found() -> None:
    tally = score([line("I keep bees.", {**BEES, "kind": "event"})])["all"]

    assert (tally.found, tally.formed, tally.expected) == (0, 1, 1)


def test_columns_that_disagree_are_counted_apart() -> None:
    tally = score([line("I keep bees.", {**BEES, "subject": "Ola"})])["en"]

    assert (tally.found, tally.agreed["subject"], tally.agreed["holder"]) == (1, 0, 1)


def test_a_line_with_nothing_to_form_counts_as_kept_empty_or_not() -> None:
    tally = score([line("Hello!"), line("I keep bees.")])["en"]

    assert (tally.stayed_empty, tally.empty_lines) == (1, 2)


def test_a_correction_finds_what_an_earlier_message_formed() -> None:
    said = ["My locker is 73.", "Actually, my locker is 37."]

    (only,) = formed_items([{"role": "user", "content": text} for text in said], "UTC")

    assert (only["kind"], only["statement_kind"]) == ("correction", "attribute")


def test_the_report_has_a_row_a_language() -> None:
    rows = report(score([line("I keep bees.", BEES)])).splitlines()

    assert [row.split()[0] for row in rows] == ["lang", "all", "en"]
