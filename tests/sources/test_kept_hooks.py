"""A hook is kept from one delivery to the next, and not for longer than what it learned can be relied on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from muniment.app import Org
from muniment.domain.errors import Refused
from muniment.domain.values import Receipt
from muniment.jobs.connections import connected
from muniment.jobs.hear import hear
from muniment.jobs.hooks import KEPT_FOR, MOST, Hooks
from tests.sources.slack_workspace import (
    JUNE,
    NOW,
    SECRET,
    TOKEN,
    Json,
    Workspace,
    callback,
    company,
    delivery,
    message,
    served,
)
from tests.worlds import Clock, open_org

FIRST = [
    "auth.test",
    "conversations.info",
    "conversations.info",
    "conversations.members",
    "users.list",
]
NEXT = ["conversations.info", "conversations.members"]  # who may read what was just written


@pytest.fixture
def workspace() -> Workspace:
    return company()


@pytest.fixture
def clock() -> Clock:
    return Clock(NOW)


@pytest.fixture
def said(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """How the workspace is connected."""
    monkeypatch.setenv("SLACK_TOKEN", TOKEN)
    monkeypatch.setenv("SLACK_SECRET", SECRET)
    with served(workspace) as address:
        yield {"token": "env:SLACK_TOKEN", "signing_secret": "env:SLACK_SECRET", "base_url": address}


@pytest.fixture
def org(url: str, tenant: str, clock: Clock, said: dict[str, str]) -> Iterator[Org]:
    with open_org(url, tenant, clock) as org:
        org.connect("slack", "slack", said)
        yield org


def asked(org: Org, workspace: Workspace, clock: Clock, number: int) -> list[str]:
    """What Slack is asked when a message is delivered a moment from now."""
    clock.at += timedelta(seconds=1)
    written = (clock.at.timestamp() - JUNE) / 60
    said: Json = {
        **message(f"Message {number}.", written),
        "channel": "C1",
        "channel_type": "channel",
    }
    one = delivery(callback(said), clock.at)
    before = len(workspace.asked)

    org.hear("slack", one.raw, one.headers)

    return sorted(method for method, _ in workspace.asked[before:])


def test_the_next_message_asks_only_who_may_read_it(org: Org, workspace: Workspace, clock: Clock) -> None:
    counts = [asked(org, workspace, clock, number) for number in range(4)]

    assert counts == [FIRST, NEXT, NEXT, NEXT]


def test_what_was_learned_is_asked_for_again_after_a_while(
    org: Org, workspace: Workspace, clock: Clock
) -> None:
    asked(org, workspace, clock, 1)
    clock.at += KEPT_FOR

    assert asked(org, workspace, clock, 2) == FIRST


def test_another_secret_makes_another_hook(
    org: Org, workspace: Workspace, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked(org, workspace, clock, 1)
    monkeypatch.setenv("SLACK_TOKEN", "xoxb-withdrawn")

    with_another = asked(org, workspace, clock, 2)
    monkeypatch.setenv("SLACK_TOKEN", TOKEN)

    assert with_another == []  # the workspace answers nothing to that token
    assert asked(org, workspace, clock, 3) == FIRST


@pytest.mark.parametrize("more", [{"audience": [["*"]]}, {}])
def test_a_source_that_is_connected_anew_gets_another_hook(
    org: Org, workspace: Workspace, clock: Clock, said: dict[str, str], more: dict[str, Any]
) -> None:
    asked(org, workspace, clock, 1)

    org.connect("slack", "slack", said if more else {**said, "thread_days": "3"}, **more)

    assert asked(org, workspace, clock, 2) == FIRST


def test_a_paused_source_keeps_none(org: Org, workspace: Workspace, clock: Clock) -> None:
    owner = org.steward("user:owner")
    asked(org, workspace, clock, 1)
    owner.pause("slack", paused=True)
    with pytest.raises(Refused):
        asked(org, workspace, clock, 2)

    owner.pause("slack", paused=False)

    assert asked(org, workspace, clock, 3) == FIRST


def test_what_did_not_get_in_is_not_taken_for_told(org: Org, workspace: Workspace, clock: Clock) -> None:
    one = delivery(callback({**message("Lost."), "channel": "C1", "channel_type": "channel"}))
    pulling, hooks = org._entrance.pulling(no_wait), org._entrance.hooks

    def fails(*_: object) -> Receipt:
        raise ConnectionError("the server went away")

    with pytest.raises(ConnectionError):
        hear(replace(pulling, take=fails), hooks, "slack", one)

    assert asked(org, workspace, clock, 1) == FIRST


def no_wait(_: float) -> None:
    """Nothing here waits."""


def test_only_so_many_are_kept(org: Org, clock: Clock, said: dict[str, str]) -> None:
    org.connect("slack", "slack", said)
    one, hooks = connected(org._work, "slack"), Hooks()
    first = hooks.of(one, clock)

    again = hooks.of(one, clock)
    for number in range(MOST):
        hooks.of(replace(one, source=f"other{number}"), clock)

    assert again is first
    assert hooks.of(one, clock) is not first


def test_a_hook_that_could_not_read_something_is_made_anew(
    org: Org, workspace: Workspace, clock: Clock
) -> None:
    asked(org, workspace, clock, 1)
    one = delivery(callback({**message("Spoilt."), "channel": "", "channel_type": "channel"}), clock.at)

    org.hear("slack", one.raw, one.headers)

    assert asked(org, workspace, clock, 2) == FIRST
