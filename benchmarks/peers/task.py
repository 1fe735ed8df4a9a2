"""Messages and questions of LoCoMo, and what was found of what answers them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Final

__all__ = ["Asked", "Said", "Scores", "Task", "read_task", "scores"]

# As the set writes them: several in one string, with other marks between.
_TURN: Final = re.compile(r"D\d+:\d+")
_WHEN: Final = "%I:%M %p on %d %B, %Y"


@dataclass(frozen=True, slots=True)
class Said:
    """A turn of a conversation."""

    id: str
    speaker: str
    text: str
    at: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and the turns that answer it, by their ids; none for one that has no answer."""

    text: str
    gold: frozenset[str]


@dataclass(frozen=True, slots=True)
class Task:
    """One conversation."""

    name: str
    messages: tuple[Said, ...]
    questions: tuple[Asked, ...]


@dataclass(frozen=True, slots=True)
class Scores:
    """Means over questions: of the part of the gold in the first k, and of whether any of it is there.

    `within` is half of the 95 % interval of each, over questions.
    """

    recall: float
    hit: float
    within: tuple[float, float]


def read_task(file: Path, number: int) -> Task:
    """One conversation of the file, the first of which is 0."""
    found = json.loads(file.read_text(encoding="utf-8"))[number]
    messages = tuple(_turns(found["conversation"]))
    known = {one.id for one in messages}
    return Task(str(found["sample_id"]), messages, tuple(_asked(found["qa"], known)))


def _turns(conversation: Mapping[str, Any]) -> Iterator[Said]:
    session = 1
    while (turns := conversation.get(f"session_{session}")) is not None:
        at = datetime.strptime(conversation[f"session_{session}_date_time"], _WHEN).replace(tzinfo=UTC)
        for turn in turns:
            yield Said(turn["dia_id"], turn["speaker"], turn["text"], at.isoformat())
        session += 1


def _asked(questions: Iterable[Mapping[str, Any]], known: set[str]) -> Iterator[Asked]:
    for one in questions:
        turns = _TURN.findall(" ".join(one.get("evidence") or ()))
        yield Asked(str(one["question"]), frozenset(turns) & known)


def scores(questions: Sequence[Asked], found: Sequence[Sequence[str]], k: int) -> Scores:
    """Of the first k of each; a question without gold counts as found, as the set's users have it."""
    shares = [
        len(one.gold & set(ids[:k])) / len(one.gold) if one.gold else 1.0
        for one, ids in zip(questions, found, strict=True)
    ]
    hits = [float(share > 0) for one, share in zip(questions, shares, strict=True) if one.gold]
    return Scores(fmean(shares), fmean(hits), (_within(shares), _within(hits)))


def _within(values: Sequence[float]) -> float:
    return 1.96 * stdev(values) / sqrt(len(values))
