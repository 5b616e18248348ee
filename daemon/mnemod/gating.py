"""The gates and the normaliser as one account asks them: on every text, before it is stored.

Nothing of them is loaded with this module: a start waits for no rule. A rule is read, and a pattern
compiled, when a text first needs it, in a thread: an account holds what its texts have met.

Rules never cost a write: a gate that raises leaves the text held (`gate_failed`), a normaliser that
raises, or takes too long, leaves it without annotations and says so. What was judged lately is
remembered by its digest, for hosts that send their whole history each turn; no words are.
"""

from __future__ import annotations

import re
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Final, TypeVar, final

import trio
from msgspec import Struct
from msgspec.structs import replace

from mnemod import log
from mnemod.config import ANNOTATE_WITHIN_S, JUDGED_AT_ONCE_CHARS, JUDGED_KEPT, KNOWN_AT_ONCE_CHARS
from mnemod.domain import ready
from mnemod.domain.annotation import AnnotationKind
from mnemod.domain.evidence import IN_REACH, Instant, Noted
from mnemod.domain.hashing import HashKey, keyed
from mnemod.domain.intake import GATE_FAILED, Judged, Rules, fitting, judged, not_judged
from mnemod.domain.local_time import local_time, zone_named

if TYPE_CHECKING:
    from mnemod.domain.gates.chain import SecretPolicy

T = TypeVar("T")

HOLD: Final = "hold"
REDACT: Final = "redact"

_KANA: Final = re.compile("[\u3041-\u30ff]")

_Key = tuple[str, Instant | None, bool]


class _Script(Enum):
    """What a text is written in, as far as it decides what its rules have to read."""

    ASCII = 0
    KANA = 1
    OTHER = 2


class Said(Struct, frozen=True):
    """A text to judge, and when it was said. `notes` is whether its passages are wanted too.

    `speaker` is the name of whoever said it, if not the owner: it stands beside the words wherever
    they are shown, so a name that is held holds them too.
    """

    text: str
    said_at: Instant | None = None
    notes: bool = True
    speaker: str | None = None


async def apart(work: Callable[[], T]) -> T:
    """What judging of this kind comes to, done in a thread, beside the loop.

    It is pure work: a call that is cancelled leaves it where it is, so that no shutdown waits for
    a text or a rule.
    """
    return await trio.to_thread.run_sync(work, abandon_on_cancel=True)


