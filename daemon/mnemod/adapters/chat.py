"""An OpenAI-style `/chat/completions` endpoint: one question, one answer, or a reason why not.

Works against whatever speaks that protocol (llama.cpp, Ollama, vLLM, hosted ones). The key is read
from the environment at each call and never kept. Text is sent in the clear to this machine alone,
and a `local` endpoint is on this machine: there is no way from one to the other.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from email.utils import parsedate_to_datetime
from typing import Any, Final, final

import orjson
from msgspec import Struct

from mnemod.adapters.http_post import Address, HttpAnswer, NoAnswer, address, post
from mnemod.config import ChatConfig, Tier

# Neither the words nor another try by itself cure these: the account, the key or the address must
# change. Jobs wait for that and lose no attempt.
_WAITING_HELPS: Final = frozenset({401, 402, 403, 404, 408, 409, 425, 429})


class Answer(Struct, frozen=True):
    """The model's text, and how it ended. Token counts are the provider's."""

    text: str
    finish_reason: str | None
    prompt_tokens: int | None
    completion_tokens: int | None


class Away(Struct, frozen=True):
    """Nobody there, or not now. `retry_after_s` is what the provider told."""

    code: str
    retry_after_s: float | None = None


class Useless(Struct, frozen=True):
    """An answer without an answer in it."""

    code: str


def why_unusable(config: ChatConfig) -> str | None:
    """The stable code of what is wrong with a configuration; None if it can be used."""
    if not config.base_url or not config.model:
        return "chat_not_configured"
    to = address(config.base_url)
    if to is None:
        return "chat_base_url_invalid"
    if not to.secure and not to.is_loopback:
        return "chat_plain_http_refused"
    if config.tier is Tier.LOCAL and not to.is_loopback:
        return "chat_local_not_loopback"
    return None


@final
class ChatEndpoint:
    """The endpoint of a configuration that `why_unusable` has nothing against."""

    def __init__(
        self,
        config: ChatConfig,
        *,
        environ: Mapping[str, str] = os.environ,
        wall_clock: Callable[[], float] = time.time,
    ) -> None:
        self._config = config
        self._environ = environ
        self._wall_clock = wall_clock
        to = address(config.base_url)
        assert to is not None, "the configuration was checked"
        path = to.path.rstrip("/") + "/chat/completions"
        self._to = Address(to.host, to.port, path, to.secure)

    async def ask(self, messages: Sequence[Mapping[str, str]]) -> Answer | Away | Useless:
        """Put `messages` to the model and wait for one JSON object in text."""
        headers = self._authorization()
        if isinstance(headers, Away):
            return headers
        body = orjson.dumps(
            {
                "model": self._config.model,
                "messages": list(messages),
                "temperature": 0,
                "response_format": {"type": "json_object"},
                "stream": False,
            }
        )
        answer = await post(self._to, headers, body, self._config.timeout_s)
        if isinstance(answer, NoAnswer):
            return Away(answer.code) if answer.gone else Useless(answer.code)
        return self._read(answer)

    def _authorization(self) -> dict[str, str] | Away:
        """The header with the key, none if no key is asked for; or why it cannot be sent."""
        if not self._config.api_key_env:
            return {}
        key = self._environ.get(self._config.api_key_env, "").strip()
        if not key:
            return Away("api_key_missing")
        if not (key.isascii() and key.isprintable()):
            return Away("api_key_invalid")
        return {"Authorization": f"Bearer {key}"}

    def _read(self, answer: HttpAnswer) -> Answer | Away | Useless:
        if answer.status == 200:
            return _answer(answer.body)
        if answer.status >= 500 or answer.status in _WAITING_HELPS:
            told = answer.headers.get("retry-after")
            return Away(f"http_{answer.status}", self._seconds(told))
        return Useless(f"http_{answer.status}")

    def _seconds(self, told: str | None) -> float | None:
        """`Retry-After` in seconds: a number of them, or a date."""
        if told is None:
            return None
        if told.strip().isdecimal():
            return float(told)
        try:
            return parsedate_to_datetime(told).timestamp() - self._wall_clock()
        except (ValueError, TypeError, OverflowError):
            return None


def _answer(body: bytes) -> Answer | Useless:
    try:
        reply = orjson.loads(body)
        choice = reply["choices"][0]
        text, finish = choice["message"]["content"], choice.get("finish_reason")
    except (ValueError, LookupError, TypeError, AttributeError):
        return Useless("invalid_provider_response")
    if text is None and finish == "length":
        text = ""
    if not isinstance(text, str) or not isinstance(finish, str | None):
        return Useless("invalid_provider_response")
    usage = reply.get("usage")
    return Answer(text, finish, _count(usage, "prompt_tokens"), _count(usage, "completion_tokens"))


def _count(usage: Any, name: str) -> int | None:
    count = usage.get(name) if isinstance(usage, dict) else None
    return count if isinstance(count, int) else None
