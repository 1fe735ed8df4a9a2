"""Revocation holds on the next read, and nothing is readable before its audience is known as fresh as it is.

A machine says memberships, audiences and content in any order, turns the clock, and after each step asks
everyone what they can read. What they should is worked out from what was said, in words.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from typing_extensions import override

from muniment.app import Org, SourceChange
from muniment.domain.audience import Audience
from muniment.domain.principals import Permitted
from muniment.gate import containers, directory, policy
from muniment.items import fold
from muniment.store.pool import Connection
from tests.planted import plant
from tests.worlds import START, Clock, open_org

PEOPLE = ("user:ann", "user:bo", "user:eve")
GROUPS = ("group:a", "group:b")
CHANNELS = ("C1", "C2")
hours = st.integers(0, 30)
worlds = count()
WORDS = frozenset("member brief audience content recall deactivate limit wait".split())


@dataclass
class Told:
    """Everything that was said, in no order, and the limit on the source."""

    edges: list[tuple[int, int, str, str, bool, int | None]] = field(default_factory=list)
    channels: list[tuple[int, int, str, str | None, int | None, bool]] = field(default_factory=list)
    items: dict[str, tuple[int, str | None, str | None, str]] = field(default_factory=dict)
    recalled: set[str] = field(default_factory=set)
    deactivated: set[str] = field(default_factory=set)
    limit: int | None = None

    def holds(self, member: str, group: str, now: float) -> bool:
        """The latest word on an edge, removal before addition, in its period."""
        said = [one for one in self.edges if one[2:4] == (member, group)]
        last = max((one[:2] for one in said), default=None)
        return bool(said) and all(
            there and (until is None or now < until)
            for *key, _, _, there, until in said
            if tuple(key) == last
        )

    def subjects(self, who: str, now: float) -> set[str]:
        if who in self.deactivated:
            return set()
        found = {who}
        while more := {g for g in GROUPS for m in found if self.holds(m, g, now)} - found:
            found |= more
        return found

    def audience(self, channel: str, now: float) -> str | None:
        """Whom a channel is for; None where nobody said, or nobody vouched for it in time."""
        said = [one for one in self.channels if one[2] == channel]
        named = [one for one in said if one[3] is not None]
        if not named:
            return None
        if self.limit is not None and not max(said)[5]:
            verified = [one for one in said if one[4] is not None]
            through = max(verified)[4] if verified else None
            if through is None or through + self.limit < now:
                return None
        return max(named)[3]

    def is_covered(self, channel: str, at: int) -> bool:
        """Whether its audience is known at least as fresh as content of that hour."""
        said = [one for one in self.channels if one[2] == channel]
        verified = [one for one in said if one[4] is not None]
        if not any(one[3] is not None for one in said):
            return False
        return max(said)[5] or (bool(verified) and (max(verified)[4] or 0) >= at)

    def readable(self, who: str, now: float) -> set[str]:
        mine = self.subjects(who, now)
        return {name for name in self.items if mine & self.for_whom(name, now)}

    def for_whom(self, name: str, now: float) -> set[str]:
        at, channel, audience, author = self.items[name]
        if audience is not None:
            found = {audience}
        elif channel is None or not self.is_covered(channel, at):
            found = {author}
        else:
            found = {self.audience(channel, now) or "nobody"}
        if name not in self.recalled:
            return found
        # A recall leaves it to its author, if it was theirs to read.
        return {author} if found & self.subjects(author, now) else set()


class Revoking(RuleBasedStateMachine):
    """One organisation, told things out of order."""

    url: str
    words: frozenset[str] = WORDS

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock(START)
        self.org: Org = self.opened(f"revoking-{next(worlds)}")
        self.told = Told()
        self.order = count(1)
        self.hour = 0
        self.saying: list[dict[str, object]] = []

        # So that there is something to take away from the first step on.
        for who, group in (("user:ann", "group:a"), ("user:bo", "group:b")):
            self.say_member(who, group, 0, there=True, until=None)
        self.say_audience("C1", 0, whom="group:a", through=0, live=False)
        for channel, whom in ((None, "group:a"), (None, "group:b"), ("C1", None), ("C2", None)):
            self.hand_in(0, channel, whom, "user:eve")

    def opened(self, tenant: str) -> Org:
        """The organisation, as it is read."""
        return open_org(self.url, tenant, self.clock)

    @override
    def teardown(self) -> None:
        self.org.close()

    def say(self, **event: object) -> None:
        self.saying.append(event)

    def hand_over(self) -> None:
        """What a step said, as one batch."""
        if self.saying:
            receipt = self.org.ingest(self.saying)
            assert receipt.quarantined == 0, receipt.items
            self.saying = []

    def at(self, hour: int) -> str:
        return (START + timedelta(hours=hour)).isoformat()

    @precondition(lambda self: "member" in self.words)
    @rule(
        member=st.sampled_from([*PEOPLE, *GROUPS]),
        group=st.sampled_from(GROUPS),
        at=hours,
        there=st.booleans(),
        lasts=st.none() | st.integers(1, 20),
    )
    def member(self, *, member: str, group: str, at: int, there: bool, lasts: int | None) -> None:
        at = min(at, self.hour)
        self.say_member(member, group, at, there=there, until=at + lasts if there and lasts else None)

    @precondition(lambda self: "brief" in self.words)
    @rule(member=st.sampled_from(PEOPLE), group=st.sampled_from(GROUPS), lasts=st.integers(1, 4))
    def brief(self, *, member: str, group: str, lasts: int) -> None:
        self.say_member(member, group, self.hour, there=True, until=self.hour + lasts)

    def say_member(self, member: str, group: str, at: int, *, there: bool, until: int | None) -> None:
        version = next(self.order)
        period = {} if until is None else {"valid_to": self.at(until)}
        said = {"add" if there else "remove": [member], **period}
        self.say(op="member", source="dir", group=group, at=self.at(at), version=str(version), **said)
        self.told.edges.append((at, version, member, group, there, until))

    @precondition(lambda self: "audience" in self.words)
    @rule(
        channel=st.sampled_from(CHANNELS),
        at=hours,
        whom=st.none() | st.sampled_from([*PEOPLE, *GROUPS]),
        through=st.none() | hours,
        live=st.booleans(),
    )
    def audience(self, *, channel: str, at: int, whom: str | None, through: int | None, live: bool) -> None:
        self.say_audience(channel, min(at, self.hour), whom=whom, through=through, live=live)

    def say_audience(
        self, channel: str, at: int, *, whom: str | None, through: int | None, live: bool
    ) -> None:
        version = next(self.order)
        event: dict[str, Any] = {"live": live}
        event |= {} if whom is None else {"audience": [whom]}
        event |= {} if through is None else {"verified_through": self.at(through)}
        self.say(
            op="audience", source="chat", container=channel, at=self.at(at), version=str(version), **event
        )
        self.told.channels.append((at, version, channel, whom, through, live))

    @precondition(lambda self: "content" in self.words)
    @rule(
        at=hours,
        channel=st.none() | st.sampled_from(CHANNELS),
        whom=st.none() | st.none() | st.sampled_from([*PEOPLE, *GROUPS]),
        author=st.sampled_from(PEOPLE),
    )
    def content(self, at: int, channel: str | None, whom: str | None, author: str) -> None:
        self.hand_in(at, channel, author if channel is None and whom is None else whom, author)

    def hand_in(self, at: int, channel: str | None, whom: str | None, author: str) -> None:
        name = f"m{next(self.order)}"
        event: dict[str, Any] = {} if whom is None else {"audience": [whom]}
        event |= {"author": author, "container": channel, "kind": "message", "body": f"zebra {name}"}
        self.say(op="upsert", source="chat", id=name, at=self.at(at), **event)
        self.told.items[name] = (at, channel, whom, author)

    @precondition(lambda self: "recall" in self.words)
    @rule(data=st.data())
    def recall(self, data: st.DataObject) -> None:
        left = sorted(self.told.items.keys() - self.told.recalled)
        if left:
            name = data.draw(st.sampled_from(left))
            self.say(op="recall", source="chat", id=name, at=self.at(40))
            self.told.recalled.add(name)

    @precondition(lambda self: "deactivate" in self.words)
    @rule(who=st.sampled_from(PEOPLE[:2]))
    def deactivate(self, who: str) -> None:
        self.org.steward("user:owner").remove_member(who)
        self.told.deactivated.add(who)

    @precondition(lambda self: "limit" in self.words)
    @rule(limit=st.none() | st.integers(1, 10))
    def limit(self, limit: int | None) -> None:
        within = "off" if limit is None else timedelta(hours=limit)
        self.clock.forward(seconds=1)
        self.org.steward("user:owner").set_source("chat", SourceChange(verify_within=within))  # type: ignore[arg-type]
        self.told.limit = limit

    @precondition(lambda self: "wait" in self.words)
    @rule(by=st.integers(1, 8))
    def wait(self, by: int) -> None:
        self.hour += by
        self.clock.forward(hours=by)

    @invariant()
    def everyone_reads_what_they_may_now(self) -> None:
        self.hand_over()
        now = (self.clock.at - START) / timedelta(hours=1)
        for who in PEOPLE:
            hits = self.org.reader(who).search("zebra", limit=200)
            found = {hit.item for hit in hits}
            right = self.told.readable(who, now)
            assert found == right, (who, sorted(found ^ right, key=str))


def play(url: str, examples: int, steps: int, words: frozenset[str] = WORDS) -> None:
    """So many runs of the machine, each in an organisation of its own, in which only these words are said."""
    machine = type("RevokingHere", (Revoking,), {"url": url, "words": words})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            phases=(Phase.generate, Phase.shrink) if words == WORDS else (Phase.generate,),
            database=None,
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_everyone_reads_what_they_may_now_whatever_was_said_in_whatever_order(
    url: str, *, prove: bool
) -> None:
    """5,000 steps in `make prove`."""
    play(url, 100 if prove else 4, 50 if prove else 20)


# The same machine, shown faults it must find

FOUND = (400, 15)  # runs and steps within which every fault shows; most do in a few
FAULTS = {
    "the deactivated read on": (
        "permitted",
        "p.standing is distinct from 'deactivated'",
        "true",
        frozenset({"member", "deactivate"}),
    ),
    "a membership outlives its period": (
        "permitted",
        "m.valid_to > %(now)s",
        "true",
        frozenset({"brief", "wait"}),
    ),
    "a container nobody vouches for stays open": (
        "permitted",
        "c.closes_at < %(now)s",
        "false",
        frozenset({"audience", "limit", "wait"}),
    ),
    "an older word on an edge decides": (
        "edges_until",
        "order by m.at desc, m.version desc",
        "order by m.at, m.version",
        frozenset({"member"}),
    ),
    "an older audience decides": (
        "containers_until",
        "order by x.at desc, x.version desc",
        "order by x.at, x.version",
        frozenset({"audience"}),
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found(url: str, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    statement, right, wrong, words = FAULTS[name]
    assert right in policy._SQL[statement]
    broken = {**policy._SQL, statement: policy._SQL[statement].replace(right, wrong)}
    modules: tuple[ModuleType, ...] = (policy, directory, containers)
    for module in modules:
        plant(monkeypatch, module, "_SQL", broken)

    with pytest.raises(AssertionError):
        play(url, *FOUND, words)


def test_rights_that_are_remembered_are_found(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    resolved: dict[tuple[str, str], Permitted] = {}
    right = policy.permitted

    def remembered(conn: Connection, tenant: str, name: str, now: Any) -> Permitted:
        if (tenant, name) not in resolved:
            resolved[tenant, name] = right(conn, tenant, name, now)
        return resolved[tenant, name]

    plant(monkeypatch, policy, "permitted", remembered)

    with pytest.raises(AssertionError):
        play(url, *FOUND, frozenset({"member"}))


def test_content_that_does_not_wait_for_its_audience_is_found(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = fold._label

    def hasty(
        state: str, audience: Audience, body: Any, grants: frozenset[str], *, pending: bool
    ) -> Audience:
        return right(state, audience, body, grants, pending=pending and audience == fold.NOBODY)

    plant(monkeypatch, fold, "_label", hasty)

    with pytest.raises(AssertionError):
        play(url, *FOUND, frozenset({"audience"}))
