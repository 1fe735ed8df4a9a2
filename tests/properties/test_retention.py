"""What a source's rule lets go of is gone at every time, and what it keeps says what it said."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial

import pytest

from muniment.app import Org, SourceChange
from muniment.domain.errors import Usage
from muniment.gate import holds
from muniment.gate.binding import writing
from muniment.jobs import retention
from muniment.jobs.rebuild import rebuild
from muniment.jobs.turns import compile_beside_others
from tests.faults.corpora import SOURCES, at_once, corpus, crew, difference, play, record, rows
from tests.worlds import START, Clock, at, open_org, said, taken

MAIL = (
    "# Renewal\n\nHello all, thank you for the long lunch and the stories about the harbour. "
    "The renewal date of Acme is 2027-03-01. My cousin Barnaby was ill again last week, poor thing.\n\n"
    "Please find some other remarks on gardening below, none of which matter to anybody here."
)
SECRET = ("Barnaby", "harbour", "gardening")
STATED = (
    "select assertion, revision, kind, statement, entity, attribute, qualifier, value, terms::text,"
    " known::text, valid::text, stated_by, stated_at, authority, trust, status"
    " from muniment.assertion where tenant = %(tenant)s"
)
TEXTS = "select id from muniment.payload where content ->> 'op' = 'upsert' and tenant = %(tenant)s"
EVERYTHING = (
    "select content::text from muniment.payload where tenant = %(tenant)s union all"
    " select body from muniment.passage where tenant = %(tenant)s union all"
    " select statement from muniment.assertion where tenant = %(tenant)s union all"
    " select raw from muniment.quarantine where tenant = %(tenant)s"
)


def keep(org: Org, source: str, how: str) -> None:
    org.steward("user:owner").set_source(source, SourceChange(keep=how))


def everything(org: Org) -> str:
    return "\n".join(str(row[0]) for row in rows(org, EVERYTHING))


def test_a_reduced_item_still_answers_with_its_quote_and_the_rest_is_gone(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, [said("m1", MAIL, kind="email", account="acme")])
        reader = org.reader("user:owner")
        before = reader.ask("When does Acme renew?")
        stated = rows(org, STATED)
        keep(org, "chat", "quotes")

        org.sync()

        after = reader.ask("When does Acme renew?")
        assert after.state == "answered"
        assert [one.id for one in after.citations] == [one.id for one in before.citations]
        assert after.citations[0].quote == before.citations[0].quote
        assert rows(org, STATED) == stated
        assert "2027-03-01" in reader.explain(after.citations[0].id).passage
        assert not [word for word in SECRET if word in everything(org)]


def test_a_reduced_item_handed_in_again_is_known_and_stays_reduced(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        first, edited = said("m1", MAIL), said("m1", MAIL.replace("2027", "2028"), hours=5)
        taken(org, [first, edited])
        keep(org, "chat", "quotes")
        org.sync()

        again = org.ingest([first, edited])
        org.sync()

        assert (again.duplicate, again.accepted, again.quarantined) == (2, 0, 0)
        assert not [word for word in SECRET if word in everything(org)]
        assert "2027-03-01" in everything(org)
        assert "2028-03-01" in everything(org)


def test_a_late_version_of_a_reduced_item_is_reduced_in_turn(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, [said("m1", MAIL, hours=5)])
        keep(org, "chat", "quotes")
        org.sync()
        taken(org, [said("m1", MAIL + " And Zebedee came.", hours=1)])

        org.sync()

        assert "Zebedee" not in everything(org)


def test_a_wider_rule_takes_the_whole_of_a_reduced_item_again(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, [said("m1", MAIL)])
        whole = record(org)
        keep(org, "chat", "quotes")
        org.sync()
        keep(org, "chat", "whole")

        org.ingest([said("m1", MAIL)])

        assert difference(whole, record(org)) == ""


def test_a_redaction_in_characters_of_the_whole_text_is_read_in_what_is_left(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        start = MAIL.index("2027-03-01")
        taken(org, [said("m1", MAIL)])
        keep(org, "chat", "quotes")
        org.sync()

        taken(
            org, [{"source": "chat", "id": "m1", "op": "redact", "at": at(9), "spans": [[start, start + 10]]}]
        )

        assert "2027-03-01" not in everything(org)
        assert "The renewal date of Acme is ██████████." in everything(org)
        assert "The renewal" in everything(org)


def test_what_is_older_than_its_source_keeps_goes_at_every_time(url: str, tenant: str) -> None:
    clock = Clock(START)
    with open_org(url, tenant, clock) as org:
        taken(org, [said("m1", MAIL, account="acme"), said("m2", "Acme has 3 offices.", hours=24 * 20)])
        keep(org, "chat", "30d")
        clock.forward(days=29)
        org.sync()
        assert "Barnaby" in everything(org)
        clock.forward(days=2)

        org.sync()

        assert org.reader("user:owner").ask("When does Acme renew?").state != "answered"
        assert org.reader("user:owner", known_at=at(48)).ask("When does Acme renew?").state != "answered"
        assert "Barnaby" not in everything(org)
        assert "offices" in everything(org)
        assert (
            len(rows(org, "select commitment from muniment.event where tenant = %(tenant)s and id = 'm1'"))
            == 1
        )


def test_what_was_dropped_does_not_come_back_unless_the_rule_changed(url: str, tenant: str) -> None:
    clock = Clock(START)
    with open_org(url, tenant, clock) as org:
        taken(org, [said("m1", MAIL)])
        keep(org, "chat", "30d")
        clock.forward(days=31)
        org.sync()

        again = org.ingest(
            [said("m1", MAIL), said("m1", MAIL, version="7"), {**said("m1", ""), "op": "restore"}]
        )
        assert again.quarantined == 0
        assert "Barnaby" not in everything(org)
        org.sync()
        assert "Barnaby" not in everything(org)

        keep(org, "chat", "60d")
        org.ingest([said("m1", MAIL)])
        assert "Barnaby" in everything(org)


def test_an_older_version_does_not_become_current_when_the_newer_one_goes(url: str, tenant: str) -> None:
    clock = Clock(START)
    with open_org(url, tenant, clock) as org:
        older = said("m1", "The limit is 100 EUR.", hours=24 * 20, version="1")
        newer = said("m1", "The limit is 200 EUR.", version="2")
        taken(org, [older, newer])
        keep(org, "chat", "30d")
        clock.forward(days=31)

        org.sync()

        assert "EUR" not in everything(org)


def test_a_pass_counts_what_it_dropped_and_the_audit_has_it(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, [said("m1", MAIL)])
        keep(org, "chat", "quotes")
        org.sync()

        (source,) = [one for one in org.status().sources if one.source == "chat"]
        assert (source.keep, source.reduced, source.expired) == ("quotes", 1, 0)
        assert source.characters_dropped > 200
        acts = rows(org, "select action, object from muniment.audit where tenant = %(tenant)s")
        assert {("sources set", "chat"), ("let go", "chat")} <= set(acts)


def test_what_is_under_a_legal_hold_stays_until_its_release(url: str, tenant: str) -> None:
    clock = Clock()
    with open_org(url, tenant, clock) as org:
        taken(org, [said("m1", MAIL), said("m2", MAIL)])
        with writing(org._work.database, tenant) as conn:
            holds.add(conn, tenant, "item:chat:m1", "case 12/26", "user:owner", clock())
        keep(org, "chat", "quotes")
        org.sync()
        kept = rows(org, "select id, kept is null from muniment.payload where tenant = %(tenant)s")
        assert {("m1", True), ("m2", False)} <= set(kept)

        with writing(org._work.database, tenant) as conn:
            holds.release(conn, tenant, "item:chat:m1", "user:owner", clock())
        clock.forward(hours=1)
        org.sync()

        assert "Barnaby" not in everything(org)


def test_two_passes_and_a_writer_at_once_leave_what_one_after_the_other_does(url: str, tenant: str) -> None:
    first = [said(f"m{number}", MAIL.replace("Acme", f"Acme {number}")) for number in range(60)]
    edits = [{**event, "at": at(5), "body": f"{event['body']} Zebedee came."} for event in first]
    orgs = []
    for way in ("alone", "together"):
        org = open_org(url, f"{tenant}-{way}")
        taken(org, first)
        keep(org, "chat", "quotes")
        orgs.append(org)
    alone, together = orgs
    alone.ingest(edits)
    passes = partial(retention.apply_all, together._work)

    with crew([passes, passes, partial(together.ingest, edits)]):
        pass
    for org in orgs:
        org.sync()

    assert difference(record(alone), record(together)) == ""
    for org in orgs:
        org.close()


def test_a_pass_that_dies_before_it_commits_has_let_go_of_nothing(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, [said("m1", MAIL)])
        keep(org, "chat", "quotes")
        before = record(org)

        def dead() -> bytes:
            raise OSError("killed")  # the last thing a pass asks for, to write the audit

        with pytest.raises(OSError, match="killed"):
            retention._batch(replace(org._work, salts=dead), 100, compile_beside_others)
        assert difference(before, record(org)) == ""
        org.sync()
        assert "Barnaby" not in everything(org)


def test_what_a_pass_fails_with_is_logged_without_its_words(
    url: str, tenant: str, caplog: pytest.LogCaptureFixture
) -> None:
    with open_org(url, tenant) as org:
        taken(org, [said("m1", MAIL)])
        keep(org, "chat", "quotes")

        def dead() -> bytes:
            raise OSError(MAIL)  # as a database's error quotes the row it could not write

        retention.apply_once(replace(org._work, salts=dead))

    assert "an item could not be reduced" in caplog.text
    assert "Barnaby" not in caplog.text


def test_a_rule_of_unknown_words_is_refused(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org, pytest.raises(Usage, match="says nothing to keep"):
        keep(org, "chat", "a while")


def test_passes_keep_every_statement_and_a_rebuild_changes_nothing(
    url: str, tenant: str, seed: int, *, prove: bool
) -> None:
    """Random histories, reduced: the same statements, nothing left to do, the same rows when rebuilt."""
    for number in range(seed, seed + (25 if prove else 1)):
        with play(url, f"{tenant}-{number}", corpus(random.Random(number)), at_once) as org:
            stated = rows(org, STATED)
            for source in SOURCES:
                keep(org, source, "quotes")

            org.sync()

            assert rows(org, STATED) == stated, f"MUNIMENT_SEED={number}"
            left = record(org)
            assert retention.apply_all(org._work) == 0
            rebuild(org._work)
            assert difference(left, record(org)) == "", f"MUNIMENT_SEED={number}"


def test_what_goes_for_its_age_stays_gone_when_all_is_handed_in_again(
    url: str, tenant: str, seed: int
) -> None:
    days = corpus(random.Random(seed))
    with play(url, tenant, days, at_once) as org:
        for source in SOURCES:
            keep(org, source, "30d")
        org.sync()
        assert rows(org, TEXTS) == []
        gone = record(org)

        for day in days:
            org.ingest(day.events)
        org.sync()

        assert rows(org, TEXTS) == [], f"MUNIMENT_SEED={seed}"
        rebuild(org._work)
        assert {name: held for name, held in record(org).items() if name != "quarantine"} == {
            name: held for name, held in gone.items() if name != "quarantine"
        }
