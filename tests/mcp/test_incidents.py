"""The incidents profile over HTTP: its tools, a walk through them, and strangers to it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from muniment.app import Org, count_tokens
from muniment.domain.principals import Bearer
from muniment.surfaces.mcp.incidents import incidents
from muniment.surfaces.mcp.profile import MOST_INSTRUCTIONS, Seat
from tests.mcp.conftest import Wire

PATH = "/mcp/incidents"
NONE = "inc-0000000000000000"
OF_INCIDENT: dict[str, dict[str, object]] = {
    "observe": {"incident": "{}", "text": "the queue grows"},
    "hypothesis": {"incident": "{}", "statement": "it is stuck"},
    "briefing": {"incident": "{}"},
    "verdict": {"incident": "{}", "target": f"h_{'0' * 32}", "verdict": "ignored"},
    "checkpoint": {"incident": "{}", "goal": "find out"},
    "close": {"incident": "{}", "result": "it went away"},
    "context": {"task": "{}"},
}


def called(wire: Wire, who: str, name: str, agent: str | None = None, **arguments: object) -> Any:
    return wire(who, "tools/call", path=PATH, agent=agent, name=name, arguments=arguments)["result"]


def test_the_tools_are_those_of_the_contract(wire: Wire) -> None:
    tools = wire("user:oskar", "tools/list", path=PATH)["result"]["tools"]

    names = [one["name"] for one in tools]
    assert names == "open observe hypothesis briefing verdict checkpoint close context".split()
    reads = [one["name"] for one in tools if one["annotations"]["readOnlyHint"]]
    assert reads == ["briefing", "context"]


def test_every_tool_of_one_incident_is_tried_as_a_stranger(wire: Wire) -> None:
    tools = wire("user:oskar", "tools/list", path=PATH)["result"]["tools"]

    assert {one["name"] for one in tools} == {"open", *OF_INCIDENT}


def test_instructions_are_short_enough_to_be_read_whole(company: Org) -> None:
    profile = incidents(Seat(company, Bearer("user:oskar")))

    assert len(profile.instructions) <= MOST_INSTRUCTIONS


def test_an_agent_investigates_with_hints_and_a_person_confirms(wire: Wire) -> None:
    agent = "agent:oncall"
    opened = called(wire, "user:oskar", "open", agent, alert="alerts:a-3102", audience=["group:sre"])[
        "structuredContent"
    ]
    incident = opened["incident"]
    seen = called(
        wire, "user:oskar", "observe", agent, incident=incident, text="notAfter lies in the past",
        tool="openssl", query="x509 -enddate",
    )["structuredContent"]  # fmt: skip

    briefing = called(wire, "user:lena", "briefing", agent, incident=incident)["structuredContent"]

    (hint,) = [one for one in briefing["hints"] if "expired client certificate" in one["statement"]]
    assert hint["warning"] == "history, not evidence"
    judged = called(
        wire, "user:lena", "verdict", agent, incident=incident, target=hint["id"], verdict="adopted",
        evidence=[seen["id"]],
    )["structuredContent"]  # fmt: skip
    assert judged["kind"] == "verdict"
    again = called(wire, "user:oskar", "briefing", incident=incident)["structuredContent"]
    assert {one["id"]: one["verdict"] for one in again["hints"]}[hint["id"]] == "adopted"
    whole = called(wire, "user:lena", "context", task=incident)
    assert len(whole["structuredContent"]["entries"]) == 3
    assert count_tokens(json.dumps(whole)) < 25_000


@pytest.mark.parametrize("stranger", ["user:diego", "user:karl", "user:never-seen"])
@pytest.mark.parametrize("tool", OF_INCIDENT)
def test_what_is_withheld_is_told_as_what_is_absent(wire: Wire, tool: str, stranger: str) -> None:
    title = f"Private: {tool}, not for {stranger}"
    secret = called(wire, "user:oskar", "open", title=title)["structuredContent"]["incident"]

    def said(name: str) -> str:
        arguments = json.loads(json.dumps(OF_INCIDENT[tool]).replace("{}", name))
        return json.dumps(called(wire, stranger, tool, **arguments)).replace(name, "X")

    assert said(secret) == said(NONE)
    assert '"isError": true' in said(secret)


@pytest.mark.parametrize("stranger", ["user:noor", "user:karl", "user:never-seen"])
def test_a_stranger_opens_nothing_from_an_alert_that_is_not_for_them(wire: Wire, stranger: str) -> None:
    replies = [called(wire, stranger, "open", alert=name) for name in ("alerts:a-3101", "alerts:a-0000")]

    assert replies[0] == replies[1]
    assert replies[0]["isError"]
