"""Deliveries of events, signed over their bytes with a shared secret."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from muniment.domain.errors import Malformed
from muniment.sources.connector import Configured, Delivery, Heard, Unsigned
from muniment.sources.feed.lines import each

__all__ = ["HEADER", "Deliveries", "signature"]

HEADER: Final = "x-muniment-signature"


def signature(secret: str, raw: bytes) -> str:
    """What the header says of a delivery."""
    return f"sha256={hmac.new(secret.encode(), raw, hashlib.sha256).hexdigest()}"


@dataclass(frozen=True, slots=True)
class Deliveries:
    """One source's deliveries."""

    secret: Callable[[], str] = field(repr=False)

    @classmethod
    def of(cls, configured: Configured) -> Deliveries:
        """As it was connected; without a secret, nothing it is sent can be its own."""
        if "secret" not in configured.settings:
            raise Unsigned("this source was connected without a secret")
        return cls(lambda: configured.secret("secret"))

    def hear(self, delivery: Delivery) -> Heard:
        """One event, or a list of them."""
        self._verify(delivery)
        try:
            found = json.loads(delivery.raw)
        except (ValueError, RecursionError):
            raise Malformed("is no JSON") from None
        return Heard(tuple(each(found if isinstance(found, list) else [found], "delivery")))

    def _verify(self, delivery: Delivery) -> None:
        """Any of several signatures, as there are while a secret is changed."""
        wanted = signature(self.secret(), delivery.raw).encode()
        said = delivery.headers.get(HEADER, "").encode("utf-8", "replace").split(b",")
        if not any(hmac.compare_digest(wanted, one.strip()) for one in said):
            raise Unsigned("its signature does not hold")
