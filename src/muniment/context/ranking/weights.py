"""How much each feature counts: with meaning, and by words alone.

Fitted by `evals/retrieval/fit.py` on the shared parts of LoCoMo and MemDaily, and for words alone on BEAM's;
one setting for all. They have no use for `latest`, `earliest` and `kind`, whose weights are chosen by hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["MEANING", "WORDS"]

MEANING: Final[Mapping[str, float]] = {
    "words": 0.2,
    "words_around": 0.6,
    "words_together": 0.2,
    "words_of_talk": 0.2,
    "meaning": 1.0,
    "meaning_before": 0.3,
    "meaning_after": 0.2,
    "meaning_around": 1.2,
    "meaning_of_talk": 0.5,
    "speaker": 1.0,
    "machine": -1.0,
    "period": 1.0,
    "day": 1.4,
    "counted": 0.3,
    "asks": -1.2,
    "latest": 0.4,
    "earliest": 0.4,
    "kind": 0.3,
}
WORDS: Final[Mapping[str, float]] = {
    "words": 1.4,
    "words_before": 0.3,
    "words_after": 0.2,
    "words_around": 0.7,
    "words_together": 1.0,
    "words_of_talk": 0.7,
    "speaker": 1.4,
    "machine": -1.4,
    "period": 1.4,
    "day": 1.4,
    "counted": 0.3,
    "asks": -1.0,
    "latest": 0.5,
    "earliest": 0.5,
    "kind": 0.3,
}
