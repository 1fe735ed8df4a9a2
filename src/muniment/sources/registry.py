"""Every kind of export and live source there is, imported where one is looked for: parsers are heavy."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from muniment.domain.errors import Usage
from muniment.sources.connector import ConnectorKind
from muniment.sources.filekind import FileKind

__all__ = ["connector_kind", "connector_kinds", "file_kind", "file_kinds", "recognised"]


def file_kinds() -> Sequence[FileKind]:
    """All of them; the first that recognises a file reads it."""
    from muniment.sources import (  # noqa: PLC0415  # see the module
        alertmanager,
        calendar,
        cmdb,
        crm,
        git,
        github,
        jira,
        linear,
        mail,
        meetings,
        otlp,
        singer,
        slack,
        wikis,
    )

    return (
        *slack.FILES,
        *mail.FILES,
        *meetings.FILES,
        *calendar.FILES,
        *cmdb.FILES,
        *crm.FILES,
        *git.FILES,
        *wikis.FILES,
        *github.FILES,
        *jira.FILES,
        *linear.FILES,
        *alertmanager.FILES,
        *otlp.FILES,
        *singer.FILES,
    )


def connector_kinds() -> Sequence[ConnectorKind]:
    """All of them, by name."""
    from muniment.sources import (  # noqa: PLC0415  # see the module
        alertmanager,
        crm,
        feed,
        folder,
        git,
        github,
        jira,
        kubernetes,
        linear,
        mail,
        meetings,
        otlp,
        pagerduty,
        prometheus,
        slack,
    )

    return (
        *alertmanager.CONNECTORS,
        *feed.CONNECTORS,
        *folder.CONNECTORS,
        *git.CONNECTORS,
        *github.CONNECTORS,
        *jira.CONNECTORS,
        *kubernetes.CONNECTORS,
        *linear.CONNECTORS,
        *mail.CONNECTORS,
        *meetings.CONNECTORS,
        *crm.CONNECTORS,
        *otlp.CONNECTORS,
        *pagerduty.CONNECTORS,
        *prometheus.CONNECTORS,
        *slack.CONNECTORS,
    )


def file_kind(name: str) -> FileKind:
    """The kind of that name; Usage lists those there are."""
    for kind in file_kinds():
        if kind.name == name:
            return kind
    known = ", ".join(kind.name for kind in file_kinds())
    raise Usage(f"kind {name!r} is unknown: use {known}")


def recognised(path: Path) -> FileKind | None:
    """The kind that says a path is one of its own."""
    return next((kind for kind in file_kinds() if kind.recognises(path)), None)


def connector_kind(name: str) -> ConnectorKind:
    """The live kind of that name; Usage lists those there are."""
    for kind in connector_kinds():
        if kind.name == name:
            return kind
    known = ", ".join(kind.name for kind in connector_kinds())
    raise Usage(f"connector {name!r} is unknown: use {known}")
