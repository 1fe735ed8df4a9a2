"""OAuth 2: a person lets us in once, in a browser; after that the token renews itself.

Authorisation code with PKCE (RFC 7636) on a loopback address (RFC 8252), then refresh tokens. What a secret
setting names by `file:PATH` may be such a grant: whoever reads it gets a token that is still good.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs, urlencode, urlsplit

from muniment import clock as real
from muniment.domain.errors import Malformed, Unavailable
from muniment.settings import variable
from muniment.sources.connector import Unauthorised
from muniment.sources.http import Reply, Site
from muniment.store.locks import FileLock

__all__ = ["Client", "Grant", "access", "authorise", "challenge", "is_grant"]

_EARLY: Final = timedelta(seconds=60)  # a token that ends so soon may have ended when it arrives
_USUAL: Final = 3600.0  # seconds of a token that does not say how long it is good
_ANSWERED: Final = frozenset({200, 400, 401})
_FORM: Final = {"content-type": "application/x-www-form-urlencoded", "accept": "application/json"}
_DONE: Final = b"You may close this window and go back to the command line."
_REFUSED: Final = b"This is not the answer that was waited for."


@dataclass(frozen=True, slots=True)
class Client:
    """What the source's authorisation server knows us as. `secret` is a reference, such as env:NAME."""

    authorise_url: str
    token_url: str
    client_id: str
    scope: str = ""
    secret: str | None = None


@dataclass(frozen=True, slots=True)
class Grant:
    """What we were given: kept in a file that only its owner may read, and nowhere else."""

    client: Client
    refresh_token: str | None = field(repr=False)
    access_token: str = field(repr=False)
    expires_at: str

    def is_good(self, now: datetime) -> bool:
        """Whether the token will still be good when it arrives."""
        return now + _EARLY < datetime.fromisoformat(self.expires_at)


def challenge(verifier: str) -> str:
    """What of a verifier may be seen by all (RFC 7636, S256)."""
    return _url64(hashlib.sha256(verifier.encode("ascii")).digest())


def _url64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")


def authorise(
    client: Client,
    path: Path,
    show: Callable[[str], object],
    *,
    salts: Callable[[], bytes] = real.fresh_salt,
    clock: Callable[[], datetime] = real.now,
    patience: float = 300.0,
) -> Grant:
    """Show the address at which a person lets us in, wait until they did, and keep the grant in the file."""
    verifier, state = _url64(salts() + salts()), _url64(salts())
    with _loopback(state, patience) as (redirect, code):
        show(_address(client, redirect, state, challenge(verifier)))
        form = {"grant_type": "authorization_code", "code": code(), "redirect_uri": redirect}
        grant = _asked(client, {**form, "code_verifier": verifier}, None, clock)
    _save(path, grant)
    return grant


def _address(client: Client, redirect: str, state: str, seen: str) -> str:
    asked = {
        "response_type": "code",
        "client_id": client.client_id,
        "redirect_uri": redirect,
        "state": state,
        "code_challenge": seen,
        "code_challenge_method": "S256",
    }
    scope = {"scope": client.scope} if client.scope else {}
    joint = "&" if "?" in client.authorise_url else "?"
    return f"{client.authorise_url}{joint}{urlencode({**asked, **scope})}"


@contextmanager
def _loopback(state: str, patience: float) -> Generator[tuple[str, Callable[[], str]]]:
    """An address of this machine to be sent back to, and the code that came there with our state."""
    found: list[Mapping[str, list[str]]] = []

    class Back(BaseHTTPRequestHandler):
        timeout = 10  # whoever connects and says nothing does not keep a person's browser out

        def do_GET(self) -> None:
            said = parse_qs(urlsplit(self.path).query)
            ours = hmac.compare_digest(said.get("state", [""])[0].encode(), state.encode())
            found.extend([said] if ours else [])
            body = _DONE if ours else _REFUSED
            self.send_response(200 if ours else 400)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:  # type: ignore[explicit-override]  # 3.12
            """The address holds the code."""

    with HTTPServer(("127.0.0.1", 0), Back) as server:
        yield f"http://127.0.0.1:{server.server_port}/", lambda: _code(server, found, patience)


