"""What waits for a steward's decision."""

from __future__ import annotations

from muniment.domain.errors import Usage
from muniment.surfaces.web.visits import Gone, Reply, Shown, Visit

__all__ = [
    "candidate",
    "candidates",
    "conflicts",
    "decide",
    "duplicates",
    "recalled",
    "reports",
    "resolve",
    "settle",
    "stale",
]

MOST_REASON = 2_000


def candidates(visit: Visit) -> Shown:
    """Every rule that may not act yet."""
    return Shown("candidates.html", {"candidates": visit.desk.candidates(), "done": visit.ask("done")})


def candidate(visit: Visit) -> Shown:
    """One of them: what it would change, on what evidence, for whom."""
    return Shown("candidate.html", {"one": visit.desk.candidate(visit.path["id"])})


def decide(visit: Visit) -> Reply:
    """Approve, reject or hold it. An approval is bound to what was shown."""
    desk, id_, act = visit.desk, visit.path["id"], visit.sent.get("act", "")
    reason = visit.sent.get("reason", "")[:MOST_REASON]
    match act:
        case "approve":
            desk.approve(id_, seen=visit.sent.get("seen", ""))
        case "reject":
            desk.candidate(id_)
            desk.reject(id_, reason)
        case "hold":
            desk.hold(id_, reason)
        case _:
            raise Usage(f"{act!r} is nothing to decide: use approve, reject or hold")
    return Gone(f"/desk/candidates?done={act}")


def conflicts(visit: Visit) -> Shown:
    """What contradicts what, of all the steward may read."""
    desk = visit.desk
    found = visit.org.reader(desk.principal).conflicts()
    return Shown("conflicts.html", {"conflicts": found, "done": visit.ask("done")})


def resolve(visit: Visit) -> Gone:
    """Keep one side."""
    visit.desk.resolve(visit.sent.get("claim", ""), visit.sent.get("keep", ""))
    return Gone("/desk/conflicts?done=resolve")


def stale(visit: Visit) -> Shown:
    """Statements whose words changed at their source."""
    return Shown("stale.html", {"citations": visit.desk.stale()})


def recalled(visit: Visit) -> Shown:
    """What its source took back."""
    return Shown("recalled.html", {"recalled": visit.desk.recalled(), "done": visit.ask("done")})


def settle(visit: Visit) -> Gone:
    """Let what was taken back hold after all, or be gone."""
    desk, id_, act = visit.desk, visit.sent.get("id", ""), visit.sent.get("act", "")
    match act:
        case "confirm":
            desk.confirm(id_)
        case "reject":
            desk.reject(id_)
        case _:
            raise Usage(f"{act!r} is nothing to decide: use confirm or reject")
    return Gone(f"/desk/recalled?done={act}")


def reports(visit: Visit) -> Shown:
    """What people said is wrong."""
    return Shown("reports.html", {"reports": visit.desk.reports()})


def duplicates(visit: Visit) -> Shown:
    """Entities that may be one."""
    return Shown("duplicates.html", {"proposals": visit.desk.entity_proposals()})
