"""PagerDuty's deliveries: signed over the raw bytes, with several signatures while secrets are exchanged."""

from __future__ import annotations

from dataclasses import dataclass

from muniment.domain.times import format_instant
from muniment.sources.connector import Configured, Delivery, Heard, Unsigned
from muniment.sources.pagerduty.incidents import PASSED_BY, tell
from muniment.sources.wire import told
from muniment.sources.wire.mapping import parse_mapping
from muniment.sources.wire.signed import check_hmac

__all__ = ["PagerDutyHook"]


@dataclass(frozen=True, slots=True)
class PagerDutyHook:
    """Hears what one secret signs, or another while they are exchanged."""

    configured: Configured

    def hear(self, delivery: Delivery) -> Heard:
        """What it says of an incident; another kind of event is named in the reply."""
        self._check(delivery)
        payload = told.as_object(told.read(delivery.raw))
        kind = told.text(payload, "event", "event_type") or ""
        if kind.startswith(PASSED_BY):
            return Heard(reply={"note": f"nothing of {kind[:100]!r} is kept"})
        mapped = parse_mapping(self.configured.settings.get("audiences", ""))
        return Heard(tuple(tell(self.configured.source, payload, mapped, format_instant(delivery.at))))

    def _check(self, delivery: Delivery) -> None:
        secrets = [one.strip() for one in self.configured.secret("webhook_secret").split(",")]
        for secret in secrets[:-1]:
            try:
                return check_hmac(delivery, secret, "x-pagerduty-signature", "v1=")
            except Unsigned:
                continue
        return check_hmac(delivery, secrets[-1], "x-pagerduty-signature", "v1=")
