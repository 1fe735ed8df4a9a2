"""Writes the demo company's record as other tools export it, from demo/company.

Run from the repository: `python demo/exports/write.py`. The files are committed; a test holds them against
the events they were made from.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from papers import policies
from spoken import mailboxes, workspace

HERE = Path(__file__).parent
COMPANY = HERE.parent / "company"
PER_SECOND = 14  # characters that somebody says


def events(name: str) -> Iterator[dict[str, Any]]:
    """The events of one of the company's files."""
    with (COMPANY / name).open(encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines)


def meetings() -> None:
    """A WebVTT file for each meeting, named as the meeting is, with when it began in a comment."""
    folder = HERE / "meetings"
    folder.mkdir(exist_ok=True)
    for event in events("meetings.jsonl"):
        (folder / f"{event['id']}.vtt").write_text(webvtt(event), encoding="utf-8")


def webvtt(event: dict[str, Any]) -> str:
    """A cue for each turn; somebody speaks as long as it takes to say it."""
    blocks = ["WEBVTT", f"NOTE Recording started {event['at']}"]
    at = 0.0
    for number, line in enumerate(event["body"].split("\n"), 1):
        name, _, said = line.partition(": ")
        end = at + max(1.0, len(said) / PER_SECOND)
        blocks.append(f"{number}\n{clock(at)} --> {clock(end)}\n<v {name}>{escaped(said)}</v>")
        at = end + 0.5
    return "\n\n".join(blocks) + "\n"


def clock(seconds: float) -> str:
    """Seconds as a cue's time."""
    whole = timedelta(milliseconds=round(seconds * 1000))
    return f"{(datetime(2000, 1, 1, tzinfo=UTC) + whole):%H:%M:%S.%f}"[:12]


def escaped(said: str) -> str:
    """Words as they stand in a cue."""
    return said.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def crm() -> None:
    """A table of the accounts and one of all else, with the mapping files that say what their columns are."""
    folder = HERE / "crm"
    folder.mkdir(exist_ok=True)
    found = list(events("crm.jsonl"))
    accounts = [event for event in found if event["op"] == "entity"]
    table(
        folder / "accounts.csv",
        ["Account ID", "Account", "Also known as", "Website", "Modified", "Readers"],
        [
            [
                one["id"],
                one["name"],
                "; ".join(one["aliases"]),
                "; ".join(one["domains"]),
                one["at"],
                readers(one),
            ]
            for one in accounts
        ],
    )
    extras = sorted({name for one in found for name in one.get("metadata", {})})
    table(
        folder / "records.csv",
        [
            "Record ID",
            "Name",
            "Account ID",
            "Stage",
            "Plan",
            "Owner",
            "Owner login",
            "Modified",
            "Notes",
            "Readers",
            *extras,
        ],
        [record(one, extras) for one in found if one["op"] == "upsert"],
    )


def record(one: dict[str, Any], extras: Sequence[str]) -> list[str]:
    """A line of the table."""
    labels, more = one["labels"], one["metadata"]
    beside = [labels.get("stage", ""), labels.get("plan", ""), one["author_name"], one["author"], one["at"]]
    values = [str(more.get(name, "")) for name in extras]
    return [one["id"], one["title"], one["account"], *beside, one["body"], readers(one), *values]


def readers(event: dict[str, Any]) -> str:
    """Who may read it, with blanks between."""
    (clause,) = event["audience"]
    return " ".join(clause)


def table(path: Path, header: Sequence[str], lines: Sequence[Sequence[str]]) -> None:
    """A table as spreadsheets write it: with a mark at its beginning, and CRLF."""
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerows([header, *lines])


def calendar() -> None:
    """An invitation for each meeting."""
    names = {one["id"]: one for one in events("directory.jsonl") if one["op"] == "principal"}
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Fernkiel//Demo//EN", "X-WR-TIMEZONE:Europe/Berlin"]
    for event in events("meetings.jsonl"):
        lines += appointment(event, names)
    text = "\r\n".join((*(part for line in lines for part in folded(line)), "END:VCALENDAR", ""))
    (HERE / "calendar.ics").write_bytes(text.encode())


def appointment(event: dict[str, Any], names: dict[str, dict[str, Any]]) -> list[str]:
    """One invitation, private as the meeting is."""
    begin = datetime.fromisoformat(event["at"])
    sent = begin - timedelta(days=7)
    people = [names[who] for who in event["participants"]]
    asker = names[event["author"]]
    return [
        "BEGIN:VEVENT",
        f"UID:{event['id']}@fernkiel.example",
        f"SUMMARY:{event['title'].replace(',', chr(92) + ',')}",
        f"DTSTART:{begin:%Y%m%dT%H%M%SZ}",
        f"DTEND:{begin + timedelta(minutes=45):%Y%m%dT%H%M%SZ}",
        f"LAST-MODIFIED:{sent:%Y%m%dT%H%M%SZ}",
        "STATUS:CONFIRMED",
        f"CLASS:{'PUBLIC' if event['audience'] == [['*']] else 'PRIVATE'}",
        f'ORGANIZER;CN="{asker["name"]}":mailto:{asker["emails"][0]}',
        *(f'ATTENDEE;CN="{one["name"]}";PARTSTAT=ACCEPTED:mailto:{one["emails"][0]}' for one in people),
        "END:VEVENT",
    ]


def folded(line: str) -> Iterator[str]:
    """A line in parts of at most 75 bytes, each further one beginning with a blank."""
    part = ""
    for letter in line:
        if len((part + letter).encode()) > 75:
            yield part
            part = " "
        part += letter
    yield part


if __name__ == "__main__":
    meetings()
    crm()
    calendar()
    chat, later = list(events("chat.jsonl")), list(events("later/edit.jsonl"))
    workspace(HERE / "slack-export.zip", chat, events("directory.jsonl"))
    workspace(HERE / "later" / "slack-export.zip", [*chat, *later], events("directory.jsonl"))
    mailboxes(HERE / "mail", events("mail.jsonl"), events("directory.jsonl"))
    policies(HERE / "policies", COMPANY / "policies")
