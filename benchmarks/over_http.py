"""What HTTP adds to a verb: the demo's record asked in Python and over the loopback, turn by turn.

Every read is made three ways in one run, in random order, as the same person, of one open record: by a call
of the view, by a request to a server whose replies do not wait, and by one to a server as everybody has it.
What waits, and why, is `surfaces/http/pad`: replies leave at whole steps of 25 ms. The second way is what
HTTP costs *padding apart*; the third is what a client sees. Web pages have no counterpart in Python.

Servers and client are threads of this process, so that all three have the same things in memory; the client's
own work and its part of the interpreter's lock are therefore counted as HTTP's. Processor time is that of the
process, without PostgreSQL's: on a machine that is busy with other things it is the one to believe.
"""

from __future__ import annotations

import json
import random
import socket
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote, urlencode

import muniment
from benchmarks.timing import Timed, timed
from muniment.settings import Settings
from muniment.surfaces.cli.stage import NOW, Stage
from muniment.surfaces.cli.walk import build
from muniment.surfaces.http.api import Serving
from muniment.surfaces.http.app import application
from muniment.surfaces.http.connections import server

__all__ = ["over_http"]

LEFT = "user:felix"  # left the company: no token of his holds, so there is nothing to compare
DEMO = Path(__file__).parents[1] / "demo"
COUNTED = 150  # seconds
BUDGET = 1500
WAYS = ("Python", "HTTP, padding apart", "HTTP as served")
VERBS = ("ask", "search", "context", "page")
SEEN = ("web: answer", "web: wiki page")
MOST_OVER, MOST_PAGE = 10.0, 200.0  # milliseconds: of issue 8
Times = Mapping[tuple[str, str], list[tuple[float, float]]]


@dataclass(frozen=True, slots=True)
class Door:
    """A server at an address, asked over one connection that stays open, as whoever a token names."""

    connection: HTTPConnection
    tokens: Mapping[str, str]

    def fetch(self, who: str, method: str, path: str, body: Mapping[str, object] | None = None) -> None:
        """One request, its reply read to the end."""
        headers = {"Authorization": f"Bearer {self.tokens[who]}", "Content-Type": "application/json"}
        self.connection.request(method, path, None if body is None else json.dumps(body), headers)
        reply = self.connection.getresponse()
        raw = reply.read()
        if reply.status != 200:
            raise AssertionError(f"{method} {path} was answered {reply.status}: {raw[:200]!r}")


@dataclass(frozen=True, slots=True)
class Read:
    """One read as somebody: under which verb, in Python, and as a request."""

    verb: str
    who: str
    call: Callable[[], object] | None
    method: str
    path: str
    body: Mapping[str, object] | None = None


def over_http() -> Iterator[tuple[str, str]]:
    """Every verb and page, each way, and whether it is within what issue 8 asks."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o711)  # an unprivileged server must be able to enter
        (folder / "state").mkdir(mode=0o711)
        settings = replace(Settings.read(), login="bench", state_dir=folder / "state")
        with muniment.open(folder / "org", settings=settings) as org:
            build(Stage(org, DEMO, quiet=True))
            reads = list(_reads(org))
            tokens = {who: org.tokens.create(who).token for who in {one.who for one in reads}}
            with _doors(org, tokens) as doors:
                yield from _told(_measured(reads, doors))


def _reads(org: muniment.Org) -> Iterator[Read]:
    """What the demo's people ask, and the pages that they then read: one each, in turn."""
    asked = [json.loads(line) for line in (DEMO / "questions.jsonl").read_text().splitlines()]
    for number, one in enumerate(one for one in asked if one["as"] != LEFT):
        who, question = one["as"], one["question"]
        view = org.reader(who, as_of=NOW)
        posted = {"as_of": NOW, "question": question}
        yield Read("ask", who, partial(view.ask, question), "POST", "/v1/ask", posted)
        yield Read("search", who, partial(view.search, question), "GET", _at("/v1/search", q=question))
        task = {"as_of": NOW, "task": question, "budget": BUDGET}
        pack = partial(view.context, question, budget=BUDGET)
        yield Read("context", who, pack, "POST", "/v1/context", task)
        yield Read(SEEN[0], who, None, "GET", _at("/", q=question))
        if pages := view.pages():
            entity = quote(pages[number % len(pages)].entity, safe="")
            page = partial(view.page, pages[number % len(pages)].entity)
            yield Read("page", who, page, "GET", _at(f"/v1/pages/{entity}"))
            yield Read(SEEN[1], who, None, "GET", _at(f"/wiki/{entity}"))


