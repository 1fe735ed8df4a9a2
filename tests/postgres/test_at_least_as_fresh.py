"""A read that asks to be as fresh as a receipt has what the receipt was given for, or says it has not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from muniment.app import Org
from muniment.domain.errors import Malformed, Unavailable
from muniment.jobs import fresh, receive
from muniment.jobs.fresh import await_fresh, token_of
from muniment.surfaces.http.api import Serving, api
from tests.planted import plant
from tests.worlds import Clock, open_org, person, said, taken

pytest.importorskip("fastapi", reason="the extra `serve` is not installed")
from starlette.testclient import TestClient


@pytest.fixture
def org(url: str, tenant: str, clock: Clock) -> Iterator[Org]:
    with open_org(url, tenant, clock) as org:
        taken(org, [person("user:ann")])
        yield org


class Timer:
    """Time that passes only by waiting, and what happens while one waits."""

    def __init__(self, org: Org, *, compiles: bool) -> None:
        self.at, self._org, self._compiles = 0.0, org, compiles

    def ticks(self) -> float:
        return self.at

    def wait(self, seconds: float) -> None:
        self.at += seconds
        if self._compiles:
            self._org.sync()


def waited(org: Org, token: str, *, compiles: bool) -> float:
    timer = Timer(org, compiles=compiles)
    await_fresh(org._work, token, timer.ticks, timer.wait)
    return timer.at


def test_what_is_compiled_is_not_waited_for(org: Org) -> None:
    receipt = taken(org, [said("m1", "The zorblat of Acme is 7.")])

    assert waited(org, receipt.token, compiles=False) == 0


def test_a_read_waits_until_what_was_deferred_is_compiled(org: Org) -> None:
    receipt = taken(org, [said("m1", "The zorblat of Acme is 7.")], defer=True)
    assert org.reader("user:ann").search("zorblat") == []

    assert 0 < waited(org, receipt.token, compiles=True) < fresh.PATIENCE
    assert [hit.item for hit in org.reader("user:ann").search("zorblat")] == ["m1"]


def test_every_batch_of_an_import_is_waited_for(org: Org, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, receive, "BATCH", 2)
    receipt = taken(org, [said(f"m{number}", f"Word {number}.") for number in range(5)], defer=True)
    first = org.steward("user:owner").audit(action="import")[2]
    assert first.detail["token"] != receipt.token

    with pytest.raises(Unavailable):
        waited(org, receipt.token, compiles=False)


def test_a_read_that_waited_long_enough_says_so(org: Org) -> None:
    receipt = taken(org, [said("m1", "The zorblat of Acme is 7.")], defer=True)

    with pytest.raises(Unavailable, match="not here yet"):
        waited(org, receipt.token, compiles=False)


def test_what_others_handed_in_is_neither_waited_for_nor_told_of(org: Org) -> None:
    receipt = taken(org, [said("m1", "The zorblat of Acme is 7.")])
    taken(org, [said("x1", "Hidden.", source="other")], importer="user:bo", defer=True)

    assert waited(org, receipt.token, compiles=False) == 0


def test_a_token_of_a_write_that_is_not_here_is_not_taken_for_fresh(org: Org) -> None:
    """As on a replica that is behind, or after the record was restored from before it."""
    with pytest.raises(Unavailable):
        waited(org, token_of(org._work.key, "FFFF/0"), compiles=True)


@pytest.mark.parametrize("token", ["", "0/16B3748", "0/0.00", "é.é", "x" * 200])
def test_a_guess_tells_nothing(org: Org, token: str) -> None:
    with pytest.raises(Malformed, match="on no receipt"):
        waited(org, token, compiles=False)


def test_a_token_of_another_organisation_is_none(url: str, org: Org, tenant: str) -> None:
    with open_org(url, f"{tenant}-other") as other:
        receipt = taken(other, [said("m1", "Elsewhere.")])

    with pytest.raises((Malformed, Unavailable)):
        waited(org, receipt.token, compiles=False)


def test_over_http_it_is_a_field_or_a_header(org: Org, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, fresh, "PATIENCE", 0.05)
    done = taken(org, [said("m1", "The zorblat of Acme is 7.")]).token
    clock.forward(minutes=1)
    late = taken(org, [said("m2", "The frimp of Acme is 8.")], defer=True).token
    token = org.tokens.create("user:ann").token
    http = TestClient(api(org, Serving(step=0.0)), headers={"Authorization": f"Bearer {token}"})

    def statuses(fresh: str) -> list[int]:
        return [
            http.post("/v1/ask", json={"question": "zorblat", "at_least_as_fresh": fresh}).status_code,
            http.get("/v1/search", params={"q": "zorblat", "at_least_as_fresh": fresh}).status_code,
            http.get("/v1/pages", headers={"At-Least-As-Fresh": fresh}).status_code,
        ]

    assert statuses(done) == [200, 200, 200]
    assert statuses(late) == [503, 503, 503]
    assert statuses("made up") == [400, 400, 400]
    refused = http.get("/v1/pages", headers={"At-Least-As-Fresh": late})
    assert int(refused.headers["Retry-After"]) > 0
