"""What Slack delivers: signed or not at all, in any order, more than once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.domain.errors import Malformed
from muniment.events.parse import Parsed, parse_event
from muniment.sources.connector import Delivery, Heard, Unsigned
from muniment.sources.parsed import Unread
from muniment.sources.registry import connector_kind
from muniment.sources.slack.signature import sign, verify
from tests.sources.slack_workspace import (
    NOW,
    SECRET,
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


@pytest.fixture
def workspace() -> Workspace:
    return company()


@pytest.fixture
def hear(workspace: Workspace) -> Iterator[Any]:
    """Hears one event as Slack would deliver it."""
    with served(workspace) as url:
        make = connector_kind("slack").hook
        assert make is not None
        hook = make(configured(url))

        def heard(event: Json) -> Heard:
            found = hook.hear(delivery(callback(event)))
            for one in found.parsed:
                assert isinstance(one, Unread) or isinstance(parse_event(one), Parsed)
            return found

        yield heard


def in_channel(said: Json, channel: str = "C1") -> Json:
    return {**said, "channel": channel, "event_ts": said["ts"], "channel_type": "channel"}


# Signatures


def test_the_signature_of_slacks_documentation_holds() -> None:
    raw = (
        b"token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V"
        b"&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text="
        b"&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN"
        b"&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c"
    )

    assert (
        sign(raw, "1531420618", SECRET)
        == "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503"
    )


def test_a_delivery_that_slack_signed_is_heard(hear: Any) -> None:
    assert hear({"type": "emoji_changed"}) == Heard()


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"x-slack-request-timestamp": "x"},
        {"x-slack-request-timestamp": "١٢٣"},
        {"x-slack-request-timestamp": "9" * 400},
        {"x-slack-request-timestamp": "-1"},
        {"x-slack-request-timestamp": str(int(NOW.timestamp()) - 301)},
        {"x-slack-request-timestamp": str(int(NOW.timestamp()) + 301)},
        {"x-slack-signature": ""},
        {"x-slack-signature": "v0=é"},
        {"x-slack-signature": "v0=\ud800"},
        {"x-slack-signature": "v1=" + "0" * 64},
    ],
)
def test_every_malformed_signature_is_none(headers: dict[str, str]) -> None:
    good = delivery({"type": "url_verification"})
    bad = {**good.headers, **headers} if headers else {}

    with pytest.raises(Unsigned):
        verify(replace(good, headers=bad), SECRET)


def test_bytes_that_are_no_text_are_judged_by_their_signature_alone() -> None:
    stamp = str(int(NOW.timestamp()))
    headers = {"x-slack-request-timestamp": stamp, "x-slack-signature": sign(b"\xff\x00", stamp, SECRET)}

    verify(Delivery(b"\xff\x00", headers, NOW), SECRET)
    with pytest.raises(Unsigned):
        verify(Delivery(b"\xff\x01", headers, NOW), SECRET)


@given(st.binary(max_size=60), st.dictionaries(
    st.sampled_from(["x-slack-request-timestamp", "x-slack-signature"]), st.text(max_size=80)))  # fmt: skip
def test_nobody_signs_by_chance(raw: bytes, headers: dict[str, str]) -> None:
    with pytest.raises(Unsigned):
        verify(Delivery(raw, headers, NOW), SECRET)


def test_no_secret_lets_nothing_in() -> None:
    stamp = str(int(NOW.timestamp()))
    headers = {"x-slack-request-timestamp": stamp, "x-slack-signature": sign(b"{}", stamp, "")}

    with pytest.raises(Unsigned):
        verify(Delivery(b"{}", headers, NOW), "")


# Envelopes


def test_a_challenge_is_answered() -> None:
    make = connector_kind("slack").hook
    assert make is not None

    heard = make(configured("http://127.0.0.1:1")).hear(
        delivery({"type": "url_verification", "challenge": "3eZbrw1a"})
    )

    assert (heard.reply, heard.parsed) == ({"challenge": "3eZbrw1a"}, ())


@pytest.mark.parametrize("raw", [b"", b"[]", b"7", b"\xff", b"{", b"[" * 100_000])
def test_what_is_signed_and_cannot_be_read_is_malformed(raw: bytes) -> None:
    stamp = str(int(NOW.timestamp()))
    headers = {"x-slack-request-timestamp": stamp, "x-slack-signature": sign(raw, stamp, SECRET)}
    make = connector_kind("slack").hook
    assert make is not None

    with pytest.raises(Malformed):
        make(configured("http://127.0.0.1:1")).hear(Delivery(raw, headers, NOW))


@pytest.mark.parametrize(
    "kind", ["channel_history_changed", "channel_shared", "channel_deleted", "app_rate_limited"]
)
def test_what_says_only_that_something_changed_asks_for_a_pull(hear: Any, kind: str) -> None:
    assert hear({"type": kind, "channel": "C1"}) == Heard(again=True)


# What is delivered


def test_a_message_comes_with_who_may_read_it_as_it_is_now(hear: Any) -> None:
    heard = hear(in_channel(message("Hi <@U2>"), "G1"))

    assert [one["op"] for one in heard.parsed] == ["member", "audience", "upsert"]
    member, audience, upsert = heard.parsed
    assert (member["set"], audience["audience"]) == (["user:slack:U1"], [["group:slack:G1"]])
    assert audience["verified_through"] >= upsert["at"]
    assert (upsert["body"], upsert["labels"]) == ("Hi @Bo Ek", {"channel": "board"})


def test_what_was_written_before_the_last_look_asks_nobody_again(hear: Any, workspace: Workspace) -> None:
    hear(in_channel(message("one", 1)))
    asked = len(workspace.asked)

    heard = hear(in_channel(message("two", 2)))

    assert [one["op"] for one in heard.parsed] == ["upsert"]
    assert len(workspace.asked) == asked


def test_a_message_that_slack_cannot_vouch_for_waits_and_a_pull_is_asked_for(
    hear: Any, workspace: Workspace
) -> None:
    hear(in_channel(message("before", 1)))
    workspace.failing += [(429, {"retry-after": "9"}, b"{}")]

    heard = hear(in_channel(message("secret", 2), "G1"))

    assert [one["op"] for one in heard.parsed] == ["upsert"]
    assert heard.again
    assert "audience" not in heard.parsed[0]


@pytest.mark.parametrize("said", [message("secret"), message("for <@U2>", by="")])
def test_a_message_whose_people_nobody_names_just_now_is_left_to_a_pull(
    hear: Any, workspace: Workspace, said: Json
) -> None:
    workspace.failing += [(429, {"retry-after": "9"}, b"{}")]

    heard = hear(in_channel(said, "G1"))

    assert heard == Heard(again=True)


def test_a_stranger_is_asked_for_and_known_as_one(hear: Any) -> None:
    heard = hear(in_channel(message("hello", by="U9")))

    assert [(one["op"], one.get("standing")) for one in heard.parsed] == [
        ("principal", "external"),
        ("member", None),
        ("audience", None),
        ("upsert", None),
    ]
    assert heard.parsed[-1]["author_name"] == "Eve Else"


@pytest.mark.parametrize(
    ("kind", "way"), [("member_joined_channel", "add"), ("member_left_channel", "remove")]
)
def test_coming_and_going_is_heard_at_its_own_time(hear: Any, kind: str, way: str) -> None:
    (event,) = hear({"type": kind, "user": "U2", "channel": "G1", "event_ts": ts(3)}).parsed

    assert (event["group"], event[way]) == ("group:slack:G1", ["user:slack:U2"])
    assert event["at"] == "2026-06-01T09:03:00+00:00"


def test_a_conversion_changes_who_may_read_at_once_and_verifies_nothing(hear: Any) -> None:
    heard = hear({"type": "channel_convert_to_private", "channel": "C1", "event_ts": ts(3)})

    (event,) = heard.parsed
    assert (event["audience"], event["verified_through"], heard.again) == ([["group:slack:C1"]], None, True)


def test_a_channel_with_a_new_id_is_read_by_its_members_under_the_old_one(hear: Any) -> None:
    said = {"type": "channel_id_changed", "old_channel_id": "C1", "new_channel_id": "C2", "event_ts": ts(3)}

    (event,) = hear(said).parsed

    assert (event["container"], event["audience"]) == ("C1", [["group:slack:C2"]])


def test_a_user_who_becomes_a_guest_or_leaves_is_one_at_once(hear: Any) -> None:
    (guest,) = hear({"type": "user_change", "user": user("U2", "Bo Ek", is_restricted=True)}).parsed
    (gone,) = hear({"type": "user_change", "user": user("U2", "Bo Ek", deleted=True)}).parsed

    assert (guest["standing"], gone["standing"]) == ("guest", "deactivated")


def test_a_redelivery_says_the_same_again(hear: Any) -> None:
    said = in_channel(message("one", edited={"user": "U1", "ts": ts(2)}))

    assert hear(said).parsed[-1] == hear(said).parsed[-1]


def test_a_later_name_is_known_from_then_on(hear: Any) -> None:
    hear(in_channel(message("x")))

    hear({"type": "channel_rename", "channel": {"id": "C1", "name": "lobby"}, "event_ts": ts(3)})
    hear({"type": "user_change", "user": user("U1", "Ann Lee-Ek"), "event_ts": ts(3)})

    event = hear(in_channel(message("y", 4))).parsed[-1]
    assert (event["labels"], event["author_name"]) == ({"channel": "lobby"}, "Ann Lee-Ek")


def test_a_message_older_than_five_minutes_is_heard_if_its_delivery_is_not(workspace: Workspace) -> None:
    make = connector_kind("slack").hook
    assert make is not None
    later = NOW + timedelta(days=2)
    with served(workspace) as url:
        heard = make(configured(url, Time(later))).hear(delivery(callback(in_channel(message("x"))), later))

    assert [one["op"] for one in heard.parsed if not isinstance(one, Unread)][-1] == "upsert"


odd = st.recursive(
    st.none() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
kinds = st.sampled_from(
    "message member_joined_channel channel_convert_to_private channel_rename channel_id_changed "
    "user_change".split()
)


@settings(max_examples=60)
@given(kinds, st.dictionaries(st.sampled_from(
    "channel user ts event_ts subtype text message old_channel_id new_channel_id".split()), odd))  # fmt: skip
def test_no_delivery_is_too_odd(kind: str, event: Json) -> None:
    make = connector_kind("slack").hook
    assert make is not None
    hook = make(configured("http://127.0.0.1:1"))
    try:
        heard = hook.hear(delivery(json.loads(json.dumps(callback({**event, "type": kind})))))
    except Malformed:
        return
    for one in heard.parsed:
        assert isinstance(one, Unread) or isinstance(parse_event(one), Parsed)


FOREIGN: dict[str, Json] = {
    "of another workspace": {"team_id": "T9"},
    "of another enterprise": {"team_id": "T9", "enterprise_user": {"id": "W9", "enterprise_id": "E9"}},
    "of another enterprise, and a guest there": {
        "team_id": "T9",
        "enterprise_user": {"enterprise_id": "E9"},
        "is_restricted": True,
    },
}


@pytest.mark.parametrize("kind", ["user_change", "team_join"])
@pytest.mark.parametrize("foreign", FOREIGN)
@pytest.mark.parametrize("ours", [{}, {"enterprise_id": "E1"}])
def test_whoever_shares_a_channel_from_another_company_is_never_heard_of_as_a_member(
    workspace: Workspace, hear: Any, kind: str, foreign: str, ours: Json
) -> None:
    """Also where more of them are listed than of our own."""
    workspace.enterprise = ours
    workspace.users += [user(f"U9{number}", "Of Theirs", **FOREIGN[foreign]) for number in range(20)]

    (said,) = hear({"type": kind, "user": user("U90", "Eve Else", **FOREIGN[foreign])}).parsed

    assert (said["standing"], said["emails"]) == ("external", [])


def test_whoever_is_of_another_workspace_of_our_own_enterprise_is_a_member(
    workspace: Workspace, hear: Any
) -> None:
    workspace.enterprise = {"enterprise_id": "E1"}
    colleague = user("U7", "Cy Two", team_id="T2", enterprise_user={"id": "W7", "enterprise_id": "E1"})

    (said,) = hear({"type": "user_change", "user": colleague}).parsed

    assert said["standing"] == "member"


def test_who_somebody_is_waits_until_slack_says_which_company_is_ours(
    workspace: Workspace, hear: Any
) -> None:
    workspace.failing = [(429, {"retry-after": "9"}, b"")]

    found = hear({"type": "user_change", "user": user("U90", "Eve Else", team_id="T9")})

    assert (found.parsed, found.again) == ((), True)
