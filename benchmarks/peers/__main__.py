"""Peers and floors on the same messages, with the same vectors, in one run, ours among them.

    python -m benchmarks.peers [NAME…] [--set FILE] [--conversation N…] [--folder FOLDER]

Without names, all. Each runs in an environment of its own below FOLDER, which is made where it is missing and
may take gigabytes; what cannot be had here is named with the reason and left out. Nothing else should run
meanwhile.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.peers.places import NotHere, a_database, environment
from benchmarks.peers.roster import ROSTER, Entry
from benchmarks.peers.task import Scores, Task, read_task, scores
from benchmarks.timing import quantile
from muniment.context.tokens import count_tokens
from muniment.models.embedding import embed
from muniment.models.nano import NanoEmbedder

__all__ = ["main"]

K = 10
LIMIT = 1_200  # seconds for a peer to do its job
SCRIPTS = Path(__file__).parent / "scripts"
# No peer looks for models or tells anybody that it ran.
ALONE = {
    "ANONYMIZED_TELEMETRY": "False",
    "DO_NOT_TRACK": "1",
    "GRAPHITI_TELEMETRY_ENABLED": "false",
    "HF_HUB_OFFLINE": "1",
    "MEM0_TELEMETRY": "False",
    "MEMNOS_RERANK": "0",
    "OPENAI_API_KEY": "none",
    "TRANSFORMERS_OFFLINE": "1",
}
HEADS = (
    "system",
    f"recall@{K}",
    f"hit@{K}",
    "writes a second",
    "search p50 / p95, ms",
    "own processor, ms",
    "tokens a question",
    "memory, MB",
    "outside its design",
)


@dataclass(frozen=True, slots=True)
class Row:
    """What one of them did over all conversations."""

    entry: Entry
    version: str
    scores: Scores
    writes: float
    seconds: tuple[float, ...]
    busy: float
    tokens: float
    megabytes: float
    unknown: int

    def cells(self) -> tuple[str, ...]:
        """In the order of HEADS."""
        p50, p95 = (quantile(self.seconds, part) * 1_000 for part in (0.5, 0.95))
        beside = f" + {self.entry.stores}" if self.entry.stores else ""
        return (
            f"{self.entry.name} ({self.version})",
            f"{self.scores.recall:.3f} ± {self.scores.within[0]:.3f}",
            f"{self.scores.hit:.3f} ± {self.scores.within[1]:.3f}",
            f"{self.writes:,.0f}",
            f"{p50:.1f} / {p95:.1f}",
            f"{self.busy * 1_000:.1f}{beside}",
            f"{self.tokens:,.0f}",
            f"{self.megabytes:,.0f}{beside}",
            self.entry.beyond + (f"; {self.unknown} texts of its own" if self.unknown else ""),
        )


def main(arguments: Sequence[str]) -> int:
    """Run what is named and print one table."""
    said = _read(arguments)
    tasks = [read_task(said.set, number) for number in said.conversation]
    said.folder.mkdir(parents=True, exist_ok=True)
    prepared = [_prepare(said.folder, task) for task in tasks]
    _print(_rows(said, tasks, prepared), said, tasks)
    return 0


def _read(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    shared = os.environ.get("MUNIMENT_SHARED_DATA", "data")
    parser.add_argument("names", nargs="*", choices=[[], *(one.name for one in ROSTER)], metavar="NAME")
    parser.add_argument("--set", type=Path, default=Path(shared) / "locomo" / "dev.json")
    parser.add_argument("--conversation", type=int, nargs="+", default=[0], metavar="N")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "muniment-peers")
    said = parser.parse_args(arguments)
    if not said.set.exists():
        parser.error(
            f"{said.set} is not there: name a file of LoCoMo with --set, or set MUNIMENT_SHARED_DATA"
        )
    return said


def _prepare(folder: Path, task: Task) -> Path:
    """The vectors of a conversation, made once: each message as a passage, each question as one."""
    home = folder / "vectors" / task.name
    if not (home / "vectors.npy").exists():
        _say(f"placing {len(task.messages)} messages and {len(task.questions)} questions")
        home.mkdir(parents=True, exist_ok=True)
        said = [" ".join(f"{one.speaker}: {one.text}".split()) for one in task.messages]
        asked = [" ".join(one.text.split()) for one in task.questions]
        nano = NanoEmbedder()
        vectors = [embed(nano, said, query=False), embed(nano, asked, query=True)]
        (home / "texts.json").write_text(json.dumps([*said, *asked]), encoding="utf-8")
        np.save(home / "vectors.npy", np.concatenate(vectors))
    return home


def _rows(said: argparse.Namespace, tasks: Sequence[Task], prepared: Sequence[Path]) -> Iterator[Row]:
    for entry in ROSTER:
        if said.names and entry.name not in said.names:
            continue
        try:
            python = environment(said.folder, entry)
            done = [_play(python, entry, task, home) for task, home in zip(tasks, prepared, strict=True)]
        except NotHere as error:
            _say(f"left out: {error}")
            continue
        yield _row(entry, tasks, done)


def _play(python: Path, entry: Entry, task: Task, vectors: Path) -> Mapping[str, Any]:
    """Have a peer do its job in a process of its own. Raises NotHere where it cannot."""
    with tempfile.TemporaryDirectory() as name, a_database() as database:
        folder = Path(name)
        for file in ("texts.json", "vectors.npy"):
            (folder / file).symlink_to(vectors / file)
        job = {
            "messages": [asdict(one) for one in task.messages],
            "questions": [one.text for one in task.questions],
            "k": K,
            "folder": name,
            "database": database,
        }
        (folder / "index").mkdir()
        (folder / "job.json").write_text(json.dumps(job), encoding="utf-8")
        _say(f"{entry.name}: {task.name}")
        _start(python, entry, folder)
        found: Mapping[str, Any] = json.loads((folder / "done.json").read_text(encoding="utf-8"))
        return found


def _start(python: Path, entry: Entry, folder: Path) -> None:
    own = {"HOME": str(folder), "MEM0_DIR": str(folder), "MEMPALACE_PALACE_PATH": str(folder / "palace")}
    script = SCRIPTS / f"run_{entry.name}.py"
    command = [str(python), str(script), str(folder / "job.json"), str(folder / "done.json")]
    try:
        done = subprocess.run(
            command,
            check=False,
            capture_output=True,
            text=True,
            timeout=LIMIT,
            env={**os.environ, **ALONE, **own, "MEMPALACE_CONFIG_DIR": str(folder)},
        )
    except subprocess.TimeoutExpired:
        raise NotHere(f"{entry.name} took more than {LIMIT} s") from None
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["no reason given"]
        raise NotHere(f"{entry.name} does not run here: {last[0][:300]}")


def _row(entry: Entry, tasks: Sequence[Task], done: Sequence[Mapping[str, Any]]) -> Row:
    asked = [question for task in tasks for question in task.questions]
    found = [ids for one in done for ids in one["found"]]
    costs = [cost for task, one in zip(tasks, done, strict=True) for cost in _costs(task, one["found"])]
    writes = sum(len(task.messages) for task in tasks) / sum(one["write_seconds"] for one in done)
    seconds = tuple(second for one in done for second in one["seconds"])
    megabytes = max(float(one["megabytes"]) for one in done)
    tokens = sum(costs) / len(costs)
    busy = sum(float(one["busy"]) for one in done) / len(asked)
    own = scores(asked, found, K)
    unknown = sum(int(one["unknown"]) for one in done)
    return Row(entry, done[0]["version"], own, writes, seconds, busy, tokens, megabytes, unknown)


def _costs(task: Task, found: Sequence[Sequence[str]]) -> Iterator[int]:
    """Tokens of what was found for each question, speakers with it."""
    each = {one.id: count_tokens(f"{one.speaker}: {one.text}") for one in task.messages}
    for ids in found:
        yield sum(each[id_] for id_ in ids)


def _print(rows: Iterable[Row], said: argparse.Namespace, tasks: Sequence[Task]) -> None:
    before = os.getloadavg()[0]
    lines = [f"| {' | '.join(row.cells())} |" for row in rows]
    load = f"load {before:.1f} to {os.getloadavg()[0]:.1f}"
    messages, questions = (
        sum(map(len, some)) for some in zip(*((one.messages, one.questions) for one in tasks), strict=True)
    )
    numbers = " ".join(map(str, said.conversation))
    print("\n## peers, side by side\n")
    print(f"`python -m benchmarks.peers {' '.join(said.names)} --conversation {numbers}`,")
    print(
        f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {os.cpu_count()} cores, {load}."
    )
    print(f"LoCoMo, conversations {numbers} of {said.set.name}: {messages} messages, {questions} questions.")
    print(
        "All were handed the same vectors (multilingual-e5-small, 4 bits), made beforehand: embedding is in"
    )
    print("no figure.\n")
    print(f"| {' | '.join(HEADS)} |\n|{'---|' * len(HEADS)}")
    print("\n".join(lines))


def _say(line: str) -> None:
    print(f"peers: {line}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
