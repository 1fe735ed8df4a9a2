"""Several rankings into one. Pure: the same legs give the same order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

__all__ = ["WEIGHTS", "Leg", "fuse"]

# Shares of each leg, after it is scaled to 0…1 within the question. Scores are scaled rather than ranks added
# because a paraphrase matches few words, and ranks would then count a poor match in full.
WEIGHTS: Mapping[str, float] = {"lexical": 0.5, "vector": 0.5}
PLACES = 6


@dataclass(frozen=True, slots=True)
class Leg:
    """One ranking: document number to score, larger is better."""

    name: str
    scores: Mapping[int, float]


def fuse(legs: Sequence[Leg], ids: Mapping[int, UUID]) -> dict[int, tuple[float, Mapping[str, int]]]:
    """Each known document's share of every leg added up, and its rank in each leg that found it, from 1.

    Ties within a leg are broken by passage id, so that nothing depends on document numbers.
    """
    total: dict[int, float] = dict.fromkeys(ids, 0.0)
    why: dict[int, dict[str, int]] = {doc: {} for doc in ids}
    for leg in legs:
        known = {doc: score for doc, score in leg.scores.items() if doc in ids}
        for doc, share in _shares(leg, known).items():
            total[doc] += WEIGHTS[leg.name] * share
        for rank, doc in enumerate(sorted(known, key=lambda doc: (-known[doc], ids[doc])), 1):
            why[doc][leg.name] = min(rank, why[doc].get(leg.name, rank))
    return {doc: (round(total[doc], PLACES), why[doc]) for doc in ids}


def _shares(leg: Leg, known: Mapping[int, float]) -> dict[int, float]:
    """Scores from 0 to 1: words from nothing to the best match, meaning from the leg's worst to its best.

    Cosines lie in a narrow band well above zero, so they are scaled from their least.
    """
    if not known:
        return {}
    least = 0.0 if leg.name == "lexical" else min(known.values())
    span = max(known.values()) - least
    return {doc: (score - least) / span if span > 0 else 1.0 for doc, score in known.items()}
