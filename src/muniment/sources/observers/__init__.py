"""One look at a running system, read only, when somebody investigates it."""

from __future__ import annotations

from muniment.sources.observers.look import OBSERVERS, Seen, look

__all__ = ["OBSERVERS", "Seen", "look"]
