"""Workers killed at any moment lose, double and reorder nothing."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Self

import psycopg
import pytest

from muniment.app import Org
from tests.conftest import PROVE
from tests.faults.corpora import Day, corpus, difference, record, settled
from tests.places import IMPORTS
from tests.worlds import KEY, Clock, Event, open_org

NAME = "muniment-killed"
LEAST = 15 if PROVE else 3  # kills
MARGIN = 10  # batches: enough to fill the backlog once more
BACKLOG = 60  # keys; more than the workers do between two kills
# In small transactions, so that a kill finds one open. It comes back from a lost connection.
WORKER = """
import sys
import muniment
from datetime import datetime
from muniment.domain.errors import Unavailable
from muniment.jobs.loop import work_once
from muniment.settings import Settings

url, tenant, key, now = sys.argv[1:]
settings = Settings(login="owner", key=bytes.fromhex(key), embedder="off")
org = muniment.open(url, tenant, settings=settings, clock=lambda: datetime.fromisoformat(now))
print("ready", flush=True)
while True:
    try:
        work_once(org._work, 1)
    except Unavailable:
        print("lost", flush=True)
"""


class Worker:
    """A process that compiles until it is killed."""

    def __init__(self, url: str, tenant: str) -> None:
        self.url, self.tenant = url, tenant
        self.process = self._begin()

    def _begin(self) -> subprocess.Popen[bytes]:
        arguments = [f"{self.url}&application_name={NAME}", self.tenant, KEY.hex(), Clock()().isoformat()]
        return subprocess.Popen(
            [sys.executable, "-c", WORKER, *arguments],
            stdout=subprocess.PIPE,
            env={"PYTHONPATH": IMPORTS},
        )

    def ready(self) -> Self:
        """Wait until it works; one whose session was cut while it was opening is begun anew."""
        assert self.process.stdout is not None
        while self.process.stdout.readline().strip() != b"ready":
            self.kill()
            self.process = self._begin()
            assert self.process.stdout is not None
        return self

    def run_for(self, seconds: float) -> None:
        """Let it work; it may not end by itself."""
        with pytest.raises(subprocess.TimeoutExpired):
            self.process.wait(seconds)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


def kill_all(workers: Sequence[Worker]) -> None:
    for worker in workers:
        worker.kill()


@pytest.fixture
def workers(url: str, tenant: str) -> Iterator[list[Worker]]:
    with ExitStack() as stack:
        crew = [Worker(url, tenant) for _ in range(3)]
        stack.callback(kill_all, crew)
        yield crew


def waiting(org: Org) -> int:
    return org.steward("user:owner").status().queue.waiting


def cut_backends(url: str) -> None:
    """End the sessions of the workers, but not their processes."""
    with psycopg.connect(url) as conn:
        statement = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = %s"
        conn.execute(statement, [NAME])


class Feed:
    """A backlog that is filled up as it is worked off, so that there is always work to be killed at."""

    def __init__(self, org: Org, batches: Sequence[tuple[int, Sequence[Event]]], clock: Clock) -> None:
        self._org, self._clock = org, clock
        self._batches = list(batches)
        self.given: list[tuple[int, Sequence[Event]]] = []

    def __len__(self) -> int:
        return len(self._batches)

    def fill(self, least: int) -> None:
        while self._batches and waiting(self._org) < least:
            self.give()

    def give(self) -> None:
        days, events = self._batches.pop(0)
        self.given.append((days, events))
        self._clock.at = Clock().at
        self._clock.forward(days=days - 400)
        self._org.ingest(events, defer=True)

    def settle(self) -> None:
        """Compile here what is left of what was handed in."""
        self._clock.at = Clock().at
        settled(self._org)


def killing(org: Org, feed: Feed, workers: list[Worker], draw: random.Random, seconds: float) -> int:
    """One after the other is killed and replaced, with work left at each kill; how many were.

    For so many seconds, and longer where the machine has killed fewer than `LEAST` by then.
    """
    kills = 0
    until = time.monotonic() + seconds
    while len(feed) > MARGIN and (kills < LEAST or time.monotonic() < until):
        for _ in range(draw.randint(1, 10)):
            feed.fill(BACKLOG)
            workers[0].run_for(draw.uniform(0.01, 0.05))
        feed.fill(BACKLOG)
        if draw.random() < 0.25:
            cut_backends(workers[0].url)
        victim = workers.pop(0)
        victim.kill()
        assert waiting(org) > 0, "nothing was left to do at the kill"
        kills += 1
        workers.append(Worker(victim.url, org.tenant))
        workers[0].ready()
    return kills


@pytest.mark.parametrize("run", range(3 if PROVE else 1))
def test_killed_workers_leave_the_record_of_an_undisturbed_one(
    url: str, tenant: str, seed: int, run: int, workers: list[Worker], *, prove: bool
) -> None:
    draw = random.Random(seed + run)
    days = corpus(draw, days=10 if prove else 3, events=900 if prove else 700, items=150)
    batches = list(in_batches(days))
    clock = Clock()

    with open_org(url, tenant, clock) as org:
        feed = Feed(org, batches, clock)
        workers[0].ready()
        kills = killing(org, feed, workers, draw, 30 if prove else 5)
        kill_all(workers)
        feed.settle()
        disturbed = record(org)
    with open_org(url, f"{tenant}-calm", clock) as org:
        calmly = Feed(org, feed.given, clock)
        while calmly:
            calmly.give()
        calmly.settle()
        calm = record(org)

    assert kills >= LEAST
    assert difference(calm, disturbed) == ""


def in_batches(days: Sequence[Day]) -> Iterator[tuple[int, Sequence[Event]]]:
    for number, day in enumerate(days):
        for start in range(0, len(day.events), 25):
            yield number, day.events[start : start + 25]
