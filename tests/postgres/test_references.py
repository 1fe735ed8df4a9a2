"""What references lead to: for each reader over what they can see, whatever came first."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from muniment.app import Org
from muniment.claims.references import Resolved, references_from, references_to, waiting
from muniment.domain.events import ItemRef
from muniment.domain.values import Hit
from muniment.gate.binding import writing
from muniment.index.projection import item_uuid
from muniment.jobs.rebuild import contents
from muniment.view import View
from tests.worlds import Event, at, open_org, person, said, taken

TRAVEL = "The hotel limit is EUR 100 per night."
FORM = "# Cover\n\nWe pay.\n\n## 4.1 Water\n\nSudden water only.\n\n## 4.2 Waiting period\n\nThree days.\n"


def doc(id_: str, title: str | None, body: str, hours: float = 0, **fields: object) -> Event:
    plain: dict[str, object] = {
        "source": "rules",
        "kind": "document",
        "title": title,
        "media": "text/markdown",
    }
    return said(id_, body, hours, **{**plain, **fields})


def opened(url: str, tenant: str, events: Iterable[Event]) -> Org:
    org = open_org(url, tenant)
    taken(org, [person("user:ann"), person("user:bo"), *events])
    return org


def shown(found: Iterable[Resolved]) -> set[tuple[str, str, str]]:
    """Kind, stater and target, as the target is the actor where that is said."""
    return {(f"{one.kind}{' by' * one.inverse}", one.stater.id, one.target.id) for one in found}


def led(view: View, *ids: str, source: str = "rules") -> set[tuple[str, str, str]]:
    with view._reading() as reader:
        return shown(references_from(reader, [item_uuid(reader.key, ItemRef(source, one)) for one in ids]))


def back(view: View, *ids: str, source: str = "rules") -> set[tuple[str, str, str]]:
    with view._reading() as reader:
        return shown(references_to(reader, [item_uuid(reader.key, ItemRef(source, one)) for one in ids]))


def left(view: View, *ids: str) -> list[tuple[str | None, str | None]]:
    with view._reading() as reader:
        items = [item_uuid(reader.key, ItemRef("rules", one)) for one in ids]
        return [(row.name, row.section) for row in waiting(reader, items)]


def status_of(hits: Iterable[Hit], item: str) -> str:
    """How the first hit from an item stands."""
    found = next(hit.citation for hit in hits if hit.item == item)
    assert found is not None
    return found.status


def headings(view: View, *ids: str) -> list[str]:
    """The words in which the sections begin that these refer to."""
    with view._reading() as reader:
        items = [item_uuid(reader.key, ItemRef("rules", one)) for one in ids]
        found = references_from(reader, items)
    texts = {
        hit.passage: hit.text for hit in view.search("water waiting period cover", unit="passage", limit=50)
    }
    return [
        texts[one.target_passage.hex]
        for one in found
        if one.target_passage and one.target_passage.hex in texts
    ]


def test_a_title_a_number_an_id_a_link_and_an_address_lead_to_their_item(url: str, tenant: str) -> None:
    mentions = "See the Water Form, HO-3 and [it](forms/ho.md) or https://a.example/ho."
    events = [
        doc("forms/ho.md", "HO-3 Water Form", FORM, url="https://a.example/ho"),
        doc("guide.md", "Guide", mentions),
        doc("elsewhere.md", "Other", "See [it](forms/ho.md).", source="files"),
    ]
    with opened(url, tenant, events) as org:
        ann = org.reader("user:ann")

        assert led(ann, "guide.md") == {
            ("refers_to", "guide.md", "forms/ho.md"),
            ("cites", "guide.md", "forms/ho.md"),
        }
        assert led(ann, "elsewhere.md", source="files") == set()  # a path is of its own source


def test_a_section_leads_to_where_it_begins(url: str, tenant: str) -> None:
    events = [
        doc("form.md", "Water Form", FORM + "\nSee Section 4.1.\n"),
        doc("guide.md", "Guide", "Wait: see Water Form, Section 4.2.\n\nAlso Section 9.9 of the Water Form."),
    ]
    with opened(url, tenant, events) as org:
        ann = org.reader("user:ann")

        (words,) = headings(ann, "guide.md")
        assert "Three days." in words
        (own,) = headings(ann, "form.md")
        assert "Sudden water only." in own


def test_a_section_that_is_not_there_waits(url: str, tenant: str) -> None:
    with opened(url, tenant, [doc("form.md", "Water Form", f"{FORM}\nSee Section 9.9.\n")]) as org:
        ann = org.reader("user:ann")

        assert (led(ann, "form.md"), left(ann, "form.md")) == (set(), [(None, "9.9")])


@pytest.mark.parametrize("order", [(0, 1), (1, 0)], ids=["target last", "target first"])
def test_a_reference_waits_for_its_target(url: str, tenant: str, order: Sequence[int]) -> None:
    events = [doc("guide.md", "Guide", "See the Water Form."), doc("form.md", "Water Form", FORM)]
    with opened(url, tenant, []) as org:
        ann = org.reader("user:ann")
        taken(org, [events[order[0]]])
        if order[0] == 0:
            assert left(ann, "guide.md") == [("water form", None)]
        taken(org, [events[order[1]]])

        assert led(ann, "guide.md") == {("refers_to", "guide.md", "form.md")}
        assert left(ann, "guide.md") == []


def test_a_deleted_target_is_waited_for_again(url: str, tenant: str) -> None:
    events = [doc("guide.md", "Guide", "See the Water Form."), doc("form.md", "Water Form", FORM)]
    with opened(url, tenant, events) as org:
        taken(org, [{"source": "rules", "op": "delete", "id": "form.md", "at": at(9)}])

        assert left(org.reader("user:ann"), "guide.md") == [("water form", None)]


def test_two_texts_of_one_title_are_ambiguous_for_whoever_sees_both(url: str, tenant: str) -> None:
    events = [
        doc("guide.md", "Guide", "See the Water Form."),
        doc("one.md", "Water Form", FORM),
        doc("two.md", "Water Form", FORM, audience=[["user:bo"]]),
    ]
    with opened(url, tenant, events) as org:
        ann, bo = org.reader("user:ann"), org.reader("user:bo")

        assert led(ann, "guide.md") == {("refers_to", "guide.md", "one.md")}
        assert (led(bo, "guide.md"), left(bo, "guide.md")) == (set(), [("water form", None)])


def test_an_edition_picks_one_of_a_family(url: str, tenant: str) -> None:
    events = [
        doc(
            "guide.md",
            "Guide",
            "See the Water Form (2010-10).\n\nSee also the 2026 edition of the Water Form.",
        ),
        doc("vague.md", "Vague", "See the Water Form."),
        doc("missing.md", "Missing", "See the Water Form (2001)."),
        doc("old.md", "Water Form (10/2010)", FORM),
        doc("new.md", "Water Form (2026-01)", FORM),
    ]
    with opened(url, tenant, events) as org:
        ann = org.reader("user:ann")

        assert led(ann, "guide.md") == {
            ("refers_to", "guide.md", "old.md"),
            ("refers_to", "guide.md", "new.md"),
        }
        assert (led(ann, "vague.md"), led(ann, "missing.md")) == (set(), set())


def test_an_alias_leads_to_what_is_titled_with_the_name(url: str, tenant: str) -> None:
    alias = {"op": "entity", "source": "crm", "id": "p-1", "at": at(0), "entity_kind": "policy"}
    events = [
        {**alias, "name": "Travel Policy", "aliases": ["Trip Rules"], "domains": [], "audience": [["*"]]},
        doc("guide.md", "Guide", "See the Trip Rules."),
        doc("travel.md", "Travel Policy", TRAVEL),
    ]
    with opened(url, tenant, events) as org:
        ann = org.reader("user:ann")

        assert led(ann, "guide.md") == {("refers_to", "guide.md", "travel.md")}
        assert back(ann, "travel.md") == {("refers_to", "guide.md", "travel.md")}


def test_a_number_sign_is_of_its_own_tracker(url: str, tenant: str) -> None:
    issue: dict[str, Any] = {"source": "hub", "kind": "issue", "media": "text/markdown"}
    events = [
        said("a/x#1", "Fixed by #2.", title="One", container="a/x", **issue),
        said("a/x#2", "Done.", title="Two", container="a/x", **issue),
        said("a/y#2", "Other.", title="Three", container="a/y", **issue),
        said("a/y#3", "See a/x#2.", title="Four", container="a/y", **issue),
    ]
    with opened(url, tenant, events) as org:
        ann = org.reader("user:ann")

        assert led(ann, "a/x#1", source="hub") == {("refers_to", "a/x#1", "a/x#2")}
        assert led(ann, "a/y#3", source="hub") == {("refers_to", "a/y#3", "a/x#2")}


def test_a_text_that_says_it_replaces_another_ends_it(url: str, tenant: str) -> None:
    limit = TRAVEL.replace("100", "120")
    new = f"Effective 1 June 2026\n\nThis policy replaces the Travel Policy 2023.\n\n{limit}"
    events = [
        doc("old.md", "Travel Policy 2023", TRAVEL, -2_000),
        doc("new.md", "Travel Policy 2026", new, -1_000),
    ]
    with opened(url, tenant, events) as org:
        before, after = org.reader("user:ann", as_of="2026-05-20T00:00:00Z"), org.reader("user:ann")

        assert "EUR 120" in after.ask("What is the hotel limit?").text
        assert "EUR 100" not in after.ask("What is the hotel limit?").text
        assert "EUR 100" in before.ask("What is the hotel limit?").text
        old = status_of(after.search("hotel limit", limit=5), "old.md")
        assert old == "superseded"


def test_who_has_no_authority_replaces_nothing_and_it_is_shown(url: str, tenant: str) -> None:
    claim = "This policy replaces the Travel Policy.\n\nThe hotel limit is EUR 900 per night."
    events = [
        doc("travel.md", "Travel Policy", TRAVEL, source="board", author="user:ann"),
        doc("mine.md", "My Travel Policy", claim, 1, source="notes", author="user:bo"),
    ]
    with opened(url, tenant, events) as org:
        ann = org.reader("user:ann")

        old = status_of(ann.search("hotel limit", limit=5), "travel.md")
        assert old == "active"
        assert led(ann, "mine.md", source="notes") == {("supersedes", "mine.md", "travel.md")}
        assert back(ann, "travel.md", source="board") == {("supersedes", "mine.md", "travel.md")}


def test_a_text_steps_back_behind_another_by_its_own_word(url: str, tenant: str) -> None:
    events = [
        doc("old.md", "Travel Policy", f"This policy is superseded by the Spend Policy.\n\n{TRAVEL}"),
        doc("new.md", "Spend Policy", "The hotel limit is EUR 120 per night.", 1),
    ]
    with opened(url, tenant, events) as org:
        old = status_of(org.reader("user:ann").search("hotel limit", limit=5), "old.md")

        assert old == "superseded"


def test_texts_that_replace_each_other_in_a_ring_end_nothing(url: str, tenant: str) -> None:
    names = ("Alpha Policy", "Beta Policy", "Gamma Policy")
    events = [
        doc(
            f"{name[0]}.md",
            name,
            f"This policy replaces the {other}.\n\nThe hotel limit is EUR {n}00 per night.",
            account="acme",
        )
        for n, (name, other) in enumerate(zip(names, (*names[1:], names[0]), strict=True), 1)
    ]
    with opened(url, tenant, events) as org:
        hits = org.reader("user:ann").search("hotel limit", limit=5)

        assert {status_of(hits, f"{name[0]}.md") for name in names} == {"active"}
        assert len(org.reader("user:ann").conflicts()) == 1


def test_an_earlier_version_referred_to_what_it_named(url: str, tenant: str) -> None:
    events = [doc("guide.md", "Guide", "See the Water Form."), doc("form.md", "Water Form", FORM)]
    with opened(url, tenant, events) as org:
        was = org._work.clock()
        org._work.clock.forward(days=1)  # type: ignore[attr-defined]
        taken(org, [doc("guide.md", "Guide", "See the Fire Form.", 5)])

        assert led(org.reader("user:ann", known_at=was), "guide.md") == {("refers_to", "guide.md", "form.md")}
        assert left(org.reader("user:ann"), "guide.md") == [("fire form", None)]


def test_what_leads_there_and_what_comes_from_there_are_one(url: str, tenant: str, seed: int) -> None:
    with opened(url, tenant, corpus(random.Random(seed))) as org:
        for who in ("user:ann", "user:bo"):
            view = org.reader(who)
            ids = [f"d{number}.md" for number in range(30)]
            there = led(view, *ids)
            assert there == back(view, *ids)
            for one in ids:
                assert back(view, one) == {edge for edge in there if edge[2] == one}


def test_references_are_the_same_whatever_came_first(url: str, tenant: str, seed: int) -> None:
    events = corpus(random.Random(seed))
    said_by: list[object] = []
    for turn in range(2):
        random.Random(seed + turn).shuffle(events)
        with opened(url, f"{tenant}-{turn}", events) as org:
            with writing(org._work.database, org._work.tenant) as conn:
                rows = contents(conn, org._work.tenant)
            said_by.append(
                (
                    [row.split('"known"')[0] for row in rows["handle"]],
                    len(rows["reference"]),
                    led(org.reader("user:bo"), "d1.md"),
                )
            )

    assert said_by[0] == said_by[1]


def test_a_hidden_item_changes_no_reference(url: str, tenant: str, seed: int) -> None:
    draw = random.Random(seed)
    shared = [one for one in corpus(draw) if one["audience"] == [["*"]]]
    hidden = [{**one, "id": f"h{one['id']}", "audience": [["user:bo"]]} for one in corpus(draw)]
    seen = []
    for world, events in enumerate((shared, [*hidden, *shared])):
        with opened(url, f"{tenant}-{world}", events) as org:
            ann = org.reader("user:ann")
            ids = [str(one["id"]) for one in shared]
            seen.append(
                (
                    led(ann, *ids),
                    back(ann, *ids),
                    left(ann, *ids),
                    [hit.citation for hit in ann.search("limit")],
                )
            )

    assert seen[0] == seen[1]


def corpus(draw: random.Random) -> list[Event]:
    """Documents of few titles that name, replace and amend each other."""
    kinds = ("Travel", "Meal", "Hotel", "Car")
    verbs = (
        "See the {}.",
        "This policy replaces the {}.",
        "This policy amends the {}.",
        "This policy is superseded by the {}.",
    )
    events = []
    for number in range(30):
        title = f"{draw.choice(kinds)} Policy{draw.choice(('', ' 2023', ' 2024'))}"
        named = [f"{draw.choice(kinds)} Policy{draw.choice(('', ' 2023', ' 2024'))}" for _ in range(2)]
        body = (
            "\n\n".join(draw.choice(verbs).format(one) for one in named) + f"\n\nThe limit is EUR {number}."
        )
        audience = draw.choice(([["*"]], [["user:bo"]]))
        events.append(doc(f"d{number}.md", title, body, number, audience=audience))
    return events
