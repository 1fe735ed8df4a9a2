"""MemDaily (Chinese, shared part): notes of invented people, twenty of them in one pool, or each alone."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta, timezone
from typing import Any

from evals.retrieval.dataset import Cluster, Dataset, Event, Question, person, recall
from evals.shared import lines, shared

__all__ = ["OWN", "POOLED"]

Reader = Callable[[str, int], str]
_POOL = 20
_HERE = timezone(timedelta(hours=8))
_WHEN = "%Y年%m月%d日 %H:%M"


def _pooled() -> Iterator[Cluster]:
    return _clusters(lambda block, _: _of_block(block))


def _own() -> Iterator[Cluster]:
    return _clusters(_of_user)


def _clusters(reader: Reader) -> Iterator[Cluster]:
    """Trajectories of one kind in the order of the file, twenty a block."""
    kinds: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for line in lines(shared("memdaily_zh") / "dev.jsonl"):
        kinds[str(line["split"])].append(line)
    for kind, ones in kinds.items():
        for start in range(0, len(ones), _POOL):
            block = f"{kind}-{start // _POOL}"
            yield _cluster(block, ones[start : start + _POOL], reader)


def _cluster(block: str, ones: Sequence[Mapping[str, Any]], reader: Reader) -> Cluster:
    readers = [_of_block(block), *(_of_user(block, one["tid"]) for one in ones)]
    events = [person(one) for one in readers]
    questions: list[Question] = []
    for one in ones:
        events += [_event(block, one["tid"], said) for said in one["message_list"]]
        questions += _questions(block, one, reader(block, one["tid"]))
    return Cluster(block, tuple(events), tuple(questions))


def _questions(block: str, one: Mapping[str, Any], reader: str) -> Iterator[Question]:
    known = {said["mid"] for said in one["message_list"]}
    for asked in one["question_list"]:
        gold = {f"{block}/{one['tid']}/{said}" for said in asked["target_step_id"] if said in known}
        if gold:
            yield Question(asked["question"], reader, frozenset(gold), block[3:].rsplit("_", 1)[0])


def _event(block: str, user: int, said: Mapping[str, Any]) -> Event:
    when = re.sub(r" 周. ", " ", said["time"])
    return {
        "source": "memdaily",
        "id": f"{block}/{user}/{said['mid']}",
        "op": "upsert",
        "kind": "message",
        "at": datetime.strptime(when, _WHEN).replace(tzinfo=_HERE).isoformat(),
        "author": f"user:{block}-{user}",
        "thread": f"{block}/{user}",
        "body": said["message"],
        "audience": [[_of_block(block), _of_user(block, user)]],
    }


def _of_block(block: str) -> str:
    return f"user:reader-{block}"


def _of_user(block: str, user: int) -> str:
    return f"user:reader-{block}-{user}"


POOLED = Dataset(
    "memdaily",
    "memdaily",
    f"{_POOL} users in one reader's record",
    _pooled,
    (recall(10),),
)
OWN = Dataset("memdaily-own", "memdaily", "each user's own notes", _own, (recall(5),))
