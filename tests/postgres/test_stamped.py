"""A version that says what the one before it said is no edit, whoever stamped it anew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations

import pytest

from muniment.app import Org
from tests.worlds import Clock, Event, open_org, person, said, taken

ISSUE: Mapping[str, object] = {"kind": "issue", "title": "Pier is slow", "account": "Acme"}


def stamped(version: int, body: str = "The pier of Acme is slow.", **fields: object) -> Event:
    return said("i1", body, version, **{**ISSUE, "version": str(version), **fields})


@pytest.fixture
def org(url: str, tenant: str, clock: Clock) -> Iterator[Org]:
    with open_org(url, tenant, clock) as org:
        taken(org, [person("user:bo")])
        yield org


def told(org: Org) -> list[str]:
    return [entry.change for entry in org.reader("user:bo").timeline("Acme")]


def test_what_is_only_stamped_anew_is_not_told_as_an_edit(org: Org) -> None:
    taken(org, [stamped(1), stamped(2, labels={"urgent": "yes"}), stamped(3, participants=["user:cy"])])

    assert told(org).count("edited") == 0
    (hit,) = org.reader("user:bo").search("pier")
    assert hit.citation is not None
    assert hit.citation.version == "3"


@pytest.mark.parametrize("edit", [{"body": "The pier of Acme is fast."}, {"title": "Pier is quick"}])
def test_what_reads_otherwise_is_told_as_an_edit_once(org: Org, edit: dict[str, str]) -> None:
    taken(org, [stamped(1), stamped(2), stamped(3, **edit), stamped(4, **edit)])

    assert told(org).count("edited") == 1


@pytest.mark.parametrize("order", [*permutations(range(3))])
def test_stamps_in_any_order_of_arrival_are_no_edits(org: Org, order: tuple[int, ...]) -> None:
    for number in order:
        taken(org, [stamped(number + 1)])

    assert told(org).count("edited") == 0