@final
class Gates:
    """The rules over the texts of one account."""

    def __init__(
        self,
        key: HashKey,
        *,
        secrets: str = HOLD,
        locale: str = "en",
        zone: str = "UTC",
        rules: Rules | None = None,
        within_s: float = ANNOTATE_WITHIN_S,
    ) -> None:
        """`secrets` is the setting's word; `rules` are those of this mnemod unless others are."""
        self.secrets = secrets
        self._key = key
        self._locale = locale
        self._zone = zone_named(zone)
        self._rules = rules
        self._met = set(_Script) if rules is not None else set[_Script]()
        """Scripts of which a text was annotated."""
        self._within_s = within_s
        self._known: OrderedDict[_Key, Judged] = OrderedDict()

    @property
    def version(self) -> int:
        """The version of the rules that judge now."""
        return self._loaded().version

    def at_once(self, texts: Sequence[Said], work: Callable[[], T]) -> T | None:
        """What `work` over these texts gives, or None: it would keep the loop.

        Then it is a thread's work (`apart`), which may read and compile what it needs.
        """
        if self.take_long(texts):
            return None
        try:
            return ready.at_once(work)
        except ready.NotReadyError:
            return None

    def take_long(self, texts: Sequence[Said]) -> bool:
        """Whether there is too much in these texts to be judged where others wait."""
        chars = sum(len(one.text) for one in texts)
        if chars <= JUDGED_AT_ONCE_CHARS:
            return False
        if chars > KNOWN_AT_ONCE_CHARS:
            return True
        fresh = (one for one in texts if self._key_of(one) not in self._known)
        return sum(len(one.text) for one in fresh) > JUDGED_AT_ONCE_CHARS

    def judge_all(
        self, texts: Sequence[Said], go_on: Callable[[], object] = lambda: None
    ) -> list[Judged]:
        """What each text comes to, in order. Raises what `judge` and `go_on`, before a text, do."""
        found: list[Judged] = []
        for one in texts:
            go_on()
            found.append(self.judge(one))
        return found

    def judge(self, said: Said) -> Judged:
        """What a text comes to. Raises nothing, within `at_once` nothing but NotReadyError."""
        key = self._key_of(said)
        known = self._known.get(key)
        if known is not None:
            return Judged(said.text, known.outcome, known.gate, known.suspicion, known.noted)
        found = self._named(self.verdict(said.text), said.speaker)
        if said.notes and found.outcome in IN_REACH:
            found = replace(found, noted=self.notes(found.content, said.said_at))
        self._remember(key, found)
        return found

    def verdict(self, text: str, secrets: str | None = None) -> Judged:
        """What the gates alone say of a text. Raises as `judge` does."""
        try:
            rules = self._loaded()
            found = rules.judge(text, _policy(secrets or self.secrets))
            return judged(text, found, rules.version)
        except ready.NotReadyError:
            raise
        except Exception as fault:  # noqa: BLE001  a rule's fault must not cost what was said
            log.current().error("gate_failed", at=log.types_only(fault))
            return not_judged(text)

    def verdict_of_stored(self, text: str, speaker: str | None = None) -> Judged:
        """The same for words that are on disk: nothing rewrites those, so a secret is held."""
        found = self.verdict(text, HOLD if self.secrets == REDACT else self.secrets)
        return self._named(found, speaker)

    def notes(self, text: str, said_at: Instant | None) -> Noted:
        """What passages of a text mean. Raises as `judge` does."""
        try:
            anchor = None if said_at is None else local_time(said_at.at_ms, self._zone)
            # What the first text of a script has to wait for is not its own doing.
            script = _script_of(text)
            out_of_time = _after(self._within_s) if script in self._met else None
            found = self._loaded().annotate(text, anchor, self._locale, out_of_time=out_of_time)
            self._met.add(script)
            written = None if anchor is None else anchor.isoformat()
            return Noted(fitting(text, found), written)
        except ready.NotReadyError:
            raise
        except Exception as fault:  # noqa: BLE001  a rule's fault must not cost what was said
            log.current().error("annotations_failed", at=log.types_only(fault))
            return Noted(failed=True)

    def _named(self, found: Judged, speaker: str | None) -> Judged:
        """The verdict on words of a speaker of this name: no place in the words is to blame."""
        if speaker is None or found.is_held:
            return found
        key = keyed(self._key, "speaker", speaker), None, False
        named = self._known.get(key) or self.verdict_of_stored(speaker)
        self._remember(key, named)
        if not named.is_held:
            return found
        gate = replace(named.gate, start=None, end=None, redacted=found.gate.redacted)
        return replace(named, content=found.content, gate=gate)

    def _loaded(self) -> Rules:
        if self._rules is None:
            ready.take_time()
            self._rules = packaged_rules()
        return self._rules

    def _key_of(self, said: Said) -> _Key:
        named = () if said.speaker is None else (said.speaker,)
        return keyed(self._key, said.text, *named), said.said_at, said.notes

    def _remember(self, key: _Key, found: Judged) -> None:
        # What was covered would have to be kept covered, a readable copy is one: those are words.
        if found.gate.redacted or any(
            note.kind is AnnotationKind.REPAIR for note in found.noted.annotations
        ):
            return
        # A failure may pass.
        if found.noted.failed or found.gate.reason == GATE_FAILED:
            return
        self._known[key] = replace(found, content="")
        if len(self._known) > JUDGED_KEPT:
            self._known.popitem(last=False)


@cache
def packaged_rules() -> Rules:
    """The rules that come with this mnemod, imported when first asked for."""
    from mnemod.domain.gates import chain
    from mnemod.domain.normalise import annotate

    return Rules(chain.judge, annotate, chain.RULES_VERSION)


@cache
def _policy(name: str) -> SecretPolicy:
    from mnemod.domain.gates.chain import SecretPolicy

    return SecretPolicy(name)


def _script_of(text: str) -> _Script:
    if text.isascii():
        return _Script.ASCII
    return _Script.KANA if _KANA.search(text) else _Script.OTHER


def _after(seconds: float) -> Callable[[], bool]:
    until = time.monotonic() + seconds
    return lambda: time.monotonic() > until
