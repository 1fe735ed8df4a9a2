"""Clients that dawdle, or are very many, cost themselves their connection and nobody else an answer."""

from __future__ import annotations

import json
import select
import socket
import threading
import time
from contextlib import ExitStack
from dataclasses import replace

import pytest
from fastapi import FastAPI
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import Receive, Scope, Send

from muniment.app import Org
from muniment.surfaces.http.api import Serving, api
from muniment.surfaces.http.connections import make_room, server
from muniment.surfaces.http.patience import Patience
from tests.http.lines import Place, head, heard, listening, request, said_by

# Short enough for a test, and long enough for a machine that is busy with others.
BRIEF = Patience(head=0.6, grace=0.6, slowest=1_000_000, reply=0.6, idle=5, farewell=1)
BULK = 32 * 1024 * 1024


@pytest.fixture
def brief(company: Org) -> FastAPI:
    return api(company, Serving(step=0.0, a_minute=1_000_000, patience=BRIEF))


def is_well(place: Place) -> bool:
    return request(place, "GET", "/healthz") == (200, {"ok": True, "why": None})


def test_half_a_head_is_waited_for_and_then_told_that_it_was_too_slow(brief: FastAPI) -> None:
    with listening(brief, BRIEF) as place, said_by(place, b"GET /healthz HTTP/1.1\r\nHo") as slow:
        assert is_well(place)
        status, headers, said = heard(slow)

    assert (status, headers["content-type"], headers["connection"]) == (
        408,
        "application/problem+json",
        "close",
    )
    assert json.loads(said)["detail"] == "the request came too slowly; send it again"


def test_a_head_that_comes_byte_by_byte_is_not_waited_for_any_longer(brief: FastAPI) -> None:
    began = time.monotonic()
    with listening(brief, BRIEF) as place, said_by(place) as slow:
        slow.settimeout(0.05)
        said = b""
        for byte in head("/healthz", method="GET", X_Long="x" * 2_000):
            slow.sendall(bytes([byte]))
            try:
                said = slow.recv(12)
                break
            except TimeoutError:
                continue

    assert said == b"HTTP/1.1 408"
    assert time.monotonic() - began < 10


def test_whoever_says_nothing_is_told_nothing(brief: FastAPI) -> None:
    with listening(brief, BRIEF) as place, said_by(place) as silent:
        assert heard(silent)[0] == 0


def test_the_second_request_of_a_connection_is_not_waited_for_longer_than_the_first(brief: FastAPI) -> None:
    with listening(brief, BRIEF) as place, said_by(place, head("/healthz", method="GET")) as client:
        first = heard(client)[0]
        client.sendall(b"GET /heal")
        second = heard(client)[0]

    assert (first, second) == (200, 408)


@pytest.mark.parametrize("path", ["/v1/ask", "/v1/events", "/hooks/github"])
def test_a_body_that_does_not_come_is_not_waited_for_long(brief: FastAPI, company: Org, path: str) -> None:
    token = company.tokens.create("user:mara").token
    held = head(path, 1_000, Authorization=f"Bearer {token}")
    with listening(brief, BRIEF) as place, said_by(place, held, b'{"que') as slow:
        assert is_well(place)
        status, headers, _ = heard(slow)

    # Where nothing takes deliveries there is no such place, whoever asks and however slowly.
    assert (status, headers["content-type"]) == (
        404 if path.startswith("/hooks") else 408,
        "application/problem+json",
    )


def test_the_rest_of_a_body_that_was_refused_may_come_and_holds_nothing_up(brief: FastAPI) -> None:
    held = head("/v1/ask", 10**9)
    with listening(brief, replace(BRIEF, idle=1)) as place, said_by(place, held, b"x") as slow:
        refused = heard(slow)[0]
        slow.sendall(b"x" * 1_000)
        after = slow.recv(1)

    assert (refused, after) == (413, b"")


@given(st.integers(0, 10**9), st.floats(0, 10**6))
def test_a_body_is_waited_for_as_long_as_it_keeps_coming(read: int, took: float) -> None:
    patience = Patience()

    left = patience.left_for_body(read, took)

    assert left <= patience.grace + read / patience.slowest
    assert (left > 0) == (took < patience.grace + read / patience.slowest)


