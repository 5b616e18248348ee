"""Which interpreter a configuration asks for. What it does not ask for is not imported."""

from __future__ import annotations

from mnemod.config import Config
from mnemod.config import Interpreter as Choice
from mnemod.formation.interpret import Interpreter


def chosen_interpreter(config: Config) -> Interpreter | str:
    """The interpreter, or the stable code of why jobs stay pending."""
    match config.interpreter:
        case Choice.RULES:
            from mnemod.formation.interpreters.rules import RulesInterpreter

            return RulesInterpreter()
        case Choice.CHAT if not config.chat.base_url or not config.chat.model:
            return "chat_not_configured"
        case Choice.CHAT:
            from mnemod.formation.interpreters.chat import ChatInterpreter

            return ChatInterpreter(config.chat)
        case Choice.EXTERNAL | Choice.NONE:
            return f"interpreter_{config.interpreter.value}"
