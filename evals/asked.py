"""Answerable and unanswerable questions, each with whoever asks it: the sets that refusing is measured on."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import muniment
from evals import documents
from evals.retrieval.dataset import Dataset
from evals.retrieval.sets import beam, locomo
from evals.shared import ROOT, NotHere, lines
from muniment.domain.values import AnswerState
from muniment.view import View

__all__ = ["SEED", "Asked", "every_set"]

SEED = 7


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of a set.

    `expect` are the states that are right; `items` and `terms` say what proves an answer. `kind` is why it is
    there; `half` is `dev`, on which everything is chosen, or `held`.
    """

    set: str
    question: str
    kind: str
    expect: tuple[AnswerState, ...]
    items: frozenset[str]
    terms: tuple[str, ...]
    view: View
    entity: str | None
    half: str

    @property
    def answerable(self) -> bool:
        return "answered" in self.expect


def every_set(org: muniment.Org) -> list[Asked]:
    """The questions of every set that is here, over one record in which no reader sees another set."""
    found: list[Asked] = []
    for questions in (_company, _demo, _locomo, _beam):
        try:
            found += _halved(list(questions(org)))
        except NotHere as missing:
            print(f"skipped: {missing}")
    return found


def _halved(asked: list[Asked]) -> list[Asked]:
    """Each question in one of two halves, by the seed and its place in the set alone."""
    draw = random.Random(SEED)
    return [
        Asked(
            one.set,
            one.question,
            one.kind,
            one.expect,
            one.items,
            one.terms,
            one.view,
            one.entity,
            draw.choice(("dev", "held")),
        )
        for one in asked
    ]


def _asked(name: str, view: View, question: Mapping[str, Any], *expect: AnswerState, **more: Any) -> Asked:
    return Asked(
        name,
        question["question"],
        str(more.get("kind", "")),
        expect,
        frozenset(more.get("items", ())),
        tuple(more.get("terms", ())),
        view,
        more.get("entity"),
        "dev",
    )


def _company(org: muniment.Org) -> Iterator[Asked]:
    """An invented maker of tide gauges: near misses beside hard answerable ones, English and Chinese."""
    events = [
        {**event, "audience": [["user:asker"]]} if event["op"] == "upsert" else event
        for event in lines(ROOT / "datasets" / "abstention_company.jsonl")
    ]
    org.ingest(events)
    org.sync()
    view = org.reader("user:asker", as_of="2026-11-30T09:00:00Z")
    for line in lines(ROOT / "datasets" / "abstention_questions.jsonl"):
        question: Mapping[str, Any] = line
        yield _asked(
            "company",
            view,
            question,
            question["expect"],
            kind=question["kind"],
            items=question.get("source", ()),
            terms=question.get("terms", ()),
        )


def _demo(org: muniment.Org) -> Iterator[Asked]:
    documents.take_demo(org)
    for line in lines(ROOT.parent / "demo" / "questions.jsonl"):
        question: Mapping[str, Any] = line
        expect = question["expect"] if isinstance(question["expect"], list) else [question["expect"]]
        view = org.reader(question["as"], as_of=question.get("as_of") or "2026-11-30T09:00:00Z")
        yield _asked(
            "demo",
            view,
            question,
            *expect,
            entity=question.get("entity"),
            items=[one.partition(":")[2] for one in question.get("cites", ())],
            terms=question.get("must_contain", ()),
        )


def _locomo(org: muniment.Org) -> Iterator[Asked]:
    """Categories 1 to 4 are answerable, the fifth asks of one speaker what the other said."""
    return _retrieved(org, locomo.CORRECTED, "adversarial")


def _beam(org: muniment.Org) -> Iterator[Asked]:
    """Its ability `abstention` is not answerable, the other nine are."""
    return _retrieved(org, beam.EVIDENCE, "abstention")


def _retrieved(org: muniment.Org, dataset: Dataset, refused: str) -> Iterator[Asked]:
    """The questions of a retrieval set, of which one category has no answer."""
    for cluster in dataset.clusters():
        org.ingest(cluster.events)
        org.sync()
        for one in cluster.questions:
            is_refused = one.category == refused
            yield _asked(
                dataset.record,
                org.reader(one.reader),
                {"question": one.text},
                *(("not_found", "out_of_scope") if is_refused else ("answered",)),
                kind=one.category,
                items=() if is_refused else one.gold,
            )
