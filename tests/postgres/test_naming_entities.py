"""People, and what an item is about: by directory and by fields, for each reader from what they may see."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from muniment.app import Org
from muniment.domain.errors import Refused, Usage
from tests.naming import acme_org, crm, everything, stated
from tests.worlds import Clock, Event, open_org, person, said, taken


@pytest.fixture
def org(url: str, tenant: str, clock: Clock) -> Iterator[Org]:
    with acme_org(url, tenant, clock) as org:
        yield org


def test_a_person_is_known_by_id_alias_address_and_name(org: Org) -> None:
    taken(
        org,
        [
            said("p1", "I will send the offer by Friday.", author="user:ann"),
            said("p2", "The owner of Globex is Bo.", author_name="slack:U1"),
            said("p3", "The limit of Globex is 7.", author_name="ann@corp.example"),
        ],
    )
    view = org.reader("user:cy")

    pages = [view.page(name) for name in ("user:ann", "SLACK:u1", "ANN@corp.example", "Ann Lee")]

    assert {page.title for page in pages} == {"Ann Lee"}
    assert len({page.markdown for page in pages}) == 1
    assert "I will send the offer by Friday." in stated(view, "Ann Lee")
    assert "The limit of Globex is 7." in stated(view, "Ann Lee")


def test_who_sees_nothing_of_somebody_does_not_know_them_by_any_name(org: Org) -> None:
    taken(
        org, [said("p1", "I will send the offer by Friday.", author="user:ann", audience=[["group:board"]])]
    )
    for name in ("user:ann", "slack:u1", "ann@corp.example", "Ann Lee", "user:nobody"):
        with pytest.raises(Refused, match="no page named"):
            org.reader("user:ann2").page(name)

    assert org.reader("user:cy").page("ann@corp.example").title == "Ann Lee"


FORGED = [{"author": "user:ann"}, {"author_name": "slack:U1"}, {"author_name": "ann@corp.example"}]


@pytest.mark.parametrize("author", FORGED)
def test_whoever_signs_their_own_text_as_somebody_learns_nothing_of_them(
    url: str, tenant: str, clock: Clock, author: dict[str, object]
) -> None:
    shown = []
    for name in ("Ann Lee", None):
        with open_org(url, f"{tenant}-{name is None}", clock) as org:
            known = (
                []
                if name is None
                else [person("user:ann", name=name, emails=["ann@corp.example"], aliases=["slack:U1"])]
            )
            taken(org, [person("user:eve"), *known])
            mine = {
                **said("p1", "The limit of Globex is 7.", source="own", audience=[["user:eve"]]),
                **author,
            }
            taken(org, [mine], importer="user:eve")
            shown.append(everything(org.reader("user:eve")))

    assert shown[0] == shown[1]


def test_two_people_of_one_name_are_asked_about_and_never_joined(org: Org) -> None:
    taken(
        org,
        [
            person("user:sam1", name="Sam Roe"),
            person("user:sam2", name="Sam Roe"),
            said("p1", "I will send the offer.", author="user:sam1"),
            said("p2", "I will send the invoice.", author="user:sam2"),
        ],
    )
    view = org.reader("user:cy")

    with pytest.raises(Usage, match=r"Sam Roe \(user:sam1\) or Sam Roe \(user:sam2\)"):
        view.page("Sam Roe")
    assert stated(view, "user:sam1") == {"I will send the offer."}
    assert view.ask("What did Sam Roe say of the offer?").clarify == (
        "Which sam roe: Sam Roe (user:sam1) or Sam Roe (user:sam2)?",
    )


def test_a_name_of_somebody_else_in_a_message_makes_nobody_that_somebody(org: Org) -> None:
    taken(
        org,
        [
            said("p1", "I will send the offer.", author="user:ann"),
            said("p2", "I will pay the ransom.", author="user:mallory", author_name="user:ann"),
            said("p3", "I will pay it all.", author="user:mallory", author_name="ann@corp.example"),
            said("p4", "The discount of Acme is 99 %.", author="user:mallory", author_name="Acme"),
        ],
    )
    view = org.reader("user:cy")

    assert stated(view, "user:ann") == stated(view, "ann@corp.example") == {"I will send the offer."}
    assert view.page("Acme").kind == "account"


def test_somebody_who_was_only_sent_a_mail_did_not_say_what_it_says(org: Org) -> None:
    taken(org, [said("p1", "I will send the offer.", author="user:ann", participants=["bo@globex.example"])])
    view = org.reader("user:cy")

    assert view.page("bo@globex.example").sections == ()
    assert [hit.item for hit in view.search("offer", entity="bo@globex.example")] == ["p1"]


@pytest.mark.parametrize(
    "fields",
    [
        {"labels": {"channel": "acme-renewal"}},
        {"labels": {"account": "acme"}},
        {"author_name": "someone@acme.example"},
        {"participants": ["someone@acme.example"]},
        {"container": "C042"},
        {"labels": {"repo": "acme/billing-api"}},
    ],
    ids=str,
)
def test_an_item_is_about_what_its_fields_name(org: Org, fields: dict[str, object]) -> None:
    names = {"aliases": ["Acme", "C042", "acme/billing-api"], "domains": ["acme.example"]}
    taken(org, [crm("a-1", "Acme GmbH", **names), {**said("p1", "It is due in May."), **fields}])

    hits = org.reader("user:cy").search("due in May", entity="Acme GmbH")

    assert [hit.item for hit in hits] == ["p1"]


def test_an_alert_is_about_the_service_in_its_labels(org: Org) -> None:
    taken(org, [said("a1", "The error rate is high.", kind="alert", labels={"service": "checkout"})])

    assert org.reader("user:cy").page("checkout").kind == "service"


HANDBOOK = """# Customers

## Acme

The renewal date is 2027-03-01.

## Globex

The notice period is 30 days.
"""


def handbook(body: str = HANDBOOK, hours: float = 0, **fields: object) -> Event:
    told = {"kind": "document", "title": "Customer handbook", "media": "text/markdown"}
    return {**said("d1", body, hours), **told, **fields}


def test_what_stands_under_a_heading_is_about_what_it_names(org: Org) -> None:
    taken(org, [handbook(), said("g1", "They called.", account="Globex")])
    view = org.reader("user:cy")

    assert stated(view, "Globex") == {"The notice period is 30 days."}
    assert "The renewal date is 2027-03-01." in stated(view, "Acme")
    hits = view.search("date period", entity="Globex", unit="passage")
    assert ["30 days" in hit.text for hit in hits] == [True]


def test_a_heading_of_then_is_read_then(org: Org, clock: Clock) -> None:
    taken(org, [handbook(), said("g1", "They called.", account="Globex")])
    then = clock.at
    clock.forward(hours=1)
    taken(org, [handbook(HANDBOOK.replace("## Globex", "## Initech").replace("30", "60"), 2)])

    assert stated(org.reader("user:cy", known_at=then), "Globex") == {"The notice period is 30 days."}
    assert stated(org.reader("user:cy"), "Globex") == set()


def test_a_heading_is_for_whoever_may_read_what_stands_under_it(org: Org) -> None:
    taken(org, [said("g1", "They called.", account="Globex")])
    ann = org.reader("user:ann")
    before = everything(ann)

    taken(org, [handbook(audience=[["group:board"]])])

    assert everything(ann) == before
    assert stated(org.reader("user:cy"), "Globex") == {"The notice period is 30 days."}
