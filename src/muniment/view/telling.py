"""What somebody hands in while they read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from muniment import checkpoints, notes
from muniment.domain.accounts import Checkpoint
from muniment.domain.values import (
    Remembered,
    Reported,
)
from muniment.view.base import Base

__all__ = ["Telling"]


class Telling(Base):
    """The verbs that tell the record something."""

    def remember(self, text: str, evidence: Sequence[str] = ()) -> Remembered:
        """Keep a note for this principal alone.

        It was made from these citations, and from whatever visible words it repeats.
        """
        kept = notes.remember(self._work, self._hearing, self._now, text, evidence)
        with self._looking("remember", kept.id) as reader:
            reader.hand_out(one.id for one in kept.evidence)
        return kept

    def report(self, citation: str, problem: str = "wrong") -> Reported:
        """Tell stewards who may read it that a citation is wrong; by itself this changes nothing."""
        reported = notes.report(self._work, self._hearing, self._now, citation, problem)
        with self._looking("report", citation) as reader:
            reader.hand_out([reported.citation.id])
        return reported

    def checkpoint(self, task: str, state: Mapping[str, object]) -> Checkpoint:
        """Keep how far a task has come, for this principal alone."""
        return checkpoints.checkpoint(self._work, self._hearing, self._now, task, state)

    def resume(self, task: str) -> Checkpoint:
        """The state in which this principal left a task."""
        with self._looking("resume", task):
            return checkpoints.resume(self._work, self._hearing, self._now, task)
