"""Which interpreter a configuration asks for. What it does not ask for is not imported."""

from __future__ import annotations

from mnemod.config import ChatConfig, Config
from mnemod.config import Interpreter as Choice
from mnemod.formation.interpret import Interpreter


def chosen_interpreter(config: Config) -> Interpreter | str:
    """The interpreter, or the stable code of why jobs stay pending."""
    match config.interpreter:
        case Choice.RULES:
            from mnemod.formation.interpreters.rules import RulesInterpreter

            return RulesInterpreter()
        case Choice.CHAT:
            return _chat(config.chat)
        case Choice.NONE:
            return f"interpreter_{config.interpreter.value}"


def _chat(config: ChatConfig) -> Interpreter | str:
    from mnemod.adapters.chat import why_unusable
    from mnemod.formation.interpreters.chat import ChatInterpreter

    return why_unusable(config) or ChatInterpreter(config)
