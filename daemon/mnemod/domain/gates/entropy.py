"""Whether a text holds long dense runs that say nothing: a doubt, and never more than that.

A run counts where it is long, of mixed letters and digits, nearly random by its entropy, and none
of the shapes that everyday texts hold: a UUID, a digest or hash in hex, a ULID, a JWT, a data URI,
a path, an address, an IBAN, an id. A run that is base64 of a text is for the guard to judge; what
stays is something that nobody here can read. Only ASCII is looked at: Chinese and Japanese never
count.
"""

from __future__ import annotations

import math
import re
from binascii import a2b_base64
from itertools import islice
from typing import Final

from mnemod.domain.gates.bare import bare
from mnemod.domain.gates.encoded_bytes import readable
from mnemod.domain.gates.runs import long_runs

RUN_MIN: Final = 96
"""Characters of a run that is longer than ids, keys and digests in other alphabets than hex."""
RUNS_MAX: Final = 32
SAMPLE: Final = 512
"""Characters of a run whose entropy is taken."""
BITS_MIN: Final = 4.6
"""Bits a character: prose and names have about 4, hex at most 4, base64 nearly 6."""
PLENTY: Final = 2_000
"""Characters in such runs at which the doubt is full."""
SUSPICION_MAX: Final = 0.3

_KINDS: Final = bytes(
    0x61 if (chr(code).isalnum() and code < 128) or code in b"+/=_.~:%-" else 0x2E
    for code in range(256)
)
_LONG_RUN: Final = b"a" * RUN_MIN
_URL_SAFE: Final = bytes.maketrans(b"-_", b"+/")
_JWT: Final = re.compile(rb"eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*+")
_DATA: Final = re.compile(rb"(?:data:[a-z]{1,20}/[a-z0-9.+-]{1,40})?[;,]?base64,\Z")
_ADDRESS: Final = re.compile(rb"(?:[A-Za-z][A-Za-z0-9+.-]{1,15}://|www\.)[!-~]*+\Z")
BEFORE: Final = 400
"""Characters before the middle of a run among which its address may begin."""
_STEPS: Final = re.compile(rb"[/_.:-]")
_STEP_MEAN_MAX: Final = 14
"""Characters between the marks of a path, a name in a program, or a row of ids."""


def suspicion(text: str) -> float:
    """How much `text` is doubted for runs that say nothing: 0 to SUSPICION_MAX. Linear."""
    # With its invisible characters out it has no fewer runs.
    if _LONG_RUN not in bare(text).shown():
        return 0.0
    data = text.encode("ascii", "replace")
    dense = sum(
        end - start
        for start, end in islice(long_runs(data.translate(_KINDS), _LONG_RUN), RUNS_MAX)
        if _says_nothing(data, start, end)
    )
    return SUSPICION_MAX * min(1.0, dense / PLENTY)


def _says_nothing(data: bytes, start: int, end: int) -> bool:
    run = data[start : start + SAMPLE] if end - start > SAMPLE else data[start:end]
    if _JWT.match(run) or _ADDRESS.search(data, max(0, start - BEFORE), start + RUN_MIN // 2):
        return False
    if (
        _DATA.search(data, max(0, start - 60), start)
        or b";base64," in data[max(0, start - 8) : start]
    ):
        return False
    steps = len(_STEPS.findall(run)) + 1
    if len(run) / steps <= _STEP_MEAN_MAX or not _mixed(run) or entropy(run) < BITS_MIN:
        return False
    digits = run.translate(_URL_SAFE, b"=.~:%")
    return not readable(a2b_base64(digits[: len(digits) // 4 * 4]))


def _mixed(run: bytes) -> bool:
    letters = run.lower() != run and run.upper() != run
    return letters and any(byte in b"0123456789" for byte in run)


def entropy(run: bytes) -> float:
    """Shannon's entropy of the bytes of `run`, which is not empty: bits a byte."""
    counts = [run.count(byte) for byte in set(run)]
    return -sum(count / len(run) * math.log2(count / len(run)) for count in counts)
