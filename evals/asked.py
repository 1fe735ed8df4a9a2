"""Answerable and unanswerable questions, each with whoever asks it: the sets that refusing is measured on."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import muniment
from evals import documents, locomo
from evals.shared import ROOT, NotHere, lines, shared
from muniment.domain.values import AnswerState
from muniment.view import View

__all__ = ["BEAM_QUESTIONS", "SEED", "Asked", "every_set", "take_beam"]

SEED = 7
BEAM_QUESTIONS = "probing_questions/probing_questions.json"  # in a chat's folder
_CHAT_START = datetime(2024, 1, 1, tzinfo=UTC)


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
    """Categories 1 to 4 are answerable, 5 asks of one speaker what the other said."""
    conversations = locomo.take(org)
    for number, conversation in enumerate(conversations):
        view = org.reader(f"user:reader{number}")
        for question in conversation["qa"]:
            adversarial = question["category"] == 5
            yield _asked(
                "locomo",
                view,
                question,
                *(("not_found", "out_of_scope") if adversarial else ("answered",)),
                kind=question["category"],
                items=() if adversarial else [f"{number}/{turn}" for turn in locomo.gold(question)],
            )


def take_beam(org: muniment.Org) -> Iterator[tuple[str, View]]:
    """Each chat's name, and the one who may read it."""
    for folder in sorted((shared("beam") / "100K").iterdir()):
        reader = f"user:beam{folder.name}"
        org.ingest([locomo.person(reader)])
        org.ingest(list(_chat(folder.name, reader, json.loads((folder / "chat.json").read_text()))))
        org.sync()
        yield folder.name, org.reader(reader)


def _beam(org: muniment.Org) -> Iterator[Asked]:
    """Its ability `abstention` is not answerable, the other nine are."""
    for folder, view in take_beam(org):
        asked = json.loads((shared("beam") / "100K" / folder / BEAM_QUESTIONS).read_text())
        for ability, questions in asked.items():
            right = ("not_found", "out_of_scope") if ability == "abstention" else ("answered",)
            for question in questions:
                yield _asked("beam", view, question, *right, kind=ability)


def _chat(name: str, reader: str, batches: list[Mapping[str, Any]]) -> Iterator[dict[str, object]]:
    turns = [said for batch in batches for turn in batch["turns"] for said in turn]
    for minute, said in enumerate(turns):
        yield {
            "source": "beam",
            "id": f"{name}/{said['id']}",
            "op": "upsert",
            "kind": "message",
            "at": (_CHAT_START + timedelta(minutes=minute)).isoformat(),
            "author": f"user:{said['role']}{name}",
            "author_name": said["role"].title(),
            "body": said["content"].split(" ->-> ")[0],
            "audience": [[reader]],
        }
