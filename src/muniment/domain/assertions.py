"""Statements found in item versions, with the words that prove them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Assertion", "Context", "Kind", "Quote", "Slot", "Term"]


class Kind(StrEnum):
    """What sort of statement it is."""

    FACT = "fact"
    DECISION = "decision"
    POLICY = "policy"
    PROCEDURE = "procedure"
    COMMITMENT = "commitment"
    OBJECTION = "objection"
    SENSITIVITY = "sensitivity"
    ARRANGEMENT = "arrangement"
    PREFERENCE = "preference"
    OBSERVATION = "observation"
    ROOT_CAUSE = "root_cause"
    PITFALL = "pitfall"
    ATTEMPT = "attempt"
    QUESTION = "question"


@dataclass(frozen=True, slots=True)
class Slot:
    """What a statement is about: a raw mention, resolved per reader, and a normalised attribute."""

    entity: str
    attribute: str
    qualifier: str | None = None


@dataclass(frozen=True, slots=True)
class Term:
    """A typed value inside a quote: `value` is its normal form, `text` the words as written.

    `resolved` is the day or days, or for when something holds the instant, that a date means; `note` says
    what was assumed in finding that out, or why it could not be.
    """

    kind: str
    text: str
    value: str
    resolved: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Quote:
    """The words that prove it: characters [start, end) of the passage at `ordinal`."""

    ordinal: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Context:
    """What an extractor may know of the item besides its passages."""

    kind: str
    title: str | None
    author: str | None
    account: str | None = None
    project: str | None = None
    service: str | None = None


@dataclass(frozen=True, slots=True)
class Assertion:
    """One statement made in one item version. `value` is what two statements of one slot are compared by."""

    kind: Kind
    statement: str
    slot: Slot | None
    value: str | None
    terms: tuple[Term, ...]
    quote: Quote
    stated_by: str | None
    extractor: str
