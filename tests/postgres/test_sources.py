"""What a steward says of a source holds for what it said before and what it says next."""

from __future__ import annotations

from datetime import timedelta

import pytest

from muniment.app import Org, SourceChange
from muniment.domain.errors import Refused, Usage
from muniment.gate.binding import writing
from muniment.jobs.rebuild import fingerprint, rebuild
from tests.worlds import at, open_org, person, said, taken


def worth(org: Org, source: str) -> set[tuple[str, str]]:
    """Trust and authority on the source's items and their statements."""
    with writing(org._work.database, org.tenant) as conn:
        rows = conn.execute(
            "select trust, authority from muniment.item where tenant = %(tenant)s and source = %(source)s"
            " union select a.trust, a.authority from muniment.assertion as a"
            "  join muniment.item as i on i.tenant = a.tenant and i.item = a.item"
            " where a.tenant = %(tenant)s and i.source = %(source)s",
            {"tenant": org.tenant, "source": source},
        )
        return set(rows)


def digests(org: Org) -> dict[str, str]:
    with writing(org._work.database, org.tenant) as conn:
        return fingerprint(conn, org.tenant)


def test_what_a_source_is_worth_holds_for_what_it_said_before(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, [said("1", "The hotel limit is 120 euros."), said("2", "Other", source="mail")])
        desk = org.steward("user:owner")

        done = desk.set_source("chat", SourceChange(trust="external_tool", authority="owner"))

        assert (done.trust, done.authority) == ("external_tool", "owner")
        # Whose words may not act for themselves do not overrule those that may.
        assert worth(org, "chat") == {("external_tool", "external")}
        assert worth(org, "mail") == {("member", "member")}
        before = digests(org)
        rebuild(org._work)
        assert digests(org) == before


def test_a_source_made_a_directory_says_who_is_who(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        assert org.ingest([person("user:ann")], importer="service:sync").quarantined == 1

        org.steward("user:owner").set_source("dir", SourceChange(directory=True, fed_by="service:sync"))

        taken(org, [person("user:ann")], importer="service:sync")
        assert org.ingest([person("user:bo")], importer="user:eve").quarantined == 1


def test_a_source_can_be_configured_before_it_says_anything(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        org.steward("user:owner").set_source("chat", SourceChange(trust="external_document"))
        taken(org, [said("1", "A note")])

        assert worth(org, "chat") == {("external_document", "external")}


def test_the_limit_is_listed_and_can_be_lifted(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        desk = org.steward("user:owner")
        desk.set_source("chat", SourceChange(verify_within=timedelta(hours=24)))
        assert [(one.source, one.verify_within_s) for one in desk.sources()] == [("chat", 86400.0)]

        desk.set_source("chat", SourceChange(verify_within="off"))

        assert [one.verify_within_s for one in desk.sources()] == [None]


@pytest.mark.parametrize("change", [{"trust": "approved"}, {"authority": "king"}, {"fed_by": "ann"}])
def test_a_source_is_not_made_what_nobody_knows(change: dict[str, str]) -> None:
    with pytest.raises(Usage):
        SourceChange(**change)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["muniment", "disclosure", "a:b", " ", "x" * 300])
def test_a_name_that_no_source_can_have_is_refused(url: str, tenant: str, name: str) -> None:
    with open_org(url, tenant) as org, pytest.raises(Usage):
        org.steward("user:owner").set_source(name, SourceChange(trust="member"))


def test_only_a_steward_says_what_a_source_is(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, [person("user:ann"), said("1", "A note", at=at(0))])

        with pytest.raises(Refused):
            org.steward("user:ann")
