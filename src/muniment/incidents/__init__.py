"""What someone hands in while they investigate: entries of a ledger, and the episode it ends in."""

from __future__ import annotations

from muniment.incidents.desk import Incidents

__all__ = ["Incidents"]
