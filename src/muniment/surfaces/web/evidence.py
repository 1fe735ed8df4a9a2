"""What a citation rests on, in its source's own words, and what its slot held before."""

from __future__ import annotations

from muniment.domain.errors import Refused
from muniment.domain.values import History
from muniment.surfaces.web.differing import Run, changed_words
from muniment.surfaces.web.visits import Gone, Shown, Visit

__all__ = ["explain", "history", "report"]

MOST_PROBLEM = 2_000  # characters, as at every other door


def explain(visit: Visit) -> Shown:
    """The passage with the quote marked, who said it, when it holds, why this visitor may see it."""
    found = visit.view.explain(visit.path["id"])
    claim = found.citation.claim
    steps = None if claim is None else _steps(visit, claim)
    return Shown("evidence.html", {"found": found, "steps": steps, "thanked": visit.ask("told") == "1"})


def history(visit: Visit) -> Shown:
    """Every version of what a claim's slot held, each against the one before it."""
    return Shown("claim.html", {"steps": _steps(visit, visit.path["id"])})


def report(visit: Visit) -> Gone:
    """Tell stewards that a citation is wrong."""
    problem = visit.sent.get("problem", "").strip()[:MOST_PROBLEM] or "wrong"
    visit.view.report(visit.path["id"], problem)
    return Gone(visit.place(f"/evidence/{visit.path['id']}", told="1"))


def _steps(visit: Visit, claim: str) -> list[tuple[History, tuple[Run, ...]]]:
    """The newest first, each with the words that came and went."""
    versions = visit.view.history(claim)
    if not versions:
        raise Refused("there is no such claim")
    before = ["", *(one.statement for one in versions[:-1])]
    pairs = zip(before, versions, strict=True)
    return [(version, changed_words(old, version.statement)) for old, version in pairs][::-1]
