"""LongMemEval as published: for each question a history of sessions of its own, gold by session and by turn.

Put `longmemeval_s_cleaned.json`, or `longmemeval_s.json`, into a folder `longmemeval` of the public data. The
thirty questions that have no answer are left out, as its authors leave them out of retrieval.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from evals.retrieval.dataset import Cluster, Dataset, Event, Question, hit, person, recall
from evals.shared import NotHere, shared

__all__ = ["SESSIONS", "TURNS"]

_FILES = ("longmemeval_s_cleaned.json", "longmemeval_s.json")
_WHEN = "%Y/%m/%d %H:%M"
_TURN_SECONDS = 30
_SESSION_DEPTH = 200  # as many messages as are surely of ten sessions
Gold = Callable[[Mapping[str, Any]], frozenset[str]]


def _clusters(gold: Gold) -> Iterator[Cluster]:
    folder = shared("longmemeval")
    found = next((folder / name for name in _FILES if (folder / name).exists()), None)
    if found is None:
        raise NotHere(f"{folder} holds neither {' nor '.join(_FILES)}")
    for one in json.loads(found.read_text(encoding="utf-8")):
        if not one["question_id"].endswith("_abs"):
            yield _cluster(one, gold)


def _cluster(one: Mapping[str, Any], gold: Gold) -> Cluster:
    name = one["question_id"]
    reader = f"user:reader-{name}"
    asked = Question(one["question"], reader, gold(one), one["question_type"])
    return Cluster(name, (person(reader), *_events(one, reader)), (asked,))


def _sessions(one: Mapping[str, Any]) -> Iterator[tuple[str, datetime, list[Mapping[str, Any]]]]:
    listed = zip(one["haystack_session_ids"], one["haystack_dates"], one["haystack_sessions"], strict=True)
    for session, said, turns in listed:
        day = re.sub(r" \(\w+\) ", " ", said)
        yield session, datetime.strptime(day, _WHEN).replace(tzinfo=UTC), turns


def _events(one: Mapping[str, Any], reader: str) -> Iterator[Event]:
    name = one["question_id"]
    for session, start, turns in _sessions(one):
        for place, turn in enumerate(turns):
            if turn["content"].strip():
                yield {
                    "source": "longmemeval",
                    "id": f"{name}/{session}/{place}",
                    "op": "upsert",
                    "kind": "message",
                    "at": (start + timedelta(seconds=_TURN_SECONDS * place)).isoformat(),
                    "author": f"user:{turn['role']}-{name}",
                    "author_name": turn["role"].title(),
                    "thread": f"{name}/{session}",
                    "body": turn["content"],
                    "audience": [[reader]],
                }


def _gold_sessions(one: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(f"{one['question_id']}/{session}" for session in one["answer_session_ids"])


def _gold_turns(one: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(
        f"{one['question_id']}/{session}/{place}"
        for session, _, turns in _sessions(one)
        for place, turn in enumerate(turns)
        if turn.get("has_answer")
    )


def _session_of(item: str) -> str:
    return item.rpartition("/")[0]


SESSIONS = Dataset(
    "longmemeval",
    "longmemeval",
    f"sessions of the first {_SESSION_DEPTH} messages, first occurrences; answerable questions",
    lambda: _clusters(_gold_sessions),
    (recall(5), hit(5), recall(10), hit(10)),
    depth=_SESSION_DEPTH,
    unit=_session_of,
)
TURNS = Dataset(
    "longmemeval-turns",
    "longmemeval",
    "turns marked as holding the answer; answerable questions that have some",
    lambda: _clusters(_gold_turns),
    (recall(10), hit(10)),
)
