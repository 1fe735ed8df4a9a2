"""What changed on a page between two states of what was known."""

from collections.abc import Iterator
from datetime import datetime

import pytest

from muniment.app import Org
from muniment.domain.changes import PageChange
from muniment.domain.errors import Refused, Usage
from tests.worlds import Clock, Event, at, member, open_org, person, said, taken

FINANCE = [["group:finance"]]


@pytest.fixture
def org(url: str, tenant: str, clock: Clock) -> Iterator[Org]:
    with open_org(url, tenant, clock) as opened:
        taken(opened, [person("user:ann"), person("user:bo"), member("group:finance", "user:ann")])
        yield opened


def policy(id: str, body: str, hours: float = 0, **fields: object) -> Event:  # noqa: A002  # the contract's own word
    return said(id, body, hours, source="policies", kind="document", title="Travel policy", **fields)


def later(org: Org, clock: Clock, *events: Event) -> datetime:
    """Take these in an hour later; the moment before."""
    before = clock()
    clock.forward(hours=1)
    taken(org, events)
    return before


def told(changes: tuple[PageChange, ...]) -> list[tuple[str, str, str | None, str | None]]:
    return [(one.change, one.section, one.before, one.after) for one in changes]


def test_a_sentence_that_was_edited_is_one_change_with_both_texts(org: Org, clock: Clock) -> None:
    taken(org, [policy("2026", "The hotel limit is EUR 180. The meal allowance is EUR 28.")])
    before = later(org, clock, policy("2026", "The hotel limit is EUR 200. The meal allowance is EUR 28.", 1))

    (change,) = org.reader("user:bo").changes("travel policy", before).changes

    assert told((change,)) == [
        ("revised", "Policies", "The hotel limit is EUR 180.", "The hotel limit is EUR 200.")
    ]
    assert change.known == clock()
    assert change.citation is not None
    assert change.citation.quote == "The hotel limit is EUR 200."


def test_a_rule_that_another_edition_replaced_is_one_change(org: Org, clock: Clock) -> None:
    taken(org, [policy("2025", "The hotel limit is EUR 140.", valid_from="2025-01-01")])
    newer = policy(
        "2026", "The hotel limit is EUR 180.", 1, valid_from="2026-04-01", supersedes=["2025"]
    )  # fmt: skip
    before = later(org, clock, newer)

    found = org.reader("user:bo").changes("travel policy", before)

    assert told(found.changes) == [
        ("revised", "Policies", "The hotel limit is EUR 140.", "The hotel limit is EUR 180.")
    ]
    assert (found.since, found.until) == (before, clock())


def test_talk_that_came_and_talk_that_was_deleted_are_told_apart(org: Org, clock: Clock) -> None:
    taken(org, [said("m1", "Decision: we offer 12 %.", account="Acme"), said("m2", "Hm.", account="Acme")])
    deleted = {"source": "chat", "id": "m1", "op": "delete", "at": at(3)}
    came = said("m3", "I'll send the contract by 20 June.", 4, account="Acme", author="user:ann")
    before = later(org, clock, deleted, came)

    found = org.reader("user:bo").changes("Acme", before)

    # What was deleted is hidden at every time, also from what there was to change.
    assert told(found.changes) == [("added", "Commitments", None, "I'll send the contract by 20 June.")]


def test_a_sentence_that_was_edited_out_has_ended(org: Org, clock: Clock) -> None:
    taken(org, [policy("2026", "The hotel limit is EUR 180. Taxis must be shared.")])
    before = later(org, clock, policy("2026", "The hotel limit is EUR 180.", 1))

    found = org.reader("user:bo").changes("travel policy", before)

    assert told(found.changes) == [("ended", "Policies", "Taxis must be shared.", None)]


def test_where_nothing_changed_nothing_is_told(org: Org, clock: Clock) -> None:
    taken(org, [policy("2026", "The hotel limit is EUR 180.")])
    before = later(org, clock, said("m1", "The owner is Ann Lee.", account="Acme"))

    assert org.reader("user:bo").changes("travel policy", before).changes == ()


def test_time_that_passes_is_no_change(org: Org, clock: Clock) -> None:
    taken(org, [policy("2026", "The hotel limit is EUR 180.", valid_from="2026-11-30T09:30:00Z")])
    before = later(org, clock)

    assert org.reader("user:bo").changes("travel policy", before).changes == ()


def test_a_hidden_change_is_none(org: Org, clock: Clock) -> None:
    taken(org, [policy("2026", "The hotel limit is EUR 180.")])
    hidden = policy("2027", "The hotel limit is EUR 999.", 1, supersedes=["2026"], audience=FINANCE)
    before = later(org, clock, hidden)

    assert org.reader("user:bo").changes("travel policy", before).changes == ()
    assert [one.after for one in org.reader("user:ann").changes("travel policy", before).changes] == [
        "The hotel limit is EUR 999."
    ]


def test_talk_that_newer_talk_pushed_off_the_page_has_not_ended(org: Org, clock: Clock) -> None:
    taken(org, [said("m0", "Decision: we offer 12 %.", account="Acme")])
    chatter = [said(f"c{n}", "Hm.", 1 + n, account="Acme") for n in range(210)]
    before = later(org, clock, *chatter)

    assert org.reader("user:bo").changes("Acme", before).changes == ()


def test_a_page_that_was_not_known_then_was_added_whole(org: Org, clock: Clock) -> None:
    before = later(org, clock, policy("2026", "The hotel limit is EUR 180."))

    found = org.reader("user:bo").changes("travel policy", before)

    assert told(found.changes) == [("added", "Policies", None, "The hotel limit is EUR 180.")]


def test_missing_and_forbidden_pages_have_no_changes_to_tell_in_the_same_words(org: Org) -> None:
    taken(org, [said("m1", "The plan is fine.", account="Falcon", audience=FINANCE)])

    def refusal(name: str) -> str:
        with pytest.raises(Refused) as caught:
            org.reader("user:bo").changes(name, at(0))
        return str(caught.value).replace(name, "…")

    assert refusal("Falcon") == refusal("Nothing")


@pytest.mark.parametrize(
    ("since", "why"),
    [
        ("yesterday", "not an RFC 3339 time"),
        ("2026-02-30", "not a day that exists"),
        (datetime(2026, 6, 1), "has no zone"),  # noqa: DTZ001  # what is being refused
        ("2030-01-01", "give an earlier time"),
    ],
)
def test_a_time_that_is_none_or_is_still_to_come_is_refused(
    org: Org, since: datetime | str, why: str
) -> None:
    with pytest.raises(Usage, match=why):
        org.reader("user:bo").changes("Acme", since)
