"""A server that listens, clients that speak byte by byte, and a database that can be cut off."""

from __future__ import annotations

import json
import select
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Self

from starlette.types import ASGIApp

from muniment.surfaces.http.connections import server
from muniment.surfaces.http.patience import Patience

__all__ = ["Cuttable", "Place", "head", "heard", "listening", "request", "said_by"]

Place = tuple[str, int]
_PATIENCE = 20.0  # seconds in which a test gives up


@contextmanager
def listening(app: ASGIApp, patience: Patience) -> Iterator[Place]:
    """Where a server of `app` listens."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        bound.listen(2_048)
        running = server(app, patience)
        thread = threading.Thread(target=running.run, kwargs={"sockets": [bound]})
        thread.start()
        try:
            yield bound.getsockname()
        finally:
            running.should_exit = True
            thread.join()


def head(path: str, length: int | None = None, method: str = "POST", **headers: str) -> bytes:
    """The head of a request; a header's name is written with low lines."""
    said = {"Host": "testserver", **{name.replace("_", "-"): value for name, value in headers.items()}}
    if length is not None:
        said |= {"Content-Length": str(length), "Content-Type": "application/json"}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in said.items())]
    return "\r\n".join([*lines, "", ""]).encode()


@contextmanager
def said_by(place: Place, *said: bytes) -> Iterator[socket.socket]:
    """A client that said so and is still there."""
    with socket.create_connection(place, timeout=_PATIENCE) as client:
        for one in said:
            client.sendall(one)
        yield client


def heard(client: socket.socket) -> tuple[int, Mapping[str, str], bytes]:
    """One reply: its status, headers by small letters, and body. Status 0 where nothing was said."""
    with client.makefile("rb") as file:
        first = file.readline().split()
        if not first:
            return 0, {}, b""
        lines = iter(file.readline, b"\r\n")
        pairs = (line.decode().partition(":") for line in lines)
        headers = {name.lower(): value.strip() for name, _, value in pairs}
        return int(first[1]), headers, file.read(int(headers.get("content-length", "0")))


def request(place: Place, method: str, path: str, body: object = None, **headers: str) -> tuple[int, Any]:
    """A whole request and its reply, read as JSON where it is that."""
    raw = b"" if body is None else json.dumps(body).encode()
    with said_by(place, head(path, len(raw), method, **headers), raw) as client:
        status, told, said = heard(client)
    return status, json.loads(said) if "json" in told.get("content-type", "") else said


class Cuttable:
    """A way to a server's socket that can be cut, and mended: as a database that goes away and comes back."""

    def __init__(self, folder: Path, target: str) -> None:
        self._own, self._target = folder / Path(target).name, target
        self._stack = ExitStack()
        self._pairs: list[tuple[socket.socket, socket.socket]] = []

    def mend(self) -> None:
        """Let whoever comes through."""
        listener = self._stack.enter_context(socket.socket(socket.AF_UNIX))
        listener.bind(str(self._own))
        listener.listen()
        self._own.chmod(0o666)
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def cut(self) -> None:
        """End every connection that there is, and let nobody in."""
        for pair in self._pairs:
            for one in pair:
                with suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)
        self._pairs.clear()
        self._stack.close()
        self._own.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        self.mend()
        return self

    def __exit__(self, *_: object) -> None:
        self.cut()

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                near, _ = listener.accept()
                far = socket.socket(socket.AF_UNIX)
                far.connect(self._target)
                self._pairs.append((near, far))
                threading.Thread(target=_carry, args=(near, far), daemon=True).start()


def _carry(near: socket.socket, far: socket.socket) -> None:
    """What either says to the other, until one of them goes."""
    other = {near: far, far: near}
    with near, far, suppress(OSError):
        while True:
            for one in select.select(list(other), [], [])[0]:
                if not (said := one.recv(65_536)):
                    return
                other[one].sendall(said)
