"""Sessions and forms: what a browser carries, under which name, and what a form must bring back."""

from __future__ import annotations

import hmac
import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response

from muniment.surfaces.http.callers import is_same_origin

__all__ = [
    "LASTS",
    "Once",
    "drop_session",
    "form_key",
    "form_token",
    "is_from_here",
    "is_local",
    "is_token",
    "keep_form_key",
    "keep_session",
    "new_form_key",
    "session_of",
]

LASTS = 12 * 3600  # seconds of a session; its token ends then whatever the browser keeps
_SESSION, _FORM = "muniment", "muniment-form"
_UNTIL = 600.0  # seconds a one-time address holds
_MOST = 100


def _name(request: Request, name: str) -> str:
    """A browser takes a name that begins so from nobody but this host, over https, for every path."""
    return f"__Host-{name}" if request.url.scheme == "https" else name


def session_of(request: Request) -> str | None:
    """The token of the session that a browser carries."""
    return request.cookies.get(_name(request, _SESSION)) or None


def form_key(request: Request) -> str | None:
    """What the forms of somebody without a session are bound to."""
    return request.cookies.get(_name(request, _FORM)) or None


def new_form_key() -> str:
    """The same for somebody who comes for the first time."""
    return secrets.token_hex(32)


def form_token(key: str) -> str:
    """What a form must bring back; it says nothing of the session or key that it is bound to."""
    return hmac.digest(key.encode("utf-8", "surrogatepass"), b"muniment form", "sha256").hex()


def is_token(said: str, key: str) -> bool:
    """Whether a form brought back what it was given."""
    return hmac.compare_digest(said.encode("utf-8", "surrogatepass"), form_token(key).encode())


def keep_session(request: Request, reply: Response, session: str) -> None:
    """Let the browser carry a session."""
    _keep(request, reply, _SESSION, session)


def keep_form_key(request: Request, reply: Response, key: str) -> None:
    """Let the browser carry what its forms are bound to."""
    _keep(request, reply, _FORM, key)


def _keep(request: Request, reply: Response, name: str, value: str) -> None:
    """One cookie: out of reach of scripts and of other sites."""
    secure = request.url.scheme == "https"
    cookie = _name(request, name)
    reply.set_cookie(cookie, value, max_age=LASTS, httponly=True, samesite="strict", secure=secure)


def drop_session(request: Request, reply: Response) -> None:
    """Let the browser forget its session."""
    secure = request.url.scheme == "https"
    reply.delete_cookie(_name(request, _SESSION), httponly=True, samesite="strict", secure=secure)


def is_from_here(headers: Headers) -> bool:
    """Whether a form was sent from our own page, as far as the browser tells."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    return is_same_origin(headers)


def is_local(place: str) -> bool:
    """Whether a browser that is sent there stays here."""
    begins = place.startswith("/") and not place.startswith(("//", "/\\"))
    return begins and place.isprintable() and "\\" not in place


@dataclass(slots=True)
class Once:
    """Addresses that sign somebody in, once: for whoever started the server and sees its terminal."""

    ticks: Callable[[], float]
    _codes: dict[str, tuple[str, float]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def place(self, principal: str) -> str:
        """A path that signs this principal in."""
        code = secrets.token_urlsafe(32)
        with self._lock:
            self._codes[code] = (principal, self.ticks() + _UNTIL)
            while len(self._codes) > _MOST:
                self._codes.pop(next(iter(self._codes)))
        return f"/signin?once={code}"

    def find(self, code: str) -> str | None:
        """Whom a code would sign in."""
        return _unspent(self._codes, code, self.ticks())

    def spend(self, code: str) -> str | None:
        """Whom a code signs in; it does so this once."""
        with self._lock:
            found = _unspent(self._codes, code, self.ticks())
            self._codes.pop(code, None)
        return found


def _unspent(codes: Mapping[str, tuple[str, float]], code: str, now: float) -> str | None:
    principal, until = codes.get(code, ("", 0.0))
    return principal if principal and now < until else None
