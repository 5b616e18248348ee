"""Which questions ask for what was so."""

from __future__ import annotations

import pytest

from mnemod.domain.history_cues import History, is_first_person, wants_past


@pytest.mark.parametrize(
    "query",
    [
        "what tea did I drink before", "Where did I USED TO live?", "what was it originally",
        "以前喝什么茶", "我曾經住在哪裡", "昔は何を飲んでいた？", "以前の住所は",
    ],
)  # fmt: skip
def test_these_ask_for_the_past(query: str) -> None:
    assert wants_past(query, History.AUTO)


@pytest.mark.parametrize(
    "query",
    [
        "what tea do I drink", "which project is Kesh on", "how old am I", "what is beforehand",
        "我喜欢什么茶", "旧金山的天气", "今は何を飲んでいる？",
    ],
)  # fmt: skip
def test_these_ask_for_what_is(query: str) -> None:
    assert not wants_past(query, History.AUTO)


def test_the_caller_may_decide() -> None:
    assert wants_past("what tea do I drink", History.ALWAYS)
    assert not wants_past("what tea did I drink before", History.NEVER)


@pytest.mark.parametrize("query", ["what do I like", "my door code", "我的茶", "私の鍵は"])
def test_these_are_about_the_asker(query: str) -> None:
    assert is_first_person(query)


@pytest.mark.parametrize("query", ["what does Mel like", "Mimi's cat", "彼の鍵"])
def test_these_are_about_somebody_else(query: str) -> None:
    assert not is_first_person(query)
