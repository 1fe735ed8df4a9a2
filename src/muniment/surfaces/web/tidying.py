"""A steward's upkeep of memories: what was found, what would be done, and the act bound to what was shown."""

from __future__ import annotations

from typing import Final

from muniment.domain.errors import Usage
from muniment.domain.incidents import FINDINGS, Tidied
from muniment.surfaces.web.rendering import percent
from muniment.surfaces.web.visits import Gone, Reply, Shown, Visit
from muniment.surfaces.web.waiting import MOST_REASON

__all__ = ["findings", "tidy"]

_TICKED: Final = "memory."  # the fields of ticked memories begin so: a form has each name once
_MOST: Final = 200  # findings of a kind on one page


def findings(visit: Visit) -> Shown:
    """Every memory with each reason to look at it, by reason."""
    every = visit.desk.upkeep.findings()
    kinds = [
        (kind, found[:_MOST]) for kind in FINDINGS if (found := [one for one in every if one.kind == kind])
    ]
    return Shown("upkeep.html", {"kinds": kinds, "done": visit.ask("done"), "batch": visit.ask("batch")})


def tidy(visit: Visit) -> Reply:
    """Show what ticked memories would become, do what was shown, or undo it."""
    sent, desk = visit.sent, visit.desk.upkeep
    act, seen = sent.get("act", ""), sent.get("seen") or None
    reason = sent.get("reason", "")[:MOST_REASON]
    # The order of a form's fields is that of the page: of a merge the first is what stays.
    ids = list(
        dict.fromkeys(
            name.removeprefix(_TICKED).partition(".")[0] for name in sent if name.startswith(_TICKED)
        )
    )
    match act:
        case "restore":
            desk.restore(sent.get("batch", ""))
            return Gone("/desk/upkeep?done=restore")
        case "retire" if ids:
            found = desk.retire(ids, seen=seen, reason=reason)
        case "merge":
            found = desk.merge(ids, seen=seen, reason=reason)
        case _:
            raise Usage("tick memories, and retire or merge them")
    return _shown(found, reason)


def _shown(found: Tidied, reason: str) -> Reply:
    if found.batch is None:
        return Shown("tidying.html", {"found": found, "reason": reason})
    return Gone(f"/desk/upkeep?done={found.act}&batch={percent(found.batch)}")
