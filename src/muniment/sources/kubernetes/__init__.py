"""Kubernetes: a cluster's events, as observations."""

from __future__ import annotations

from muniment.sources.connector import Configured, Connector, ConnectorKind, Setting
from muniment.sources.filekind import FileKind

__all__ = ["CONNECTORS", "FILES"]


def _connect(configured: Configured) -> Connector:
    from muniment.sources.kubernetes.watch import Kubernetes  # noqa: PLC0415  # only who asks needs it

    return Kubernetes(configured)


FILES: tuple[FileKind, ...] = ()
CONNECTORS: tuple[ConnectorKind, ...] = (
    ConnectorKind(
        name="kubernetes",
        summary="a cluster's events, as observations",
        settings=(
            Setting("url", "the cluster's address, or that of kubectl proxy"),
            Setting("token", "a service account's token that may list and watch events", secret=True),
            Setting("namespaces", "several separated by commas; all where none is named", required=False),
            Setting("audiences", "who reads which namespace: shop=group:shop, *=group:sre", required=False),
            Setting("watch_seconds", "how long one pull listens", required=False, default="10"),
        ),
        connect=_connect,
        hook=None,
        knows=(
            "lists events and watches for more; one that happens again is the same item with another count",
            "a namespace is read by whom the setting audiences names; one that is not named waits, unread",
            "needs the verbs list and watch on events; it reads no secrets, logs or objects",
            "cannot know of events from more than an hour before it first asked: a cluster forgets them",
        ),
    ),
)
