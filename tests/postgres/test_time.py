"""Time in the record: what texts and fields say of when things hold, and dates that are none."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from muniment.app import Org
from muniment.domain.values import Citation
from tests.worlds import Clock, Event, open_org, person, taken

BODY = "The hotel limit is EUR {0} per night."
QUESTION = "What is the hotel limit per night?"


@pytest.fixture
def org(url: str, tenant: str, clock: Clock) -> Iterator[Org]:
    with open_org(url, tenant, clock) as made:
        taken(made, [person("user:owner")])
        yield made


def policy(id: str, body: str, at: object = "2026-01-10T09:00:00Z", **fields: object) -> Event:  # noqa: A002
    plain = {"source": "policies", "op": "upsert", "kind": "document", "at": at, "audience": [["*"]]}
    return {**plain, "id": id, "title": "Travel policy", "body": body, **fields}


def cited(org: Org, as_of: str) -> tuple[Citation, ...]:
    return tuple(org.reader("user:owner", as_of=as_of).ask(QUESTION).citations)


def limits(org: Org, as_of: str) -> set[str]:
    text = org.reader("user:owner", as_of=as_of).ask(QUESTION).text
    return {value for value in ("120", "140", "160") if f"EUR {value}" in text}


def test_a_documents_opening_line_says_when_its_successor_takes_over(org: Org) -> None:
    taken(org, [policy("2025", BODY.format(120))])
    taken(
        org,
        [
            policy(
                "2026",
                f"Effective 1 May 2026\n\n{BODY.format(140)}",
                at="2026-03-01T09:00:00Z",
                supersedes=["2025"],
            )
        ],
    )

    assert limits(org, "2026-04-30T12:00:00Z") == {"120"}
    assert limits(org, "2026-05-01T12:00:00Z") == {"140"}


def test_a_statements_own_date_wins_over_its_documents(org: Org) -> None:
    taken(org, [policy("old", BODY.format(120))])
    body = "Effective 1 March 2026\n\nFrom 1 June 2026 the hotel limit is EUR 140 per night."
    taken(org, [policy("new", body, at="2026-02-01T09:00:00Z")])

    assert limits(org, "2026-04-01T12:00:00Z") == {"120"}
    assert limits(org, "2026-06-01T12:00:00Z") == {"140"}


def test_a_declared_zone_decides_when_a_day_begins(org: Org) -> None:
    body = f"自2026年3月1日起施行\n\n{BODY.format(140)}"
    taken(org, [policy("zoned", body, timezone="Asia/Shanghai")])

    (citation,) = cited(org, "2026-04-01T00:00:00Z")

    assert citation.valid_from == datetime(2026, 2, 28, 16, tzinfo=UTC)


def test_a_relative_date_counts_from_the_items_own_time_and_stays_when_it_is_edited(org: Org) -> None:
    first = "From next Monday the hotel limit is EUR 140 per night."
    taken(org, [policy("a", first, at="2026-03-03T09:00:00Z")])
    taken(org, [policy("a", f"{first} Ask Ann.", at="2026-07-01T09:00:00Z")])

    (citation,) = cited(org, "2026-08-01T00:00:00Z")

    assert citation.valid_from == datetime(2026, 3, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"valid_from": "0000-01-01"}, "valid_from"),
        ({"valid_from": "100000-01-01"}, "valid_from"),
        ({"valid_from": "-98000-01-01"}, "valid_from"),
        ({"valid_from": "2026-02-30"}, "day is out of range for month"),
        ({"valid_from": "2027-02-29"}, "day is out of range for month"),
        ({"valid_from": "2026-13-01"}, "month must be in 1..12"),
        ({"valid_from": "03/04/2026"}, "RFC 3339"),
        ({"valid_from": "1.3.26"}, "RFC 3339"),
        ({"valid_from": "2026-03-29T02:30:00"}, "RFC 3339"),
        ({"valid_from": "二〇二六年三月一日"}, "RFC 3339"),
        ({"valid_from": "2026-03-01", "valid_to": "2026-03-01"}, "is not after"),
        ({"valid_from": "2026-03-01", "valid_to": "2026-02-01"}, "is not after"),
        ({"at": "2026-02-30T00:00:00Z"}, "is not a time that exists"),
        ({"created_at": "0000-01-01T00:00:00Z"}, "created_at"),
    ],
)
def test_a_field_that_is_no_date_is_refused_with_its_name_and_value(
    org: Org, fields: dict[str, object], why: str
) -> None:
    receipt = org.ingest([policy("bad", BODY.format(120), **fields)])

    (refused,) = receipt.items
    assert receipt.quarantined == 1
    assert why in (refused.reason or "")


def test_the_ends_of_the_calendar_are_dates(org: Org) -> None:
    taken(org, [policy("all", BODY.format(120), valid_from="0001-01-01", valid_to="9999-12-31")])

    assert limits(org, "2026-04-01T12:00:00Z") == {"120"}


def test_an_unknown_zone_is_noted_and_read_in_utc(org: Org) -> None:
    taken(org, [policy("odd", f"Effective 1 March 2026\n\n{BODY.format(140)}", timezone="Mars/Olympus")])

    (citation,) = cited(org, "2026-04-01T00:00:00Z")

    assert citation.valid_from == datetime(2026, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    "front",
    [
        "effective: 30 February 2026",
        "effective: 03/04/2026",
        "effective: 2026-13-01",
        "valid_from: 2026-05-01\nvalid_to: 2026-05-01",
        "valid_from: 2026-05-01\nvalid_to: 2026-04-01",
    ],
)
def test_front_matter_with_a_bad_date_keeps_the_document_and_bounds_nothing(
    org: Org, tmp_path: Path, front: str
) -> None:
    (tmp_path / "travel.md").write_text(f"---\ntitle: Travel\n{front}\n---\n{BODY.format(120)}\n")
    receipt = org.add(tmp_path, source="policies", audience=["*"])

    assert receipt.quarantined == 0
    assert any("no date that can be read" in one or "ends before it starts" in one for one in receipt.notes)
    (citation,) = cited(org, "2026-01-01T00:00:00Z")
    assert (citation.valid_from, citation.valid_to) == (None, None)


def test_a_bad_date_in_the_text_is_told_to_whoever_hands_it_in(org: Org) -> None:
    receipt = org.ingest([policy("bad", f"Effective 30 February 2026\n\n{BODY.format(120)}")])

    assert any("no calendar has that day" in note for note in receipt.notes)
    (citation,) = cited(org, "2026-01-01T00:00:00Z")
    assert citation.valid_from is None


def test_what_an_edit_says_of_successors_was_not_known_before(org: Org, clock: Clock) -> None:
    taken(org, [policy("old", BODY.format(120)), policy("new", BODY.format(140), valid_from="2026-03-01")])
    before = clock.at
    clock.forward(hours=1)
    edited = policy("old", BODY.format(120), at="2026-04-01T09:00:00Z", superseded_by=["new"], account="Acme")
    taken(org, [edited])

    def named(known_at: object) -> list[str]:
        view = org.reader("user:owner", known_at=known_at)  # type: ignore[arg-type]
        return [entry.title for entry in view.pages() if entry.kind == "account"]

    assert (named(before), named(clock.at)) == ([], ["Acme"])
