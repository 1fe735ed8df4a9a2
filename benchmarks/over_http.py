"""What HTTP adds to a verb: the demo's record asked in Python and over the loopback, turn by turn.

Every read is made three ways in one run, in random order, as the same person: by a call of the view in this
process, by a request to a server whose replies do not wait, and by one to `muniment serve` as it is. What
waits, and why, is `surfaces/http/pad`: replies leave at whole steps of 25 ms. The second way is what HTTP
costs *padding apart*; the third is what a client sees. Web pages have no counterpart in Python.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote, urlencode, urlsplit

import muniment
from benchmarks.timing import Timed, timed
from muniment.settings import Settings
from muniment.surfaces.cli.stage import NOW, Stage
from muniment.surfaces.cli.walk import build

__all__ = ["over_http"]

LEFT = "user:felix"  # left the company: no token of his holds, so there is nothing to compare
DEMO = Path(__file__).parents[1] / "demo"
WARM, COUNTED = 40, 240  # seconds in which each process fills what it keeps; in which reads are counted
BUDGET = 1500
WAYS = ("Python", "HTTP, padding apart", "HTTP as served")
VERBS = ("ask", "search", "context", "page")
SEEN = ("web: answer", "web: wiki page")
MOST_OVER, MOST_PAGE = 10.0, 200.0  # milliseconds: of issue 8
Times = Mapping[tuple[str, str], list[float]]


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
        said = {**os.environ, "MUNIMENT_STATE_DIR": str(folder / "state"), "MUNIMENT_USER": "bench"}
        with muniment.open(folder / "org", settings=Settings.read(said)) as org:
            build(Stage(org, DEMO, quiet=True))
            reads = list(_reads(org))
            tokens = {who: org.tokens.create(who).token for who in {one.who for one in reads}}
            with _doors(folder / "org", said, tokens) as doors:
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
def _doors(folder: Path, said: Mapping[str, str], tokens: Mapping[str, str]) -> Iterator[Sequence[Door]]:
    """One that does not wait, and one as everybody has it."""
    commands = (
        [sys.executable, "-m", "benchmarks.http_child", str(folder)],
        [sys.executable, "-m", "muniment", "serve", "--port", "0", "--org", str(folder)],
    )
    with ExitStack() as stack:
        places = [
            stack.enter_context(_serving(command, said, folder.parent / f"server-{number}.log"))
            for number, command in enumerate(commands)
        ]
        yield [Door(HTTPConnection(urlsplit(place).netloc, timeout=60), tokens) for place in places]


@contextmanager
def _serving(command: Sequence[str], said: Mapping[str, str], told: Path) -> Iterator[str]:
    """The address of a server. Its lines go to a file: a pipe that nobody reads would stop it."""
    with told.open("w") as lines, subprocess.Popen(command, env=said, stderr=lines) as server:
        try:
            yield _address(server, told)
        finally:
            server.terminate()


def _address(server: subprocess.Popen[bytes], told: Path) -> str:
    while (found := re.search(r"serving on (http://\S+?);", told.read_text())) is None:
        if server.poll() is not None:
            raise AssertionError(f"the server ended: {told.read_text()}")
        time.sleep(0.05)
    return found[1]


def _measured(reads: Sequence[Read], doors: Sequence[Door]) -> Times:
    """Seconds by verb and way, of reads drawn at random."""
    times: dict[tuple[str, str], list[float]] = defaultdict(list)
    draw, began = random.Random(8), time.perf_counter()
    while (at := time.perf_counter() - began) < WARM + COUNTED:
        read = draw.choice(reads)
        ways = _ways(read, doors)
        for way, run in draw.sample(ways, len(ways)):
            took = timed(run)
            if at >= WARM:
                times[read.verb, way].append(took)
    return times


def _ways(read: Read, doors: Sequence[Door]) -> list[tuple[str, Callable[[], object]]]:
    over = [partial(door.fetch, read.who, read.method, read.path, read.body) for door in doors]
    here = [] if read.call is None else [(WAYS[0], read.call)]
    return [*here, *zip(WAYS[1:], over, strict=True)]


def _told(times: Times) -> Iterator[tuple[str, str]]:
    for verb in (*VERBS, *SEEN):
        found = {way: Timed.of(times[verb, way]) for way in WAYS if (verb, way) in times}
        for way, took in found.items():
            yield f"{verb}: {way}", took.text()
        apart = found[WAYS[1]]
        if (python := found.get(WAYS[0])) is None:
            yield f"{verb}: within {MOST_PAGE:.0f} ms at p95", _within(found[WAYS[2]].p95, MOST_PAGE)
        else:
            more = apart.p95 - python.p95
            yield f"{verb}: HTTP adds, padding apart, p50", f"{apart.p50 - python.p50:+.1f} ms"
            yield f"{verb}: HTTP adds, padding apart, p95", _within(more, MOST_OVER)


def _within(found: float, most: float) -> str:
    return f"{found:+.1f} ms of {most:.0f}: {'met' if found <= most else 'not met'}"