def _code(server: HTTPServer, found: list[Mapping[str, list[str]]], patience: float) -> str:
    ends = real.ticks() + patience
    while not found and (left := ends - real.ticks()) > 0:
        server.timeout = left
        server.handle_request()
    if not found:
        raise Unavailable(f"nobody let us in within {patience:g} s")
    code = found[0].get("code", [""])[0]
    if not code:
        raise Unauthorised(f"we were not let in: {found[0].get('error', ['no code'])[0]!r:.80}")
    return code


def is_grant(text: str) -> bool:
    """Whether a file that a secret names holds a grant rather than the secret itself."""
    return text.lstrip().startswith("{") and '"access_token"' in text


def access(path: Path, clock: Callable[[], datetime] = real.now) -> str:
    """A token that is good, renewed where it was not; Unauthorised where a person must let us in anew.

    One process renews it at a time: a refresh token that changes hands with each use is good once.
    """
    grant = _load(path)
    if grant.is_good(clock()):
        return grant.access_token
    lock = FileLock(path.with_name(f"{path.name}.lock"))
    try:
        lock.hold()
        grant = _load(path)
        return grant.access_token if grant.is_good(clock()) else _renewed(path, grant, clock).access_token
    finally:
        lock.close()


def _renewed(path: Path, grant: Grant, clock: Callable[[], datetime]) -> Grant:
    if grant.refresh_token is None:
        raise Unauthorised(f"the grant in {path.name!r} has ended; muniment authorise lets us in again")
    form = {"grant_type": "refresh_token", "refresh_token": grant.refresh_token}
    renewed = _asked(grant.client, form, grant.refresh_token, clock)
    _save(path, renewed)
    return renewed


def _asked(
    client: Client, form: Mapping[str, str], refresh: str | None, clock: Callable[[], datetime]
) -> Grant:
    """The token server's answer to a form."""
    secret = {} if client.secret is None else {"client_secret": _client_secret(client.secret)}
    content = urlencode({**form, "client_id": client.client_id, **secret}).encode()
    began = clock()
    reply = Site(client.token_url).send("POST", "", headers=_FORM, content=content, allow=_ANSWERED)
    return _granted(client, _answer(reply), refresh, began)


def _client_secret(reference: str) -> str:
    how, _, name = reference.partition(":")
    found = variable(name) if how == "env" else None
    if not found:
        raise Unauthorised(f"the client secret {reference!r} is not there")
    return found


def _answer(reply: Reply) -> Mapping[str, object]:
    found = reply.json()
    if reply.status != 200 or not isinstance(found, dict):
        said = found.get("error") if isinstance(found, dict) else None
        raise Unauthorised(f"the token server refuses us: {said!r:.80}")
    return found


def _granted(client: Client, found: Mapping[str, object], refresh: str | None, began: datetime) -> Grant:
    match found:
        case {"access_token": str(token)} if token:
            lasts = found.get("expires_in")
            seconds = float(lasts) if isinstance(lasts, int | float | str) and _is_number(lasts) else _USUAL
            again = found.get("refresh_token")
            until = (began + timedelta(seconds=seconds)).astimezone(UTC).isoformat()
            return Grant(client, again if isinstance(again, str) else refresh, token, until)
    raise Unavailable("the token server gives no token")


def _is_number(said: float | str) -> bool:
    return str(said).replace(".", "", 1).isdecimal() and float(said) < 10**9


def _load(path: Path) -> Grant:
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
        client = Client(**said["client"])
        grant = replace(Grant(client, None, "", said["expires_at"]), access_token=said["access_token"])
        datetime.fromisoformat(grant.expires_at)
        return replace(grant, refresh_token=said.get("refresh_token"))
    except OSError:
        raise Unauthorised(f"the grant {path.name!r} cannot be read") from None
    except (ValueError, TypeError, KeyError, RecursionError):
        raise Malformed(f"{path.name!r} holds no grant; muniment authorise makes one") from None


def _save(path: Path, grant: Grant) -> None:
    """Whole or not at all, and readable by its owner alone from its first byte."""
    made = path.with_name(f".{path.name}.new")
    made.unlink(missing_ok=True)
    with os.fdopen(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        json.dump(asdict(grant), file)
        file.flush()
        os.fsync(file.fileno())
    made.replace(path)
