"""QMSum (validation part): the turns of a meeting as messages of one thread, gold as spans of turns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from evals.retrieval.dataset import Cluster, Dataset, Event, Question, hit, person
from evals.shared import lines, shared

__all__ = ["MEETINGS"]

_START = datetime(2024, 1, 1, 9, tzinfo=UTC)
_TURN_SECONDS = 10


def _clusters() -> Iterator[Cluster]:
    for number, meeting in enumerate(lines(shared("qmsum") / "val.jsonl")):
        yield _cluster(number, meeting)


def _cluster(number: int, meeting: Mapping[str, Any]) -> Cluster:
    reader = f"user:meeting{number}"
    questions = (
        Question(one["query"], reader, _gold(number, one["relevant_text_span"]), "specific")
        for one in meeting["specific_query_list"]
    )
    return Cluster(
        f"meeting-{number}",
        (person(reader), *_events(number, meeting["meeting_transcripts"], reader)),
        tuple(one for one in questions if one.gold),
    )


def _gold(number: int, spans: list[list[str]]) -> frozenset[str]:
    return frozenset(f"{number}/{turn}" for first, last in spans for turn in range(int(first), int(last) + 1))


def _events(number: int, turns: list[Mapping[str, Any]], reader: str) -> Iterator[Event]:
    """Every turn that says something; they are numbered with the silent ones."""
    for place, turn in enumerate(turns):
        if turn["content"].strip():
            yield {
                "source": "qmsum",
                "id": f"{number}/{place}",
                "op": "upsert",
                "kind": "message",
                "at": (_START + timedelta(days=number, seconds=_TURN_SECONDS * place)).isoformat(),
                "author": f"user:{turn['speaker'].lower().replace(' ', '-')}-{number}",
                "author_name": turn["speaker"],
                "thread": f"{number}",
                "body": turn["content"],
                "audience": [[reader]],
            }


MEETINGS = Dataset("qmsum", "qmsum", "any turn of a gold span", _clusters, (hit(5),))
