"""What of a text nobody sees who reads it rendered."""

from __future__ import annotations

from muniment.sources.unseen.stretches import blanked, unseen, visible

__all__ = ["blanked", "unseen", "visible"]
