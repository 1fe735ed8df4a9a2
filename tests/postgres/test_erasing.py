"""Erasing items, people and words on a real PostgreSQL: what goes, what stays, what is refused."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial

import psycopg
import pytest

from muniment.app import Org
from muniment.domain.errors import Malformed, Refused, Usage
from muniment.gate.binding import writing
from muniment.jobs.compile import compile_keys
from muniment.jobs.embed import embed_due
from muniment.jobs.rebuild import fingerprint, rebuild
from muniment.jobs.turns import compile_beside_others, hold_keys
from muniment.models.scripted import ScriptedEmbedder
from muniment.steward import Steward
from tests.canaries import dump, hits
from tests.faults.corpora import crew
from tests.places import until
from tests.worlds import at, open_org, person, said, taken

WAITING = b"select count(*) from pg_locks where not granted"


@pytest.fixture
def org(url: str, tenant: str) -> Iterator[Org]:
    with open_org(url, tenant) as opened:
        taken(opened, [person("user:ann"), person("user:bo"), said("m1", "The budget is 500 euros.", 1)])
        yield opened


@pytest.fixture
def desk(org: Org) -> Steward:
    return org.steward("user:owner")


def found(org: Org, words: str, who: str = "user:ann") -> set[str | None]:
    return {hit.item for hit in org.reader(who).search(words)}


def digests(org: Org) -> dict[str, str]:
    with writing(org._work.database, org.tenant) as conn:
        return fingerprint(conn, org.tenant)


# ── items ──


@pytest.mark.parametrize("target", ["chat:nothing", "nowhere:m1", "user:nobody", "dir:@principal/user:ann"])
def test_what_is_not_there_cannot_be_erased(desk: Steward, target: str) -> None:
    with pytest.raises(Refused):
        desk.erase(target)


@pytest.mark.parametrize("target", ["m1", ":m1", "chat:", ""])
def test_a_target_is_written_source_and_id(desk: Steward, target: str) -> None:
    with pytest.raises(Usage):
        desk.erase(target)


def test_only_a_steward_erases(org: Org) -> None:
    with pytest.raises(Refused):
        org.steward("user:ann")


def test_erasing_twice_is_erasing_once(org: Org, desk: Steward) -> None:
    assert desk.erase("chat:m1").events == 1
    once = digests(org)

    again = desk.erase("chat:m1")
    assert (again.items, again.events) == (0, 0)
    assert digests(org) == once


def test_a_dry_run_changes_nothing(org: Org, desk: Steward) -> None:
    before = digests(org)

    assert desk.erase("chat:m1", dry_run=True).items == 1
    assert desk.erase_subject("budget", dry_run=True).items == 1
    assert digests(org) == before
    assert org.ingest([said("m1", "The budget is 600 euros.", 2)]).accepted == 1


def test_what_was_erased_is_not_taken_in_under_a_new_version_or_as_another_op(
    org: Org, desk: Steward
) -> None:
    desk.erase("chat:m1")

    receipt = org.ingest(
        [
            said("m1", "The budget is 700 euros.", 9, version="9"),
            {"op": "restore", "source": "chat", "id": "m1", "at": at(9)},
            {"op": "audience", "source": "chat", "item": "m1", "at": at(9), "audience": [["*"]]},
        ]
    )

    assert (receipt.accepted, receipt.quarantined) == (0, 3)
    assert hits(org, ["700 euros", "500 euros"]) == {}
    assert not desk.quarantined()


def test_what_was_erased_does_not_come_back_under_the_id_it_moved_to(org: Org, desk: Steward) -> None:
    desk.erase("chat:m1")

    org.ingest([{"op": "move", "source": "chat", "id": "m1", "at": at(2), "to": "m2"}])
    receipt = org.ingest([said("m2", "The budget is 500 euros.", 3)])

    assert receipt.accepted == 0
    assert found(org, "budget") == set()


def test_nothing_moves_to_an_id_that_was_erased(org: Org, desk: Steward) -> None:
    taken(org, [said("m2", "The plan is ready.", 1)])
    desk.erase("chat:m1")

    receipt = org.ingest([{"op": "move", "source": "chat", "id": "m2", "at": at(2), "to": "m1"}])

    assert receipt.quarantined == 1
    assert found(org, "plan") == {"m2"}


def test_a_move_from_an_erased_id_suppresses_nothing_that_is_there(org: Org, desk: Steward) -> None:
    taken(org, [said("m2", "The plan is ready.", 1)])
    desk.erase("chat:m1")

    org.ingest([{"op": "move", "source": "chat", "id": "m1", "at": at(2), "to": "m2"}])

    assert org.ingest([said("m2", "The plan is done.", 3)]).accepted == 1


def test_an_item_is_erased_under_every_id_it_had(org: Org, desk: Steward) -> None:
    taken(org, [{"op": "move", "source": "chat", "id": "m1", "at": at(2), "to": "m2"}])
    assert found(org, "budget") == {"m2"}

    assert desk.erase("chat:m2").items == 1
    assert found(org, "budget") == set()
    assert org.ingest([said("m1", "The budget is 500 euros.", 1)]).accepted == 0


def test_questions_of_others_and_ordinary_ones_stay(org: Org, desk: Steward) -> None:
    taken(org, [said("m2", "The canteen opens at noon.", 1)])
    org.reader("user:ann").ask("What is the budget?")
    org.reader("user:bo").ask("When does the canteen open?")

    desk.erase("chat:m1")

    with writing(org._work.database, org.tenant) as conn:
        rows = conn.execute(b"select question from muniment.trace where tenant = %s", [org.tenant]).fetchall()
    assert sorted(question or "" for (question,) in rows) == ["", "When does the canteen open?"]


def test_an_act_that_is_forgotten_keeps_its_commitment(org: Org, desk: Steward) -> None:
    query = b"select entry, commitment, content from muniment.audit where tenant = %s order by entry"
    org.reader("user:ann").ask("What is the budget?")
    with writing(org._work.database, org.tenant) as conn:
        before = conn.execute(query, [org.tenant]).fetchall()

    assert desk.erase("chat:m1").acts == 1

    with writing(org._work.database, org.tenant) as conn:
        after = conn.execute(query, [org.tenant]).fetchall()
    assert [row[:2] for row in after[: len(before)]] == [row[:2] for row in before]
    assert sum(row[2] is None for row in after) == 1


def test_nobody_changes_the_audit_otherwise(org: Org) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege), writing(org._work.database, org.tenant) as conn:
        conn.execute(b"update muniment.audit set content = null where tenant = %s", [org.tenant])
    with pytest.raises(psycopg.errors.InsufficientPrivilege), org._work.database.transaction() as conn:
        conn.execute(b"select muniment.forget_audit('{1}')")


def test_an_audit_is_forgotten_of_its_own_tenant_only(org: Org, url: str, tenant: str) -> None:
    with open_org(url, f"{tenant}-other") as other:
        other.reader("user:owner").ask("What is the budget?")
        query = b"select entry from muniment.audit where tenant = %s and content is not null"
        with writing(other._work.database, other.tenant) as conn:
            entries = [row[0] for row in conn.execute(query, [other.tenant])]
        with writing(org._work.database, org.tenant) as conn:
            assert conn.execute(b"select muniment.forget_audit(%s)", [entries]).fetchone() == (0,)
        with writing(other._work.database, other.tenant) as conn:
            assert [row[0] for row in conn.execute(query, [other.tenant])] == entries


def test_vectors_go_with_what_they_are_of(org: Org, desk: Steward) -> None:
    taken(org, [said("m2", "The canteen opens at noon.", 1)])
    assert embed_due(org._work, ScriptedEmbedder()) == 2
    query = b"select vector::text from muniment.passage_vector where tenant = %s order by 1"
    with writing(org._work.database, org.tenant) as conn:
        before = conn.execute(query, [org.tenant]).fetchall()

    desk.erase("chat:m1")
    desk.erase_subject("canteen")

    with writing(org._work.database, org.tenant) as conn:
        assert conn.execute(query, [org.tenant]).fetchall() == []
    assert embed_due(org._work, ScriptedEmbedder()) == 1
    with writing(org._work.database, org.tenant) as conn:
        (after,) = conn.execute(query, [org.tenant]).fetchall()
    assert after not in before


# ── two at once ──


def test_an_erasure_waits_for_whoever_compiles_the_item(org: Org, desk: Steward) -> None:
    work = org._work
    with writing(work.database, org.tenant) as conn:
        compile_beside_others(conn, org.tenant)
        hold_keys(conn, org.tenant, [("chat", "m1")])
        compile_keys(conn, org.tenant, work.key, [("chat", "m1")])
        erasing = crew([partial(desk.erase, "chat:m1")])
        erasing.__enter__()
        until(lambda: conn.execute(WAITING).fetchone() != (0,))
    erasing.__exit__()

    assert hits(org, ["500 euros"]) == {}


def test_what_is_handed_in_during_an_erasure_is_refused(org: Org, desk: Steward, seed: int) -> None:
    draw = random.Random(seed)
    ids = [f"m{number}" for number in range(2, 12)]
    taken(org, [said(id_, "The budget is 500 euros.", 1) for id_ in ids])
    acts: list[Callable[[], object]] = [partial(desk.erase, f"chat:{id_}") for id_ in ids]
    acts += [partial(org.ingest, [said(id_, "The budget is 500 euros.", 2, version="2")]) for id_ in ids]
    draw.shuffle(acts)

    with crew([lambda: [act() for act in acts[:10]], lambda: [act() for act in acts[10:]]]):
        pass

    assert found(org, "budget") <= {"m1"}
    assert len(hits(org, ["500 euros"])) == 1
    live = digests(org)
    rebuild(org._work)
    assert digests(org) == live


# ── people ──


def test_a_person_goes_with_all_they_wrote_and_what_they_are_called(org: Org, desk: Steward) -> None:
    taken(
        org,
        [
            person("user:zed", 1, name="Zedekiah Quux", emails=["zq@example.com"], aliases=["slack:U77"]),
            said("z1", "The quuxomat is broken.", 2, author="user:zed", author_name="Zedekiah Quux"),
            said("z2", "Ask Zedekiah about the lift.", 3, author="user:ann"),
            said(
                "z3",
                "We meet at noon.",
                3,
                author="user:ann",
                audience=["user:bo"],
                participants=["user:zed"],
            ),
        ],
    )
    org.reader("user:zed").ask("Where is the lift?")

    done = desk.erase("user:zed")

    assert (done.items, done.named, done.mentions, done.more_mentions) == (
        1,
        ("chat:z1",),
        ("chat:z2",),
        1,
    )
    assert "Where is the lift" not in dump(org)["trace"]
    left = hits(org, ["quuxomat", "zedekiah", "quux", "zq@example.com", "slack:u77"])
    assert set(left) == {"zedekiah"}  # what others wrote is theirs
    assert org.ingest([said("z1", "The quuxomat is broken.", 2, author="user:zed")]).accepted == 0


def test_a_directory_that_comes_again_brings_no_name_back_and_may_still_deactivate(
    org: Org, desk: Steward
) -> None:
    known = person("user:zed", 1, name="Zedekiah Quux", emails=["zq@example.com"])
    taken(org, [known])
    assert org.knows("zq@example.com")
    desk.erase("user:zed")

    assert not org.knows("zq@example.com")
    assert org.ingest([known]).duplicate == 1
    taken(org, [person("user:zed", 5, name="Z. Quux", standing="deactivated")])
    assert hits(org, ["quux"]) == {}
    assert {one.principal: one.standing for one in desk.members()}["user:zed"] == "deactivated"
    live = digests(org)
    rebuild(org._work)
    assert digests(org) == live


def test_a_document_that_others_began_and_others_go_on_with_is_not_the_persons(
    org: Org, desk: Steward
) -> None:
    taken(org, [said("doc", "One.", 1, author="user:ann"), said("doc", "One, two.", 2, author="user:bo")])
    taken(org, [said("doc", "One, two, three.", 3, author="user:ann")])

    assert desk.erase("user:bo", dry_run=True).items == 0
    assert desk.erase("user:ann", dry_run=True).items == 1


# ── words ──


def test_words_are_blanked_at_every_known_at_and_in_what_comes_later(org: Org, desk: Steward) -> None:
    taken(
        org,
        [
            said(
                "w1",
                "Ann Zorblat leaves in May.",
                1,
                title="About ANN  ZORBLAT",
                metadata={"who": "Ann Zorblat"},
            )
        ],
    )
    org._work.clock.forward(days=1)  # type: ignore[attr-defined]  # the test's own
    taken(org, [said("w1", "Ann Zorblat leaves in June.", 2)])
    org.ingest([{"source": "chat", "id": "w9", "op": "upsert", "body": "ann-zorblat, again"}])
    org.reader("user:ann").ask("When does Ann Zorblat leave?")
    then = org._work.clock()
    org._work.clock.forward(days=1)  # type: ignore[attr-defined]  # the test's own

    done = desk.erase_subject("ann zorblat")

    assert (done.items, done.events, done.refused, done.named) == (1, 2, 1, ("chat:w1",))
    assert hits(org, ["zorblat"]) == {}
    (hit,) = org.reader("user:ann", known_at=then).search("leaves")
    assert hit.text == "███████████ leaves in June."
    assert org.ingest([said("w1", "Ann Zorblat leaves in June.", 2)]).duplicate == 1
    taken(org, [said("w2", "Ann Zorblat was here; Ann was not.", 3)])
    assert [one.text for one in org.reader("user:ann").search("here")] == [
        "███████████ was here; Ann was not."
    ]
    live = digests(org)
    rebuild(org._work)
    assert digests(org) == live
    assert hits(org, ["zorblat"]) == {}


@pytest.mark.parametrize("text", ["zq@example.com", "张伟", "Ångström Öl", "O'Neill-Müller"])
def test_a_subject_is_found_in_any_script(org: Org, desk: Steward, text: str) -> None:
    taken(
        org, [said("w1", f"又说{text}来了. Then {text}, left.", 1), said("w2", f"{text.upper()} is back.", 1)]
    )

    assert desk.erase_subject(text).items == 2
    assert hits(org, [text.casefold()]) == {}


@pytest.mark.parametrize("text", ["", " ", "--", "a", "ab"])
def test_a_subject_that_would_be_in_everything_is_refused(desk: Steward, text: str) -> None:
    with pytest.raises(Usage):
        desk.erase_subject(text)


def test_a_person_whose_name_is_blanked_is_still_who_they_are(org: Org, desk: Steward) -> None:
    taken(org, [person("user:zed", 1, name="Zed Quux", emails=["zed@quux.example"], aliases=["slack:U7"])])
    taken(org, [said("w1", "Quux is in Berlin.", 2, author="user:zed", audience=["user:zed"])])

    desk.erase_subject("quux")

    assert found(org, "Berlin", "slack:U7") == {"w1"}
    assert not org.knows("zed@quux.example")
    assert hits(org, ["quux"]) == {}


def test_a_list_of_another_record_is_refused(desk: Steward) -> None:
    with pytest.raises(Malformed, match="another key"):
        desk.replay_erasures([{"kind": "key", "digest": "00"}])
    with pytest.raises(Malformed, match="of kind 'everything'"):
        desk.replay_erasures([{"kind": "everything"}])
