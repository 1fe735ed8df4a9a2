"""HubSpot and Salesforce, asked: nothing is cut off, history is versions, and what is gone is gone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from muniment.domain.errors import Unavailable
from muniment.sources.connector import CursorLost, Page
from muniment.sources.crm.asked_hubspot import HubSpot
from muniment.sources.crm.asked_salesforce import Salesforce
from muniment.sources.parsed import Event
from tests.served import Answer, Question, configured, fit, served, standing

Thing = dict[str, object]
START = int(datetime(2026, 6, 1, tzinfo=UTC).timestamp() * 1000)
DEAL: Thing = {
    "id": "55",
    "properties": {
        "dealname": "Renewal", "dealstage": "s2", "amount": "184000", "deal_currency_code": "EUR",
        "closedate": "2027-03-31T00:00:00Z", "pipeline": "p1", "hubspot_owner_id": "9",
        "hs_lastmodifieddate": "2026-06-03T09:00:00.000Z",
    },
    "propertiesWithHistory": {
        "amount": [{"value": "184000", "timestamp": "2026-06-03T09:00:00.000Z"},
                   {"value": "170000", "timestamp": "2026-05-01T09:00:00.000Z"}],
        "dealstage": [{"value": "s2", "timestamp": "2026-05-20T09:00:00.000Z"},
                      {"value": "s1", "timestamp": "2026-05-01T09:00:00.000Z"}],
    },
}  # fmt: skip
OWNER = {
    "id": "9",
    "email": "Jo@acme.example",
    "firstName": "Jo",
    "lastName": "Petrik",
    "teams": [{"name": "East"}],
}
PIPELINE = {
    "id": "p1",
    "label": "Sales",
    "stages": [{"id": "s1", "label": "Lead"}, {"id": "s2", "label": "Offer"}],
}


def hubspot(
    deals: list[Thing], archived: list[Thing] | None = None, most: int = 10_000
) -> Callable[[Question], Answer]:
    """Deals alone; a search tells no more than `most`, as the real one does."""

    def speaks(question: Question) -> Answer:
        path, said = question.path, json.loads(question.body or b"{}")
        if path == "/crm/v3/owners":
            return Answer({"results": [OWNER]})
        if path == "/crm/v3/pipelines/deals":
            return Answer({"results": [PIPELINE]})
        if "associations" in path:
            return Answer(
                {
                    "results": [
                        {"from": {"id": one["id"]}, "to": [{"toObjectId": 123}]} for one in said["inputs"]
                    ]
                }
            )
        there = deals if "/deals" in path else []
        if path.endswith("/search"):
            return Answer(_searched(there, said, most))
        if path.endswith("/batch/read"):
            ids = {one["id"] for one in said["inputs"]}
            return Answer({"results": [one for one in there if one["id"] in ids]})
        if question.query.get("archived") == "true":
            return Answer({"results": (archived or []) if "/deals" in path else []})
        return Answer({"results": [{"id": one["id"]} for one in there]})

    return speaks


def _searched(there: list[Thing], said: Thing, most: int) -> Thing:
    bounds = [int(one["value"]) for one in said["filterGroups"][0]["filters"]]  # type: ignore[index]
    found = [one for one in there if bounds[0] <= _stamp(one) <= bounds[1]]
    start, limit = int(str(said.get("after", 0))), int(str(said["limit"]))
    told, onward = found[start : min(start + limit, most)], start + limit
    paging = {"paging": {"next": {"after": str(onward)}}} if onward < min(len(found), most) else {}
    return {"total": len(found), "results": told, **paging}


def _stamp(one: Thing) -> int:
    return int(datetime.fromisoformat(one["properties"]["hs_lastmodifieddate"]).timestamp() * 1000)  # type: ignore[index]


def pulled(speaks: Callable[[Question], Answer], **settings: str) -> list[Page]:
    with served(speaks) as url:
        return list(HubSpot.of(configured("crm", {"token": "t"}, api=url, **settings)).pull(None))


def events(pages: list[Page]) -> list[Event]:
    return fit(one for page in pages for one in page.parsed)


def test_each_change_of_a_deal_is_a_version_whatever_their_order() -> None:
    found = events(pulled(hubspot([DEAL])))

    bodies = [(one["at"], str(one["body"]).splitlines()[:2]) for one in found]
    assert bodies == [
        ("2026-05-01T09:00:00Z", ["Stage: Lead", "Amount: EUR 170,000"]),
        ("2026-05-20T09:00:00Z", ["Stage: Offer", "Amount: EUR 170,000"]),
        ("2026-06-03T09:00:00Z", ["Stage: Offer", "Amount: EUR 184,000"]),
    ]
    assert standing(found[::-1]).body.body == standing(found).body.body == found[-1]["body"]
    assert (found[-1]["account"], found[-1]["author"]) == ("company/123", "user:jo@acme.example")
    assert "Close date: 2027-03-31\nPipeline: Sales" in str(found[-1]["body"])


def test_a_team_reads_what_it_is_mapped_to() -> None:
    (*_, newest) = events(pulled(hubspot([DEAL]), audiences="East=group:east"))

    assert newest["audience"] == [["user:jo@acme.example", "group:east"]]


def test_a_search_that_would_be_cut_off_is_narrowed_until_none_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("muniment.sources.crm.asked_hubspot._MOST", 100)
    deals: list[Thing] = [
        {"id": str(number), "properties": {"dealname": f"Deal {number}", "hs_lastmodifieddate":
         datetime.fromtimestamp((START + number * 1000) / 1000, UTC).isoformat()}}
        for number in range(450)
    ]  # fmt: skip

    pages = pulled(hubspot(deals, most=100))

    assert {one["id"] for one in events(pages)} == {f"deal/{number}" for number in range(450)}
    assert pages[-1].through is not None


def test_more_at_one_time_than_a_search_tells_is_said_and_not_passed_by(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("muniment.sources.crm.asked_hubspot._MOST", 5)
    deals: list[Thing] = [{**DEAL, "id": str(number)} for number in range(6)]

    with pytest.raises(Unavailable, match="at one time"):
        pulled(hubspot(deals, most=5))


def test_what_was_put_away_is_gone_and_what_was_merged_goes_on() -> None:
    put_away: Thing = {"id": "7", "archived": True, "archivedAt": "2026-06-05T09:00:00Z"}
    winner: Thing = {**DEAL, "properties": {**DEAL["properties"], "hs_merged_object_ids": "54"}}  # type: ignore[dict-item]

    found = events(pulled(hubspot([winner], [put_away])))

    said = {(one["op"], one["id"]) for one in found}
    assert said == {
        ("upsert", "deal/55"),
        ("merge", "deal/54"),
        ("delete", "deal/7"),
    }


def test_a_sweep_lists_the_ids_of_each_kind_under_its_prefix() -> None:
    with served(hubspot([DEAL])) as url:
        listings = list(HubSpot.of(configured("crm", {"token": "t"}, api=url)).sweep())

    assert {one.prefix: one.ids for one in listings} == {
        "company/": frozenset(), "deal/": {"deal/55"}, "contact/": frozenset(),
        "note/": frozenset(), "task/": frozenset(),
    }  # fmt: skip


# Salesforce


def record(id_: str, at: str, **more: object) -> Thing:
    owner = {"Name": "Jo", "Email": "jo@acme.example"}
    return {"Id": id_, "SystemModstamp": at, "IsDeleted": False, "Owner": owner, "Name": "Acme GmbH", **more}


def salesforce(there: dict[str, list[Thing]], asked: list[str]) -> Callable[[Question], Answer]:
    """One record a page."""

    def speaks(question: Question) -> Answer:
        if question.path.startswith("/next/"):
            name, number = question.path.split("/")[2:]
            return _paged(there, name, int(number))
        asked.append(question.query["q"])
        return _paged(there, re.findall(r" FROM (\w+)", question.query["q"])[0], 0)

    return speaks


def _paged(there: dict[str, list[Thing]], name: str, number: int) -> Answer:
    found = there.get(name, [])
    if number + 1 >= len(found):
        return Answer({"records": found[number:], "done": True})
    return Answer(
        {"records": found[number : number + 1], "done": False, "nextRecordsUrl": f"/next/{name}/{number + 1}"}
    )


def org(url: str) -> Salesforce:
    return Salesforce.of(configured("crm", {"token": "t"}, instance=url))


def test_records_are_paged_and_the_next_pull_asks_from_the_mark() -> None:
    asked: list[str] = []
    more = {"Website": "acme.example", "Industry": "Tea"}
    days = ((letter, f"2026-06-0{n}T09:00:00.000+0000") for n, letter in enumerate("EFG", 1))
    there = {"Account": [record(f"0011t00000AbCd{letter}", at, **more) for letter, at in days]}
    with served(salesforce(there, asked)) as url:
        pages = list(org(url).pull(None))
        list(org(url).pull(pages[-1].cursor))

    found = events(pages)
    assert [one["op"] for one in found] == ["entity", "upsert"] * 3
    assert found[0]["id"] == "account/0011t00000AbCdEAAV"
    assert found[0]["domains"] == ["acme.example"]
    assert "SystemModstamp >= 1970-01-01" in asked[0]
    assert "SystemModstamp >= 2026-06-20T08:58:00.000Z" in asked[4]


def test_deleted_and_merged_records_are_told_apart() -> None:
    at = "2026-06-02T09:00:00.000+0000"
    there = {
        "Account": [record("0011t00000AbCdE", at, IsDeleted=True, MasterRecordId="0011t00000AbCdFAAV")],
        "Opportunity": [record("0061t00000AbCdE", at, IsDeleted=True)],
    }
    with served(salesforce(there, [])) as url:
        merge, delete = events(list(org(url).pull(None)))

    into = (merge["op"], merge["id"], merge["into"])
    assert into == (
        "merge",
        "account/0011t00000AbCdEAAV",
        "account/0011t00000AbCdFAAV",
    )
    assert (delete["op"], delete["id"]) == ("delete", "opportunity/0061t00000AbCdEAAV")


def test_a_sweep_of_salesforce_lists_whole_ids() -> None:
    with served(salesforce({"Task": [{"Id": "00T1t00000AbCdE"}]}, [])) as url:
        listings = {one.prefix: one.ids for one in org(url).sweep()}

    assert listings["task/"] == {"task/00T1t00000AbCdEEAV"}


def test_a_page_that_is_no_longer_known_loses_the_cursor_and_an_error_is_named() -> None:
    for code, error in (("INVALID_QUERY_LOCATOR", CursorLost), ("INVALID_FIELD", Unavailable)):
        with (
            served(lambda _, code=code: Answer([{"errorCode": code}], 400)) as url,  # type: ignore[misc]
            pytest.raises(error),
        ):
            list(org(url).pull(None))
