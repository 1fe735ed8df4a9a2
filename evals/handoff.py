"""The handoff page of busy accounts beside all that was said: the evidence it holds, and its tokens.

Accounts are drawn from a seed. Among much chatter stand promises on both sides, some kept since, and
landmines; what a new owner must know is what is open and what is a landmine. A dump holds all of it by
construction: compared is at what size.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import muniment
from evals.shared import Report
from muniment.context.tokens import count_tokens

__all__ = ["run"]

START = datetime(2026, 1, 5, 9, tzinfo=UTC)
SIZES = (1, 50, 500, 5_000)
THINGS = (
    "security questionnaire", "migration runbook", "archive export", "pricing annex", "load test report",
    "admin training plan", "webhook mapping", "data retention table", "failover drill notes",
    "single sign-on guide", "audit certificate", "billing reconciliation",
)  # fmt: skip
MINES = (
    "The archive module is too expensive for us.",
    "Please don't mention the reorganisation to anyone yet.",
    "On-premises hosting is not included.",
    "Karl is very frustrated with the response times.",
    "They are evaluating Northwind as well.",
    "As a standing exception we let them pay in May.",
)
CHATTER = (
    "Thanks for the call today, that was useful.",
    "The {} came up again in the weekly, nothing new.",
    "Who else is joining on Thursday?",
    "Nice weather in Hamburg for once.",
    "I read through the {} notes again this morning.",
    "The dashboards look the same as last week.",
)


@dataclass(frozen=True, slots=True)
class _Drawn:
    """An account's events, and the sentences that a new owner must know."""

    events: list[Mapping[str, object]]
    must: list[str]


def run(org: muniment.Org) -> Report:
    """Evidence held and tokens taken, at 5,000 and at 1,500 tokens, by size of account."""
    figures: dict[str, tuple[float, int]] = {}
    notes: list[str] = []
    for number, size in enumerate(SIZES):
        drawn = _draw(f"account {number}", size, random.Random(size))
        org.ingest(drawn.events)
        view = org.reader(org.login, as_of=START + timedelta(days=400))
        dump = count_tokens("\n".join(str(one["body"]) for one in drawn.events))
        for budget in (5_000, 1_500):
            page = view.handoff(f"account {number}", budget=budget)
            told = {one.quote for part in page.sections for line in part.lines for one in line.citations}
            figures[f"{size} messages, {budget} tokens: evidence held"] = (
                sum(one in told for one in drawn.must),
                len(drawn.must),
            )
            notes.append(f"{size} messages: {page.budget.used} tokens of {budget}, the dump {dump}")
    return Report("handoff", "`python -m evals handoff`: drawn accounts", figures, notes)


def _draw(name: str, size: int, draw: random.Random) -> _Drawn:
    events = [_event(name, number, draw, text) for number, text in enumerate(_talk(size, draw))]
    promised, mines, kept = _promised(draw), list(MINES), set(draw.sample(THINGS, 4))
    said = [*(text for text, _ in promised), *mines] if size >= 50 else mines[:1]
    told = [_event(name, size + number, draw, text) for number, text in enumerate(said)]
    done = [f"The {thing} has been sent." for thing in kept] if size >= 50 else []
    last = [_event(name, size + 99 + number, draw, text, 390) for number, text in enumerate(done)]
    open_ = [text for text, thing in promised if thing not in kept]
    must = [*open_, *mines] if size >= 50 else mines[:1]
    return _Drawn([*events, *told, *last], must)


def _talk(size: int, draw: random.Random) -> Iterator[str]:
    for _ in range(size):
        yield draw.choice(CHATTER).format(draw.choice(THINGS))


def _promised(draw: random.Random) -> list[tuple[str, str]]:
    """A promise about each thing, with a day or without."""
    ends = ("by 12 June", "by the end of March", "next week", "before the audit")
    return [(f"I'll send you the {thing} {draw.choice(ends)}.", thing) for thing in THINGS]


def _event(
    name: str, number: int, draw: random.Random, text: str, day: int | None = None
) -> Mapping[str, object]:
    at = START + timedelta(days=draw.randint(0, 380) if day is None else day, minutes=number % 600)
    return {
        "source": "chat",
        "id": f"{name}/{number}",
        "op": "upsert",
        "kind": "message",
        "at": at.isoformat(),
        "author": draw.choice(("user:ann", "user:bo")) if day is None else "user:ann",
        "account": name,
        "body": text,
        "audience": [["*"]],
    }
