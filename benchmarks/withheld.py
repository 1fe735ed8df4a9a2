"""Whether what is withheld can be told from what is absent by how long a reply takes.

Pairs of questions, one about what the reader may not see and one about what nobody ever wrote, in random
order. The area under the curve says how often the withheld one took longer: 0.5 is a coin.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import sqrt

import numpy as np

import muniment
from benchmarks import company
from benchmarks.timing import timed
from muniment.domain.errors import Refused

__all__ = ["KINDS", "Area", "Secrets", "area", "fill", "interleaved"]

ASKER = "user:half"
KNOWER = "user:all"
SECRETS = 250
KINDS = ("search", "entity", "citation")


@dataclass(frozen=True, slots=True)
class Area:
    """How often the first of a pair took longer, with its 95 % interval (Hanley and McNeil 1982)."""

    value: float
    low: float
    high: float
    n: int

    def text(self) -> str:
        """For a table."""
        return f"AUC {self.value:.3f} [{self.low:.3f}, {self.high:.3f}] (n {self.n} pairs)"


@dataclass(frozen=True, slots=True)
class Secrets:
    """What the asker may not see, and what nobody wrote, alike in form."""

    hidden: Mapping[str, Sequence[str]]
    absent: Mapping[str, Sequence[str]]


def area(withheld: Sequence[float], absent: Sequence[float]) -> Area:
    """From the seconds of both."""
    one, other = np.asarray(withheld), np.sort(np.asarray(absent))
    below = np.searchsorted(other, one, "left") + np.searchsorted(other, one, "right")
    value = float(below.sum()) / (2 * len(one) * len(other))
    q1, q2 = value / (2 - value), 2 * value * value / (1 + value)
    spread = value * (1 - value) + (len(one) - 1) * (q1 - value**2) + (len(other) - 1) * (q2 - value**2)
    half = 1.96 * sqrt(max(spread, 0.0) / (len(one) * len(other)))
    return Area(value, value - half, value + half, min(len(one), len(other)))


def fill(org: muniment.Org, *, ordinary: int = 2_000, secrets: int = SECRETS) -> Secrets:
    """A record with secrets in it that the asker may not read, and what to ask about them."""
    org.ingest(company.people())
    org.ingest(company.messages(ordinary))
    org.ingest(_secret(number) for number in range(secrets))
    knower = org.reader(KNOWER)
    names = [_name(number) for number in range(secrets)]
    unknown = [_name(number) for number in range(secrets, 2 * secrets)]
    answers = (knower.ask("When is the renewal date?", entity=name) for name in names)
    citations = [answer.citations[0].id for answer in answers]
    return Secrets(
        {"search": [f"{name} renewal" for name in names], "entity": names, "citation": citations},
        {
            "search": [f"{name} renewal" for name in unknown],
            "entity": unknown,
            "citation": [_other(one) for one in citations],
        },
    )


def _secret(number: int) -> Mapping[str, object]:
    name = _name(number)
    return {
        "source": "sales",
        "id": f"s{number}",
        "op": "upsert",
        "kind": "message",
        "at": "2026-06-01T09:00:00Z",
        "account": name,
        "body": f"The renewal date of {name} is 2027-03-{1 + number % 28:02d}.",
        "audience": [[KNOWER]],
    }


def _name(number: int) -> str:
    """A name of no word that the company uses."""
    draw = random.Random(number)
    return "Q" + "".join(draw.choice("bcdfghklmnpqrstvwxz") + draw.choice("aeiou") for _ in range(5))


def _other(citation: str) -> str:
    """An id of the same form that is nobody's."""
    turned = str.maketrans("0123456789", "9876543210")
    return citation[:-12] + citation[-12:].translate(turned)


def interleaved(
    org: muniment.Org, secrets: Secrets, kind: str, draw: random.Random, *, pairs: int
) -> tuple[list[float], list[float]]:
    """Seconds for what is withheld and for what is absent, each pair in random order."""
    withheld: list[float] = []
    absent: list[float] = []
    for hidden, unknown in _pairs(secrets, kind, draw, pairs):
        both = [(hidden, withheld), (unknown, absent)]
        draw.shuffle(both)
        for asked, times in both:
            times.append(timed(_asking(org.reader(ASKER), kind, asked)))
    return withheld, absent


def _pairs(secrets: Secrets, kind: str, draw: random.Random, pairs: int) -> Iterator[tuple[str, str]]:
    for _ in range(pairs):
        yield draw.choice(secrets.hidden[kind]), draw.choice(secrets.absent[kind])


def _asking(view: muniment.View, kind: str, asked: str) -> Callable[[], object]:
    match kind:
        case "search":
            return lambda: view.search(asked)
        case "entity":
            return lambda: _refused(lambda: view.ask("When is the renewal date?", entity=asked))
        case _:
            return lambda: _refused(lambda: view.explain(asked))


def _refused(call: Callable[[], object]) -> None:
    with suppress(Refused):
        call()
        raise AssertionError("what is withheld was shown")
