"""Public ids: the same for every reader, stable, and revealing nothing without the organisation's key."""

from __future__ import annotations

import hashlib
import hmac
from uuid import UUID

__all__ = ["keyed_digest", "keyed_uuid"]


def keyed_digest(key: bytes, *parts: str | bytes) -> bytes:
    """16 bytes of HMAC-SHA-256 over the parts, each preceded by its length so that no two lists collide."""
    mac = hmac.new(key, digestmod=hashlib.sha256)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        mac.update(len(data).to_bytes(8, "big"))
        mac.update(data)
    return mac.digest()[:16]


def keyed_uuid(key: bytes, *parts: str | bytes) -> UUID:
    """The same as an id, opaque to whoever has no key."""
    return UUID(bytes=keyed_digest(key, *parts))
