"""The memory profile: eight tools at most, what they say, and to whom."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from mcp.client import Client
from starlette.testclient import TestClient

from muniment.app import Org
from muniment.context.tokens import count_tokens
from muniment.domain.principals import Bearer
from muniment.surfaces.mcp.memory import memory
from muniment.surfaces.mcp.profile import MOST_INSTRUCTIONS, MOST_TOOLS, Seat, server_of
from tests.mcp.conftest import ACCEPT, Wire

SECRET, NOWHERE = "Orrin & Vale", "Zephyrine Mutual"
OURS = "http://testserver"
TOOLS = {
    "search": {"query": "discount {}"},
    "fetch": {"id": "{}"},
    "context": {"task": "Prepare a call with {}"},
    "page": {"entity": "{}"},
    "locate": {"terms": "{}"},
    "expand": {"node": "{}"},
    "remember": {"text": "A note.", "evidence": ["{}"]},
    "report": {"citation": "{}", "problem": "wrong"},
}


def called(wire: Wire, who: str, tool: str, **arguments: object) -> Any:
    return wire(who, "tools/call", name=tool, arguments=arguments)["result"]


def test_the_tools_are_those_of_the_contract(wire: Wire) -> None:
    told = wire("user:mara", "tools/list")["result"]["tools"]

    assert [one["name"] for one in told] == list(TOOLS)
    assert len(told) <= MOST_TOOLS
    reads = {one["name"] for one in told if one["annotations"]["readOnlyHint"]}
    assert reads == set(TOOLS) - {"remember", "report"}


def test_instructions_are_short_enough_to_be_read_whole(company: Org) -> None:
    assert len(memory(Seat(company)).instructions) < MOST_INSTRUCTIONS


def test_a_question_is_answered_with_what_can_be_fetched(wire: Wire) -> None:
    found = called(wire, "user:mara", "search", query=f"discount {SECRET}")["structuredContent"]["results"]

    fetched = called(wire, "user:mara", "fetch", id=found[0]["id"])["structuredContent"]

    assert {"id", "title", "url", "text"} <= set(found[0])
    assert fetched["id"] == found[0]["id"]
    assert fetched["metadata"]["trust"] == found[0]["trust"]


def test_a_pack_is_the_python_doors_and_keeps_its_budget(wire: Wire) -> None:
    told = called(wire, "user:mara", "context", task=f"Renew {SECRET}", token_budget=500)

    pack = told["structuredContent"]
    assert pack["state"] == "answered"
    assert pack["budget"]["used"] <= 500
    assert told["content"][0]["text"] == pack["text"]
    assert count_tokens(json.dumps(told)) < 25_000


@pytest.mark.parametrize("stranger", ["user:diego", "user:noor", "user:never-seen"])
@pytest.mark.parametrize("tool", TOOLS)
def test_what_is_withheld_is_told_as_what_is_absent(wire: Wire, tool: str, stranger: str) -> None:
    def said(name: str) -> str:
        arguments = json.loads(json.dumps(TOOLS[tool]).replace("{}", name))
        reply = called(wire, stranger, tool, **arguments)
        reply.get("structuredContent", {}).pop("trace", None)
        for time in ("as_of", "known_at"):  # the instant of each call
            reply.get("structuredContent", {}).pop(time, None)
        return json.dumps(reply).replace(name, "X")

    assert said(SECRET) == said(NOWHERE)


def test_a_page_is_a_resource_that_nobody_keeps(company: Org, wire: Wire) -> None:
    entity = next(one.entity for one in company.reader("user:mara").pages() if one.kind == "account")

    mine = wire("user:mara", "resources/read", uri=f"wiki://{entity}")
    theirs = wire("user:never-seen", "resources/read", uri=f"wiki://{entity}")
    nobodys = wire("user:never-seen", "resources/read", uri="wiki://zephyrine")

    assert mine["result"]["contents"][0]["text"].startswith("# ")
    assert json.dumps(theirs["error"]).replace(entity, "X") == json.dumps(nobodys["error"]).replace(
        "zephyrine", "X"
    )


def test_the_newer_protocol_is_spoken_at_the_same_address(served: TestClient, company: Org) -> None:
    token = company.tokens.create("user:mara").token
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    headers = {**ACCEPT, "Authorization": f"Bearer {token}", "MCP-Protocol-Version": "2026-07-28"}

    def send(method: str, **params: object) -> Any:
        named = {"Mcp-Name": str(params["uri"])} if "uri" in params else {}
        said = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}
        return served.post("/mcp", json=said, headers={**headers, "Mcp-Method": method, **named}).json()[
            "result"
        ]

    assert send("server/discover")["instructions"].startswith("Muniment")
    listed = send("tools/list")
    assert (listed["ttlMs"], listed["cacheScope"]) == (0, "private")
    entity = next(one.entity for one in company.reader("user:mara").pages() if one.kind == "account")
    read = send("resources/read", uri=f"wiki://{entity}")
    assert (read["ttlMs"], read["cacheScope"]) == (0, "private")


def test_nobody_passes_without_a_token_or_from_another_origin(served: TestClient, company: Org) -> None:
    token = company.tokens.create("user:mara").token
    said = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}

    without = served.post("/mcp", json=said, headers=ACCEPT)
    elsewhere = served.post(
        "/mcp",
        json=said,
        headers={**ACCEPT, "Authorization": f"Bearer {token}", "Origin": "https://evil.example"},
    )
    told = served.get("/.well-known/oauth-protected-resource/mcp")

    assert without.status_code == 401
    assert "/.well-known/oauth-protected-resource/mcp" in without.headers["www-authenticate"]
    assert elsewhere.status_code == 403
    assert told.json()["resource"].endswith("/mcp")


@pytest.mark.parametrize(
    "origin",
    ["http://[x", "//testserver", "http://testserver.evil.example", "null", "", "http://a@testserver"],
)
def test_an_origin_that_is_not_ours_or_none_at_all_is_refused(
    served: TestClient, company: Org, origin: str
) -> None:
    token = company.tokens.create("user:mara").token
    headers = {**ACCEPT, "Authorization": f"Bearer {token}"}
    said = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}

    replies = [served.post("/mcp", json=said, headers={**headers, "Origin": one}) for one in (origin, OURS)]

    assert [one.status_code for one in replies] == [403, 200]


def test_the_sdks_own_client_gets_along(company: Org) -> None:
    server = server_of(memory(Seat(company, Bearer("user:mara"))), "0")

    async def talk() -> tuple[int, Any]:
        async with Client(server) as client:
            tools = await client.list_tools()
            told = await client.call_tool("search", {"query": f"discount {SECRET}"})
            return len(tools.tools), told.structured_content

    count, told = asyncio.run(talk())

    assert count == len(TOOLS)
    assert told["results"]
