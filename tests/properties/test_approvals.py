"""A rule that may not act by itself acts once somebody else has approved exactly what it is now."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest

from muniment.app import Org
from muniment.domain.errors import Conflict, Refused
from muniment.gate.binding import writing
from muniment.jobs import verdicts
from muniment.jobs.rebuild import fingerprint, rebuild
from tests.planted import plant
from tests.worlds import Clock, Event, member, open_org, outside, person, said, taken

SEQUENCES = 4  # 100 in `make prove`
STEPS = 12
RULE = "Refunds must be approved by the finance team."
AUTHOR, OTHERS = "user:ann", ("user:sam", "user:tess")
START_OF_YEAR = "2026-01-01"


@dataclass
class World:
    """A rule from outside, what it was made from, and what a model says of it.

    `seen`: tokens that were shown.
    """

    org: Org
    clock: Clock
    folder: Path
    context: str = "It was agreed."
    origin: str = "The origin."
    hours: int = 0
    decided: tuple[str, tuple[str, str]] | None = None
    seen: list[tuple[str, tuple[str, str]]] = field(default_factory=list)

    @property
    def content(self) -> tuple[str, str]:
        return self.context, self.origin

    @property
    def is_approved(self) -> bool:
        return self.decided == ("approve", self.content)

    @property
    def is_rejected(self) -> bool:
        return self.decided == ("reject", self.content)

    def say(self) -> None:
        """The rule and its origin, as they are now."""
        self.hours += 1
        whole = [
            said("origin", self.origin, self.hours, source="mail", author="user:eve"),
            self.rule(self.hours),
        ]
        outside(self.org, self.folder, whole)

    def rule(self, hours: int, **fields: object) -> Event:
        """The rule as it reads now."""
        own = {"source": "mail", "author": AUTHOR, "derived_from": ["origin"]}
        return said("rule", f"{self.context} {RULE}", hours, **{**own, **fields})

    def id(self) -> str:
        with writing(self.org._work.database, self.org.tenant) as conn:
            query = (
                b"select assertion from muniment.assertion where tenant = %(tenant)s and statement = %(rule)s"
            )
            (row, *_) = conn.execute(query, {"tenant": self.org.tenant, "rule": RULE}).fetchall()
        return f"c_{row[0].hex}"


def start(url: str, tenant: str, folder: Path) -> World:
    clock = Clock()
    org = open_org(url, tenant, clock)
    taken(org, [person(who) for who in (org.login, AUTHOR, "user:bo", *OTHERS)])
    for who in (AUTHOR, *OTHERS):
        org.steward(org.login).grant_role(who, "steward")
    world = World(org, clock, folder)
    world.say()
    return world


def tried(act: Callable[[], object]) -> str:
    """How it went."""
    try:
        act()
    except (Conflict, Refused) as error:
        return type(error).__name__
    return "done"


def approve(world: World, draw: random.Random) -> None:
    went = tried(lambda: world.org.steward(draw.choice(OTHERS)).approve(world.id()))
    assert went == ("Conflict" if world.is_approved or world.is_rejected else "done")
    if went == "done":
        world.decided = ("approve", world.content)


def approve_as_author(world: World, _: random.Random) -> None:
    assert tried(lambda: world.org.steward(AUTHOR).approve(world.id())) != "done"


def approve_what_was_shown_before(world: World, draw: random.Random) -> None:
    if not world.seen:
        return
    token, content = draw.choice(world.seen)
    went = tried(lambda: world.org.steward(draw.choice(OTHERS)).approve(world.id(), seen=token))
    is_open = not world.is_approved and not world.is_rejected
    assert (went == "done") == (is_open and content == world.content)
    if went == "done":
        world.decided = ("approve", world.content)


def look(world: World, draw: random.Random) -> None:
    shown = world.org.steward(draw.choice(OTHERS)).candidate(world.id())
    world.seen.append((shown.seen, world.content))
    void = world.decided is not None and world.decided[1] != world.content
    states = {"approve": "approved", "reject": "rejected", "hold": "held"}
    expected = "waiting" if world.decided is None else states[world.decided[0]]
    assert shown.state == ("void" if void else expected)


def edit(world: World, draw: random.Random) -> None:
    world.context = draw.choice(("It was agreed.", "It was never agreed.", "Somebody said so."))
    world.say()


def swap_evidence(world: World, draw: random.Random) -> None:
    world.origin = draw.choice(("The origin.", "Another origin.", "The opposite."))
    world.say()


def reject(world: World, draw: random.Random) -> None:
    went = tried(lambda: world.org.steward(draw.choice(OTHERS)).reject(world.id(), "no"))
    assert went == ("Conflict" if world.is_approved or world.is_rejected else "done")
    if went == "done":
        world.decided = ("reject", world.content)


def hold(world: World, draw: random.Random) -> None:
    went = tried(lambda: world.org.steward(draw.choice(OTHERS)).hold(world.id(), "later"))
    assert went == ("Conflict" if world.is_approved or world.is_rejected else "done")
    if went == "done":
        world.decided = ("hold", world.content)


def race(world: World, _: random.Random) -> None:
    """Two at once: one wins, and the other is told."""
    barrier, went = Barrier(2), []

    def run(who: str) -> None:
        steward, id_ = world.org.steward(who), world.id()
        barrier.wait()
        went.append(tried(lambda: steward.approve(id_)))

    threads = [Thread(target=run, args=(who,)) for who in OTHERS]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    closed = world.is_approved or world.is_rejected
    assert sorted(went) == (["Conflict", "Conflict"] if closed else ["Conflict", "done"])
    if not closed:
        world.decided = ("approve", world.content)


ACTS = (
    approve,
    approve_as_author,
    approve_what_was_shown_before,
    look,
    edit,
    swap_evidence,
    reject,
    hold,
    race,
)


def delivered(world: World) -> set[tuple[str, str]]:
    """What somebody who is no steward is told of the rule."""
    bo = world.org.reader("user:bo")
    hits = [*bo.search("refunds approved", unit="claim"), *bo.search("refunds approved")]
    cited = [hit.citation for hit in hits if hit.citation is not None and hit.item == "rule"]
    cited += [one for one in bo.ask("Who must approve refunds?").citations if one.item == "rule"]
    return {(one.status, one.trust) for one in cited if one.id.startswith("c_")}


def holds(world: World) -> None:
    """Only what was approved as it is now acts; everything else waits, or is not said at all."""
    if world.is_approved:
        assert delivered(world) == {("active", "approved")}
    elif world.is_rejected:
        assert delivered(world) == set()
    else:
        assert delivered(world) == {("candidate", "external_document")}


def test_only_what_was_seen_and_approved_by_another_acts(
    url: str, tenant: str, seed: int, tmp_path: Path, *, prove: bool
) -> None:
    for number in range(seed, seed + (100 if prove else SEQUENCES)):
        draw = random.Random(number)
        world = start(url, f"{tenant}-{number}", tmp_path)
        acts = [draw.choice(ACTS) for _ in range(STEPS)]
        for act in acts:
            world.clock.forward(minutes=1)
            act(world, draw)
            holds(world)
        with writing(world.org._work.database, world.org.tenant) as conn:
            before = fingerprint(conn, world.org.tenant)
        rebuild(world.org._work)
        with writing(world.org._work.database, world.org.tenant) as conn:
            assert fingerprint(conn, world.org.tenant) == before, f"MUNIMENT_SEED={number}"
        holds(world)
        world.org.close()


BESIDE = {
    "account": "Globex",
    "service": "billing",
    "kind": "document",
    "valid_from": "2020-01-01T00:00:00Z",
    "valid_to": "2090-01-01T00:00:00Z",
    "supersedes": ["policy"],
    "amends": ["policy", "chat:policy"],
    "superseded_by": ["policy"],
    "metadata": {"status": "draft"},
}


@pytest.mark.parametrize("field", BESIDE)
def test_an_approval_is_bound_to_what_stands_beside_the_words(
    url: str, tenant: str, tmp_path: Path, field: str
) -> None:
    """Over what a rule holds, from when until when, and what it replaces."""
    world = start(url, tenant, tmp_path)
    with world.org as org:
        org.steward("user:sam").approve(world.id())
        assert delivered(world) == {("active", "approved")}

        outside(org, tmp_path, [world.rule(10, **{field: BESIDE[field]})])

        assert org.steward("user:sam").candidate(world.id()).state == "void"
        assert {trust for _, trust in delivered(world)} == {"external_document"}


@pytest.mark.parametrize("change", [edit, swap_evidence], ids=["edited", "evidence swapped"])
def test_an_approval_that_is_bound_to_nothing_is_noticed(
    url: str, tenant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[..., None]
) -> None:
    """Planted fault: whatever it says, it looks like what was approved."""
    plant(monkeypatch, verdicts, "keyed_digest", lambda *_: b"the same whatever it says")
    world = start(url, tenant, tmp_path)
    draw = random.Random(1)
    approve(world, draw)
    holds(world)
    while world.is_approved:
        change(world, draw)

    with pytest.raises(AssertionError):
        holds(world)
    world.org.close()


@pytest.mark.parametrize("author", ["user:tess", "user:t2", "slack:U7", "Tess@X.example", "agent:scribe"])
def test_nobody_is_another_under_a_name_of_theirs(url: str, tenant: str, tmp_path: Path, author: str) -> None:
    """An alias, an address, a second account, and an agent that writes for them."""
    with open_org(url, tenant) as org:
        named: dict[str, Any] = {"emails": ["tess@x.example"], "aliases": ["slack:U7", "user:t2"]}
        taken(
            org,
            [person(AUTHOR), person("user:sam"), person("user:tess", **named), member("group:g", "user:t2")],
        )
        for steward in OTHERS:
            org.steward(org.login).grant_role(steward, "steward")
        rule = said("rule", RULE, source="mail", author=author)
        path = tmp_path / "rule.jsonl"
        path.write_text(json.dumps(rule), encoding="utf-8")
        org.add(path, trust="external_document", importer="user:tess" if "agent" in author else None)
        (waiting,) = org.steward("user:sam").candidates()

        with pytest.raises(Refused):
            org.steward("user:tess").approve(waiting.id)
        assert org.steward("user:sam").approve(waiting.id).state == "approved"


def test_an_organisation_of_one_approves_alone_for_less(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        org.reader(org.login).remember(f"Note. {RULE}")
        (waiting,) = org.steward(org.login).candidates()

        org.steward(org.login).approve(waiting.id)

        (hit,) = org.reader(org.login).search("refunds", unit="claim")
        assert hit.citation is not None
        assert (hit.citation.status, hit.citation.trust) == ("active", "approved_alone")


def test_a_candidate_is_shown_to_no_steward_who_may_not_read_it(
    url: str, tenant: str, tmp_path: Path
) -> None:
    with open_org(url, tenant) as org:
        taken(org, [person(who) for who in (org.login, "user:sam")])
        outside(org, tmp_path, [said("x", RULE, source="mail", audience=[["user:sam"]])])
        org.steward(org.login).grant_role("user:sam", "steward")
        (waiting,) = org.steward("user:sam").candidates()

        assert org.steward(org.login).candidates() == []
        refusals = []
        for id_ in (waiting.id, f"c_{'0' * 32}", "nonsense"):
            with pytest.raises(Refused) as refused:
                org.steward(org.login).approve(id_)
            refusals.append(str(refused.value).replace(id_, "X"))
        assert len(set(refusals)) == 1


def test_a_candidate_ends_and_contradicts_nothing(url: str, tenant: str, tmp_path: Path) -> None:
    with open_org(url, tenant) as org:
        taken(
            org,
            [
                person("user:ann"),
                said("ours", "The hotel limit is 140 EUR per night.", kind="document", title="Travel policy"),
            ],
        )
        theirs = said(
            "theirs",
            "The hotel limit is 900 EUR per night.",
            source="mail",
            valid_from=START_OF_YEAR,
            kind="document",
            title="Travel policy",
        )
        outside(org, tmp_path, [theirs])
        ann = org.reader("user:ann")

        assert ann.conflicts() == []
        page = ann.page("travel policy")
        titles = {section.title: [claim.status for claim in section.claims] for section in page.sections}
        assert titles == {"Policies": ["active"], "Candidates": ["candidate"]}
        assert "140" in ann.ask("What is the hotel limit per night?").text
