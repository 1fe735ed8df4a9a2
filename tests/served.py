"""A local server that speaks a source's interface as a test writes it, and what a connector is made of."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

from muniment.domain.events import ContentEvent
from muniment.events.parse import Parsed as Judged
from muniment.events.parse import Rejection, parse_event
from muniment.items.fold import Accepted, Standing, fold
from muniment.sources.connector import Configured, Delivery
from muniment.sources.parsed import Event, Parsed, Unread

NOW = datetime(2026, 6, 20, 9, 0, tzinfo=UTC)


@dataclass(frozen=True)
class Question:
    """What was asked of the server."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Answer:
    """What it gives back; `said` is JSON, or bytes as they are."""

    said: object = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def raw(self) -> bytes:
        return self.said if isinstance(self.said, bytes) else json.dumps(self.said).encode()


Speaks = Callable[[Question], Answer]


@contextmanager
def served(speaks: Speaks) -> Iterator[str]:
    """The address of a server that answers so."""

    class Door(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            parts = urlsplit(self.path)
            query = {name: values[0] for name, values in parse_qs(parts.query).items()}
            headers = {name.lower(): value for name, value in self.headers.items()}
            body = self.rfile.read(int(headers.get("content-length", "0")))
            answer = speaks(Question(self.command, parts.path, query, headers, body))
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(answer.raw)))
            self.end_headers()
            self.wfile.write(answer.raw)

        do_GET = _answer  # noqa: N815  # what the library calls
        do_POST = _answer  # noqa: N815  # as above

        def log_message(self, *_: object) -> None:  # type: ignore[explicit-override]  # 3.12
            """Say nothing."""

    class Server(ThreadingHTTPServer):
        def handle_error(self, *who: Any) -> None:  # type: ignore[explicit-override]  # 3.12
            """Who went away while being answered is no fault of the server's."""
            if not isinstance(sys.exc_info()[1], ConnectionError):
                super().handle_error(*who)

    server = Server(("127.0.0.1", 0), Door)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def configured(source: str, secrets: Mapping[str, str] | None = None, **settings: str) -> Configured:
    """A configuration whose secrets are words of the test's own."""
    known = dict(secrets or {})
    return Configured(source, {**known, **settings}, known.__getitem__, lambda: NOW, "user:owner")


def delivery(raw: bytes, **headers: str) -> Delivery:
    """A request to a webhook; a header's name is written with low lines."""
    return Delivery(raw, {name.replace("_", "-"): value for name, value in headers.items()}, NOW)


def fit(parsed: Iterable[Parsed]) -> list[Event]:
    """The events, each of which the front door takes as it is; nothing among them was unread."""
    events = []
    for one in parsed:
        assert not isinstance(one, Unread), (one.origin, one.reason)
        judged = parse_event(one)
        assert not isinstance(judged, Rejection), (judged.reason, one)
        assert judged.notes == (), (judged.notes, one)
        events.append(one)
    return events


def takes(parsed: Iterable[Parsed]) -> None:
    """The front door takes every event, whatever had to be mended in it; the rest says why it is none."""
    for one in parsed:
        if isinstance(one, Unread):
            assert one.reason
            assert one.origin
        else:
            judged = parse_event(one)
            assert not isinstance(judged, Rejection), (judged.reason, one)


def standing(events: Sequence[Event]) -> Standing:
    """How the item of the first event stands, after events of its in this order."""
    begun = datetime(2026, 7, 1, tzinfo=UTC)
    history = []
    for number, one in enumerate(events):
        judged = parse_event(one)
        assert isinstance(judged, Judged)
        if isinstance(judged.event, ContentEvent):
            history.append(Accepted(number, begun + timedelta(seconds=number), "user:owner", judged.event))
    found = fold(history, {}, frozenset())
    assert found is not None
    return found
