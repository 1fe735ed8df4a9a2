"""Slack in a record: who may read what, whatever way it came, with a directory and without one."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from muniment.app import Org
from muniment.sources.filekind import Handed
from muniment.sources.parsed import Unread
from muniment.sources.registry import connector_kind, file_kind
from tests.sources.slack_workspace import (
    NOW,
    Json,
    Time,
    Workspace,
    callback,
    company,
    configured,
    delivery,
    message,
    served,
    ts,
    user,
)
from tests.worlds import Clock, open_org, person, taken

Event = Mapping[str, object]


@pytest.fixture
def org(url: str, tenant: str) -> Iterator[Org]:
    with open_org(url, tenant, Clock(NOW + timedelta(days=1))) as opened:
        yield opened


def exported(workspace: Workspace, path: Path) -> list[Event]:
    found = file_kind("slack-export").read(workspace.zip(path), Handed("slack", "user:owner"))
    return [one for one in found if not isinstance(one, Unread)]


def pulled(workspace: Workspace, clock: Time | None = None) -> list[Event]:
    make = connector_kind("slack").connect
    assert make is not None
    with served(workspace) as address:
        pages = list(make(configured(address, clock)).pull(None))
    return [one for page in pages for one in page.parsed if not isinstance(one, Unread)]


def delivered(workspace: Workspace, said: Sequence[tuple[str, Json]]) -> list[Event]:
    make = connector_kind("slack").hook
    assert make is not None
    found: list[Event] = []
    with served(workspace) as address:
        hook = make(configured(address))
        for channel, one in said:
            event = {"type": "message", **one, "channel": channel, "event_ts": one["ts"]}
            found += [x for x in hook.hear(delivery(callback(event))).parsed if not isinstance(x, Unread)]
    return found


def everything_said(workspace: Workspace) -> list[tuple[str, Json]]:
    return [(channel, one) for channel, said in workspace.messages.items() for one in said]


def sees(org: Org, who: str, words: str = "budget") -> list[str]:
    return sorted(str(hit.item) for hit in org.reader(who).search(words))


def standing(org: Org, who: str) -> list[tuple[str, str, str | None]]:
    hits = org.reader(who).search("budget", limit=50)
    return sorted((str(hit.item), hit.text, hit.citation.version if hit.citation else None) for hit in hits)


@pytest.fixture
def workspace() -> Workspace:
    found = company()
    found.members["C1"] = ["U1", "U2", "U3"]
    found.say("C1", message("The budget of the team is EUR 500"))
    found.say("G1", message("The budget of the board is EUR 9,000", 5))
    return found


PUBLIC, BOARD = f"C1/{ts()}", f"G1/{ts(5)}"


# Who may read


def test_without_a_directory_slacks_people_read_as_themselves(
    org: Org, workspace: Workspace, tmp_path: Path
) -> None:
    taken(org, exported(workspace, tmp_path / "a.zip"))

    for ann in ("user:slack:U1", "slack:U1", "u1@x.example"):
        assert sees(org, ann) == [PUBLIC, BOARD]
    assert sees(org, "slack:U2") == [PUBLIC]
    for nobody in ("slack:U3", "slack:U4", "slack:U5", "slack:U9", "user:zed"):
        assert sees(org, nobody) == []


@pytest.mark.parametrize("known_by", [{"aliases": ["slack:U1"]}, {"emails": ["U1@X.example"]}])
@pytest.mark.parametrize("directory_first", [True, False])
def test_with_a_directory_its_people_read_what_their_accounts_may(
    org: Org, workspace: Workspace, tmp_path: Path, known_by: dict[str, Any], *, directory_first: bool
) -> None:
    people = [person("user:ann", name="Ann Lee", **known_by), person("user:bo", aliases=["slack:U2"])]
    batches = [people, exported(workspace, tmp_path / "a.zip")]
    for batch in batches if directory_first else reversed(batches):
        taken(org, batch)

    for ann in ("user:ann", "slack:U1", *known_by.get("emails", [])):
        assert sees(org, ann) == [PUBLIC, BOARD]
    assert sees(org, "user:bo") == [PUBLIC]


def test_whom_a_directory_puts_out_reads_nothing_of_slack(
    org: Org, workspace: Workspace, tmp_path: Path
) -> None:
    taken(org, exported(workspace, tmp_path / "a.zip"))
    taken(org, [person("user:ann", aliases=["slack:U1"], standing="deactivated")])

    assert sees(org, "user:ann") == sees(org, "slack:U1") == []


def test_a_name_that_two_people_claim_links_neither(org: Org, workspace: Workspace, tmp_path: Path) -> None:
    taken(org, exported(workspace, tmp_path / "a.zip"))
    taken(org, [person("user:ann", aliases=["slack:U1"]), person("user:eve", aliases=["slack:U1"])])

    assert sees(org, "user:ann") == sees(org, "user:eve") == [PUBLIC]


def test_who_can_names_the_person_behind_an_account(org: Org, workspace: Workspace, tmp_path: Path) -> None:
    taken(org, exported(workspace, tmp_path / "a.zip"))
    taken(org, [person("user:ann", aliases=["slack:U1"])])

    found = {one.principal: tuple(one.why) for one in org.steward(org.login).who_can("slack:G1")}

    assert found["user:ann"] == (
        "container:slack:G1 through group:slack:G1 through user:slack:U1 through user:ann",
    )


def test_live_a_guest_reads_the_public_channel_they_are_in(org: Org, workspace: Workspace) -> None:
    workspace.channel("C2", "all-hands", ["U1", "U2"])
    workspace.say("C2", message("The budget for all is EUR 70", 6))

    taken(org, pulled(workspace))

    assert sees(org, "slack:U3") == [PUBLIC]
    assert sees(org, "slack:U2") == [PUBLIC, f"C2/{ts(6)}"]


def test_who_left_reads_nothing_more_and_who_joined_reads_it_all(org: Org, workspace: Workspace) -> None:
    taken(org, pulled(workspace))
    at = ts(60 * 24 * 9 + 1)
    left = {"type": "member_left_channel", "user": "U1", "ts": at}
    joined = {"type": "member_joined_channel", "user": "U2", "ts": at}

    taken(org, delivered(workspace, [("G1", left), ("G1", joined)]))

    assert (sees(org, "slack:U1"), sees(org, "slack:U2")) == ([PUBLIC], [PUBLIC, BOARD])


def test_a_channel_turned_private_closes_on_the_next_read(org: Org, workspace: Workspace) -> None:
    workspace.members["C1"] = ["U1"]
    taken(org, pulled(workspace))
    assert sees(org, "slack:U2") == [PUBLIC]

    taken(
        org, delivered(workspace, [("C1", {"type": "channel_convert_to_private", "ts": ts(60 * 24 * 9 + 1)})])
    )

    assert (sees(org, "slack:U1"), sees(org, "slack:U2")) == ([PUBLIC, BOARD], [])


def test_what_is_said_in_a_channel_of_a_new_id_is_read_by_those_who_are_in_it(
    org: Org, workspace: Workspace
) -> None:
    taken(org, pulled(workspace))
    workspace.channels[1] |= {"id": "G7"}
    workspace.members["G7"] = ["U1", "U2"]
    moved = {
        "type": "channel_id_changed",
        "old_channel_id": "G1",
        "new_channel_id": "G7",
        "ts": ts(60 * 24 * 9 + 1),
    }
    said = message("The budget is final", 60 * 24 * 9 + 2)

    taken(org, delivered(workspace, [("G1", moved), ("G7", said)]))

    assert BOARD in sees(org, "slack:U2")
    assert f"G7/{said['ts']}" in sees(org, "slack:U2")


def test_a_message_nobody_vouches_for_is_left_to_a_pull(org: Org, workspace: Workspace) -> None:
    workspace.failing += [(503, {}, b"{}")]
    late = message("The budget of tomorrow", 60 * 24 * 8)
    taken(org, delivered(workspace, [("G1", late)]))
    taken(org, [event for event in pulled(workspace) if event["op"] == "principal"])
    workspace.members["G1"] = ["U1", "U2"]
    assert (sees(org, "slack:U1"), sees(org, "slack:U2")) == ([], [])

    workspace.say("G1", late)
    taken(org, pulled(workspace))

    assert f"G1/{late['ts']}" in sees(org, "slack:U2")


def test_a_guests_word_is_an_outsiders(org: Org, workspace: Workspace) -> None:
    workspace.say("C1", message("The budget rule: always ask Gia first", 7, "U3"))

    taken(org, pulled(workspace))

    trusts = {hit.item: hit.citation.trust for hit in org.reader("slack:U1").search("budget") if hit.citation}
    assert trusts[f"C1/{ts(7)}"] == "external_document"
    assert trusts[PUBLIC] == "member"


# Whatever way it came


def edited_workspace() -> Workspace:
    found = company()
    found.say(
        "C1",
        message("The budget is <@U2>'s"),
        message("budget, a reply", 3, "U2", thread_ts=ts()),
        message("budget now", 4, edited={"user": "U1", "ts": ts(9)}),
        message(
            "", 5, "U5", blocks=[{"type": "section", "text": {"type": "mrkdwn", "text": "budget *bot*"}}]
        ),
        message("budget link", 6, attachments=[{"from_url": "https://x.example", "text": "unfolded"}]),
        {"subtype": "bot_message", "bot_id": "B1", "text": "budget &amp; co", "ts": ts(7)},
    )
    found.say("G1", message("budget of the board", 8))
    return found


@pytest.mark.parametrize("ways", list(permutations(["export", "deliveries", "web"]))[::2], ids="-".join)
def test_an_export_deliveries_and_the_web_api_say_one_thing_in_any_order(
    org: Org, tmp_path: Path, seed: int, ways: tuple[str, ...]
) -> None:
    workspace = edited_workspace()
    said = everything_said(workspace)
    random.Random(seed).shuffle(said)
    batches = {
        "export": exported(workspace, tmp_path / "a.zip"),
        "deliveries": delivered(workspace, said),
        "web": pulled(workspace),
    }
    first, *rest = [org.ingest(batches[way]) for way in ways]

    assert [receipt.quarantined for receipt in (first, *rest)] == [0, 0, 0]
    again = [item for receipt in rest for item in receipt.items if str(item.id)[:3] in ("C1/", "G1/")]
    assert {item.state for item in again} == {"duplicate"}
    assert len(again) == 14
    assert len(standing(org, "slack:U1")) == 7


@pytest.mark.parametrize("shuffle", range(2))
def test_deliveries_in_any_order_and_twice_make_one_record(org: Org, seed: int, shuffle: int) -> None:
    draw = random.Random(seed + shuffle)
    workspace = company()
    before, after = message("budget one"), message("budget two", edited={"user": "U1", "ts": ts(2)})
    gone = message("budget gone", 1)
    notice = {"type": "message", "subtype": "message_changed", "hidden": True, "ts": ts(2)}
    said: list[tuple[str, Json]] = [
        ("G1", before),
        ("G1", {**notice, "message": after, "previous_message": before}),
        (
            "G1",
            {
                **notice,
                "ts": ts(5),
                "message": {**after, "attachments": [{"from_url": "u"}]},
                "previous_message": after,
            },
        ),
        ("G1", gone),
        ("G1", {"type": "message", "subtype": "message_deleted", "deleted_ts": ts(1), "ts": ts(6)}),
        ("G1", message("budget reply", 3, thread_ts=ts())),
        ("G1", {"type": "member_joined_channel", "user": "U2", "ts": ts(60 * 24 * 10)}),
        ("G1", {"type": "member_left_channel", "user": "U1", "ts": ts(60 * 24 * 10)}),
    ]
    said += draw.sample(said, 4)
    draw.shuffle(said)

    taken(org, [event for event in pulled(company()) if event["op"] == "principal"])

    for event in delivered(workspace, said):
        taken(org, [event])

    assert [(item, text) for item, text, _ in standing(org, "slack:U2")] == [
        (f"G1/{ts()}", "budget two"),
        (f"G1/{ts(3)}", "budget reply"),
    ]
    assert standing(org, "slack:U1") == []


def test_twice_is_once(org: Org, workspace: Workspace, tmp_path: Path) -> None:
    events = exported(workspace, tmp_path / "a.zip")
    taken(org, events)

    receipt = org.ingest(events)

    assert (receipt.accepted, receipt.quarantined) == (0, 0)


def test_what_somebody_says_of_a_renamed_colleague_is_found_by_their_name(
    org: Org, workspace: Workspace
) -> None:
    workspace.users.append(user("U8", "Cy Odd"))
    workspace.say("C1", message("The owner of the budget is <@U8>", 9))

    taken(org, pulled(workspace))

    assert sees(org, "slack:U2", "Cy Odd") == [f"C1/{ts(9)}"]
