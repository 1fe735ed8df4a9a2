"""Deliveries of GitHub's webhooks: signed over the raw bytes, then read.

Nothing is remembered of a delivery's own id: the same payload gives the same events, which the front door
knows again, so that a delivery sent anew changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qs

from muniment.domain.errors import Malformed
from muniment.domain.times import format_instant
from muniment.sources.connector import Configured, Delivery, Heard
from muniment.sources.github.deliveries import tell
from muniment.sources.wire import told
from muniment.sources.wire.signed import check_hmac

__all__ = ["GitHubHook"]


@dataclass(frozen=True, slots=True)
class GitHubHook:
    """Hears what one secret signs."""

    configured: Configured

    def hear(self, delivery: Delivery) -> Heard:
        """What it says; what carries nothing to remember is named in the reply."""
        check_hmac(delivery, self.configured.secret("webhook_secret"), "x-hub-signature-256", "sha256=")
        event = delivery.headers.get("x-github-event", "")
        if not event:
            raise Malformed("the delivery has no x-github-event, which says what it is")
        looked_up = bool(self.configured.settings.get("token"))
        found = tell(
            self.configured.source,
            event,
            told.read(_json_of(delivery)),
            format_instant(delivery.at),
            looked_up=looked_up,
            saved=False,
        )
        reply = None if found.note is None else {"note": found.note}
        return Heard(found.parsed, reply, found.again and looked_up)


def _json_of(delivery: Delivery) -> bytes:
    """The payload; a hook set up for forms has it in a field."""
    if "x-www-form-urlencoded" not in delivery.headers.get("content-type", ""):
        return delivery.raw
    try:
        return parse_qs(delivery.raw.decode("ascii"), max_num_fields=9)["payload"][0].encode()
    except (ValueError, KeyError, UnicodeError):
        raise Malformed("the form has no field payload that could be read") from None
