"""The real clock and real randomness, handed in by `app` and replaced in tests."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime

__all__ = ["fresh_salt", "now"]


def now() -> datetime:
    """This instant, in UTC."""
    return datetime.now(UTC)


def fresh_salt() -> bytes:
    """16 random bytes."""
    return secrets.token_bytes(16)
