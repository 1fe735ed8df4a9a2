"""Where a page leads and what leads to it, of what its reader may see."""

import re
from collections.abc import Iterator
from typing import LiteralString, TypeVar

import pytest

from muniment.app import Org
from muniment.domain.links import PageLink
from muniment.gate import reader as gate
from muniment.pages.backlinks import MOST_LINKS
from tests.planted import plant
from tests.worlds import Clock, Event, at, member, open_org, person, said, taken

Row = TypeVar("Row")
FINANCE = [["group:finance"]]
TOPOLOGY = {
    "op": "topology",
    "source": "cmdb",
    "at": at(0),
    "edges": [["checkout", "depends_on", "payments-db"], ["web", "depends_on", "checkout"]],
    "environment": "prod",
    "audience": [["*"]],
}


@pytest.fixture
def org(url: str, tenant: str, clock: Clock) -> Iterator[Org]:
    with open_org(url, tenant, clock) as opened:
        taken(opened, [person("user:ann"), person("user:bo"), member("group:finance", "user:ann")])
        yield opened


def policy(id: str, title: str, body: str, hours: float = 0, **fields: object) -> Event:  # noqa: A002  # the contract's own word
    return said(id, body, hours, source="policies", kind="document", title=title, **fields)


def links(org: Org, who: str, name: str) -> dict[str, list[PageLink]]:
    found: dict[str, list[PageLink]] = {}
    for link in org.reader(who).page(name).links:
        found.setdefault(link.relation, []).append(link)
    return found


def linked(org: Org, who: str, name: str, relation: str) -> list[str]:
    return [link.title for link in links(org, who, name).get(relation, ())]


def test_a_service_page_leads_to_what_it_leans_on_and_what_leans_on_it(org: Org) -> None:
    taken(org, [TOPOLOGY, said("m1", "Fine.", service="checkout"), said("m2", "Fine.", service="web")])

    found = links(org, "user:bo", "checkout")

    assert [(one.title, one.entity) for one in found["depends on"]] == [("payments-db", None)]
    assert [(one.title, one.entity) for one in found["used by"]] == [("web", "web")]


def test_what_a_service_leans_on_is_told_to_whom_it_was_told_for(org: Org) -> None:
    taken(org, [{**TOPOLOGY, "audience": FINANCE}, said("m1", "Fine.", service="checkout")])

    assert linked(org, "user:ann", "checkout", "depends on") == ["payments-db"]
    assert links(org, "user:bo", "checkout") == {}


def test_what_held_at_another_time_is_not_leant_on_now(org: Org) -> None:
    past = {**TOPOLOGY, "valid_from": "2025-01-01T00:00:00Z", "valid_to": "2025-06-01T00:00:00Z"}
    taken(org, [past, said("m1", "Fine.", service="checkout")])

    assert links(org, "user:bo", "checkout") == {}
    then = org.reader("user:bo", as_of="2025-03-01T00:00:00Z").page("checkout")
    assert {link.relation for link in then.links} == {"depends on", "used by"}


def test_a_policy_page_names_its_earlier_editions_and_what_amends_it(org: Org) -> None:
    taken(
        org,
        [
            policy("2025", "Travel policy", "The hotel limit is EUR 140."),
            policy("2026", "Travel policy", "The hotel limit is EUR 180.", 1, supersedes=["2025"]),
            policy("rail", "Rail amendment", "First class is allowed.", 2, amends=["2026"]),
        ],
    )

    found = links(org, "user:bo", "travel policy")

    assert [one.item for one in found["earlier edition"]] == ["policies:2025"]
    assert [(one.title, one.entity) for one in found["amended by"]] == [("Rail amendment", "rail amendment")]
    assert [one.item for one in links(org, "user:bo", "rail amendment")["amends"]] == ["policies:2026"]


def test_a_message_that_replaced_another_makes_no_edition_of_its_author(org: Org) -> None:
    price = "Decision: the list price is EUR {}."
    taken(
        org,
        [
            said("m1", price.format(18), author="user:ann", author_name="Ann"),
            said("m2", price.format(21), 1, author="user:ann", author_name="Ann", supersedes=["m1"]),
        ],
    )

    page = org.reader("user:bo").page("Ann")

    assert [section.title for section in page.sections] == ["Decisions", "History"]
    assert "earlier edition" not in {link.relation for link in page.links}


def test_items_that_call_it_by_name_are_listed_and_those_about_it_are_not(org: Org) -> None:
    taken(
        org,
        [
            said("m1", "Acme is fine.", account="Acme"),
            said("m2", "Somebody from Acme called.", 1, account="Globex", author_name="Bo Chan"),
            said("m3", "Acmeology is no company.", 2),
        ],
    )

    assert linked(org, "user:bo", "Acme", "referred to by") == ["message by Bo Chan"]


@pytest.mark.parametrize(
    ("name", "body", "is_named"),
    [
        ("青屿物流", "我们和青屿物流谈过了。", True),
        ("INC-3", "See INC-31 for this.", False),
        ("INC-31", "This was INC-31 again.", True),
        ("edi-gateway", "We restarted edi-gateway-eu.", False),
        ("edi-gateway", "Restart edi-gateway, please.", True),
        ("gateway", "We restarted edi-gateway.", False),
        ("Acme", "> We left Acme.\n\nI did not know.", False),
    ],
)
def test_a_name_is_one_where_it_stands_whole_and_is_the_author_s_own(
    org: Org, name: str, body: str, *, is_named: bool
) -> None:
    taken(org, [said("m1", "Fine.", account=name), said("m2", body, 1, kind="email")])

    assert bool(linked(org, "user:bo", name, "referred to by")) is is_named


