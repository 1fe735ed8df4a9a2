"""Kubernetes' events: listed once, watched from there, and never deleted for being forgotten."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.sources.connector import Cursor, CursorLost, Page, Unauthorised
from muniment.sources.kubernetes.notices import notice
from muniment.sources.kubernetes.watch import Kubernetes
from muniment.sources.parsed import Event
from tests.served import Answer, Question, configured, fit, served, takes

Thing = dict[str, object]


def of(pages: Sequence[Page]) -> list[Event]:
    events = fit(one for page in pages for one in page.parsed)
    return [one for one in events if one["op"] != "audience"]


def happened(version: str, count: int = 1, **more: object) -> Thing:
    return {
        "metadata": {"uid": "u-1", "name": "kettle.1", "namespace": "shop", "resourceVersion": version,
                     "creationTimestamp": "2026-06-02T10:00:00Z"},
        "involvedObject": {"kind": "Pod", "name": "kettle-0", "uid": "p-1"},
        "reason": "BackOff", "message": "Back-off restarting failed container", "type": "Warning",
        "count": count, "firstTimestamp": "2026-06-02T10:00:00Z",
        "lastTimestamp": f"2026-06-02T10:0{count}:00Z", **more,
    }  # fmt: skip


class SmallCluster:
    """One list, and what a watch from each version answers."""

    def __init__(self, listed: list[Thing], watched: Mapping[str, bytes]) -> None:
        self.listed, self.watched = listed, watched
        self.asked: list[Mapping[str, str]] = []

    def __call__(self, question: Question) -> Answer:
        self.asked.append(question.query)
        if question.headers.get("authorization") != "Bearer let me in":
            return Answer({"code": 401}, 401)
        if "watch" in question.query:
            return Answer(self.watched.get(question.query["resourceVersion"], b""))
        start = int(question.query.get("continue", "0"))
        more = str(start + 1) if start + 1 < len(self.listed) else ""
        meta = {"resourceVersion": "100", "continue": more}
        return Answer({"metadata": meta, "items": self.listed[start : start + 1]})


def changes(*said: tuple[str, Thing]) -> bytes:
    return b"".join(json.dumps({"type": kind, "object": thing}).encode() + b"\n" for kind, thing in said)


def pulled(cluster: SmallCluster, cursor: Cursor | None = None) -> list[Page]:
    with served(cluster) as url:
        made = configured("kubernetes", {"token": "let me in"}, url=url, audiences="shop=group:sre")
        return list(Kubernetes(made).pull(cursor))


def test_events_are_listed_once_and_watched_from_there() -> None:
    other = happened("91")
    other["metadata"] = {"uid": "u-2", "namespace": "shop", "creationTimestamp": "2026-06-02T10:00:00Z"}
    bookmark: Thing = {"metadata": {"resourceVersion": "140"}}
    cluster = SmallCluster([happened("90"), other], {"100": changes(
        ("MODIFIED", happened("120", 4)), ("DELETED", happened("121", 4)),
        ("BOOKMARK", bookmark))})  # fmt: skip

    listed = pulled(cluster)
    watched = pulled(cluster, listed[-1].cursor)

    assert [one["id"] for one in of(listed)] == ["u-1", "u-2"]
    assert [(one["id"], one["op"], one["labels"]) for one in of(watched)] == [("u-1", "upsert", {
        "namespace": "shop", "reason": "BackOff", "type": "Warning", "object": "Pod/kettle-0", "count": "4",
    })]  # fmt: skip
    assert watched[-1].cursor == {"marks": {"": "140"}}


def test_a_list_that_broke_off_is_begun_anew() -> None:
    cluster = SmallCluster([happened("90"), happened("91")], {})
    with served(cluster) as url:
        made = configured("kubernetes", {"token": "let me in"}, url=url)
        first = next(Kubernetes(made).pull(None))

    assert first.cursor == {"marks": {}}


def test_a_forgotten_version_is_a_lost_cursor_and_no_event() -> None:
    gone: Thing = {"kind": "Status", "code": 410, "message": "too old resource version"}

    with pytest.raises(CursorLost):
        pulled(SmallCluster([], {"7": changes(("ERROR", gone))}), {"marks": {"": "7"}})


def test_a_watch_that_gives_nothing_is_listed_again_once_and_not_asked_in_a_loop() -> None:
    cluster = SmallCluster([happened("90")], {})

    pages = pulled(cluster, {"marks": {"": "7"}})

    assert [one["id"] for one in of(pages)] == ["u-1"]
    assert ["watch" in one for one in cluster.asked] == [True, False]
    assert pages[-1].cursor == {"marks": {"": "100"}}


def test_a_wrong_token_is_a_persons_to_mend() -> None:
    with served(SmallCluster([], {})) as url, pytest.raises(Unauthorised):
        list(Kubernetes(configured("kubernetes", {"token": "no"}, url=url)).pull(None))


@pytest.mark.parametrize(
    ("times", "at"),
    [
        ({"lastTimestamp": None, "eventTime": "2026-06-02T10:07:00.5Z"}, "2026-06-02T10:07:00.500000Z"),
        ({"series": {"count": 3, "lastObservedTime": "2026-06-02T10:08:00Z"}}, "2026-06-02T10:08:00Z"),
        ({"lastTimestamp": None, "eventTime": None, "firstTimestamp": None}, "2026-06-02T10:00:00Z"),
    ],
)
def test_an_event_happened_when_whoever_reported_it_says(times: Thing, at: str) -> None:
    [one] = fit(notice("kubernetes", happened("1") | times))

    assert one["at"] == at


def test_the_newer_interfaces_events_are_read_too() -> None:
    new: Thing = {
        "metadata": {"uid": "u-9", "namespace": "shop"}, "eventTime": "2026-06-02T10:00:00.000000Z",
        "regarding": {"kind": "Node", "name": "n1"}, "reason": "Rebooted",
        "note": "Node n1 has been rebooted",
    }  # fmt: skip

    [one] = fit(notice("kubernetes", new))

    assert (one["title"], one["body"]) == ("Rebooted: Node/n1", "Node n1 has been rebooted")


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=60)
@given(st.sampled_from(sorted(happened("1"))), ODD)
def test_any_field_may_be_of_any_form(part: str, odd: object) -> None:
    takes(notice("k", happened("1") | {part: odd}))
