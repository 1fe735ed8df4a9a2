"""A governed record of what an organisation knows, kept for agents and the people they act for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from muniment.domain.errors import (
    Conflict,
    Held,
    Malformed,
    MunimentError,
    NotAnOrg,
    Refused,
    Unavailable,
    Usage,
)

if TYPE_CHECKING:
    from muniment.app import Org, View, open  # noqa: A004  # the contract's own word

__all__ = [
    "Conflict",
    "Held",
    "Malformed",
    "MunimentError",
    "NotAnOrg",
    "Org",
    "Refused",
    "Unavailable",
    "Usage",
    "View",
    "open",
]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    # Imported when first used: a command that only prints help needs neither a database driver nor numpy.
    if name in ("Org", "View", "open"):
        from muniment import app  # noqa: PLC0415  # the reason above

        return getattr(app, name)
    raise AttributeError(f"module 'muniment' has no attribute {name!r}")
