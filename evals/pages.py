"""Whether the right page is found: of the demo company, and of a record in which no one passage tells."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import muniment
from evals.documents import take_demo
from evals.shared import ROOT, Report, lines
from muniment.view import View

__all__ = ["demo_pages", "generated_pages"]

NOW = "2026-11-30T09:00:00Z"
BUDGET = 1_500
SEED = 20_261_130
Event = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class _Task:
    view: View
    text: str
    pages: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Judged:
    task: _Task
    place: int | None
    packed: bool
    passage: bool | None
    first: str


def demo_pages(org: muniment.Org) -> Report:
    """Tasks that mostly do not call the page by name, as different people."""
    take_demo(org)
    tasks = [
        _Task(org.reader(one["as"], as_of=NOW), one["task"], frozenset(one["pages"]))
        for one in _dicts(lines(ROOT / "datasets" / "page_tasks.jsonl"))
    ]
    return _report("pages", "`python -m evals pages`: the demo company", [_judge(task, {}) for task in tasks])


def generated_pages(org: muniment.Org) -> Report:
    """Two topics make a task; each is spoken of at three places, and at only one of them both are."""
    made = _Made.draw(random.Random(SEED))
    org.ingest(list(made.events()))
    view = org.reader(org.login, as_of=NOW)
    tasks = [_Task(view, text, frozenset({name})) for text, name in made.tasks]
    size = f"seed {SEED}, {len(made.items)} items, {len(made.places)} entities"
    how = f"`python -m evals pages-generated`: {size}"
    return _report("pages-generated", how, [_judge(task, made.about) for task in tasks])


def _dicts(found: Iterable[dict[str, object]]) -> Iterator[dict[str, Any]]:
    yield from found


def _judge(task: _Task, about: Mapping[str, str]) -> _Judged:
    hits = task.view.search(task.text, unit="page", limit=20)
    place = next((hit.rank for hit in hits if hit.text in task.pages), None)
    parts = task.view.context(task.text, budget=BUDGET).parts
    packed = any(name in part.text for part in parts if part.kind == "page" for name in task.pages)
    best = task.view.search(task.text, unit="passage", limit=1)
    passage = about.get(best[0].item or "") in task.pages if about and best else None
    return _Judged(task, place, packed, passage, hits[0].text if hits else "nothing")


def _report(name: str, how: str, judged: Sequence[_Judged]) -> Report:
    n = len(judged)
    figures: dict[str, tuple[float, int]] = {
        "right page first": (sum(one.place == 1 for one in judged), n),
        "right page among three": (sum(one.place is not None and one.place <= 3 for one in judged), n),
        "right page at all": (sum(one.place is not None for one in judged), n),
        "mean of 1/place": (sum(1 / one.place for one in judged if one.place is not None), n),
        f"in a pack of {BUDGET:,} tokens, as a page": (sum(one.packed for one in judged), n),
    }
    if any(one.passage is not None for one in judged):
        figures["the best passage is about it"] = (sum(bool(one.passage) for one in judged), n)
    wrong = [
        f"{one.task.text} → {one.first}, not {' or '.join(sorted(one.task.pages))} (place {one.place})"
        for one in judged
        if one.place != 1
    ]
    return Report(name, how, figures, wrong)


# ── the generated record ──

TOPICS = (
    "turbines gaskets ledgers permits pallets beacons valves hinges lanterns anchors bearings couplings "
    "manifests tariffs vouchers premiums deductibles rebates indices reserves sensors relays fuses cables "
    "antennas filters membranes pumps nozzles gauges shelters tunnels bridges quays cranes barges ferries "
    "wagons axles brakes helmets harnesses goggles gloves boots ropes tents stoves kettles blankets "
    "archives catalogues dictionaries atlases almanacs"
).split()
SAID = (
    "We went through the {topic} once more and nothing is settled.",
    "The {topic} need another look before the end of the month.",
    "Somebody must decide about the {topic}.",
    "The number of {topic} is {n}.",
    "Decision: the {topic} are moved to the new contract.",
    "I'll send the list of {topic} by Friday.",
)
ASKED = (
    "Prepare a note on {one} and {two}",
    "What is open with the {one} and the {two}?",
    "Summary of where {one} stand beside {two}",
)
_FIRST = "Orla Brim Calder Dorn Elst Farrow Garth Hollis Ister Jorvik Kestrel Lund Marl Norr Osk".split()
_LAST = "Freight Holdings Works Mutual Lines".split()


@dataclass(frozen=True, slots=True)
class _Made:
    """Places with their topics, what is said at each, and the tasks."""

    places: tuple[tuple[str, str], ...]
    items: tuple[Event, ...]
    about: Mapping[str, str]
    tasks: tuple[tuple[str, str], ...]

    @classmethod
    def draw(cls, draw: random.Random) -> _Made:
        """Each topic at three places; no two places share two."""
        places = [("account", f"{one} {two}") for one in _FIRST for two in _LAST][: len(TOPICS)]
        topics = [[TOPICS[(n + step) % len(TOPICS)] for step in (0, 1, 3)] for n in range(len(places))]
        items: list[Event] = []
        about: dict[str, str] = {}
        for (role, name), own in zip(places, topics, strict=True):
            for topic in own:
                for _ in range(draw.randint(1, 4)):
                    items.append(_said(draw, len(items), topic, {role: name}))
                    about[str(items[-1]["id"])] = name
        items += [_said(draw, len(items) + n, draw.choice(TOPICS), {}) for n in range(300)]
        tasks = [
            _asked(draw, name, own) for (_, name), own in zip(places, topics, strict=True) for _ in range(3)
        ]
        return cls(tuple(places), tuple(items), about, tuple(tasks))

    def events(self) -> Iterator[Event]:
        """As a source would hand them in."""
        yield from self.items


def _said(draw: random.Random, number: int, topic: str, field: Mapping[str, str]) -> Event:
    at = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=draw.randint(0, 7_000))
    body = draw.choice(SAID).format(topic=topic, n=draw.randint(3, 900))
    plain = {"source": "chat", "op": "upsert", "kind": "message", "at": at.isoformat(), "audience": [["*"]]}
    return {**plain, "id": f"m{number}", "body": body, "author": f"user:p{draw.randint(1, 20)}", **field}


def _asked(draw: random.Random, name: str, topics: Sequence[str]) -> tuple[str, str]:
    one, two = draw.sample(list(topics), 2)
    return draw.choice(ASKED).format(one=one, two=two), name