def test_a_hidden_item_is_no_backlink_and_takes_no_visible_one_s_place(org: Org) -> None:
    taken(org, [said("m1", "Fine.", account="Acme"), said("m2", "Acme called.", 1, author_name="Bo")])
    before = org.reader("user:bo").page("Acme")
    taken(org, [said(f"h{n}", f"Acme, Acme, Acme {n}.", 2, audience=FINANCE) for n in range(80)])

    assert org.reader("user:bo").page("Acme") == before
    assert len(linked(org, "user:ann", "Acme", "referred to by")) == MOST_LINKS


def test_a_mention_that_was_edited_in_later_is_not_there_at_an_earlier_time(org: Org, clock: Clock) -> None:
    taken(org, [said("m1", "Fine.", account="Acme"), said("m2", "Nobody called.", 1)])
    before = clock()
    clock.forward(hours=1)
    taken(org, [said("m2", "Acme called.", 2)])

    then = org.reader("user:bo", known_at=before.isoformat()).page("Acme")

    assert linked(org, "user:bo", "Acme", "referred to by") == ["message"]
    assert then.links == ()


def test_what_is_mentioned_beside_it_is_a_page_to_see_also(org: Org) -> None:
    taken(
        org,
        [
            *(said(f"m{n}", "Fine.", n, account="Acme", service="checkout") for n in range(3)),
            said("m8", "Fine.", 8, account="Acme", project="Falcon"),
            said("m9", "Fine.", 9, account="Acme", project="Heron", audience=FINANCE),
        ],
    )

    assert linked(org, "user:bo", "Acme", "see also") == ["checkout", "Falcon"]
    assert linked(org, "user:ann", "Acme", "see also") == ["checkout", "Falcon", "Heron"]


def test_every_link_to_a_page_opens_it_and_names_its_file(org: Org) -> None:
    taken(org, [said("m1", "Fine.", account="Müller & Söhne", service="checkout"), TOPOLOGY])
    taken(org, [said("m2", "Fine.", service="checkout", project="年假制度")])
    bo = org.reader("user:bo")

    page = bo.page("checkout")
    opened = [(link, bo.page(link.entity)) for link in page.links if link.entity is not None]

    assert {link.title for link, _ in opened} == {"Müller & Söhne", "年假制度"}
    assert all(link.title == other.title for link, other in opened)
    for link, _ in opened:
        assert link.path is not None
        assert re.fullmatch(r"[a-z-]+/[a-z0-9-]+\.md", link.path)
        assert f"](../{link.path})" in page.markdown


def test_a_text_that_refers_to_a_document_is_a_backlink_of_its_page_and_leads_there(org: Org) -> None:
    taken(
        org,
        [
            policy("travel", "Travel Policy", "The hotel limit is EUR 180."),
            policy("guide", "Guest guide", "For hotels see the Travel Policy.", 1),
        ],
    )

    assert linked(org, "user:bo", "travel policy", "referred to by") == ["Guest guide"]
    assert linked(org, "user:bo", "guest guide", "refers to") == ["Travel Policy"]


def test_a_claim_to_replace_what_its_author_may_not_touch_is_shown_and_not_obeyed(org: Org) -> None:
    travel = policy("travel", "Travel Policy", "The hotel limit is EUR 180.")
    mine = said("mine", "This replaces the Travel Policy.", 1, source="wiki", kind="document", title="Mine")
    taken(org, [travel, mine])

    page = org.reader("user:bo").page("travel policy")

    assert [one.title for one in page.links if one.relation == "said to be superseded by"] == ["Mine"]
    assert [claim.status for section in page.sections for claim in section.claims] == ["active"]
    assert linked(org, "user:bo", "mine", "says it supersedes") == ["Travel Policy"]


def test_a_name_in_a_title_is_a_mention(org: Org) -> None:
    taken(org, [said("m1", "Fine.", account="Acme")])
    taken(org, [said("m2", "Nothing else.", 1, kind="issue", title="Review of Acme: the invoices")])

    assert linked(org, "user:bo", "Acme", "referred to by") == ["Review of Acme: the invoices"]


def statements_of(org: Org, name: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many statements a page of this takes."""
    asked: list[str] = []

    class Counting(gate.Reader):
        def rows(  # type: ignore[explicit-override]  # 3.12
            self, shape: type[Row], room: LiteralString, query: LiteralString, **values: object
        ) -> list[Row]:
            asked.append(query)
            return super().rows(shape, room, query, **values)

    with monkeypatch.context() as patch:
        plant(patch, gate, "Reader", Counting)
        org.reader("user:bo").page(name)
    return len(asked)


def test_a_page_of_many_items_takes_no_more_statements_than_one_of_few(
    org: Org, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(name: str, count: int) -> list[Event]:
        return [
            said(f"{name}{n}", f"The owner of part {n} is Ann Lee. I'll send part {n} by Friday.", n,
                 account=name, service=f"svc-{n}", author=f"user:p{n}", author_name=f"P {n}")
            for n in range(count)
        ]  # fmt: skip

    taken(org, [*busy("Little", 4), *busy("Much", 120), said("x", "Little and Much called.", 200)])

    few, many = (statements_of(org, name, monkeypatch) for name in ("Little", "Much"))

    # A name may lead to another, but not as many names to as many rounds.
    assert 0 < many <= few + 4
