"""What this process keeps of texts goes once something was erased, whichever process did that."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from muniment.domain.remembered import forget_texts
from muniment.index.vectors import forget_codes

__all__ = ["keeping_up"]

# How often something had been erased of a record, named by tenant and key, when this process last let go.
_KNOWN: Final[dict[tuple[str, bytes], int]] = {}


@contextmanager
def keeping_up(tenant: str, key: bytes, erasures: int) -> Generator[None]:
    """Around a read that found so many: nothing older is used in it, nor kept by it once others know more."""
    if _KNOWN.setdefault((tenant, key), erasures) < erasures:
        _KNOWN[tenant, key] = erasures
        _let_go(tenant)
    try:
        yield
    finally:
        if _KNOWN[tenant, key] != erasures:
            _let_go(tenant)


def _let_go(tenant: str) -> None:
    forget_codes(tenant)
    forget_texts()
