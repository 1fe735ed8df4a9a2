"""Requests that lie, lead astray, or come while the database is away: each gets a clear reply."""

from __future__ import annotations

import base64
import gzip
import io
import json
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st
from psycopg.conninfo import conninfo_to_dict
from starlette.testclient import TestClient

import muniment
from muniment.app import Org
from muniment.settings import Settings
from muniment.surfaces.http.api import Serving, api
from muniment.surfaces.web.door import add_web
from tests.http.conftest import Client
from tests.http.lines import Cuttable, listening, request
from tests.http.test_connections import BRIEF
from tests.http.test_oidc import Keys, claims, signed
from tests.worlds import KEY, person, said, taken

# What is wrong with a token is told to nobody.


def part(said: object) -> str:
    raw = said if isinstance(said, bytes) else json.dumps(said).encode()
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


KEYS = Keys()
KEYS.make("k1")
GOOD = {"alg": "RS256", "kid": "k1", "typ": "JWT"}
MALFORMED = {
    "nothing": "",
    "dots": "..",
    "no token": "a.b.c",
    "no signature": f"{part(GOOD)}.{part({})}.",
    "a header that is no object": f"{part([1])}.{part({})}.x",
    "a header nested 8,000 deep": f"{part(b'[' * 8_000)}.{part({})}.x",
    "claims nested 8,000 deep": f"{part(GOOD)}.{part(b'[' * 8_000)}.x",
    "a key id that is a list": f"{part({**GOOD, 'kid': ['k1']})}.{part({})}.x",
    "an algorithm that is a number": f"{part({**GOOD, 'alg': 7})}.{part({})}.x",
    "an algorithm of none": f"{part({**GOOD, 'alg': 'none'})}.{part({'email': 'mara@fernkiel.example'})}.",
    "a key of its own": f"{part({**GOOD, 'jwk': {'kty': 'RSA'}, 'jku': 'http://x.example'})}.{part({})}.x",
    "what must be understood and is not": f"{part({**GOOD, 'crit': ['b64'], 'b64': False})}.{part({})}.x",
    "not base64": "ä.ö.ü",
    "a million letters": "a" * 500_000 + "." + "b" * 500_000 + ".c",
    "bytes that are no text": f"{part(bytes(range(256)))}.{part({})}.x",
    "a number too large for a float": f"{part(b'{%s: 1e999}' % b'1')}.{part({})}.x",
}


@pytest.fixture(scope="module")
def sso(company: Org) -> TestClient:
    """The API of a record that trusts an issuer."""
    return TestClient(api(company, Serving(step=0.0, a_minute=1_000_000, issuer=KEYS.issuer())))


def refusal(http: TestClient, token: str) -> tuple[int, bytes, str | None]:
    said = http.get("/v1/pages", headers={"Authorization": b"Bearer " + token.encode()})
    return said.status_code, said.content, said.headers.get("www-authenticate")


@pytest.mark.parametrize("what", MALFORMED)
def test_a_malformed_token_is_told_what_every_wrong_token_is_told(sso: TestClient, what: str) -> None:
    expected = refusal(sso, "nobody-made-this")

    assert refusal(sso, MALFORMED[what]) == expected
    assert expected[0] == 401


def test_an_expired_token_and_one_of_another_place_are_told_the_same(sso: TestClient) -> None:
    mine = claims(email="mara.lindqvist@fernkiel.example")
    replayed = signed(KEYS, {**mine, "aud": "payroll"})
    expired = signed(KEYS, {**mine, "exp": 1_700_000_000})
    cut = signed(KEYS, mine)[:-4]

    told = {refusal(sso, token) for token in (replayed, expired, cut, "nobody-made-this")}

    assert len(told) == 1


def test_a_token_is_worth_nothing_once_its_principal_has_left(url: str, tenant: str) -> None:
    with muniment.open(url, tenant, settings=Settings("owner", key=KEY, embedder="off")) as org:
        taken(org, [person("user:ann", emails=["ann@x.example"]), said("m1", "Hello.")])
        http = TestClient(api(org, Serving(step=0.0, issuer=KEYS.issuer())))
        token = signed(KEYS, claims())
        before = refusal(http, token)[0]
        taken(org, [person("user:ann", hours=1, emails=["ann@x.example"], standing="deactivated")])
        after, nobody = refusal(http, token), refusal(http, "nobody-made-this")

    assert before == 200
    assert after == nobody


# Paths.

TRICKS = (
    "..%2f..%2fetc%2fpasswd",
    "%2e%2e/%2e%2e/etc/passwd",
    "%252e%252e%252fetc",
    "..\\..\\etc",
    "/etc/passwd",
    "//x.example/",
    "acme%00.json",
    "%0d%0aSet-Cookie:%20a=b",
    "%ff%fe",
    "file:///etc/passwd",
    "con",
    "a" * 4_000,
    "%2f" * 500,
)


@pytest.mark.parametrize("trick", TRICKS)
@pytest.mark.parametrize("place", ["/v1/pages/", "/v1/timeline/", "/v1/citations/", "/v1/accounts/"])
def test_a_page_of_a_tricky_name_is_one_that_nobody_wrote(client: Client, place: str, trick: str) -> None:
    http = client("user:mara")

    found = http.get(f"{place}{trick}")

    assert found.status_code == 404
    assert "root:" not in found.text
    assert "a=b" not in found.headers.get("set-cookie", "")


@pytest.mark.parametrize("place", ["/wiki/", "/static/"])
def test_no_page_or_file_is_reached_by_a_raw_path_that_climbs(company: Org, place: str) -> None:
    app = api(company, Serving(step=0.0))
    add_web(app)
    token = company.tokens.create("user:mara").token
    with listening(app, BRIEF) as there:
        for trick in (*TRICKS, "../../etc/passwd", "../" * 40 + "etc/passwd"):
            status, raw = request(
                there, "GET", quote(place + trick, safe="/%."), Authorization=f"Bearer {token}"
            )
            assert status == 404, trick
            assert b"root:" not in (raw if isinstance(raw, bytes) else json.dumps(raw).encode())


