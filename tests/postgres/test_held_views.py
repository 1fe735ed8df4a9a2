"""A view somebody holds on to gives no more than one taken now: rights are judged at each call."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta

import pytest

from muniment.app import Org, SourceChange, View
from muniment.domain.errors import Refused
from muniment.domain.values import dump
from muniment.gate import reader
from muniment.gate.rights import rights_of
from tests.planted import plant
from tests.worlds import NOW, Clock, Event, at, member, open_org, person, said, taken

LATER = NOW + timedelta(hours=1)
STATED = "The renewal date of Acme is 2027-03-01."


def in_a_group(org: Org, fields: Event) -> None:
    taken(org, [person("user:ann"), {**member("group:g", "user:ann"), **fields}])
    taken(org, [said("s", STATED, audience=[["group:g"]], account="Acme")])


def for_a_time(org: Org) -> None:
    in_a_group(org, {"valid_to": LATER.isoformat()})


def in_a_container(org: Org) -> None:
    org.steward(org.login).set_source("chat", SourceChange(verify_within=timedelta(minutes=59)))
    opened = {"op": "audience", "source": "chat", "container": "C", "at": at(0), "audience": [["user:ann"]]}
    taken(org, [person("user:ann"), {**opened, "verified_through": NOW.isoformat()}])
    taken(org, [said("s", STATED, container="C", audience=None, account="Acme")])


def until_removed(org: Org) -> None:
    in_a_group(org, {})


def until_deactivated(org: Org) -> None:
    in_a_group(org, {})


def nothing(_: Org) -> None:
    """Time alone ends it."""


def removed(org: Org) -> None:
    gone = {
        "op": "member",
        "source": "dir",
        "group": "group:g",
        "at": LATER.isoformat(),
        "remove": ["user:ann"],
    }
    taken(org, [{**gone, "at": LATER.isoformat()}])


def deactivated(org: Org) -> None:
    org.steward(org.login).remove_member("user:ann")


ENDS = {
    "a membership's period": (for_a_time, nothing),
    "a container's limit": (in_a_container, nothing),
    "a removal": (until_removed, removed),
    "a deactivation": (until_deactivated, deactivated),
}
VERBS: tuple[Callable[[View, str], object], ...] = (
    lambda view, _: view.ask("What is the renewal date of Acme?").text,
    lambda view, _: view.search("renewal Acme"),
    lambda view, _: view.context("renewal of Acme", budget=300).text,
    lambda view, _: view.pages(),
    lambda view, _: view.page("Acme"),
    lambda view, _: view.timeline("Acme"),
    lambda view, id_: view.explain(id_),
    lambda view, id_: view.report(id_, "wrong"),
    lambda view, id_: view.remember("Ask about this.", [id_]),
)


def told(view: View, id_: str) -> list[str]:
    """What every verb gives; empty for what is refused."""
    found = []
    for verb in VERBS:
        try:
            found.append(json.dumps(dump(verb(view, id_))))
        except Refused:
            found.append("")
    return found


def after_the_end(url: str, tenant: str, end: str) -> list[str]:
    """What views taken before a right ended give once it has."""
    clock = Clock()
    begin, finish = ENDS[end]
    with open_org(url, tenant, clock) as org:
        begin(org)
        held = [org.reader("user:ann"), org.reader("user:ann", known_at=NOW, as_of=NOW)]
        (cited,) = held[0].ask("What is the renewal date of Acme?").citations
        clock.at = LATER
        finish(org)
        return [reply for view in held for reply in told(view, cited.id)]


@pytest.mark.parametrize("end", ENDS)
def test_a_view_taken_before_a_right_ended_gives_nothing_after(url: str, tenant: str, end: str) -> None:
    replies = after_the_end(url, tenant, end)

    assert [reply for reply in replies if "2027-03-01" in reply or "Acme" in reply] == []


def test_rights_of_an_earlier_instant_are_noticed(
    url: str, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted fault: rights as they were when the view was taken."""
    plant(monkeypatch, reader, "rights_of", lambda conn, of, hearing, _: rights_of(conn, of, hearing, NOW))

    assert "2027-03-01" in "".join(after_the_end(url, tenant, "a membership's period"))
