"""The receiving end of the protocol over HTTP: JSON, as it is or packed with gzip, behind a bearer."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Final

from muniment.domain.errors import Malformed
from muniment.domain.times import format_instant
from muniment.sources.connector import Configured, Delivery, Heard
from muniment.sources.otlp.observed import severity_of, tell
from muniment.sources.wire import told
from muniment.sources.wire.mapping import parse_mapping
from muniment.sources.wire.signed import check_bearer

__all__ = ["OtlpHook"]

_MOST: Final = 25 * 1024 * 1024  # bytes unpacked, as many as a delivery may have packed
_GZIP: Final = 31  # what tells zlib of gzip's header


@dataclass(frozen=True, slots=True)
class OtlpHook:
    """Hears what one secret admits."""

    configured: Configured

    def hear(self, delivery: Delivery) -> Heard:
        """What an export says. The empty reply is the protocol's word for all of it having been taken."""
        check_bearer(delivery, self.configured.secret("bearer"))
        settings = self.configured.settings
        payload = told.as_object(told.read(_unpacked(delivery)))
        mapped = parse_mapping(settings.get("audiences", ""))
        least = severity_of(settings.get("severity") or "error")
        parsed = tuple(tell(self.configured.source, payload, mapped, least, format_instant(delivery.at)))
        return Heard(parsed, {})


def _unpacked(delivery: Delivery) -> bytes:
    """The body; Malformed where it is packed otherwise, or unpacks to more than one may have."""
    packing = delivery.headers.get("content-encoding", "").strip().casefold()
    if packing in ("", "identity"):
        return delivery.raw
    if packing != "gzip":
        raise Malformed(f"content-encoding {packing[:40]!r} is unknown: use gzip or none")
    unpacking = zlib.decompressobj(_GZIP)
    try:
        body = unpacking.decompress(delivery.raw, _MOST)
    except zlib.error as error:
        raise Malformed(f"the delivery does not unpack: {error}") from None
    if unpacking.unconsumed_tail or not unpacking.eof:
        raise Malformed(f"the delivery unpacks to more than {_MOST:,} bytes, or is cut off")
    return body
