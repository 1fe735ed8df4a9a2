"""Prometheus: answers to questions that somebody wrote down, as observations."""

from __future__ import annotations

from muniment.sources.connector import Configured, Connector, ConnectorKind, Setting
from muniment.sources.filekind import FileKind

__all__ = ["CONNECTORS", "FILES"]


def _connect(configured: Configured) -> Connector:
    from muniment.sources.prometheus.observe import Prometheus  # noqa: PLC0415  # only who asks needs it

    return Prometheus(configured)


FILES: tuple[FileKind, ...] = ()
CONNECTORS: tuple[ConnectorKind, ...] = (
    ConnectorKind(
        name="prometheus",
        summary="answers of a Prometheus server to questions you write down, as observations",
        settings=(
            Setting("url", "the server's address, such as http://localhost:9090"),
            Setting("queries", "lines NAME: EXPRESSION, or NAME over 6h step 5m: EXPRESSION"),
            Setting("token", "a bearer token, where the server wants one", secret=True, required=False),
            Setting("audiences", "who reads them: *=group:sre", required=False),
        ),
        connect=_connect,
        hook=None,
        knows=(
            "asks each query at each pull, and keeps an answer where it is another than the last",
            "observations are read by whom the setting audiences names; without one they wait, unread",
            "needs to reach the server's HTTP interface; it writes nothing and reads no rules",
            "cannot know what happened between two pulls, but by a query over a stretch of time",
        ),
    ),
)
