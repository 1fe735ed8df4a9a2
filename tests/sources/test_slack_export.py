"""A workspace's export, as Slack hands it out and as people pass it on."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from muniment.events.parse import Parsed, parse_event
from muniment.sources.filekind import Handed
from muniment.sources.parsed import Unread
from muniment.sources.registry import file_kind, recognised
from tests.sources.slack_workspace import Workspace, company, message, ts, user

HANDED = Handed("slack", "user:owner")


def read(path: Path) -> list[Any]:
    found = list(file_kind("slack-export").read(path, HANDED))
    refused = [one for one in found if isinstance(one, dict) and not isinstance(parse_event(one), Parsed)]
    assert refused == []
    return found


def said(found: list[Any], op: str) -> list[Mapping[str, Any]]:
    return [one for one in found if not isinstance(one, Unread) and one["op"] == op]


def unread(found: list[Any]) -> list[Unread]:
    return [one for one in found if isinstance(one, Unread)]


@pytest.fixture
def workspace() -> Workspace:
    found = company()
    found.say("C1", message("Hello <@U2>"), message("on it", 60 * 24 * 3, "U2", thread_ts=ts()))
    found.say("G1", message("The budget is EUR 9,000", 5))
    return found


def test_a_zip_a_folder_and_a_zip_of_the_folder_are_one_export(workspace: Workspace, tmp_path: Path) -> None:
    paths = [
        workspace.zip(tmp_path / "a.zip"),
        workspace.folder(tmp_path / "b"),
        workspace.zip(tmp_path / "c.zip", top="acme export/"),
    ]

    assert [one.name for path in paths if (one := recognised(path))] == ["slack-export"] * 3
    assert read(paths[0]) == read(paths[1]) == read(paths[2])


def test_other_archives_and_folders_are_not_taken_for_one(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
        archive.writestr("users.json", "[]")
    (tmp_path / "broken.zip").write_bytes(b"PK\x03\x04 not really")
    (tmp_path / "notes").mkdir()

    assert [recognised(tmp_path / name) for name in ("other.zip", "broken.zip", "notes")] == [None] * 3


def test_who_may_read_comes_before_what_they_may_read(workspace: Workspace, tmp_path: Path) -> None:
    found = read(workspace.zip(tmp_path / "a.zip"))

    assert [one["op"] for one in found] == ["principal"] * 7 + [
        *("member", "audience", "upsert", "upsert"),
        *("member", "audience", "upsert"),
    ]


def test_a_public_channel_is_everyones_and_a_private_one_its_members(
    workspace: Workspace, tmp_path: Path
) -> None:
    workspace.channel("D1", "", ["U1", "U2"], private=True, is_im=True)
    workspace.channel("G2", "mpdm-a--b-1", ["U1", "U2", "U404"], private=True, is_mpim=True)

    found = read(workspace.zip(tmp_path / "a.zip"))

    assert {one["container"]: one["audience"] for one in said(found, "audience")} == {
        "C1": [["*"]],
        "G1": [["group:slack:G1"]],
        "D1": [["group:slack:D1"]],
        "G2": [["group:slack:G2"]],
    }
    groups = {one["group"]: one["set"] for one in said(found, "member")}
    assert groups["group:slack:G2"] == ["user:slack:U1", "user:slack:U2", "user:slack:U404"]


def test_audiences_are_verified_through_the_last_thing_the_export_holds(
    workspace: Workspace, tmp_path: Path
) -> None:
    workspace.say("G1", message("x", 6, edited={"user": "U1", "ts": ts(60 * 24 * 9)}))
    # What an app writes into a message is no time of Slack's: it must not outlast every later word.
    workspace.say("C1", message("", 7, attachments=[{"text": "t", "ts": "99999999999.000000"}]))

    found = read(workspace.zip(tmp_path / "a.zip"))

    assert {one["verified_through"] for one in said(found, "audience")} == {"2026-06-10T09:00:00+00:00"}


def test_a_message_keeps_the_name_its_channel_had(workspace: Workspace, tmp_path: Path) -> None:
    renamed = {"subtype": "channel_name", "old_name": "random", "name": "general", "text": "", "ts": ts(10)}
    workspace.say("C1", renamed, message("after", 11))

    found = read(workspace.zip(tmp_path / "a.zip"))

    labels = [one["labels"]["channel"] for one in said(found, "upsert") if one["container"] == "C1"]
    assert labels == ["random", "general", "general"]


def test_people_whom_no_list_names_are_no_obstacle(workspace: Workspace, tmp_path: Path) -> None:
    workspace.users = [one for one in workspace.users if one["id"] == "U1"]
    workspace.members["C1"] = ["U1", "USLACKBOT", "U404"]
    workspace.say("C1", message("hi <@U404>", 8, "U404", team="T1", user_team="T9"))

    found = read(workspace.zip(tmp_path / "a.zip"))

    assert unread(found) == []
    assert [(one["id"], one["standing"]) for one in said(found, "principal")] == [
        ("user:slack:U1", "member"),
        ("user:slack:U404", "external"),
    ]


def test_a_folder_that_no_listing_names_waits_for_an_audience(workspace: Workspace, tmp_path: Path) -> None:
    folder = workspace.folder(tmp_path / "b")
    (folder / "groups.json").write_text("[]")

    found = read(folder)

    assert [one.origin for one in unread(found)] == ["board"]
    assert [one["container"] for one in said(found, "audience")] == ["C1"]
    assert [one["container"] for one in said(found, "upsert")] == ["C1", "C1", "board"]


def test_a_canvas_is_known_by_its_title(workspace: Workspace, tmp_path: Path) -> None:
    folder = workspace.folder(tmp_path / "b")
    canvas = {"id": "F9", "title": "Renewal plan", "created": 1_780_304_400, "user": "U1", "channels": ["C1"]}
    (folder / "canvases.json").write_text(json.dumps([canvas, {"id": "F8"}]))

    (event,) = [one for one in said(read(folder), "upsert") if one["kind"] == "document"]

    assert (event["id"], event["title"], event["container"]) == ("canvas/F9", "Renewal plan", "C1")


@pytest.mark.parametrize(
    ("file", "content", "reason"),
    [
        ("general/2026-06-01.json", b"[{", "not JSON"),
        ("general/2026-06-01.json", b'{"a": 1}', "is no list of messages"),
        ("general/2026-06-01.json", b"[7]", "is no time stamp"),
        ("general/2026-06-01.json", b"\xff\xfe", "not JSON"),
        ("users.json", b"[" * 100_000, "not JSON"),
    ],
)
def test_what_cannot_be_read_is_named_and_the_rest_is_read(
    workspace: Workspace, tmp_path: Path, file: str, content: bytes, reason: str
) -> None:
    folder = workspace.folder(tmp_path / "b")
    (folder / file).write_bytes(content)

    found = read(folder)

    (one,) = unread(found)
    assert one.origin.startswith(file)
    assert reason in one.reason
    assert "The budget is EUR 9,000" in [event["body"] for event in said(found, "upsert")]


def test_a_file_that_unpacks_to_more_than_it_may_is_refused(workspace: Workspace, tmp_path: Path) -> None:
    path = workspace.zip(tmp_path / "a.zip")
    with (
        zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("board/2026-06-02.json", "w") as file,
    ):
        for _ in range(257):
            file.write(b" " * 1_048_576)

    found = read(path)

    assert path.stat().st_size < 2_000_000
    assert [one.origin for one in unread(found)] == ["board/2026-06-02.json"]
    assert "268435456" in unread(found)[0].reason


def test_an_export_without_a_message_still_says_who_is_in_what(tmp_path: Path) -> None:
    found = read(company().zip(tmp_path / "a.zip"))

    assert len(said(found, "member")) == 2
    assert unread(found) == []


def test_names_of_any_script_stand_as_they_are(workspace: Workspace, tmp_path: Path) -> None:
    workspace.users.append(user("U7", "刘浩然"))
    workspace.channel("C7", "设计-团队", ["U7"])
    workspace.say("C7", message("你好 <@U7>", by="U7"))

    (event,) = [
        one for one in said(read(workspace.zip(tmp_path / "a.zip")), "upsert") if one["container"] == "C7"
    ]

    assert (event["author_name"], event["body"], event["labels"]) == (
        "刘浩然",
        "你好 @刘浩然",
        {"channel": "设计-团队"},
    )


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=400), st.integers(0, 10_000))
def test_a_zip_with_bytes_changed_raises_nothing(
    workspace: Workspace, tmp_path: Path, noise: bytes, place: int
) -> None:
    path = workspace.zip(tmp_path / "a.zip")
    whole = path.read_bytes()
    start = place % len(whole)
    path.write_bytes(whole[:start] + noise + whole[start + len(noise) :])

    recognised(path)
    read(path)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(
        ["users.json", "channels.json", "groups.json", "canvases.json", "general/2026-06-01.json"]
    ),
    st.recursive(
        st.none() | st.integers() | st.text(max_size=6),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from(
                    ["id", "name", "members", "ts", "user", "profile", "updated", "channels", "created"]
                ),
                inner,
            )
        ),
        max_leaves=10,
    ),
)
def test_no_listing_is_too_odd(tmp_path: Path, file: str, content: object) -> None:
    folder = company().folder(tmp_path / "b")
    (folder / "general").mkdir(exist_ok=True)
    (folder / file).write_text(json.dumps(content))

    read(folder)
