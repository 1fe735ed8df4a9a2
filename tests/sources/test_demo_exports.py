"""The demo company's exports, read by their kinds, say what its events say."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from muniment.sources.calendar.files import read_calendars
from muniment.sources.crm.files import read_mapped
from muniment.sources.filekind import Handed
from muniment.sources.meetings.files import read_cue_files
from muniment.sources.parsed import Event
from tests.served import fit

DEMO = Path(__file__).parents[2] / "demo"
EXPORTS = DEMO / "exports"


def company(name: str) -> Iterator[Event]:
    with (DEMO / "company" / name).open(encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines)


def only(event: Event, *names: str) -> Mapping[str, object]:
    return {name: event.get(name) for name in names}


def test_the_meetings_say_the_same() -> None:
    told = fit(read_cue_files(EXPORTS / "meetings", Handed("meet", "user:owner")))

    same = ("source", "id", "op", "kind", "at", "body")
    assert [only(one, *same) for one in told] == [only(one, *same) for one in company("meetings.jsonl")]


ACCOUNT = ("source", "id", "at", "entity_kind", "name", "domains", "audience")
RECORD = (
    *("source", "id", "kind", "at", "title", "body", "author", "author_name", "account"),
    *("audience", "metadata"),
)


@pytest.mark.parametrize(
    ("table", "op", "same"), [("accounts", "entity", ACCOUNT), ("records", "upsert", RECORD)]
)
def test_the_tables_say_the_same(table: str, op: str, same: tuple[str, ...]) -> None:
    folder = EXPORTS / "crm"

    by = Handed("crm", "user:owner", None, {"mapping": str(folder / f"{table}.yaml")})
    told = fit(read_mapped(folder / f"{table}.csv", by))

    said = [one for one in company("crm.jsonl") if one["op"] == op]
    empty: Event = {"metadata": {}} if op == "upsert" else {}
    assert [only({**empty, **one}, *same) for one in told] == [only(one, *same) for one in said]
    for one, other in zip(told, said, strict=True):
        assert set(other.get("aliases", ())) <= set(one.get("aliases", ()))  # type: ignore[call-overload]
        assert dict(other.get("labels", {})).items() <= dict(one.get("labels", {})).items()  # type: ignore[call-overload]


def test_every_meeting_has_its_invitation() -> None:
    told = fit(read_calendars(EXPORTS / "calendar.ics", Handed("calendar", "user:owner")))

    said = list(company("meetings.jsonl"))
    assert [one["title"] for one in told] == [one["title"] for one in said]
    assert [one["metadata"]["start"] for one in told] == [one["at"] for one in said]  # type: ignore[index]
    assert ["audience" in one for one in told] == [one["audience"] != [["*"]] for one in said]
