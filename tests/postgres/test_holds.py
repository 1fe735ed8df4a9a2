"""Legal holds: what they keep, and who is told."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest

from muniment.app import Org, SourceChange
from muniment.domain.errors import Held, Refused
from muniment.gate.binding import writing
from muniment.jobs.rebuild import fingerprint
from muniment.steward import Steward
from tests.worlds import at, open_org, person, said, taken


@pytest.fixture
def org(url: str, tenant: str) -> Iterator[Org]:
    with open_org(url, tenant) as opened:
        taken(opened, [person("user:ann"), person("user:bo"), said("m1", "The budget is 500 euros.", 1)])
        yield opened


@pytest.fixture
def desk(org: Org) -> Steward:
    return org.steward("user:owner")


def digests(org: Org) -> dict[str, str]:
    with writing(org._work.database, org.tenant) as conn:
        return fingerprint(conn, org.tenant)


@pytest.mark.parametrize("target", ["chat:m9", "chat:hall", "source:chat", "user:zed"])
def test_what_is_held_is_neither_erased_nor_reverted(org: Org, desk: Steward, target: str) -> None:
    hall = {
        "op": "audience",
        "source": "chat",
        "container": "hall",
        "at": at(0),
        "audience": [["*"]],
        "live": True,
    }
    taken(org, [hall, person("user:zed", 1, name="Zed Quux")])
    taken(org, [said("m9", "The lift is stuck.", 5, audience=None, container="hall", author="user:zed")])
    assert desk.add_hold(target, "case 12/26")
    before = digests(org)

    for act in (
        partial(desk.erase, "chat:m9"),
        partial(desk.erase, "user:zed"),
        partial(desk.erase_subject, "lift"),
        partial(desk.revert, "chat", org._work.clock()),
    ):
        with pytest.raises(Held, match="legal hold"):
            act()
    assert digests(org) == before

    assert desk.remove_hold(target)
    assert desk.erase("chat:m9").items == 1


def test_holds_are_told_and_audited(org: Org, desk: Steward) -> None:
    assert desk.add_hold("chat:m1", "case 12/26")
    assert not desk.add_hold("chat:m1", "case 13/26")
    assert desk.remove_hold("chat:m1", "settled")
    assert not desk.remove_hold("chat:m1")

    (hold,) = desk.holds()
    assert (hold.target, hold.reason, hold.held_by) == ("item:chat:m1", "case 12/26", "user:owner")
    assert hold.released_by == "user:owner"
    with writing(org._work.database, org.tenant) as conn:
        query = b"select action from muniment.audit where tenant = %s and action like 'hold%%' order by entry"
        acts = [row[0] for row in conn.execute(query, [org.tenant])]
    assert acts == ["hold add", "hold add", "hold remove", "hold remove"]


@pytest.mark.parametrize("target", ["chat:nothing", "source:nowhere"])
def test_what_is_not_there_cannot_be_held(desk: Steward, target: str) -> None:
    with pytest.raises(Refused):
        desk.add_hold(target, "case 12/26")


def test_what_is_held_is_kept_longer_than_its_source_keeps(org: Org, desk: Steward) -> None:
    taken(org, [said("m2", "The lift is stuck.", 1)])
    desk.add_hold("chat:m1", "case 12/26")
    desk.set_source("chat", SourceChange(keep="1d"))

    desk.apply_rules()

    assert {hit.item for hit in org.reader("user:ann").search("budget lift")} == {"m1"}
    desk.remove_hold("chat:m1")
    org._work.clock.forward(hours=2)  # type: ignore[attr-defined]  # the test's own
    desk.apply_rules()
    assert {hit.item for hit in org.reader("user:ann").search("budget lift")} == set()


def test_more_that_is_held_than_a_pass_takes_does_not_stop_it(org: Org, desk: Steward) -> None:
    taken(org, [said(f"h{number:03}", "The lift is stuck.", 1, author="user:bo") for number in range(140)])
    taken(org, [said("z1", "The canteen opens at noon.", 2)])
    desk.add_hold("user:bo", "case 12/26")
    desk.set_source("chat", SourceChange(keep="1d"))

    desk.apply_rules()

    assert {hit.item for hit in org.reader("user:ann").search("canteen")} == set()
    assert len(org.reader("user:ann").search("lift", limit=200)) == 140
