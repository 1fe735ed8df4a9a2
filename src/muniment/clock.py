"""The real clock, real waiting and real randomness, handed in by `app` and replaced in tests."""

from __future__ import annotations

import secrets
import time
from datetime import UTC, datetime

__all__ = ["fresh_salt", "now", "ticks", "wait"]


def now() -> datetime:
    """This instant, in UTC."""
    return datetime.now(UTC)


def fresh_salt() -> bytes:
    """16 random bytes."""
    return secrets.token_bytes(16)


def ticks() -> float:
    """Seconds since some beginning, which nobody sets back."""
    return time.monotonic()


def wait(seconds: float) -> None:
    """Do nothing for so long."""
    time.sleep(seconds)
