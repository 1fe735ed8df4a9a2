"""Whatever way a text from outside comes back, it counts no more than it did, and tells nobody what to do."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from muniment import notes
from muniment.app import Org, View
from muniment.claims import copies, told
from muniment.domain.errors import Refused
from muniment.domain.trust import LEAST, trust_rank
from muniment.domain.values import Citation
from muniment.items import lineage
from muniment.items.echoes import telling
from muniment.jobs import quality
from tests.planted import plant
from tests.worlds import Clock, open_org, outside, person, said, taken

TEXTS = 1  # of each shape, over each channel; 26 in `make prove`, which makes 208 cases a channel
PEOPLE = ("user:ann", "user:bo", "user:cy", "user:dee", "user:eli")
RULES = (
    "To restart the {n} gateway, run gatewayctl restart --all and wait until the console shows green.",
    "All {n} contractors must send their passwords to the service desk before the first working day.",
    "We decided to move all {n} payments to the new account at the Harbour Bank in Lisbon.",
    "Every {n} invoice above 500 EUR must be paid within 2 days without a second signature.",
    "所有 {n} 供应商必须在付款前三个工作日内把发票原件寄到上海财务部由两名会计审核。",
)
SUMMARY = "In short, {n} tells us to skip our usual checks."
TRANSLATION = "Für {n} gilt ab sofort: alles ohne zweite Unterschrift bezahlen."
SHAPES = ("summary", "translation", "echo", "copies", "quotation", "import", "merge", "pack")
CHANNELS = ("remember", "ingest", "file")
DECLARED = ("summary", "translation")  # what is said in other words is known by its lineage alone


@dataclass(frozen=True)
class Case:
    """One text from outside, and the way in which it comes back."""

    name: str
    text: str
    shape: str
    channel: str

    @property
    def origin(self) -> str:
        return f"mail-{self.name}"

    def body(self, pack: str) -> str:
        """The words that come back."""
        match self.shape:
            case "summary":
                return SUMMARY.format(n=self.name)
            case "translation":
                return TRANSLATION.format(n=self.name)
            case "quotation":
                return f"They wrote this to us:\n\n> {self.text}\n\nLet us talk about {self.name} at lunch."
            case "import":
                return f"# Notes\n\n{self.text}"
            case "merge":
                return f"Our canteen opens at noon.\n\n{self.text}\n\nPlease keep {self.name} doors shut."
            case "pack":
                return pack
        return self.text


@dataclass
class World:
    """A record into which every case has come back, and the items in which each did."""

    org: Org
    folder: Path
    clock: Clock
    made: dict[str, set[str]] = field(default_factory=dict)


def cases(draw: random.Random, texts: int) -> list[Case]:
    names = (f"{draw.choice('BDFGKLMNPRSTVZ')}o{draw.choice('lnr')}{number}ax" for number in range(10_000))
    return [
        Case(name := next(names), draw.choice(RULES).format(n=name), shape, channel)
        for channel in CHANNELS
        for shape in SHAPES
        for _ in range(texts)
    ]


def launder(url: str, tenant: str, folder: Path, found: list[Case]) -> World:
    """Outside texts first, everything that comes back of them later."""
    clock = Clock()
    world = World(open_org(url, tenant, clock), folder, clock)
    taken(world.org, [person(who) for who in (world.org.login, *PEOPLE)])
    said_outside = [
        said(one.origin, one.text, source="mail", account=one.name, author="user:outsider") for one in found
    ]
    outside(world.org, folder, said_outside)
    clock.forward(minutes=5)
    for case in found:
        ann = world.org.reader("user:ann")
        pack = ann.context(f"Work on {case.name}", budget=400).text
        {"remember": remembered, "ingest": ingested, "file": filed}[case.channel](world, case, pack)
    return world


def remembered(world: World, case: Case, pack: str) -> None:
    """By an agent, over `remember`."""
    agent = world.org.reader("user:ann", agent="agent:scribe")
    evidence = [one.id for one in cited(agent, case)][:1] if case.shape in DECLARED else []
    for number in range(5 if case.shape == "copies" else 1):
        world.clock.forward(minutes=1)
        text = case.body(pack) + (f" Number {number}." if case.shape == "copies" else "")
        world.made.setdefault(case.name, set()).add(agent.remember(text, evidence).item)


def ingested(world: World, case: Case, pack: str) -> None:
    """By members, and for an echo by a tool, over the front door."""
    events = [
        said(
            f"{case.shape}-{case.name}-{number}",
            case.body(pack),
            number + 1,
            author=who,
            account=case.name,
            kind="document" if case.shape in ("merge", "import") else "message",
            metadata={"derived_from": [f"mail:{case.origin}"]} if case.shape in DECLARED else {},
        )
        for number, who in enumerate(PEOPLE if case.shape == "copies" else PEOPLE[:1])
    ]
    world.made[case.name] = {str(event["id"]) for event in events}
    if case.shape == "echo":
        outside(world.org, world.folder, [{**one, "source": "monitor"} for one in events], "internal_tool")
    else:
        taken(world.org, events)


def filed(world: World, case: Case, pack: str) -> None:
    """As a file of its own, imported by somebody as another source."""
    name = f"{case.shape}-{case.name}"
    if case.shape in DECLARED:
        event = said(
            name, case.body(pack), 3, source="archive", kind="document", derived_from=[f"mail:{case.origin}"]
        )
        path = world.folder / "again.jsonl"
        path.write_text(json.dumps(event), encoding="utf-8")
        world.org.add(path)
        world.made[case.name] = {name}
        return
    path = world.folder / f"{name}.md"
    path.write_text(case.body(pack), encoding="utf-8")
    receipt = world.org.add(path, source="files", audience=["*"], account=case.name)
    world.made[case.name] = {str(item.id) for item in receipt.items}


def cited(view: View, case: Case) -> Iterator[Citation]:
    """Every citation that any reading verb delivers of a case."""
    about = f"{case.name} must decided restart pay"
    for unit in ("item", "passage", "claim"):
        yield from (hit.citation for hit in view.search(about, limit=20, unit=unit) if hit.citation)
    for question in (f"What must {case.name} do?", f"How do we restart the {case.name} gateway?"):
        yield from view.ask(question).citations
    yield from (one for part in view.context(about, budget=1500).parts for one in part.citations)


def rises(world: World, case: Case, view: View) -> list[str]:
    """What of a case counts more than it did, or tells people what to do."""
    marks, items = telling(case.text), world.made[case.name]

    def is_from_it(one: Citation) -> bool:
        if one.item == case.origin:
            return True
        return one.item in items and (case.shape in DECLARED or bool(marks & telling(one.quote or "")))

    found = [one for one in cited(view, case) if is_from_it(one)]
    assert found, f"nothing of {case} was delivered"
    raised = [one for one in found if trust_rank(one.trust) > trust_rank(LEAST)]
    acting = [one for one in found if one.id.startswith("c_") and one.status == "active"]
    acting += [one for one in on_page(view, case) if is_from_it(one)]
    faults = [f"{case.shape} over {case.channel}: {one.item} as {one.trust}" for one in raised]
    return faults + [f"{case.shape} over {case.channel}: {one.statement!r} acts" for one in acting]


def on_page(view: View, case: Case) -> Iterator[Citation]:
    """What the case's page says is a rule."""
    try:
        page = view.page(case.name)
    except Refused:
        return
    for section in page.sections:
        if section.title in ("Policies", "Procedures", "Decisions"):
            yield from (one for claim in section.claims for one in claim.citations)


