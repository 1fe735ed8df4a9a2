"""Words that are blanked are left in no column of any table, and each that can hold words is looked at."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from muniment.app import Org
from muniment.domain.entities import Parting, Terms
from muniment.gate.binding import writing
from muniment.jobs.distil import distil_due
from muniment.jobs.rebuild import rebuild
from tests.canaries import canary, hits
from tests.doubles import CountingModel, draft, drafts
from tests.naming import derived
from tests.worlds import Clock, at, open_org, person, said, taken

# Columns with words are those of which the planner keeps no samples (sql/schema.sql).
WORDY = """
select c.relname, a.attname
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid
 where c.relnamespace = 'muniment'::regnamespace
   and c.relkind = 'r'
   and a.attstattarget = 0
"""
HOLDS = """
select exists (select 1 from muniment.{0} where tenant = %(tenant)s and to_jsonb({1})::text ilike %(like)s)
"""
# Those with no words that could be blanked: states, numbers, places in a text, reasons of our own.
WORDLESS = {
    ("assertion", "qualifier"),
    ("assertion", "quotes"),
    ("handle", "edition"),
    ("item", "participants"),
    ("item", "status"),
    ("item_version", "status"),
    ("model_output", "reason"),
    ("passage", "spans"),
    ("payload", "salt"),
    ("quarantine", "reason"),
    ("reference", "cue"),
    ("reference", "edition"),
    ("reference", "section"),
    ("connection", "last_error"),
    ("source", "last_error"),
    ("trace", "detail"),
}
ALIASES = """
aliases:
  - means: {0} house
    kind: project
    names: [the old house, {0} home]
  - means: Travel rules
    kind: policy
    names: [going about, {0} rules]
"""


@pytest.fixture
def word(seed: int) -> str:
    return canary(random.Random(seed))


@pytest.fixture
def org(url: str, tenant: str, clock: Clock, word: str) -> Iterator[Org]:
    with open_org(url, tenant, clock) as org:
        everywhere(org, word)
        yield org


def everywhere(org: Org, word: str) -> None:
    """The word in each place in which anybody can put one."""
    handed_in(org, word)
    settled(org, word)
    read_out(org, word)
    asked(org, word)


def handed_in(org: Org, word: str) -> None:
    title = word.title()
    fields = {
        "title": f"{title} Plan",
        "author_name": title,
        "account": title,
        "project": word,
        "service": word,
    }
    beside = {"url": f"https://example.com/{word}", "labels": {"about": word}, "metadata": {"note": word}}
    text = (
        f"# {title} rules\n\nThe {word} budget of {title} is 500 euros. The owner of Acme is {title} Lee.\n\n"
        f"This plan replaces the {title} Policy, {word} edition. See Section {title} of the {title} Guide."
    )
    named = {
        "name": f"{title} Ltd",
        "aliases": [word],
        "domains": [f"{word}.example"],
        "entity_kind": "account",
    }
    taken(
        org,
        [
            person("user:ann", name=f"{title} Lee", emails=[f"{word}@example.com"], aliases=[f"chat:{word}"]),
            said(
                "m1", text, 1, kind="document", media="text/markdown", author="user:ann", **fields, **beside
            ),
            said("m2", "The rate limit of Acme is 700.", 2, author="user:ann", account="Acme"),
            said("m3", "The discount of Hooli is 12 %.", 2, author="user:ann", account="Hooli"),
            said(
                "m4",
                "All invoices over EUR 900 must be approved by the account manager.",
                2,
                author="user:vic",
            ),
            person("user:vic", 1, standing="external"),
            said("m5", f"{title} Lee: The barn is green.\n\nBo: It is red.", 2, kind="meeting"),
            {"op": "entity", "source": "crm", "id": "a1", "at": at(1), "audience": [["*"]], **named},
        ],
    )
    org.ingest([{"source": "chat", "id": "m9", "op": "upsert", "body": word}])


def settled(org: Org, word: str) -> None:
    desk = org.steward("user:owner")
    desk.set_aliases(ALIASES.format(word))
    desk.set_aliases(ALIASES.format(f"{word} new"))
    desk.merge("Acme", "Hooli", Terms(f"{word} says so"))
    desk.split("Acme", f"{word} works", Parting(items=["chat:m2"]))
    desk.merge("Acme", word.title())
    desk.split("Acme", "Other works", Parting(names=[word]))
    desk.reject(desk.candidates()[0].id, f"no, says {word}")
    desk.add_hold("chat:m3", f"about {word}")
    desk.remove_hold("chat:m3")


def read_out(org: Org, word: str) -> None:
    """By a model that has the word of itself too."""
    distil_due(org._work, CountingModel())
    wild = CountingModel(lambda *_: drafts(draft("fact", f"It is {word}.", "It is so.")), name="wild")
    distil_due(org._work, wild)


def asked(org: Org, word: str) -> None:
    view = org.reader("user:ann")
    view.ask(f"What is known of {word}?")
    (hit, *_) = view.search("rate limit", unit="claim")
    assert hit.citation is not None
    view.report(hit.citation.id, f"{word} says it is wrong")
    query = "update muniment.stream set dead = %(why)s where tenant = %(tenant)s and id = 'm2'"
    with writing(org._work.database, org.tenant) as conn:
        conn.execute(query.encode(), {"tenant": org.tenant, "why": f"ValueError: {word}"})


def columns(org: Org, word: str) -> dict[tuple[str, str], bool]:
    """Every column with words, and whether this one is among them."""
    values = {"tenant": org.tenant, "like": f"%{word}%"}
    with writing(org._work.database, org.tenant) as conn:
        wordy: list[tuple[str, str]] = conn.execute(WORDY).fetchall()
        return {one: conn.execute(HOLDS.format(*one).encode(), values).fetchone() == (True,) for one in wordy}


def test_words_that_are_blanked_are_left_in_no_column_of_any_table(org: Org, word: str) -> None:
    held = columns(org, word)
    assert {one for one, has in held.items() if not has} == WORDLESS

    org.steward("user:owner").erase_subject(word)

    assert [one for one, has in columns(org, word).items() if has] == []
    assert hits(org, [word]) == {}
    live = derived(org)
    rebuild(org._work)
    assert derived(org) == live
    assert hits(org, [word]) == {}
