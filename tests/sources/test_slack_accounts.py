"""Which account a channel is about, as a person says: the same whatever way its messages come."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.errors import Malformed
from muniment.sources.filekind import Handed
from muniment.sources.parsed import Unread
from muniment.sources.registry import connector_kind, file_kind
from muniment.sources.slack.accounts import parse_accounts
from tests.sources.slack_workspace import callback, company, configured, delivery, message, served, ts

Accounts = dict[str, object]


def accounts(parsed: list[Any]) -> Accounts:
    return {
        str(one["id"]): one.get("account")
        for one in parsed
        if not isinstance(one, Unread) and one["op"] == "upsert"
    }


def of_all_ways(path: Path, said: str) -> list[Accounts]:
    """Of a workspace's messages as its export, its API and its deliveries have them."""
    workspace = company()
    workspace.say("C1", message("In the open.", 5))
    workspace.say("G1", message("Among few.", 6))
    handed = Handed("slack", "user:owner", None, {"accounts": said} if said else {})
    exported = list(file_kind("slack-export").read(workspace.zip(path / "x.zip"), handed))
    kind = connector_kind("slack")
    assert kind.connect is not None
    assert kind.hook is not None
    with served(workspace) as url:
        made = configured(url, accounts=said)
        pulled = [one for page in kind.connect(made).pull(None) for one in page.parsed]
        hook, delivered = kind.hook(made), list[Any]()
        for channel, listed in workspace.messages.items():
            for one in listed:
                event = {"type": "message", **one, "channel": channel, "event_ts": ts(9)}
                delivered += hook.hear(delivery(callback(event))).parsed
    return [accounts(one) for one in (exported, pulled, delivered)]


def test_a_message_is_about_its_channels_account_whatever_way_it_comes(tmp_path: Path) -> None:
    name = company().channels[0]["name"]
    exported, pulled, delivered = of_all_ways(tmp_path, f"#{name}=acct-1, G1=acct-2")

    assert exported == pulled == delivered
    assert {(id_.partition("/")[0], about) for id_, about in exported.items()} >= {
        ("C1", "acct-1"),
        ("G1", "acct-2"),
    }


def test_a_channel_of_which_nobody_says_so_is_about_none(tmp_path: Path) -> None:
    for found in of_all_ways(tmp_path, ""):
        assert set(found.values()) == {None}


@pytest.mark.parametrize("said", ["general", "=acct-1", "general=", "general=a, #general=b"])
def test_what_cannot_be_read_is_named(said: str) -> None:
    with pytest.raises(Malformed, match="CHANNEL=ACCOUNT"):
        parse_accounts(said)


NAMES = st.text(st.characters(exclude_characters=",=\n#", exclude_categories=["Z", "C"]), min_size=1)


@given(st.dictionaries(NAMES, NAMES))
def test_what_is_said_is_what_is_read(said: dict[str, str]) -> None:
    written = ", ".join(f"{channel} = {account}" for channel, account in said.items())

    assert parse_accounts(written) == said
