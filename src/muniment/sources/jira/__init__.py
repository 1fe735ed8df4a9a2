"""Jira: issues and comments, by webhook and from exports."""

from __future__ import annotations

from muniment.sources.connector import Configured, ConnectorKind, Hook, Setting
from muniment.sources.filekind import FileKind
from muniment.sources.jira.files import JIRA_EXPORT

__all__ = ["CONNECTORS", "FILES"]


def _hook(configured: Configured) -> Hook:
    from muniment.sources.jira.hook import JiraHook  # noqa: PLC0415  # only who serves needs it

    return JiraHook(configured)


FILES: tuple[FileKind, ...] = (JIRA_EXPORT,)
CONNECTORS: tuple[ConnectorKind, ...] = (
    ConnectorKind(
        name="jira",
        summary="issues and comments of Jira's projects, as it delivers them",
        settings=(
            Setting("webhook_secret", "what Jira signs deliveries with, or sends as bearer", secret=True),
            Setting("audiences", "who reads which project: ENG=group:eng, OPS=*", required=False),
        ),
        connect=None,
        hook=_hook,
        knows=(
            "reads issues, comments, states and deletions that Jira delivers; no attachments",
            "a project is read by whom the setting audiences names; one that is not named waits, unread",
            "an issue with a security level, and a comment for a role or group, is read by that group alone",
            "cannot know of what happened before it was set up: add an export; nor of deliveries Jira lost",
        ),
    ),
)