def _at(path: str, **more: str) -> str:
    return f"{path}?{urlencode({**more, 'as_of': NOW})}"


@contextmanager
def _doors(org: muniment.Org, tokens: Mapping[str, str]) -> Iterator[Sequence[Door]]:
    """One that does not wait, and one as everybody has it."""
    serving = Serving(a_minute=1_000_000)
    with ExitStack() as stack:
        places = [stack.enter_context(_listening(org, how)) for how in (replace(serving, step=0.0), serving)]
        yield [Door(HTTPConnection(*place, timeout=60), tokens) for place in places]


@contextmanager
def _listening(org: muniment.Org, how: Serving) -> Iterator[tuple[str, int]]:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        bound.listen()
        running = server(application(org, how), how.patience)
        thread = threading.Thread(target=running.run, kwargs={"sockets": [bound]})
        thread.start()
        try:
            yield bound.getsockname()
        finally:
            running.should_exit = True
            thread.join()


def _measured(reads: Sequence[Read], doors: Sequence[Door]) -> Times:
    """Seconds by verb and way, of reads drawn at random, after each was made once."""
    times: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    draw = random.Random(8)
    for read in reads:
        for _, run in _ways(read, doors[:1]):
            run()
    began = time.perf_counter()
    while time.perf_counter() - began < COUNTED:
        read = draw.choice(reads)
        ways = _ways(read, doors)
        for way, run in draw.sample(ways, len(ways)):
            busy = time.process_time()
            times[read.verb, way].append((timed(run), time.process_time() - busy))
    return times


def _ways(read: Read, doors: Sequence[Door]) -> list[tuple[str, Callable[[], object]]]:
    over = [partial(door.fetch, read.who, read.method, read.path, read.body) for door in doors]
    here = [] if read.call is None else [(WAYS[0], read.call)]
    return [*here, *zip(WAYS[1:], over, strict=False)]


def _told(times: Times) -> Iterator[tuple[str, str]]:
    for verb in (*VERBS, *SEEN):
        found = {way: _of(times[verb, way]) for way in WAYS if (verb, way) in times}
        for way, (wall, busy) in found.items():
            yield f"{verb}: {way}", f"{wall.text()}; processor p50 {busy.p50:.1f}, p95 {busy.p95:.1f} ms"
        apart = found[WAYS[1]]
        if (python := found.get(WAYS[0])) is None:
            yield f"{verb}: within {MOST_PAGE:.0f} ms at p95", _within(found[WAYS[2]][0].p95, MOST_PAGE)
        else:
            more = [f"{http.p50 - own.p50:+.1f}" for http, own in zip(apart, python, strict=True)]
            yield f"{verb}: HTTP adds, padding apart, p50", f"{more[0]} ms; processor {more[1]} ms"
            yield f"{verb}: HTTP adds, padding apart, p95", _within(apart[0].p95 - python[0].p95, MOST_OVER)


def _of(took: Sequence[tuple[float, float]]) -> tuple[Timed, Timed]:
    """By the clock on the wall, and by the processor's."""
    return Timed.of([wall for wall, _ in took]), Timed.of([busy for _, busy in took])


def _within(found: float, most: float) -> str:
    return f"{found:+.1f} ms of {most:.0f}: {'met' if found <= most else 'not met'}"
