"""A large mbox: how fast it is read, how fast it is in the record, and how much memory that takes."""

from __future__ import annotations

import base64
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

from benchmarks import company
from muniment.sources.filekind import Handed
from muniment.sources.mail import FILES

__all__ = ["MAILS", "mailbox", "peak", "write"]

MAILS = 50_000
START = datetime(2024, 1, 1, 8, tzinfo=UTC)


def write(path: Path, count: int) -> None:
    """Mails as a mailbox has them: plain, with HTML beside it, quoting, in other charsets, with files."""
    draw = random.Random(7)
    bodies = [str(one["body"]) for one in company.messages(2_000)]
    with path.open("wb") as file:
        for number in range(count):
            at = START + timedelta(minutes=7 * number)
            file.write(f"From sender@acme.example {at:%a %b %d %H:%M:%S %Y}\n".encode())
            file.write(_mail(draw, bodies, number, at) + b"\n\n")


def _mail(draw: random.Random, bodies: list[str], number: int, at: datetime) -> bytes:
    answered = number - draw.randrange(1, 50)
    reply = f"References: <{answered}@acme.example>\n" if number > 50 and draw.random() < 0.6 else ""
    sent, who = format_datetime(at), number % 40
    hops = "".join(f"Received: from h{hop} by h{hop + 1}; {sent}\n" for hop in range(5))
    head = (
        f"{hops}From: Person {who} <p{who}@acme.example>\nTo: p{draw.randrange(40)}@acme.example\n"
        f"Subject: =?utf-8?q?Mail_{number}?=\nDate: {sent}\nMessage-ID: <{number}@acme.example>\n{reply}"
    )
    said, more = draw.choice(bodies), draw.choice(bodies)
    text = f"{said} ({number})\n\nFrom here on we ship daily.\n\n{more}\n-- \nPerson\n"
    text += f"\nOn Tuesday, somebody <p1@acme.example> wrote:\n> {draw.choice(bodies)}\n" * (reply != "")
    kind = draw.random()
    if kind < 0.5:
        return f"{head}Content-Type: text/plain; charset=utf-8\n\n{text}".encode()
    if kind < 0.6:
        return f"{head}Content-Type: text/plain; charset=iso-8859-1\n\n".encode() + text.encode(
            "cp1252", "replace"
        )
    return _with_parts(head, text, draw.randbytes(20_000) if kind > 0.95 else b"").encode()


def _with_parts(head: str, text: str, data: bytes) -> str:
    page = "".join(f"<p>{line}</p>" for line in text.split("\n"))
    parts = [
        ("text/plain; charset=utf-8", text),
        ("text/html; charset=utf-8", f"<html><body>{page}</body></html>"),
    ]
    both = "".join(f"--in\nContent-Type: {media}\n\n{body}\n" for media, body in parts) + "--in--\n"
    if not data:
        return f'{head}Content-Type: multipart/alternative; boundary="in"\n\n{both}'
    coded = base64.encodebytes(data).decode()
    fields = 'Content-Type: application/pdf; name="a.pdf"\nContent-Transfer-Encoding: base64\n'
    file = f"--out\n{fields}\n{coded}--out--\n"
    inner = f'--out\nContent-Type: multipart/alternative; boundary="in"\n\n{both}'
    return f'{head}Content-Type: multipart/mixed; boundary="out"\n\n{inner}{file}'


def peak(path: Path) -> str:
    """The most memory a process held that did nothing but read the file, and one that read none of it."""
    program = (
        "import resource, sys; from pathlib import Path; from benchmarks.mailbox import told;"
        "count = sum(1 for _ in told(Path(sys.argv[1]))) if len(sys.argv) > 1 else 0;"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"
    )
    said = [
        subprocess.run(
            [sys.executable, "-c", program, *more], check=True, capture_output=True, text=True
        ).stdout
        for more in ([str(path)], [])
    ]
    return f"{int(said[0])} MB, of which {int(said[1])} MB before the first mail"


def told(path: Path) -> Iterator[object]:
    """The file's events."""
    return FILES[0].read(path, Handed("mail", "user:bench", options={"owner": "user:bench"}))


def mailbox(count: int = MAILS) -> Iterator[tuple[str, str]]:
    """Reading all of it, and taking it into a record, searchable, twice."""
    from benchmarks.__main__ import organisation  # noqa: PLC0415  # which names this module

    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "all.mbox"
        write(path, count)
        began, busy = time.perf_counter(), time.process_time()
        mails = sum(1 for one in told(path) if isinstance(one, dict) and one["op"] == "upsert")
        took, busy = time.perf_counter() - began, time.process_time() - busy
        assert mails == count, mails
        size = path.stat().st_size / 1e6
        yield (
            f"read {count:,} mails of {size:.0f} MB",
            f"{mails / took:.0f} a second, {mails / busy:.0f} a second of a core",
        )
        yield "the most memory while reading", peak(path)
        with organisation() as org:
            began = time.perf_counter()
            receipt = org.ingest(one for one in told(path) if isinstance(one, dict))
            took = time.perf_counter() - began
            assert (receipt.accepted, receipt.quarantined) == (2 * count, 0)
            yield "into a record, searchable", f"{count / took:.0f} mails a second, {took:.0f} s"
            yield (
                "the most memory, this process",
                f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB",
            )
            began = time.perf_counter()
            org.ingest(one for one in told(path) if isinstance(one, dict))
            yield "the same handed in again", f"{count / (time.perf_counter() - began):.0f} mails a second"
