"""Figures that a space may hold together: whole or not at all, never their last three alone."""

from __future__ import annotations

import pytest

from tests.support.readings import read

SPACES = [" ", "\u00a0", "\u202f", "\u2009"]
GROUPED = [
    ("en", "1{}000 days ago"),
    ("en", "about 2{}500 days ago"),
    ("en", "2{}500 years ago we came"),
    ("en", "The ferry ran 1{}500d ago"),
    ("en", "In 2{}500 days it ends"),
    ("en", "It took 1{}500 hours"),
    ("ja", "1{}000日前"),
    ("zh", "1{}000天前"),
    ("ja", "1{}000円"),
    ("ja", "家賃は85{}000円"),
    ("en", "It was 12{}000 yen"),
    ("en", "€ 1{}000"),
    ("en", "1{}000 €"),
    ("en", "$12{}500.50"),
    ("en", "1{}250{}000 dollars"),
    ("en", "1{}500 million yen"),
    ("zh", "花了12{}000元"),
    ("en", "70{}000 %"),
]


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize(("locale", "form"), GROUPED)
def test_no_part_of_grouped_figures_is_read(locale: str, form: str, space: str) -> None:
    assert not read(form.replace("{}", space), locale)


@pytest.mark.parametrize(
    ("locale", "text", "words"),
    [
        ("ja", "3/12 500円", "500円"),
        ("ja", "12:30 500円", "500円"),
        ("en", "12,500 yen", "12,500 yen"),
        ("en", "room 1204, 500 yen", "500 yen"),
        ("en", "I moved 500 days ago", "500 days ago"),
        ("en", "one 500 yen coin", "500 yen"),
    ],
)
def test_three_figures_after_something_else_are_a_number(
    locale: str, text: str, words: str
) -> None:
    assert words in [text[each.start : each.end] for each in read(text, locale)]
