"""Calendars: invitations as items, series within bounds, private ones for who was asked alone."""

from __future__ import annotations

import os
import random
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.app import Org
from muniment.domain.errors import Usage
from muniment.sources.calendar.files import read_calendars
from muniment.sources.calendar.repeating import in_words, occurrences
from muniment.sources.filekind import Handed
from muniment.sources.parsed import Event, Unread
from muniment.sources.registry import recognised
from tests.served import fit, standing, takes
from tests.worlds import open_org, person, taken

WRITTEN = 1_780_000_000
MEETING = {
    "UID": "rollout-1@acme.example",
    "SUMMARY": "Rollout\\, Lübeck",
    "SEQUENCE": "0",
    "STATUS": "CONFIRMED",
    "LAST-MODIFIED": "20260301T090000Z",
    "DTSTART;TZID=Europe/Berlin": "20260325T100000",
    "DTEND;TZID=Europe/Berlin": "20260325T110000",
    "LOCATION": "Room 4",
    "ORGANIZER;CN=Bo Berg": "mailto:Bo@acme.example",
    'ATTENDEE;CN="Lee, Ann";PARTSTAT=ACCEPTED': "mailto:ann@acme.example",
    "ATTENDEE;PARTSTAT=NEEDS-ACTION": "mailto:cy@far.example",
    "DESCRIPTION": "Bring the printer list.",
}


def vevent(said: Mapping[str, str] = MEETING, **more: str) -> str:
    fields = {**said, **{name.replace("_", "-"): value for name, value in more.items()}}
    return (
        "BEGIN:VEVENT\r\n"
        + "".join(f"{name}:{value}\r\n" for name, value in fields.items())
        + "END:VEVENT\r\n"
    )


def calendar(*events: str, head: str = "") -> str:
    return f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{head}{''.join(events)}END:VCALENDAR\r\n"


def ics(folder: Path, text: str | bytes, name: str = "team.ics") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    os.utime(path, (WRITTEN, WRITTEN))
    return path


def handed(**options: str) -> Handed:
    return Handed("cal", "user:owner", None, options)


def read(folder: Path, *events: str, head: str = "", **options: str) -> list[Event]:
    return fit(read_calendars(ics(folder, calendar(*events, head=head)), handed(**options)))


def test_an_invitation_says_when_where_and_who_answered_what(tmp_path: Path) -> None:
    (event,) = read(tmp_path, vevent())

    assert event["body"] == (
        "When: 2026-03-25 10:00 to 11:00 (Europe/Berlin)\nWhere: Room 4\nOrganiser: Bo Berg\n"
        "Attendees: Lee, Ann (accepted), cy@far.example (needs action)\n\nBring the printer list."
    )
    assert event["title"] == "Rollout, Lübeck"
    assert event["author"] == "user:bo@acme.example"
    assert event["participants"] == ["user:bo@acme.example", "user:ann@acme.example", "user:cy@far.example"]
    assert event["metadata"]["start"] == "2026-03-25T09:00:00Z"  # type: ignore[index]
    assert "audience" not in event


def test_a_private_appointment_is_for_who_called_it_and_was_asked(tmp_path: Path) -> None:
    asked = [["user:bo@acme.example", "user:ann@acme.example", "user:cy@far.example"]]
    alone = {"UID": "dentist", "DTSTART": "20260325T100000Z", "CLASS": "CONFIDENTIAL"}

    assert read(tmp_path, vevent(CLASS="PRIVATE"))[0]["audience"] == asked
    assert read(tmp_path, vevent(), audience="attendees")[0]["audience"] == asked
    assert read(tmp_path, vevent(alone))[0]["audience"] == [["user:owner"]]


def test_a_series_is_one_item_and_an_occurrence_that_moved_is_another(tmp_path: Path) -> None:
    weekly = vevent(RRULE="FREQ=WEEKLY;BYDAY=WE", EXDATE="20260401T080000Z")
    later = {
        f"{name};TZID=Europe/Berlin": f"20260409T{clock}"
        for name, clock in (("DTSTART", "140000"), ("DTEND", "150000"))
    }
    moved = vevent({**MEETING, **later, "RECURRENCE-ID;TZID=Europe/Berlin": "20260408T100000"})

    series, occurrence = read(tmp_path, weekly, moved)

    assert "Repeats: every week on Wednesday" in str(series["body"])
    assert len(series["metadata"]["occurrences"]) == 20  # type: ignore[index]
    assert occurrence["id"] == "rollout-1@acme.example/2026-04-08T08:00:00Z"
    assert occurrence["thread"] == series["thread"] == "rollout-1@acme.example"
    assert "When: 2026-04-09 14:00 to 15:00" in str(occurrence["body"])


