"""PagerDuty: incidents and notes on them, by webhooks of version 3."""

from __future__ import annotations

from muniment.sources.connector import Configured, ConnectorKind, Hook, Setting
from muniment.sources.filekind import FileKind

__all__ = ["CONNECTORS", "FILES"]


def _hook(configured: Configured) -> Hook:
    from muniment.sources.pagerduty.hook import PagerDutyHook  # noqa: PLC0415  # only who serves needs it

    return PagerDutyHook(configured)


FILES: tuple[FileKind, ...] = ()
CONNECTORS: tuple[ConnectorKind, ...] = (
    ConnectorKind(
        name="pagerduty",
        summary="incidents and notes on them, as PagerDuty delivers them",
        settings=(
            Setting("webhook_secret", "what PagerDuty signs deliveries with; two with a comma", secret=True),
            Setting("audiences", "who reads which service's: PSVC1=group:sre, *=group:eng", required=False),
        ),
        connect=None,
        hook=_hook,
        knows=(
            "reads incidents, their states and notes as they are delivered",
            "who reads a service's incidents is the setting audiences; one that is not named waits, unread",
            "cannot know of incidents from before it was set up, nor of deliveries given up after two days",
        ),
    ),
)
