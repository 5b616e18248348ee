"""Every setting there is: its name, its default, and what it may be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mnemod.config import Config, Interpreter, Tier
from mnemod.log import LEVELS
from mnemod.settings import checks
from mnemod.settings.checks import Value


@dataclass(frozen=True, slots=True)
class Key:
    """One setting: what a TOML value must be, its default, and how a variable's text is read."""

    check: Callable[[object], Value]
    default: Value
    from_text: Callable[[str], object] = str


_USUAL: Final = Config(Path())

KEYS: Final[Mapping[str, Key]] = {
    "formation.interpreter": Key(checks.one_of(*Interpreter), _USUAL.interpreter.value),
    "formation.workers": Key(checks.whole(1, 16), _USUAL.workers, checks.number_from_text),
    "chat.base_url": Key(checks.http_url, _USUAL.chat.base_url),
    "chat.model": Key(checks.text, _USUAL.chat.model),
    "chat.api_key_env": Key(checks.variable_name, _USUAL.chat.api_key_env),
    "chat.tier": Key(checks.one_of(*Tier), _USUAL.chat.tier.value),
    "chat.timeout_s": Key(
        checks.number(0.1, 3_600.0), _USUAL.chat.timeout_s, checks.number_from_text
    ),
    "jobs.retry_waits_s": Key(checks.waits, _USUAL.retry_waits_s, checks.list_from_text),
    "daemon.idle_exit_s": Key(
        checks.number(0.0, 30 * checks.DAY_S), _USUAL.idle_exit_s, checks.number_from_text
    ),
    "secrets": Key(checks.one_of("hold", "redact", "allow"), _USUAL.secrets),
    "log.level": Key(checks.one_of(*LEVELS), _USUAL.log_level),
    "log.format": Key(checks.one_of("text", "json"), _USUAL.log_format),
}
SECTIONS: Final = frozenset(name.partition(".")[0] for name in KEYS if "." in name)


def variable_of(name: str) -> str:
    """The environment variable of a key: `chat.base_url` -> `MNEMOD_CHAT_BASE_URL`."""
    return "MNEMOD_" + name.replace(".", "_").upper()
