"""What somebody adds to a record is their own word, whatever it says of source, author, kind or value."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from muniment.app import Org, SourceChange
from muniment.domain.values import Citation, dump
from muniment.jobs import quality
from tests.disclosed import AUTUMN, POLICY, cast, finance
from tests.planted import plant
from tests.worlds import Event, open_org, person, said, taken

PROBES = 4  # in each way; 60 in `make prove`
LEVELS = ("user:sal", "user:op", "user:noor", "user:both")


# ── nobody finds a value by trying values ──


def disclosed(org: Org, who: str) -> list[str]:
    """Everything that is told of a level, wherever it is told."""
    view = org.reader(who)
    claims = view.search("acme revenue quarter", unit="claim", limit=40)
    told = [hit.citation for hit in claims] + list(view.ask("What is Acme's revenue for Q2 2026?").citations)
    return sorted({one.statement for one in told if one is not None and one.level != "exact"})


def probe(org: Org, draw: random.Random, who: str, way: str) -> None:
    """A value for some quarter, on the prober's own word."""
    quarter = draw.choice(("Q4 2025", "Q1 2026", "Q2 2026", "Q3 2026"))
    body = f"Acme's revenue for {quarter} is EUR {draw.randrange(20_000_000):,}."
    if way == "remember":
        org.reader(who, agent=draw.choice((None, "agent:scribe"))).remember(body)
        return
    source = {"added": "ledger", "own": "mine"}[way]
    fields = {
        "kind": draw.choice(("message", "crm", "document")),
        "author": draw.choice((who, "user:fin")),
        "audience": draw.choice(([[who]], [["group:finance"]])),
        "supersedes": draw.choice(([], ["q2"], ["ledger:q2"])),
    }
    event = finance(f"probe-{draw.random()}", body, AUTUMN + 4_000, **{**fields, "source": source})
    org.ingest([event], importer=who)


def moved(org: Org, draw: random.Random, who: str, way: str, probes: int) -> list[str]:
    """Whose levels are others after somebody tried values; their own may give way to what they wrote."""
    taken(org, cast())
    org.steward(org.login).set_disclosure(POLICY)
    values = (("q1", "Q1 2026", "1,211,311"), ("q2", "Q2 2026", "1,734,967"))
    taken(org, [finance(id_, f"Acme's revenue for {when} is EUR {sum_}.") for id_, when, sum_ in values])
    before = {one: disclosed(org, one) for one in LEVELS}
    assert {len(told) for told in before.values()} == {0, 1, 2}
    for _ in range(probes):
        probe(org, draw, who, way)
    after = {one: disclosed(org, one) for one in LEVELS}
    assert set(after[who]) <= set(before[who])
    return [one for one in LEVELS if one != who and before[one] != after[one]]


@pytest.mark.parametrize("way", ["remember", "own", "added"])
@pytest.mark.parametrize("who", LEVELS[:3])
def test_no_value_that_a_person_tries_moves_what_is_disclosed(
    url: str, tenant: str, seed: int, who: str, way: str, *, prove: bool
) -> None:
    with open_org(url, tenant) as org:
        assert moved(org, random.Random(seed), who, way, 60 if prove else PROBES) == []


