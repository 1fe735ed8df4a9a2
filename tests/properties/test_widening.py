"""What was carried to a wider audience is found, and what stands everywhere is not taken for it."""

from __future__ import annotations

import random
import sys
from collections import Counter
from math import sqrt

import pytest

from muniment.app import Org
from muniment.domain.errors import Refused
from muniment.gate.binding import writing
from muniment.jobs.rebuild import fingerprint, rebuild
from muniment.steward.widening import Widening
from tests.faults.corpora import rows
from tests.leaks import leaks
from tests.worlds import Event, member, open_org, person, said, taken

NEWS = (
    "The board will close the harbour office in April and move all of its eleven people to the main building"
)
ANN_ONLY, TEAM = [["user:ann", "user:owner"]], [["group:chat:team"]]


def people() -> list[Event]:
    return [
        person("user:ann"),
        person("user:bo"),
        member("group:chat:team", "user:ann", "user:bo", source="chat"),
    ]


def found(org: Org, who: str = "user:owner") -> list[Widening]:
    return org.steward(who).widened()


def interval(right: int, n: int) -> str:
    """A share with its 95 % interval (Wilson 1927)."""
    if not n:
        return "none"
    share, z = right / n, 1.96
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return f"{right}/{n} = {share:.3f} [{middle - half:.3f}, {middle + half:.3f}]"


def test_a_private_text_pasted_into_a_channel_is_told_with_who_is_new(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, people())
        taken(org, [said("m1", NEWS, audience=ANN_ONLY, kind="email")])
        taken(org, [said("m2", f"Have you heard? {NEWS}. Well.", hours=2, audience=TEAM)])

        (one,) = found(org)

        assert (one.origin, one.to, one.new_readers) == ("chat:m1", "chat:m2", 1)
        assert one.words is None  # the steward is not in the team's group


def test_a_steward_who_may_read_both_sees_the_words(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, people())
        org.steward("user:owner").grant_role("user:ann", "steward")
        taken(
            org,
            [said("m1", NEWS, audience=ANN_ONLY), said("m2", f"Psst: {NEWS}.", hours=2, audience=TEAM)],
        )

        (one,) = found(org, "user:ann")

        assert one.words == (NEWS,)


@pytest.mark.parametrize(
    ("first", "second"),
    [(TEAM, [["user:ann", "user:bo"]]), (ANN_ONLY, ANN_ONLY), (TEAM, [["user:ann"]]), ([["*"]], TEAM)],
    ids=["to the same people", "to the same", "to one of them", "from everyone"],
)
def test_what_nobody_new_can_read_is_no_widening(
    url: str, tenant: str, first: object, second: object
) -> None:
    with open_org(url, tenant) as org:
        taken(org, [*people(), said("m1", NEWS, audience=first), said("m2", NEWS, hours=2, audience=second)])

        assert found(org) == []


def test_a_second_paste_for_the_same_people_is_no_new_one(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, [*people(), said("m1", NEWS, audience=ANN_ONLY)])
        taken(org, [said(f"m{hours}", NEWS, hours=hours, audience=TEAM) for hours in (2, 3, 4)])

        assert [one.to for one in found(org)] == ["chat:m2"]


def test_a_deleted_paste_is_told_no_more_and_nothing_of_it_is_left(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(
            org,
            [*people(), said("m1", NEWS, audience=ANN_ONLY), said("m2", NEWS, hours=2, audience=TEAM)],
        )
        taken(org, [{"source": "chat", "id": "m2", "op": "delete", "at": "2026-07-01T00:00:00Z"}])

        assert found(org) == []
        assert len(rows(org, "select item from muniment.fingerprint where tenant = %(tenant)s")) == 1


def test_nobody_but_a_steward_may_ask(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, people())
        with pytest.raises(Refused):
            found(org, "user:bo")


def test_the_table_is_closed_to_readers_and_holds_no_word(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, [*people(), said("m1", NEWS, audience=TEAM)])
        with writing(org._work.database, tenant) as conn:
            may = "select has_table_privilege('muniment_reader', 'muniment.fingerprint', 'select')"
            assert conn.execute(may).fetchone() == (False,)


def test_most_of_what_was_carried_is_found_and_little_else(
    url: str, tenant: str, seed: int, capsys: pytest.CaptureFixture[str], *, prove: bool
) -> None:
    world = leaks(random.Random(seed), **({} if prove else {"ordinary": 500, "planted": 60}))
    with open_org(url, tenant) as org:
        taken(org, world.events)
        told = found(org)
        before = _digest(org)
        rebuild(org._work)
        assert _digest(org) == before
        assert found(org) == told

    planted = {one.to: one for one in world.planted}
    hits = [one for one in told if one.to in planted]
    right = sum(one.origin == planted[one.to].origin for one in hits)
    styles = Counter(one.style for one in world.planted)
    by_style = Counter(planted[one.to].style for one in hits)
    with capsys.disabled():
        sys.stdout.write(f"\nwidening, MUNIMENT_SEED={seed}: recall {interval(len(hits), len(planted))}")
        sys.stdout.write(
            f", precision {interval(len(hits), len(told))}, origin {interval(right, len(hits))}\n"
        )
        for style, n in sorted(styles.items()):
            sys.stdout.write(f"  {style}: {interval(by_style[style], n)}\n")
    assert len(hits) > 0.85 * len(planted)
    # Templates are few, however long the record: the less is carried, the more they count.
    assert len(hits) > (0.9 if prove else 0.75) * len(told)


def _digest(org: Org) -> dict[str, str]:
    with writing(org._work.database, org.tenant) as conn:
        return fingerprint(conn, org.tenant)
