"""A workspace asked through its Web API, by Slack's own client, from a server that speaks it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from muniment.domain.errors import Malformed, Unavailable
from muniment.events.parse import Parsed, parse_event
from muniment.sources.connector import Connector, Cursor, Listing, Page, Throttled, Unauthorised
from muniment.sources.parsed import Unread
from muniment.sources.registry import connector_kind
from tests.sources.slack_workspace import (
    JUNE,
    Time,
    Workspace,
    company,
    configured,
    message,
    served,
    ts,
    user,
)

DAY = 60 * 24


@pytest.fixture
def workspace() -> Workspace:
    return company()


@pytest.fixture
def clock() -> Time:
    return Time()


@pytest.fixture
def url(workspace: Workspace) -> Iterator[str]:
    with served(workspace) as address:
        yield address


@pytest.fixture
def slack(url: str, clock: Time) -> Connector:
    return connect(url, clock)


def connect(url: str, clock: Time, **settings: str) -> Connector:
    make = connector_kind("slack").connect
    assert make is not None
    return make(configured(url, clock, **settings))


def pulled(slack: Connector, cursor: Cursor | None = None) -> tuple[list[Any], Cursor]:
    """Everything a pull says, and where the next one begins: after having been kept as JSON."""
    pages = list(slack.pull(cursor))
    return said(pages), json.loads(json.dumps(pages[-1].cursor))


def said(pages: list[Page]) -> list[Any]:
    found = [one for page in pages for one in page.parsed]
    assert all(isinstance(parse_event(one), Parsed) for one in found if not isinstance(one, Unread))
    return found


def texts(found: list[Any]) -> list[tuple[str, str]]:
    return [(one["id"], one["body"]) for one in found if one["op"] == "upsert"]


def asked(workspace: Workspace, method: str) -> list[dict[str, Any]]:
    return [arguments for name, arguments in workspace.asked if name == method]


def test_everything_is_read_once_page_after_page(slack: Connector, workspace: Workspace) -> None:
    workspace.page = 7
    workspace.say("C1", *(message(f"m{n}", n) for n in range(30)))
    workspace.say("G1", message("secret", 3))

    first, cursor = pulled(slack)
    second, _ = pulled(slack, cursor)

    assert sorted(body for _, body in texts(first)) == sorted([*(f"m{n}" for n in range(30)), "secret"])
    assert texts(second) == []
    assert len(asked(workspace, "conversations.history")) >= 5


def test_who_may_read_comes_before_what_they_may_read(slack: Connector, workspace: Workspace) -> None:
    workspace.say("C1", message("x"))
    workspace.say("G1", message("y"))

    found, _ = pulled(slack)

    assert [one["op"] for one in found if one["op"] != "principal"] == ["member", "audience", "upsert"] * 2
    audiences = {one["container"]: one["audience"] for one in found if one["op"] == "audience"}
    assert audiences == {"C1": [["*", "group:slack:C1"]], "G1": [["group:slack:G1"]]}


def test_a_reply_to_an_old_thread_is_heard(slack: Connector, workspace: Workspace, clock: Time) -> None:
    workspace.say("C1", message("old question"), *(message(f"m{n}", n) for n in range(1, 9)))
    _, cursor = pulled(slack)
    clock.at += timedelta(days=8)
    workspace.say("C1", message("late answer", 16 * DAY, "U2", thread_ts=ts()))

    found, _ = pulled(slack, cursor)

    assert texts(found) == [(f"C1/{ts(16 * DAY)}", "late answer")]
    assert [one["thread"] for one in found if one["op"] == "upsert"] == [f"C1/{ts()}"]


def test_only_threads_with_something_new_are_asked_for(
    slack: Connector, workspace: Workspace, clock: Time
) -> None:
    for n in range(5):
        workspace.say("C1", message(f"q{n}", n), message(f"a{n}", n + 0.5, thread_ts=ts(n)))
    _, cursor = pulled(slack)
    clock.at += timedelta(days=2)
    workspace.say("C1", message("again", 10 * DAY, thread_ts=ts(3)))
    workspace.asked.clear()

    pulled(slack, cursor)

    assert [one["ts"] for one in asked(workspace, "conversations.replies")] == [ts(3)]


def test_an_edit_within_the_window_is_heard(slack: Connector, workspace: Workspace, clock: Time) -> None:
    workspace.say("C1", message("old"), message("same", 1))
    _, cursor = pulled(slack)
    clock.at += timedelta(days=2)
    workspace.messages["C1"][0] |= {"text": "new", "edited": {"user": "U1", "ts": ts(10 * DAY)}}

    found, _ = pulled(slack, cursor)

    assert texts(found) == [(f"C1/{ts()}", "new")]
    assert [one["version"] for one in found if one["op"] == "upsert"] == [ts(10 * DAY)]


def test_what_is_older_than_the_window_is_left_to_the_sweep(
    url: str, workspace: Workspace, clock: Time
) -> None:
    slack = connect(url, clock, thread_days="2")
    workspace.say("C1", message("old"))
    _, cursor = pulled(slack)
    workspace.messages["C1"][0] |= {"text": "new", "edited": {"user": "U1", "ts": ts(10 * DAY)}}
    clock.at += timedelta(days=2)

    found, _ = pulled(slack, cursor)
    listing = next(one for one in slack.sweep() if one.prefix == "C1/")

    assert texts(found) == []
    assert ("C1/" + ts(), "new") in texts([one for one in listing.parsed if not isinstance(one, Unread)])


def test_being_told_to_wait_says_how_long_and_loses_nothing(slack: Connector, workspace: Workspace) -> None:
    workspace.page = 5
    for n in range(12):
        workspace.say("C1", message(f"q{n}", n), message(f"a{n}", n + 0.5, thread_ts=ts(n)))
    found: list[Any] = []
    cursor: Cursor | None = None
    rests: list[float | None] = []
    done = False
    while not done:
        workspace.failing.clear()
        try:
            for number, page in enumerate(slack.pull(cursor)):
                found += page.parsed
                cursor = json.loads(json.dumps(page.cursor))
                if number == 3 and len(rests) < 8:  # Slack has had enough after four pages, eight times
                    workspace.failing.append(
                        (429, {"Retry-After": "7"}, b'{"ok":false,"error":"ratelimited"}')
                    )
            done = True
        except Throttled as error:
            rests.append(error.after)

    expected = [*(f"q{n}" for n in range(12)), *(f"a{n}" for n in range(12))]
    assert rests == [7.0] * 8
    assert sorted(body for _, body in texts(found)) == sorted(expected)


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (200, b'{"ok":false,"error":"token_revoked"}', Unauthorised),
        (200, b'{"ok":false,"error":"missing_scope"}', Unauthorised),
        (401, b"{}", Unauthorised),
        (403, b"no", Unauthorised),
        (500, b"oops", Unavailable),
        (503, b"{}", Unavailable),
        (200, b"<html>", Unavailable),
        (200, b"\xff\xfe{}", Unavailable),
        (200, b'{"ok":false,"error":"fatal_error"}', Unavailable),
        (429, b"", Throttled),
    ],
)
def test_each_failure_is_what_it_means(
    slack: Connector, workspace: Workspace, status: int, body: bytes, kind: type[Exception]
) -> None:
    workspace.failing.append((status, {}, body))

    with pytest.raises(Unavailable) as caught:
        list(slack.pull(None))

    assert type(caught.value) is kind
    assert "xoxb" not in str(caught.value)


def test_the_token_goes_nowhere_else(slack: Connector, workspace: Workspace, url: str) -> None:
    workspace.failing.append((302, {"location": f"{url}elsewhere"}, b""))

    with pytest.raises(Unavailable):
        list(slack.pull(None))

    assert asked(workspace, "GET") == []


def test_nobody_there_is_unavailable(clock: Time) -> None:
    with pytest.raises(Unavailable):
        list(connect("http://127.0.0.1:1/", clock).pull(None))


def test_a_place_that_slack_forgot_begins_the_channel_anew(slack: Connector, workspace: Workspace) -> None:
    workspace.page = 2
    workspace.say("C1", *(message(f"m{n}", n) for n in range(6)))
    halfway = next(page.cursor for page in slack.pull(None) if page.seen == 2)
    workspace.asked.clear()
    pages = slack.pull(halfway)
    next(pages), next(pages)
    workspace.failing.append((200, {}, b'{"ok":false,"error":"invalid_cursor"}'))

    found = said(list(pages))

    assert {body for _, body in texts(found)} == {f"m{n}" for n in range(6)}


def test_members_are_said_again_only_where_they_changed(
    slack: Connector, workspace: Workspace, clock: Time
) -> None:
    _, cursor = pulled(slack)
    workspace.members["G1"].append("U2")
    clock.at += timedelta(minutes=5)

    found, _ = pulled(slack, cursor)

    assert [one["set"] for one in found if one["op"] == "member"] == [["user:slack:U1", "user:slack:U2"]]
    assert len([one for one in found if one["op"] == "audience"]) == 2


def test_people_are_said_again_only_where_they_changed(slack: Connector, workspace: Workspace) -> None:
    workspace.users[0]["updated"] = JUNE
    _, cursor = pulled(slack)
    workspace.users[1] |= user("U2", "Bo Ek", updated=JUNE + 60, deleted=True)

    found, _ = pulled(slack, cursor)

    people = {one["id"]: one["standing"] for one in found if one["op"] == "principal"}
    assert people == {"user:slack:U1": "member", "user:slack:U2": "deactivated"}


def test_a_channel_that_turned_private_is_its_members(
    slack: Connector, workspace: Workspace, clock: Time
) -> None:
    _, cursor = pulled(slack)
    workspace.channels[0] |= {"is_private": True, "is_channel": True}
    clock.at += timedelta(minutes=5)

    found, _ = pulled(slack, cursor)

    assert next(one["audience"] for one in found if one["op"] == "audience") == [["group:slack:C1"]]


def test_channels_the_app_is_not_in_are_left_alone(slack: Connector, workspace: Workspace) -> None:
    workspace.channel("C5", "other", ["U2"], is_member=False)
    workspace.say("C5", message("not ours"))

    found, _ = pulled(slack)

    assert "C5" not in {one.get("container") for one in found}


def test_a_channel_that_is_gone_meanwhile_stops_nothing(slack: Connector, workspace: Workspace) -> None:
    del workspace.members["C1"]
    workspace.say("G1", message("still here"))

    found, _ = pulled(slack)

    assert [body for _, body in texts(found)] == ["still here"]


def test_a_sweep_lists_what_is_still_there_and_not_what_is_not(
    slack: Connector, workspace: Workspace
) -> None:
    tombstone = {
        "subtype": "tombstone",
        "user": "USLACKBOT",
        "text": "This message was deleted.",
        "ts": ts(1),
    }
    join = message("joined", 2, subtype="channel_join")
    workspace.say("C1", message("a"), tombstone, join, message("r", 3, thread_ts=ts(1)), message("b", 4))

    listings = {one.prefix: one for one in slack.sweep()}

    assert listings["C1/"].ids == {f"C1/{ts(n)}" for n in (0, 3, 4)}
    assert listings["C1/"].complete
    assert listings["G1/"] == Listing(
        "G1/", frozenset(), Time()(), complete=True, parsed=listings["G1/"].parsed
    )


def test_a_sweep_that_could_not_see_everything_may_delete_nothing(clock: Time) -> None:
    workspace = company()
    workspace.say("C1", message("q"), message("a", 1, thread_ts=ts()))

    class Forgetful(Workspace):
        def _conversations_replies(  # type: ignore[explicit-override]
            self, asked: dict[str, Any]
        ) -> dict[str, Any]:
            return {"ok": False, "error": "thread_not_found", "asked": asked}

    forgetful = Forgetful(workspace.users, workspace.channels, workspace.members, workspace.messages)
    with served(forgetful) as address:
        listing = next(one for one in connect(address, clock).sweep() if one.prefix == "C1/")

    assert not listing.complete


def test_a_cursor_holds_no_word_and_no_secret(slack: Connector, workspace: Workspace) -> None:
    workspace.page = 2
    workspace.say("C1", *(message(f"confidential {n}", n, thread_ts=ts()) for n in range(5)))

    kept = json.dumps([page.cursor for page in slack.pull(None)])

    assert "confidential" not in kept
    assert "xoxb" not in kept
    assert "Ann" not in kept


@pytest.mark.parametrize("days", ["0", "x", "-1", "99999"])
def test_a_window_that_is_no_number_of_days_is_named(url: str, clock: Time, days: str) -> None:
    with pytest.raises(Malformed, match="thread_days"):
        connect(url, clock, thread_days=days)


@pytest.mark.parametrize(
    "cursor", [{}, {"heard": 7}, {"heard": {"C1": "x"}, "open": {"channel": 3}}, {"open": []}]
)
def test_a_cursor_that_makes_no_sense_begins_anew(
    slack: Connector, workspace: Workspace, cursor: Cursor
) -> None:
    workspace.say("C1", message("x"))

    assert texts(pulled(slack, cursor)[0]) == [(f"C1/{ts()}", "x")]
