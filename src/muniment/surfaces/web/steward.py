"""The steward's desk: how the record stands, and what its door refused."""

from __future__ import annotations

from muniment.domain.errors import Usage
from muniment.surfaces.web.visits import Gone, Shown, Visit

__all__ = ["overview", "quarantine", "replay"]


def overview(visit: Visit) -> Shown:
    """Sources and their lag, the queue, and everything that waits for somebody."""
    return Shown("desk.html", {"status": visit.desk.status()})


def quarantine(visit: Visit) -> Shown:
    """What the door refused, with the reason."""
    return Shown("quarantine.html", {"refused": visit.desk.quarantined(), "again": visit.ask("again")})


def replay(visit: Visit) -> Gone:
    """Hand something refused in again."""
    entry = visit.sent.get("entry", "")
    if not (entry.isascii() and entry.isdigit() and len(entry) < 19):
        raise Usage(f"entry {entry!r} is no number of quarantine")
    desk = visit.desk
    receipt = visit.org.replay([int(entry)], importer=desk.principal)
    return Gone(f"/desk/quarantine?again={'refused' if receipt.quarantined else 'taken'}")
