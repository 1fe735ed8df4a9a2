"""English questions to Chinese passages and back, on pairs of workplace sentences written for this.

336 facts in 14 topics, each told once in English and once in Chinese and asked for in both, in other words
than it is told in. Around each stand facts of the same topic that differ in an amount, a place, a person or
a day. A reader sees the passages of one language; e5 alone ranks the same passages by cosine in the same run.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np

import muniment
from evals.retrieval.dataset import person
from evals.shared import ROOT, NotHere, Report, lines
from muniment.models.embedding import Embedder, embed
from muniment.models.nano import find_embedder

__all__ = ["Pair", "pairs", "run"]

_START = datetime(2026, 1, 1, tzinfo=UTC)
# The language of the question, and of the passages.
_WAYS = (("en", "zh"), ("zh", "en"), ("en", "en"), ("zh", "zh"))


@dataclass(frozen=True, slots=True)
class Pair:
    """One fact: how it is told and asked for, by language."""

    id: str
    told: dict[str, str]
    asked: dict[str, str]


def pairs() -> list[Pair]:
    """The facts in an order that has nothing to do with their topics."""
    rows = lines(ROOT / "datasets" / "pairs_en_zh.jsonl")
    found = [
        Pair(
            str(row["id"]),
            {"en": str(row["en"]), "zh": str(row["zh"])},
            {"en": str(row["ask_en"]), "zh": str(row["ask_zh"])},
        )
        for row in rows
    ]
    random.Random(7).shuffle(found)
    return found


def run(org: muniment.Org) -> Report:
    """The right passage first, through `reader.search` with default settings and by e5 alone."""
    embedder = find_embedder("auto")
    if embedder is None:
        raise NotHere("no embedder is installed: pip install muniment[embed]")
    facts = pairs()
    for language in ("en", "zh"):
        org.ingest([person(f"user:{language}")])
        org.ingest(list(_events(facts, language)))
    org.sync()
    figures: dict[str, tuple[float, int]] = {}
    wrong: list[str] = []
    for asked, told in _WAYS:
        ours = _ours(org.reader(f"user:{told}"), facts, asked)
        alone = _alone(embedder, facts, asked, told)
        figures |= _figures(f"{asked} question, {told} passage", ours, alone)
        if asked != told:
            missed = [fact for fact, right in zip(facts, ours, strict=True) if not right]
            wrong += [f"{fact.asked[asked]} → {fact.told[told]}" for fact in missed]
    how = "`python -m evals crosslingual`: one passage each, default settings"
    return Report("crosslingual", how, figures, wrong)


def _ours(reader: muniment.View, facts: Sequence[Pair], asked: str) -> list[bool]:
    found = [reader.search(fact.asked[asked], limit=1) for fact in facts]
    return [
        bool(hits) and (hits[0].item or "").partition("/")[2] == fact.id
        for hits, fact in zip(found, facts, strict=True)
    ]


def _alone(embedder: Embedder, facts: Sequence[Pair], asked: str, told: str) -> list[bool]:
    passages = embed(embedder, [fact.told[told] for fact in facts], query=False)
    questions = embed(embedder, [fact.asked[asked] for fact in facts], query=True)
    nearest = np.argmax(questions @ passages.T, axis=1).tolist()
    return [place == at for at, place in enumerate(nearest)]


def _figures(name: str, ours: Sequence[bool], alone: Sequence[bool]) -> dict[str, tuple[float, int]]:
    n = len(ours)
    both = list(zip(ours, alone, strict=True))
    return {
        f"{name}: hit@1": (float(sum(ours)), n),
        f"{name}: hit@1, e5 alone": (float(sum(alone)), n),
        f"{name}: right here and not by e5 alone": (float(sum(one and not other for one, other in both)), n),
        f"{name}: right by e5 alone and not here": (float(sum(other and not one for one, other in both)), n),
    }


def _events(facts: Sequence[Pair], language: str) -> Iterator[dict[str, object]]:
    for number, fact in enumerate(facts):
        yield {
            "source": "pairs",
            "id": f"{language}/{fact.id}",
            "op": "upsert",
            "kind": "message",
            "at": (_START + timedelta(hours=11 * number)).isoformat(),
            "author": f"user:author{number % 40}",
            "thread": f"{language}/{fact.id}",
            "body": fact.told[language],
            "audience": [[f"user:{language}"]],
        }
