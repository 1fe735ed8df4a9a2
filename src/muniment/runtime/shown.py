"""What the model was shown in one task: evidence under short handles, and what tools said. All is data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from muniment.domain.tasks import ToolResult
from muniment.domain.trust import LEAST, is_trusted
from muniment.domain.values import Citation, Json, Part

__all__ = ["Lead", "Showing", "Shown", "trusted_material"]

TOOL_TRUST: Final = "external_tool"  # of whatever a tool says; nothing raises it
LONGEST_RESULT: Final = 6_000  # characters of what a tool gave


@dataclass(frozen=True, slots=True)
class Showing:
    """A citation as the model was shown it, and the head under which it stood."""

    citation: Citation
    head: str

    @property
    def text(self) -> str:
        """The words that prove: the quote, or what a disclosure level lets be said."""
        return self.citation.quote or self.citation.statement


@dataclass(frozen=True, slots=True)
class Lead:
    """A node of the evidence graph that can be expanded, and how it was come to."""

    node: str
    title: str
    edge: str = ""


@dataclass(slots=True)
class Shown:
    """Handles are given in the order in which things were shown, and are never given twice."""

    evidence: dict[str, Showing] = field(default_factory=dict)
    results: dict[str, tuple[str, ToolResult]] = field(default_factory=dict)
    leads: dict[str, Lead] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    _handles: dict[str, str] = field(default_factory=dict)

    def add_parts(self, parts: Iterable[Part]) -> int:
        """How many citations of these parts are new."""
        return sum(self.add(one, _head(part)) for part in parts for one in part.citations)

    def add(self, citation: Citation, head: str = "") -> bool:
        """Whether this one is new."""
        if citation.id in self._handles:
            return False
        handle = f"e{len(self.evidence) + 1}"
        self._handles[citation.id] = handle
        self.evidence[handle] = Showing(citation, head)
        return True

    def add_leads(self, leads: Iterable[Lead]) -> int:
        """How many are new. They lead on and prove nothing."""
        known, before = {one.node for one in self.leads.values()}, len(self.leads)
        for one in leads:
            if one.node not in known:
                known.add(one.node)
                self.leads[f"n{len(self.leads) + 1}"] = one
        return len(self.leads) - before

    def add_result(self, tool: str, result: ToolResult) -> str:
        """The handle of what a tool gave; what is too long is cut, and says so."""
        handle, text = f"t{len(self.results) + 1}", result.text
        if len(text) > LONGEST_RESULT:
            text = f"{text[:LONGEST_RESULT]}\n[cut: {len(text) - LONGEST_RESULT:,} more characters]"
        self.results[handle] = tool, ToolResult(text, result.failed)
        return handle

    def cited(self, handles: Sequence[str]) -> list[Showing] | None:
        """What these handles stand for; None where one was never given or is a tool's."""
        found = [self.evidence.get(one) for one in handles]
        return None if None in found else [one for one in found if one is not None]

    def as_material(self) -> dict[str, Json]:
        """All of it, each with its trust."""
        return {
            "evidence": [_told(handle, one) for handle, one in self.evidence.items()],
            "tool_results": [
                {"id": handle, "tool": tool, "trust": TOOL_TRUST, "failed": one.failed, "text": one.text}
                for handle, (tool, one) in self.results.items()
            ],
            "leads": [
                {"id": handle, "edge": one.edge, "title": one.title, "trust": LEAST}
                for handle, one in self.leads.items()
            ],
            "notes": list(self.notes),
        }


def trusted_material(shown: Iterable[Showing]) -> list[Json]:
    """Of these, what may be acted on."""
    return list(_trusted(shown))


def _trusted(shown: Iterable[Showing]) -> Iterator[Json]:
    for number, one in enumerate(shown, 1):
        if is_trusted(one.citation.trust):
            yield _told(f"e{number}", one)


def _told(handle: str, one: Showing) -> dict[str, Json]:
    said = one.citation.said_at
    return {
        "id": handle,
        "text": one.text,
        "about": one.head,
        "said": None if said is None else said.date().isoformat(),
        "by": one.citation.said_by,
        "status": one.citation.status,
        "trust": one.citation.trust,
    }


def _head(part: Part) -> str:
    """The line above a part's own words, which names where it stands."""
    first, _, rest = part.text.partition("\n")
    return first.strip("# *") if rest else ""
