"""Speed through the public surface.

`python -m benchmarks [start] [ingest] [small] [audit] [timing] [http] [soak] [mbox N] [slack-export N]
[scale N…]`, else the first three. Each prints one Markdown table with n, load and date, to be kept in
benchmarks/results. Nothing else should run meanwhile.
"""

from __future__ import annotations

import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import muniment
from benchmarks import company, withheld
from benchmarks.audit import audit
from benchmarks.mailbox import mailbox
from benchmarks.over_http import over_http
from benchmarks.slack_export import slack_export
from benchmarks.soak import soak
from benchmarks.timing import Timed, quantile, timed
from muniment.settings import Settings

__all__ = ["main"]

QUESTIONS = 60
TIMING_PAIRS = 1_000
TIMING_RUNS = 3
Row = tuple[str, str]


@contextmanager
def organisation() -> Iterator[muniment.Org]:
    """A new one in a folder of its own, search by words only."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o711)  # an unprivileged server must be able to enter
        (folder / "state").mkdir(mode=0o711)
        settings = Settings(login="bench", state_dir=folder / "state", embedder="off")
        with muniment.open(folder / "org", settings=settings) as org:
            yield org


def start() -> list[Row]:
    """Import, help, and the first answer from an empty folder, each in a process of its own.

    Modules are compiled, as those of an installed package are.
    """
    rows = []
    python = sys.executable
    compiled = {name: said for name, said in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    asked = partial(subprocess.run, check=True, capture_output=True, env=compiled)
    asked([python, "-c", "import muniment.app, muniment.surfaces.cli.reference as help; help.as_text()"])
    for name, command in (
        ("import muniment", [python, "-c", "import muniment"]),
        ("python -c pass, for comparison", [python, "-c", "pass"]),
        ("muniment --help", [python, "-m", "muniment", "--help"]),
    ):
        took = [timed(partial(asked, command)) for _ in range(7)]
        rows.append((name, f"{quantile(took, 0.5):.2f} s"))
    rows.append(("first answer from an empty folder", f"{_first_answer(compiled):.1f} s"))
    return rows


def _first_answer(compiled: Mapping[str, str]) -> float:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o711)
        (folder / "note.md").write_text("# Travel policy\n\nThe hotel limit is EUR 180 per night.\n")
        state = folder / "state"
        state.mkdir(mode=0o711)
        environment = {**compiled, "MUNIMENT_STATE_DIR": str(state), "MUNIMENT_ORG": str(folder / "org")}
        run = [sys.executable, "-m", "muniment"]

        def answer() -> None:
            for command in (
                ["init", str(folder / "org")],
                ["add", str(folder / "note.md")],
                ["ask", "What is the hotel limit?"],
            ):
                subprocess.run([*run, *command], check=True, capture_output=True, env=environment)

        return timed(answer)


def ingest() -> list[Row]:
    """Events a second, accepted and searchable: in batches, and one by one."""
    with organisation() as org:
        org.ingest(company.people())
        many = list(company.messages(10_000))
        in_batches = len(many) / timed(lambda: org.ingest(many))
        singles = list(company.messages(300, first=10_000))
        one_by_one = len(singles) / timed(lambda: [org.ingest([event]) for event in singles])
    characters = sum(len(str(event["body"])) for event in many) / len(many)
    return [
        ("in batches of 500", f"{in_batches:.0f} a second"),
        ("one by one", f"{one_by_one:.0f} a second"),
        ("characters a message", f"{characters:.0f}"),
    ]


def small() -> list[Row]:
    """Search on a store of 419 messages."""
    with organisation() as org:
        org.ingest(company.people())
        org.ingest(list(company.messages(419)))
        everyone = org.reader("user:all")
        asked = list(company.questions(QUESTIONS))
        rows = _verbs("419 messages", everyone, asked)
        size = _size(org, 419)
    return [*rows, size]


def scale(counts: Sequence[int]) -> list[Row]:
    """Search, ask and context as the record grows, for readers of 1 %, half, everything and nothing."""
    rows: list[Row] = []
    with organisation() as org:
        org.ingest(company.people())
        held = 0
        for count in counts:
            began = time.perf_counter()
            org.ingest(company.messages(count - held, first=held))
            rows.append(
                (f"{count}: ingest", f"{(count - held) / (time.perf_counter() - began):.0f} a second")
            )
            held = count
            for reader in company.READERS:
                rows += _verbs(f"{count}: {reader}", org.reader(reader), list(company.questions(QUESTIONS)))
            rows.append(_size(org, count))
    return rows


def timing() -> Iterator[Row]:
    """Whether a reply about what is withheld takes longer than one about what is absent: three runs."""
    with organisation() as org:
        secrets = withheld.fill(org)
        for run in range(TIMING_RUNS):
            for kind in withheld.KINDS:
                draw = random.Random(run)
                withheld.interleaved(org, secrets, kind, draw, pairs=20)  # the first calls plan and load
                took = withheld.interleaved(org, secrets, kind, draw, pairs=TIMING_PAIRS)
                middle = " and ".join(f"{quantile(one, 0.5) * 1000:.1f}" for one in took)
                yield f"run {run + 1}: {kind}", f"{withheld.area(*took).text()}, p50 {middle} ms"


def steady() -> Iterator[Row]:
    """Three minutes of writing, editing, removing and asking, a row each half minute."""
    with organisation() as org:
        org.ingest(company.people())
        with org._work.database.session() as conn:  # what the server says of its tables
            for number, one in enumerate(soak(org, conn, seconds=180, stretch=30), 1):
                yield f"half minute {number}", one.text()


def _verbs(name: str, view: muniment.View, asked: Sequence[str]) -> list[Row]:
    verbs: dict[str, Callable[[str], object]] = {
        "search": view.search,
        "ask": view.ask,
        "context": lambda task: view.context(task, budget=1500),
    }
    rows = []
    for verb, call in verbs.items():
        call(asked[0])
        took = Timed.of([timed(partial(call, question)) for question in asked])
        rows.append((f"{name}: {verb}", took.text()))
    return rows


def _size(org: muniment.Org, count: int) -> Row:
    raw = sum(len(str(event["body"]).encode()) for event in company.messages(min(count, 5_000)))
    raw = raw * count // min(count, 5_000)
    return (f"{count}: record and index over raw text", f"{org.size() / raw:.1f} × of {raw / 1e6:.1f} MB")


def main(arguments: Sequence[str]) -> int:
    """Run what is named and print it."""
    made: dict[str, Callable[[list[int]], Iterable[Row]]] = {
        "start": lambda _: start(),
        "ingest": lambda _: ingest(),
        "small": lambda _: small(),
        "audit": lambda _: audit(),
        "timing": lambda _: timing(),
        "http": lambda _: over_http(),
        "soak": lambda _: steady(),
        "mbox": lambda counts: mailbox(*counts[:1]),
        "slack-export": lambda counts: slack_export(*counts[:1]),
        "scale": lambda counts: scale(counts or [10_000, 100_000]),
    }
    for name, counts in _named(arguments or ["start", "ingest", "small"]):
        _print(" ".join((name, *map(str, counts))), made[name](counts))
    return 0


def _named(arguments: Sequence[str]) -> list[tuple[str, list[int]]]:
    """What is to be run, each with the numbers behind its name."""
    found: list[tuple[str, list[int]]] = []
    for one in arguments:
        if one.isdecimal() and found:
            found[-1][1].append(int(one))
        else:
            found.append((one, []))
    return found


def _print(name: str, rows: Iterable[Row]) -> None:
    load = os.getloadavg()[0]
    cpus = os.cpu_count()
    print(f"\n## {name}\n")
    machine = f"Python {platform.python_version()}, {cpus} cores, load {load:.1f}"
    print(f"`python -m benchmarks {name}`, {datetime.now(UTC):%Y-%m-%d}, {machine}\n")
    print("| what | figure |\n|---|---|")
    for what, figure in rows:
        print(f"| {what} | {figure} |", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