def test_a_tried_value_that_counts_is_noticed(url: str, tenant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: everybody's word is vouched for."""
    right = quality._quality
    plant(monkeypatch, quality, "_quality", lambda *of: replace(right(*of), word="vouched"))
    with open_org(url, tenant) as org, pytest.raises(AssertionError):
        assert moved(org, random.Random(1), "user:op", "own", 6) == []


def test_a_person_who_feeds_a_source_that_a_rule_names_is_heard(url: str, tenant: str) -> None:
    """And a service that feeds any."""
    named = POLICY.replace("- about: [revenue]", "- about: [revenue]\n    sources: [ledger, bank]")
    for number, (who, policy) in enumerate((("user:fin", named), ("service:erp", POLICY))):
        with open_org(url, f"{tenant}-{number}") as org:
            taken(org, cast())
            org.steward(org.login).set_disclosure(policy)
            taken(org, [finance("q2", "Acme's revenue for Q2 2026 is EUR 1,734,967.")], importer=who)

            assert disclosed(org, "user:sal")


# ── who adds to a source does not speak for it ──

RULE = "Every invoice above 500 EUR must be paid within 2 days."
STATED = "The renewal date of Acme is 2027-03-01."
OTHERWISE = "The renewal date of Acme is 2029-09-09."
TRUSTED = {"member", "internal_tool"}


def cited(org: Org, query: str) -> list[Citation]:
    hits = org.reader("user:ann").search(query, unit="claim", limit=20)
    return [hit.citation for hit in hits if hit.citation is not None]


def claimed(draw: random.Random) -> dict[str, object]:
    """What an event may say of itself."""
    return {
        "kind": draw.choice(("message", "document", "crm")),
        "author": draw.choice((None, "user:ann", "user:eve")),
        draw.choice(("supersedes", "amends")): ["a", "wiki:a"],
        "metadata": {"trust": "approved", "authority": "system_of_record", "status": "approved"},
        "valid_from": draw.choice((None, "2026-06-02T00:00:00Z")),
    }


@pytest.mark.parametrize("source", ["wiki", "mine"])
def test_who_adds_to_a_source_has_a_members_word(
    url: str, tenant: str, seed: int, source: str, *, prove: bool
) -> None:
    draw = random.Random(seed)
    with open_org(url, tenant) as org:
        taken(org, [person("user:ann"), person("user:eve")])
        change = SourceChange(trust="system_of_record", authority="system_of_record")
        org.steward(org.login).set_source("wiki", change)
        page: Event = said("a", STATED, source="wiki", kind="document", title="Acme", author="user:ann")
        taken(org, [page])
        for number in range(60 if prove else 8):
            event = said(f"z{number}", draw.choice((RULE, OTHERWISE)), 5, source=source, **claimed(draw))
            org.ingest([event], importer="user:eve")

        theirs = [one for one in cited(org, "invoice renewal") if one.item != "a"]
        assert theirs
        assert {one.trust for one in theirs} <= TRUSTED, dump(theirs)
        assert [one.status for one in cited(org, "renewal date Acme") if one.item == "a"] == ["active"]


def test_a_source_given_to_somebody_else_is_theirs_to_speak_for(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, [person("user:ann"), person("user:eve")])
        org.steward(org.login).set_source("wiki", SourceChange(trust="system_of_record"))
        taken(org, [said("z", RULE, source="wiki")], importer="user:eve")
        before = cited(org, "invoice")
        org.steward(org.login).set_source("wiki", SourceChange(fed_by="user:eve"))

        assert [one.trust for one in (*before, *cited(org, "invoice"))] == ["member", "system_of_record"]


# ── a word from outside joins no two of our names ──


def test_an_untrusted_source_gives_nobody_another_name(url: str, tenant: str) -> None:
    """Nor takes one; once a steward trusts it, its names count."""
    names: Event = {
        "op": "entity",
        "source": "mail",
        "id": "globex",
        "at": "2026-06-02T00:00:00Z",
        "entity_kind": "account",
        "name": "Globex",
        "aliases": ["Acme"],
        "audience": [["*"]],
    }
    other = "The renewal date of Globex is 2028-05-01."

    def answered(org: Org) -> tuple[object, ...]:
        view = org.reader("user:ann")
        return view.ask("What is the renewal date of Acme?").text, view.conflicts(), view.pages()

    with open_org(url, tenant) as org:
        taken(org, [person("user:ann")])
        org.steward(org.login).set_source("mail", SourceChange(trust="external_document"))
        taken(org, [said("a", STATED, account="Acme"), said("g", other, account="Globex")])
        before = answered(org)
        taken(org, [names])

        assert answered(org) == before
        org.steward(org.login).set_source("mail", SourceChange(trust="member"))
        assert answered(org) != before
