"""A generated workspace's export, read and taken in: how fast, and in how much memory.

Each step runs in a process of its own, so that its peak is its own.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.company import word
from muniment.sources.filekind import Handed
from muniment.sources.parsed import Parsed
from muniment.sources.registry import file_kind

__all__ = ["slack_export", "write_export"]

CHANNELS = 120
PEOPLE = 400
DAYS = 365
START = 1_748_764_800  # 2025-06-01
Row = tuple[str, str]


def write_export(path: Path, count: int, seed: int = 7) -> None:
    """A zip of so many messages: channels of sizes as 1/rank, threads, edits, mentions, bots, joins."""
    draw = random.Random(seed)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("users.json", json.dumps([_user(number) for number in range(PEOPLE)]))
        channels = [_channel(number, draw) for number in range(CHANNELS)]
        private = [one for number, one in enumerate(channels) if number % 5 == 4]
        archive.writestr("groups.json", json.dumps(private))
        archive.writestr("channels.json", json.dumps([one for one in channels if one not in private]))
        total = sum(1 / rank for rank in range(1, CHANNELS + 1))
        left = count
        for rank, channel in enumerate(channels, 1):
            size = left if rank == CHANNELS else min(left, round(count / rank / total))
            left -= size
            for day, said in _days(size, draw):
                archive.writestr(f"{channel['name']}/{day}.json", json.dumps(said))


def _user(number: int) -> dict[str, object]:
    profile = {
        "real_name": f"{word(number + 90).title()} {word(number + 700).title()}",
        "email": f"p{number}@x.example",
    }
    return {
        "id": f"U{number:05d}",
        "team_id": "T1",
        "name": f"p{number}",
        "updated": START,
        "profile": profile,
    }


def _channel(number: int, draw: random.Random) -> dict[str, object]:
    members = [f"U{one:05d}" for one in draw.sample(range(PEOPLE), 5 + PEOPLE // (number + 2))]
    return {
        "id": f"C{number:05d}",
        "name": f"{word(number + 300)}-{number}",
        "created": START,
        "members": members,
    }


def _days(size: int, draw: random.Random) -> Iterator[tuple[str, list[object]]]:
    seconds = sorted(draw.random() * DAYS * 86_400 for _ in range(size))
    days: dict[str, list[object]] = {}
    threads: list[str] = []
    for number, second in enumerate(seconds):
        ts = f"{START + int(second)}.{number % 1_000_000:06d}"
        days.setdefault(datetime.fromtimestamp(START + second, UTC).date().isoformat(), []).append(
            _message(ts, threads, draw)
        )
        threads = [*threads[-20:], ts] if draw.random() < 0.3 else threads
    yield from days.items()


def _message(ts: str, threads: list[str], draw: random.Random) -> dict[str, object]:
    who = f"U{draw.randrange(PEOPLE):05d}"
    said = " ".join(word(int(draw.paretovariate(0.6)) % 20_000) for _ in range(draw.randrange(4, 60)))
    if draw.random() < 0.2:
        said += f" <@U{draw.randrange(PEOPLE):05d}> &amp; <https://x.example/{ts}|the page>"
    piece = {"type": "rich_text_section", "elements": [{"type": "text", "text": said}]}
    block = {"type": "rich_text", "block_id": "b", "elements": [piece]}
    made: dict[str, object] = {"type": "message", "user": who, "text": said, "ts": ts, "team": "T1"}
    if draw.random() < 0.1:
        fields = [{"title": "state", "value": said}]
        return {
            "subtype": "bot_message",
            "bot_id": "B1",
            "text": "",
            "ts": ts,
            "attachments": [{"fields": fields}],
        }
    if threads and draw.random() < 0.4:
        made["thread_ts"] = draw.choice(threads)
    if draw.random() < 0.05:
        made["edited"] = {"user": who, "ts": f"{int(ts[:10]) + 60}.000000"}
    return {**made, "blocks": [block]}


def _read(path: Path) -> Iterator[Parsed]:
    return file_kind("slack-export").read(path, Handed("slack", "user:bench"))


def _measure(step: str, path: Path) -> None:
    """One step, in this process: what it took, how much it saw, and the most memory it held."""
    if step == "parse":
        began = time.perf_counter()
        seen = sum(1 for _ in _read(path))
        took = time.perf_counter() - began
    else:
        seen, took = _ingested(path)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": took, "seen": seen, "peak": peak}))


def _ingested(path: Path) -> tuple[int, float]:
    from benchmarks.__main__ import organisation  # noqa: PLC0415  # which imports this module

    with organisation() as org:
        began = time.perf_counter()
        receipt = org.ingest(one for one in _read(path) if isinstance(one, dict))
        took = time.perf_counter() - began
        assert receipt.quarantined == 0
    return receipt.accepted, took


def slack_export(count: int = 100_000) -> list[Row]:
    """Parsing alone, then the whole way into a record, of one export."""
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o711)
        path = folder / "export.zip"
        write_export(path, count)
        rows.append(("export", f"{count:,} messages, {path.stat().st_size / 1e6:.0f} MB zipped"))
        for step in ("parse", "ingest"):
            command = [sys.executable, "-m", "benchmarks.slack_export", step, str(path)]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            got = json.loads(done.stdout.splitlines()[-1])
            rate = f"{got['seen'] / got['seconds']:,.0f} events a second, {got['seconds']:.1f} s"
            rows += [(step, rate), (f"{step}, peak memory", f"{got['peak']:.0f} MB")]
    return rows


if __name__ == "__main__":
    _measure(sys.argv[1], Path(sys.argv[2]))
