"""Jira and Linear: what their exports and deliveries are read as, and that these agree."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.app import Org
from muniment.domain.errors import Malformed
from muniment.sources.connector import Heard, Hook, Unsigned
from muniment.sources.filekind import FileKind, Handed
from muniment.sources.jira.files import JIRA_EXPORT
from muniment.sources.jira.hook import JiraHook, tell
from muniment.sources.linear.files import LINEAR_EXPORT
from muniment.sources.linear.hook import LinearHook
from muniment.sources.linear.hook import tell as linear_tell
from muniment.sources.parsed import Event, Unread
from muniment.sources.wire import told
from muniment.sources.wire.mapping import parse_mapping
from tests.served import NOW, configured, delivery, fit, takes
from tests.worlds import Clock, member, open_org, person, taken

Thing = dict[str, object]
ANN: Thing = {"accountId": "5b10a", "displayName": "Ann", "accountType": "atlassian"}
ADF: Thing = {
    "type": "doc",
    "content": [
        {"type": "paragraph", "content": [
            {"type": "text", "text": "Water drips from the "}, {"type": "text", "text": "spout"},
            {"type": "hardBreak"}, {"type": "mention", "attrs": {"id": "5b10a", "text": "@Ann"}},
        ]},
        {"type": "bulletList", "content": [{"type": "listItem", "content": [
            {"type": "paragraph", "content": [{"type": "text", "text": "only when hot"}]}]}]},
    ],
}  # fmt: skip


def jira(updated: str = "2026-06-02T12:00:00.000+0200", **fields: object) -> Thing:
    return {
        "id": "10007",
        "key": "ENG-7",
        "fields": {
            "summary": "The kettle leaks",
            "description": "Water drips from the spout.",
            "issuetype": {"name": "Bug"},
            "project": {"id": "10000", "key": "ENG", "name": "Engineering"},
            "status": {"name": "To Do", "statusCategory": {"key": "new"}},
            "reporter": ANN,
            "labels": ["leak"],
            "created": "2026-06-02T11:00:00.000+0200",
            "updated": updated,
            **fields,
        },
    }


def remark(**more: object) -> Thing:
    at = "2026-06-03T10:00:00.000+0000"
    return {"id": "20001", "author": ANN, "body": "It is the seal.", "created": at, "updated": at, **more}


def linear(**more: object) -> Thing:
    return {
        "id": "0f3c",
        "identifier": "ENG-7",
        "title": "The kettle leaks",
        "description": "Water drips from the spout.",
        "createdAt": "2026-06-02T09:00:00.000Z",
        "updatedAt": "2026-06-02T10:00:00.000Z",
        "creatorId": "u-ann",
        "state": {"name": "Todo", "type": "unstarted"},
        "team": {"id": "t1", "key": "ENG", "name": "Engineering"},
        "labels": [{"name": "leak"}],
        "url": "https://linear.example/acme/issue/ENG-7/the-kettle-leaks",
        **more,
    }


def read(kind: FileKind, path: Path, **options: str) -> list[Event]:
    assert kind.recognises(path)
    return fit(kind.read(path, Handed(kind.source, "user:owner", options=options)))


def written(folder: Path, name: str, said: object) -> Path:
    path = folder / name
    path.write_text(said if isinstance(said, str) else json.dumps(said), encoding="utf-8")
    return path


def ops(events: Sequence[Event], *wanted: str) -> list[Event]:
    return [one for one in events if one["op"] in wanted]


def told_by_jira(event: str, **payload: object) -> list[Event]:
    return fit(tell("jira", event, payload, parse_mapping("ENG=group:eng"), "2026-06-20T09:00:00Z"))


def told_by_linear(action: str, kind: str, thing: Thing, **more: object) -> list[Event]:
    payload = {"action": action, "type": kind, "data": thing, **more}
    return fit(linear_tell("linear", payload, parse_mapping("ENG=group:eng"), "2026-06-20T09:00:00Z"))


# Jira


def test_an_export_of_jira_and_its_deliveries_are_the_same_events(tmp_path: Path) -> None:
    whole = jira(comment={"comments": [remark()]}, customfield_1=None)
    exported = read(JIRA_EXPORT, written(tmp_path, "issues.json", {"issues": [whole]}))

    delivered = [*told_by_jira("jira:issue_created", issue=jira()),
                 *told_by_jira("comment_created", issue=jira(), comment=remark())]  # fmt: skip

    assert ops(exported, "upsert") == ops(delivered, "upsert")


def test_a_document_of_jiras_is_read_as_its_words() -> None:
    [one] = ops(told_by_jira("jira:issue_created", issue=jira(description=ADF)), "upsert")

    assert one["body"] == "Water drips from the spout\n@Ann\n- only when hot"


def test_an_issue_of_jira_says_when_it_is_done_and_when_it_is_not_any_more() -> None:
    done = {"name": "Done", "statusCategory": {"key": "done"}}
    turned = {"items": [{"field": "status", "fromString": "Done", "toString": "In Progress"}]}
    doing = {"name": "In Progress", "statusCategory": {"key": "indeterminate"}}
    closed = jira("2026-06-04T10:00:00.000+0000", status=done, resolutiondate="2026-06-04T10:00:00.000+0000")
    again = jira("2026-06-05T10:00:00.000+0000", status=doing)

    states = [*ops(told_by_jira("jira:issue_updated", issue=closed), "close"),
              *ops(told_by_jira("jira:issue_updated", issue=again, changelog=turned), "close")]  # fmt: skip

    assert [(one["state"], one["at"]) for one in states] == [
        ("done", "2026-06-04T10:00:00Z"), ("in progress", "2026-06-05T10:00:00Z"),
    ]  # fmt: skip
    assert ops(told_by_jira("jira:issue_updated", issue=again), "close") == []


def test_a_comment_for_a_role_and_an_issue_with_a_level_are_narrower_than_their_project() -> None:
    seen = remark(visibility={"type": "role", "value": "Administrators"})
    secret = jira(security={"id": "9"})

    [comment] = ops(told_by_jira("comment_created", issue=secret, comment=seen), "upsert")
    [issue] = ops(told_by_jira("jira:issue_created", issue=secret), "upsert")

    assert issue["audience"] == [["group:jira:security/9"]]
    assert comment["audience"] == [["group:jira:security/9"], ["group:jira:role/ENG/Administrators"]]


def test_a_deleted_issue_of_jira_takes_the_comments_it_came_with() -> None:
    gone = told_by_jira("jira:issue_deleted", issue=jira(comment={"comments": [remark()]}))

    assert [one["id"] for one in ops(gone, "delete")] == ["issue/10007", "comment/20001"]


def test_a_table_of_jira_is_read_in_its_own_zone(tmp_path: Path) -> None:
    table = (
        '\ufeffSummary,Issue key,Issue id,Project key,Status,Resolution,Updated,Created,Labels,Labels,'
        'Description,Comment\n'
        'The kettle leaks,ENG-7,10007,ENG,Done,Done,02/Jun/26 12:00 PM,02/Jun/26 11:00 AM,leak,hot,'
        '"Water drips,\nfrom the spout.","03/Jun/26 10:00 AM;5b10a;It is the seal; the old one."\n'
        'Nothing known,ENG-8,,ENG,Done,,soon,,,,,\n'
    )  # fmt: skip
    path = written(tmp_path, "jira.csv", table)

    found = list(JIRA_EXPORT.read(path, Handed("jira", "user:owner", options={"timezone": "+02:00"})))

    events = fit(one for one in found if not isinstance(one, Unread))
    issue, comment = ops(events, "upsert")
    assert (issue["id"], issue["at"], issue["body"]) == (
        "issue/10007", "2026-06-02T10:00:00Z", "Water drips,\nfrom the spout.",
    )  # fmt: skip
    assert (comment["body"], comment["author"]) == ("It is the seal; the old one.", "user:jira:5b10a")
    assert [one.origin for one in found if isinstance(one, Unread)] == ["line 3"]


def admitted(hook: Hook, raw: bytes, **headers: str) -> Heard:
    return hook.hear(delivery(raw, **headers))


def test_jira_is_admitted_by_signature_token_or_bearer_and_by_nothing_else() -> None:
    import jwt  # noqa: PLC0415  # the extra `serve`

    key = "a secret of thirty-two characters!"
    hook = JiraHook(configured("jira", {"webhook_secret": key}))
    raw = json.dumps({"webhookEvent": "jira:issue_created", "issue": jira()}).encode()
    signature = "sha256=" + hmac.digest(key.encode(), raw, hashlib.sha256).hex()
    soon, past = int(NOW.timestamp()) + 60, int(NOW.timestamp()) - 60

    assert admitted(hook, raw, x_hub_signature=signature).parsed
    assert admitted(hook, raw, authorization=f"Bearer {key}").parsed
    assert admitted(hook, raw, authorization=f"JWT {jwt.encode({'exp': soon}, key)}").parsed
    wrong = [
        {},
        {"x_hub_signature": signature[:-1]},
        {"authorization": "Bearer no"},
        {"authorization": "JWT x.y.z"},
        {"authorization": f"JWT {jwt.encode({'exp': past}, key)}"},
        {"authorization": f"JWT {jwt.encode({}, key)}"},
        {"authorization": f"JWT {jwt.encode({'exp': soon}, 'another secret of thirty-two chars')}"},
        {"authorization": f"JWT {jwt.encode({'exp': soon}, '', algorithm='none')}"},
    ]  # fmt: skip
    for headers in wrong:
        with pytest.raises(Unsigned):
            admitted(hook, raw, **headers)


# Linear


def test_an_export_of_linear_and_its_deliveries_are_the_same_events(tmp_path: Path) -> None:
    comment = {"id": "c1", "body": "It is the seal.", "createdAt": "2026-06-03T10:00:00Z",
               "user": {"id": "u-bo", "name": "Bo"}}  # fmt: skip
    nodes = [{**linear(), "comments": {"nodes": [comment]}}]
    path = written(tmp_path, "linear.json", {"data": {"issues": {"nodes": nodes}}})
    exported = fit(LINEAR_EXPORT.read(path, Handed("linear", "user:owner")))

    delivered = [
        *told_by_linear("create", "Issue", linear()),
        *told_by_linear("create", "Comment", {**comment, "issueId": "0f3c", "issue": linear()}),
    ]

    assert ops(exported, "upsert") == ops(delivered, "upsert")


def test_a_comment_of_linear_stands_in_its_issues_team() -> None:
    url = "https://linear.example/acme/issue/OPS-3/x#comment-1"
    thing: Thing = {"id": "c1", "body": "Yes.", "createdAt": "2026-06-03T10:00:00Z", "issueId": "0f3c"}

    [one] = ops(told_by_linear("create", "Comment", thing, url=url), "upsert")

    assert (one["container"], one["thread"]) == ("OPS", "issue/0f3c")


def test_an_issue_of_linear_changes_its_state_and_goes() -> None:
    over = linear(state={"name": "Canceled", "type": "canceled"}, canceledAt="2026-06-05T10:00:00Z")
    doing = linear(state={"name": "In Progress", "type": "started"}, updatedAt="2026-06-06T10:00:00Z")

    closed = ops(told_by_linear("update", "Issue", over), "close")
    again = ops(told_by_linear("update", "Issue", doing, updatedFrom={"stateId": "s"}), "close")
    gone = ops(told_by_linear("remove", "Issue", doing), "delete")

    assert [one["state"] for one in (*closed, *again)] == ["canceled", "in progress"]
    assert [one["id"] for one in gone] == ["issue/0f3c"]


def test_a_table_of_linear_is_read_with_dates_as_browsers_print_them(tmp_path: Path) -> None:
    table = (
        '"ID","Team","Title","Description","Status","Creator","Labels","Cycle Name","Created",'
        '"Updated","Completed"\n'
        '"ENG-7","Engineering","The kettle leaks","Water drips.","Done","ann@acme.example","leak, hot","",'
        '"Tue Jun 02 2026 11:00:00 GMT+0200 (Central European Summer Time)","2026-06-02T10:00:00.000Z",'
        '"Tue Jun 02 2026 12:00:00 GMT+0200 (CEST)"\n'
    )  # fmt: skip

    events = read(LINEAR_EXPORT, written(tmp_path, "linear.csv", table), audiences="ENG=group:eng")

    [one] = ops(events, "upsert")
    assert (one["author"], one["container"]) == ("user:ann@acme.example", "ENG")
    assert one["labels"] == {"key": "ENG-7", "team": "Engineering", "label": ["hot", "leak"]}
    assert ops(events, "close")[0]["at"] == "2026-06-02T10:00:00Z"


def test_a_delivery_of_linear_counts_only_when_it_was_signed_just_now() -> None:
    hook = LinearHook(configured("linear", {"webhook_secret": "s"}))

    def heard(sent: float) -> Heard:
        said = {"type": "Issue", "action": "create", "data": linear(), "webhookTimestamp": int(sent * 1000)}
        raw = json.dumps(said).encode()
        return admitted(hook, raw, linear_signature=hmac.digest(b"s", raw, hashlib.sha256).hex())

    assert heard(NOW.timestamp()).parsed
    with pytest.raises(Unsigned, match="another time"):
        heard(NOW.timestamp() - 3600)


# Whatever comes


@given(
    st.binary(max_size=300), st.sampled_from([JIRA_EXPORT, LINEAR_EXPORT]), st.sampled_from([".csv", ".json"])
)
def test_any_file_is_read_or_kept_with_its_reason(
    tmp_path_factory: pytest.TempPathFactory, raw: bytes, kind: FileKind, suffix: str
) -> None:
    path = tmp_path_factory.getbasetemp() / f"export{suffix}"
    path.write_bytes(raw)

    takes(kind.read(path, Handed(kind.source, "user:owner")))


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=60)
@given(st.sampled_from(sorted(told.part(jira(), "fields"))), ODD, st.sampled_from(sorted(linear())), ODD)
def test_an_issue_with_any_field_of_any_form_is_read(
    field: str, odd: object, other: str, queer: object
) -> None:
    issue = jira()
    issue["fields"] = {**told.part(issue, "fields"), field: odd}
    for event in ("jira:issue_updated", "jira:issue_deleted", "comment_created"):
        takes(tell("jira", event, {"issue": issue, "comment": remark(body=odd)}, {}, "2026-06-20T09:00:00Z"))
    payload = {"type": "Issue", "action": "update", "data": linear(**{other: queer})}
    takes(linear_tell("linear", payload, {}, "2026-06-20T09:00:00Z"))


def test_a_mapping_that_cannot_be_read_is_named() -> None:
    for wrong in ("ENG", "ENG=", "=group:eng", "ENG=everybody", "ENG=group:"):
        with pytest.raises(Malformed, match="audiences"):
            parse_mapping(wrong)


# In a record


@pytest.fixture
def org(url: str, tenant: str) -> Iterator[Org]:
    with open_org(url, tenant, Clock()) as opened:
        people = [person("user:ann", aliases=["jira:5b10a"]), person("user:bo")]
        taken(opened, [*people, member("group:eng", "user:bo")])
        yield opened


def found(org: Org, who: str, words: str) -> list[str | None]:
    return [hit.item for hit in org.reader(who).search(words)]


def test_a_project_is_read_by_whom_the_mapping_names(org: Org) -> None:
    unmapped = jira(project={"key": "HR"})
    taken(org, told_by_jira("jira:issue_created", issue=jira()))
    taken(org, fit(tell("jira", "jira:issue_created", {"issue": {**unmapped, "id": "9"}}, {}, "")))

    assert found(org, "user:bo", "spout") == ["issue/10007"]
    assert found(org, "user:ann", "spout") == ["issue/9"]  # she reported it: what is pending is its author's
    assert org.steward("user:owner").status().pending_audience == 1


def test_an_export_after_deliveries_changes_nothing(org: Org, tmp_path: Path) -> None:
    edited = jira("2026-06-03T10:00:00.000+0000", description="Water drips from the lid.")
    path = written(tmp_path, "issues.json", {"issues": [edited]})
    taken(org, told_by_jira("jira:issue_created", issue=jira()))
    taken(org, told_by_jira("jira:issue_updated", issue=edited))

    again = taken(org, ops(fit(JIRA_EXPORT.read(path, Handed("jira", "user:owner"))), "upsert"))

    assert (again.accepted, again.duplicate) == (0, 1)
    assert found(org, "user:bo", "lid") == ["issue/10007"]
