"""Linear: issues and comments, by webhook and from exports."""

from __future__ import annotations

from muniment.sources.connector import Configured, ConnectorKind, Hook, Setting
from muniment.sources.filekind import FileKind
from muniment.sources.linear.files import LINEAR_EXPORT

__all__ = ["CONNECTORS", "FILES"]


def _hook(configured: Configured) -> Hook:
    from muniment.sources.linear.hook import LinearHook  # noqa: PLC0415  # only who serves needs it

    return LinearHook(configured)


FILES: tuple[FileKind, ...] = (LINEAR_EXPORT,)
CONNECTORS: tuple[ConnectorKind, ...] = (
    ConnectorKind(
        name="linear",
        summary="issues and comments of Linear's teams, as it delivers them",
        settings=(
            Setting("webhook_secret", "what Linear signs deliveries with", secret=True),
            Setting("audiences", "who reads which team: ENG=group:eng, OPS=*", required=False),
        ),
        connect=None,
        hook=_hook,
        knows=(
            "reads issues, comments, states and deletions that Linear delivers; no attachments",
            "a team is read by whom the setting audiences names; one that is not named waits, unread",
            "cannot know of what happened before it was set up: add an export; nor of deliveries Linear lost",
        ),
    ),
)
