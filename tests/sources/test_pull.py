"""A live source: read to its end, from where it was left, and against what it still holds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import count
from typing import Any

import pytest

from muniment import clock as waiting
from muniment.app import Org, Pulled
from muniment.domain.errors import Refused, Usage
from muniment.domain.values import Receipt
from muniment.jobs import pull as reading
from muniment.jobs.lease import try_turn
from muniment.sources.arrived import Arrived
from tests.canaries import hits
from tests.sources.feeds import TOKEN, Feed, served
from tests.worlds import Clock, at, open_org, person, taken

SETTINGS = {"token": "env:FEED_TOKEN"}


@pytest.fixture
def feed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Feed]:
    monkeypatch.setenv("FEED_TOKEN", TOKEN)
    with served() as feed:
        yield feed


@pytest.fixture
def org(url: str, tenant: str, clock: Clock) -> Iterator[Org]:
    with open_org(url, tenant, clock) as org:
        taken(org, [person("user:bo")])
        yield org


def message(number: int, words: str, version: int = 1, **fields: object) -> dict[str, object]:
    plain: dict[str, object] = {"op": "upsert", "kind": "message", "at": at(version), "version": str(version)}
    return {**plain, "id": f"m{number}", "body": words, "audience": [["*"]], **fields}


def connect(org: Org, feed: Feed, **said: Any) -> None:
    org.connect("jsonl", "feed", {**SETTINGS, "url": feed.url, "ids": f"{feed.url}/ids"}, **said)


def pull(org: Org, *, sweep: bool = False) -> Pulled:
    (one,) = org.pull("feed", sweep=sweep)
    return one


def found(org: Org, words: str, who: str = "user:bo") -> set[str]:
    hits = org.reader(who).search(words)
    return {hit.citation.item or "" for hit in hits if hit.citation is not None}


def test_everything_is_read_at_first_and_later_only_what_is_new(org: Org, feed: Feed) -> None:
    feed.say(*(message(number, f"Berth {number} is free.") for number in range(7)))
    connect(org, feed)

    first = pull(org)
    feed.asked.clear()
    feed.say(message(7, "Berth 7 is taken."))
    second = pull(org)

    assert (first.state, first.accepted, first.seen) == ("current", 7, 7)
    assert (second.state, second.accepted, second.duplicate) == ("current", 1, 0)
    assert feed.asked[0] == "/?cursor=0.7"
    assert found(org, "berth 7 taken") >= {"m7"}


def test_a_source_that_asks_for_rest_gets_as_much_as_it_says(org: Org, feed: Feed, clock: Clock) -> None:
    feed.say(*(message(number, f"Berth {number} is free.") for number in range(7)))
    connect(org, feed)
    feed.faults = [(429, {"retry-after": "120"})]

    one = pull(org)

    assert one.state == "behind"
    assert one.next_at is not None
    assert timedelta(seconds=120) <= one.next_at - clock() <= timedelta(seconds=132)
    assert org.pull_due() == 0
    clock.forward(minutes=3)
    assert org.pull_due() == 4  # the last of them is empty, and ends it
    assert len(found(org, "berth free")) == 7


def test_a_page_that_fails_leaves_those_before_it_and_the_next_pull_goes_on_there(
    org: Org, feed: Feed
) -> None:
    feed.say(*(message(number, f"Berth {number} is free.") for number in range(9)))
    connect(org, feed)
    feed.faults = []
    original = feed.answer

    def broken(path: str, headers: object) -> tuple[int, dict[str, str], bytes]:
        return (500, {}, b"") if "cursor=0.6" in path else original(path, headers)  # type: ignore[arg-type]

    feed.answer = broken  # type: ignore[method-assign]

    one = pull(org)
    feed.answer = original  # type: ignore[method-assign]
    feed.asked.clear()
    two = pull(org)

    assert (one.state, one.accepted) == ("behind", 6)
    assert (two.state, two.accepted, two.duplicate) == ("current", 3, 0)
    assert feed.asked[0] == "/?cursor=0.6"


class KilledError(BaseException):
    """The process is gone, here and now."""


@pytest.mark.parametrize("taken_in", [True, False])
def test_a_pull_that_is_killed_repeats_a_page_and_loses_none(org: Org, feed: Feed, *, taken_in: bool) -> None:
    feed.say(*(message(number, f"Berth {number} is free.") for number in range(7)))
    connect(org, feed)
    real, calls = org._entrance.pulling(waiting.wait), count()

    def take(arrived: Sequence[Arrived], who: str) -> Receipt:
        if next(calls) == 1:
            if taken_in:
                real.take(arrived, who)
            raise KilledError
        return real.take(arrived, who)

    with pytest.raises(KilledError):
        reading.pull(reading.Pulling(org._work, take, real.wait), "feed")
    again = pull(org)

    assert (again.accepted, again.duplicate) == ((1, 3) if taken_in else (4, 0))
    assert len(found(org, "berth free")) == 7


def test_a_source_that_is_paused_while_it_is_read_is_let_go_of(org: Org, feed: Feed) -> None:
    feed.say(*(message(number, f"Berth {number} is free.") for number in range(7)))
    connect(org, feed)
    real = org._entrance.pulling(waiting.wait)

    def take(arrived: Sequence[Arrived], who: str) -> Receipt:
        org.steward("user:owner").pause("feed", paused=True)
        return real.take(arrived, who)

    one = reading.pull(reading.Pulling(org._work, take, real.wait), "feed")

    assert (one.state, one.pages) == ("busy", 0)
    assert feed.asked == ["/"]


def test_failures_in_a_row_are_further_and_further_apart(org: Org, feed: Feed, clock: Clock) -> None:
    connect(org, feed)
    waits, states = [], []
    for _ in range(12):
        feed.faults = [(500, {})]
        one = pull(org)
        assert one.next_at is not None
        waits.append((one.next_at - clock()).total_seconds())
        states.append(one.state)

    assert states == ["behind", "behind", *["failing"] * 10]
    assert all(low / 2 <= wait <= low for wait, low in zip(waits, [5, 10, 20, 40, 80, 160], strict=False))
    assert 1800 <= waits[-1] <= 3600


def test_a_source_that_refuses_our_credential_waits_for_a_person(
    org: Org, feed: Feed, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    feed.say(message(1, "Berth 1 is free."))
    connect(org, feed)
    monkeypatch.setenv("FEED_TOKEN", "another")

    one = pull(org)
    clock.forward(hours=24 * 30)

    assert (one.state, one.next_at) == ("failing", None)
    assert org.pull_due() == 0
    monkeypatch.setenv("FEED_TOKEN", TOKEN)
    org.steward("user:owner").pause("feed", paused=False)
    assert org.pull_due() >= 1
    assert found(org, "berth 1 free") == {"m1"}


def test_a_cursor_that_the_source_forgot_is_a_new_beginning_and_a_sweep(
    org: Org, feed: Feed, clock: Clock
) -> None:
    feed.say(*(message(number, f"Berth {number} is free.") for number in range(5)))
    connect(org, feed)
    pull(org)
    clock.forward(minutes=1)
    feed.vanish("m2")

    one = pull(org)

    assert (one.state, one.swept, one.deleted, one.accepted) == ("current", True, 1, 0)
    assert found(org, "berth free") == {"m0", "m1", "m3", "m4"}


def test_what_a_complete_listing_lacks_is_gone_and_what_it_has_again_comes_back(
    org: Org, feed: Feed, clock: Clock
) -> None:
    feed.say(message(1, "Berth 1 is free."), message(2, "Berth 2 is free."))
    connect(org, feed)
    pull(org)

    for _ in range(3):
        clock.forward(hours=1)
        feed.held.discard("m2")
        gone = pull(org, sweep=True)
        assert (gone.deleted, found(org, "berth free")) == (1, {"m1"})
        clock.forward(hours=1)
        feed.held.add("m2")
        back = pull(org, sweep=True)
        assert (back.restored, found(org, "berth free")) == (1, {"m1", "m2"})


def test_an_edit_after_a_sweep_brings_the_item_back(org: Org, feed: Feed, clock: Clock) -> None:
    feed.say(message(1, "Berth 1 is free."))
    connect(org, feed)
    pull(org)
    clock.forward(hours=1)
    feed.held.clear()
    pull(org, sweep=True)

    feed.say(message(1, "Berth 1 is taken.", version=2))
    pull(org)

    assert found(org, "berth taken") == {"m1"}


def test_what_came_after_the_listing_began_is_not_judged_by_it(org: Org, feed: Feed) -> None:
    feed.say(message(1, "Berth 1 is free."))
    connect(org, feed)
    pull(org)  # accepted at the very instant at which the next listing begins
    feed.held.clear()

    one = pull(org, sweep=True)

    assert one.deleted == 0
    assert found(org, "berth free") == {"m1"}


@pytest.mark.parametrize("listing", [[1, 2], [None]])
def test_what_is_no_listing_deletes_nothing(
    org: Org, feed: Feed, clock: Clock, listing: list[object]
) -> None:
    feed.say(message(1, "Berth 1 is free."))
    connect(org, feed)
    pull(org)
    clock.forward(hours=1)
    feed.listing = listing

    one = pull(org, sweep=True)

    assert (one.state, one.deleted, found(org, "berth free")) == ("behind", 0, {"m1"})


def test_a_connection_speaks_for_its_own_source_and_nobody_elses(org: Org, feed: Feed) -> None:
    taken(org, [{**message(1, "The quay is closed."), "source": "chat"}])
    feed.say(
        {"op": "delete", "source": "chat", "id": "m1", "at": at(9), "version": "9"},
        {"op": "principal", "source": "feed", "id": "user:mallory", "at": at(1), "standing": "member"},
        {"op": "member", "source": "feed", "group": "group:finance", "at": at(1), "add": ["user:mallory"]},
    )
    connect(org, feed)

    one = pull(org)
    org.replay()

    assert (one.accepted, one.quarantined) == (0, 3)
    assert found(org, "quay closed") == {"m1"}
    assert not org.knows("user:mallory")


def test_what_names_no_audience_is_for_whoever_connected_it_or_for_whom_they_said(
    org: Org, feed: Feed
) -> None:
    feed.say(message(1, "Berth 1 is free.", audience=None))
    connect(org, feed)
    pull(org)
    assert (found(org, "berth free"), found(org, "berth free", "user:owner")) == (set(), {"m1"})

    feed.say(message(2, "Berth 2 is free.", audience=None))
    connect(org, feed, audience=[["user:bo"]])
    pull(org)

    assert found(org, "berth free") == {"m2"}


def test_one_process_pulls_a_source_at_a_time(org: Org, feed: Feed) -> None:
    feed.say(message(1, "Berth 1 is free."))
    connect(org, feed)

    with try_turn(org._work, "pull/feed"):
        busy = pull(org)

    assert (busy.state, busy.accepted) == ("busy", 0)
    assert pull(org).accepted == 1


def test_readers_and_stewards_are_told_how_a_source_stands(org: Org, feed: Feed, clock: Clock) -> None:
    feed.say(message(1, "Berth 1 is free."))
    connect(org, feed)
    pull(org)
    heard = clock()
    clock.forward(hours=1)
    feed.faults = [(500, {})]
    pull(org)

    (fresh,) = org.reader("user:bo").ask("Which berth is free?").freshness
    (status,) = [one for one in org.status().sources if one.source == "feed"]

    assert (fresh.source, fresh.state, fresh.as_of, fresh.why) == (
        "feed",
        "behind",
        heard,
        "could not be reached",
    )
    assert (status.connected, status.failures, status.lag_s) == ("jsonl", 1, 3600)
    assert "failed: status 500" in (status.last_error or "")
    assert org.reader("user:stranger").ask("Which berth is free?").freshness == ()


def test_a_paused_source_is_left_alone_and_says_so(org: Org, feed: Feed, clock: Clock) -> None:
    feed.say(message(1, "Berth 1 is free."))
    connect(org, feed)
    pull(org)
    org.steward("user:owner").pause("feed", paused=True)
    feed.asked.clear()
    clock.forward(hours=48)

    assert (pull(org).state, org.pull_due(), feed.asked) == ("paused", 0, [])
    (fresh,) = org.reader("user:bo").ask("Which berth is free?").freshness
    assert fresh.state == "paused"


def test_a_source_that_is_let_go_of_leaves_what_it_said(org: Org, feed: Feed) -> None:
    feed.say(message(1, "Berth 1 is free."))
    connect(org, feed)
    pull(org)

    org.steward("user:owner").disconnect("feed")

    assert found(org, "berth free") == {"m1"}
    with pytest.raises(Refused, match="no source 'feed' is connected"):
        org.pull("feed")


def test_a_secret_is_nowhere_in_the_record_and_in_nothing_told(
    org: Org, feed: Feed, caplog: pytest.LogCaptureFixture
) -> None:
    feed.say(message(1, "Berth 1 is free."))
    connect(org, feed)
    pull(org)
    feed.token = "changed"  # noqa: S105  # of a server that lives for one test

    told = repr(pull(org)) + repr(org.status()) + caplog.text

    assert "does not let us in" in told
    assert TOKEN not in told
    assert hits(org, [TOKEN]) == {}


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({}, "'url' is missing"),
        ({"url": "https://a.example", "token": "hunter2"}, "is a secret"),
        ({"url": "https://a:hunter2@a.example"}, "has a password in it"),
        ({"url": "https://a.example", "colour": "red"}, "'colour' is unknown"),
    ],
)
def test_a_connection_put_wrongly_says_what_is_wrong_and_repeats_no_secret(
    org: Org, settings: dict[str, str], says: str
) -> None:
    with pytest.raises(Usage, match=says) as error:
        org.connect("jsonl", "feed", settings)

    assert "hunter2" not in str(error.value)


def test_only_a_steward_connects(org: Org, feed: Feed) -> None:
    with pytest.raises(Refused):
        org.connect("jsonl", "feed", {"url": feed.url}, by="user:bo")


def test_what_cannot_be_read_as_an_event_is_in_quarantine_and_the_rest_is_in(org: Org, feed: Feed) -> None:
    feed.say(message(1, "Berth 1 is free."), {"op": "frob", "id": "x", "at": at(1)})
    feed.log.append(json.loads('["no", "object"]'))
    connect(org, feed)

    one = pull(org)

    assert (one.accepted, one.quarantined) == (1, 2)
