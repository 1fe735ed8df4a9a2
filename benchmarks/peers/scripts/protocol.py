"""What every peer is made to do, in an environment of its own: take messages, and find some for a question.

Standard library and numpy only, as nothing of ours is installed there. `play` reads a job, has the peer do
it, and writes what came of it; time is taken around the peer's own calls.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
# Texts that a peer wanted placed and that are none of ours, such as the name of a node; how many is told.
UNKNOWN: list[str] = []


@dataclass(frozen=True)
class Message:
    """What somebody said, and when; `said` is how it is handed to whoever has no field for a speaker."""

    id: str
    speaker: str
    text: str
    at: str

    @property
    def said(self) -> str:
        """Speaker and words."""
        return f"{self.speaker}: {self.text}"


@dataclass(frozen=True)
class Job:
    """Messages, questions, how many are wanted, a folder to work in, and a PostgreSQL of its own as a URL."""

    messages: tuple[Message, ...]
    questions: tuple[str, ...]
    k: int
    folder: str
    database: str


@dataclass
class Done:
    """What came of it. `found` holds the ids of each question, best first.

    `busy` is processor time of this process alone, in all questions together.
    """

    version: str = ""
    write_seconds: float = 0.0
    seconds: list[float] = field(default_factory=list)
    busy: float = 0.0
    found: list[list[str]] = field(default_factory=list)
    megabytes: float = 0.0
    unknown: int = 0


class Peer(Protocol):
    """A peer as we use it."""

    version: str

    def add(self, messages: Sequence[Message]) -> None:
        """Take all of them, in order, in the way it is meant to."""
        ...

    def search(self, question: str, k: int) -> list[str]:
        """Ids of messages, best first."""
        ...


class Vectors:
    """The vectors that all were handed alike, by text: made beforehand, so that no figure has them in it."""

    dimensions = 384

    def __init__(self, folder: str) -> None:
        texts = json.loads((Path(folder) / "texts.json").read_text(encoding="utf-8"))
        self._rows = {text: row for row, text in enumerate(texts)}
        self._vectors: Floats = np.load(Path(folder) / "vectors.npy")

    def __call__(self, texts: Sequence[str]) -> Floats:
        """One row a text. A text that nobody was to ask for is an error, and no zero."""
        return self._vectors[[self._rows[plain(text)] for text in texts]]

    def one(self, text: str) -> list[float]:
        """The vector of one text, as numbers."""
        found: list[float] = self([text])[0].astype(float).tolist()
        return found


def plain(text: str) -> str:
    """A text without the white space that some peers change."""
    return " ".join(text.split())


def serve_vectors(vectors: Vectors) -> str:
    """The address of a server that gives them, in the form of OpenAI's embeddings, for who wants it so."""

    class Answering(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # the library's own name
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            texts = asked["input"] if isinstance(asked["input"], list) else [asked["input"]]
            rows = [{"index": at, "embedding": nearly(vectors, text)} for at, text in enumerate(texts)]
            usage = {"prompt_tokens": 0, "total_tokens": 0}
            reply = json.dumps({"object": "list", "model": "handed", "data": rows, "usage": usage})
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.end_headers()
            self.wfile.write(reply.encode())

        def log_message(self, *_: object) -> None:  # type: ignore[explicit-override]  # 3.12
            """Nothing on stderr."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}/v1"


def nearly(vectors: Vectors, text: str) -> list[float]:
    """The vector of a text without what a peer puts behind it, such as a date; any for what is not ours."""
    for known in (text, text.split("\n", maxsplit=1)[0], text.rsplit(" (", maxsplit=1)[0]):
        try:
            return vectors.one(known)
        except KeyError:
            continue
    UNKNOWN.append(text)
    return [1.0] + [0.0] * (Vectors.dimensions - 1)


def most_megabytes() -> float:
    """The most this process had. Not by getrusage, which counts what its parent had before it began."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


def play(make: Callable[[Job], Peer]) -> None:
    """Do the job whose file is named first, and write what came of it to the second."""
    read, written = (Path(name) for name in sys.argv[1:3])
    raw = json.loads(read.read_text(encoding="utf-8"))
    messages = tuple(Message(**one) for one in raw.pop("messages"))
    job = Job(messages=messages, questions=tuple(raw.pop("questions")), **raw)
    peer = make(job)
    done = Done(version=peer.version)
    began = time.perf_counter()
    peer.add(job.messages)
    done.write_seconds = time.perf_counter() - began
    peer.search(job.questions[0], job.k)  # what is loaded at first is nobody's usual time
    busy = time.process_time()
    for question in job.questions:
        began = time.perf_counter()
        found = peer.search(question, job.k)
        done.seconds.append(time.perf_counter() - began)
        done.found.append(found[: job.k])
    done.busy = time.process_time() - busy
    done.unknown = len(UNKNOWN)
    done.megabytes = most_megabytes()
    written.write_text(json.dumps(asdict(done)), encoding="utf-8")
