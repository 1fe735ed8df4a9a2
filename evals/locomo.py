"""Evidence recall on LoCoMo (shared part): one message a turn, recall@10 and hit@10 over evidence turns."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import muniment
from evals.shared import Report, shared

__all__ = ["gold", "person", "run", "take"]

K = 10
_WHEN = "%I:%M %p on %d %B, %Y"


def run(org: muniment.Org) -> Report:
    """Every conversation read by somebody of its own; a question without evidence counts as found."""
    conversations = take(org)
    recall, hits, n, with_evidence = 0.0, 0, 0, 0
    for number, conversation in enumerate(conversations):
        reader = org.reader(f"user:reader{number}")
        for question in conversation["qa"]:
            wanted = {f"{number}/{turn}" for turn in gold(question)}
            found = {hit.item for hit in reader.search(question["question"], limit=K)}
            n += 1
            recall += len(wanted & found) / len(wanted) if wanted else 1.0
            with_evidence += bool(wanted)
            hits += bool(wanted & found)
    figures = {f"recall@{K}": (recall, n), f"hit@{K}": (float(hits), with_evidence)}
    return Report(
        "locomo dev, messages", "`python -m evals locomo`: raw evidence ids, default settings", figures, ()
    )


def take(org: muniment.Org) -> list[Mapping[str, Any]]:
    """The conversations, once each can be read by `user:reader` and its number, and by nobody else."""
    conversations: list[Mapping[str, Any]] = json.loads((shared("locomo") / "dev.json").read_text())
    for number, conversation in enumerate(conversations):
        org.ingest([person(f"user:reader{number}")])
        org.ingest(list(_events(number, conversation["conversation"])))
    org.sync()
    return conversations


def person(principal: str) -> dict[str, object]:
    """Somebody who reads what names them, and nothing that is for every full member."""
    return {
        "op": "principal",
        "source": "dir",
        "id": principal,
        "at": "2020-01-01T00:00:00Z",
        "standing": "guest",
    }


def _events(number: int, conversation: Mapping[str, Any]) -> Iterator[dict[str, object]]:
    for session in sorted(
        (key for key in conversation if re.fullmatch(r"session_\d+", key)), key=lambda key: int(key[8:])
    ):
        start = datetime.strptime(conversation[f"{session}_date_time"], _WHEN).replace(tzinfo=UTC)
        for minute, turn in enumerate(conversation[session]):
            yield _turn(number, session, turn, start + timedelta(seconds=30 * minute))


def _turn(number: int, session: str, turn: Mapping[str, Any], at: datetime) -> dict[str, object]:
    caption = turn.get("blip_caption")
    body = f"{turn['text']} [{caption}]" if caption else turn["text"]
    return {
        "source": "locomo",
        "id": f"{number}/{turn['dia_id']}",
        "op": "upsert",
        "kind": "message",
        "at": at.isoformat(),
        "author": f"user:{turn['speaker'].lower()}{number}",
        "author_name": turn["speaker"],
        "thread": f"{number}/{session}",
        "body": body,
        "audience": [[f"user:reader{number}"]],
    }


def gold(question: Mapping[str, Any]) -> list[str]:
    """The turns named as evidence; several ids may stand in one string."""
    return [turn for said in question.get("evidence", ()) for turn in re.findall(r"D\d+:\d+", said)]
