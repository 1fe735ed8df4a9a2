"""LongMemEval-V2 as published: what web agents did, state by state, and questions about those surroundings.

Put `questions.jsonl`, `trajectories.jsonl` and `haystacks/lme_v2_small.json` into a folder `longmemeval_v2`
of the public data; pictures are not read. It names no evidence. So a state counts as gold that holds every
phrase of an answer which its authors compare by phrases: a stand-in, to tell two rankings apart, and no score
of the benchmark, which is judged on answers. An answer that many states hold proves nothing and is left out.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from evals.retrieval.dataset import Cluster, Dataset, Event, Question, hit, person, recall
from evals.shared import lines, shared

__all__ = ["STATES"]

_START = datetime(2026, 1, 1, tzinfo=UTC)  # the data has no dates: an hour a trajectory, a minute a state
_BY_PHRASES = ("norm_phrase_set_match", "norm_phrase_set_match_ordered")
_MOST = 20  # states that may hold an answer
Line = Mapping[str, Any]


def _clusters() -> Iterator[Cluster]:
    """Questions of one haystack together: in the small tier each domain shares one."""
    folder = shared("longmemeval_v2")
    haystacks = json.loads((folder / "haystacks" / "lme_v2_small.json").read_text(encoding="utf-8"))
    asked: dict[tuple[str, ...], list[Line]] = defaultdict(list)
    for question in lines(folder / "questions.jsonl"):
        asked[tuple(haystacks[str(question["id"])])].append(question)
    wanted = {name for names in asked for name in names}
    # A line at a time: the file is more than a gigabyte, and each haystack takes a part of it.
    held = {str(one["id"]): one for one in lines(folder / "trajectories.jsonl") if one["id"] in wanted}
    for number, (names, questions) in enumerate(asked.items()):
        yield _cluster(f"haystack-{number}", [held[name] for name in names], questions)


def _cluster(name: str, trajectories: Sequence[Line], questions: Sequence[Line]) -> Cluster:
    reader = f"user:reader-{name}"
    events = [event for place, one in enumerate(trajectories) for event in _events(name, place, one)]
    bare = {str(event["id"]): _bare(str(event["body"])) for event in events if event["kind"] == "observation"}
    return Cluster(
        name,
        (person(reader), *({**event, "audience": [[reader]]} for event in events)),
        tuple(Question(one["question"], reader, _gold(one, bare), one["question_type"]) for one in questions),
    )


def _events(cluster: str, place: int, one: Line) -> Iterator[Event]:
    """What the agent was to do and what came of it, then each state with what it thought and did there."""
    start = _START + timedelta(hours=place)
    thread = f"{cluster}/{one['id']}"
    told = {"source": "longmemeval-v2", "op": "upsert", "author": f"agent:{one['domain']}", "thread": thread}
    goal = one["goal"] if isinstance(one["goal"], str) else " ".join(one["goal"])
    outcome = f"\n\nOutcome: {one['outcome']}" if one.get("outcome") else ""
    yield {
        **told,
        "id": thread,
        "kind": "episode",
        "at": start.isoformat(),
        "title": goal[:120],
        "body": goal + outcome,
    }
    for number, state in enumerate(one["states"]):
        yield {
            **told,
            "id": f"{thread}/{number}",
            "kind": "observation",
            "at": (start + timedelta(minutes=number + 1)).isoformat(),
            "url": state["url"],
            "body": _body(state),
        }


def _body(state: Line) -> str:
    seen = state.get("accessibility_tree", state.get("text"))
    thought = state.get("thought", state.get("thoughts"))
    return "\n\n".join(part for part in (state["url"], thought, state.get("action"), seen) if part)


def _gold(question: Line, bare: Mapping[str, str]) -> frozenset[str]:
    if str(question.get("eval_function", "")).partition("|")[0].strip() not in _BY_PHRASES:
        return frozenset()
    phrases = [phrase for part in re.split("[,;]", question["answer"]) if (phrase := _bare(part))]
    found = frozenset(
        name for name, text in bare.items() if all(f" {one} " in f" {text} " for one in phrases)
    )
    return found if phrases and len(found) <= _MOST else frozenset()


def _bare(text: str) -> str:
    """Words alone, in small letters, a blank between."""
    return " ".join(re.sub(r"[^\w\s]", "", re.sub("[-_,;]", " ", text.lower())).split())


STATES = Dataset(
    "longmemeval-v2",
    "longmemeval_v2",
    "small tier; states that hold the answer's phrases, a stand-in for evidence, which it does not name",
    _clusters,
    (recall(10), hit(10)),
)
