"""A source behind real HTTP: a log of events in pages, a listing of ids, and faults that a test asks for."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

__all__ = ["Feed", "served"]

TOKEN = "feed-token-that-must-never-be-seen"  # noqa: S105  # of a server that lives for one test
PAGE = 3


@dataclass
class Feed:
    """What the source holds. `faults` are answered first, one a request: a status and its headers."""

    url: str = ""
    log: list[Mapping[str, object]] = field(default_factory=list)
    held: set[str] = field(default_factory=set)
    epoch: int = 0
    token: str = TOKEN
    faults: list[tuple[int, Mapping[str, str]]] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    listing: list[object] | None = None

    def say(self, *events: Mapping[str, object]) -> None:
        """Something happens at the source; it holds what was upserted and not deleted."""
        for event in events:
            self.log.append(event)
            if event.get("op") == "delete":
                self.held.discard(str(event["id"]))
            elif "body" in event:
                self.held.add(str(event["id"]))

    def vanish(self, id_: str) -> None:
        """Something is gone and nothing says so: its events are no longer told either."""
        self.held.discard(id_)
        self.log = [event for event in self.log if event.get("id") != id_]
        self.forget()

    def forget(self) -> None:
        """No cursor that was ever given means anything any more."""
        self.epoch += 1

    def answer(self, path: str, headers: Mapping[str, str]) -> tuple[int, dict[str, str], bytes]:
        """One request answered."""
        parts = urlsplit(path)
        self.asked.append(path)
        if self.faults:
            status, said = self.faults.pop(0)
            return status, dict(said), b"<html>sorry</html>"
        if headers.get("authorization") != f"Bearer {self.token}":
            return 401, {}, b""
        cursor = parse_qs(parts.query).get("cursor", [None])[0]
        if parts.path == "/ids":
            return 200, {}, json.dumps(sorted(self.held) if self.listing is None else self.listing).encode()
        return self._page(cursor)

    def _page(self, cursor: str | None) -> tuple[int, dict[str, str], bytes]:
        epoch, _, at = (cursor or f"{self.epoch}.0").partition(".")
        if int(epoch) != self.epoch:
            return 410, {}, b""
        page = self.log[int(at) : int(at) + PAGE]
        body = "\n".join(json.dumps(event) for event in page).encode()
        return 200, {"next-cursor": f"{self.epoch}.{int(at) + len(page)}"}, body


@contextmanager
def served() -> Iterator[Feed]:
    """A source on a port of this machine."""
    feed = Feed()

    class Door(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, headers, body = feed.answer(self.path, {k.lower(): v for k, v in self.headers.items()})
            self.send_response(status)
            for name, value in {**headers, "content-length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:  # type: ignore[explicit-override]  # 3.12
            """Nobody reads it."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Door)
    feed.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield feed
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
