"""Let in once by a person, renewed by itself, and kept where only its owner reads it."""

from __future__ import annotations

import base64
import hashlib
import json
import stat
import threading
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import parse_qs, urlsplit

import pytest

from muniment.domain.errors import Malformed
from muniment.sources.connector import Unauthorised
from muniment.sources.oauth import Client, access, authorise
from muniment.sources.secrets import resolve
from tests.worlds import Clock

SECRET = "the client's own"  # noqa: S105  # of a server that lives for one test


@dataclass
class Server:
    """An authorisation server that checks what RFC 6749 and RFC 7636 have it check, and rotates."""

    url: str = ""
    codes: dict[str, tuple[str, str]] = field(default_factory=dict)
    good: set[str] = field(default_factory=set)
    given: int = 0
    refuses: bool = False

    def let_in(self, query: dict[str, str]) -> str:
        """The address a browser is sent back to."""
        if self.refuses:
            return f"{query['redirect_uri']}?error=access_denied&state={query['state']}"
        assert query["code_challenge_method"] == "S256"
        code = f"code-{len(self.codes)}"
        self.codes[code] = query["code_challenge"], query["redirect_uri"]
        return f"{query['redirect_uri']}?code={code}&state={query['state']}"

    def token(self, form: dict[str, str]) -> tuple[int, dict[str, object]]:
        if form.get("client_secret") != SECRET:
            return 401, {"error": "invalid_client"}
        if form["grant_type"] == "authorization_code":
            seen, redirect = self.codes.pop(form["code"], ("", ""))
            digest = hashlib.sha256(form["code_verifier"].encode()).digest()
            fits = base64.urlsafe_b64encode(digest).rstrip(b"=").decode() == seen
            if not fits or redirect != form["redirect_uri"]:
                return 400, {"error": "invalid_grant"}
        elif form["refresh_token"] in self.good:
            self.good.discard(form["refresh_token"])
        else:
            return 400, {"error": "invalid_grant"}
        self.given += 1
        refresh = f"refresh-{self.given}"
        self.good.add(refresh)
        return 200, {"access_token": f"access-{self.given}", "refresh_token": refresh, "expires_in": 600}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("CLIENT_SECRET", SECRET)
    found = Server()

    class Door(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            query = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
            self.send_response(302)
            self.send_header("location", found.let_in(query))
            self.end_headers()

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["content-length"])).decode()
            status, said = found.token({name: values[0] for name, values in parse_qs(raw).items()})
            body = json.dumps(said).encode()
            self.send_response(status)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:  # type: ignore[explicit-override]  # 3.12
            """Nobody reads it."""

    web = ThreadingHTTPServer(("127.0.0.1", 0), Door)
    found.url = f"http://127.0.0.1:{web.server_port}"
    thread = threading.Thread(target=web.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield found
    web.shutdown()
    web.server_close()


def client(server: Server) -> Client:
    return Client(f"{server.url}/authorise", f"{server.url}/token", "us", "read", "env:CLIENT_SECRET")


def browse(address: str) -> threading.Thread:
    """A person who lets us in, in a browser."""

    def go() -> None:
        with urllib.request.urlopen(address, timeout=10) as reply:  # noqa: S310  # of this machine
            reply.read()

    thread = threading.Thread(target=go)
    thread.start()
    return thread


@pytest.fixture
def granted(server: Server, tmp_path: Path, clock: Clock) -> Path:
    path = tmp_path / "slack.json"
    authorise(client(server), path, browse, clock=clock, patience=10)
    return path


def test_a_person_lets_us_in_and_the_grant_is_its_owners_alone(granted: Path, clock: Clock) -> None:
    assert access(granted, clock) == "access-1"
    assert stat.S_IMODE(granted.stat().st_mode) == 0o600
    assert list(granted.parent.iterdir()) == [granted]
    assert SECRET not in granted.read_text()


def test_a_token_that_ends_is_renewed_once_however_many_ask(
    granted: Path, server: Server, clock: Clock
) -> None:
    clock.forward(minutes=9, seconds=30)

    with ThreadPoolExecutor(8) as pool:
        tokens = set(pool.map(lambda _: access(granted, clock), range(8)))

    assert tokens == {"access-2"}
    assert server.given == 2
    clock.forward(minutes=20)
    assert access(granted, clock) == "access-3"


def test_a_secret_setting_may_name_a_grant(server: Server, tmp_path: Path) -> None:
    path = tmp_path / "slack.json"
    authorise(client(server), path, browse, patience=10)

    assert resolve(f"file:{path}") == "access-1"


def test_a_grant_that_was_taken_back_needs_a_person(granted: Path, server: Server, clock: Clock) -> None:
    server.good.clear()
    clock.forward(hours=1)

    with pytest.raises(Unauthorised, match="invalid_grant"):
        access(granted, clock)


def test_a_person_who_does_not_let_us_in_is_an_end_of_it(
    server: Server, tmp_path: Path, clock: Clock
) -> None:
    server.refuses = True

    with pytest.raises(Unauthorised, match="access_denied"):
        authorise(client(server), tmp_path / "x.json", browse, clock=clock, patience=10)

    assert list(tmp_path.iterdir()) == []


def test_an_answer_with_another_state_is_not_the_one_waited_for(
    server: Server, tmp_path: Path, clock: Clock
) -> None:
    def forged(address: str) -> None:
        back = parse_qs(urlsplit(address).query)["redirect_uri"][0]

        def go() -> None:
            with pytest.raises(HTTPError):
                urllib.request.urlopen(f"{back}?code=theirs&state=theirs", timeout=10)  # noqa: S310
            browse(address).join()

        threading.Thread(target=go).start()

    authorise(client(server), tmp_path / "x.json", forged, clock=clock, patience=10)

    assert access(tmp_path / "x.json", clock) == "access-1"


@pytest.mark.parametrize(
    "text", ["{}", '{"access_token": 1}', '{"access_token":"a","client":{},"expires_at":"x"}']
)
def test_a_file_that_holds_no_grant_says_so(tmp_path: Path, clock: Clock, text: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text)

    with pytest.raises(Malformed, match="holds no grant"):
        access(path, clock)


def test_nothing_of_a_grant_shows_where_it_is_printed(granted: Path, server: Server, clock: Clock) -> None:
    grant = authorise(client(server), granted, browse, clock=clock, patience=10)

    assert grant.access_token not in repr(grant)
    assert (grant.refresh_token or "-") not in repr(grant)
    assert grant.is_good(clock() + timedelta(minutes=8))
