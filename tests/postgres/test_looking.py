"""What an investigation looks at and takes in: kept once, for whoever may read what it was made from."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from muniment.app import Org
from muniment.domain.errors import Conflict, Refused, Usage
from muniment.domain.incidents import Entry
from muniment.domain.investigating import Ending, Looked, Start
from tests.served import Answer, Question, served
from tests.worlds import NOW, Clock, Event, member, open_org, person, said, taken

SRE = ("group:sre",)
HOURS = (NOW - timedelta(minutes=30)).isoformat()


def sent(id: str, body: str = "POST /pay failed", **fields: object) -> Event:  # noqa: A002
    """A failed span of the checkout service, sent half an hour ago."""
    plain = {"source": "otlp", "kind": "observation", "service": "checkout", "at": HOURS}
    return {**said(id, body), **plain, "audience": [["group:sre"]], "title": f"span {id}", **fields}


@pytest.fixture
def org(url: str, tenant: str, clock: Clock) -> Iterator[Org]:
    with open_org(url, tenant, clock) as opened:
        people = [person(f"user:{name}") for name in ("ann", "bo", "eve")]
        taken(opened, [*people, member("group:sre", "user:ann", "user:bo"), member("group:db", "user:ann")])
        yield opened


@pytest.fixture
def incident(org: Org) -> str:
    start = Start("Checkout fails", service="checkout", environment="prod", audience=SRE)
    return org.reader("user:ann").incidents.open(start).incident


def entries(org: Org, who: str, incident: str) -> list[Entry]:
    return [one for one in org.reader(who).incidents.show(incident).entries if one.kind == "observation"]


def test_what_a_system_answers_is_an_observation_with_the_digest_of_all_of_it(
    org: Org, incident: str, tmp_path: Path
) -> None:
    values = [["17644930", f"line {number}: pool exhausted"] for number in range(2_000)]

    def loki(asked: Question) -> Answer:
        assert asked.headers["authorization"] == "Bearer s3cret"
        return Answer({"data": {"result": [{"stream": {"app": "checkout"}, "values": values}]}})

    (token := tmp_path / "token").write_text("s3cret")
    with served(loki) as url:
        looked = Looked("loki", '{app="checkout"}', url=url, token=f"file:{token}")
        desk = org.reader("user:ann").incidents
        one, again = desk.look(incident, looked), desk.look(incident, looked)

    assert one == again
    assert (one.by, one.trust) == ("user:ann", "internal_tool")
    assert one.text.endswith("lines more")
    assert len(str(one.detail["digest"])) == 64
    assert "s3cret" not in repr(entries(org, "user:bo", incident))


def test_a_file_is_named_by_its_last_part_and_dated_by_the_end_of_what_was_looked_at(
    org: Org, incident: str, tmp_path: Path
) -> None:
    (log := tmp_path / "app.log").write_text("2026-11-30T08:10:00Z ERROR Timeout\n2026-11-30T08:50:00Z ok\n")
    until = NOW - timedelta(minutes=30)
    at = Looked("log", "timeout", file=str(log), since=NOW - timedelta(hours=2), until=until)

    one = org.reader("user:bo").incidents.look(incident, at)

    assert (one.at, one.text, one.detail["query"]) == (
        until,
        "2026-11-30T08:10:00Z ERROR Timeout",
        "app.log: timeout",
    )
    assert str(tmp_path) not in repr(one)


@pytest.mark.parametrize("at", [Looked("log"), Looked("loki", "x", url="http://localhost:1", file="x")])
def test_one_place_is_looked_at(org: Org, incident: str, at: Looked) -> None:
    with pytest.raises(Usage, match="where to look"):
        org.reader("user:ann").incidents.look(incident, at)


def test_nothing_is_looked_at_for_an_incident_that_is_not_there(
    org: Org, incident: str, tmp_path: Path
) -> None:
    (log := tmp_path / "app.log").write_text("x")

    for name in (incident, "inc-0000000000000000"):
        with pytest.raises(Refused):
            org.reader("user:eve").incidents.look(name, Looked("log", file=str(log)))


def test_what_was_sent_is_taken_in_once_by_whoever_gathers(org: Org, incident: str) -> None:
    taken(
        org,
        [sent("s1"), sent("s2"), sent("other", service="billing"), sent("old", at="2026-11-20T09:00:00Z")],
    )

    first = org.reader("user:ann").incidents.gather(incident)
    again = org.reader("user:bo").incidents.gather(incident)

    assert sorted(str(one.detail["query"]) for one in first.entries) == ["otlp:s1", "otlp:s2"]
    assert (again.entries, again.already, again.left) == ((), 2, 0)
    assert [one.id for one in entries(org, "user:bo", incident)] == [one.id for one in first.entries]
    assert {one.trust for one in first.entries} <= {"internal_tool", "external_tool", "external_document"}


def test_services_that_are_named_are_gathered_and_another_stretch_of_time(org: Org, incident: str) -> None:
    taken(org, [sent("s1"), sent("s2", service="Payments DB"), sent("old", at="2026-11-20T09:00:00Z")])
    desk = org.reader("user:ann").incidents

    then = desk.gather(incident, (), NOW - timedelta(days=11), NOW - timedelta(days=9))
    now = desk.gather(incident, ["payments_db"])

    assert [one.detail["query"] for one in then.entries] == ["otlp:old"]
    assert sorted(str(one.detail["query"]) for one in now.entries) == ["otlp:s1", "otlp:s2"]
    with pytest.raises(Usage, match="days at once"):
        desk.gather(incident, (), NOW - timedelta(days=30))


def test_what_was_sent_for_fewer_is_an_entry_for_fewer(org: Org, incident: str) -> None:
    taken(org, [sent("s1"), sent("dba", "deadlock", audience=[["group:db"]])])

    mine = org.reader("user:ann").incidents.gather(incident)
    theirs = org.reader("user:bo").incidents.gather(incident)

    assert len(mine.entries) == 2
    assert (theirs.entries, theirs.already) == ((), 1)
    assert ["deadlock" in one.text for one in entries(org, "user:bo", incident)] == [False]


def test_whoever_loses_what_was_sent_loses_the_entry(org: Org, incident: str) -> None:
    taken(org, [sent("s1")])
    org.reader("user:ann").incidents.gather(incident)

    taken(org, [{"op": "delete", "source": "otlp", "id": "s1", "at": NOW.isoformat(), "version": "9"}])

    assert entries(org, "user:bo", incident) == []


def test_a_storm_is_taken_in_a_hundred_at_a_time(org: Org, incident: str) -> None:
    taken(org, [sent(f"s{number:03}") for number in range(130)])
    desk = org.reader("user:ann").incidents

    first, second, third = (desk.gather(incident) for _ in range(3))

    assert [(len(one.entries), one.already, one.left) for one in (first, second, third)] == [
        (100, 0, 30), (30, 100, 0), (0, 130, 0),
    ]  # fmt: skip


def test_nothing_is_taken_into_an_incident_that_is_closed_or_has_no_service(org: Org, incident: str) -> None:
    taken(org, [sent("s1")])
    desk = org.reader("user:ann").incidents
    nameless = desk.open(Start("Something is slow", audience=SRE)).incident

    with pytest.raises(Usage, match="name a service"):
        desk.gather(nameless)
    desk.close(incident, Ending(None, (), "It went away."))
    with pytest.raises(Conflict):
        desk.gather(incident)
    with pytest.raises(Refused):
        org.reader("user:eve").incidents.gather(incident)


def test_the_alert_an_incident_was_opened_from_is_no_entry_again(org: Org) -> None:
    labels = {"alertname": "HighErrorRate", "service": "checkout"}
    taken(org, [sent(one, kind="alert", source="alerts", labels=labels) for one in ("a1", "a2")])
    desk = org.reader("user:ann").incidents
    one = desk.open(Start(alert="alerts:a1", audience=SRE)).incident

    found = desk.gather(one)

    assert [(one.detail["query"], one.detail["signals"]) for one in found.entries] == [
        ("alerts:a2", ["HighErrorRate"])
    ]
