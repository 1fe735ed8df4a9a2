"""What was said on the command line of an investigation, before it is known which verb it is for."""

from __future__ import annotations

from dataclasses import dataclass, replace

from muniment.domain.investigating import Ending, Looked, Observed, Reached, Start

__all__ = ["Said"]


@dataclass(frozen=True, slots=True)
class Said:
    """Every option, each where the verb that takes it looks for it."""

    start: Start
    seen: Observed
    reached: Reached
    ending: Ending
    evidence: tuple[str, ...]
    against: tuple[str, ...]
    reason: str
    budget: int
    at: Looked

    def started(self, title: str) -> Start:
        """What an incident is opened with."""
        return replace(self.start, title=title)

    def observed(self, text: str) -> Observed:
        """What was observed."""
        return replace(self.seen, text=text)

    def looked(self, tool: str, query: str) -> Looked:
        """What is looked at."""
        return replace(self.at, tool=tool, query=query)

    def reaching(self, goal: str) -> Reached:
        """Where it stands."""
        return replace(self.reached, goal=goal)

    def ended(self, result: str) -> Ending:
        """How it ended."""
        return replace(self.ending, result=result)
