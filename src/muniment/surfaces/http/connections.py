"""The connections of the server: who is let in, who is waited for, and who has to go first.

uvicorn waits as long as it takes for the first byte of a request, for the last of its head, and for a reply
to be taken. Here each has a limit. Where more come than there is room for, the one that has been silent for
longest goes; a newcomer is turned away only where everybody is busy, and told so.
"""

from __future__ import annotations

import asyncio
import json
import resource
import socket
import struct
from http import HTTPStatus
from typing import Any

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from muniment.surfaces.http.patience import Patience
from muniment.surfaces.http.problems import Problem

__all__ = ["connection_kind", "make_room", "server"]

_OTHERS = 200  # files that are open beside connections: the database's, modules, logs
_BUSY = "every connection is in use; try again"
_SLOW = "the request came too slowly; send it again"
_LINGER = 1.0  # seconds in which somebody who is sent away may still read why


def server(app: ASGIApp, patience: Patience) -> uvicorn.Server:
    """A server of `app` that loses patience."""
    kind = connection_kind(patience)
    config = uvicorn.Config(
        app,
        http=kind,
        ws="none",
        log_level="warning",
        timeout_keep_alive=patience.idle,
        timeout_graceful_shutdown=patience.farewell,
    )
    return uvicorn.Server(config)


def make_room(most: int) -> int:
    """How many connections this process may hold, at most `most`, after asking for more files if need be."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return most
    wanted = most + _OTHERS if hard == resource.RLIM_INFINITY else min(most + _OTHERS, hard)
    if wanted > soft:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return max(1, min(most, max(soft, wanted) - _OTHERS))


def connection_kind(patience: Patience) -> type[asyncio.Protocol]:
    """The kind of connection that a server with this patience has."""

    class Patient(_Connection):
        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            self.patience = patience

    return Patient


def _send_at_once(transport: asyncio.Transport) -> None:
    """Let no reply's body wait until the client's system has acknowledged its head: 40 ms each time.

    asyncio does so itself, but not where the listening socket was made without naming TCP.
    """
    held = transport.get_extra_info("socket")
    if held is not None and held.family in (socket.AF_INET, socket.AF_INET6):
        held.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


class _Connection(H11Protocol):
    patience: Patience
    _head: asyncio.TimerHandle | None = None
    _reply: asyncio.TimerHandle | None = None
    silent_since: float = 0.0
    is_sent_away = False

    # What uvicorn calls. `typing.override` is of 3.12.

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override, explicit-override]
        """Somebody comes."""
        super().connection_made(transport)
        self.silent_since = self.loop.time()
        _send_at_once(transport)
        if len(self.connections) <= self.patience.most or self._make_room():
            self._await_head()
        else:
            self._tell(HTTPStatus.SERVICE_UNAVAILABLE, _BUSY, "Retry-After: 1\r\n")

    def connection_lost(self, exc: Exception | None) -> None:  # type: ignore[explicit-override]
        """Somebody went."""
        self._forget_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:  # type: ignore[explicit-override]
        """Something of a request came."""
        if self.is_sent_away or self.transport.is_closing():
            return
        if self.is_answered_early:
            # The rest of a body that nobody reads: it may come until the connection's time is up.
            self.conn.receive_data(data)
            self.handle_events()
            return
        super().data_received(data)
        if self.is_busy:
            self._stop_head()
        elif self._head is None and not self.is_answered_early:
            self._await_head()

    def on_response_complete(self) -> None:  # type: ignore[explicit-override]
        """A reply was given."""
        self.silent_since = self.loop.time()
        super().on_response_complete()
        if self.transport.get_write_buffer_size():
            self._await_taking()

    def pause_writing(self) -> None:  # type: ignore[explicit-override]
        """More of a reply waits to be taken than there is room for."""
        super().pause_writing()
        self._await_taking()

    def resume_writing(self) -> None:  # type: ignore[explicit-override]
        """It is taken again."""
        super().resume_writing()
        self._stop_reply()

    # What is ours.

    @property
    def is_busy(self) -> bool:
        """A request is in progress."""
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is not None and not cycle.response_complete

    @property
    def is_answered_early(self) -> bool:
        """There was a reply, and the request's body is not here yet."""
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is not None and cycle.response_complete and self.conn.their_state is h11.SEND_BODY

    def leave(self) -> None:
        """Make room."""
        self.connections.discard(self)
        self.transport.abort()

    def _make_room(self) -> bool:
        others = (one for one in self.connections if isinstance(one, _Connection) and one is not self)
        silent = [one for one in others if not one.is_busy]
        if not silent:
            return False
        min(silent, key=lambda one: one.silent_since).leave()
        return True

    def _await_taking(self) -> None:
        self._stop_reply()
        self._reply = self.loop.call_later(self.patience.reply, self._drop)

    def _drop(self) -> None:
        """Go without another word where something is not taken, and let the system forget what it holds."""
        if not self.transport.get_write_buffer_size():
            return
        if (held := self.transport.get_extra_info("socket")) is not None:
            held.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.transport.abort()

    def _await_head(self) -> None:
        self._head = self.loop.call_later(self.patience.head, self._lose_patience)

    def _lose_patience(self) -> None:
        if self.transport.is_closing():
            return
        if self.conn.trailing_data[0]:
            self._tell(HTTPStatus.REQUEST_TIMEOUT, _SLOW)
        else:
            self.transport.close()  # who never said anything is told nothing

    def _tell(self, status: HTTPStatus, why: str, more: str = "") -> None:
        """A problem as the last that is said here. No request was understood, so that no application can."""
        said = json.dumps(Problem(title=status.phrase, status=status, detail=why).model_dump()).encode()
        head = (
            f"HTTP/1.1 {status:d} {status.phrase}\r\nContent-Type: application/problem+json\r\n"
            f"Content-Length: {len(said)}\r\nCache-Control: no-store\r\nConnection: close\r\n{more}\r\n"
        )
        self.is_sent_away = True
        self.connections.discard(self)
        self.transport.write(head.encode() + said)
        self.transport.write_eof()
        # Closed at once with something of a request unread, the reply would be lost on the way.
        self.loop.call_later(_LINGER, self.transport.abort)

    def _forget_waiting(self) -> None:
        self._stop_head()
        self._stop_reply()

    def _stop_head(self) -> None:
        if self._head is not None:
            self._head.cancel()
            self._head = None

    def _stop_reply(self) -> None:
        if self._reply is not None:
            self._reply.cancel()
            self._reply = None
