from __future__ import annotations

from mnemod.domain.compiler.parse import parse
from mnemod.domain.reading import read
from mnemod.formation.interpret import Again, Reply
from mnemod.formation.interpreters.rules import RulesInterpreter
from tests.domain.reading.conversation import request


async def test_the_reply_is_what_the_reader_found_as_text() -> None:
    asked = request("I keep bees. What about you?")

    reply = await RulesInterpreter().interpret(asked, None)

    assert isinstance(reply, Reply)
    assert parse(reply.text) == read(asked)


async def test_asking_again_gives_the_same_reply() -> None:
    asked = request("I keep bees.")

    first = await RulesInterpreter().interpret(asked, None)
    second = await RulesInterpreter().interpret(asked, Again("{}", "invalid_model_result", ""))

    assert first == second


def test_the_words_stay_inside_and_are_read_one_message_at_a_time() -> None:
    rules = RulesInterpreter()

    assert (rules.tier, rules.rewrites, rules.messages_a_call) == (None, False, 1)
