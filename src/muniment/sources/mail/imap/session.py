"""A connection to an IMAP server: what is asked of it and nothing of what it means. Reads only.

The one edge to the standard library's client: its errors become ours here.
"""

from __future__ import annotations

import imaplib
import re
import ssl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from muniment.domain.errors import Malformed, Unavailable
from muniment.sources.connector import Throttled, Unauthorised

__all__ = ["Fetched", "Folder", "Opened", "Server", "Session", "session"]

_SECONDS = 60.0
_LIST = re.compile(rb'\((?P<flags>[^()]*)\) (?:"(?:[^"\\]|\\.)"|NIL) (?P<name>.+)\Z', re.DOTALL)
_UID = re.compile(rb"\bUID (\d{1,10})\b")
_SIZE = re.compile(rb"\bRFC822\.SIZE (\d{1,12})\b")
_ARRIVED = re.compile(rb'\bINTERNALDATE "([^"]{1,40})"')
_FLAGS = re.compile(rb"\bFLAGS \(([^()]*)\)")
_LITERAL = re.compile(rb"\{\d+\}\Z")


@dataclass(frozen=True, slots=True)
class Server:
    """Where it listens, and how the line is kept secret: `yes`, `starttls`, or `no`."""

    host: str
    port: int
    tls: str


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder by its name on the wire, with what the server says it is for, in one case."""

    name: bytes
    flags: frozenset[str]


@dataclass(frozen=True, slots=True)
class Opened:
    """A folder as it is now: its generation, the number the next mail will get, how many it holds."""

    validity: int
    following: int
    count: int


@dataclass(frozen=True, slots=True)
class Fetched:
    """A mail of a folder. `raw` is None where the server no longer had it."""

    uid: int
    raw: bytes
    arrived: datetime | None
    flags: frozenset[str]


@contextmanager
def session(server: Server, login: str, password: str) -> Iterator[Session]:
    """Logged in, for as long as the block lasts. Unauthorised, Throttled or Unavailable where it fails."""
    with _translated(server):
        client = _connected(server)
    try:
        with _translated(server, login=login):
            client.login(login, password)
        with _translated(server):
            yield Session(client)
    finally:
        _leave(client)


def _connected(server: Server) -> imaplib.IMAP4:
    if server.tls == "yes":
        return imaplib.IMAP4_SSL(
            server.host, server.port, ssl_context=ssl.create_default_context(), timeout=_SECONDS
        )
    if server.tls not in ("starttls", "no"):
        raise Malformed(f"tls is {server.tls!r}: use yes, starttls or no")
    if server.tls == "no" and server.host not in ("localhost", "127.0.0.1", "::1"):
        raise Malformed(f"tls is 'no' and {server.host!r} is another machine: a password would be readable")
    client = imaplib.IMAP4(server.host, server.port, timeout=_SECONDS)
    if server.tls == "starttls":
        client.starttls(ssl.create_default_context())
    return client


def _leave(client: imaplib.IMAP4) -> None:
    try:
        client.logout()
    except (imaplib.IMAP4.error, OSError):  # it is gone already, which is what was asked
        client.shutdown()


@contextmanager
def _translated(server: Server, *, login: str | None = None) -> Iterator[None]:
    """The client's errors as ours. What a server says is not repeated: it may quote what was sent."""
    try:
        yield
    except imaplib.IMAP4.abort:
        raise Unavailable(f"the mail server {server.host!r} closed the line") from None
    except imaplib.IMAP4.error as error:
        said = str(error).upper()
        if "[LIMIT]" in said or "[INUSE]" in said or "TOO MANY" in said or "OVERQUOTA" in said:
            raise Throttled(f"the mail server {server.host!r} asks us to wait") from None
        if login is not None and "[UNAVAILABLE]" not in said:
            raise Unauthorised(f"the mail server {server.host!r} refuses the login {login!r}") from None
        raise Unavailable(f"the mail server {server.host!r} refused a command") from None
    except OSError as error:
        why = type(error).__name__
        raise Unavailable(f"the mail server {server.host!r} cannot be reached: {why}") from None


class Session:
    """What is asked of a server that let us in."""

    def __init__(self, client: imaplib.IMAP4) -> None:
        self._client = client

    def folders(self) -> list[Folder]:
        """Every folder that can be opened."""
        _, lines = self._client.list('""', "*")
        found = [_folder(line) for line in lines if line is not None]
        return [one for one in found if one is not None and "\\noselect" not in one.flags]

    def open(self, folder: Folder) -> Opened:
        """Open a folder for reading only."""
        status, count = self._client.select(folder.name.decode("latin-1"), readonly=True)
        if status != "OK":
            raise Unavailable(f"the folder {folder.name!r} cannot be opened")
        return Opened(self._number("UIDVALIDITY"), self._number("UIDNEXT"), int(count[0] or 0))

    def _number(self, name: str) -> int:
        _, said = self._client.response(name)
        return int(said[-1]) if said and said[-1] else 0

    def sizes(self, first: int) -> dict[int, int]:
        """The numbers from `first` on, with their sizes.

        Of a range that ends in `*` a server always gives the last mail, be its number below the range.
        """
        _, lines = self._client.uid("FETCH", f"{first}:*", "(UID RFC822.SIZE)")
        found: dict[int, int] = {}
        for line in lines:
            text = line[0] if isinstance(line, tuple) else line
            if text and (uid := _UID.search(text)) and (size := _SIZE.search(text)):
                found[int(uid[1])] = int(size[1])
        return {uid: size for uid, size in sorted(found.items()) if uid >= first}

    def fetch(self, uids: Sequence[int]) -> Iterator[Fetched]:
        """These mails whole, without marking them as read; those that are gone by now are not among them."""
        names = ",".join(map(str, uids))
        _, lines = self._client.uid("FETCH", names, "(UID FLAGS INTERNALDATE BODY.PEEK[])")
        for line, after in zip(lines, [*lines[1:], b""], strict=True):
            if isinstance(line, tuple):
                # Some servers name the number after the text.
                said = line[0] + (after if isinstance(after, bytes) else b"")
                if uid := _UID.search(said):
                    yield Fetched(int(uid[1]), line[1], _arrived(said), _flags(said))


def _folder(line: bytes | tuple[bytes, bytes]) -> Folder | None:
    text = _LITERAL.sub(_quoted(line[1]), line[0]) if isinstance(line, tuple) else line
    found = _LIST.match(text)
    if found is None:
        return None
    name = found["name"].strip()
    return Folder(name if name.startswith(b'"') else _quoted(name), _names(found["flags"]))


def _quoted(name: bytes) -> bytes:
    return b'"' + name.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'


def _names(flags: bytes) -> frozenset[str]:
    return frozenset(flags.decode("latin-1").casefold().split())


def _flags(said: bytes) -> frozenset[str]:
    found = _FLAGS.search(said)
    return _names(found[1]) if found else frozenset()


def _arrived(said: bytes) -> datetime | None:
    found = _ARRIVED.search(said)
    try:
        return datetime.strptime(found[1].decode(), "%d-%b-%Y %H:%M:%S %z") if found else None
    except ValueError:
        return None
