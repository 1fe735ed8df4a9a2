"""What stewards settled is known to whoever may read, now, what it was settled on; to nobody else."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from muniment.app import Org
from muniment.domain.entities import Parting, Terms
from muniment.domain.values import dump
from muniment.view import View
from tests.exported import wiki_of
from tests.worlds import Clock, Event, at, open_org, person, said, taken

HADES = "Project Hades"
HIDDEN = {"audience": [["user:cy"]]}
SPOKEN = said("y", "The rate of Acme is 5 EUR.", 1, account="Acme", author="user:bo")
WORKS = {
    "op": "entity",
    "source": "crm",
    "id": "a1",
    "at": at(1),
    "entity_kind": "account",
    "name": "Acme",
    "aliases": ["Acme Works"],
    "domains": [],
    "audience": [["*"]],
}


def opened(url: str, tenant: str, clock: Clock, events: Sequence[Event]) -> Org:
    """Everybody may read of Acme; Cy is a steward."""
    org = open_org(url, tenant, clock)
    people = [person("user:ann"), person("user:bo"), person("user:cy")]
    crm = {**WORKS, "id": "a2", "aliases": []}
    taken(org, [*people, said("m", "The renewal date of Acme is 2027-01-01.", account="Acme"), crm, *events])
    org.steward(org.login).grant_role("user:cy", "steward")
    org.steward(org.login).grant_role("user:ann", "steward")
    return org


def known(org: Org, who: str) -> str:
    """Everything by which a split could show."""
    view: View = org.reader(who)
    texts = ("What is the rate of Project Hades?", "What is the renewal date of Acme Works?")
    replies = [view.ask(text).text for text in texts]
    found: list[object] = [view.pages(), wiki_of(view), replies]
    found += [view.locate("acme"), view.locate("hades"), view.expand("acme", hops=2), view.page("acme")]
    found += [
        org.steward(who).entities(),
        org.steward(who).entity_decisions(),
        org.steward(who).entity("acme"),
    ]
    return str([dump(one) for one in found]).casefold()


@pytest.mark.parametrize(
    ("parting", "first", "then"),
    [
        (Parting(items=["chat:y"]), SPOKEN, {**SPOKEN, "at": at(9), **HIDDEN}),
        (Parting(names=["acme works"]), WORKS, {**WORKS, "at": at(9), **HIDDEN}),
    ],
    ids=["an item", "a name"],
)
def test_who_may_no_longer_read_what_was_split_off_hears_nothing_of_it(
    url: str, tenant: str, clock: Clock, parting: Parting, first: Event, then: Event
) -> None:
    with opened(url, tenant, clock, [first]) as org:
        org.steward("user:cy").split("acme", HADES, parting)
        before = org.reader("user:ann").pages()
        clock.forward(minutes=5)
        taken(org, [then])

        assert HADES in {one.title for one in before}
        assert HADES in {one.title for one in org.reader("user:cy").pages()}
        after = [one.title for one in org.reader("user:ann").pages()]
        assert HADES not in after
        assert "acme works" not in str(wiki_of(org.reader("user:ann"))).casefold()


def test_a_split_of_an_item_that_is_hidden_now_shows_to_no_verb(url: str, tenant: str, clock: Clock) -> None:
    """As if that item, and what was settled of it, had never been."""
    worlds = []
    for number, events in enumerate(([], [SPOKEN])):
        with opened(url, f"{tenant}-{number}", clock, events) as org:
            if events:
                org.steward("user:cy").split("acme", HADES, Parting(items=["chat:y"]))
                taken(org, [{**SPOKEN, "at": at(9), **HIDDEN}])
            worlds.append(known(org, "user:ann"))

    assert worlds[0] == worlds[1]


def test_a_steward_hears_no_reason_for_what_they_may_no_longer_read(
    url: str, tenant: str, clock: Clock
) -> None:
    zeta = {**SPOKEN, "account": "Zeta Works", "body": "The rate of Zeta Works is 5 EUR."}
    works = {**WORKS, "at": at(9), **HIDDEN}
    with opened(url, tenant, clock, [zeta, WORKS]) as org:
        cy = org.steward("user:cy")
        cy.merge("zeta works", "acme", Terms(reason="Zeta was bought"))
        cy.split("acme", HADES, Parting(names=["acme works"]), Terms(reason="its secret name"))
        before = [one.reason for one in org.steward("user:ann").entity_decisions()]
        clock.forward(minutes=5)
        taken(org, [{**zeta, "at": at(9), **HIDDEN}, works])

        assert len(before) == 2
        assert org.steward("user:ann").entity_decisions() == []
        assert org.steward("user:ann").entity("acme").settled == ()
        assert len(cy.entity_decisions()) == 2


def test_a_split_is_bound_to_every_item_it_was_settled_on(url: str, tenant: str, clock: Clock) -> None:
    """One that is deleted and one that is hidden are one answer, so either ends it."""
    other = {**SPOKEN, "id": "z", "body": "The discount of Acme is 7 %."}
    with opened(url, tenant, clock, [SPOKEN, other]) as org:
        org.steward("user:cy").split("acme", HADES, Parting(items=["chat:y", "chat:z"]))
        before = {one.title for one in org.reader("user:ann").pages()}
        taken(org, [{"op": "delete", "source": "chat", "id": "z", "at": at(9)}])
        after = {one.title for one in org.reader("user:ann").pages()}

    assert before - after == {HADES}