# Uploads.


def zipped() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("a.jsonl", "{}")
    return made.getvalue()


EVENT = json.dumps(said("lied-1", "The canteen opens at seven.", source="lies")).encode()
LIES = {
    "a zip said to be lines": ("application/x-ndjson", zipped()),
    "a zip said to be JSON": ("application/json", zipped()),
    "compressed lines": ("application/x-ndjson", gzip.compress(EVENT)),
    "a picture": ("image/png", b"\x89PNG\r\n\x1a\n" + bytes(200)),
    "a form": (
        "multipart/form-data; boundary=x",
        b"--x\r\nContent-Disposition: form-data\r\n\r\n{}\r\n--x--",
    ),
    "a page": ("text/html", b"<html><script>alert(1)</script></html>"),
    "half an array": ("application/json", b"[" + EVENT),
    "an array of lines": ("application/x-ndjson", b"[" + EVENT + b"\n" + EVENT + b"]"),
}


@pytest.mark.parametrize("what", LIES)
def test_a_body_that_is_not_what_it_says_is_quarantined_or_refused(client: Client, what: str) -> None:
    kind, raw = LIES[what]

    said = client("user:mara").post("/v1/events", content=raw, headers={"Content-Type": kind})

    assert said.status_code in (200, 400)
    if said.status_code == 200:
        receipt = said.json()
        assert (receipt["accepted"], receipt["duplicate"]) == (0, 0)
        assert receipt["quarantined"] == len(receipt["items"]) > 0


def test_events_are_read_as_what_they_are_whatever_they_are_called(client: Client) -> None:
    http = client("user:mara")

    codes = [
        http.post("/v1/events", content=raw, headers={"Content-Type": kind}).json()
        for kind, raw in (("image/png", EVENT), ("text/plain", b"[" + EVENT + b"]"))
    ]

    assert [one["accepted"] + one["duplicate"] for one in codes] == [1, 1]


@given(
    st.binary(max_size=300), st.sampled_from(["application/json", "application/x-ndjson", "image/png", "x"])
)
def test_no_body_makes_the_door_stumble(client: Client, raw: bytes, kind: str) -> None:
    said = client("user:mara").post("/v1/events", content=raw, headers={"Content-Type": kind})

    assert said.status_code in (200, 400)


@pytest.mark.parametrize("path", ["/v1/ask", "/v1/context", "/v1/locate", "/v1/expand", "/v1/notes"])
def test_a_body_that_is_no_json_is_told_so(client: Client, path: str) -> None:
    http = client("user:mara")

    for raw in (
        b"",
        b"\xff\xfe",
        b"[" * 100_000,
        b"{" * 100_000,
        b'{"a":' * 50_000,
        zipped(),
        b"null",
        b'"x"',
    ):
        said = http.post(path, content=raw, headers={"Content-Type": "application/json"})
        assert said.status_code in (400, 422), raw[:10]
        assert said.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("verb", ["context", "locate", "search", "page", "remember"])
def test_a_megabyte_is_read_or_refused_in_time(client: Client, verb: str) -> None:
    http, long = client("user:mara"), "renewal date of Kvarnby 年假 " * 40_000
    calls = {
        "context": lambda: http.post("/v1/context", json={"task": long, "budget": 500}),
        "locate": lambda: http.post("/v1/locate", json={"terms": long}),
        "search": lambda: http.get("/v1/search", params={"q": long[:20_000]}),
        "page": lambda: http.get(f"/v1/pages/{quote(long[:20_000])}"),
        "remember": lambda: http.post("/v1/notes", json={"text": long}),
    }

    found = calls[verb]()

    assert found.status_code in (200, 400, 404, 422), found.text[:200]


# The database.


@contextmanager
def detoured(url: str) -> Iterator[tuple[str, Cuttable]]:
    """The same database by a way that can be cut."""
    known = {name: str(value) for name, value in conninfo_to_dict(url).items()}
    target = f"{known['host']}/.s.PGSQL.{known['port']}"
    with tempfile.TemporaryDirectory() as name, Cuttable(Path(name), target) as way:
        named = urlencode({**known, "host": name})
        yield f"postgresql:///?{named}", way


def test_a_database_that_goes_away_is_told_in_words_and_is_found_when_it_is_back(
    url: str, tenant: str
) -> None:
    settings = Settings("owner", key=KEY, embedder="off")
    with detoured(url) as (place, way), muniment.open(place, tenant, settings=settings) as org:
        events = [person("user:ann"), said("m1", "Decision: the limit of Acme is EUR 100.", account="Acme")]
        taken(org, events)
        app = api(org, Serving(step=0.0))
        add_web(app)
        bearer = {"Authorization": f"Bearer {org.tokens.create('user:ann').token}"}
        http = TestClient(app, headers=bearer)
        reads = ("/v1/pages/acme", "/v1/search?q=limit", "/wiki/acme")

        before = [http.get(path).status_code for path in reads]
        way.cut()
        away = [http.get(path) for path in reads]
        health, ready = http.get("/healthz"), http.get("/readyz")
        way.mend()
        after = [http.get(path).status_code for path in reads]

    assert before == after == [200, 200, 200]
    assert [one.status_code for one in away] == [503, 503, 503]
    assert [one.headers.get("retry-after") for one in away] == ["1", "1", "1"]
    assert (health.status_code, ready.status_code) == (200, 503)
    assert ready.json()["why"] == "the database does not answer"
