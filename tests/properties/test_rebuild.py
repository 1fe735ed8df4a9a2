"""Derived rows equal a rebuild from canonical ones, whatever the order of arrival, batches or workers."""

from __future__ import annotations

import random

from muniment.app import Org
from muniment.gate.binding import writing
from muniment.jobs.rebuild import fingerprint, rebuild
from tests.faults.corpora import at_once, corpus, crowded, difference, play, record, scattered

CORPORA = 1  # of the smaller sort: test_governed has all that may happen; 50 in `make prove`


def digests(org: Org) -> dict[str, str]:
    with writing(org._work.database, org.tenant) as conn:
        return fingerprint(conn, org.tenant)


def test_a_record_is_the_same_however_it_arrived_and_after_a_rebuild(
    url: str, tenant: str, seed: int, *, prove: bool
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


PLANTED = {
    "item": "update muniment.item set status = 'forged' where tenant = %(tenant)s",
    "passage": "update muniment.passage set era = 1 - era where tenant = %(tenant)s",
    "edge": "delete from muniment.edge where tenant = %(tenant)s",
    "watermark": "update muniment.watermark set through = through - interval '1 s' where tenant = %(tenant)s",
    "posting_size": "update muniment.posting_segment set length = length + 1 where tenant = %(tenant)s",
    "container": "update muniment.container set live = not live where tenant = %(tenant)s",
}


def test_the_comparison_sees_a_row_that_is_not_what_its_events_say(url: str, tenant: str, seed: int) -> None:
    """Planted faults, each in one table, each of which a rebuild mends."""
    with play(url, tenant, corpus(random.Random(seed)), at_once) as org:
        honest = digests(org)
        for table, fault in PLANTED.items():
            with writing(org._work.database, org.tenant) as conn:
                conn.execute(fault.encode(), {"tenant": org.tenant})
            forged = digests(org)
            rebuild(org._work)

            assert {name for name in honest if honest[name] != forged[name]} == {table}
            assert digests(org) == honest
