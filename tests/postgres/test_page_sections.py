"""What a page shows of each kind of entity, in which order, and how much."""

from collections.abc import Iterator

import pytest

from muniment.app import Org
from muniment.domain.values import Page
from muniment.pages.layout import MOST_SHOWN
from tests.worlds import Clock, Event, at, member, open_org, person, said, taken

FINANCE = [["group:finance"]]


@pytest.fixture
def org(url: str, tenant: str, clock: Clock) -> Iterator[Org]:
    with open_org(url, tenant, clock) as opened:
        taken(opened, [person("user:ann"), person("user:bo"), member("group:finance", "user:ann")])
        yield opened


def account(name: str, *aliases: str, **fields: object) -> Event:
    plain = {"op": "entity", "source": "crm", "id": f"acct-{name}", "at": at(0), "entity_kind": "account"}
    return {**plain, "audience": [["*"]], "name": name, "aliases": list(aliases), **fields}


def titles(page: Page) -> list[str]:
    return [section.title for section in page.sections]


def words(page: Page, title: str) -> list[str]:
    return [claim.statement for one in page.sections if one.title == title for claim in one.claims]


TALK = [
    said("m1", "Decision: we offer Acme a discount of 12 %.", account="Acme", author="user:ann"),
    said("m2", "I'll send Acme the draft by 20 June.", 1, account="Acme", author="user:ann"),
    said("m3", "The owner is Ann Lee.", 2, account="Acme", author="user:ann"),
    said("m4", "Which plan does Acme want to buy?", 3, account="Acme", author="user:bo"),
]


def test_an_account_page_puts_what_is_owed_before_what_was_decided(org: Org) -> None:
    taken(org, [account("Acme"), *TALK])

    assert titles(org.reader("user:bo").page("Acme")) == ["Commitments", "Decisions", "People", "Questions"]


def test_a_project_page_puts_what_was_decided_before_what_is_owed(org: Org) -> None:
    taken(org, [{**event, "account": None, "project": "Falcon"} for event in TALK])

    assert titles(org.reader("user:bo").page("Falcon")) == ["Decisions", "Commitments", "Owners", "Questions"]


def test_what_is_past_due_comes_first_and_what_has_no_day_last(org: Org) -> None:
    promises = [
        said("m1", "I'll ask the lawyers about the cap.", 3, account="Acme", author="user:ann"),
        said("m2", "I'll send the draft by 20 December.", 2, account="Acme", author="user:ann"),
        said("m3", "I'll send the numbers by 20 June.", 1, account="Acme", author="user:ann"),
    ]
    taken(org, promises)

    page = org.reader("user:bo").page("Acme")

    assert words(page, "Commitments") == [
        "I'll send the numbers by 20 June.",
        "I'll send the draft by 20 December.",
        "I'll ask the lawyers about the cap.",
    ]
    assert "(due 2026-06-20, past) [1]" in page.markdown
    assert "(due 2026-12-20) [2]" in page.markdown


def test_a_section_shows_so_many_claims_and_says_how_many_more_there_are(org: Org) -> None:
    facts = [said(f"m{n}", f"The limit of zone {n} is EUR {n + 10}.", n, account="Acme") for n in range(130)]
    taken(org, facts)

    (section,) = org.reader("user:bo").page("Acme").sections

    assert (len(section.claims), section.more) == (MOST_SHOWN, 130 - MOST_SHOWN)
    assert f"- … {130 - MOST_SHOWN} more" in org.reader("user:bo").page("Acme").markdown


def test_how_many_more_there_are_counts_nothing_hidden(org: Org) -> None:
    facts = [
        said(f"m{n}", f"The limit of zone {n} is EUR {n + 10}.", n, account="Acme",
             audience=FINANCE if n % 2 else [["*"]])
        for n in range(230)
    ]  # fmt: skip
    taken(org, facts)

    assert [org.reader(who).page("Acme").sections[0].more for who in ("user:ann", "user:bo")] == [130, 15]


def test_a_stale_rule_says_what_its_source_says_of_itself(org: Org) -> None:
    rule = said("rule", "Guests must wear a badge.", source="policies", kind="document", title="Badge policy")
    taken(org, [rule, {"source": "policies", "id": "rule", "op": "close", "at": at(5), "state": "withdrawn"}])

    page = org.reader("user:bo").page("Badge policy")

    assert page.stale == 1
    assert "⚠ stale: its source is withdrawn" in page.markdown


def test_an_incident_has_a_page_under_its_number_and_its_title(org: Org) -> None:
    episode = said(
        "INC-31",
        "Root cause: the certificate had expired.",
        source="incidents",
        kind="episode",
        title="Declarations stuck",
        service="edi-gateway",
    )
    taken(org, [episode])
    bo = org.reader("user:bo")

    page = bo.page("inc-31")

    assert (page.kind, page.title) == ("incident", "INC-31: Declarations stuck")
    assert bo.page("INC-31: declarations stuck") == page
    assert words(page, "Root causes") == ["Root cause: the certificate had expired."]
    assert ("incident", "INC-31: Declarations stuck") in {(one.kind, one.title) for one in bo.pages()}


def test_two_incidents_of_one_title_are_two_pages(org: Org) -> None:
    alike = [
        said(id_, f"Root cause: {why}.", source="incidents", kind="episode", title="Slow checkout")
        for id_, why in (("INC-1", "the cache was cold"), ("INC-2", "the disk was full"))
    ]
    taken(org, alike)

    page = org.reader("user:bo").page("INC-1")

    assert "the cache was cold" in page.markdown
    assert "the disk was full" not in page.markdown


def test_alerts_of_one_signal_have_a_page(org: Org) -> None:
    fired = [
        said(f"a-{n}", "Lag is 22 minutes.", n, source="alerts", kind="alert", title=f"Lag on db-{n}",
             labels={"alertname": "ReplicaLagHigh"})
        for n in range(2)
    ]  # fmt: skip
    taken(org, fired)

    page = org.reader("user:bo").page("replicalaghigh")

    assert page.kind == "incident"
    assert {"Lag on db-0", "Lag on db-1"} <= {line[2:13] for line in page.markdown.splitlines()}


def test_the_timeline_of_a_page_tells_what_happened_oldest_first(org: Org) -> None:
    taken(org, [*TALK, said("m9", "Decision: Acme gets a second phone line.", 30, account="Acme")])

    lines = org.reader("user:bo").page("Acme").markdown.splitlines()

    told = [line for line in lines if line.startswith("- 2026-")]
    assert [line[2:20] for line in told] == ["2026-06-01 decided", "2026-06-01 promise", "2026-06-02 decided"]


def test_a_person_s_page_tells_what_they_said_and_not_what_others_said_beside_them(org: Org) -> None:
    ann = {"author": "user:ann", "author_name": "Ann Lee", "account": "Acme"}
    talk = "Ann Lee: I'll send the draft by 20 June.\nBo Chan: I'll ask the lawyers about the cap."
    meeting = said("call", talk, 0, kind="meeting", participants=["user:ann", "user:bo"], **ann)
    told = said("m1", "Decision: we offer 12 %.", 2, **ann)
    taken(org, [meeting, told])

    page = org.reader("user:bo").page("Ann Lee")

    assert page.kind == "person"
    assert titles(page) == ["Commitments", "Decisions"]
    assert "the lawyers" not in str(page.sections)
    assert [link.title for link in page.links if link.relation == "see also"] == ["Acme"]
