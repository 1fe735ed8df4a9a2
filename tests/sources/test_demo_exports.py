"""The demo company's exports, read by their kinds, say what its events say."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from muniment.sources.calendar.files import read_calendars
from muniment.sources.crm.files import read_mapped
from muniment.sources.filekind import Handed
from muniment.sources.folder import Document, read_document
from muniment.sources.mail.files import read_mbox
from muniment.sources.meetings.files import read_cue_files
from muniment.sources.parsed import Event
from muniment.sources.slack.export import read_export
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


SAME = ("source", "id", "kind", "at", "body", "author_name", "container", "thread", "labels", "version")


def test_the_workspace_says_the_same() -> None:
    told = fit(read_export(EXPORTS / "slack-export.zip", Handed("slack", "user:owner")))

    said = list(company("chat.jsonl"))
    gone = {one["id"] for one in said if one["op"] == "delete"}
    last = {one["id"]: one for one in said if one["op"] == "upsert" and one["id"] not in gone}
    found = {one["id"]: one for one in told if one["op"] == "upsert"}
    assert {id_: instants(only(one, *SAME)) for id_, one in found.items()} == {
        id_: instants(only(one, *SAME)) for id_, one in last.items()
    }
    assert {one["id"] for one in told if one["op"] == "delete"} == gone
    assert containers(told) == containers(said)


def test_the_later_export_says_what_happened_afterwards() -> None:
    first, later = (
        fit(read_export(EXPORTS / name, Handed("slack", "user:owner")))
        for name in ("slack-export.zip", "later/slack-export.zip")
    )

    edit, leave = company("later/edit.jsonl")
    before = {(one["op"], one.get("id"), one.get("version")) for one in first}
    new = [one for one in later if (one["op"], one.get("id"), one.get("version")) not in before]
    assert [instants(only(one, *SAME)) for one in new] == [instants(only(edit, *SAME))]
    left = [one for one in later if one["op"] == "member" and one.get("remove")]
    assert leave["remove"] == ["user:noor"]
    assert ["user:slack:UNOOR"] in [one["remove"] for one in left]


def instants(event: Mapping[str, object]) -> Mapping[str, object]:
    """Slack's stamps go on below the second."""
    return {**event, "at": datetime.fromisoformat(str(event["at"])).replace(microsecond=0)}


def containers(events: list[Event]) -> Mapping[object, object]:
    return {one["container"]: one["audience"] for one in events if one["op"] == "audience"}


def test_the_mailboxes_hold_the_same() -> None:
    told: list[Event] = []
    for path in sorted((EXPORTS / "mail").iterdir()):
        told += fit(read_mbox(path, Handed("mail", "user:x", None, {"owner": f"user:{path.stem}"})))

    said = {named(one): one for one in company("mail.jsonl") if one["op"] == "upsert"}
    found = {named(one): one for one in told if one["op"] == "upsert" and "recall" not in named(one)}
    assert {id_: (one["title"], spaced(one["body"])) for id_, one in found.items()} == {
        id_: (one["title"], spaced(one["body"])) for id_, one in said.items()
    }
    readers: dict[str, set[object]] = {id_: set() for id_ in said}
    for one in told:
        if one["op"] == "audience":
            held: Any = one["add"]
            readers.setdefault(str(one["item"]).partition("@")[0], set()).update(held)
    # A customer's mailbox is not the company's to hand in.
    assert {id_: readers[id_] for id_ in said} == {
        id_: holders(one) - {"user:karl"} for id_, one in said.items()
    }
    assert {named(one) for one in told if one["op"] == "recall"} == {"m-0021"}


def holders(event: Any) -> set[str]:
    """Those who may read a mail; of one that is for all or a group, those it was sent to."""
    (clause,) = event["audience"]
    return set(clause if all(one.startswith("user:") for one in clause) else event["participants"])


def named(event: Event) -> str:
    return str(event["id"]).partition("@")[0]


def spaced(body: object) -> str:
    return " ".join(str(body).split())


def test_word_and_pdf_say_the_same_as_the_rules_they_are_of() -> None:
    for name, rule in (("expense-policy.docx", "expense-policy.md"), ("home-office.pdf", "home-office.txt")):
        made = read_document((EXPORTS / "policies" / name).read_bytes(), name)
        rule_ = read_document((DEMO / "company" / "policies" / rule).read_bytes(), rule)

        assert isinstance(made, Document)
        assert isinstance(rule_, Document)
        assert made.title == rule_.title
        paragraphs = [spaced(one) for one in rule_.body.split("\n\n") if not one.startswith(("#", "Title:"))]
        assert all(one in spaced(made.body) for one in paragraphs)
