"""Published sets are read as they are published: who may read, which ids are gold, what counts."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

import pytest

from evals.retrieval.dataset import Cluster, Event
from evals.retrieval.sets import SETS
from evals.shared import NotHere
from tests.published import write_everything

ELSEWHERE = [name for name in SETS if name != "chat"]  # ours is always here


@pytest.fixture
def published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A little of every set, written for these tests in the form in which it is published."""
    monkeypatch.setenv("MUNIMENT_SHARED_DATA", str(tmp_path))
    write_everything(tmp_path)
    return tmp_path


def clusters(name: str) -> list[Cluster]:
    return list(SETS[name].clusters())


def said(cluster: Cluster) -> list[Event]:
    return [event for event in cluster.events if event["op"] == "upsert"]


def golds(ones: Iterable[Cluster]) -> list[set[str]]:
    return [set(question.gold) for cluster in ones for question in cluster.questions]


@pytest.mark.usefixtures("published")
@pytest.mark.parametrize("name", SETS)
def test_a_cluster_is_read_by_its_own_readers_alone(name: str) -> None:
    readers = [
        {str(event["id"]) for event in cluster.events if event["op"] == "principal"}
        for cluster in clusters(name)
    ]
    allowed = [
        {who for event in said(cluster) for clause in event["audience"] for who in clause}  # type: ignore[attr-defined]
        for cluster in clusters(name)
    ]

    assert readers == allowed
    assert len(set.union(*readers)) == sum(map(len, readers))


@pytest.mark.usefixtures("published")
@pytest.mark.parametrize("name", SETS)
def test_every_question_is_asked_by_a_reader_and_every_event_has_a_zone(name: str) -> None:
    for cluster in clusters(name):
        readers = {event["id"] for event in cluster.events if event["op"] == "principal"}
        ids = [event["id"] for event in said(cluster)]

        assert {question.reader for question in cluster.questions} <= readers
        assert all(datetime.fromisoformat(str(event["at"])).tzinfo for event in cluster.events)
        assert len(ids) == len(set(ids))


@pytest.mark.usefixtures("published")
@pytest.mark.parametrize("name", [name for name in SETS if name != "locomo"])
def test_gold_is_a_unit_that_is_there(name: str) -> None:
    for cluster in clusters(name):
        units = {SETS[name].unit(str(event["id"])) for event in said(cluster)}

        assert set().union(*(question.gold for question in cluster.questions)) <= units


@pytest.mark.usefixtures("published")
def test_locomo_gold_is_as_published_corrected_or_by_session() -> None:
    assert golds(clusters("locomo")) == [{"0/D1:1; D2:1"}, {"0/D1:2"}, set()]
    assert golds(clusters("locomo-corrected")) == [{"0/D1:1", "0/D2:1"}, {"0/D2:2"}, set()]
    assert golds(clusters("locomo-sessions")) == [{"0/1"}, {"0/1"}, set()]


@pytest.mark.usefixtures("published")
def test_a_locomo_caption_follows_the_text_and_a_thread_is_a_session() -> None:
    first, *_, last = said(clusters("locomo")[0])

    assert (first["body"], first["thread"]) == ("Look at this! [a photo of a kayak]", "0/session_1")
    assert (last["author_name"], last["thread"]) == ("Bo", "0/session_2")


@pytest.mark.usefixtures("published")
def test_a_beam_message_is_said_on_the_last_day_the_chat_named() -> None:
    (cluster,) = clusters("beam")

    assert [str(event["at"])[:16] for event in said(cluster)] == [
        "2024-03-15T09:00",
        "2024-03-15T09:01",
        "2024-04-05T09:00",
    ]
    assert golds([cluster]) == [{"1/0", "1/2"}, set()]


@pytest.mark.usefixtures("published")
def test_memdaily_pools_a_kind_or_keeps_to_one_user() -> None:
    pooled, own = clusters("memdaily"), clusters("memdaily-own")

    assert [cluster.name for cluster in pooled] == ["01_simple_events-0"]
    assert len({question.reader for question in pooled[0].questions}) == 1
    assert len({question.reader for question in own[0].questions}) == 2
    assert golds(pooled) == golds(own) == [{"01_simple_events-0/0/1"}, {"01_simple_events-0/1/0"}]
    assert str(said(pooled[0])[0]["at"]) == "2024-04-01T08:30:00+08:00"


@pytest.mark.usefixtures("published")
def test_qmsum_gold_is_every_turn_of_a_span_and_silence_is_no_message() -> None:
    (cluster,) = clusters("qmsum")

    assert [event["id"] for event in said(cluster)] == ["0/0", "0/2", "0/3"]
    assert golds([cluster]) == [{"0/2", "0/3"}]


@pytest.mark.usefixtures("published")
def test_longmemeval_asks_each_question_of_its_own_history_and_leaves_abstention_out() -> None:
    sessions, turns = clusters("longmemeval"), clusters("longmemeval-turns")

    assert [cluster.name for cluster in sessions] == ["q1"]
    assert golds(sessions) == [{"q1/s2"}]
    assert golds(turns) == [{"q1/s2/0"}]
    assert [event["at"] for event in said(sessions[0])][2] == "2023-05-21T10:05:00+00:00"


@pytest.mark.usefixtures("published")
def test_longmemeval_v2_takes_for_gold_the_states_that_hold_the_answers_phrases() -> None:
    (cluster,) = clusters("longmemeval-v2")

    assert golds([cluster]) == [{"haystack-0/t1/1"}, set(), set()]
    assert [event["kind"] for event in said(cluster)] == ["episode", "observation", "observation"] * 2


@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_set_that_is_not_here_says_which_folder_would_hold_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUNIMENT_SHARED_DATA", str(tmp_path))

    with pytest.raises(NotHere, match=r"set MUNIMENT_SHARED_DATA to the folder that holds"):
        clusters(name)


def test_a_folder_without_the_file_says_which_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUNIMENT_SHARED_DATA", str(tmp_path))
    (tmp_path / "longmemeval").mkdir()

    with pytest.raises(NotHere, match=r"longmemeval_s_cleaned\.json"):
        clusters("longmemeval")


@pytest.mark.usefixtures("published")
def test_reading_a_set_twice_gives_the_same() -> None:
    for name in SETS:
        assert json.dumps([one.events for one in clusters(name)]) == json.dumps(
            [one.events for one in clusters(name)]
        )


@pytest.mark.usefixtures("published")
@pytest.mark.parametrize("name", SETS)
def test_a_plain_set_asks_the_same_of_events_that_do_not_say_how_they_hang_together(name: str) -> None:
    plain = SETS[name].plain()

    for one, other in zip(plain.clusters(), SETS[name].clusters(), strict=True):
        assert one.questions == other.questions
        assert [event["id"] for event in one.events] == [event["id"] for event in other.events]
        assert all(
            set(event) <= {"source", "id", "op", "at", "author", "body", "audience"} for event in said(one)
        )
    assert plain.record != SETS[name].record
