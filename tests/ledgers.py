"""What the twin worlds are asked about accounts, and what is handed in there."""

from __future__ import annotations

from collections.abc import Callable

from muniment.view import View

__all__ = ["HANDED_OVER", "LEDGERS"]

# One name that only hidden items have is asked for too, and an id that only they declare.
LEDGERS: tuple[Callable[[View], object], ...] = (
    lambda ann: ann.commitments(),
    lambda ann: ann.landmines("acme"),
    lambda ann: [ann.handoff(name, budget=800) for name in ("acme", "globex")],
    lambda ann: ann.handoff("Zeta Holding"),
    lambda ann: ann.handoff("acct-1"),
)
HANDED_OVER: tuple[Callable[[View], object], ...] = (
    lambda ann: [
        ann.checkpoint("renewals", {"done": ["The renewal date of Acme is 2027-03-01."]}),
        ann.resume("renewals"),
    ],
    lambda ann: ann.sign_handoff("globex", ann.handoff("globex").seen),
)
