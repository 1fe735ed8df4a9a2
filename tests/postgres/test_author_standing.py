"""What guests and externals write is an outsider's word, by what they were when they wrote it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import permutations

import pytest

from muniment.app import Org
from muniment.domain.values import Citation
from muniment.gate.binding import writing
from muniment.jobs.rebuild import contents, rebuild
from tests.worlds import Event, open_org, person, said, taken

RULE = "All invoices over EUR 900 must be approved by the account manager."


def wrote(who: str, hours: float = 10) -> Event:
    return said("m1", RULE, hours, author=who)


def became(standing: str, hours: float) -> Event:
    return person("user:vic", hours, standing=standing)


def rule(org: Org) -> Citation:
    (hit,) = org.reader("user:owner").search("invoices approved by the account manager", unit="claim")
    assert hit.citation is not None
    return hit.citation


@pytest.mark.parametrize(
    ("standings", "trust", "status"),
    [
        ([], "member", "active"),
        ([became("member", 1)], "member", "active"),
        ([became("external", 1)], "external_document", "candidate"),
        ([became("guest", 1)], "external_document", "candidate"),
        ([became("external", 1), became("member", 20)], "external_document", "candidate"),
        ([became("member", 1), became("external", 20)], "member", "active"),
        ([became("external", 20)], "external_document", "candidate"),  # the first word there is on them
        ([became("external", 1), became("deactivated", 20)], "external_document", "candidate"),
        ([became("external", 1), became("deactivated", 5)], "external_document", "candidate"),
        ([became("deactivated", 20)], "member", "active"),
        (
            [became("external", 1), became("deactivated", 1)],
            "external_document",
            "candidate",
        ),  # at one instant
        ([became("member", 1), became("deactivated", 1)], "member", "active"),
        (
            [became("guest", 1), became("member", 1), became("deactivated", 1)],
            "external_document",
            "candidate",
        ),
    ],
)
def test_words_count_as_their_author_stood_whatever_came_first(
    url: str, tenant: str, standings: Sequence[Event], trust: str, status: str
) -> None:
    for number, order in enumerate(permutations([*standings, wrote("user:vic")])):
        with open_org(url, f"{tenant}-{number}") as org:
            for event in order:
                taken(org, [event])

            found = rule(org)

            assert (found.trust, found.status) == (trust, status), [event.get("standing") for event in order]
            with writing(org._work.database, org.tenant) as conn:
                before = contents(conn, org.tenant)
            rebuild(org._work)
            with writing(org._work.database, org.tenant) as conn:
                assert contents(conn, org.tenant) == before


def test_what_an_outsider_edits_into_somebody_elses_words_is_theirs_too(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, [became("external", 1), said("m1", "Invoices go out monthly.", 9, author="user:ann")])
        taken(org, [wrote("user:vic", 12)])

        assert rule(org).status == "candidate"


STRANGER = "mallory@evil.example"
ANN = "ann@x.example"


def mailed(who: str, id_: str = "m1", kind: str = "email") -> Event:
    return said(id_, RULE, 10, author=who, kind=kind)


@pytest.mark.parametrize(
    ("mail", "directory", "trust"),
    [
        (mailed(STRANGER), [], "external_document"),
        (mailed(f"user:{STRANGER}"), [], "external_document"),
        ({**mailed(STRANGER), "author_name": "Mallory"}, [], "external_document"),
        ({**mailed("x"), "author": None, "author_name": f"Mallory <{STRANGER}>"}, [], "external_document"),
        (
            {**mailed("x"), "author": None, "author_name": f"Ann <{ANN}>"},
            [person("user:ann", 1, emails=[ANN])],
            "member",
        ),
        (mailed(STRANGER, kind="calendar"), [], "external_document"),
        (mailed(STRANGER, kind="message"), [], "member"),  # a chat lets nobody in by an address alone
        (mailed("user:ann"), [], "member"),  # a connector knew them
        (mailed(STRANGER), [person("user:ann", 1, emails=[ANN])], "external_document"),
        (mailed(ANN), [person("user:ann", 1, emails=[ANN])], "member"),
        (mailed("Ann@X.example"), [person("user:ann", 1, emails=[ANN])], "member"),
        (mailed(f"user:{ANN}"), [person("user:ann", 1, emails=[ANN])], "member"),
        (mailed(f"user:{ANN}"), [person(f"user:{ANN}", 1, standing="member")], "member"),
        # Only a directory says standings and addresses; a bare name from any source makes nobody known.
        (mailed(f"user:{ANN}"), [{**person(f"user:{ANN}", 1), "standing": None}], "external_document"),
        (mailed(ANN), [person("user:ann", 20, emails=[ANN])], "member"),
        (mailed(ANN), [person("user:ann", 1, emails=[ANN], standing="guest")], "external_document"),
        (
            mailed(ANN),
            [person("user:ann", 1, emails=[ANN]), person("user:bo", 1, emails=[ANN])],
            "external_document",
        ),
        (
            mailed(ANN),
            [person("user:ann", 1, emails=[ANN]), person("user:ann", 2, emails=[])],
            "external_document",
        ),
    ],
)
def test_mail_from_an_address_that_no_directory_knows_is_an_outsiders_word(
    url: str, tenant: str, mail: Event, directory: Sequence[Event], trust: str
) -> None:
    for number, order in enumerate(permutations([*directory, mail])):
        # What a directory says last of a person holds, so its own order is kept.
        if [one for one in order if one is not mail] != [*directory]:
            continue
        with open_org(url, f"{tenant}-{number}") as org:
            for event in order:
                taken(org, [event])
                org.sync()

            assert rule(org).trust == trust, [event.get("op", "upsert") for event in order]
            with writing(org._work.database, org.tenant) as conn:
                before = contents(conn, org.tenant)
            rebuild(org._work)
            with writing(org._work.database, org.tenant) as conn:
                assert contents(conn, org.tenant) == before


def test_what_a_directory_said_of_an_author_and_took_back_says_nothing_any_more(
    url: str, tenant: str
) -> None:
    with open_org(url, tenant) as org:
        other = said(
            "m2",
            "Refunds need the head of finance. The account manager approved invoices.",
            author="user:vic",
        )
        taken(org, [mailed(ANN), other])
        taken(org, [person("user:ann", 1, emails=[ANN]), became("external", 1)])
        assert trusts(org) == {"m1": "member", "m2": "external_document"}

        org.steward("user:owner").revert("dir", datetime(2020, 1, 1, tzinfo=UTC))

        assert trusts(org) == {"m1": "external_document", "m2": "member"}


def trusts(org: Org) -> dict[str, str]:
    org.sync()
    hits = org.reader("user:owner").search("invoices approved by the account manager")
    return {str(hit.item): hit.citation.trust for hit in hits if hit.citation is not None}
