"""Every verb over HTTP says what the Python door says, for the same principal at the same moment."""

from __future__ import annotations

import json

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from muniment.app import Org, View
from tests.http.conftest import Client

THEN = {"as_of": "2026-11-30T09:00:00Z", "known_at": "2030-01-01T00:00:00Z"}
QUESTION = "What discount do we offer Orrin & Vale?"


def bare(value: object) -> dict[str, object]:
    """The value without its trace, which is of the instant of the call."""
    assert isinstance(value, dict)
    return {name: part for name, part in value.items() if name != "trace"}


@pytest.fixture
def mara(company: Org) -> View:
    return company.reader("user:mara", **THEN)


def test_an_answer_is_the_same(client: Client, mara: View) -> None:
    said = client("user:mara").post("/v1/ask", json={"question": QUESTION, **THEN})

    assert said.status_code == 200
    assert bare(said.json()) == bare(mara.ask(QUESTION).model_dump())
    assert said.json()["state"] == "answered"


def test_a_pack_is_the_same_and_goes_on_at_its_cursor(client: Client, mara: View) -> None:
    http, task = client("user:mara"), "Prepare the renewal with Orrin & Vale"
    said = {"task": task, "budget": 300, **THEN}

    first = http.post("/v1/context", json=said).json()
    second = http.post("/v1/context", json={**said, "cursor": first["cursor"]}).json()

    assert bare(first) == bare(mara.context(task, budget=300).model_dump())
    assert first["cursor"] is not None
    assert first["budget"]["used"] <= 300
    assert {one["text"] for one in first["parts"]}.isdisjoint(one["text"] for one in second["parts"])


@pytest.mark.parametrize("unit", ["item", "passage", "claim", "page"])
def test_a_search_is_the_same(client: Client, mara: View, unit: str) -> None:
    said = client("user:mara").get("/v1/search", params={"q": "discount", "unit": unit, "limit": 5, **THEN})

    assert said.json()["items"] == [one.model_dump() for one in mara.search("discount", limit=5, unit=unit)]
    assert said.json()["items"]


def test_pages_timelines_and_nodes_are_the_same(client: Client, mara: View) -> None:
    http = client("user:mara")

    listed = http.get("/v1/pages", params=THEN).json()["items"]
    assert listed == [one.model_dump() for one in mara.pages()]
    entity = next(one["entity"] for one in listed if one["kind"] == "account")
    assert http.get(f"/v1/pages/{entity}", params=THEN).json() == mara.page(entity).model_dump()
    timeline = http.get(f"/v1/timeline/{entity}", params={**THEN, "limit": 1000}).json()
    assert timeline["items"] == [one.model_dump() for one in mara.timeline(entity)]
    found = http.post("/v1/locate", json={"terms": "Orrin & Vale", **THEN}).json()["items"]
    assert found == [one.model_dump() for one in mara.locate("Orrin & Vale")]
    node = http.post("/v1/expand", json={"node": found[0]["id"], **THEN}).json()
    assert node == mara.expand(found[0]["id"]).model_dump()


def test_a_citation_is_explained_and_its_claim_has_a_history(client: Client, company: Org) -> None:
    http, reader = client("user:mara"), company.reader("user:mara")
    hit = http.get("/v1/search", params={"q": "discount", "unit": "claim"}).json()["items"][0]

    explained = http.get(f"/v1/citations/{hit['citation']['id']}").json()
    history = http.get(f"/v1/claims/{hit['citation']['claim']}/history").json()["items"]

    assert explained["passage"] == reader.explain(hit["citation"]["id"]).passage
    assert [one["statement"] for one in history] == [
        one.statement for one in reader.history(hit["citation"]["claim"])
    ]


def test_memories_are_found_shown_retired_and_restored(client: Client, company: Org) -> None:
    http, desk = client("user:root"), company.steward("user:root").upkeep
    listed = http.get("/v1/upkeep", params={"limit": 1000}).json()["items"]
    asked = {"act": "retire", "findings": ["never-hit"], "older": "1d"}
    shown = http.post("/v1/upkeep", json=asked).json()

    late = http.post("/v1/upkeep", json={**asked, "seen": "0"})
    done = http.post("/v1/upkeep", json={**asked, "seen": shown["seen"], "reason": "a test"}).json()
    left = desk.findings()
    back = http.post("/v1/upkeep", json={"act": "restore", "ids": [done["batch"]]}).json()

    assert shown["batch"] is None
    assert shown["memories"]
    assert late.status_code == 409
    assert not {one.id for one in left} & {one["id"] for one in shown["memories"]}
    assert len(back["memories"]) == len(shown["memories"])
    assert listed == [one.model_dump() for one in desk.findings()]
    for wrong in (
        {"act": "retire"},
        {"act": "restore"},
        {**asked, "older": "soon"},
        {"act": "merge", "ids": ["x"]},
    ):
        assert http.post("/v1/upkeep", json=wrong).status_code == 400


