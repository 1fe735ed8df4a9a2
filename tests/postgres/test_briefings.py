"""Hints from history: what is kept out first, what is told, and that nothing hidden moves any of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from muniment.app import Org
from muniment.domain.errors import Refused, Usage
from muniment.domain.incidents import Briefing
from muniment.domain.investigating import Ending, Observed, Start
from tests.worlds import Clock, Event, member, open_org, outside, person, said, taken

SRE = ("group:sre",)
CAUSE = "an exhausted connection pool"


def episode(id: str, hours: float = 0, **fields: object) -> Event:  # noqa: A002
    """A finished incident of the checkout service, told by a member."""
    plain: Mapping[str, object] = {
        "source": "postmortems",
        "kind": "episode",
        "title": f"{id}: checkout fails",
        "service": "checkout",
        "author": "user:bo",
        "labels": {"alertname": "HighErrorRate", "env": "prod", "version": "4.2"},
        "audience": [["group:sre"]],
        "body": f"The root cause of {id} was {CAUSE}.",
    }
    return {**said(id, "", hours), **plain, **fields}


@pytest.fixture
def org(url: str, tenant: str, clock: Clock) -> Iterator[Org]:
    with open_org(url, tenant, clock) as opened:
        people = [person(f"user:{name}") for name in ("ann", "bo", "cy", "sam")]
        groups = [member("group:sre", "user:ann", "user:bo", "user:sam"), member("group:legal", "user:cy")]
        taken(opened, [*people, *groups])
        yield opened


def begun(org: Org, **start: object) -> str:
    plain = {
        "title": "HighErrorRate on checkout",
        "service": "checkout",
        "environment": "prod",
        "version": "4.2.1",
        "signals": ("HighErrorRate",),
        "audience": SRE,
    }
    return org.reader("user:ann").incidents.open(Start(**{**plain, **start})).incident  # type: ignore[arg-type]


def briefed(org: Org, **start: object) -> Briefing:
    return org.reader("user:ann").incidents.briefing(begun(org, **start))


def test_a_hint_has_its_source_age_conditions_and_a_warning(org: Org) -> None:
    taken(org, [episode("INC-1")])

    (hint,) = briefed(org).hints

    assert CAUSE in hint.statement
    assert hint.age_days == 182
    assert hint.warning == "history, not evidence"
    assert hint.conditions["source"] == "postmortems:INC-1"
    assert hint.conditions["environment"] == "prod"
    assert [one.item for one in hint.citations] == ["INC-1"]
    assert hint.verdict == "open"


KEPT_OUT: dict[str, tuple[list[Event], str]] = {
    "environment": (
        [episode("INC-1", labels={"alertname": "HighErrorRate", "env": "staging"})],
        "environment",
    ),
    "version": (
        [episode("INC-1", labels={"alertname": "HighErrorRate", "env": "prod", "version": "3.9"})],
        "version",
    ),
    "expiry": ([episode("INC-1", valid_to="2026-07-01T00:00:00Z")], "expired"),
    "state": (
        [episode("INC-1"), episode("INC-2", 5, supersedes=["INC-1"], body="The root cause was a bad disk.")],
        "superseded",
    ),
    "topology": (
        [
            episode("INC-1"),
            {
                "op": "topology", "source": "cmdb", "at": "2026-05-01T00:00:00Z", "audience": [["*"]],
                "edges": [["checkout", "depends_on", "old-db"]], "valid_from": "2026-05-01T00:00:00Z",
                "valid_to": "2026-09-01T00:00:00Z",
            },
            {
                "op": "topology", "source": "cmdb", "at": "2026-09-01T00:00:00Z", "audience": [["*"]],
                "edges": [["checkout", "depends_on", "new-db"]], "valid_from": "2026-09-01T00:00:00Z",
            },
        ],
        "leans on has changed",
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", KEPT_OUT)
def test_what_does_not_apply_is_no_hint_and_says_why(org: Org, why: str) -> None:
    events, reason = KEPT_OUT[why]
    taken(org, events)

    found = briefed(org)

    assert [one for one in found.hints if CAUSE in one.statement] == []
    assert any(reason in one.why for one in found.left_out)


def test_what_was_deleted_is_neither_a_hint_nor_left_out(org: Org) -> None:
    gone = {"op": "delete", "source": "postmortems", "id": "INC-1", "at": "2026-06-02T00:00:00Z"}
    taken(org, [episode("INC-1"), gone])

    found = briefed(org)

    assert (found.hints, found.left_out) == ((), ())


def test_an_outsiders_episode_is_no_hint(org: Org, tmp_path: Path) -> None:
    outside(org, tmp_path, [episode("INC-1", source="web", author=None)])

    found = briefed(org)

    assert found.hints == ()
    assert [one.why for one in found.left_out] == ["nobody confirmed its cause"]


def test_an_episode_of_our_own_is_a_hint_once_a_person_confirmed_its_cause(org: Org) -> None:
    def closed(title: str, **ending: object) -> None:
        desk = org.reader("user:bo").incidents
        incident = desk.open(Start(title, service="checkout", environment="prod",
                                   signals=("HighErrorRate",), audience=SRE)).incident  # fmt: skip
        seen = desk.observe(incident, Observed("100 of 100 connections are taken", tool="psql", query="q"))
        desk.close(incident, Ending(CAUSE, (seen.id,), "It was enlarged.", **ending))  # type: ignore[arg-type]

    closed("Checkout fails")
    assert briefed(org).hints == ()

    closed("Checkout fails again", confirmed_by="me", check="count connections")
    (hint,) = briefed(org, title="once more").hints
    assert (hint.statement, hint.check) == (CAUSE, "count connections")


def test_what_is_refuted_again_and_again_is_no_hint_any_more(org: Org) -> None:
    taken(org, [episode("INC-1")])
    desk = org.reader("user:ann").incidents
    for number in range(2):
        incident = begun(org, title=f"number {number}")
        (hint,) = desk.briefing(incident).hints
        seen = desk.observe(incident, Observed("7 of 100 connections are taken"))
        desk.verdict(incident, hint.id, "refuted", [seen.id])

    found = briefed(org, title="number 3")

    assert found.hints == ()
    assert [one.why for one in found.left_out] == ["refuted more often than adopted"]
    assert [one.id for one in desk.unused()] == [found.left_out[0].id]


def test_what_was_adopted_comes_before_what_was_not(org: Org) -> None:
    taken(org, [episode("INC-1"), episode("INC-2", body="The root cause of INC-2 was a full disk.")])
    desk, incident = org.reader("user:ann").incidents, begun(org)
    first, second = desk.briefing(incident).hints
    seen = desk.observe(incident, Observed("nothing in particular"))

    desk.verdict(incident, second.id, "adopted", [seen.id])

    again = desk.briefing(begun(org, title="later")).hints
    assert [one.id for one in again] == [second.id, first.id]
    assert "adopted 1 times" in again[0].why


def test_a_chinese_episode_is_a_hint_for_an_english_incident(org: Org) -> None:
    taken(org, [episode("INC-1", body="INC-1 的根本原因是连接池耗尽。", title="INC-1 结账失败")])

    (hint,) = briefed(org).hints

    assert "连接池耗尽" in hint.statement


def test_an_episode_of_another_service_with_the_same_alert_is_no_hint(org: Org) -> None:
    taken(org, [episode("INC-1", service="search")])

    assert briefed(org).hints == ()


def test_a_briefing_keeps_its_budget(org: Org) -> None:
    taken(org, [episode(f"INC-{n}", n) for n in range(1, 9)])
    incident = begun(org)

    for budget in (1, 40, 90, 4_000):
        found = org.reader("user:ann").incidents.briefing(incident, budget)
        assert found.budget.used <= budget
        assert len(found.hints) <= 5


def test_a_hint_adds_nothing_to_the_incident(org: Org) -> None:
    taken(org, [episode("INC-1")])
    incident = begun(org)

    org.reader("user:ann").incidents.briefing(incident)

    shown = org.reader("user:ann").incidents.show(incident)
    assert (len(shown.entries), shown.hypotheses) == (1, ())


def test_what_is_hidden_moves_no_byte_of_a_briefing(org: Org) -> None:
    taken(org, [episode("INC-1"), episode("INC-2", 3, labels={"alertname": "HighErrorRate", "env": "dev"})])
    incident, ann = begun(org), org.reader("user:ann").incidents
    before = [repr(ann.briefing(incident)), repr(ann.unused()), repr(ann.duplicates()), repr(ann.every())]

    hidden = {"audience": [["group:legal"]]}
    edge = {"op": "topology", "source": "x", "at": "2026-06-01T00:00:00Z", **hidden}
    taken(org, [
        episode("INC-7", 1, **hidden),
        episode("INC-8", 2, supersedes=["INC-1"], source="postmortems", **hidden),
        {**edge, "edges": [["checkout", "depends_on", "vault"]], "valid_from": "2026-08-01T00:00:00Z"},
        {"op": "delete", "source": "postmortems", "id": "INC-7", "at": "2026-06-03T00:00:00Z"},
    ])  # fmt: skip
    cy = org.reader("user:cy").incidents
    cy.observe(cy.open(Start("Checkout fails", service="checkout")).incident, Observed("hidden"))

    after = [repr(ann.briefing(incident)), repr(ann.unused()), repr(ann.duplicates()), repr(ann.every())]
    assert after == before


def test_an_incident_opened_from_an_alert_is_not_for_who_loses_the_alert(org: Org) -> None:
    taken(org, [said("a1", "It fails.", source="alerts", kind="alert", audience=[["group:sre"]])])
    incident = org.reader("user:ann").incidents.open(Start(alert="alerts:a1", audience=("user:cy",))).incident

    with pytest.raises(Refused):
        org.reader("user:cy").incidents.show(incident)


# ── procedures ──


def test_a_procedure_needs_value_evidence_a_cause_and_a_scope(org: Org) -> None:
    desk = org.reader("user:bo").incidents
    bare = desk.open(Start("Something fails", audience=SRE)).incident
    kept = desk.close(bare, Ending(None, (), "It went away."))

    with pytest.raises(Usage, match=r"lacks why it is of use.*evidence.*confirmed.*scope"):
        desk.propose(kept.id, ["Restart it"], "")


def test_a_proposed_procedure_is_served_once_somebody_else_approved_it(org: Org) -> None:
    desk = org.reader("user:bo").incidents
    incident = desk.open(Start("Checkout fails", service="checkout", environment="prod",
                               signals=("HighErrorRate",), audience=SRE)).incident  # fmt: skip
    seen = desk.observe(incident, Observed("100 of 100 connections are taken", tool="psql", query="q"))
    kept = desk.close(incident, Ending(CAUSE, (seen.id,), "It was enlarged.", confirmed_by="me"))

    desk.propose(kept.id, ["Set the pool of checkout to 200"], "the pool fills every quarter")

    assert [one.kind for one in briefed(org).hints] == ["episode"]
    for who in ("user:bo", "user:sam"):
        org.steward("user:owner").grant_role(who, "steward")
    (waiting,) = [one for one in org.steward("user:sam").candidates() if one.kind == "procedure"]
    with pytest.raises(Refused):
        org.steward("user:bo").approve(waiting.id)

    org.steward("user:sam").approve(waiting.id)

    found = briefed(org, title="again")
    assert {one.kind for one in found.hints} == {"episode", "procedure"}
    (told,) = [one for one in found.hints if one.kind == "procedure"]
    assert "Set the pool of checkout to 200" in told.statement


def investigated(org: Org, clock: Clock, cause: str, *, action: str = "Raise the pool") -> str:
    """An incident of its own, closed with a confirmed cause; its episode."""
    clock.forward(hours=1)
    desk = org.reader("user:bo").incidents
    start = Start("Checkout fails", None, "checkout", "prod", None, ("HighErrorRate",), (), SRE)
    incident = desk.open(start).incident
    seen = desk.observe(incident, Observed(f"what is seen of {incident}", tool="psql", query="q"))
    # Said in words of an earlier incident, it rests on that too, and is named to be part of the episode.
    done = desk.observe(incident, Observed(action, kind="action", outcome="it helped"))
    return desk.close(incident, Ending(cause, (seen.id, done.id), "It was well.", confirmed_by="me")).id


def test_a_cause_that_came_back_is_told_until_it_is_proposed(org: Org, clock: Clock) -> None:
    twice = [investigated(org, clock, f"{CAUSE} of checkout") for _ in range(2)]
    desk = org.reader("user:bo").incidents
    before = desk.recurring()
    investigated(org, clock, "a certificate that ran out", action="Renew it")
    third = investigated(org, clock, f"again {CAUSE} of checkout", action="raise the  pool")

    (found,) = desk.recurring()
    hidden = org.reader("user:cy").incidents.recurring()
    first, *also = found.instances
    desk.propose(first, found.steps, "the pool fills every quarter", also)

    assert (before, hidden) == ([], [])
    assert found.instances == (third, *reversed(twice))
    assert (found.service, found.environment, found.signals) == ("checkout", "prod", ("higherrorrate",))
    assert found.steps == ("raise the  pool",)
    assert desk.recurring() == []
    org.steward("user:owner").grant_role("user:sam", "steward")
    (waiting,) = [one for one in org.steward("user:sam").candidates() if one.kind == "procedure"]
    org.steward("user:sam").approve(waiting.id)
    assert "procedure" in {one.kind for one in briefed(org, title="again").hints}


# ── topology and upkeep ──


def test_topology_is_as_it_was(org: Org) -> None:
    taken(org, KEPT_OUT["topology"][0][1:])
    desk = org.reader("user:ann").incidents

    assert desk.topology("checkout", "2026-06-01").leans_on == ("old-db",)
    assert desk.topology("Checkout").leans_on == ("new-db",)
    assert desk.topology("new-db").leaning == ("checkout",)


def test_several_services_have_in_common_what_they_all_lean_on(org: Org) -> None:
    edges = [["a", "depends_on", "queue"], ["b", "depends_on", "c"], ["c", "depends_on", "queue"],
             ["queue", "depends_on", "disk"], ["disk", "depends_on", "queue"]]  # fmt: skip
    event = {"op": "topology", "source": "cmdb", "at": "2026-05-01T00:00:00Z", "audience": [["*"]]}
    taken(org, [{**event, "edges": edges}])

    assert org.reader("user:ann").incidents.fault_domain(["a", "b"]).shared == ("queue", "disk")


def test_two_episodes_of_one_cause_are_named_as_duplicates(org: Org) -> None:
    taken(org, [episode("INC-1"), episode("INC-2", 4), episode("INC-3", 5, body="Root cause: a full disk.")])

    (found,) = org.reader("user:ann").incidents.duplicates()

    assert all(CAUSE in one for one in found.statements)
