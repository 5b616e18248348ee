"""The script of the demo, as it stands in `script.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class Exchange:
    """What the owner said and what the host answered, on the day that was `days_ago`."""

    said: str
    answered: str
    days_ago: int
    clock: str
    answer_relies_on_it: bool = False

    def at(self, today: datetime) -> str:
        """When it was said, as an instant of the wire."""
        day = today.astimezone(UTC).date() - timedelta(days=self.days_ago)
        return datetime.combine(day, time.fromisoformat(self.clock), UTC).isoformat()


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and words that must stand in the first answer."""

    ask: str
    expect: str


@dataclass(frozen=True, slots=True)
class Correction:
    """Which memory is wrong, by words in it, and what is right."""

    ask: str
    wrong: str
    text: str


@dataclass(frozen=True, slots=True)
class Forget:
    """Which message goes, by words in it, and the bytes that must be gone from the disk."""

    because: str
    said: str
    words: tuple[str, ...]
    ask: str


@dataclass(frozen=True, slots=True)
class Script:
    """All that is played."""

    owner: str
    exchanges: tuple[Exchange, ...]
    questions: tuple[Question, ...]
    correction: Correction
    forget: Forget
    crash: tuple[str, ...]


def load() -> Script:
    """The script that ships with the package."""
    text = files("mnemod.commands.demo").joinpath("script.toml").read_text(encoding="utf-8")
    return _read(tomllib.loads(text))


def _read(data: dict[str, Any]) -> Script:
    forget = data["forget"]
    return Script(
        owner=data["owner"],
        exchanges=tuple(Exchange(**row) for row in data["exchange"]),
        questions=tuple(Question(**row) for row in data["question"]),
        correction=Correction(**data["correction"]),
        forget=Forget(**{**forget, "words": tuple(forget["words"])}),
        crash=tuple(data["crash"]["messages"]),
    )
