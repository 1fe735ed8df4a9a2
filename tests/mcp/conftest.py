"""The demo's company behind MCP over HTTP, spoken to on the wire."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from muniment.app import Org
from muniment.surfaces.http.api import Serving, api
from muniment.surfaces.mcp.door import add_mcp
from muniment.surfaces.mcp.profiles import servers
from tests.http.conftest import company

__all__ = ["Wire", "company"]

ACCEPT = {"Accept": "application/json, text/event-stream"}
Wire = Callable[..., Any]


@pytest.fixture(scope="session")
def served(company: Org) -> Iterator[TestClient]:  # the fixture of the same name
    """The application, running."""
    app: FastAPI = api(company, Serving(step=0.0, a_minute=1_000_000))
    add_mcp(app, servers(company), None)
    with TestClient(app, follow_redirects=False) as client:
        yield client


@pytest.fixture
def wire(served: TestClient, company: Org) -> Wire:
    """A request of the older protocol by somebody's token: the JSON-RPC reply."""

    def send(
        principal: str, method: str, path: str = "/mcp", agent: str | None = None, **params: object
    ) -> Any:
        token = company.tokens.create(principal, agent=agent).token
        said = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        headers = {**ACCEPT, "Authorization": f"Bearer {token}", "MCP-Protocol-Version": "2025-06-18"}
        reply = served.post(path, json=said, headers=headers)
        assert reply.status_code == 200, reply.text
        return reply.json()

    return send
