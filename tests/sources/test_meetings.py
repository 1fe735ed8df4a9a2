"""Meetings: each line is somebody's words or dropped with a reason; nobody is made to speak."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.app import Org
from muniment.domain.errors import Malformed, Usage
from muniment.sources.filekind import Handed
from muniment.sources.meetings.files import (
    is_otter_file,
    read_cue_files,
    read_fireflies,
    read_granola,
    read_otter_files,
    read_zoom_files,
)
from muniment.sources.meetings.people import named
from muniment.sources.parsed import Event, Unread
from muniment.sources.registry import recognised
from tests.served import fit, takes
from tests.worlds import open_org, person, taken

WRITTEN = 1_780_000_000  # 2026-05-28T20:26:40Z
TEAMS = """WEBVTT

8f0e7c1a-1111-2222-3333-444455556666/12-0
00:00:01.000 --> 00:00:04.000
<v Ann Lee (Guest)>We ship on &lt;Friday&gt;.</v>

8f0e7c1a-1111-2222-3333-444455556666/13-0
00:00:05.000 --> 00:00:09.000
<v Ann Lee (Guest)>Agreed?</v> <v Bo Berg>Agreed &amp; noted.
And booked.</v>
"""
GRANOLA = {
    "id": "not_1d3tmYTlCICgjy",
    "title": "Pricing for Acme",
    "owner": {"name": "Ann Lee", "email": "Ann@acme.example"},
    "created_at": "2026-06-03T09:00:00Z",
    "updated_at": "2026-06-03T10:00:00Z",
    "calendar_event": {"scheduled_start_time": "2026-06-03T08:30:00Z"},
    "attendees": [{"name": "Bo Berg", "email": "bo@acme.example"}, {"name": "Cy", "email": "cy@far.example"}],
    "folder_membership": [{"id": "fol_1", "name": "Sales"}],
    "summary_markdown": "## Decided\n- The discount is 12 %.",
    "web_url": "https://notes.granola.ai/d/1",
    "transcript": [
        {"speaker": {"source": "microphone"}, "text": "What do we give?",
         "start_time": "2026-06-03T08:31:00Z",
         "end_time": "2026-06-03T08:31:02Z"},
        {"speaker": {"source": "system"}, "text": "Twelve percent.", "start_time": "2026-06-03T08:31:03Z",
         "end_time": "2026-06-03T08:31:05Z"},
    ],
}  # fmt: skip
FIREFLIES = {
    "id": "ff1",
    "title": "Standup",
    "date": 1_780_477_200_000,
    "duration": 12.5,
    "host_email": "ann@acme.example",
    "participants": ["ann@acme.example", "bo@acme.example"],
    "transcript_url": "https://app.fireflies.ai/view/ff1",
    "summary": None,
    "sentences": [
        {"index": 0, "speaker_id": 0, "speaker_name": "Chris", "text": "The tank is empty.",
         "start_time": 0.5},
        {"index": 1, "speaker_id": 1, "speaker_name": "Chris", "text": "I fill it today.", "start_time": 3.0},
        {"index": 2, "speaker_id": 2, "speaker_name": None, "text": "Good.", "start_time": 5.0},
    ],
}  # fmt: skip


def handed(**options: str) -> Handed:
    return Handed("meet", "user:owner", None, options)


def cue_file(path: Path, text: str | bytes, name: str = "2026-06-03 10.30.00 Rollout.vtt") -> Path:
    file = path / name
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    os.utime(file, (WRITTEN, WRITTEN))
    return file


def told_in(path: Path, value: object, name: str = "notes.json") -> Path:
    return cue_file(path, json.dumps(value), name)


# Files


def test_a_transcript_becomes_a_meeting_that_says_who_was_there_and_what_was_left_out(tmp_path: Path) -> None:
    (event,) = fit(
        read_cue_files(cue_file(tmp_path, TEAMS), handed(owner="ann@acme.example", timezone="Europe/Berlin"))
    )

    assert (
        event["body"]
        == "Ann Lee: We ship on <Friday>.\nAnn Lee: Agreed?\nBo Berg: Agreed & noted. And booked."
    )
    assert event["at"] == "2026-06-03T08:30:00Z"
    assert event["title"] == "Rollout"
    assert event["audience"] == [["user:ann@acme.example"]]
    assert event["participants"] == ["Ann Lee", "Bo Berg"]
    assert event["metadata"] == {
        "badges": {"Ann Lee": ["Guest"]},
        "starts": [1.0, 5.0, 5.0],
        "seconds": 9.0,
        "dropped": {"header": 1, "id of a cue": 2},
    }


def test_a_meeting_without_a_date_says_so_and_stands_at_the_time_of_its_file(tmp_path: Path) -> None:
    one = cue_file(tmp_path, "00:01.000 --> 00:02.000\nHello.", "transcript.vtt")
    other = cue_file(tmp_path / "..", "00:01.000 --> 00:02.000\nOther.", f"{tmp_path.name}.vtt")

    (event,) = fit(read_cue_files(one, handed()))
    (unlike,) = fit(read_cue_files(other, handed()))

    assert event["at"] == "2026-05-28T20:26:40Z"
    assert event["metadata"]["start"] == "unknown"  # type: ignore[index]
    assert "audience" not in event
    assert "title" not in event
    assert str(event["id"]).startswith("transcript#")
    assert event["id"] != unlike["id"]


@pytest.mark.parametrize(
    ("name", "at"),
    [
        ("GMT20260325-100000_Recording.transcript.vtt", "2026-03-25T10:00:00Z"),
        ("2026-03-25-edi-queues.vtt", "2026-03-25T00:00:00Z"),
        ("Standup 2026-06-03 at 09.15.vtt", "2026-06-03T07:15:00Z"),
        ("20260603_1015 call.vtt", "2026-06-03T08:15:00Z"),
    ],
)
def test_a_date_in_the_name_is_when_it_began(tmp_path: Path, name: str, at: str) -> None:
    zone = "UTC" if "edi" in name else "Europe/Berlin"

    (event,) = fit(
        read_zoom_files(cue_file(tmp_path, "00:01.000 --> 00:02.000\nAnn: Hi.", name), handed(timezone=zone))
    )

    assert event["at"] == at


def test_words_of_nobody_known_are_not_given_to_who_spoke_before(tmp_path: Path) -> None:
    text = "00:01.000 --> 00:02.000\n<v Ann>Hello.</v>\n\n00:03.000 --> 00:04.000\nI resign.\n"

    (event,) = fit(read_cue_files(cue_file(tmp_path, text), handed()))

    assert event["body"] == "Ann: Hello.\nUnknown speaker: I resign."


def test_otter_text_is_recognised_and_read(tmp_path: Path) -> None:
    text = "Ann Lee  0:03\nThe tank is empty.\nReally.\n\n"
    text += "Unknown Speaker  1:02:03\nFill it.\n\nTranscribed by https://otter.ai\n"
    path = cue_file(tmp_path, text, "Tank 2026-06-03.txt")

    (event,) = fit(read_otter_files(path, handed()))

    assert is_otter_file(path)
    assert not is_otter_file(cue_file(tmp_path, "Lunch at 12:30\nBring the keys.\n", "memo.txt"))
    assert event["body"] == "Ann Lee: The tank is empty. Really.\nUnknown speaker: Fill it."
    assert event["metadata"]["starts"] == [3.0, 3723.0]  # type: ignore[index]


def test_what_says_nothing_is_unread_with_its_reason(tmp_path: Path) -> None:
    (found,) = read_cue_files(cue_file(tmp_path, "nothing here"), handed())

    assert isinstance(found, Unread)
    assert "nobody says anything" in found.reason


def test_options_that_cannot_be_meant_are_named(tmp_path: Path) -> None:
    path = cue_file(tmp_path, TEAMS)

    for options in ({"start": "yesterday"}, {"timezone": "Mars"}, {"as": "party"}, {"owners": "x"}):
        with pytest.raises(Usage, match=next(iter(options))):
            list(read_cue_files(path, handed(**options)))
    with pytest.raises(Malformed, match="everybody"):
        list(read_cue_files(path, handed(audience="everybody")))


def test_badges_are_no_part_of_a_name_and_a_surname_is() -> None:
    assert named("Bo Berg (External, Unverified)") == ("Bo Berg", ("External, Unverified",))
    assert named("Cy External unfamiliar") == ("Cy", ("External unfamiliar",))
    assert named("Judy Guest") == ("Judy Guest", ())
    assert named("陈薇（访客）") == ("陈薇", ("访客",))


MUTATED = st.builds(
    lambda said, at, put: said[:at] + put + said[at + 3 :],
    st.sampled_from([TEAMS.encode(), json.dumps(GRANOLA).encode(), json.dumps(FIREFLIES).encode()]),
    st.integers(0, 900),
    st.binary(max_size=6),
)


@pytest.mark.parametrize(
    "reads", [read_cue_files, read_zoom_files, read_otter_files, read_granola, read_fireflies]
)
@given(raw=st.binary(max_size=300) | MUTATED)
@settings(max_examples=60)
def test_the_front_door_takes_whatever_is_made_of_any_bytes(
    reads: object, raw: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.json"
    path.write_bytes(raw)

    takes(reads(path, handed()))  # type: ignore[operator]


# Recorders


def test_granola_tells_the_microphone_from_the_rest_and_names_nobody_else(tmp_path: Path) -> None:
    meeting, summary = fit(read_granola(told_in(tmp_path, {"notes": [GRANOLA]}), handed()))

    assert meeting["body"] == "Ann Lee: What do we give?\nUnknown speaker: Twelve percent."
    assert meeting["audience"] == [["user:ann@acme.example"]]
    assert meeting["participants"] == ["user:ann@acme.example", "user:bo@acme.example", "user:cy@far.example"]
    assert meeting["at"] == "2026-06-03T08:30:00Z"
    assert summary["derived_from"] == [meeting["id"]]
    assert "author" not in summary


def test_attendees_and_folders_read_only_where_somebody_says_so(tmp_path: Path) -> None:
    path = told_in(tmp_path, [GRANOLA])

    shared, _ = fit(read_granola(path, handed(folders="Sales=group:sales")))
    opened, _ = fit(read_granola(path, handed(audience="attendees")))

    assert shared["audience"] == [["user:ann@acme.example", "group:sales"]]
    assert opened["audience"] == [["user:ann@acme.example", "user:bo@acme.example", "user:cy@far.example"]]


def test_two_people_of_one_name_are_kept_apart_by_their_ids(tmp_path: Path) -> None:
    (event,) = fit(read_fireflies(told_in(tmp_path, {"data": {"transcripts": [FIREFLIES]}}), handed()))

    assert (
        event["body"] == "Chris (1): The tank is empty.\nChris (2): I fill it today.\nUnknown speaker: Good."
    )
    assert event["at"] == "2026-06-03T09:00:00Z"
    assert event["metadata"]["minutes"] == 12.5  # type: ignore[index]


def test_a_fireflies_date_may_be_text_and_its_sentences_none(tmp_path: Path) -> None:
    said = {
        **FIREFLIES,
        "date": "2026-06-03T09:00:00.000Z",
        "sentences": None,
        "summary": {"overview": "Short."},
    }

    (event,) = fit(read_fireflies(told_in(tmp_path, said), handed()))

    assert (event["kind"], event["at"], event["body"]) == ("note", "2026-06-03T09:00:00Z", "Short.")


def test_files_are_told_apart_by_what_they_are(tmp_path: Path) -> None:
    kinds = {
        "GMT20260325-100000_Recording.transcript.vtt": ("zoom", TEAMS),
        "a.vtt": ("vtt", TEAMS),
        "b.srt": ("vtt", "1\n"),
        "c.txt": ("otter", "Ann  0:01\nHi\n\nBo  0:02\nHo\n"),
        "d.json": ("granola", json.dumps([GRANOLA])),
        "e.json": ("fireflies", json.dumps(FIREFLIES)),
    }

    for name, (kind, text) in kinds.items():
        found = recognised(cue_file(tmp_path, text, name))
        assert found is not None, name
        assert found.name == kind


# In a record


@pytest.fixture
def org(url: str, tenant: str) -> Iterator[Org]:
    with open_org(url, tenant) as opened:
        taken(opened, [person(f"user:{who}", emails=[f"{who}@acme.example"]) for who in ("ann", "bo")])
        yield opened


def found(org: Org, who: str, query: str) -> list[str]:
    return [hit.item or "" for hit in org.reader(who).search(query)]


def test_a_meeting_is_read_by_its_owner_whatever_their_id_and_not_by_who_was_there(
    org: Org, tmp_path: Path
) -> None:
    events: list[Event] = fit(read_granola(told_in(tmp_path, [GRANOLA]), handed()))

    taken(org, events)
    again = taken(org, events)

    assert again.accepted == 0
    assert any("not_1d3" in item for item in found(org, "user:ann", "twelve percent"))
    assert found(org, "user:bo", "twelve percent") == []


def test_a_passage_is_what_one_person_said(org: Org, tmp_path: Path) -> None:
    path = cue_file(tmp_path, TEAMS)
    taken(org, fit(read_cue_files(path, handed(owner="ann@acme.example"))))

    hits = org.reader("user:ann").search("booked", unit="passage")

    assert hits[0].text == "Bo Berg: Agreed & noted. And booked."
