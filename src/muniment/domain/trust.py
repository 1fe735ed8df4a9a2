"""How far words may act: an order of labels, and the least of them for what is made from others. Pure.

A label is the platform's word, never the text's. Whatever is made from something else carries the minimum
of what it was made from; only a decision raises it, and one that its own author took alone raises it less.
"""

from __future__ import annotations

from collections.abc import Iterable

from muniment.domain.assertions import Kind

__all__ = ["ACTING", "APPROVED", "APPROVED_ALONE", "LEAST", "ORDER", "is_trusted", "minimum", "trust_rank"]

# Alone approved ranks above what nobody looked at, and below what two people or a system of record stand for.
ORDER = (
    "external_document",
    "external_tool",
    "internal_tool",
    "member",
    "approved_alone",
    "system_of_record",
    "approved",
)
LEAST, APPROVED_ALONE, APPROVED = ORDER[0], "approved_alone", "approved"
_RANKS = {label: rank for rank, label in enumerate(ORDER)}

# Kinds that tell people what to do. Below `member` they wait for a decision.
ACTING = frozenset({Kind.POLICY, Kind.PROCEDURE, Kind.DECISION})


def trust_rank(trust: str) -> int:
    """Where a label stands; one that nobody knows stands below all."""
    return _RANKS.get(trust, -1)


def minimum(trusts: Iterable[str]) -> str:
    """The least of the labels; of none, the least there is."""
    return min(trusts, key=trust_rank, default=LEAST)


def is_trusted(trust: str) -> bool:
    """Whether words with this label may act without a decision."""
    return trust_rank(trust) >= trust_rank("member")
