"""Derived rows equal a rebuild from canonical rows, whatever the order of arrival, the batches or the workers."""

from __future__ import annotations

import random

import pytest

from muniment.app import Org
from muniment.gate.binding import writing
from muniment.index import projection
from muniment.jobs.rebuild import fingerprint, rebuild
from tests.faults.corpora import at_once, corpus, crowded, difference, play, record, scattered

CORPORA = 3  # 50 in `make prove`


def digests(org: Org) -> dict[str, str]:
    with writing(org._work.database, org.tenant) as conn:
        return fingerprint(conn, org.tenant)


def test_a_record_is_the_same_however_it_arrived_and_after_a_rebuild(
    url: str, tenant: str, seed: int, prove: bool
) -> None:
    for number in range(seed, seed + (50 if prove else CORPORA)):
        days = corpus(random.Random(number))
        ways = (at_once, scattered(random.Random(number)), crowded(random.Random(number)))
        orgs = [play(url, f"{tenant}-{number}-{way}", days, bring) for way, bring in enumerate(ways)]
        plain, *others = [record(org) for org in orgs]

        for way, other in zip(ways[1:], others, strict=True):
            assert difference(plain, other) == "", f"MUNIMENT_SEED={number} {way}"
        for org in orgs:
            before = digests(org)
            assert rebuild(org._work) > 0
            assert difference(plain, record(org)) == "", f"MUNIMENT_SEED={number} rebuilt"
            assert digests(org) == before
            org.close()


def test_the_comparison_sees_a_row_that_is_not_what_its_events_say(
    url: str, tenant: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted fault: the rebuild reads texts as if they had no versions but the last."""
    with play(url, tenant, corpus(random.Random(seed), events=40), at_once) as org:
        before = digests(org)
        honest = projection._edges
        monkeypatch.setattr(projection, "_edges", lambda standing: honest(standing)[:-1])
        rebuild(org._work)

        after = digests(org)

    assert {table for table in before if before[table] != after[table]} == {"edge"}
