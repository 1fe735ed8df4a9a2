"""Wherever a pull is cut short, the record ends as one uninterrupted pull makes it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from itertools import count

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from muniment import clock as waiting
from muniment.app import Org
from muniment.domain.values import Receipt
from muniment.jobs.pull import Pulling, Reach, _Turn, pull
from muniment.sources.arrived import Arrived
from muniment.sources.connector import Connector, Cursor
from tests.planted import plant
from tests.sources.feeds import TOKEN, Feed, served
from tests.worlds import Clock, at, open_org, person, taken

SETTINGS = {"token": "env:FEED_TOKEN"}
NUMBERS = st.integers(0, 4)
FAULTS = st.lists(
    st.sampled_from([(429, {"retry-after": "90"}), (429, {}), (500, {}), (503, {}), (401, {}), (200, {})]),
    min_size=1,
    max_size=3,
)
_tenants = count()


class KilledError(BaseException):
    """The process is gone, here and now."""


class Source(RuleBasedStateMachine):
    """A source that changes, forgets, refuses and loses things, and a record that is killed as it reads."""

    url: str
    feed: Feed

    @initialize()
    def connected(self) -> None:
        self.feed.__init__(url=self.feed.url)  # type: ignore[misc]  # the server goes on, with nothing in it
        self.clock = Clock()
        self.stack = ExitStack()
        self.version = 0
        self.org = self.opened("live")

    def opened(self, name: str) -> Org:
        org = self.stack.enter_context(open_org(self.url, f"pulled-{name}-{next(_tenants)}", self.clock))
        taken(org, [person("user:bo")])
        said = {**SETTINGS, "url": self.feed.url, "ids": f"{self.feed.url}/ids"}
        org.connect("jsonl", "feed", said)
        return org

    def said(self, number: int, words: str) -> dict[str, object]:
        self.version += 1
        plain: dict[str, object] = {"op": "upsert", "kind": "message", "audience": [["*"]]}
        when = {"at": at(self.version / 60), "version": str(self.version)}
        return {**plain, **when, "id": f"m{number}", "body": f"berth{number} is {words}"}

    @rule(number=NUMBERS, words=st.sampled_from(["free", "taken", "closed"]))
    def something_is_said(self, number: int, words: str) -> None:
        self.feed.say(self.said(number, words))

    @rule(number=NUMBERS)
    def something_is_deleted(self, number: int) -> None:
        event = self.said(number, "")
        del event["body"], event["kind"], event["audience"]
        self.feed.say({**event, "op": "delete"})

    @rule(number=NUMBERS)
    def something_vanishes(self, number: int) -> None:
        self.feed.vanish(f"m{number}")

    @rule()
    def cursors_are_forgotten(self) -> None:
        self.feed.forget()

    @rule(faults=FAULTS)
    def requests_fail(self, faults: Sequence[tuple[int, dict[str, str]]]) -> None:
        self.feed.faults = list(faults)

    @rule()
    def it_is_pulled(self) -> None:
        self.org.pull("feed")
        self.clock.forward(minutes=2)

    @rule(sweep=st.booleans())
    def it_is_pulled_when_due(self, sweep: bool) -> None:  # noqa: FBT001  # Hypothesis draws it
        self.clock.forward(hours=25 if sweep else 1)
        self.org.pull_due()

    @rule(number=NUMBERS, after=st.integers(0, 1), taken_in=st.booleans())
    def it_is_killed(self, number: int, after: int, taken_in: bool) -> None:  # noqa: FBT001  # as above
        """Before or after a page's events are in, and always before its cursor is."""
        self.something_is_said(number, "open")
        real = self.org._entrance.pulling(waiting.wait)
        left = count(after, -1)

        def take(arrived: Sequence[Arrived], who: str) -> Receipt:
            if next(left) <= 0:
                if taken_in:
                    real.take(arrived, who)
                raise KilledError
            return real.take(arrived, who)

        with suppress(KilledError):
            pull(Pulling(self.org._work, take, real.wait), "feed", Reach(sweep=True))
        self.clock.forward(minutes=10)

    def teardown(self) -> None:  # type: ignore[explicit-override]  # 3.12
        """At last all is well: the record equals another that never met a fault."""
        self.feed.faults = []
        self.clock.forward(hours=1)
        assert [one.state for one in self.org.pull("feed", sweep=True)] == ["current"]
        calm = self.opened("calm")
        assert [one.state for one in calm.pull("feed", sweep=True)] == ["current"]

        assert list(held(self.org)) == list(held(calm))
        self.stack.close()


def held(org: Org) -> Iterator[set[str]]:
    """What a reader finds of each thing."""
    reader = org.reader("user:bo")
    for number in range(5):
        yield {hit.text for hit in reader.search(f"berth{number}")}


def test_the_record_ends_as_one_uninterrupted_pull_makes_it(
    url: str, monkeypatch: pytest.MonkeyPatch, *, prove: bool
) -> None:
    monkeypatch.setenv("FEED_TOKEN", TOKEN)
    sizes = settings(max_examples=500 if prove else 4, stateful_step_count=25 if prove else 12, deadline=None)

    with served() as feed:
        machine = type("Machine", (Source,), {"url": url, "feed": feed})
        run_state_machine_as_test(machine, settings=sizes)


def test_a_cursor_that_is_kept_before_its_events_are_in_would_be_seen(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A planted fault, found without luck: killed between the two, as the rule does at its first take."""
    monkeypatch.setenv("FEED_TOKEN", TOKEN)
    plant(monkeypatch, _Turn, "_read", _cursor_first)

    with served() as feed, pytest.raises(AssertionError):
        killed_at_its_first_page(type("Machine", (Source,), {"url": url, "feed": feed}))


def test_a_page_that_is_killed_before_it_is_in_comes_again(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FEED_TOKEN", TOKEN)

    with served() as feed:
        killed_at_its_first_page(type("Machine", (Source,), {"url": url, "feed": feed}))


def killed_at_its_first_page(kind: type[Source]) -> None:
    """The shortest run that a cursor kept too early does not survive."""
    machine = kind()
    machine.connected()
    machine.it_is_pulled()
    machine.it_is_killed(number=1, after=0, taken_in=False)
    machine.teardown()


def _cursor_first(turn: _Turn, connector: Connector, cursor: Cursor | None) -> bool:
    for page in connector.pull(cursor):
        turn.stands.keep(page.cursor, page.seen, page.through)
        turn._hand_in(page.parsed, "pull")
    return True
