"""Levels are derived rows like any other: the same however statements arrived, and after a rebuild."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace

from muniment.app import Org
from muniment.gate.binding import writing
from muniment.jobs.rebuild import fingerprint, rebuild
from tests.faults.corpora import Day, at_once, corpus, crowded, play, rows, scattered
from tests.shape.tree import package_sources
from tests.worlds import START, Clock, open_org, said

CORPORA = 1  # 50 in `make prove`
POLICY = """\
levels:
  - about: [rate limit]
    trust: external_document
    range: {groups: [group:board, group:team], unit: number, grid: {from: 0, step: 100, to: 2000}}
  - about: [discount]
    entities: [acme, globex]
    range: {groups: [group:board], unit: "%", grid: [0, 5, 10, 20, 50, 100], window: quarter}
    trend: {groups: [group:team], window: quarter}
"""


def varied(draw: random.Random, days: Sequence[Day]) -> list[Day]:
    """The days, with values all over the grid and quarters to compare."""

    def body(text: str) -> str:
        text = re.sub(r"\b600\b", lambda _: str(draw.choice((110, 140, 170, 450, 2100))), text)
        return re.sub(
            r"discount (of|for) (\w+) is 12 %",
            lambda match: f"discount for Q{draw.randint(1, 2)} 2025 of {match[2]} is {draw.randrange(60)} %",
            text,
        )

    sure = Day([said("sure", "The rate limit of Umbrella is 777.", 50)], [])  # beside what may all conflict
    return [sure] + [
        replace(
            day,
            events=[{**one, "body": body(str(one["body"]))} if "body" in one else one for one in day.events],
        )
        for day in days
    ]


def governed(url: str, tenant: str) -> None:
    """An organisation with a policy before anything is said."""
    with open_org(url, tenant, Clock(START)) as org:
        org.steward("user:owner").set_disclosure(POLICY)


def digests(org: Org) -> dict[str, str]:
    with writing(org._work.database, org.tenant) as conn:
        return fingerprint(conn, org.tenant)


LEVELS = "select level, statement from muniment.assertion where tenant = %(tenant)s and level <> 'exact'"


def test_levels_are_the_same_however_statements_arrived_and_after_a_rebuild(
    url: str, tenant: str, seed: int, *, prove: bool
) -> None:
    levels = 0
    for number in range(seed, seed + (50 if prove else CORPORA)):
        days = varied(random.Random(number), corpus(random.Random(number), events=40))
        ways = (at_once, scattered(random.Random(number)), crowded(random.Random(number)))
        for at in range(len(ways)):
            governed(url, f"{tenant}-{number}-{at}")
        orgs = [play(url, f"{tenant}-{number}-{way}", days, bring) for way, bring in enumerate(ways)]
        plain, *others = [digests(org) for org in orgs]

        for way, other in zip(ways[1:], others, strict=True):
            assert other == plain, f"MUNIMENT_SEED={number} {way}"
        levels += len(rows(orgs[0], LEVELS))
        for org in orgs:
            before = digests(org)
            assert rebuild(org._work) > 0
            assert digests(org) == before, f"MUNIMENT_SEED={number} rebuilt"
            org.steward("user:owner").set_disclosure(POLICY)
            assert digests(org) == before, f"MUNIMENT_SEED={number} set again"
            org.close()
    assert levels > 0


def test_a_policy_set_late_gives_what_one_set_early_gives_and_none_takes_all_away(
    url: str, tenant: str, seed: int
) -> None:
    days = varied(random.Random(seed), corpus(random.Random(seed), events=40))
    governed(url, f"{tenant}-early")
    with (
        play(url, f"{tenant}-early", days, at_once) as early,
        play(url, f"{tenant}-late", days, at_once) as late,
        play(url, f"{tenant}-never", days, at_once) as never,
    ):
        late.steward("user:owner").set_disclosure(POLICY)
        assert digests(late) == digests(early)

        late.steward("user:owner").set_disclosure("levels: []")
        assert rows(late, LEVELS) == []
        assert digests(late) == digests(never)


def test_nothing_is_written_or_withdrawn_past_the_levels() -> None:
    """A `Writer` used elsewhere would leave a band of what is gone: `jobs.disclose` wraps each of them."""
    allowed = {"gate/writer.py", "jobs/compile.py", "jobs/disclose.py"}
    users = {module.name for module in package_sources() if "Writer(" in module.text}

    assert users <= allowed
