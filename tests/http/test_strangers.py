"""Every route, called as nobody, as a stranger and with what is wrong: nothing, told as what is not there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from httpx2 import Response
from starlette.testclient import TestClient

from muniment.app import Org
from tests.http.conftest import Client

THEN = {"as_of": "2026-11-30T09:00:00Z", "known_at": "2030-01-01T00:00:00Z"}
SECRET, NOWHERE = "Orrin & Vale", "Zephyrine & Mutual"  # as many words: a task counts them
# Felix was deactivated: he is told what anybody is told who has no token, see test_tokens_end.
STRANGERS = ("user:diego", "user:noor", "user:karl", "user:never-seen")
_TRACE = re.compile(r'"trace": "[0-9a-f]*"')
# Each route with a request that names {}; a new route that is on no list fails.
NAMING: dict[tuple[str, str], list[dict[str, object]]] = {
    ("POST", "/v1/ask"): [{"json": {"question": "What discount do we offer {}?", **THEN}}],
    ("POST", "/v1/context"): [{"json": {"task": "Prepare a call with {}", **THEN}}],
    ("POST", "/v1/tasks"): [{"json": {"task": "Prepare a call with {}", **THEN}}],
    ("GET", "/v1/search"): [
        {"params": {"q": "{}", "unit": unit, **THEN}} for unit in ("item", "passage", "claim", "page")
    ],
    ("GET", "/v1/pages/{entity:path}"): [{"path": "/v1/pages/{}", "params": THEN}],
    ("GET", "/v1/timeline/{entity:path}"): [{"path": "/v1/timeline/{}", "params": THEN}],
    ("POST", "/v1/locate"): [{"json": {"terms": "{}", **THEN}}],
    ("POST", "/v1/expand"): [{"json": {"node": "{}", **THEN}}],
    **{
        ("GET", f"/v1/accounts/{{account:path}}/{verb}"): [
            {"path": f"/v1/accounts/{{}}/{verb}", "params": THEN}
        ]
        for verb in ("handoff", "commitments", "landmines", "due.ics")
    },
    ("POST", "/v1/accounts/{account:path}/handoff"): [
        {"path": "/v1/accounts/{}/handoff", "json": {"seen": "0" * 32}}
    ],
    ("GET", "/v1/checkpoints/{task:path}"): [{"path": "/v1/checkpoints/{}"}],
    ("GET", "/v1/topology/{entity:path}"): [{"path": "/v1/topology/{}", "params": THEN}],
}
# Each route of one incident, with what it carries.
OF_INCIDENT: dict[tuple[str, str], dict[str, Any]] = {
    ("GET", "/v1/incidents/{incident}"): {"params": THEN},
    ("GET", "/v1/incidents/{incident}/checkpoint"): {},
    ("GET", "/v1/incidents/{incident}/briefing"): {"params": THEN},
    ("POST", "/v1/incidents/{incident}/observations"): {"json": {"text": "the queue grows"}},
    ("POST", "/v1/incidents/{incident}/gathered"): {"json": {"services": ["checkout"]}},
    ("POST", "/v1/incidents/{incident}/hypotheses"): {"json": {"statement": "it is stuck"}},
    ("POST", "/v1/incidents/{incident}/verdicts"): {
        "json": {"target": f"h_{'0' * 32}", "verdict": "ignored"},
    },
    ("PUT", "/v1/incidents/{incident}/checkpoint"): {"json": {"goal": "find out"}},
    ("POST", "/v1/incidents/{incident}/close"): {"json": {"result": "it went away"}},
    ("POST", "/v1/incidents/{incident}/proposals"): {"json": {"steps": ["restart it"], "reuse": "again"}},
}
BY_ID = {
    ("GET", "/v1/citations/{id_}"),
    ("GET", "/v1/claims/{id_}/history"),
    ("POST", "/v1/citations/{id_}/report"),
}
LISTS = {
    ("GET", "/v1/pages"),
    ("GET", "/v1/incidents"),
    ("GET", "/v1/memories/unused"),
    ("GET", "/v1/memories/duplicates"),
    ("GET", "/v1/memories/recurring"),
}
HANDING_IN = {
    ("POST", "/v1/events"),
    ("POST", "/v1/notes"),
    ("POST", "/v1/incidents"),
    ("PUT", "/v1/checkpoints/{task:path}"),
}
DESK = {
    ("GET", "/v1/candidates"),
    ("GET", "/v1/candidates/{id_}"),
    ("POST", "/v1/candidates/{id_}"),
    ("GET", "/v1/status"),
    ("GET", "/v1/upkeep"),
    ("POST", "/v1/upkeep"),
    ("GET", "/metrics"),
}
OPEN = {("GET", "/healthz"), ("GET", "/readyz")}


def routes(app: FastAPI) -> Iterator[tuple[str, str]]:
    """Every route there is."""
    for path, item in app.openapi()["paths"].items():
        yield from ((method.upper(), path) for method in item)


def _told(reply: Response) -> object:
    """What a reply holds; of a stream, what each event does."""
    if reply.headers["content-type"].startswith("text/event-stream"):
        return [json.loads(line[6:]) for line in reply.text.splitlines() if line.startswith("data: ")]
    return reply.json()


def _plain(path: str) -> str:
    return path.replace(":path}", "}")


def test_every_route_is_on_a_list(app: FastAPI) -> None:
    known = {*NAMING, *BY_ID, *OF_INCIDENT, *LISTS, *HANDING_IN, *DESK, *OPEN}

    assert {(method, _plain(path)) for method, path in known} == set(routes(app))
    assert not [route for route in app.routes if isinstance(route, APIRoute) and not route.include_in_schema]


def test_nobody_is_answered_without_a_token_that_holds(app: FastAPI, company: Org) -> None:
    made = company.tokens.create("user:mara", lasts=timedelta(days=1))
    revoked = company.tokens.create("user:mara")
    company.tokens.revoke("user:mara", revoked.id)
    wrong = [
        "",
        made.token,
        "Bearer",
        "Bearer ",
        f"Basic {made.token}",
        f"Bearer {made.token[:-1]}",
        f"Bearer {made.token[:-1]}{'0' if made.token[-1] != '0' else '1'}",
        f"Bearer {made.token}0",
        f"Bearer {revoked.token}",
        "Bearer mnt_0000000000000000_" + "0" * 64,
        "Bearer a.b.c",
        "Bearer \x7f'; drop table muniment.token; --",
    ]
    client = TestClient(app)

    replies = set()
    for method, path in routes(app):
        if (method, path) in OPEN:
            continue
        for header in wrong:
            said = client.request(method, path, headers={"Authorization": header} if header else {})
            replies.add((said.status_code, said.text, said.headers["www-authenticate"]))

    assert len(replies) == 1
    assert next(iter(replies))[0] == 401


def test_a_token_ends_when_it_said(company: Org, app: FastAPI) -> None:
    made = company.tokens.create("user:mara", lasts=timedelta(microseconds=1))

    said = TestClient(app).get("/v1/pages", headers={"Authorization": f"Bearer {made.token}"})

    assert said.status_code == 401


@pytest.mark.parametrize("stranger", STRANGERS)
def test_a_name_that_is_not_for_a_stranger_is_one_that_nobody_wrote(client: Client, stranger: str) -> None:
    http = client(stranger)

    def said(method: str, path: str, request: dict[str, object], name: str) -> tuple[int, str]:
        filled = json.loads(json.dumps({"path": path, **request}).replace("{}", name))
        reply = http.request(method, filled.pop("path"), **filled)
        return reply.status_code, _TRACE.sub('"trace": null', json.dumps(_told(reply))).replace(name, "X")

    for (method, path), requests in NAMING.items():
        for request in requests:
            assert said(method, path, request, SECRET) == said(method, path, request, NOWHERE), path


@pytest.mark.parametrize("stranger", STRANGERS)
def test_an_id_that_is_not_for_a_stranger_is_one_that_was_never_given(client: Client, stranger: str) -> None:
    question = {"question": f"What discount do we offer {SECRET}?", **THEN}
    known = client("user:mara").post("/v1/ask", json=question).json()["citations"][0]
    http = client(stranger)

    for method, path in BY_ID:
        real = known["claim"] or "0" * 32 if "claims" in path else known["id"]
        tried = [real, f"{real[:2]}{'0' * (len(real) - 2)}", "nonsense", "%00", "é" * 300]
        replies = {
            (said.status_code, said.text)
            for one in tried
            for said in [
                http.request(method, path.replace("{id_}", one), json={} if method == "POST" else None)
            ]
        }
        assert {code for code, _ in replies} == {404}
        assert len(replies) == 1


@pytest.mark.parametrize("stranger", STRANGERS)
def test_an_incident_that_is_not_for_a_stranger_is_one_that_was_never_opened(
    client: Client, stranger: str
) -> None:
    begun = client("user:oskar").post("/v1/incidents", json={"title": f"Private, not for {stranger}"})
    secret, http = begun.json()["incident"], client(stranger)

    for (method, path), carried in OF_INCIDENT.items():
        replies = {
            (said.status_code, said.text)
            for one in (secret, "inc-0000000000000000", "nonsense", "%00", "é" * 300)
            for said in [http.request(method, path.replace("{incident}", one), **carried)]
        }
        assert {code for code, _ in replies} == {404}, path
        assert len(replies) == 1, path


@pytest.mark.parametrize("stranger", [one for one in STRANGERS if one != "user:diego"])
def test_an_alert_that_is_not_for_a_stranger_opens_nothing(client: Client, stranger: str) -> None:
    http = client(stranger)

    replies = {
        (said.status_code, said.text)
        for name in ("alerts:a-3101", "alerts:a-0000", "nonsense")
        for said in [http.post("/v1/incidents", json={"alert": name})]
    }

    assert {code for code, _ in replies} == {404}
    assert len(replies) == 1


@pytest.mark.parametrize("stranger", ["user:never-seen"])
def test_someone_without_any_rights_lists_nothing(client: Client, stranger: str) -> None:
    for _, path in LISTS:
        assert client(stranger).get(path).json() == {"items": [], "cursor": None}


@pytest.mark.parametrize("stranger", STRANGERS)
def test_the_desk_is_not_there_for_a_stranger(client: Client, stranger: str) -> None:
    http, absent = client(stranger), client(stranger).get("/v1/candidates/none")

    for method, path in DESK:
        act = "retire" if path == "/v1/upkeep" else "approve"
        said = http.request(method, path.replace("{id_}", "c_1"), json={"act": act})
        assert (said.status_code, said.text) == (404, absent.text)


def test_nothing_in_a_request_chooses_another_principal(client: Client) -> None:
    http, question = client("user:diego"), {"question": f"What discount do we offer {SECRET}?", **THEN}

    def said(**headers: str) -> object:
        reply = http.post("/v1/ask", json=question, headers=headers).json()
        return {**reply, "trace": None}

    for extra in ({"X-Principal": "user:mara"}, {"X-Forwarded-User": "user:mara"}, {"As": "user:mara"}):
        assert said(**extra) == said()
    for name in ("as", "principal", "agent", "user"):
        assert http.post("/v1/ask", json={**question, name: "user:mara"}).status_code == 422
