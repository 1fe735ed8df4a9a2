"""The sets there are, by name: add one here."""

from __future__ import annotations

from evals.retrieval.dataset import Dataset
from evals.retrieval.sets import beam, chat, locomo, longmemeval, longmemeval_v2, memdaily, qmsum

__all__ = ["SETS"]

SETS: dict[str, Dataset] = {
    one.name: one
    for one in (
        chat.CHAT,
        locomo.MESSAGES,
        locomo.CORRECTED,
        locomo.SESSIONS,
        memdaily.POOLED,
        memdaily.OWN,
        beam.EVIDENCE,
        qmsum.MEETINGS,
        longmemeval.SESSIONS,
        longmemeval.TURNS,
        longmemeval_v2.STATES,
    )
}
