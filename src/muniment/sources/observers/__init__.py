"""One look at a running system, read only, when somebody investigates it."""

from __future__ import annotations

from muniment.sources.observers.look import OBSERVERS, READERS, look, look_into
from muniment.sources.observers.seen import Seen, Window, window

__all__ = ["OBSERVERS", "READERS", "Seen", "Window", "look", "look_into", "window"]
