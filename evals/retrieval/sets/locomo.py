"""LoCoMo (shared part): one message a turn, one thread a session; evidence by turn and by session."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from evals.retrieval.dataset import Cluster, Dataset, Event, Question, hit, person, recall
from evals.shared import shared

__all__ = ["CORRECTED", "MESSAGES", "SESSIONS"]

_WHEN = "%I:%M %p on %d %B, %Y"
_TURN_SECONDS = 30
# The longest conversation has 32 sessions of about 21 turns: its first ten are found well within this.
_SESSION_DEPTH = 200
_CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
Gold = Callable[[int, int, Mapping[str, Any]], frozenset[str]]


def _turns_in(said: str) -> list[str]:
    """The turn ids in a string of evidence; several may stand in one."""
    return re.findall(r"D\d+:\d+", said)


def _as_published(number: int, _: int, question: Mapping[str, Any]) -> frozenset[str]:
    """The strings as they are, so that a malformed one is never found."""
    return frozenset(f"{number}/{said}" for said in question.get("evidence") or ())


def _sessions(number: int, _: int, question: Mapping[str, Any]) -> frozenset[str]:
    found = (re.match(r"D(\d+):", said) for said in question.get("evidence") or ())
    return frozenset(f"{number}/{one[1]}" for one in found if one)


def _corrections() -> Gold:
    """The turns named, or what the published list of corrections names instead."""
    listed = json.loads((shared("locomo") / "dev_corrections.json").read_text(encoding="utf-8"))
    right = {one["question_id"]: one.get("correct_evidence") or () for one in listed}

    def gold(number: int, place: int, question: Mapping[str, Any]) -> frozenset[str]:
        corrected = [turn for said in right.get(f"locomo_{number}_qa{place}", ()) for turn in _turns_in(said)]
        named = [turn for said in question.get("evidence") or () for turn in _turns_in(said)]
        return frozenset(f"{number}/{turn}" for turn in corrected or named)

    return gold


def _clusters(gold: Gold) -> Iterator[Cluster]:
    conversations = json.loads((shared("locomo") / "dev.json").read_text(encoding="utf-8"))
    for number, one in enumerate(conversations):
        reader = f"user:reader{number}"
        events = (person(reader), *_events(number, one["conversation"], reader))
        asked = (
            Question(said["question"], reader, gold(number, place, said), _CATEGORIES[said["category"]])
            for place, said in enumerate(one["qa"])
        )
        yield Cluster(one["sample_id"], events, tuple(asked))


def _events(number: int, conversation: Mapping[str, Any], reader: str) -> Iterator[Event]:
    sessions = sorted(int(key[8:]) for key in conversation if re.fullmatch(r"session_\d+", key))
    for session in sessions:
        said = conversation[f"session_{session}_date_time"]
        start = datetime.strptime(said, _WHEN).replace(tzinfo=UTC)
        for place, turn in enumerate(conversation[f"session_{session}"]):
            at = start + timedelta(seconds=_TURN_SECONDS * place)
            yield _event(f"{number}/session_{session}", number, turn, at) | {"audience": [[reader]]}


def _event(thread: str, number: int, turn: Mapping[str, Any], at: datetime) -> Event:
    caption = turn.get("blip_caption")
    return {
        "source": "locomo",
        "id": f"{number}/{turn['dia_id']}",
        "op": "upsert",
        "kind": "message",
        "at": at.isoformat(),
        "author": f"user:{turn['speaker'].lower()}{number}",
        "author_name": turn["speaker"],
        "thread": thread,
        "body": f"{turn['text']} [{caption}]" if caption else turn["text"],
    }


def _session_of(item: str) -> str:
    return re.sub(r"/D(\d+):\d+$", r"/\1", item)


MESSAGES = Dataset(
    "locomo",
    "locomo",
    "evidence ids as published, every question; one without evidence scores 1 in recall",
    lambda: _clusters(_as_published),
    (recall(10, empty=1.0), hit(10)),
)
CORRECTED = Dataset(
    "locomo-corrected",
    "locomo",
    "ids read out of malformed strings, published corrections applied; questions with evidence",
    lambda: _clusters(_corrections()),
    (recall(10), hit(10)),
)
SESSIONS = Dataset(
    "locomo-sessions",
    "locomo",
    f"sessions of the first {_SESSION_DEPTH} messages, first occurrences; every question",
    lambda: _clusters(_sessions),
    (recall(5, empty=1.0), recall(10, empty=1.0)),
    depth=_SESSION_DEPTH,
    unit=_session_of,
)
