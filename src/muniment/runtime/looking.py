"""Looking further: a verb of the person's own view, and what it adds to what the model was shown."""

from __future__ import annotations

from itertools import islice
from typing import Final

from muniment.domain.errors import Malformed, Refused
from muniment.domain.values import Page
from muniment.runtime.moves import Look
from muniment.runtime.shown import Lead, Shown
from muniment.view import View

__all__ = ["look"]

HITS: Final = 8
CLAIMS: Final = 24  # of a page, its first
NODES: Final = 12


def look(view: View, shown: Shown, move: Look) -> int:
    """How many things were found that were not shown before.

    What is not there and what is not for this person are one: nothing.
    """
    try:
        return _look(view, shown, move)
    except (Refused, Malformed):
        return 0


def _look(view: View, shown: Shown, move: Look) -> int:
    match move.how:
        case "search":
            return _search(view, shown, move.what)
        case "page":
            return _page(shown, view.page(move.what))
        case "locate":
            found = view.locate(move.what, limit=NODES)
            return shown.add_leads(Lead(one.id, one.title) for one in found)
        case _:
            return _expand(view, shown, move.what)


def _search(view: View, shown: Shown, query: str) -> int:
    hits = view.search(query, limit=HITS, unit="passage")
    found = [one.citation for one in hits if one.citation is not None]
    return sum(shown.add(one) for one in found)


def _page(shown: Shown, page: Page) -> int:
    claims = (claim for section in page.sections for claim in section.claims)
    found = (one for claim in claims for one in claim.citations[:1])
    return sum(shown.add(one, page.title) for one in islice(found, CLAIMS))


def _expand(view: View, shown: Shown, handle: str) -> int:
    """What a node leads to, and passages under its title, which can be cited."""
    lead = shown.leads.get(handle)
    if lead is None:
        return 0
    grown = view.expand(lead.node, limit=NODES)
    near = [Lead(one.node, one.title, one.edge) for one in grown.neighbours]
    titled = _search(view, shown, grown.title) if grown.title.strip() else 0
    return shown.add_leads(near) + titled
