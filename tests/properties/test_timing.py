"""Coarse: a reply about what is withheld takes about as long as one about what is absent.

Fine measurement is `python -m benchmarks timing`, on a quiet machine; docs/security.md says what it found.
"""

from __future__ import annotations

import random
import time

import pytest

from benchmarks import withheld
from tests.worlds import open_org

PAIRS = 30  # 300 in `make prove`
COARSE = 0.25  # so far from a coin only a query that visits hidden rows, or stops early, would be


def test_the_area_says_who_took_longer(seed: int) -> None:
    draw = random.Random(seed)
    slow, fast = [draw.random() + 2 for _ in range(50)], [draw.random() for _ in range(50)]
    same = [draw.random() for _ in range(400)]

    assert withheld.area(slow, fast).value == 1
    assert withheld.area(fast, slow).value == 0
    assert withheld.area(same[:200], same[:200]).value == pytest.approx(0.5)


def test_withheld_takes_about_as_long_as_absent(url: str, tenant: str, seed: int, *, prove: bool) -> None:
    pairs, draw = (300 if prove else PAIRS), random.Random(seed)
    with open_org(url, tenant) as org:
        secrets = withheld.fill(org, ordinary=50, secrets=20)
        for kind in withheld.KINDS:
            hidden, absent = withheld.interleaved(org, secrets, kind, draw, pairs=pairs)

            assert abs(withheld.area(hidden, absent).value - 0.5) < COARSE, kind


def test_a_door_that_looks_at_hidden_rows_would_be_seen(seed: int) -> None:
    """A planted fault: ten times the work for what is there."""
    draw = random.Random(seed)

    def reply(*, hidden: bool) -> float:
        began = time.perf_counter()
        sum(range(40_000 if hidden else 4_000))
        return time.perf_counter() - began + draw.random() * 1e-5

    took = [(reply(hidden=True), reply(hidden=False)) for _ in range(PAIRS)]
    assert withheld.area([one for one, _ in took], [other for _, other in took]).value > 0.5 + COARSE
