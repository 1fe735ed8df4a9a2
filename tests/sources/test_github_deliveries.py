"""What GitHub's deliveries are read as: signed, tolerant of everything, and the same in any order."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.domain.errors import Malformed
from muniment.sources.connector import Heard, Unsigned
from muniment.sources.filekind import Handed
from muniment.sources.github.deliveries import tell
from muniment.sources.github.files import GITHUB_WEBHOOKS
from muniment.sources.github.hook import GitHubHook
from muniment.sources.parsed import Event, Parsed, Unread
from tests.github import BO, ROBOT, comment, issue, repository
from tests.served import configured, delivery, fit, standing, takes

PAYLOADS = Path(__file__).parents[3] / "shared" / "data" / "github_webhooks"  # beside the checkout, if at all
HEARD = "2026-06-20T09:00:00Z"
R = "R_kettle"


def said(event: str, action: str, *, looked_up: bool = False, **payload: object) -> list[Event]:
    whole = {"action": action, "repository": repository(), **payload}
    return fit(tell("github", event, whole, HEARD, looked_up=looked_up, saved=False).parsed)


def content(events: Sequence[Event]) -> list[Event]:
    return [one for one in events if one["op"] not in ("audience", "member", "principal")]


def heard(raw: bytes, event: str = "issues", key: str = "s", **more: str) -> Heard:
    hook = GitHubHook(configured("github", {"webhook_secret": "s", **more}))
    signature = "sha256=" + hmac.digest(key.encode(), raw, hashlib.sha256).hex()
    return hook.hear(delivery(raw, x_hub_signature_256=signature, x_github_event=event))


# The signature


def test_a_delivery_is_read_where_its_signature_holds_over_the_raw_bytes() -> None:
    raw = b'{ "action" : "opened", "issue": ' + json.dumps(issue()).encode() + b"}\n"

    with pytest.raises(Unsigned):
        heard(raw, key="another")

    assert heard(raw).parsed


@pytest.mark.parametrize("signature", ["", "sha256=", "sha256=é", "sha1=0", "v1=" + "0" * 64, "\ud800"])
def test_whatever_is_wrong_with_a_signature_it_is_unsigned(signature: str) -> None:
    hook = GitHubHook(configured("github", {"webhook_secret": "s"}))

    with pytest.raises(Unsigned):
        hook.hear(delivery(b"\xff", x_hub_signature_256=signature, x_github_event="ping"))


def test_an_empty_secret_signs_nothing() -> None:
    hook = GitHubHook(configured("github", {"webhook_secret": ""}))
    signature = "sha256=" + hmac.digest(b"", b"{}", hashlib.sha256).hex()

    with pytest.raises(Unsigned):
        hook.hear(delivery(b"{}", x_hub_signature_256=signature, x_github_event="ping"))


def test_a_signed_body_that_is_no_json_is_malformed() -> None:
    with pytest.raises(Malformed, match="not JSON"):
        heard(b"\xff\x00")


def test_a_delivery_sent_anew_says_the_same() -> None:
    raw = json.dumps({"action": "opened", "issue": issue(), "repository": repository()}).encode()

    assert heard(raw) == heard(raw)


def test_a_delivery_that_carries_nothing_to_remember_says_so_in_the_reply() -> None:
    assert heard(b'{"zen": "Keep it simple."}', "ping").reply == {"note": "nothing of 'ping' is kept"}


# Real payloads


@pytest.mark.skipif(not PAYLOADS.is_dir(), reason="GitHub's example payloads are not on this machine")
def test_every_example_of_github_is_taken_or_kept_with_a_reason() -> None:
    found = list(GITHUB_WEBHOOKS.read(PAYLOADS, Handed("github", "user:owner")))

    events = fit(one for one in found if not isinstance(one, Unread))
    assert GITHUB_WEBHOOKS.recognises(PAYLOADS)
    assert all(one.reason for one in found if isinstance(one, Unread))
    kinds = {one.get("kind") for one in events}
    assert kinds == {None, "issue", "pull_request", "message", "document"}
    assert {one["op"] for one in events} == {"audience", "member", "upsert", "close", "delete", "move"}


@pytest.mark.skipif(not PAYLOADS.is_dir(), reason="GitHub's example payloads are not on this machine")
@settings(max_examples=60)
@given(st.data())
def test_an_example_with_any_part_of_it_changed_is_still_read(data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(sorted(PAYLOADS.rglob("*.json"))))
    payload = mutated(data, json.loads(path.read_bytes()))

    takes(tell("github", path.parent.name, payload, HEARD, looked_up=False, saved=False).parsed)


def mutated(data: st.DataObject, value: object) -> object:
    """The value with one part, somewhere in it, replaced by what does not belong there."""
    if isinstance(value, dict) and value and data.draw(st.integers(0, 3)):
        key = data.draw(st.sampled_from(sorted(value)))
        return {**value, key: mutated(data, value[key])}
    if isinstance(value, list) and value and data.draw(st.booleans()):
        return [mutated(data, value[0]), *value[1:]]
    odd: st.SearchStrategy[object] = st.sampled_from(
        [None, True, -1, 10**30, 1e300, "", "\0", "\ud800", "x" * 5000, [], {}, [[]], [1]]
    )
    return data.draw(odd)


@given(st.binary(max_size=200))
def test_any_signed_bytes_are_read_or_malformed(raw: bytes) -> None:
    with contextlib.suppress(Malformed):
        takes(heard(raw).parsed)


# What is told


def test_an_issue_keeps_its_author_place_and_words() -> None:
    events = said("issues", "opened", issue=issue(labels=[{"name": "leak"}], assignees=[BO]))

    [one] = content(events)
    assert one["id"] == f"{R}/issue/I_7"
    assert (one["author"], one["author_name"], one["container"]) == ("user:github:11", "ann", R)
    assert one["labels"] == {"repository": "acme/kettle", "number": "7", "label": ["leak"]}
    assert (one["participants"], one["thread"]) == (["user:github:12"], f"{R}#7")


def test_a_null_body_is_an_empty_text_and_a_null_user_a_ghost() -> None:
    [one] = content(said("issues", "opened", issue=issue(body=None, user=None)))

    assert (one["body"], one.get("author"), one["author_name"]) == ("", None, "ghost")


def test_a_bot_is_a_service() -> None:
    [one] = content(said("issue_comment", "created", comment=comment(user=ROBOT)))

    assert one["author"] == "service:github:77"


def test_a_pull_request_is_one_however_it_is_shown() -> None:
    alone = issue(3, head={"ref": "seal"}, base={"ref": "main"}, merged_at=None, node_id="PR_3")
    among_issues = issue(3, pull_request={"merged_at": None}, node_id="PR_3")

    by_webhook = content(said("pull_request", "opened", pull_request=alone))
    by_listing = content(said("issues", "opened", issue=among_issues))

    assert by_webhook == by_listing
    assert by_webhook[0]["kind"] == "pull_request"


@pytest.mark.parametrize(
    ("more", "state"),
    [
        ({"state_reason": "completed"}, "closed"),
        ({"state_reason": "not_planned"}, "not planned"),
        ({"pull_request": {"merged_at": "2026-06-04T10:00:00Z"}}, "merged"),
    ],
)
def test_a_closed_issue_says_how_it_was_closed(more: dict[str, object], state: str) -> None:
    closed = issue(state="closed", closed_at="2026-06-04T10:00:00Z") | more

    assert content(said("issues", "closed", issue=closed))[1]["state"] == state


def test_a_dismissed_review_is_dismissed_though_its_time_stays() -> None:
    review = {"node_id": "PRR_1", "user": BO, "body": "Fine.", "submitted_at": "2026-06-04T10:00:00Z"}
    approved = content(said("pull_request_review", "submitted", review={**review, "state": "approved"}))
    dismissed = content(said("pull_request_review", "dismissed", review={**review, "state": "DISMISSED"}))

    assert standing([*dismissed, *approved]).status == "dismissed"
    assert standing([*approved, *dismissed]).status == "dismissed"
    assert approved[0] == dismissed[0]


def test_a_draft_of_a_release_is_nobody_elses() -> None:
    release = {"node_id": "RE_1", "name": "2.0", "body": "New seal.", "created_at": "2026-06-04T10:00:00Z"}

    assert content(said("release", "created", release={**release, "draft": True})) == []
    assert content(said("release", "published", release={**release, "draft": False}))


def test_a_transferred_issue_moves_and_its_other_end_tells_the_same() -> None:
    there = repository("acme/stove")
    new = issue(1, node_id="I_new")
    changes = {"new_issue": new, "new_repository": there}
    back = {"old_issue": issue(), "old_repository": repository()}
    left = content(said("issues", "transferred", issue=issue(), changes=changes))
    came = content(said("issues", "opened", issue=new, repository=there, changes=back))

    moves = [one for one in left if one["op"] == "move"]
    assert moves == [one for one in came if one["op"] == "move"]
    assert moves[1]["id"] == "R_stove/issue/I_new"
    assert moves[0]["to"] == {"id": "R_stove/issue/I_new", "container": "R_stove", "thread": "R_stove#1"}


def test_what_is_unknown_is_kept_with_its_reason() -> None:
    [unread] = tell("github", "teleport", {"action": "beamed"}, HEARD, looked_up=False, saved=False).parsed

    assert isinstance(unread, Unread)
    assert "no kind that is known" in unread.reason


# Rights


def readers(events: Sequence[Parsed]) -> list[object]:
    return [one["audience"] for one in events if not isinstance(one, Unread) and one["op"] == "audience"]


def test_what_happens_in_a_public_repository_is_for_every_member() -> None:
    assert readers(said("issues", "opened", issue=issue())) == [[["*"]]]


def test_a_private_repository_is_never_opened_by_a_delivery() -> None:
    private = repository(private=True)
    group = [[f"group:github:{R}"]]

    assert readers(said("issues", "opened", issue=issue(), repository=private)) == [group]
    assert readers(said("issues", "opened", issue=issue(), repository=private, looked_up=True)) == []
    assert readers(said("repository", "privatized", repository={**private, "visibility": "public"})) == [
        group
    ]


def test_an_internal_repository_is_not_public() -> None:
    internal = repository(private=False, visibility="internal")

    assert [["*"]] not in readers(said("issues", "opened", issue=issue(), repository=internal))


def test_what_takes_a_right_away_holds_at_once_and_what_gives_one_is_looked_up() -> None:
    team = {"node_id": "T_1", "slug": "makers"}
    added = tell("github", "membership", {"action": "added", "member": BO, "team": team}, HEARD,
                 looked_up=True, saved=False)  # fmt: skip
    removed = tell("github", "membership", {"action": "removed", "member": BO, "team": team}, HEARD,
                   looked_up=True, saved=False)  # fmt: skip

    assert (added.parsed, added.again) == ((), True)
    [left] = fit(removed.parsed)
    assert (left["group"], left["remove"], removed.again) == ("group:github:T_1", ["user:github:12"], True)


def test_a_deleted_repository_is_closed_to_all() -> None:
    events = said("repository", "deleted")

    assert [one.get("set") for one in events] == [[], None]
    assert readers(events) == [[[f"group:github:{R}"]]]


# Any order


LIFE = [
    said("issues", "opened", issue=issue()),
    said("issues", "edited", issue=issue(updated="2026-06-02T11:00:00Z", body="Only when it is hot.")),
    said("issues", "labeled", issue=issue(updated="2026-06-02T11:00:00Z", labels=[{"name": "leak"}])),
    said("issues", "closed", issue=issue(updated="2026-06-03T09:00:00Z", state="closed",
                                         closed_at="2026-06-03T09:00:00Z")),
    said("issues", "reopened", issue=issue(updated="2026-06-04T09:00:00Z", body="Still.")),
    said("issues", "locked", issue=issue(updated="2026-06-05T09:00:00Z", body="Still.", locked=True)),
]  # fmt: skip
GONE = said("issues", "deleted", issue=issue(updated="2026-06-05T09:00:00Z"))


def seen(events: Sequence[Event]) -> tuple[object, ...]:
    one = standing([event for event in events if event["op"] != "audience"])
    return tuple(getattr(one, field) for field in ("body", "state", "status", "thread", "at", "created_at"))


@given(st.permutations(LIFE), st.booleans())
def test_deliveries_in_any_order_end_in_the_same_issue(
    order: list[list[Event]],
    is_deleted: bool,  # noqa: FBT001  # drawn, not passed
) -> None:
    ends = [GONE] if is_deleted else []

    found = seen([one for told in (*ends, *order) for one in told])

    assert found == seen([one for told in (*LIFE, *ends) for one in told])
    assert found[1] == ("deleted" if is_deleted else "pending")
    assert found[2] == "open"
