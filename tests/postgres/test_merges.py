"""What stewards settle about who and what is one, and take back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from muniment.app import Org
from muniment.domain.entities import Parting, Terms
from muniment.domain.errors import Conflict, Refused, Usage
from tests.naming import ALIASES, acme_org, crm, derived, everything, stated
from tests.worlds import Clock, at, said, taken


@pytest.fixture
def org(url: str, tenant: str, clock: Clock) -> Iterator[Org]:
    with acme_org(url, tenant, clock) as org:
        yield org


def test_after_a_merge_either_name_shows_both_until_it_is_undone(org: Org) -> None:
    view = org.reader("user:cy", as_of=at(1000))
    before = everything(view)

    decision = org.steward("user:owner").merge("Acme", "ACME Corp", Terms("one contract"))

    merged = view.page("ACME Corp")
    assert merged == view.page("acme")
    assert merged.title == "Acme"
    assert stated(view, "acme corp") >= {
        "The renewal date of Acme is 2027-03-01.",
        "The discount of ACME Corp is 12 %.",
    }
    assert {hit.item for hit in view.search("acme", entity="acme corp")} == {"m1", "m2", "m3"}
    assert "12 %" in view.ask("What is the discount?", entity="acme").text
    assert [one.entity for one in view.pages()].count("acme corp") == 0

    org.steward("user:owner").undo_entities(decision.id or "")

    assert everything(view) == before


def test_a_merge_is_known_from_when_it_was_settled_until_it_was_undone(org: Org, clock: Clock) -> None:
    then = clock.at
    clock.forward(hours=1)
    decision = org.steward("user:owner").merge("Acme", "ACME Corp")
    between = clock.at
    clock.forward(hours=1)
    org.steward("user:owner").undo_entities(decision.id or "")

    titles = [
        org.reader("user:cy", known_at=moment).page("acme corp").title for moment in (then, between, clock.at)
    ]

    assert titles == ["ACME Corp", "Acme", "ACME Corp"]


def test_who_may_not_see_what_a_merge_rests_on_sees_no_merge(org: Org) -> None:
    taken(org, [said("h1", "The price of Initech is 9.", account="Initech", audience=[["group:board"]])])
    ann = org.reader("user:ann", as_of=at(1000))
    before = everything(ann)

    org.steward("user:owner").merge("ACME Corp", "Initech")

    assert everything(ann) == before
    assert org.reader("user:cy").page("Initech").title == "ACME Corp"


def test_a_merge_is_bound_to_what_was_shown(org: Org) -> None:
    desk = org.steward("user:owner")
    shown = desk.merge("Acme", "ACME Corp", Terms(dry_run=True))
    taken(org, [crm("a-1", "Acme", aliases=["Acme Holding"])])

    with pytest.raises(Conflict, match="has changed; look at it again"):
        desk.merge("Acme", "ACME Corp", Terms(seen=shown.seen))
    again = desk.merge("Acme", "ACME Corp", Terms(dry_run=True))
    assert desk.merge("Acme", "ACME Corp", Terms(seen=again.seen)).id


def test_what_cannot_be_merged_is_said(org: Org) -> None:
    taken(org, [said("p1", "I will send it.", author="user:ann")])
    desk = org.steward("user:owner")

    with pytest.raises(Usage, match="are one already"):
        desk.merge("Acme", "acme")
    with pytest.raises(Usage, match="cannot be one"):
        desk.merge("Acme", "user:ann")
    with pytest.raises(Refused, match="no page named"):
        desk.merge("Acme", "Zephyrine")
    with pytest.raises(Refused, match="no decision"):
        desk.undo_entities("000000000000")


def test_two_of_one_name_are_one_once_somebody_says_so(org: Org) -> None:
    taken(
        org,
        [
            said("p1", "I will send the offer.", author="user:sam1", author_name="Sam Roe"),
            said("p2", "I will send the invoice.", author="user:sam2", author_name="Sam Roe"),
        ],
    )
    org.steward("user:owner").merge("user:sam1", "user:sam2")

    assert stated(org.reader("user:cy"), "Sam Roe") == {"I will send the offer.", "I will send the invoice."}


def test_merges_follow_on_each_other(org: Org, clock: Clock) -> None:
    taken(org, [said("p1", "The owner of Globex is Bo.", account="Globex")])
    desk = org.steward("user:owner")
    desk.merge("Acme", "ACME Corp")
    clock.forward(minutes=1)
    desk.merge("Globex", "Acme")
    view = org.reader("user:cy")

    assert view.page("acme corp") == view.page("acme") == view.page("globex")
    assert view.page("acme").title == "Globex"
    assert [one.action for one in desk.entity_decisions("acme corp")] == ["merge", "merge"]


def test_a_split_by_item_moves_what_is_said_there(org: Org) -> None:
    view = org.reader("user:cy")
    desk = org.steward("user:owner")

    decision = desk.split("Acme", "Acme Ltd", Parting(items=["chat:m3"]))

    assert stated(view, "Acme Ltd") == {"The rate limit of Acme is 600."}
    assert stated(view, "Acme") == {"The renewal date of Acme is 2027-03-01."}
    assert [hit.item for hit in view.search("acme", entity="Acme Ltd")] == ["m3"]
    assert {hit.item for hit in view.search("acme", entity="Acme")} == {"m1"}
    desk.undo_entities(decision.id or "")
    assert "The rate limit of Acme is 600." in stated(view, "Acme")


def test_a_split_by_source_leaves_the_others(org: Org) -> None:
    taken(org, [{**said("c1", "The price of Acme is 9.", account="Acme"), "source": "notes"}])
    view = org.reader("user:cy")

    org.steward("user:owner").split("Acme", "ACME Corp", Parting(sources=["notes"]))

    assert stated(view, "ACME Corp") == {"The discount of ACME Corp is 12 %.", "The price of Acme is 9."}
    assert "The price of Acme is 9." not in stated(view, "Acme")


def test_a_split_by_name_gives_the_name_to_the_other_side(org: Org) -> None:
    taken(org, [crm("a-1", "Globex AG", aliases=["Globe", "Globex"]), said("p1", "The price of Globe is 9.")])
    view = org.reader("user:cy")

    org.steward("user:owner").split("Globex AG", "Globe Press", Parting(names=["Globe"]))

    assert view.page("globe").title == "Globe Press"
    assert stated(view, "globe press") == {"The price of Globe is 9."}
    assert stated(view, "globex") == set()


def test_who_may_not_see_what_a_split_rests_on_sees_no_split(org: Org) -> None:
    ann = org.reader("user:ann", as_of=at(1000))
    before = everything(ann)

    org.steward("user:owner").split("Acme", "Acme Ltd", Parting(items=["chat:m3"]))

    assert everything(ann) == before


def test_a_split_says_what_goes(org: Org) -> None:
    desk = org.steward("user:owner")

    with pytest.raises(Usage, match="says what goes"):
        desk.split("Acme", "Other", Parting())
    with pytest.raises(Usage, match="no name left"):
        desk.split("Acme", "Other", Parting(names=["acme"]))
    with pytest.raises(Usage, match="'zeta' is no name of 'Acme': it has 'acme'"):
        desk.split("Acme", "Other", Parting(names=["zeta"]))
    with pytest.raises(Refused, match="no item 'chat:zeta'"):
        desk.split("Acme", "Other", Parting(items=["chat:zeta"]))


def test_a_rebuild_leaves_names_aliases_and_decisions_as_they_are(org: Org) -> None:
    desk = org.steward("user:owner")
    desk.set_aliases(ALIASES)
    desk.merge("Acme", "ACME Corp")
    view = org.reader("user:cy")
    before, rows = everything(view), derived(org)

    desk.rebuild()

    assert everything(view) == before
    assert derived(org) == rows


KNOWN: dict[str, tuple[str, str]] = {
    "an item": ("Acme", "ACME Corp"),
    "a source": ("Acme", "Umbrella Ltd"),
    "the alias file alone, going": ("Acme", "checkout"),
    "the alias file alone, staying": ("kasse", "Acme"),
    "a split alone": ("ACME Corp", "Acme West"),
    "a directory": ("user:ann", "user:cy"),
}


@pytest.mark.parametrize("both", KNOWN.values(), ids=KNOWN)
def test_a_merge_is_told_as_it_was_proposed_whoever_gave_the_names(org: Org, both: tuple[str, str]) -> None:
    taken(
        org,
        [
            crm("a-9", "Umbrella Ltd"),
            *(said(f"p-{one}", "Hello.", author=one) for one in ("user:ann", "user:cy")),
        ],
    )
    desk = org.steward("user:owner")
    desk.set_aliases(ALIASES)
    desk.split("Acme", "Acme West", Parting(items=["chat:m3"]))
    proposed = desk.merge(*both, Terms(dry_run=True))

    settled = desk.merge(*both)

    titles = (proposed.entity, proposed.other)
    assert (settled.entity, settled.other) == titles
    assert [(one.entity, one.other) for one in desk.entity_decisions() if one.action == "merge"] == [titles]
    assert (desk.undo_entities(settled.id or "").other) == proposed.other
