"""The wiki: its pages, what changed on them, and what happened when."""

from __future__ import annotations

from itertools import groupby

from muniment.domain.errors import Refused
from muniment.surfaces.web.drawing import days_of, drawn
from muniment.surfaces.web.numbering import numbered
from muniment.surfaces.web.visits import Shown, Visit

__all__ = ["pages", "timeline", "wiki"]


def pages(visit: Visit) -> Shown:
    """Every page there is for this visitor, by kind; those whose title has some words, if there are some."""
    words = visit.ask("q").casefold()
    found = [one for one in visit.view.pages() if words in one.title.casefold()]
    kinds = sorted(found, key=lambda one: (one.kind, one.title.casefold()))
    by_kind = [(kind, list(group)) for kind, group in groupby(kinds, lambda one: one.kind)]
    return Shown("pages.html", {"kinds": by_kind, "words": words})


def wiki(visit: Visit) -> Shown:
    """A page, its evidence drawn, and what changed on it since a day, if one was asked for."""
    view, entity, since = visit.view, _entity(visit), visit.ask("since")
    page = view.page(entity)
    values = {
        "page": page,
        "numbers": numbered(page),
        "graph": drawn(page),
        "days": days_of(page),
        "changes": view.changes(entity, since) if since else None,
        "outward": [one for one in page.links if one.entity is not None or one.item is not None],
    }
    return Shown("wiki.html", values)


def timeline(visit: Visit) -> Shown:
    """What happened to what is known of an entity, the newest first, day by day."""
    view, entity = visit.view, _entity(visit)
    entries = sorted(view.timeline(entity), key=lambda one: one.at, reverse=True)
    days = [(at, list(group)) for at, group in groupby(entries, lambda one: one.at.date().isoformat())]
    return Shown("timeline.html", {"entity": entity, "days": days})


def _entity(visit: Visit) -> str:
    """The name in the path, or asked for where a path cannot hold it."""
    if not visit.name:
        raise Refused("no name was given")
    return visit.name
