"""The record in two times: what an earlier reading said it says for ever, and says what a plain model says.

The world is one thing, a discount, of which several messages speak. Each says from when it holds, now and
then until when, and may replace others. Events come late and out of order; messages are edited, closed,
merged, moved to another account, taken back and brought back. The model keeps the events and nothing else.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol

import pytest

import muniment
from muniment.app import Org
from tests.worlds import Clock, open_org, person, taken

EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
ITEMS = "abcd"
STEPS = 12
WORLDS = 3  # 400 in `make prove`: with 12 steps each, about 5,000 of them
VALUES = (5, 8, 10, 15)


def day(number: int) -> datetime:
    return EPOCH + timedelta(days=number)


@dataclass(frozen=True)
class Text:
    """One version of a document as its event gave it."""

    item: str
    at: int
    value: int
    since: int
    until: int | None
    replaces: tuple[str, ...]
    account: str


@dataclass
class Model:
    """Events by the time they were accepted; nothing is derived before it is asked for."""

    texts: list[tuple[datetime, Text]] = field(default_factory=list)
    ops: list[tuple[datetime, str, str, int, str]] = field(default_factory=list)

    def floor(self, item: str) -> int:
        """What was said up to here stays hidden: it was deleted and not restored since."""
        deleted, restored = self._last(item, "delete"), self._last(item, "restore")
        return deleted if deleted > restored else -1

    def is_recalled(self, item: str) -> bool:
        return self._last(item, "recall") > self._last(item, "restore")

    def _last(self, item: str, op: str) -> int:
        return max((at for _, name, which, at, _ in self.ops if (name, which) == (op, item)), default=-1)

    def version(self, item: str, known: datetime) -> Text | None:
        """The newest text that was accepted by then, if it may still be shown."""
        texts = [text for accepted, text in self.texts if text.item == item and accepted <= known]
        newest = max(texts, key=lambda text: text.at, default=None)
        every = [text.at for _, text in self.texts if text.item == item]
        floor = self.floor(item)
        if newest is None or newest.at <= floor or max(every) <= floor or self.is_recalled(item):
            return None
        return newest

    def says(self, account: str, as_of: datetime, known: datetime) -> set[int]:
        """The values that hold at an instant, of those that were known at another."""
        held = {item: text for item in ITEMS if (text := self.version(item, known)) is not None}
        mine = {item: text for item, text in held.items() if text.account == account}
        ends = {item: self._tied(item, held, known) for item in mine}
        acting = {
            item: text
            for item, text in mine.items()
            if not self._is_withdrawn(item, known) and _ever_holds(text, ends[item])
        }
        return {
            text.value
            for item, text in mine.items()
            if day(text.since) <= as_of
            and ((end := _overtaken(text, ends[item], acting.values())) is None or as_of < day(end))
        }

    def _tied(self, item: str, held: Mapping[str, Text], known: datetime) -> int | None:
        successors = [text.since for text in held.values() if item in text.replaces and text.item != item]
        successors += [
            held[into].since
            for accepted, op, which, _, into in self.ops
            if (op, which) == ("merge", item) and accepted <= known and into in held
        ]
        ends = [end for end in (held[item].until, *successors) if end is not None]
        return min(ends, default=None)

    def _is_withdrawn(self, item: str, known: datetime) -> bool:
        return any(
            (op, which) == ("close", item) and accepted <= known for accepted, op, which, _, _ in self.ops
        )


def _anchor(text: Text, end: int | None) -> int:
    return text.since if end is None else min(text.since, end)


def _ever_holds(text: Text, end: int | None) -> bool:
    return end is None or end > text.since


def _overtaken(text: Text, end: int | None, others: Any) -> int | None:
    anchor = _anchor(text, end)
    turns = [other.since for other in others if other.value != text.value and other.since > anchor]
    return min([*turns, *([] if end is None else [end])], default=None)


Tell = Callable[[Mapping[str, object], int], Mapping[str, object]]


class Worlds(Protocol):
    """Makes a world by its number, told of in a certain way."""

    def __call__(self, number: int, tell: Tell = ..., /) -> AbstractContextManager[World]: ...


def as_it_is(event: Mapping[str, object], number: int) -> Mapping[str, object]:
    """An event as it happened."""
    del number
    return event


class World:
    """A record and the model of it, told the same."""

    def __init__(self, org: Org, clock: Clock, chance: random.Random, tell: Tell) -> None:
        self.org, self.clock, self.chance, self.tell = org, clock, chance, tell
        self.model = Model()
        self.log: list[str] = []
        self.merged: set[str] = set()

    def step(self) -> None:
        """One event at a later instant, which may have happened long before."""
        self.clock.forward(hours=1)
        chance = self.chance
        texts = [text for _, text in self.model.texts]
        op = chance.choice(("upsert",) * 6 + ("close", "delete", "restore", "recall", "merge", "move"))
        if op == "upsert" or not texts:
            self._say()
            return
        item = chance.choice([text.item for text in texts])
        self._act(op, item, self._moment(item))

    def _moment(self, item: str) -> int:
        """A day on which nothing else happened to the item."""
        spent = {text.at for _, text in self.model.texts if text.item == item}
        spent |= {at for _, _, which, at, _ in self.model.ops if which == item}
        return self.chance.choice([at for at in range(1, 60) if at not in spent])

    def _say(self) -> None:
        chance = self.chance
        item = chance.choice(ITEMS)
        since = chance.randrange(0, 100)
        lower = [other for other in ITEMS if other < item]
        text = Text(
            item=item,
            at=self._moment(item),
            value=chance.choice(VALUES),
            since=since,
            until=since + chance.randrange(1, 60) if chance.random() < 0.3 else None,
            replaces=tuple(chance.sample(lower, 1)) if lower and chance.random() < 0.4 else (),
            account=chance.choice(("Acme", "Acme", "Globex")),
        )
        self.model.texts.append((self.clock.at, text))
        until = {} if text.until is None else {"valid_to": day(text.until).isoformat()}
        self._tell(
            {
                **self._envelope("upsert", item, text.at),
                "kind": "message",
                "body": f"The discount is {text.value}%.",
                "account": text.account,
                "valid_from": day(text.since).isoformat(),
                "supersedes": list(text.replaces),
                "audience": [["*"]],
                **until,
            }
        )

    def _act(self, op: str, item: str, at: int) -> None:
        higher = [other for other in ITEMS if other > item]
        if op == "merge" and (not higher or item in self.merged):
            return
        into = self.chance.choice(higher) if op == "merge" else ""
        self.merged |= {item} if op == "merge" else set()
        self.model.ops.append((self.clock.at, op, item, at, into))
        details: dict[str, dict[str, object]] = {
            "close": {"state": "withdrawn"},
            "merge": {"into": into},
            "move": {"to": {"container": "hall"}},
        }
        self._tell({**self._envelope(op, item, at), **details.get(op, {})})

    def _envelope(self, op: str, item: str, at: int) -> dict[str, object]:
        return {"op": op, "source": "chat", "id": item, "at": day(at).isoformat()}

    def _tell(self, event: Mapping[str, object]) -> None:
        self.log.append(f"{self.clock.at:%d %H:%M} {dict(event)}")
        taken(self.org, [self.tell(event, len(self.log))])

    def read(self, account: str, as_of: datetime, known: datetime) -> set[int]:
        """What the record says, through its public door."""
        view = self.org.reader("user:owner", as_of=as_of, known_at=known)
        try:
            sections = view.page(account).sections
        except muniment.Refused:
            return set()
        shown = [
            claim
            for section in sections
            if section.title not in ("Upcoming", "History", "Recalled")
            for claim in section.claims
        ]
        return {value for value in VALUES for one in shown if f" {value}%" in one.statement}


@pytest.fixture
def worlds(url: str, tenant: str, seed: int) -> Worlds:
    @contextmanager
    def make(number: int, tell: Tell = as_it_is) -> Iterator[World]:
        clock = Clock(datetime(2026, 6, 1, tzinfo=UTC))
        with open_org(url, f"{tenant}-{number}", clock) as org:
            taken(org, [person("user:owner")])
            yield World(org, clock, random.Random(seed + number), tell)

    return make


def faults(world: World) -> list[str]:
    """Where the record and the model differ, over instants of both times."""
    found = []
    moments: list[tuple[str, datetime, datetime]] = []
    for _ in range(STEPS):
        world.step()
        moments += [
            (account, day(world.chance.randrange(0, 110)), world.clock.at) for account in ("Acme", "Globex")
        ]
    sample = world.chance.sample(moments, min(len(moments), 16))
    for account, as_of, known in sample:
        said, wanted = world.read(account, as_of, known), world.model.says(account, as_of, known)
        if said != wanted:
            found.append(f"{account} as of {as_of:%m-%d}, known {known:%d %H:%M}: {said}, model {wanted}")
    return found


def test_what_holds_at_one_time_and_was_known_at_another_is_what_a_plain_model_says(
    worlds: Worlds, seed: int, *, prove: bool
) -> None:
    for number in range(400 if prove else WORLDS):
        with worlds(number) as world:
            assert faults(world) == [], "\n".join([f"MUNIMENT_SEED={seed + number}", *world.log])


def test_a_record_in_which_the_late_version_wins_is_found_out(worlds: Worlds) -> None:
    """The planted fault: every event is told as the newest of its item, whenever it happened."""

    def late_wins(event: Mapping[str, object], number: int) -> Mapping[str, object]:
        return {**event, "version": str(number)}

    def is_found(number: int) -> bool:
        with worlds(number, late_wins) as world:
            return bool(faults(world))

    assert any(is_found(number) for number in range(30))
