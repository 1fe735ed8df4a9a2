"""The words of the benchmark as values: what documents set, where they set it, and what is asked of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import yaml

__all__ = [
    "Concept",
    "Document",
    "Fact",
    "Gold",
    "Ledger",
    "Peril",
    "Question",
    "Reference",
    "Value",
    "concepts",
    "perils",
]

EVERYBODY = "user:clerk"  # a full member with no other right
UNDERWRITER = "user:underwriter"


@dataclass(frozen=True, slots=True)
class Value:
    """A figure with its kind: money, days, months, hours, percent, or a count of a unit."""

    kind: str
    number: int
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Concept:
    """Something a document can set: `says` is how documents call it, `asks` how people do."""

    key: str
    heading: str
    kind: str
    unit: str
    range: tuple[int, int, int]
    says: tuple[str, ...]
    asks: tuple[str, ...]

    def about(self, peril: Peril) -> Concept:
        """The same of one peril."""
        words = {"peril": peril.peril, "doc": peril.doc, "ask": peril.ask}
        return Concept(
            f"{peril.key}-{self.key}",
            self.heading.format(**words),
            self.kind,
            self.unit,
            self.range,
            tuple(one.format(**words) for one in self.says),
            tuple(one.format(**words) for one in self.asks),
        )


@dataclass(frozen=True, slots=True)
class Peril:
    """What an endorsement insures against, as titles, documents and people call it."""

    key: str
    title: str
    peril: str
    doc: str
    ask: str


@dataclass(frozen=True, slots=True)
class Document:
    """One document as it is filed; `body` begins after its front matter."""

    id: str
    kind: str
    title: str
    line: str
    state: str
    effective: date
    fields: Mapping[str, object] = field(default_factory=dict)
    body: str = ""
    is_deleted: bool = False


@dataclass(frozen=True, slots=True)
class Fact:
    """A value, the section that sets it and the words that do."""

    document: str
    concept: Concept
    value: Value
    section: str
    quote: str
    is_current: bool = True


@dataclass(frozen=True, slots=True)
class Reference:
    """One section sending its reader to another, and the words that do."""

    kind: str
    document: str
    section: str
    target: str
    target_section: str
    quote: str


@dataclass(frozen=True, slots=True)
class Gold:
    """Words of one document, what they prove, and what settles them where they are rivals."""

    document: str
    section: str
    quote: str
    value: Value | None = None
    settled_by: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """Three wordings of one question: what an answer has to rest on, and what it may not state."""

    id: str
    split: str
    wordings: tuple[str, str, str]
    must_state: tuple[Gold, ...]
    must_not_state: tuple[Gold, ...] = ()
    through: tuple[Gold, ...] = ()
    as_of: str | None = None
    principal: str = EVERYBODY
    budget: int | None = None


@dataclass(frozen=True, slots=True)
class Ledger:
    """A drawn corpus with its keys."""

    documents: tuple[Document, ...]
    facts: tuple[Fact, ...]
    references: tuple[Reference, ...]
    questions: tuple[Question, ...]


@cache
def _vocabulary() -> Mapping[str, Any]:
    read: Mapping[str, Any] = yaml.safe_load(Path(__file__).with_name("concepts.yaml").read_text("utf-8"))
    return read


def concepts(group: str) -> tuple[Concept, ...]:
    """The concepts of one group, in order."""
    return tuple(
        Concept(
            one["key"],
            one["heading"],
            one["kind"],
            one.get("unit", ""),
            tuple(one["range"]),
            tuple(one["says"]),
            tuple(one["asks"]),
        )
        for one in _vocabulary()[group]
    )


def perils() -> tuple[Peril, ...]:
    """Every peril there is an endorsement for."""
    return tuple(Peril(**one) for one in _vocabulary()["perils"])
