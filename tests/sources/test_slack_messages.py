"""One message, however it came: what it says, who said it, and which version it is."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.events.parse import Parsed, parse_event
from muniment.sources.parsed import Unread
from muniment.sources.slack.changes import told
from muniment.sources.slack.markup import readable
from muniment.sources.slack.message import Place
from muniment.sources.slack.names import Names
from muniment.sources.slack.people import Home, principal
from tests.sources.slack_workspace import NOW, Json, company, message, ts, user

NAMES = Names.of(company().users, company().channels)
HERE = Place("slack", "C1", NAMES, "general", NOW)


def events(said: Json, place: Place = HERE) -> list[Any]:
    return list(told(said, place))


def only(said: Json) -> dict[str, Any]:
    (event,) = events(said)
    assert isinstance(parse_event(event), Parsed)
    return dict(event)


def changed(now: Json, before: Json, minutes: float = 9) -> Json:
    notice = {"type": "message", "subtype": "message_changed", "hidden": True, "channel": "C1"}
    return {**notice, "message": now, "previous_message": before, "ts": ts(minutes), "event_ts": ts(minutes)}


# What it says


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("&lt;b&gt; &amp;amp; R&amp;D", "<b> &amp; R&D"),
        ("<@U1> and <@U1|annie> and <@U404>", "@Ann Lee and @Ann Lee and @U404"),
        ("<@W77|kim>", "@kim"),
        ("<#C1> <#C1|> <#C9|sales>", "#general #general #sales"),
        ("<!here> <!channel|channel> <!subteam^S1|@ops> <!subteam^S1>", "@here @channel @ops @S1"),
        ("<!date^1717405200^{date}|3 June>", "3 June"),
        ("<https://x.example/a?b=1&amp;c=2|the doc>", "the doc (https://x.example/a?b=1&c=2)"),
        ("<https://x.example> <mailto:a@x.example|a@x.example>", "https://x.example a@x.example"),
        ("a < b > c &lt;@U1&gt;", "a < b > c <@U1>"),
    ],
)
def test_markup_reads_as_slack_shows_it(raw: str, shown: str) -> None:
    assert readable(raw, NAMES) == shown


def test_the_text_as_it_came_is_kept_beside_the_readable_one() -> None:
    event = only(message("Ask <@U2>"))

    assert (event["body"], event["metadata"]) == ("Ask @Bo Ek", {"text": "Ask <@U2>"})
    assert event["participants"] == ["user:slack:U1", "user:slack:U2"]


def test_rich_text_alone_is_read() -> None:
    inside = [
        {
            "type": "rich_text_section",
            "elements": [{"type": "text", "text": "Ship "}, {"type": "user", "user_id": "U2"}],
        },
        {
            "type": "rich_text_list",
            "elements": [
                {"type": "rich_text_section", "elements": [{"type": "text", "text": x}]} for x in "ab"
            ],
        },
        {"type": "rich_text_quote", "elements": [{"type": "text", "text": "one\ntwo"}]},
    ]

    event = only(message("", blocks=[{"type": "rich_text", "elements": inside}]))

    assert event["body"] == "Ship @Bo Ek\n- a\n- b\n> one\n> two"


def test_what_somebody_typed_is_not_said_twice() -> None:
    piece = {
        "type": "rich_text_section",
        "elements": [{"type": "text", "text": "Hello", "style": {"bold": True}}],
    }

    event = only(message("*Hello*", blocks=[{"type": "rich_text", "elements": [piece]}]))

    assert event["body"] == "*Hello*"


def test_an_app_says_more_in_blocks_than_in_its_text() -> None:
    blocks = [
        {"type": "header", "text": {"type": "plain_text", "text": "Deploy"}},
        {"type": "section", "fields": [{"type": "mrkdwn", "text": "by <@U1>"}]},
        {"type": "actions", "elements": [{"type": "button", "text": {"type": "plain_text", "text": "Undo"}}]},
    ]

    event = only(message("Deploy failed", blocks=blocks, by="U5"))

    assert event["body"] == "Deploy failed\nDeploy\nby @Ann Lee"


def test_a_bot_that_writes_only_fields_is_heard() -> None:
    fields = [{"title": "Service", "value": "checkout"}, {"title": "", "value": "down"}]
    said = {"subtype": "bot_message", "bot_id": "B7", "username": "alerts", "text": "", "ts": ts()}

    event = only({**said, "attachments": [{"fallback": "no", "fields": fields}]})

    assert event["body"] == "Service: checkout\ndown"
    assert (event["author"], event["author_name"]) == ("service:slack:B7", "alerts")


def test_a_fallback_counts_where_there_is_nothing_else() -> None:
    assert only(message("", attachments=[{"fallback": "Build 7 passed"}]))["body"] == "Build 7 passed"


def test_files_and_canvases_are_known_by_their_titles() -> None:
    files = [
        {"id": "F1", "name": "q3.pdf", "title": "Q3 plan"},
        {"id": "F2", "name": "a.png", "title": "a.png"},
        {"id": "F3", "filetype": "quip", "title": "Notes"},
        {"id": "F4", "mode": "tombstone"},
    ]

    event = only(message("see", files=files))

    assert event["body"] == "see\nFile: Q3 plan (q3.pdf)\nFile: a.png\nCanvas: Notes"
    assert event["metadata"]["files"] == ["F1", "F2", "F3", "F4"]


# Who said it


def test_slackbot_answers_although_no_list_names_it() -> None:
    nobody = Place("slack", "C1", Names(), "general", NOW)

    (event,) = events({"subtype": "slackbot_response", "user": "USLACKBOT", "text": "42", "ts": ts()}, nobody)

    assert (event["author"], event["author_name"], event["body"]) == ("user:slack:USLACKBOT", None, "42")


def test_a_reply_shown_in_the_channel_is_a_reply() -> None:
    event = only(message("so", 5, subtype="thread_broadcast", thread_ts=ts()))

    assert (event["id"], event["thread"]) == (f"C1/{ts(5)}", f"C1/{ts()}")


def test_a_message_is_its_own_thread_before_anybody_replies() -> None:
    before, after = only(message("q")), only(message("q", thread_ts=ts(), reply_count=1, latest_reply=ts(3)))

    assert before == after


@pytest.mark.parametrize("subtype", ["channel_join", "group_join", "channel_leave", "group_leave"])
def test_who_came_or_went_is_in_the_group_from_then_on(subtype: str) -> None:
    event = only(message("<@U1> has joined", 2, subtype=subtype))

    assert (event["op"], event["group"]) == ("member", "group:slack:C1")
    assert event["add" if "join" in subtype else "remove"] == ["user:slack:U1"]


def test_what_slack_remarks_by_itself_nobody_said() -> None:
    assert events(message("renamed", subtype="channel_name", name="b", old_name="a")) == []


# Which version it is


def test_an_edit_is_a_version_of_its_own_and_keeps_when_it_was_first_said() -> None:
    event = only(message("new", edited={"user": "U1", "ts": ts(8)}))

    assert (event["id"], event["version"]) == (f"C1/{ts()}", ts(8))
    assert event["at"].startswith("2026-06-01T09:08")
    assert event["created_at"].startswith("2026-06-01T09:00")


def test_a_notice_of_an_edit_gives_what_the_export_gives() -> None:
    edited = message("new", edited={"user": "U1", "ts": ts(8)})

    assert only(changed(edited, message("old"))) == only(edited)


@pytest.mark.parametrize(
    "more",
    [
        {"attachments": [{"from_url": "https://x.example", "title": "X", "text": "all about X"}]},
        {"attachments": [{"is_msg_unfurl": True, "text": "what somebody else said"}]},
        {"language": {"locale": "de", "is_reliable": True}},
        {"reactions": [{"name": "+1", "users": ["U2"], "count": 1}]},
        {"thread_ts": ts(), "reply_count": 2, "latest_reply": ts(7), "subscribed": True},
    ],
)
def test_what_slack_adds_is_no_edit(more: Json) -> None:
    plain = message("see <https://x.example>")

    assert only(changed({**plain, **more}, plain)) == only(plain)


def test_a_file_taken_away_is_a_change_although_nothing_says_edited() -> None:
    before = message("see", files=[{"id": "F1", "title": "Q3 plan"}])

    event = only(changed({**before, "files": [{"id": "F1", "mode": "tombstone"}]}, before))

    assert (event["body"], event["version"]) == ("see", ts(9))


def test_a_deletion_is_one_at_its_own_time() -> None:
    said = {"subtype": "message_deleted", "deleted_ts": ts(), "ts": ts(9), "previous_message": message("x")}

    event = only(said)

    assert (event["op"], event["id"], event["version"]) == ("delete", f"C1/{ts()}", ts(9))


def test_a_deleted_parent_with_replies_is_deleted() -> None:
    tombstone = {"subtype": "tombstone", "user": "USLACKBOT", "text": "This message was deleted.", "ts": ts()}

    assert only(changed(tombstone, message("x")))["op"] == "delete"
    assert only(tombstone)["op"] == "delete"


def test_a_time_stamp_is_a_text_to_the_last_digit() -> None:
    said = message("x") | {"ts": "1717405200.000100"}

    assert (only(said)["id"], only(said)["version"]) == ("C1/1717405200.000100", "1717405200.000100")
    assert only(said)["at"] == "2024-06-03T09:00:00.000100+00:00"


@pytest.mark.parametrize("bad", [None, 1717405200.0001, "", "x", "1e9", "-1.0", "0.000000", "１７.000100"])
def test_what_has_no_time_stamp_is_handed_on_with_the_reason(bad: object) -> None:
    (event,) = events(message("x") | {"ts": bad})

    assert isinstance(event, Unread)
    assert "time stamp" in event.reason


# Who they are


@pytest.mark.parametrize(
    ("more", "standing"),
    [
        ({}, "member"),
        ({"is_restricted": True}, "guest"),
        ({"is_ultra_restricted": True}, "guest"),
        ({"is_bot": True}, "guest"),
        ({"is_stranger": True}, "external"),
        ({"team_id": "T9"}, "external"),
        ({"team_id": "T9", "enterprise_user": {"id": "W1", "enterprise_id": "E1"}}, "member"),
        ({"team_id": "T9", "enterprise_user": {"id": "W9", "enterprise_id": "E9"}}, "external"),
        ({"team_id": "T9", "enterprise_user": {"id": "W9"}}, "external"),
        ({"team_id": "T9", "deleted": True}, "deactivated"),
        ({"deleted": True, "is_restricted": True}, "deactivated"),
    ],
)
def test_what_a_user_is_to_the_company(more: Json, standing: str) -> None:
    event = principal(user("U1", "Ann Lee", **more), "slack", NOW, Home("T1", "E1"))

    assert event is not None
    assert event["standing"] == standing
    is_theirs = standing == "external" or (more.get("team_id") == "T9" and standing == "deactivated")
    assert event["emails"] == ([] if is_theirs else ["u1@x.example"])
    assert isinstance(parse_event(event), Parsed)


# Whatever it is

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(-1e9, 1e12) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(
        "ts text type subtype user bot_id username blocks elements attachments fields title value files "
        "message previous_message edited deleted_ts thread_ts name profile id".split()), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip
subtypes = st.sampled_from(
    [None, "message_changed", "message_deleted", "tombstone", "channel_join", "bot_message"]
)


@given(st.dictionaries(st.sampled_from(
    "text user blocks attachments files message previous_message edited deleted_ts thread_ts bot_id".split()),
    anything), subtypes)  # fmt: skip
def test_no_message_is_too_odd_and_every_event_passes_the_door(said: Json, subtype: str | None) -> None:
    for event in events({"ts": ts(), **said, "subtype": subtype}):
        assert isinstance(event, Unread) or isinstance(parse_event(event), Parsed)


@given(st.text(alphabet="<>@#!|^&;lgtamp U1\n", max_size=300))
def test_markup_is_read_in_one_pass_whatever_stands_there(said: str) -> None:
    assert len(readable(said, NAMES)) <= len(said) * 8 + 8


@given(st.text(max_size=200))
def test_plain_words_come_out_as_they_went_in(said: str) -> None:
    escaped = said.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

    assert readable(escaped, NAMES) == said
