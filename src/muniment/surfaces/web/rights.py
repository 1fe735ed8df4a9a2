"""Who may read what and why, who did what, and what is to be gone."""

from __future__ import annotations

from dataclasses import replace

from muniment.domain.errors import Usage
from muniment.surfaces.web.visits import Shown, Visit

__all__ = ["access", "audit", "erase", "erase_form"]

MOST_ENTRIES = 200


def access(visit: Visit) -> Shown:
    """Everyone who can read an item or container, and through what; whose eyes to look with; the members."""
    desk, target = visit.desk, visit.ask("target")
    found = desk.who_can(target) if target else None
    return Shown("access.html", {"target": target, "found": found, "members": desk.members()})


def audit(visit: Visit) -> Shown:
    """Who did what, the newest first, and whether the chain is whole, once that was asked."""
    desk, since = visit.desk, visit.ask("since") or None
    entries = desk.audit(
        visit.ask("by") or None, visit.ask("object") or None, visit.ask("action") or None, since, MOST_ENTRIES
    )
    report = desk.verify_audit() if visit.ask("verify") else None
    return Shown("audit.html", {"entries": entries, "report": report})


def erase_form(visit: Visit) -> Shown:
    """What would be erased, once something is named; it is not yet."""
    desk, target = visit.desk, visit.ask("target")
    found = desk.erase(target, dry_run=True) if target else None
    return Shown("erase.html", {"target": target, "found": found, "done": False})


def erase(visit: Visit) -> Shown:
    """Erase it, where its name was typed again."""
    desk, target = visit.desk, visit.sent.get("target", "")
    if visit.sent.get("typed", "").strip() != target:
        raise Usage("the name that was typed is not that of what is to be erased: nothing was erased")
    found = desk.erase(target)
    found = replace(found, files=desk.scrub())
    return Shown("erase.html", {"target": target, "found": found, "done": True})