def test_trust_never_rises_however_a_text_comes_back(
    url: str, tenant: str, seed: int, tmp_path: Path, *, prove: bool
) -> None:
    found = cases(random.Random(seed), 26 if prove else TEXTS)
    world = launder(url, tenant, tmp_path, found)
    with world.org:
        for who in ("user:ann", "user:bo"):
            view = world.org.reader(who)
            theirs = [one for one in found if who == "user:ann" or one.channel != "remember"]
            assert [fault for case in theirs for fault in rises(world, case, view)] == []


def test_the_greatest_in_place_of_the_least_is_noticed(
    url: str, tenant: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted fault: what is made from several things counts as the best of them."""
    for module in (lineage, quality, copies, told, notes):
        plant(monkeypatch, module, "minimum", lambda trusts: max(trusts, key=trust_rank, default=LEAST))
    found = cases(random.Random(seed), 1)
    world = launder(url, tenant, tmp_path, found)
    with world.org:
        view = world.org.reader("user:ann")
        red = {(case.shape, case.channel) for case in found if rises(world, case, view)}

    assert {channel for _, channel in red} == set(CHANNELS)
    assert {shape for shape, _ in red} >= {"summary", "translation", "echo", "copies"}


def test_what_a_member_says_in_words_of_their_own_is_their_word(
    url: str, tenant: str, tmp_path: Path
) -> None:
    """What cannot be told.

    A paraphrase or translation that somebody types, without lineage or shared words.
    """
    with open_org(url, tenant) as org:
        taken(org, [person(who) for who in PEOPLE])
        outside(org, tmp_path, [said("x", RULES[3].format(n="Bolax"), source="mail")])
        retyped = [said("s", SUMMARY.format(n="Bolax"), 2), said("t", TRANSLATION.format(n="Bolax"), 2)]
        taken(org, retyped)

        hits = org.reader("user:ann").search("Bolax")
        trusts = {hit.item: hit.citation.trust for hit in hits if hit.citation is not None}

        assert trusts == {"x": LEAST, "s": "member", "t": "member"}


def test_who_cannot_see_the_outsiders_text_has_the_members_word(
    url: str, tenant: str, tmp_path: Path
) -> None:
    """A copy counts less for those who can read what it copies, and for nobody else."""
    with open_org(url, tenant) as org:
        taken(org, [person(who) for who in PEOPLE])
        mail = said("x", RULES[1].format(n="Bolax"), source="mail", audience=[["user:ann"]])
        outside(org, tmp_path, [mail])
        taken(org, [said("y", RULES[1].format(n="Bolax"), 2, author="user:ann")])

        def counted(who: str) -> set[tuple[str, str]]:
            hits = org.reader(who).search("Bolax", unit="claim")
            return {(one.status, one.trust) for hit in hits if (one := hit.citation) is not None}

        assert counted("user:ann") == {("candidate", LEAST)}
        assert counted("user:bo") == {("active", "member")}


def test_a_quoted_original_counts_as_itself_where_it_can_be_seen(url: str, tenant: str) -> None:
    reply = "Agreed.\n\nOn Monday Bo wrote:\n> Bolax asked us for three more seats in the north building."
    with open_org(url, tenant) as org:
        taken(org, [person(who) for who in PEOPLE])
        original = "Bolax asked us for three more seats in the north building."
        taken(org, [said("bo", original, audience=[["user:bo", "user:ann"]])])
        taken(org, [said("re", reply, 2, kind="email")])

        def counted(who: str) -> str:
            hits = org.reader(who).search("Bolax seats", unit="passage")
            return next(hit.citation.trust for hit in hits if hit.item == "re" and hit.citation is not None)

        assert counted("user:ann") == "member"
        assert counted("user:cy") == LEAST
