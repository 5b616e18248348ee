"""Dense runs that say nothing cast a little doubt; everyday shapes and the East cast none."""

from __future__ import annotations

import base64
import hashlib
import random
import time
import uuid

import pytest

from mnemod.domain.gates.entropy import SUSPICION_MAX, suspicion

CHANCE = random.Random(7)
RANDOM = CHANCE.randbytes(3_000)
DENSE = base64.b64encode(RANDOM).decode()
HEX = hashlib.sha512(b"pear").hexdigest()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("nothing", ""),
        ("prose", "We met in Lisbon on Tuesday, and the ferry back was full. " * 40),
        ("uuid", str(uuid.UUID(int=0x7D0C1C9E5B1F4C559D570F6A3F4C2B11))),
        ("uuids in a row", ":".join(str(uuid.UUID(int=n * 7**40)) for n in range(1, 20))),
        ("md5", HEX[:32]),
        ("git hash", HEX[:40]),
        ("sha256", HEX[:64]),
        ("sha384", HEX[:96]),
        ("sha512", HEX),
        ("ulid", "01JQ8Z3K6V9T4M2XW7R5B0YHCD"),
        ("jwt", f"eyJhbGciOiJIUzI1NiJ9.{DENSE[:120].replace('+', '-').replace('/', '_')}.c2lnbg"),
        ("data uri", f"data:image/png;base64,{DENSE}"),
        ("path", "/srv/data/teams/observability/prod/2026/03/05/ingest/worker-17/A/stdout.log" * 3),
        ("address", f"https://example.org/a?state={DENSE[:200].replace('/', '')}"),
        ("iban", "GB82WEST12345698765432"),
        ("id", "order A1B2C3D4E5F6G7H8"),
        ("dashes", "-" * 400),
        ("one letter", "a" * 4_000),
        ("digits", "3141592653589793" * 40),
        ("a name in a program", "AbstractSingletonProxyFactoryBeanDefinitionReader_" * 4),
        ("Chinese", "我上周搬到了卑尔根，公寓可以看到海港。" * 200),
        ("Japanese", "先週ベルゲンに引っ越しました。部屋から港が見えます。" * 200),
        ("Chinese among ids", "订单A1B2C3D4已发货，" * 200),
    ],
)
def test_an_everyday_text_casts_no_doubt(name: str, text: str) -> None:
    assert suspicion(text) == 0.0


def test_a_run_that_is_a_text_is_left_to_the_guard() -> None:
    assert suspicion(base64.b64encode(b"We met in Lisbon on Tuesday at 7. " * 9).decode()) == 0.0


def test_a_long_run_that_says_nothing_casts_some_doubt() -> None:
    assert 0.0 < suspicion(f"please keep this: {DENSE[:200]}") < SUSPICION_MAX


def test_much_that_says_nothing_casts_all_the_doubt_there_is() -> None:
    assert suspicion(f"请保存 {DENSE} 谢谢") == SUSPICION_MAX


@pytest.mark.parametrize("unit", ["a", DENSE, DENSE[:100] + " ", HEX + "\n", "aB1/", "天"])
def test_the_longest_text_costs_little(unit: str) -> None:
    text = (unit * (256 * 1024 // len(unit) + 1))[: 256 * 1024]

    began = time.process_time()
    suspicion(text)

    # Many times what it takes here: what grows with the square of the length takes minutes.
    assert time.process_time() - began < 0.2
