"""Memories looked after: found, shown before they are acted on, withheld, merged, and all of it undone."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from muniment.app import Org
from muniment.domain.errors import Conflict, Malformed, Refused, Usage
from muniment.domain.incidents import Hint
from muniment.domain.investigating import Ending, Observed, Start
from muniment.steward.forgetting import read_policy
from muniment.steward.upkeep import Upkeep
from tests.worlds import Clock, Event, member, open_org, person, said, taken

SRE = ("group:sre",)
CAUSE = "an exhausted connection pool"
OLD = {"never-hit": timedelta(days=90)}


def episode(id: str, cause: str = CAUSE, hours: float = 0, **fields: object) -> Event:  # noqa: A002
    """A finished incident of the checkout service, told by a member."""
    return {
        **said(id, f"The root cause of {id} was {cause}.", hours),
        "source": "postmortems",
        "kind": "episode",
        "title": f"{id}: checkout fails",
        "service": "checkout",
        "author": "user:bo",
        "labels": {"alertname": "HighErrorRate", "env": "prod"},
        "audience": [["group:sre"]],
        **fields,
    }


@pytest.fixture
def org(url: str, tenant: str, clock: Clock) -> Iterator[Org]:
    with open_org(url, tenant, clock) as opened:
        people = [person(f"user:{name}") for name in ("ann", "bo", "cy", "sam", "eve")]
        groups = [member("group:sre", "user:ann", "user:bo", "user:sam"), member("group:legal", "user:cy")]
        taken(opened, [*people, *groups])
        owner = opened.steward("user:owner")
        for name in ("user:sam", "user:eve"):
            owner.grant_role(name, "steward")
        yield opened


@pytest.fixture
def desk(org: Org) -> Upkeep:
    return org.steward("user:sam").upkeep


def hints(org: Org) -> tuple[Hint, ...]:
    start = Start("Checkout fails", None, "checkout", "prod", None, ("HighErrorRate",), (), SRE)
    found = org.reader("user:ann").incidents.open(start).incident
    return org.reader("user:ann").incidents.briefing(found).hints


def judged(org: Org, hint: str, verdict: str, reason: str) -> None:
    desk = org.reader("user:ann").incidents
    incident = desk.open(Start(f"Checkout fails: {reason}", service="checkout", audience=SRE)).incident
    seen = desk.observe(incident, Observed(f"what is seen: {reason}"))
    desk.verdict(incident, hint, verdict, (seen.id,), reason)


def kinds(desk: Upkeep) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for one in desk.findings():
        found.setdefault(one.source.partition(":")[2], set()).add(one.kind)
    return found


def test_each_memory_is_found_with_every_reason(org: Org, desk: Upkeep) -> None:
    taken(org, [
        episode("INC-1"),
        episode("INC-2", hours=1),
        episode("INC-3", "a full disk on the ledger", 2),
        episode("INC-4", "a wrong certificate", 3, service="billing"),
        episode("INC-5", "a broken switch", 4, service="billing", supersedes=["INC-4"]),
    ])  # fmt: skip
    (doubted,) = (
        one.id for one in desk.findings() if one.source.endswith("INC-3") and one.kind == "never-hit"
    )
    for reason in ("the disk has room", "the disk is empty"):
        judged(org, doubted, "refuted", reason)

    assert kinds(desk) == {
        "INC-1": {"never-hit", "conflicting"},
        "INC-2": {"never-hit", "duplicate", "conflicting"},
        "INC-3": {"low-confidence"},
        "INC-4": {"never-hit", "superseded"},
        "INC-5": {"never-hit"},
    }


def test_what_is_shown_is_what_is_done_and_it_is_undone_by_its_batch(org: Org, desk: Upkeep) -> None:
    taken(org, [episode("INC-1"), episode("INC-2", "a full disk", 1)])

    shown = desk.retire((), OLD)
    assert len(hints(org)) == 2
    done = desk.retire((), OLD, seen=shown.seen, reason="nobody needs them")

    assert shown.batch is None
    assert len(shown.memories) == 2
    assert hints(org) == ()
    assert org.reader("user:ann").search("connection pool") == []
    assert desk.findings() == []
    assert done.batch is not None
    back = desk.restore(done.batch)
    assert len(back.memories) == len(hints(org)) == 2
    with pytest.raises(Refused):
        desk.restore(done.batch)


def test_one_of_a_batch_can_be_restored_and_retired_again(org: Org, desk: Upkeep, clock: Clock) -> None:
    taken(org, [episode("INC-1"), episode("INC-2", "a full disk", 1)])
    done = desk.retire((), OLD, seen=desk.retire((), OLD).seen)
    (one,) = (one.id for one in done.memories if one.source.endswith("INC-1"))

    for _ in range(2):
        desk.restore(one)
        assert [hint.id for hint in hints(org)] == [one]
        desk.retire([one], seen=desk.retire([one]).seen)
        assert hints(org) == ()
        clock.forward(minutes=1)


def test_what_has_changed_since_it_was_shown_is_not_done(org: Org, desk: Upkeep) -> None:
    taken(org, [episode("INC-1")])
    shown = desk.retire((), OLD)
    taken(org, [episode("INC-2", "a full disk", 1)])

    with pytest.raises(Conflict):
        desk.retire((), OLD, seen=shown.seen)
    with pytest.raises(Conflict):
        desk.merge([one.id for one in desk.retire((), OLD).memories], seen=shown.seen)

    assert len(hints(org)) == 2


def test_a_merge_keeps_the_verdicts_and_counter_examples_of_both(org: Org, desk: Upkeep) -> None:
    taken(org, [episode("INC-1"), episode("INC-2", hours=1)])
    (pair,) = org.reader("user:ann").incidents.duplicates()
    judged(org, pair.one, "adopted", "the pool was full")
    judged(org, pair.other, "adopted", "it was full again")
    judged(org, pair.other, "refuted", "the pool was half empty")
    ids = [pair.one, pair.other]

    done = desk.merge(ids, seen=desk.merge(ids).seen, reason="one cause")

    (hint,) = hints(org)
    assert hint.id == pair.one
    assert "adopted 2 times, refuted 1 times" in hint.why
    assert "the pool was half empty" in str(hint.conditions["counter_examples"])
    assert org.reader("user:ann").incidents.duplicates() == []
    assert len(org.reader("user:ann").search("connection pool", kind="episode")) == 2
    assert done.batch is not None
    desk.restore(done.batch)
    assert len(hints(org)) == 2


def test_a_merge_is_known_to_whoever_may_read_all_of_it(org: Org, desk: Upkeep) -> None:
    taken(org, [episode("INC-1"), episode("INC-2", hours=1, audience=[["user:sam", "user:bo"]])])
    ids = [one.id for one in desk.retire((), OLD).memories]
    before = hints(org)

    desk.merge(ids[::-1], seen=desk.merge(ids[::-1]).seen)

    assert hints(org) == before


def test_a_policy_retires_what_is_of_no_use_for_long_enough(org: Org, desk: Upkeep) -> None:
    taken(org, [episode("INC-1"), episode("INC-2", "a full disk", at="2026-11-01T00:00:00Z")])
    policy = "forget:\n  never-hit: 90d\n  low-confidence: 30d\n"

    done = desk.forget(policy, seen=desk.forget(policy).seen)

    assert [one.source for one in done.memories] == ["postmortems:INC-1"]
    assert read_policy(policy) == {"never-hit": timedelta(days=90), "low-confidence": timedelta(days=30)}


@pytest.mark.parametrize(
    "policy",
    ["", "keep: 1d", "forget: {never-hit: soon}", "forget: {rumour: 1d}", "forget: [1]", "forget: {"],
)
def test_a_policy_that_cannot_be_read_forgets_nothing(desk: Upkeep, policy: str) -> None:
    with pytest.raises(Malformed):
        desk.forget(policy)


def test_a_steward_acts_on_what_they_may_read_and_nobody_else_does(org: Org, desk: Upkeep) -> None:
    taken(org, [episode("INC-1")])
    (one,) = desk.retire((), OLD).memories
    eve = org.steward("user:eve").upkeep

    assert eve.findings() == []
    for id_ in (one.id, "h_" + "0" * 32):
        with pytest.raises(Refused):
            eve.retire([id_])
    done = desk.retire([one.id], seen=desk.retire([one.id]).seen)
    for name in (done.batch, one.id, "u_0"):
        with pytest.raises(Refused):
            eve.restore(str(name))
    with pytest.raises(Refused):
        org.steward("user:ann")


def test_what_makes_no_sense_is_said(desk: Upkeep) -> None:
    with pytest.raises(Usage, match="two memories"):
        desk.merge(["h_1", "h_1"])
    with pytest.raises(Usage, match="unknown"):
        desk.retire((), {"rumour": timedelta()})
    with pytest.raises(Usage, match="nothing to retire"):
        desk.retire((), OLD, seen="0")


def test_an_episode_and_a_procedure_of_our_own_are_retired_and_hold_again(org: Org, desk: Upkeep) -> None:
    ann = org.reader("user:ann").incidents
    start = Start("Checkout is down", None, "checkout", "prod", None, ("HighErrorRate",), (), SRE)
    incident = ann.open(start).incident
    seen = ann.observe(incident, Observed("the pool is full"))
    ending = Ending(CAUSE, (seen.id,), "raised", confirmed_by="me")
    kept = ann.close(incident, ending)
    ann.propose(kept.id, ["Raise the pool"], "it comes back every week")
    (waiting,) = org.steward("user:sam").candidates()
    org.steward("user:sam").approve(waiting.id)
    before = sorted((one.kind, one.statement) for one in hints(org))

    ids = sorted({one.id for one in desk.findings()})
    done = desk.retire(ids, seen=desk.retire(ids).seen)
    without = hints(org)
    desk.restore(str(done.batch))

    assert [kind for kind, _ in before] == ["episode", "procedure"]
    assert without == ()
    assert sorted((one.kind, one.statement) for one in hints(org)) == before


def test_what_its_source_recalled_is_not_undone_here(org: Org, desk: Upkeep) -> None:
    taken(org, [episode("INC-1")])
    (one,) = desk.retire((), OLD).memories
    taken(org, [{"op": "recall", "source": "postmortems", "id": "INC-1", "at": "2026-07-01T00:00:00Z"}])

    with pytest.raises(Refused):
        desk.restore(one.id)