async def bulky(_: Scope, __: Receive, send: Send) -> None:
    """An application with a long reply."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    for _number in range(BULK // 65_536):
        await send({"type": "http.response.body", "body": b"x" * 65_536, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


def test_a_reply_that_nobody_takes_is_not_kept_for_ever() -> None:
    with listening(bulky, BRIEF) as place, socket.socket() as lazy:
        lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        lazy.settimeout(20)
        lazy.connect(place)
        lazy.sendall(head("/", method="GET"))
        # Not reading, but hearing when the other side has gone.
        lost = _is_lost(lazy)

    assert lost


def _is_lost(client: socket.socket) -> bool:
    waiting = select.poll()
    waiting.register(client, select.POLLHUP | select.POLLERR | select.POLLRDHUP)
    return bool(waiting.poll(10_000))


def test_a_thousand_open_connections_keep_nobody_out(brief: FastAPI) -> None:
    most = make_room(2_500)
    assert most > 1_100, "this machine allows a process too few open files for this test"
    patient = replace(BRIEF, head=60.0, most=1_100)
    with listening(brief, patient) as place, ExitStack() as stack:
        for _ in range(1_000):
            stack.enter_context(said_by(place))

        assert is_well(place)


def test_where_there_is_no_room_the_one_that_was_silent_longest_goes(brief: FastAPI) -> None:
    patient = replace(BRIEF, head=60.0, most=3)
    with listening(brief, patient) as place, ExitStack() as stack:
        first, *others = [stack.enter_context(said_by(place)) for _ in range(3)]
        assert is_well(place)
        gone = heard(first)[0]
        for other in others:
            other.sendall(head("/healthz", method="GET"))
        stayed = [heard(other)[0] for other in others]

    assert gone == 0
    assert stayed == [200, 200]


def test_where_everybody_is_busy_a_newcomer_is_told_to_come_back(company: Org) -> None:
    patient = replace(BRIEF, head=60.0, most=2)
    app = api(company, Serving(step=0.0, patience=replace(patient, grace=60.0)))
    body = b'{"question": "Who?"}'
    busy = head("/v1/ask", len(body), Expect="100-continue")
    with listening(app, patient) as place, said_by(place, busy) as one, said_by(place, busy) as other:
        # Both are being read: the server says that it waits for their bodies.
        assert [heard(client)[0] for client in (one, other)] == [100, 100]
        with said_by(place, head("/healthz", method="GET")) as turned:
            status, headers, said = heard(turned)
        for client in (one, other):
            client.sendall(body)
        done = [heard(client)[0] for client in (one, other)]
        after = is_well(place)

    assert (status, headers["retry-after"]) == (503, "1")
    assert json.loads(said)["detail"] == "every connection is in use; try again"
    assert done == [401, 401]
    assert after


def test_a_server_that_ends_does_not_wait_for_somebody_slow(company: Org) -> None:
    patient = replace(BRIEF, head=60.0, grace=60.0)
    app = api(company, Serving(step=0.0, patience=patient))
    with ExitStack() as stack:
        place = stack.enter_context(listening(app, patient))
        stack.enter_context(said_by(place, head("/v1/ask", 1_000), b"{"))
        assert is_well(place)
        began = time.monotonic()

    assert time.monotonic() - began < 15


def test_a_reply_is_sent_at_once_and_waits_for_no_acknowledgement(brief: FastAPI) -> None:
    # Not so by itself: a socket made without naming TCP is not known to be of it.
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        bound.listen()
        running = server(brief, BRIEF)
        thread = threading.Thread(target=running.run, kwargs={"sockets": [bound]})
        thread.start()
        with said_by(bound.getsockname(), head("/healthz", method="GET")) as client:
            assert heard(client)[0] == 200
            (one,) = running.server_state.connections
            held = one.transport.get_extra_info("socket")
            at_once = held.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        running.should_exit = True
        thread.join()

    assert at_once


def test_there_is_room_for_no_more_connections_than_files() -> None:
    assert 1 <= make_room(100) <= 100
    assert make_room(10**9) < 10**9
