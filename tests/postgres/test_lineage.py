"""What is made from other items is for who may read all of them, and counts no more than the least."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from muniment.app import Org
from muniment.domain.errors import Refused, Usage
from muniment.gate.binding import writing
from tests.worlds import at, open_org, person, said, taken

PEOPLE = (person("user:ann"), person("user:bo"))
RENEWAL = "Acme renews in March 2027 with a discount of 18 percent for all three contracts."


def found(org: Org, who: str, words: str = "Acme") -> dict[str, str]:
    """The items a search brings, each with its trust."""
    hits = org.reader(who).search(words)
    return {hit.item: hit.citation.trust for hit in hits if hit.item is not None and hit.citation is not None}


def only_for(org: Org, item: str, *people: str, hours: float = 9) -> None:
    event = {"op": "audience", "source": "chat", "item": item, "at": at(hours), "audience": [list(people)]}
    taken(org, [event])


def test_a_summary_is_for_whoever_may_read_all_it_was_made_from(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, PEOPLE)
        taken(org, [said("one", "Acme one", audience=[["user:ann", "user:bo"]])])
        taken(org, [said("two", "Acme two", audience=[["user:bo"]])])
        taken(org, [said("both", "Acme both", derived_from=["one", "chat:two"])])
        taken(org, [said("again", "Acme again", metadata={"derived_from": ["chat:both"]})])

        assert set(found(org, "user:ann")) == {"one"}
        assert set(found(org, "user:bo")) == {"one", "two", "both", "again"}


def test_what_was_made_from_an_item_follows_it_when_its_audience_changes(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, [*PEOPLE, said("one", "Acme one"), said("note", "Acme note", derived_from=["one"])])
        taken(org, [said("far", "Acme far", derived_from=["note"])])
        assert set(found(org, "user:ann")) == {"one", "note", "far"}

        only_for(org, "one", "user:bo")

        assert found(org, "user:ann") == {}
        assert set(found(org, "user:bo")) == {"one", "note", "far"}


def test_what_was_made_from_something_gone_or_not_there_yet_is_for_nobody(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, [*PEOPLE, said("note", "Acme note", derived_from=["one"])])
        assert found(org, "user:ann") == {}

        taken(org, [said("one", "Acme one")])
        assert set(found(org, "user:ann")) == {"one", "note"}

        taken(org, [{"op": "delete", "source": "chat", "id": "one", "at": at(3)}])
        assert found(org, "user:ann") == {}


def test_what_was_made_from_a_moved_item_follows_it(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, [*PEOPLE, said("one", "Acme one"), said("note", "Acme note", derived_from=["one"])])
        taken(org, [{"op": "move", "source": "chat", "id": "one", "to": "new", "at": at(2)}])
        assert set(found(org, "user:ann")) == {"new", "note"}

        only_for(org, "new", "user:bo")

        assert found(org, "user:ann") == {}


def test_trust_is_the_least_of_the_lineage_and_a_ring_of_it_ends(
    url: str, tenant: str, tmp_path: Path
) -> None:
    with open_org(url, tenant) as org:
        taken(org, PEOPLE)
        path = tmp_path / "mail.jsonl"
        path.write_text(json.dumps(said("x", "Acme outside", source="mail")))
        org.add(path, trust="external_document")
        taken(
            org, [said("a", "Acme a", derived_from=["b", "mail:x"]), said("b", "Acme b", derived_from=["a"])]
        )
        taken(org, [said("w", "Acme web", derived_from=["https://example.com/a"])])
        taken(org, [said("own", "Acme own")])

        least = "external_document"
        trusts = {"x": least, "a": least, "b": least, "w": least, "own": "member"}
        assert found(org, "user:ann") == trusts


def test_lineage_that_an_edit_leaves_out_still_counts(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, [*PEOPLE, said("one", "Acme one", audience=[["user:bo"]])])
        taken(org, [said("note", "Acme note", derived_from=["one"])])
        taken(org, [said("note", "Acme note", 4)])

        assert found(org, "user:ann") == {}


def test_lineage_may_be_said_by_citation(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, [*PEOPLE, said("one", "Acme one", audience=[["user:bo"]])])
        (hit,) = org.reader("user:bo").search("Acme")
        assert hit.citation is not None

        taken(org, [said("note", "Acme note", metadata={"derived_from": [hit.citation.id]})])

        assert set(found(org, "user:bo")) == {"one", "note"}
        assert found(org, "user:ann") == {}


def test_a_note_is_for_its_author_alone_and_usable_at_once(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, PEOPLE)

        kept = org.reader("user:ann").remember("Acme prefers to be called in the morning.")

        assert (kept.kind, kept.trust, kept.audience) == ("note", "member", "user:ann alone")
        answer = org.reader("user:ann").ask("When does Acme prefer to be called?")
        assert [one.item for one in answer.citations] == [kept.item]
        assert found(org, "user:bo") == found(org, org.login) == {}


def test_the_same_note_twice_is_one(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, PEOPLE)
        ann = org.reader("user:ann")
        first, second = ann.remember("Acme is kind."), ann.remember("Acme  is kind.")

        assert (first.state, second.state) == ("accepted", "duplicate")
        assert first.id == second.id
        assert len(ann.search("Acme")) == 1
        assert org.reader("user:bo").remember("Acme is kind.").id != first.id


def test_a_note_goes_with_its_evidence(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, [*PEOPLE, said("one", RENEWAL)])
        ann = org.reader("user:ann")
        (hit,) = ann.search("renews")
        assert hit.citation is not None
        ann.remember("They stay with us", [hit.citation.id])
        ann.remember(f"I noted: {RENEWAL.lower()}")
        assert len(found(org, "user:ann", "stay noted renews")) == 3

        only_for(org, "one", "user:bo")

        assert found(org, "user:ann", "stay noted renews") == {}


def test_an_agents_note_is_a_tools_word(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, PEOPLE)

        kept = org.reader("user:ann", agent="agent:scribe").remember(
            "Acme prefers mornings for all calls it takes."
        )
        by_hand = org.reader("user:ann").remember("Acme prefers mornings for all calls it takes.")

        assert (kept.trust, by_hand.trust) == ("internal_tool", "internal_tool")


def test_evidence_that_may_not_be_seen_is_refused_like_evidence_that_is_not_there(
    url: str, tenant: str
) -> None:
    with open_org(url, tenant) as org:
        taken(org, [*PEOPLE, said("one", RENEWAL, audience=[["user:bo"]])])
        (hit,) = org.reader("user:bo").search("renews")
        assert hit.citation is not None
        ann, hidden = org.reader("user:ann"), hit.citation.id
        missing = f"p_{'0' * 32}_0_5"

        refusals = []
        for one in (hidden, missing):
            with pytest.raises(Refused) as refused:
                ann.remember("They stay", [one])
            refusals.append(str(refused.value).replace(one, "X"))

        assert len(set(refusals)) == 1
        assert ann.search("stay") == []


def test_nobody_else_feeds_the_records_own_source_and_nobody_unknown_remembers(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, PEOPLE)
        receipt = org.ingest([said("note/1", "Acme", source="muniment")])

        assert receipt.quarantined == 1
        with pytest.raises(Refused):
            org.reader("user:never").remember("Acme")
        with pytest.raises(Usage):
            org.reader("user:ann").remember("  ")


def test_erasing_an_item_takes_the_notes_made_from_it_and_what_was_reported_of_it(
    url: str, tenant: str
) -> None:
    with open_org(url, tenant) as org:
        taken(org, [*PEOPLE, said("one", RENEWAL)])
        ann = org.reader("user:ann")
        (hit,) = ann.search("renews")
        assert hit.citation is not None
        ann.report(hit.citation.id, "it is zorblax")
        kept = ann.remember(f"Zorblax: {RENEWAL}")

        org.steward(org.login).erase("chat:one")

        with writing(org._work.database, org.tenant) as conn:
            query = b"select count(*) from muniment.payload where tenant = %(tenant)s and id = any(%(ids)s)"
            left = conn.execute(query, {"tenant": org.tenant, "ids": [kept.item, "one"]}).fetchone()
            query = b"select count(*) from muniment.report where tenant = %(tenant)s"
            reports = conn.execute(query, {"tenant": org.tenant}).fetchone()
        assert (left, reports) == ((0,), (0,))
        assert found(org, "user:ann", "renews") == {}
