"""Requests to a source: within limits, to its own host alone, each refusal as what it means."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from muniment import clock as real
from muniment.domain.errors import Unavailable, Usage
from muniment.sources.connector import Throttled, Unauthorised
from muniment.sources.http import Site, retry_after

KEY = "bearer-that-must-not-travel"
NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
Answer = tuple[int, dict[str, str], bytes]


class Web:
    """A host on this machine: answers in turn, and what it was sent."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.keys: list[str | None] = []
        self.sent: list[tuple[str, bytes]] = []
        self.ports: set[int] = set()
        self.url = ""

    def __call__(self, key: str | None) -> Answer:
        self.keys.append(key)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@contextmanager
def host(*answers: Answer) -> Iterator[Web]:
    web = Web(*answers)

    class Door(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            web.sent.append((self.command, self.rfile.read(int(self.headers.get("content-length") or 0))))
            web.ports.add(self.client_address[1])
            status, headers, body = web(self.headers.get("authorization"))
            self.send_response(status)
            for name, value in {"content-length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, *_: object) -> None:  # type: ignore[explicit-override]  # 3.12
            """Nobody reads it."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Door)
    web.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield web
    server.shutdown()
    server.server_close()
    thread.join()


def site(web: Web, **how: object) -> Site:
    return Site(web.url, lambda: {"authorization": KEY}, **how)  # type: ignore[arg-type]


def test_a_credential_goes_to_its_own_host_and_to_no_other() -> None:
    with host((200, {}, b"theirs")) as other, host((302, {"location": other.url}, b"")) as own:
        with pytest.raises(Unavailable, match="another host"):
            site(own).get()
        with pytest.raises(Unavailable, match="another host"):
            site(own).get(f"{other.url}/next")

        assert own.keys == [KEY]
        assert other.keys == []


def test_a_redirect_on_the_same_host_is_followed_and_one_without_end_is_not() -> None:
    with host((301, {"location": "/there"}, b""), (200, {}, b"found")) as web:
        assert site(web).get("/here").body == b"found"
    with host((302, {"location": "/again"}, b"")) as web, pytest.raises(Unavailable, match="without end"):
        site(web).get()


@pytest.mark.parametrize(
    ("status", "headers", "error"),
    [
        (401, {}, Unauthorised),
        (403, {}, Unauthorised),
        (429, {}, Throttled),
        (429, {"retry-after": "600"}, Throttled),
        (503, {"retry-after": "600"}, Throttled),
        (503, {}, Unavailable),
        (500, {}, Unavailable),
        (404, {}, Unavailable),
        (403, {"retry-after": "600"}, Throttled),
        (403, {"x-ratelimit-remaining": "0"}, Throttled),
        (502, {"retry-after": "600"}, Throttled),
        (301, {}, Unavailable),
    ],
)
def test_each_refusal_is_what_it_means(status: int, headers: dict[str, str], error: type[Exception]) -> None:
    with host((status, headers, b"<html>")) as web, pytest.raises(error) as raised:
        site(web, patience=0.0).get("/x?key=secret", params={"token": "secret"})

    assert type(raised.value) is error
    assert "secret" not in str(raised.value)
    assert KEY not in str(raised.value)


def test_a_short_rest_is_taken_and_the_request_made_again() -> None:
    rests: list[float] = []
    with host((429, {"retry-after": "2"}, b""), (429, {"retry-after": "3"}, b""), (200, {}, b"ok")) as web:
        assert site(web, wait=rests.append).get().body == b"ok"

    assert rests == [2.0, 3.0]


def test_rests_come_to_an_end() -> None:
    rests: list[float] = []
    with host((429, {"retry-after": "1"}, b"")) as web, pytest.raises(Throttled):
        site(web, wait=rests.append, rests=3).get()

    assert rests == [1.0] * 3


def test_a_reply_is_read_as_far_as_it_may_be_long() -> None:
    with host((200, {}, b"x" * 1001)) as web:
        with pytest.raises(Unavailable, match="more than 1,000 bytes"):
            site(web, most=1000).get()
        assert len(site(web, most=1001).get().body) == 1001


@pytest.mark.parametrize("said", [b"a secondary rate limit", b'{"reason": "userRateLimitExceeded"}'])
def test_a_403_that_asks_for_a_rest_is_no_refusal(said: bytes) -> None:
    with host((403, {}, said)) as web, pytest.raises(Throttled) as raised:
        site(web, patience=0).get()

    assert raised.value.after == 60.0


def test_an_allowance_that_is_used_up_comes_back_by_the_sources_own_clock() -> None:
    headers = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(real.now().timestamp()) + 90)}
    with host((429, headers, b"")) as web, pytest.raises(Throttled) as raised:
        site(web, clock=lambda: NOW).get()  # ours is elsewhere

    assert 80 < (raised.value.after or 0) <= 91


def test_a_reply_that_drips_ends() -> None:
    ticks = iter(range(0, 10_000, 100))
    with host((200, {}, b"x")) as web, pytest.raises(Unavailable, match="more than 50 s"):
        site(web, longest=50.0, ticks=lambda: float(next(ticks))).get()


def test_what_was_sent_is_not_sent_again_where_a_redirect_leads_elsewhere() -> None:
    with host((303, {"location": "/there"}, b""), (200, {}, b"found")) as web:
        found = site(web).send("POST", "/here", content=b"words")

    assert found.body == b"found"
    assert web.sent == [("POST", b"words"), ("GET", b"")]


def test_one_connection_carries_many_requests() -> None:
    with host((200, {}, b"x")) as web, site(web).kept_open() as kept:
        assert [kept.get(f"/{number}").body for number in range(3)] == [b"x"] * 3

    assert len(web.ports) == 1
    assert web.keys == [KEY] * 3


def test_lines_come_one_by_one_and_none_is_longer_than_a_reply() -> None:
    with host((200, {}, b"one\ntwo\n\nlast")) as web:
        assert list(site(web).lines("/watch")) == [b"one", b"two", b"", b"last"]
    with host((200, {}, b"x" * 2000)) as web, pytest.raises(Unavailable, match="more than 1,000 bytes"):
        list(site(web, most=1000).lines("/watch"))
    with host((302, {"location": "/on"}, b"")) as web, pytest.raises(Unavailable):
        list(site(web).lines("/watch"))
    with host((401, {}, b"")) as web, pytest.raises(Unauthorised):
        list(site(web).lines("/watch"))
    with host((200, {}, b"x")) as web, pytest.raises(Unavailable, match="another host"):
        list(site(web).lines("http://127.0.0.2/watch"))


def test_json_is_read_to_a_depth_and_nothing_else_is_json() -> None:
    for said in (b"<html>", b"", b"[" * 1000 + b"]" * 1000, b"\xff"):
        with host((200, {}, said)) as web, pytest.raises(Unavailable, match="no JSON"):
            site(web).get().json()


def test_nobody_behind_the_door_and_a_broken_reply_are_unavailable() -> None:
    with host((200, {"content-length": "100"}, b"short")) as web:
        broken = site(web, seconds=0.5)
        with pytest.raises(Unavailable, match="could not be reached"):
            broken.get()
    with pytest.raises(Unavailable, match="could not be reached"):
        broken.get()


@pytest.mark.parametrize("leads", ["http://[x", "//[", "http://a]b/", "http://\u2100.example/"])
def test_a_reply_that_leads_to_what_is_no_address_is_not_followed(leads: str) -> None:
    with host((302, {"location": leads.encode().decode("latin-1")}, b"")) as web:
        for path in ("", leads):
            with pytest.raises(Unavailable, match="no address: not followed"):
                site(web).get(path)


def test_a_redirect_to_nowhere_leads_to_the_same_place_again() -> None:
    with host((302, {"location": ""}, b""), (200, {}, b"found")) as web:
        assert site(web).get("/here").url.endswith("/here")


@pytest.mark.parametrize(
    "base", ["a.example", "ftp://a.example", "file:///etc/passwd", "https://", "https://[x", "https://a]b"]
)
def test_what_is_no_address_of_a_source_is_refused_at_once(base: str) -> None:
    with pytest.raises(Usage, match="no address"):
        Site(base)


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("120", 120.0),
        ("1.5", 1.5),
        ("Mon, 30 Nov 2026 09:01:00 GMT", 60.0),
        ("Mon, 30 Nov 2026 08:59:00 GMT", 0.0),
        ("", None),
        (None, None),
        ("soon", None),
        ("-5", None),
        ("٣", None),
        ("Mon, 99 Nov 99999 09:01:00 GMT", None),
    ],
)
def test_retry_after_says_seconds_or_a_date_or_nothing(said: str | None, seconds: float | None) -> None:
    assert retry_after(said, NOW) == seconds
