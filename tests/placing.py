"""An embeddings server on this machine: it speaks like OpenAI's, and fails as it is told."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias

from muniment.models.scripted import ScriptedEmbedder

Act: TypeAlias = Callable[["Request"], None]


@dataclass
class Request:
    """One request, and the means to answer it."""

    wire: BaseHTTPRequestHandler
    body: dict[str, Any]
    key: str | None

    @property
    def texts(self) -> list[str]:
        """What is to be placed."""
        return list(self.body["input"])

    def send(self, body: str, status: int = 200, **headers: str) -> None:
        """Answer, if anybody still listens."""
        try:
            self.wire.send_response(status)
            for name, value in headers.items():
                self.wire.send_header(name.replace("_", "-"), value)
            self.wire.end_headers()
            self.wire.wfile.write(body.encode())
        except OSError:
            return

    def send_vectors(self, vectors: Sequence[Sequence[float]]) -> None:
        """Answer with vectors in the form of OpenAI's, last first, as a server may."""
        rows = [{"object": "embedding", "index": at, "embedding": row} for at, row in enumerate(vectors)]
        usage = {"prompt_tokens": sum(len(text.split()) for text in self.texts), "total_tokens": 1}
        self.send(json.dumps({"object": "list", "data": rows[::-1], "usage": usage}))


@dataclass
class Server:
    """What it was asked, and how it answers: `act` may be changed at any time."""

    act: Act
    dimensions: int
    asked: list[Request] = field(default_factory=list)
    url: str = ""
    go_on: threading.Event = field(default_factory=threading.Event)

    @property
    def texts(self) -> list[str]:
        """Every text it was sent, in order."""
        return [text for one in self.asked for text in one.texts]

    def said(self, **more: str) -> dict[str, str]:
        """The variables that lead to it."""
        own = {
            "": "openai-compatible:m",
            "_URL": self.url,
            "_DIMENSIONS": str(self.dimensions),
            "_KEY": "canary-key",
        }
        return {f"MUNIMENT_EMBEDDER{name}": value for name, value in {**own, **more}.items()}

    def place(self, request: Request) -> None:
        """As it should: texts that share words near each other."""
        double = ScriptedEmbedder(dimensions=self.dimensions)
        request.send_vectors(double.embed(request.texts, query=False).astype(float).tolist())


def fails(status: int, **headers: str) -> Act:
    """An error, which quotes what it should not."""
    error = json.dumps({"error": {"message": "canary text", "key": "canary-key"}})
    return lambda request: request.send(error, status, **headers)


@contextmanager
def placing(dimensions: int = 64) -> Iterator[Server]:
    """A server that does as it should until it is told otherwise."""
    served = Server(lambda _: None, dimensions)
    served.act = served.place

    class Answering(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # the library's own name
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            request = Request(self, body, self.headers.get("authorization"))
            served.asked.append(request)
            served.act(request)

        def log_message(self, *_: object) -> None:  # type: ignore[explicit-override]  # 3.12
            """Nothing on stderr."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as server:
        served.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        try:
            yield served
        finally:
            served.go_on.set()
            server.shutdown()
