"""What goes in at the front door, and what holds before the door has closed behind it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC
from pathlib import Path

import pytest

from muniment.app import Org
from muniment.domain.errors import Conflict, Refused, Usage
from muniment.gate.binding import writing
from tests.worlds import Clock, at, member, open_org, person, said, taken


@pytest.fixture
def org(url: str, tenant: str) -> Iterator[Org]:
    with open_org(url, tenant) as opened:
        taken(opened, [person("user:ann"), person("user:bo"), member("group:finance", "user:ann")])
        yield opened


def found(org: Org, who: str, words: str) -> list[str]:
    return [hit.item or "" for hit in org.reader(who).search(words)]


def freshness(org: Org) -> list[str]:
    """How far the chat was heard, for each audience it has."""
    with writing(org._work.database, org.tenant) as conn:
        query = "select through from muniment.watermark where tenant = %s and source = 'chat'"
        return [one.astimezone(UTC).isoformat() for (one,) in conn.execute(query, [org.tenant])]


def test_the_same_event_twice_is_a_duplicate(org: Org) -> None:
    taken(org, [said("m1", "The kettle is broken.")])
    again = org.ingest([said("m1", "The kettle is broken.")])

    assert (again.accepted, again.duplicate) == (0, 1)


def test_one_version_with_other_content_is_quarantined(org: Org) -> None:
    receipt = org.ingest(
        [said("m1", "The kettle is broken.", version="1"), said("m1", "It works.", version="1")]
    )

    assert (receipt.accepted, receipt.quarantined) == (1, 1)
    assert "version '1' is held already" in (receipt.items[1].reason or "")


def test_a_bad_line_is_kept_with_its_number_and_the_others_are_taken(org: Org) -> None:
    receipt = org.ingest(
        [said("m1", "One."), said("m2", "Two.", at="3 June"), {"op": "sing"}, said("m3", "Three.")]
    )

    assert (receipt.accepted, receipt.quarantined) == (2, 2)
    kept = org.steward("user:owner").quarantined()
    assert [(one.line, one.id) for one in kept] == [(2, "m2"), (3, None)]


def test_an_audience_acts_at_once(org: Org) -> None:
    taken(org, [said("m1", "The reserve is three million.", audience=[["group:finance"]])])

    assert found(org, "user:ann", "reserve") == ["m1"]
    assert found(org, "user:bo", "reserve") == []

    taken(org, [member("group:finance", hours=1, add=[], remove=["user:ann"])])
    assert found(org, "user:ann", "reserve") == []


def test_a_source_was_heard_as_far_as_its_newest_item_whatever_comes_after(org: Org) -> None:
    taken(org, [said("m1", "One.", 2), said("m2", "Two.", 5), said("m3", "Three.", 3)])
    heard = [freshness(org)]

    taken(org, [said("m4", "Four.", 4)])
    heard.append(freshness(org))
    taken(org, [said("m5", "Five.", 7), said("m6", "Six.", 1)])
    heard.append(freshness(org))
    taken(org, [{"op": "delete", "source": "chat", "id": "m5", "at": at(8)}])
    heard.append(freshness(org))

    assert heard == [[at(5)], [at(5)], [at(7)], [at(5)]]


def test_every_clause_of_an_audience_counts(org: Org) -> None:
    taken(
        org,
        [
            member("group:board", "user:ann", "user:bo"),
            said("m1", "Merger.", audience=[["group:finance"], ["group:board"]]),
        ],
    )

    assert found(org, "user:ann", "merger") == ["m1"]
    assert found(org, "user:bo", "merger") == []


def test_an_item_waits_until_its_container_is_verified(org: Org) -> None:
    taken(org, [said("m1", "The lift is stuck.", 5, audience=None, container="hall", author="user:bo")])
    assert found(org, "user:bo", "lift") == ["m1"]
    assert found(org, "user:ann", "lift") == []
    assert org.steward("user:owner").status().pending_audience == 1

    verified = {
        "op": "audience",
        "source": "chat",
        "container": "hall",
        "at": at(6),
        "audience": [["user:ann", "user:bo"]],
    }
    taken(org, [{**verified, "verified_through": at(4)}])
    assert found(org, "user:ann", "lift") == []

    taken(org, [{**verified, "at": at(7), "verified_through": at(5)}])
    assert found(org, "user:ann", "lift") == ["m1"]


def test_a_deletion_acts_before_the_door_closes_even_when_the_rest_is_deferred(org: Org) -> None:
    taken(org, [said("m1", "The password is tulip.")])
    taken(org, [{"op": "delete", "source": "chat", "id": "m1", "at": at(1)}], defer=True)

    assert found(org, "user:ann", "tulip") == []
    assert org.reader("user:ann", known_at=at(10_000)).search("tulip") == []


def test_a_redaction_blanks_the_words_in_every_version(org: Org) -> None:
    taken(org, [said("m1", "Call me at 555-0199 please.", version="1")])
    taken(org, [said("m1", "Call me at 555-0199 please, today.", 1, version="2")])
    taken(
        org,
        [{"op": "redact", "source": "chat", "id": "m1", "at": at(2), "version": "2", "spans": [[11, 19]]}],
    )
    taken(org, [said("m1", "Old: 555-0199.", 0.5, version="1.5")])

    (hit,) = org.reader("user:ann").search("call")
    assert hit.text == "Call me at ████████ please, today."
    assert org.reader("user:ann").search("0199") == []


def test_a_redaction_is_read_in_the_version_it_names_or_in_the_newest(org: Org) -> None:
    taken(
        org,
        [said("m1", "secret: 12345 here"), said("m1", "public words: secret: 12345 here", 1, version="2")],
    )
    taken(
        org,
        [{"op": "redact", "source": "chat", "id": "m1", "at": at(2), "version": "2.0", "spans": [[22, 27]]}],
    )

    (hit,) = org.reader("user:ann").search("public words")
    assert hit.text == "public words: secret: █████ here"
    assert org.reader("user:ann").search("12345") == []


def test_recalled_text_is_left_to_its_author(org: Org) -> None:
    taken(
        org,
        [
            said("m1", "We acquire Initech.", author="user:bo"),
            {"op": "recall", "source": "chat", "id": "m1", "at": at(1)},
        ],
    )

    assert found(org, "user:bo", "acquire") == ["m1"]
    assert found(org, "user:ann", "acquire") == []


def test_a_source_speaks_for_its_own_groups_only(org: Org) -> None:
    mine = {"op": "member", "source": "chat", "group": "group:chat:hall", "at": at(0), "add": ["user:bo"]}
    theirs = {**mine, "group": "group:finance"}
    receipt = org.ingest([mine, theirs], importer="user:bo")

    assert (receipt.accepted, receipt.quarantined) == (1, 1)
    assert "owns only group:chat:" in (receipt.items[1].reason or "")


def test_only_a_directory_or_a_steward_sets_a_standing(org: Org) -> None:
    receipt = org.ingest([person("user:eve")], importer="user:bo")

    assert receipt.quarantined == 1


def test_being_an_author_or_in_a_group_makes_nobody_a_full_member(org: Org) -> None:
    taken(org, [said("m1", "Lunch is at noon.", author="user:cy"), member("group:finance", "user:cy")])

    assert found(org, "user:cy", "lunch") == []


def test_someone_deactivated_reads_nothing(org: Org) -> None:
    taken(org, [said("m1", "Lunch is at noon."), person("user:ann", 1, standing="deactivated")])

    assert found(org, "user:ann", "lunch") == []


def test_a_name_means_its_principal_whatever_its_case(org: Org) -> None:
    taken(
        org,
        [
            said("m1", "Lunch is at noon."),
            person("user:dee", emails=["Dee@Example.org"], aliases=["chat:U7"]),
        ],
    )

    assert found(org, "dee@EXAMPLE.org", "lunch") == ["m1"]
    assert found(org, "chat:U7", "lunch") == ["m1"]
    assert found(org, "user:nobody", "lunch") == []


def test_what_was_refused_can_be_handed_in_again(org: Org) -> None:
    org.ingest([person("user:eve")], importer="user:bo")
    (refused,) = org.steward("user:owner").quarantined()

    assert org.replay().accepted == 0
    assert org.replay([refused.entry]).accepted == 1
    assert org.steward("user:owner").quarantined() == []


def test_a_stranger_has_no_desk(org: Org) -> None:
    with pytest.raises(Refused):
        org.steward("user:ann")


def test_nul_and_lone_surrogates_are_mended_and_noted(org: Org) -> None:
    receipt = taken(org, [said("m1", "The ke\x00ttle \ud800 whistles.")])

    assert len(receipt.notes) == 2
    assert org.reader("user:ann").search("kettle")[0].text == "The kettle \ufffd whistles."


def test_what_is_known_goes_by_acceptance_and_not_by_the_event(url: str, tenant: str) -> None:
    clock = Clock()
    with open_org(url, tenant, clock) as org:
        taken(org, [person("user:ann"), said("m1", "The limit is forty.", version="1")])
        before = clock.at.isoformat()
        clock.forward(hours=1)
        taken(org, [said("m1", "The limit is fifty.", 1, version="2")])
        then = org.reader("user:ann", known_at=before).search("limit")
        now = org.reader("user:ann").search("limit")

    assert [hit.text for hit in then] == ["The limit is forty."]
    assert [hit.text for hit in now] == ["The limit is fifty."]


def test_the_same_version_for_other_readers_changes_its_audience_and_nothing_else(org: Org) -> None:
    taken(org, [said("m1", "The reserve is three million.", audience=[["user:ann"]])])
    taken(org, [said("m1", "The reserve is three million.", audience=[["user:bo"]])])
    again = org.ingest([said("m1", "The reserve is three million.", audience=[["user:bo"]])])

    assert found(org, "user:ann", "reserve") == []
    assert found(org, "user:bo", "reserve") == ["m1"]
    assert again.duplicate == 1


def test_the_same_refused_line_is_kept_once(org: Org) -> None:
    for _ in range(2):
        org.ingest([said("m2", "Two.", at="3 June")])

    assert len(org.steward("user:owner").quarantined()) == 1


def test_a_worker_is_seen_while_it_works(org: Org) -> None:
    org.work()

    assert org.steward("user:owner").status().workers == 1


def test_an_item_that_moved_to_a_new_id_says_there_what_it_said(org: Org) -> None:
    taken(org, [said("m1", "The reserve is three million.", audience=[["user:ann", "user:bo"]])])
    narrowed = {"op": "audience", "source": "chat", "item": "m1", "at": at(1), "audience": [["user:ann"]]}
    taken(org, [narrowed, {"op": "move", "source": "chat", "id": "m1", "at": at(2), "to": "m9"}])

    assert found(org, "user:ann", "reserve") == ["m9"]
    assert found(org, "user:bo", "reserve") == []


def test_a_move_that_comes_before_its_text_is_made_good(org: Org) -> None:
    taken(org, [{"op": "move", "source": "chat", "id": "m1", "at": at(2), "to": "m9"}])
    taken(org, [said("m1", "The kettle is broken.")])

    assert found(org, "user:ann", "kettle") == ["m9"]


def test_a_text_newer_than_a_move_says_anew_where_it_is(org: Org) -> None:
    rooms = [("hall", "user:ann", "user:bo"), ("vault", "user:ann")]
    for room, *who in rooms:
        stated = {"op": "audience", "source": "chat", "container": room, "at": at(0), "live": True}
        taken(org, [{**stated, "audience": [who]}])
    plain = said("m1", "The reserve is three million.", version="1", audience=None, container="vault")
    moved = {
        "op": "move",
        "source": "chat",
        "id": "m1",
        "at": at(1),
        "version": "2",
        "to": {"container": "hall"},
    }
    taken(
        org,
        [
            plain,
            {**moved, "version": "2"},
            {**plain, "body": "The reserve is four million.", "version": "3", "at": at(2)},
        ],
    )

    assert found(org, "user:bo", "reserve") == []
    assert found(org, "user:ann", "reserve") == ["m1"]


def test_a_bounded_search_is_not_crowded_out_by_what_lies_outside(org: Org) -> None:
    many = [said(f"m{number}", f"Renewal talk number {number}.", account="globex") for number in range(400)]
    taken(org, [*many, said("c1", "Renewal of the contract.", kind="crm", account="acme")])
    ann = org.reader("user:ann")

    assert [hit.item for hit in ann.search("renewal talk number", kind="crm")] == ["c1"]
    assert [hit.item for hit in ann.search("renewal talk number", entity="acme")] == ["c1"]
    assert len(ann.search("renewal talk number", limit=401)) == 401


def test_only_who_feeds_a_source_speaks_for_it(org: Org) -> None:
    taken(org, [said("m1", "The reserve is three million.", audience=[["user:ann"]])])
    widened = {"op": "audience", "source": "chat", "item": "m1", "at": at(1), "audience": [["user:bo"]]}
    edited = said("m1", "The reserve is three million.", audience=[["user:bo"]])
    receipt = org.ingest([widened, edited, said("m2", "Lunch.", audience=[["user:bo"]])], importer="user:bo")

    assert (receipt.accepted, receipt.quarantined) == (1, 2)
    assert found(org, "user:bo", "reserve") == []


def test_a_desk_is_lost_with_the_role(org: Org) -> None:
    owner = org.steward("user:owner")
    owner.grant_role("user:ann", "steward")
    desk = org.steward("user:ann")
    owner.revoke_role("user:ann", "steward")

    with pytest.raises(Refused):
        desk.grant_read("user:bo", "chat:m1")


def test_the_last_steward_stays_one(org: Org) -> None:
    owner = org.steward("user:owner")
    with pytest.raises(Conflict):
        owner.revoke_role("user:owner", "steward")
    with pytest.raises(Conflict):
        owner.remove_member("user:owner")
    owner.grant_role("user:ann", "steward")
    owner.revoke_role("user:owner", "steward")

    with pytest.raises(Conflict):
        org.steward("user:ann").revoke_role("user:ann", "steward")
    assert org.steward("user:ann").members()


def test_an_agent_runs_no_record(org: Org) -> None:
    with pytest.raises(Usage):
        org.steward("user:owner").grant_role("agent:x", "steward")


def test_what_an_importer_says_of_trust_is_not_unsaid_in_passing(org: Org, tmp_path: Path) -> None:
    (tmp_path / "one.md").write_text("Lunch is at noon.")
    org.add(tmp_path, source="web", trust="external_document")

    with pytest.raises(Usage, match="external_document"):
        org.add(tmp_path, source="web", trust="member")


def test_a_folder_handed_in_again_for_other_readers_is_theirs_whatever_it_was_before(
    org: Org, tmp_path: Path
) -> None:
    (tmp_path / "reserve.md").write_text("The reserve is three million.")
    for audience in (["user:ann"], ["user:ann", "user:bo"], ["user:ann"]):
        org.add(tmp_path, audience=audience)

    assert found(org, "user:ann", "reserve") == ["reserve.md"]
    assert found(org, "user:bo", "reserve") == []
