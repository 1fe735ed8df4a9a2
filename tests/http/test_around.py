"""What stands around the routes: steps of time, sizes, rates, ids of requests, and the published schema."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import checks
from schemathesis.core.result import Ok
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from muniment.app import Org
from muniment.surfaces.http.api import Serving, api
from muniment.surfaces.http.limits import Rate
from muniment.surfaces.http.pad import Padded, rest_of_step
from tests.http.conftest import Client


@given(st.floats(0, 100), st.floats(0.001, 1))
def test_a_reply_waits_for_the_end_of_a_step_and_no_longer(took: float, step: float) -> None:
    rest = rest_of_step(took, step)

    assert -1e-6 <= rest <= step + 1e-6
    assert abs((took + rest) / step - round((took + rest) / step)) < 1e-3


def test_only_padded_paths_wait() -> None:
    now, slept = [0.0], []

    async def inner(_: Scope, __: Receive, send: Send) -> None:
        now[0] += 0.03
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(_: Message) -> None:
        slept.append(now[0])

    async def receive() -> Message:
        return {"type": "http.request"}

    app = Padded(inner, ("/v1",), 0.0, lambda: now[0])
    for path in ("/v1/ask", "/healthz"):
        asyncio.run(app({"type": "http", "path": path}, receive, send))

    assert len(slept) == 2


@given(st.lists(st.floats(0, 5), min_size=1, max_size=50))
def test_nobody_gets_more_than_their_rate(pauses: list[float]) -> None:
    now = [0.0]
    rate, passed = Rate(6, lambda: now[0]), 0

    for pause in pauses:
        now[0] += pause
        passed += rate.wait_for("ann") == 0.0

    assert passed <= 6 + now[0] / 10 + 1
    assert rate.wait_for("bo") == 0.0


def test_a_caller_over_their_rate_is_told_when_to_come_back(company: Org) -> None:
    token = company.tokens.create("user:mara").token
    http = TestClient(
        api(company, Serving(a_minute=2, step=0.0)), headers={"Authorization": f"Bearer {token}"}
    )

    codes = [http.get("/v1/pages").status_code for _ in range(3)]
    last = http.get("/v1/pages")

    assert codes == [200, 200, 429]
    assert int(last.headers["retry-after"]) > 0


def test_a_body_that_is_too_large_is_refused_before_it_is_read(company: Org) -> None:
    token = company.tokens.create("user:mara").token
    http = TestClient(
        api(company, Serving(most=1000, most_events=2000, step=0.0)),
        headers={"Authorization": f"Bearer {token}"},
    )

    def chunks(size: int) -> list[bytes]:
        return [b"x" * 100] * (size // 100)

    assert http.post("/v1/ask", content=b"x" * 1001).status_code == 413
    assert http.post("/v1/ask", content=iter(chunks(1100))).status_code == 413
    assert http.post("/v1/events", content=b"x" * 2001).status_code == 413
    assert http.post("/v1/events", content=b"x" * 1500).status_code == 200


@pytest.mark.parametrize(
    "question",
    ["", "?", "x" * 1_000_000, "\x00", "🙂" * 1000, "'; drop table x; --", "%s %(q)s {} \\", "\u202eabc"],
    ids=["empty", "one", "long", "nul", "emoji", "sql", "format", "rtl"],
)
def test_any_question_gets_a_state(client: Client, question: str) -> None:
    said = client("user:mara").post("/v1/ask", json={"question": question})

    assert said.status_code == 200
    assert said.json()["state"] in ("answered", "not_found", "out_of_scope")


def test_a_request_keeps_a_harmless_id_of_its_own(app: FastAPI) -> None:
    http = TestClient(app)

    assert http.get("/healthz", headers={"X-Request-Id": "abc-1"}).headers["x-request-id"] == "abc-1"
    odd = http.get("/healthz", headers={"X-Request-Id": "a b<script>"}).headers["x-request-id"]
    assert odd != "a b<script>"


def test_what_is_no_time_or_cursor_is_told_so(client: Client) -> None:
    http = client("user:mara")

    for params in ({"as_of": "yesterday"}, {"cursor": "!!"}, {"cursor": "YWZ0ZXI6LTE"}):
        said = http.get("/v1/pages", params=params)
        assert said.status_code == 400
        assert said.headers["content-type"] == "application/problem+json"
    assert http.get("/v1/pages", params={"limit": 0}).status_code == 422


CHECKED = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
]


def test_every_reply_is_as_published(app: FastAPI, company: Org, *, prove: bool) -> None:
    token = company.tokens.create("user:mara").token
    schema = schemathesis.openapi.from_asgi("/openapi.json", app)
    quiet = settings(max_examples=200 if prove else 4, deadline=None, suppress_health_check=list(HealthCheck))

    operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    assert len(operations) == sum(map(len, app.openapi()["paths"].values()))
    for operation in operations:

        @quiet
        @given(operation.as_strategy())
        def conforms(case: schemathesis.Case[Any]) -> None:
            case.call_and_validate(headers={"Authorization": f"Bearer {token}"}, checks=CHECKED)

        conforms()
