"""A connected workspace: what was read once stands, whatever people are called later."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from muniment.app import Org
from tests.sources.slack_workspace import NOW, SECRET, TOKEN, Workspace, company, message, served, ts, user
from tests.worlds import Clock, open_org


@pytest.fixture
def workspace() -> Workspace:
    found = company()
    found.say(
        "C1",
        message("The budget is for <@U2> to say", 7),
        message("It is in <#G1>, <@U1>", 8, by="U2", thread_ts=ts(7)),
    )
    return found


@pytest.fixture
def org(url: str, tenant: str, workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> Iterator[Org]:
    monkeypatch.setenv("SLACK_TOKEN", TOKEN)
    monkeypatch.setenv("SLACK_SECRET", SECRET)
    clock = Clock(NOW + timedelta(days=1))
    with open_org(url, tenant, clock) as org, served(workspace) as address:
        secrets = {"token": "env:SLACK_TOKEN", "signing_secret": "env:SLACK_SECRET"}
        org.connect("slack", "slack", {**secrets, "base_url": address})
        yield org


def told(org: Org) -> set[str]:
    return {hit.text for word in ("budget", "it") for hit in org.reader("slack:U1").search(word)}


def test_whoever_is_called_otherwise_later_leaves_nothing_in_quarantine(
    org: Org, workspace: Workspace
) -> None:
    (first,) = org.pull("slack", sweep=True)
    before = told(org)

    workspace.users[0] = user("U1", "Ann Married", updated=int(NOW.timestamp()))
    workspace.users[1] = user("U2", "Bo Married", updated=int(NOW.timestamp()))
    workspace.channels[1]["name"] = "directors"
    (again,) = org.pull("slack", sweep=True)

    assert (first.state, first.quarantined) == (again.state, again.quarantined) == ("current", 0)
    assert again.duplicate > 0
    assert told(org) == before
    assert any("@Bo Ek" in text for text in before)


def test_what_was_edited_is_another_version_all_the_same(org: Org, workspace: Workspace) -> None:
    org.pull("slack")
    workspace.messages["C1"][1] |= {"text": "It is in the safe", "edited": {"user": "U2", "ts": ts(60)}}

    org.pull("slack", sweep=True)

    assert any("safe" in text for text in told(org))
