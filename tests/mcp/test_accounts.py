"""The accounts profile: the tools of the contract, what they say, and to whom."""

from __future__ import annotations

import json
from typing import Any

import pytest

from muniment.app import Org
from muniment.context.tokens import count_tokens
from muniment.surfaces.mcp.accounts import accounts
from muniment.surfaces.mcp.profile import MOST_INSTRUCTIONS, Seat
from tests.mcp.conftest import Wire

SECRET, NOWHERE = "Orrin & Vale", "Zephyrine Mutual"
THEN = {"as_of": "2026-11-30T09:00:00Z"}
TOOLS = {
    "handoff": {"account": "{}", **THEN},
    "commitments": {"account": "{}", **THEN},
    "landmines": {"account": "{}", **THEN},
    "timeline": {"account": "{}", **THEN},
    "ask": {"question": "What discount do we offer {}?", **THEN},
    "context": {"task": "Prepare a call with {}", **THEN},
    "remember": {"text": "A note.", "evidence": ["{}"]},
}


def called(wire: Wire, who: str, tool: str, **arguments: object) -> Any:
    return wire(who, "tools/call", "/mcp/accounts", name=tool, arguments=arguments)["result"]


def test_the_tools_are_those_of_the_contract(wire: Wire) -> None:
    told = wire("user:mara", "tools/list", "/mcp/accounts")["result"]["tools"]

    assert [one["name"] for one in told] == list(TOOLS)
    assert {one["name"] for one in told if not one["annotations"]["readOnlyHint"]} == {"remember"}


def test_instructions_are_short_enough_to_be_read_whole(company: Org) -> None:
    assert len(accounts(Seat(company)).instructions) < MOST_INSTRUCTIONS


def test_a_page_is_the_python_doors_and_its_lines_lead_to_their_words(wire: Wire, company: Org) -> None:
    told = called(wire, "user:mara", "handoff", account="alsterkontor", **THEN)

    page = company.reader("user:mara", **THEN).handoff("alsterkontor")
    assert told["content"][0]["text"] == page.markdown
    assert told["structuredContent"]["seen"] == page.seen
    assert all(line["citations"] for line in told["structuredContent"]["lines"])
    assert count_tokens(json.dumps(told)) < 25_000


def test_commitments_come_overdue_first_with_their_words(wire: Wire) -> None:
    told = called(wire, "user:mara", "commitments", account="alsterkontor", **THEN)["structuredContent"]

    first = told["commitments"][0]
    assert first["overdue"]
    assert first["debtor"] == "user:jonas"
    assert "draft of the renewal contract" in first["citations"][0]["quote"]


@pytest.mark.parametrize("stranger", ["user:diego", "user:karl", "user:never-seen"])
@pytest.mark.parametrize("tool", TOOLS)
def test_what_is_withheld_is_told_as_what_is_absent(wire: Wire, tool: str, stranger: str) -> None:
    def said(name: str) -> str:
        arguments = json.loads(json.dumps(TOOLS[tool]).replace("{}", name))
        reply = called(wire, stranger, tool, **arguments)
        for part in ("trace", "as_of", "known_at"):  # of each call
            reply.get("structuredContent", {}).pop(part, None)
        return json.dumps(reply).replace(name, "X")

    assert said(SECRET) == said(NOWHERE)
