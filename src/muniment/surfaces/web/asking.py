"""Asking and searching."""

from __future__ import annotations

from muniment.domain.errors import Usage
from muniment.surfaces.web.visits import Shown, Visit

__all__ = ["ask", "search"]

UNITS = ("item", "passage", "claim", "page")
MOST_HITS = 50


def ask(visit: Visit) -> Shown:
    """The first page: a question, and its answer once one was asked."""
    question = visit.ask("q")
    answer = visit.view.ask(question, entity=visit.ask("entity") or None) if question else None
    return Shown("ask.html", {"question": question, "answer": answer})


def search(visit: Visit) -> Shown:
    """What matches some words best."""
    words, unit = visit.ask("q"), visit.ask("unit") or "item"
    if unit not in UNITS:
        raise Usage(f"unit {unit!r} is unknown: use {', '.join(UNITS)}")
    hits = visit.view.search(words, unit=unit, limit=MOST_HITS) if words else None
    return Shown("search.html", {"words": words, "unit": unit, "units": UNITS, "hits": hits})
