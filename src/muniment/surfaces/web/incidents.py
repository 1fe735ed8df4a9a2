"""Incidents: what is observed, what is supposed, what history suggests, and what leaned on what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from muniment.domain.errors import Refused
from muniment.domain.incidents import Hint, Incident, Topology
from muniment.surfaces.web.ledgers import end_of_ledger, laid, numbered_entries, pointers
from muniment.surfaces.web.numbering import numbers_of
from muniment.surfaces.web.visits import Shown, Visit

if TYPE_CHECKING:
    from muniment.app import View

__all__ = ["incident", "incidents", "memories", "topology"]


def incidents(visit: Visit) -> Shown:
    """Every incident, the newest first; those still open before all."""
    every = visit.view.incidents.every()
    by_state = [(state, [one for one in every if one.state == state]) for state in ("open", "closed")]
    values = {"groups": [one for one in by_state if one[1]], "may_act": _may_act(visit)}
    return Shown("incidents.html", values)


def incident(visit: Visit) -> Shown:
    """One of them: its ledger, hypotheses, where it stands; hints while it is open, its episode after."""
    view, id_ = visit.view, visit.path["id"]
    found = view.incidents.show(id_)
    entries, numbers = laid(found), numbered_entries(found)
    shown, earlier = (entries, 0) if visit.ask("all") else end_of_ledger(entries)
    briefing = view.incidents.briefing(id_) if found.state == "open" else None
    hints = () if briefing is None else briefing.hints
    values = {
        "found": found,
        "entries": shown,
        "earlier": earlier,
        "numbers": numbers,
        "hypotheses": [
            (one, pointers(one.supports, numbers), pointers(one.against, numbers)) for one in found.hypotheses
        ],
        "reached": pointers(found.checkpoint.evidence if found.checkpoint else (), numbers),
        "briefing": briefing,
        "hints": _by_kind(hints),
        "cited": numbers_of(cited for hint in hints for cited in hint.citations),
        "episode": _episode(view, found),
        "topology": _topology(view, found),
        "may_act": _may_act(visit),
        "done": visit.ask("done"),
    }
    return Shown("incident.html", values)


def topology(visit: Visit) -> Shown:
    """What a service leaned on and what leaned on it, at the moment asked about."""
    if not visit.name:
        raise Refused("no service was named")
    return Shown("topology.html", {"found": visit.view.incidents.topology(visit.name)})


def memories(visit: Visit) -> Shown:
    """What is remembered of incidents and should be looked at: of no use, or there twice."""
    desk = visit.view.incidents
    unused = desk.unused()
    numbers = numbers_of(one.citation for one in unused if one.citation is not None)
    return Shown("memories.html", {"unused": unused, "numbers": numbers, "duplicates": desk.duplicates()})


def _may_act(visit: Visit) -> bool:
    """Whether what is shown is now, and for the visitor alone: only that is acted on."""
    return not any(visit.ask(name) for name in ("with", "as_of", "known_at"))


def _by_kind(hints: Sequence[Hint]) -> list[tuple[str, list[Hint]]]:
    by_kind = [(kind, [one for one in hints if one.kind == kind]) for kind in ("episode", "procedure")]
    return [one for one in by_kind if one[1]]


def _episode(view: View, found: Incident) -> str | None:
    """The words that were kept at the end, for whoever may read all that they were made from."""
    if found.episode is None:
        return None
    try:
        return view.expand(f"muniment:{found.episode}", [], 1).text
    except Refused:
        return None


def _topology(view: View, found: Incident) -> Topology | None:
    """What its service leaned on when it was opened, if that is known."""
    if not found.service:
        return None
    try:
        return view.incidents.topology(found.service, found.opened_at)
    except Refused:
        return None
