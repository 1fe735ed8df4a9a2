"""Options that are said as NAME=VALUE, once for each name."""

from __future__ import annotations

from collections.abc import Sequence

from muniment.domain.errors import Usage

__all__ = ["pairs"]


def pairs(flag: str, said: Sequence[str] | None) -> dict[str, str]:
    """What was said by name; Usage for what has no name or one said before."""
    found: dict[str, str] = {}
    for one in said or ():
        name, equals, value = one.partition("=")
        if not equals or not name.strip():
            raise Usage(f"{flag} is said as NAME=VALUE, not {name!r}")
        if name.strip() in found:
            raise Usage(f"{flag} {name.strip()!r} is said twice")
        found[name.strip()] = value
    return found
