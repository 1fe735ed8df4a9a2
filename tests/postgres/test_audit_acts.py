"""Every act is in the audit: who read or changed what, under which rights, as the record stood when."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from muniment.app import Org
from muniment.domain.audit import AuditEntry
from muniment.domain.errors import Refused, Usage
from muniment.jobs import receive
from muniment.store.pool import Database
from tests.planted import plant
from tests.worlds import Clock, at, member, open_org, person, said, taken

DISCOUNT = "The Orrin discount is 18 %."


@pytest.fixture
def org(url: str, tenant: str, clock: Clock) -> Iterator[Org]:
    with open_org(url, tenant, clock) as org:
        taken(org, [person("user:ann", emails=["ann@x.example"]), person("user:bo")])
        taken(
            org,
            [
                member("group:chat:sales", "user:ann", source="chat"),
                said("m1", DISCOUNT, audience=[["group:chat:sales"]], account="Orrin"),
                said("m2", "The hotel limit is EUR 180 per night."),
            ],
            importer="service:chat",
        )
        yield org


def acts(org: Org, **sought: str | None) -> list[AuditEntry]:
    return org.steward("user:owner").audit(**sought, limit=100)


def latest(org: Org, **sought: str | None) -> AuditEntry:
    return acts(org, **sought)[0]


def sees(db: Database, transaction: object, watermark: object) -> bool:
    """Whether the read with this watermark saw this transaction."""
    with db.transaction() as conn:
        found = conn.execute(
            "select pg_visible_in_snapshot(%(xid)s::text::xid8, %(seen)s::text::pg_snapshot)",
            {"xid": transaction, "seen": watermark},
        ).fetchone()
    return found == (True,)


# ── what is read ──


def test_a_read_names_the_principal_and_not_the_name_they_came_by(org: Org) -> None:
    org.reader("ann@x.example", agent="agent:claude", hearers=["user:bo"]).ask("What is the hotel limit?")

    entry = latest(org, by="user:ann")

    assert (entry.action, entry.principal) == ("ask", "user:ann")
    assert entry.detail["agent"] == "agent:claude"
    assert entry.detail["hearers"] == ["user:bo"]
    assert acts(org, by="ann@x.example") == acts(org, by="user:ann")


def test_the_same_rights_have_the_same_digest_and_other_rights_another(org: Org) -> None:
    def rights(name: str, *hearers: str) -> object:
        org.reader(name, hearers=hearers).search("hotel")
        return latest(org, action="search").detail["rights"]

    assert rights("user:ann") == rights("user:ann")
    assert rights("user:ann") != rights("user:bo")
    assert rights("user:ann", "user:bo") == rights("user:bo")

    before = rights("user:bo")
    org.steward("user:owner").grant_read("user:bo", "chat:m1")

    assert rights("user:bo") != before


def test_what_was_handed_out_is_named_by_every_verb(org: Org) -> None:
    ann = org.reader("user:ann")
    citation = ann.ask("What is the Orrin discount?").citations[0]
    assert citation.claim is not None

    ann.page("Orrin")
    ann.timeline("Orrin")
    ann.explain(citation.id)
    ann.history(citation.claim)
    ann.context("The Orrin discount")
    ann.search("Orrin discount", unit="claim")
    verbs = [one.action for one in acts(org, object=citation.id)]

    assert set(verbs) == {"ask", "page", "timeline", "explain", "history", "context", "search"}


def test_both_sides_of_a_conflict_were_handed_out(org: Org) -> None:
    taken(
        org,
        [
            said("c1", "The owner is Ann Lee.", 1, account="Acme", author="user:ann"),
            said("c2", "The owner is Bo Chan.", 1, account="Acme", author="user:bo"),
        ],
    )

    answer = org.reader("user:ann").ask("Who is the owner?", entity="Acme")
    entry = latest(org, action="ask")

    (sides,) = answer.conflicts
    assert {one.id for one in (*answer.citations, *sides)} == set(entry.detail["citations"])  # type: ignore[arg-type]


def test_a_watermark_tells_what_a_read_could_see(org: Org, db: Database) -> None:
    org.reader("user:ann").search("hotel")
    taken(org, [said("m3", "The hotel limit is EUR 200 per night.", 1)])
    org.reader("user:ann").search("hotel")

    late, early = (one.detail["watermark"] for one in acts(org, action="search"))
    imported = latest(org, action="import").detail["transaction"]

    assert (sees(db, imported, early), sees(db, imported, late)) == (False, True)


# ── what is changed ──


def test_a_batch_is_one_entry(org: Org, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, receive, "BATCH", 3)
    events: list[Mapping[str, object]] = [
        said("b1", "One."),
        said("b2", "Two."),
        said("b2", "Two."),
        said("n1", "Three.", source="notes"),
        {"source": "notes", "id": "n2", "op": "conjure", "at": at(0)},
    ]

    receipt = org.ingest(events)
    last, first, *_ = acts(org, action="import")

    def counts(entry: AuditEntry) -> list[object]:
        return [entry.detail[name] for name in ("sources", "accepted", "duplicate", "quarantined")]

    assert counts(first) == [["chat"], 2, 1, 0]
    assert counts(last) == [["notes"], 1, 0, 1]
    assert last.detail["token"] == receipt.token
    assert [one.entry for one in acts(org, object="notes")] == [last.entry]
    assert latest(org, by="service:chat").detail["accepted"] == 3


def test_a_batch_that_is_refused_as_a_whole_is_no_act(org: Org, monkeypatch: pytest.MonkeyPatch) -> None:
    def spoilt(*_: object) -> str:
        raise RuntimeError("after the batch was written")

    before = acts(org, action="import")
    plant(monkeypatch, receive, "_record", spoilt)
    with pytest.raises(RuntimeError):
        org.ingest([said("m9", "Gone.")])

    assert acts(org, action="import") == before


def test_whoever_makes_an_organisation_is_its_first_entry(org: Org) -> None:
    first = acts(org)[-1]

    assert (first.action, first.principal, first.detail) == ("init", "user:owner", {"role": "steward"})


def test_stewards_acts_and_their_looking_are_in_it(org: Org) -> None:
    steward = org.steward("user:owner")
    steward.grant_read("user:bo", "chat:m1")
    steward.audit()

    looked, granted, *_ = acts(org, by="user:owner")

    assert (looked.action, granted.action, granted.object) == ("audit show", "grant", "user:bo")
    assert granted.detail == {"read": "item:chat:m1"}


# ── who may look ──


def test_nobody_but_a_steward_sees_it(org: Org) -> None:
    with pytest.raises(Refused):
        org.steward("user:ann")

    left = org.steward("user:owner")
    org.steward("user:owner").grant_role("user:bo", "steward")
    org.steward("user:bo").revoke_role("user:owner", "steward")
    for look in (left.audit, left.audit_head, left.verify_audit):
        with pytest.raises(Refused):
            look()


def test_a_steward_sees_nothing_that_was_asked_or_read(org: Org) -> None:
    org.steward("user:owner").grant_role("user:bo", "steward")
    ann = org.reader("user:ann")
    ann.ask("Why did Zebulon agree to the Orrin discount?")
    ann.page("Orrin")
    ann.explain(ann.search("Orrin discount", unit="claim")[0].citation.id)  # type: ignore[union-attr]

    shown = repr([one.model_dump() for one in org.steward("user:bo").audit(limit=100)])

    for secret in ("Zebulon", "Orrin", "discount", "18 %"):
        assert secret.casefold() not in shown.casefold()


def test_newest_come_first_and_no_more_than_asked_for(org: Org, clock: Clock) -> None:
    for number in range(4):
        clock.forward(minutes=1)
        org.reader("user:ann").search(f"hotel {number}")

    found = org.steward("user:owner").audit(action="search", limit=3)

    assert [one.at for one in found] == sorted((one.at for one in found), reverse=True)
    assert len(found) == 3
    assert found[0].at == clock.at
    assert len(org.steward("user:owner").audit(action="search", since=found[1].at)) == 2
    assert len(org.steward("user:owner").audit(action="search", since=found[1].at.isoformat())) == 2


@pytest.mark.parametrize(
    "wrong",
    [{"limit": 0}, {"since": "yesterday"}],
    ids=str,
)
def test_what_cannot_be_looked_for_is_said(org: Org, wrong: dict[str, object]) -> None:
    with pytest.raises(Usage):
        org.steward("user:owner").audit(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", ["", "7", "7:abc", "no-such-file", f"-1:{'0' * 64}", '{"number": 3'])
def test_a_head_that_is_none_is_said(org: Org, wrong: str) -> None:
    with pytest.raises(Usage):
        org.steward("user:owner").verify_audit(wrong)


# ── what is erased ──


def test_erasing_an_item_takes_what_was_said_of_it_and_leaves_the_chain_whole(org: Org) -> None:
    taken(org, [said("m3", "The rights and sources of the token are in the watermark.")])
    org.reader("user:bo").ask("What is the hotel limit?")
    org.reader("user:ann").ask("Which rights, sources and watermark has the token?")
    steward = org.steward("user:owner")
    published = steward.audit_head()

    steward.erase("chat:m3")
    report = steward.verify_audit(published)
    asked = {one.principal: one.erased for one in acts(org, action="ask")}

    assert report.ok, report.broken
    assert asked == {"user:ann": True, "user:bo": False}
    assert not any(one.erased for one in acts(org, action="import"))
    assert acts(org, action="erase")
