"""CRM tables: columns in four languages, amounts with currency, merges, and readers only as somebody says."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import UTC
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.app import Org
from muniment.domain.errors import Usage
from muniment.sources.crm.amounts import amount_of, date_of
from muniment.sources.crm.files import read_hubspot, read_mapped, read_salesforce
from muniment.sources.crm.ids import whole_id
from muniment.sources.crm.record import known_as
from muniment.sources.filekind import Handed
from muniment.sources.parsed import Event, Parsed, Unread
from muniment.sources.registry import recognised
from tests.served import fit, takes
from tests.worlds import open_org, person, taken

WRITTEN = 1_780_000_000
DEALS = {
    "en": "Record ID,Deal Name,Deal Stage,Amount,Currency,Close Date,"
    "Associated Company IDs,Last Modified Date,Deal owner",
    "de": "Datensatz-ID,Deal-Name,Deal-Phase,Betrag,Währung,Abschlussdatum,IDs zugehöriger Unternehmen,"
    "Letztes Änderungsdatum,Zuständiger Mitarbeiter",
    "fr": "ID de l’enregistrement,Nom de la transaction,Phase de la transaction,Montant,Devise,"
    "Date de fermeture,"
    "IDs d'entreprises associées,Date de dernière modification,Propriétaire de la transaction",
    "zh": "记录 ID,交易名称,交易阶段,金额,币种,成交日期,关联公司 ID,上次修改日期,交易所有者",
}  # fmt: skip
DEAL = '55,"Renewal\r\n2027",Offer,184000,EUR,2027-03-31,123;124,2026-06-03 09:00,Jo Petrik (jo@acme.example)'
COMPANIES = (
    "Record ID,Company name,Company Domain Name,Industry,Last Modified Date,Merged object IDs\r\n"
    "123,Alsterkontor Versicherung AG,www.Alsterkontor.example,Insurance,2026-06-01 09:00,99\r\n"
)
OPPORTUNITIES = (
    '"Id","IsDeleted","AccountId","Name","StageName","Amount","CloseDate","CurrencyIsoCode","SystemModstamp"\n'
    '"0061t00000AbCdE","0","0011t00000AbCdE","Renewal","Won","60000.00",'
    '"2026-03-01","EUR","2026-06-03 09:00:00"\n'
    '"0061t00000AbCdF","1","","Gone","","","","","2026-06-03 10:00:00"\n'
)


def table(folder: Path, text: str, name: str = "deals.csv", encoding: str = "utf-8-sig") -> Path:
    path = folder / name
    path.write_bytes(text.encode(encoding))
    os.utime(path, (WRITTEN, WRITTEN))
    return path


def handed(**options: str) -> Handed:
    return Handed("crm", "user:owner", None, options)


def hubspot(folder: Path, text: str, **options: str) -> list[Event]:
    return fit(read_hubspot(table(folder, text), handed(**options)))


@pytest.mark.parametrize("language", DEALS)
def test_a_deal_is_the_same_in_whatever_language_its_columns_are_named(language: str, tmp_path: Path) -> None:
    text = f"{DEALS[language]}\r\n{DEAL}\r\n"
    kind = recognised(table(tmp_path, text))

    (event,) = hubspot(tmp_path, text)

    assert kind is not None
    assert kind.name == "hubspot-csv"
    assert event["body"] == (
        "Stage: Offer\nAmount: EUR 184,000\nClose date: 2027-03-31\nOwner: Jo Petrik (jo@acme.example)"
    )
    assert (event["id"], event["title"], event["account"]) == ("deal/55", "Renewal 2027", "company/123")
    assert (event["at"], event["author"]) == ("2026-06-03T09:00:00Z", "user:jo@acme.example")
    assert event["metadata"] == {"accounts": ["company/124"], "amount": 184000.0, "currency": "EUR"}
    assert "audience" not in event


def test_a_company_is_an_account_by_its_name_domain_and_former_records(tmp_path: Path) -> None:
    entity, card, merge = hubspot(tmp_path, COMPANIES)

    assert entity["name"] == "Alsterkontor Versicherung AG"
    assert entity["aliases"] == ["company/99", "Alsterkontor Versicherung"]
    assert entity["domains"] == ["alsterkontor.example"]
    assert entity["audience"] == [["user:owner"]]
    assert (card["body"], card["account"]) == ("Industry: Insurance", "company/123")
    assert (merge["op"], merge["id"], merge["into"]) == ("merge", "company/99", "company/123")


def test_readers_are_the_owner_and_whom_the_team_or_pipeline_is_mapped_to(tmp_path: Path) -> None:
    text = f"{DEALS['en']},HubSpot Team,Pipeline\r\n{DEAL},East,New business\r\n"

    def readers(said: str) -> object:
        return hubspot(tmp_path, text, audiences=said)[0]["audience"]

    assert readers("East=group:east") == [["user:jo@acme.example", "group:east"]]
    assert readers("New business=group:new") == [["user:jo@acme.example", "group:new"]]
    assert readers("*=*") == [["user:jo@acme.example", "*"]]
    assert readers("West=group:west") == [["user:jo@acme.example"]]


def test_salesforce_ids_are_whole_and_what_is_deleted_is_gone(tmp_path: Path) -> None:
    path = table(tmp_path, OPPORTUNITIES, "Opportunity.csv")
    kind = recognised(path)

    kept, gone = fit(read_salesforce(path, handed()))

    assert kind is not None
    assert kind.name == "salesforce-csv"
    assert kept["id"] == "opportunity/0061t00000AbCdEAAV"
    assert kept["account"] == "account/0011t00000AbCdEAAV"
    assert kept["body"] == "Stage: Won\nAmount: EUR 60,000\nClose date: 2026-03-01"
    assert (gone["op"], gone["id"]) == ("delete", "opportunity/0061t00000AbCdFAAV")
    assert whole_id("001A0000006Vm9r") == "001A0000006Vm9rIAC"


def test_an_id_in_fifteen_characters_is_told_apart_by_case() -> None:
    assert whole_id("0061t00000AbCdE") != whole_id("0061t00000abCdE").upper()
    assert whole_id(whole_id("0061t00000AbCdE")) == whole_id("0061t00000AbCdE")


@pytest.mark.parametrize(
    ("said", "currency", "told"),
    [
        ("184000", "EUR", "EUR 184,000"), ("184000.50", None, "184,000.50"),
        ("€184,000.00", None, "EUR 184,000"),
        ("184.000,50 €", None, "EUR 184,000.50"), ("GBP 72,000", None, "GBP 72,000"),
        ("1.234", "EUR", "EUR 1.234"),
        ("1,234", "EUR", "EUR 1,234"), ("$5", None, "$5"),
        ("about 20", "EUR", "EUR about 20"), ("-5000", "EUR", "EUR -5,000"),
    ],
)  # fmt: skip
def test_an_amount_that_may_be_read_two_ways_stays_as_it_stands(
    said: str, currency: str | None, told: str
) -> None:
    assert amount_of(said, currency).said == told


def test_a_date_that_may_be_one_of_two_is_none_until_somebody_says_which() -> None:
    assert date_of("03/06/2026", UTC, None) is None
    assert date_of("03/06/2026", UTC, "dmy") == "2026-06-03T00:00:00Z"
    assert date_of("03/06/2026 9:05 AM", UTC, "mdy") == "2026-03-06T09:05:00Z"
    assert date_of("31/03/2026", UTC, None) == "2026-03-31T00:00:00Z"
    assert date_of("03.06.2026 09:00", UTC, None) == "2026-06-03T09:00:00Z"
    assert date_of("2026年6月3日", UTC, None) == "2026-06-03T00:00:00Z"
    assert date_of("2026-06-03T09:00:00.000+0000", UTC, None) == "2026-06-03T09:00:00Z"
    assert date_of("1780477200000", UTC, None) == "2026-06-03T09:00:00Z"


def test_a_company_goes_by_its_name_without_its_legal_form() -> None:
    assert known_as("Nordhafen Logistik GmbH") == ["Nordhafen Logistik"]
    assert known_as("Hoyer GmbH & Co. KG") == ["Hoyer"]
    assert known_as("青屿物流有限公司") == ["青屿物流"]
    assert known_as("Costa") == []


def test_a_row_without_an_id_is_unread_and_says_what_to_do(tmp_path: Path) -> None:
    (found,) = read_hubspot(table(tmp_path, "Deal Name,Amount\nRenewal,5\n"), handed())

    assert isinstance(found, Unread)
    assert found.origin == "deals.csv, line 2"
    assert "Record ID" in found.reason


# By a mapping

MAP = """object: deal
id: Nr
title: What
changed: Updated
account: Customer
owner: Seller
owner_address: Mail
text: Notes
lines: [Volume]
labels: [Stage]
metadata: [renewal]
readers: Readers
dates: dmy
timezone: Europe/Berlin
"""
ROWS = (
    "Nr,What,Updated,Customer,Seller,Mail,Notes,Volume,Stage,renewal,Readers\r\n"
    '7,Renewal,03/06/2026 11:00,Acme,Jo,user:jo,"Two lines,\r\nin one cell.",EUR 20,won,2027,'
    "group:sales user:ann\r\n"
)


def mapped(folder: Path, rows: str = ROWS, text: str = MAP, **options: str) -> list[Parsed]:
    path = folder / "map.yaml"
    path.write_text(text, encoding="utf-8")
    return list(read_mapped(table(folder, rows, "any.csv"), handed(mapping=str(path), **options)))


def test_any_table_is_read_by_a_mapping(tmp_path: Path) -> None:
    (event,) = fit(mapped(tmp_path))

    assert {key: value for key, value in event.items() if key != "version"} == {
        "source": "crm", "id": "7", "op": "upsert", "kind": "crm", "at": "2026-06-03T09:00:00Z",
        "title": "Renewal",
        "body": "Volume: EUR 20\n\nTwo lines,\r\nin one cell.", "author": "user:jo", "author_name": "Jo",
        "account": "Acme",
        "audience": [["group:sales", "user:ann"]], "labels": {"object": "deal", "stage": "won"},
        "metadata": {"renewal": 2027},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("object: deal\n", "id is missing"),
        ("object: party\nid: Nr\n", "line 1.*'party' is unknown"),
        ("object: deal\nid: Nr\ncolour: What\n", "line 3.*'colour' is unknown"),
        ("object: deal\nid: Nr\ntimezone: Mars\n", "line 3.*'Mars'"),
        ("object: account\nid: Nr\n", "title is missing"),
        ("object: deal\nid: Number\n", "no column 'Number'"),
    ],
)
def test_a_fault_of_a_mapping_is_named_with_its_line(text: str, fault: str, tmp_path: Path) -> None:
    with pytest.raises(Usage, match=fault):
        mapped(tmp_path, text=text)


def test_readers_that_are_nobody_and_dates_that_are_none_leave_the_row_unread(tmp_path: Path) -> None:
    header = ROWS.partition("\r\n")[0]
    rows = f"{header}\r\n1,A,03/06/2026,,,,,,,,everyone\r\n2,B,soon,,,,,,,,*\r\n3,C,03/06/2026,,,,,,,,*\r\n"

    wrong, undated, right = mapped(tmp_path, rows)

    assert isinstance(wrong, Unread)
    assert "'everyone'" in wrong.reason
    assert isinstance(undated, Unread)
    assert "'soon'" in undated.reason
    assert not isinstance(right, Unread)


Reads = Callable[[Path, Handed], Iterator[Parsed]]


@pytest.mark.parametrize("reads", [read_hubspot, read_salesforce])
@given(
    cut=st.integers(0, 400),
    put=st.text(max_size=8) | st.sampled_from(['"', "\r\n", ",,,,", "\0"]),
    lost=st.integers(0, 9),
)
@settings(max_examples=60)
def test_the_front_door_takes_whatever_is_made_of_any_table(
    reads: Reads, cut: int, put: str, lost: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    said = f"{DEALS['en']}\r\n{DEAL}\r\n{DEAL}\r\n" if reads is read_hubspot else OPPORTUNITIES
    mutated = (said[:cut] + put + said[cut + lost :]).encode("utf-8", "surrogatepass")
    path = tmp_path_factory.getbasetemp() / "Opportunity.csv"
    path.write_bytes(mutated)

    takes(reads(path, handed(audiences="*=*")))


# In a record


@pytest.fixture
def org(url: str, tenant: str) -> Iterator[Org]:
    with open_org(url, tenant) as opened:
        taken(opened, [person(f"user:{who}", emails=[f"{who}@acme.example"]) for who in ("jo", "bo")])
        yield opened


def test_a_deal_is_read_by_its_owner_and_team_and_belongs_to_its_account(org: Org, tmp_path: Path) -> None:
    # One mapping for the account itself, so that its owner may know of it at all.
    account = hubspot(tmp_path, COMPANIES, audiences="*=*")
    deal = hubspot(tmp_path, f"{DEALS['en']}\r\n{DEAL}\r\n", audiences="East=group:east")
    taken(org, [*account, *deal])

    assert taken(org, [*account, *deal]).accepted == 0
    assert (
        org.reader("user:jo").search("renewal offer", entity="Alsterkontor Versicherung")[0].item == "deal/55"
    )
    assert org.reader("user:bo").search("renewal offer") == []