def test_pages_of_a_list_are_the_list(client: Client) -> None:
    http, found, cursor = client("user:mara"), [], None
    whole = http.get("/v1/pages", params={**THEN, "limit": 1000}).json()

    for _ in range(100):
        part = http.get(
            "/v1/pages", params={**THEN, "limit": 3} | ({"cursor": cursor} if cursor else {})
        ).json()
        found += part["items"]
        if (cursor := part["cursor"]) is None:
            break

    assert whole["cursor"] is None
    assert found == whole["items"]


def test_events_are_taken_in_as_lines_and_as_an_array(client: Client) -> None:
    http = client("user:root")
    event = {"source": "http-test", "op": "upsert", "kind": "message", "at": "2026-06-01T00:00:00Z"}
    mine = {**event, "audience": [["user:root"]]}
    events = [{**mine, "id": f"m{n}", "body": f"Number {n} is here."} for n in range(3)]

    lines = http.post("/v1/events", content="\n".join(json.dumps(one) for one in events) + "\nnot json\n")
    array = http.post("/v1/events", json=events)

    assert (lines.json()["accepted"], lines.json()["quarantined"]) == (3, 1)
    assert array.json()["duplicate"] == 3
    assert http.post("/v1/ask", json={"question": "Where is number 2?"}).json()["state"] == "answered"


def test_a_key_stands_for_one_body(client: Client) -> None:
    http, key = client("user:root"), {"Idempotency-Key": "k1"}
    event = {"source": "http-test", "op": "upsert", "kind": "message", "at": "2026-06-01T00:00:00Z"}
    first = [{**event, "id": "k1", "body": "One.", "audience": [["user:root"]]}]
    other = [{**event, "id": "k2", "body": "Two.", "audience": [["user:root"]]}]

    codes = [http.post("/v1/events", json=one, headers=key).status_code for one in (first, first, other)]

    assert codes == [200, 200, 409]
    assert client("user:mara").post("/v1/events", json=[], headers=key).status_code == 200


def test_a_note_is_its_authors_and_a_citation_can_be_reported(client: Client) -> None:
    http = client("user:mara")

    note = http.post("/v1/notes", json={"text": "Ask Vale about the kiwi crates."})
    mine = http.post("/v1/ask", json={"question": "What about the kiwi crates?"}).json()
    theirs = client("user:diego").post("/v1/ask", json={"question": "What about the kiwi crates?"}).json()
    reported = http.post(f"/v1/citations/{mine['citations'][0]['id']}/report", json={"problem": "old"})

    assert note.status_code == 200
    assert mine["state"] == "answered"
    assert theirs["state"] != "answered"
    assert reported.json()["problem"] == "old"


def test_the_desk_is_a_stewards(client: Client) -> None:
    steward, diego = client("user:root"), client("user:diego")

    for path in ("/v1/status", "/v1/candidates", "/v1/candidates/c_1", "/metrics"):
        assert diego.get(path).status_code == 404
    assert steward.get("/v1/status").json()["queue"]["dead"] == 0
    assert 'muniment_http_requests_total{method="GET"' in steward.get("/metrics").text
    assert steward.get("/v1/candidates").status_code == 200


def test_an_agent_reads_no_more_than_whom_it_acts_for_and_sits_at_no_desk(client: Client) -> None:
    agent = client("user:mara", "agent:helper")
    diegos = client("user:diego", "agent:helper")

    assert agent.post("/v1/ask", json={"question": QUESTION, **THEN}).json()["state"] == "answered"
    assert diegos.post("/v1/ask", json={"question": QUESTION, **THEN}).json()["state"] != "answered"
    assert client("user:root", "agent:helper").get("/v1/status").status_code == 404
    assert agent.post("/v1/events", json=[]).status_code == 403


def test_a_process_says_whether_it_lives_and_can_answer(app: FastAPI) -> None:
    nobody = TestClient(app)

    assert nobody.get("/healthz").json() == {"ok": True, "why": None}
    assert nobody.get("/readyz").json() == {"ok": True, "why": None}
    assert nobody.get("/openapi.json").json()["openapi"].startswith("3.")
