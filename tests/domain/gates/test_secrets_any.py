"""Secrets in any text: nothing raises, spans stay apart, and a long text costs little."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mnemod.domain.folded import fold
from mnemod.domain.gates.secrets import SecretKind, find

PIECES = (
    "password", "PIN", "密码", "パスワード", "は", "是", "is", ":", "=", "「", "」", '"', " ", "\n",
    "4812", "hunter2", "glpat-", "4f9aK2mX7vB6nL8qW1zR", "://", "@", "a:b", "\u200b",
    "-----BEGIN PRIVATE KEY-----", "4539148803436467", "ＰＩＮ", "<", "*", "my", "\u0301", "ﬁ",
    "seed phrase",
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=25).map("".join)))
@example("\ud800 password is hunter2 \ud800")
@example("\ufdfapassword: ﷺhunter2")
def test_nothing_makes_it_raise_and_spans_are_in_order_and_apart(text: str) -> None:
    ends = [0]
    ends += [place for found in find(text) for place in (found.start, found.end)]

    assert ends == sorted(ends)
    assert ends[-1] <= len(text)


@given(st.sampled_from(PIECES), st.sampled_from(PIECES))
def test_a_folded_text_at_hand_changes_nothing(one: str, other: str) -> None:
    text = f"{one}{other} my password is hunter2"

    assert find(text, fold(text)) == find(text)


def test_a_secret_says_no_word_of_the_text() -> None:
    assert "hunter2" not in repr(find("my password is hunter2"))


@pytest.mark.parametrize("unit", ["glpat-4f9aK2mX7vB6nL8qW1zR ", "password=hunter2 "])
def test_of_very_many_secrets_none_is_left_outside(unit: str) -> None:
    text = unit * 400

    found = find(text)

    between = "".join(text[one.end : other.start] for one, other in pairwise(found))
    assert found[-1].end >= len(text.rstrip())
    assert "4f9aK2mX" not in between
    assert "hunter2" not in between


def test_a_secret_within_another_is_one_with_it() -> None:
    text = 'password: "glpat-4f9aK2mX7vB6nL8qW1zR and more", ok'

    (found,) = find(text)

    assert text[found.start : found.end] == "glpat-4f9aK2mX7vB6nL8qW1zR and more"
    assert found.kind is SecretKind.PASSWORD


LONG_AROUND = {
    "prose": "We met in Lisbon on Tuesday, and the ferry was late. ",
    "talk of passwords": "I forgot my password again, the code is long and the key is mine. ",
    "settings": "token_count: many, key = value, secret: none; ",
    "ids": "4f9aK2mX7vB6nL8qW1zR5tYc 9f8e7d6c5b4a39281706f5e4 ",
    "Chinese": "密码太简单了，要换一个，口令红包真好玩，",
    "Japanese": "パスワードを忘れました、鍵は玄関の下です、",
}
LONG_SECRETS = {
    "said": ("my password is hunter2", "hunter2"),
    "said in Chinese": ("我的密码是hunter2", "hunter2"),
    "said in Japanese": ("パスワードはhunter2です", "hunter2"),
    "set": ("DB_PASSWORD=s3cr3t-sauce", "s3cr3t-sauce"),
    "a vendor's key": ("ghp" + "_4f9aK2mX7vB6nL8qW1zR5tYc3Hs0Dd8Gg2Jj",) * 2,
    "a key with its sign inside": ("7214365870:" + "AAF4f9aK2mX7vB6nL8qW1zR5tYc3Hs0Dd8G",) * 2,
    "a hook": (
        "https://hooks.slack.com/" + "services/T0AB12CD3/B0AB12CD3/4f9aK2mX7vB6nL8qW1zR5tYc",
        "hooks.slack.com/" + "services/T0AB12CD3/B0AB12CD3/4f9aK2mX7vB6nL8qW1zR5tYc",
    ),
    "an address": ("postgres://kit:marzipan8@db.example.org/club", "marzipan8"),
    "a card": ("4539 1488 0343 6467", "4539 1488 0343 6467"),
}


@pytest.mark.parametrize("around", LONG_AROUND.values(), ids=LONG_AROUND.keys())
@pytest.mark.parametrize(("words", "secret"), LONG_SECRETS.values(), ids=LONG_SECRETS.keys())
def test_a_secret_in_the_middle_of_a_long_text_is_found(
    words: str, secret: str, around: str
) -> None:
    half = around * (120_000 // len(around.encode()))
    text = f"{half}\n{words} \n{half}"

    assert any(secret in text[found.start : found.end] for found in find(text))


HEAVY = {
    "letters": "A",
    "digits": "1",
    "cards": "4539 1488 0343 6467 ",
    "almost cards": "4444444444444;",
    "cards of examples": "test 4444444444444448 ",
    "addresses of pages": "https://example.org/a/long/way/to-go ",
    "passwords": "password ",
    "passwords for": "password for ",
    "settings": "password: ",
    "names": "api_key_",
    "Chinese": "密码是",
    "Japanese": "パスワードは",
    "headers": "-----BEGIN PRIVATE KEY-----\n",
    "dashes": "PRIVATE KEY-----BEGIN ",
    "addresses": "://a:",
    "keys": "sk-a",
    "bearers": "bearer ",
    "quotes": 'password: "',
    "words": "seed phrase is apple ",
    "putty": "PuTTY-User-Key-File-3: ",
}


@pytest.mark.parametrize("unit", HEAVY.values(), ids=HEAVY.keys())
def test_the_heaviest_text_costs_no_more_than_its_length(unit: str) -> None:
    text = unit * (256 * 1024 // len(unit))

    began = time.process_time()
    find(text)
    took = time.process_time() - began

    # Ten times what it takes here: what grows with the square of the length takes minutes.
    assert took < 1.0
