"""Alertmanager's webhook, which signs nothing and is admitted by a bearer secret."""

from __future__ import annotations

from dataclasses import dataclass

from muniment.domain.times import format_instant
from muniment.sources.alertmanager.alerts import tell
from muniment.sources.connector import Configured, Delivery, Heard
from muniment.sources.wire import told
from muniment.sources.wire.mapping import parse_mapping
from muniment.sources.wire.signed import check_bearer

__all__ = ["AlertmanagerHook"]


@dataclass(frozen=True, slots=True)
class AlertmanagerHook:
    """Hears what one secret admits."""

    configured: Configured

    def hear(self, delivery: Delivery) -> Heard:
        """What it says of each of its alerts."""
        check_bearer(delivery, self.configured.secret("bearer"))
        payload = told.as_object(told.read(delivery.raw))
        settings = self.configured.settings
        mapped = parse_mapping(settings.get("audiences", ""))
        heard = format_instant(delivery.at)
        label = settings.get("label") or "team"
        return Heard(tuple(tell(self.configured.source, payload, mapped, label, heard)))
