"""Slack: a workspace's export, its deliveries, and its Web API, read by one rule."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from muniment.sources.connector import Configured, Connector, ConnectorKind, Hook, Setting
from muniment.sources.filekind import FileKind, Handed
from muniment.sources.parsed import Parsed

__all__ = ["CONNECTORS", "FILES"]


def _read(path: Path, handed: Handed) -> Iterator[Parsed]:
    from muniment.sources.slack.export import read_export  # noqa: PLC0415  # the kinds are cheap to import

    return read_export(path, handed)


def _recognises(path: Path) -> bool:
    from muniment.sources.slack.archive import recognises  # noqa: PLC0415  # as above

    return recognises(path)


def _connect(configured: Configured) -> Connector:
    from muniment.sources.slack.workspace import workspace  # noqa: PLC0415  # the client is an extra

    return workspace(configured)


def _hook(configured: Configured) -> Hook:
    from muniment.sources.slack.hook import hook  # noqa: PLC0415  # as above

    return hook(configured)


FILES = (
    FileKind(
        name="slack-export",
        source="slack",
        summary="a Slack workspace's export: the zip, or the folder it was unpacked into",
        read=_read,
        recognises=_recognises,
        options=("accounts",),
    ),
)

CONNECTORS = (
    ConnectorKind(
        name="slack",
        summary="a Slack workspace, through an app of the company's own",
        directory=True,
        retold=True,
        settings=(
            Setting("token", "the app's bot token (xoxb-…), as env:NAME or file:PATH", secret=True),
            Setting(
                "signing_secret",
                "the app's signing secret, for deliveries by the Events API, as env:NAME or file:PATH",
                secret=True,
                required=False,
            ),
            Setting("base_url", "where the Web API is", required=False, default="https://slack.com/api/"),
            Setting(
                "accounts",
                "what channels are about, as alsterkontor-renewal=acct-101, C042=Globex",
                required=False,
            ),
            Setting(
                "thread_days",
                "how many days back each pull looks for replies and edits; a sweep looks at everything",
                required=False,
                default="30",
            ),
        ),
        connect=_connect,
        hook=_hook,
        knows=(
            "reads messages, replies, edits and deletions of every conversation its app is in",
            "a public channel is read by full members and by whoever is in it; any other by its members",
            "needs users:read, users:read.email, and read and history of channels, groups, im and mpim",
            "cannot know what is in files and canvases, or what was gone before its app was let in",
        ),
    ),
)
