"""Deliveries by webhook: acknowledged once they are in the record, and otherwise told nothing."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection

import pytest
import uvicorn

from muniment.app import Org
from muniment.sources.feed.delivered import HEADER, signature
from muniment.surfaces.http.app import application
from muniment.surfaces.http.hooks import MOST
from tests.worlds import Clock, at, open_org, person, taken

SHARED = "shared with whoever delivers"


@dataclass(frozen=True)
class Door:
    """The record's hooks, as a program on this machine reaches them."""

    port: int
    org: Org

    def post(self, path: str, raw: bytes, headers: dict[str, str]) -> tuple[int, bytes]:
        conn = HTTPConnection("127.0.0.1", self.port, timeout=30)
        conn.request("POST", path, raw, headers)
        reply = conn.getresponse()
        found = reply.status, reply.read()
        conn.close()
        return found

    def deliver(self, said: object, source: str = "ci") -> tuple[int, bytes]:
        raw = said if isinstance(said, bytes) else json.dumps(said).encode()
        return self.post(f"/hooks/{source}", raw, {HEADER: signature(SHARED, raw)})


@contextmanager
def listening(org: Org) -> Iterator[Door]:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        bound.listen()
        server = uvicorn.Server(uvicorn.Config(application(org), log_level="error", lifespan="off"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
        thread.start()
        yield Door(bound.getsockname()[1], org)
        server.should_exit = True
        thread.join()


@pytest.fixture
def door(url: str, tenant: str, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Door]:
    monkeypatch.setenv("CI_SECRET", SHARED)
    with open_org(url, tenant, clock) as org:
        taken(org, [person("user:bo")])
        org.connect("events", "ci", {"secret": "env:CI_SECRET"})
        with listening(org) as door:
            yield door


def run(number: int, words: str, version: int = 1) -> dict[str, object]:
    plain = {"op": "upsert", "kind": "note", "at": at(version), "version": str(version)}
    return {**plain, "id": f"r{number}", "body": words, "audience": [["*"]]}


def answer(door: Door, question: str) -> str:
    return door.org.reader("user:bo").ask(question).text


def test_a_signed_delivery_is_in_the_record_when_it_is_acknowledged(door: Door) -> None:
    status, _ = door.deliver([run(1, "The release train of June is late.")])

    assert status == 204
    assert "late" in answer(door, "Is the release train of June late?")


def test_an_edit_at_the_source_changes_the_answer_in_less_than_two_seconds(door: Door) -> None:
    door.deliver(run(1, "The rate limit of Acme is 700."))
    assert "700" in answer(door, "What is the rate limit of Acme?")

    began = time.perf_counter()
    door.deliver(run(1, "The rate limit of Acme is 900.", version=2))
    said = answer(door, "What is the rate limit of Acme?")
    took = time.perf_counter() - began

    assert "900" in said
    assert "700" not in said
    assert took < 2


def test_a_delivery_that_comes_twice_or_late_changes_nothing(door: Door) -> None:
    door.deliver(run(1, "The rate limit of Acme is 900.", version=2))

    again = door.deliver(run(1, "The rate limit of Acme is 900.", version=2))
    late = door.deliver(run(1, "The rate limit of Acme is 700."))

    assert (again[0], late[0]) == (204, 204)
    assert "900" in answer(door, "What is the rate limit of Acme?")


@pytest.mark.parametrize("how", ["unsigned", "other secret", "not ascii", "malformed", "other bytes"])
def test_whoever_may_not_deliver_is_told_what_an_unknown_source_is_told(door: Door, how: str) -> None:
    raw = json.dumps(run(1, "The rate limit of Acme is 700.")).encode()
    headers = {
        "unsigned": {},
        "other secret": {HEADER: signature("another", raw)},
        "not ascii": {HEADER: "sha256=\xff\xfe"},
        "malformed": {HEADER: "sha256"},
        "other bytes": {HEADER: signature(SHARED, raw + b" ")},
    }[how]

    refused = door.post("/hooks/ci", raw, headers)
    unknown = door.post("/hooks/nowhere", raw, {HEADER: signature(SHARED, raw)})

    assert refused == unknown == (404, b"not found")
    assert door.org.reader("user:bo").search("rate limit") == []


@pytest.mark.parametrize("path", ["%00", "ci%00", "%ff", "%ED%A0%80", "a" * 5_000, "ci/ci", "%2e%2e/ci"])
def test_a_source_of_an_odd_name_is_one_that_is_not_there(door: Door, path: str) -> None:
    raw = b"{}"

    assert door.post(f"/hooks/{path}", raw, {HEADER: signature(SHARED, raw)})[0] == 404


def test_a_paused_source_hears_nothing(door: Door) -> None:
    door.org.steward("user:owner").pause("ci", paused=True)

    assert door.deliver(run(1, "The rate limit of Acme is 700.")) == (404, b"not found")


def test_a_source_that_only_delivers_is_never_pulled_and_is_up_to_date(door: Door) -> None:
    door.org.steward("user:owner").pause("ci", paused=True)
    door.org.steward("user:owner").pause("ci", paused=False)
    door.deliver(run(1, "The rate limit of Acme is 700."))

    assert door.org.pull_due() == 0
    assert door.org.pull() == []
    (fresh,) = door.org.reader("user:bo").ask("What is the rate limit of Acme?").freshness
    assert (fresh.state, fresh.why) == ("current", None)


def test_a_secret_that_is_not_there_is_told_a_steward_and_nobody_else(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CI_SECRET")

    assert door.deliver(run(1, "The rate limit of Acme is 700.")) == (404, b"not found")
    (status,) = [one for one in door.org.status().sources if one.source == "ci"]
    assert (status.state, status.last_error) == (
        "failing",
        "the secret 'env:CI_SECRET' is not there or is empty",
    )
    monkeypatch.setenv("CI_SECRET", SHARED)
    assert door.deliver(run(1, "The rate limit of Acme is 700."))[0] == 204
    assert [one.state for one in door.org.status().sources if one.source == "ci"] == ["current"]


@pytest.mark.parametrize("raw", [b"{", b"\xff\x00", b"[" * 100_000, b'"word"', b"[1, null]"])
def test_a_signed_delivery_that_cannot_be_read_is_kept_and_not_sent_again(door: Door, raw: bytes) -> None:
    status, _ = door.deliver(raw)

    kept = door.org.steward("user:owner").quarantined()
    assert status == 204
    assert len(kept) == (2 if raw == b"[1, null]" else 1)


def test_too_long_a_delivery_is_refused_before_it_is_read_whole(door: Door) -> None:
    raw = b" " * (MOST + 1)

    assert door.post("/hooks/ci", raw, {HEADER: signature(SHARED, raw)})[0] == 404


def test_two_signatures_while_a_secret_is_changed_are_as_good_as_one(door: Door) -> None:
    raw = json.dumps(run(1, "The rate limit of Acme is 700.")).encode()
    both = f"{signature('older', raw)}, {signature(SHARED, raw)}"

    assert door.post("/hooks/ci", raw, {HEADER: both})[0] == 204
