"""Public ids: the same for every reader, stable, and revealing nothing without the organisation's key."""

from __future__ import annotations

import hmac
from uuid import UUID

__all__ = ["keyed_digest", "keyed_uuid"]


def keyed_digest(key: bytes, *parts: str | bytes) -> bytes:
    """16 bytes of HMAC-SHA-256 over the parts, each preceded by its length so that no two lists collide."""
    each = [part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part for part in parts]
    return hmac.digest(key, b"".join([len(data).to_bytes(8, "big") + data for data in each]), "sha256")[:16]


def keyed_uuid(key: bytes, *parts: str | bytes) -> UUID:
    """The same as an id, opaque to whoever has no key."""
    return UUID(bytes=keyed_digest(key, *parts))
