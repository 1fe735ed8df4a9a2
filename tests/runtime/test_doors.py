"""A task through the command line and over HTTP: the same events, and nothing more than a person may have."""

from __future__ import annotations

import json
from typing import Any

from starlette.testclient import TestClient

from muniment.app import Org
from muniment.surfaces.http.api import Serving, api
from tests.runtime.tasks import Box, Script, answer, call

TASK = "Refund what the policy allows to Acme"
RULE = "at most EUR 300"


def http(org: Org, box: Box | None, who: str, agent: str | None = None) -> TestClient:
    made = org.tokens.create(who, agent=agent)
    headers = {"Authorization": f"Bearer {made.token}"}
    return TestClient(api(org, Serving(step=0.0, tools=box)), headers=headers)


def events(client: TestClient, **body: object) -> list[tuple[str, dict[str, Any]]]:
    reply = client.post("/v1/tasks", json=body)
    assert reply.status_code == 200
    assert reply.headers["content-type"].startswith("text/event-stream")
    each = [one.splitlines() for one in reply.text.split("\n\n") if one]
    return [(name.removeprefix("event: "), json.loads(said.removeprefix("data: "))) for name, said in each]


def test_http_tells_each_event_and_how_it_ended(org: Org, script: Script) -> None:
    script.moves = [answer(("Refunds to Acme are at most EUR 300 each", RULE))]

    told = events(http(org, None, "user:ann"), task=TASK)

    names = [name for name, _ in told]
    assert names[0] == "step"
    assert names[-3:] == ["citation", "sentence", "done"]
    assert told[-1][1]["state"] == "answered"


def test_over_http_a_call_waits_for_the_person_and_no_agent_agrees(org: Org, script: Script) -> None:
    box = Box()
    script.moves = [call("desk.refund", {"amount": 1}, RULE)]
    agent, person = http(org, box, "user:ann", "agent:helper"), http(org, box, "user:ann")

    told = events(agent, task=TASK)
    token = dict(told)["consent"]["token"]
    script.moves = [answer(("Refunds to Acme are at most EUR 300 each", RULE))]
    refused = agent.post("/v1/tasks", json={"task": TASK, "consent": token})
    stranger = http(org, box, "user:bo").post("/v1/tasks", json={"task": TASK, "consent": token})

    assert (told[-1][1]["state"], refused.status_code, stranger.status_code) == ("needs_consent", 403, 404)
    assert box.made == []
    again = events(person, task=TASK, consent=token)
    assert box.made == [("desk.refund", {"amount": 300})]
    assert again[-1][1]["acted"] == ["desk.refund"]
    assert person.post("/v1/tasks", json={"task": TASK, "consent": token}).status_code == 404


def test_a_task_over_http_takes_no_more_than_a_server_gives(org: Org) -> None:
    person = http(org, None, "user:ann")

    for wrong in ({"steps": 21}, {"usd": 99}, {"task": ""}, {"seconds": 0}, {"as": "user:bo"}):
        assert person.post("/v1/tasks", json={"task": TASK, **wrong}).status_code == 422, wrong


def test_nobody_learns_of_what_is_hidden_from_a_stream(org: Org, script: Script) -> None:
    script.moves = [answer()]

    told = events(http(org, None, "user:bo"), task="What is the discount for Acme?")

    assert "18 percent" not in json.dumps(told)