def test_rules_are_told_in_words_and_never_unrolled_without_end() -> None:
    assert in_words("FREQ=MONTHLY;BYDAY=-1FR;COUNT=3") == "every month on last Friday 3 times"
    assert in_words("FREQ=WEEKLY;INTERVAL=2;UNTIL=20260601T000000Z") == "every 2 weeks until 2026-06-01"
    assert in_words("FREQ=YEARLY;BYEASTER=0") == "FREQ=YEARLY;BYEASTER=0"
    assert occurrences("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "2026-03-25 10:00") == []
    assert occurrences("FREQ=SECONDLY", "2026-03-25 10:00") == []
    assert occurrences("FREQ=DAILY;INTERVAL=0", "2026-03-25") == []
    assert occurrences("FREQ=DAILY;COUNT=2", "2026-03-25") == ["2026-03-25", "2026-03-26"]


def test_whole_days_end_on_their_last(tmp_path: Path) -> None:
    trip = {"UID": "trip", "DTSTART;VALUE=DATE": "20260501", "DTEND;VALUE=DATE": "20260503"}

    (event,) = read(tmp_path, vevent(trip), timezone="Europe/Berlin")

    assert event["body"] == "When: 2026-05-01 to 2026-05-02 (Europe/Berlin)"


def test_clock_times_are_in_the_zone_that_is_said(tmp_path: Path) -> None:
    floating = {"UID": "f", "DTSTART": "20260325T100000", "DURATION": "PT30M"}
    windows = {"UID": "w", "DTSTART;TZID=W. Europe Standard Time": "20260325T100000"}

    by_file = read(tmp_path, vevent(floating), head="X-WR-TIMEZONE:Asia/Shanghai\r\n")[0]
    by_option = read(tmp_path, vevent(floating), timezone="Europe/Berlin")[0]
    by_windows = read(tmp_path, vevent(windows))[0]

    assert by_file["metadata"]["start"] == "2026-03-25T02:00:00Z"  # type: ignore[index]
    assert by_option["body"] == "When: 2026-03-25 10:00 to 10:30 (Europe/Berlin)"
    assert by_windows["metadata"]["start"] == "2026-03-25T09:00:00Z"  # type: ignore[index]


@given(seed=st.integers(0, 10_000))
@settings(max_examples=20)
def test_moved_cancelled_and_called_again_it_ends_the_same_in_any_order(
    seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.getbasetemp()
    moved = {
        **MEETING,
        "DTSTART;TZID=Europe/Berlin": "20260326T100000",
        "DTEND;TZID=Europe/Berlin": "20260326T110000",
    }
    events = [
        *read(folder, vevent(), head="METHOD:REQUEST\r\n"),
        *read(
            folder, vevent(moved, SEQUENCE="1", LAST_MODIFIED="20260302T090000Z"), head="METHOD:REQUEST\r\n"
        ),
        *read(
            folder, vevent(moved, SEQUENCE="2", LAST_MODIFIED="20260303T090000Z"), head="METHOD:CANCEL\r\n"
        ),
    ]
    again = read(folder, vevent(moved, SEQUENCE="3", LAST_MODIFIED="20260304T090000Z"))
    random.Random(seed).shuffle(events)

    cancelled, called = standing(events), standing([*again, *events])

    assert cancelled.status == "cancelled"
    assert "2026-03-26" in cancelled.body.body
    assert called.status == "confirmed"


def test_one_broken_appointment_spoils_no_other(tmp_path: Path) -> None:
    text = calendar(
        vevent(), "BEGIN:VEVENT\r\nUID:x\r\nDTSTART:never\r\nEND:VEVENT\r\n", "BEGIN:VEVENT\r\nEND:VTODO\r\n"
    )

    found = list(read_calendars(ics(tmp_path, text), handed()))

    assert sum(1 for one in found if not isinstance(one, Unread) and one["id"] == MEETING["UID"]) == 1
    assert any(isinstance(one, Unread) and "begins" in one.reason for one in found)


def test_an_archive_of_calendars_is_recognised_and_read_within_limits(tmp_path: Path) -> None:
    path = tmp_path / "takeout.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Calendar/team.ics", calendar(vevent()))
        archive.writestr("Calendar/bomb.ics", b"\0" * (65 * 1024 * 1024))

    found = list(read_calendars(path, handed()))

    kind = recognised(path)
    assert kind is not None
    assert kind.name == "ics"
    assert [type(one) is Unread for one in found] == [False, True]


def test_options_that_cannot_be_meant_are_named(tmp_path: Path) -> None:
    for options in ({"timezone": "Mars"}, {"audience": "everybody"}, {"zone": "UTC"}):
        with pytest.raises(Usage, match=next(iter(options))):
            list(read_calendars(ics(tmp_path, calendar(vevent())), handed(**options)))


@given(
    cut=st.integers(0, 700),
    put=st.binary(max_size=8)
    | st.sampled_from([b"RRULE:FREQ=DAILY;INTERVAL=0\r\n", b"DTSTART:00010101T000000\r\n"]),
    lost=st.integers(0, 40),
)
@settings(max_examples=120)
def test_the_front_door_takes_whatever_is_made_of_any_bytes(
    cut: int, put: bytes, lost: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    raw = calendar(vevent(RRULE="FREQ=WEEKLY;BYDAY=WE"), vevent()).encode()

    takes(read_calendars(ics(tmp_path_factory.getbasetemp(), raw[:cut] + put + raw[cut + lost :]), handed()))


@pytest.fixture
def org(url: str, tenant: str) -> Iterator[Org]:
    with open_org(url, tenant) as opened:
        taken(opened, [person(f"user:{who}", emails=[f"{who}@acme.example"]) for who in ("ann", "bo", "di")])
        yield opened


def test_a_private_invitation_is_found_by_who_was_asked_and_nobody_else(org: Org, tmp_path: Path) -> None:
    events = read(tmp_path, vevent(CLASS="PRIVATE"))
    taken(org, events)

    assert taken(org, events).accepted == 0
    assert [bool(org.reader(f"user:{who}").search("printer list")) for who in ("ann", "bo", "di")] == [
        True,
        True,
        False,
    ]
