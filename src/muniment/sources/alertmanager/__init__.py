"""Alertmanager: alerts as it notifies of them, by webhook and from saved notifications."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from muniment.domain.errors import Malformed
from muniment.sources.connector import Configured, ConnectorKind, Hook, Setting
from muniment.sources.filekind import FileKind, Handed
from muniment.sources.parsed import Parsed, Unread
from muniment.sources.wire import told
from muniment.sources.wire.mapping import parse_mapping

__all__ = ["CONNECTORS", "FILES"]

_LABEL: Final = "team"
_MOST_BYTES: Final = 64 * 1024 * 1024


def _hook(configured: Configured) -> Hook:
    from muniment.sources.alertmanager.hook import AlertmanagerHook  # noqa: PLC0415  # only who serves needs it

    return AlertmanagerHook(configured)


def _read(path: Path, handed: Handed) -> Iterator[Parsed]:
    from muniment.sources.alertmanager.alerts import tell  # noqa: PLC0415  # as above

    mapped = parse_mapping(handed.options.get("audiences", ""))
    label = handed.options.get("label", _LABEL)
    files = sorted(path.rglob("*.json")) if path.is_dir() else [path]
    for file in files:
        try:
            if file.stat().st_size > _MOST_BYTES:
                yield Unread(file.name, file.name, f"it is longer than {_MOST_BYTES} bytes")
                continue
            payload = told.as_object(told.read(file.read_bytes()))
        except (OSError, Malformed) as error:
            yield Unread(file.name, file.name, f"it cannot be read: {error}")
            continue
        yield from tell(handed.source, payload, mapped, label, None)


def _recognises(path: Path) -> bool:
    """JSON that begins as a notification does."""
    if path.suffix.lower() != ".json" or not path.is_file():
        return False
    with path.open("rb") as file:
        start = file.read(65536)
    return b'"alerts"' in start and b'"fingerprint"' in start and b'"startsAt"' in start


FILES: tuple[FileKind, ...] = (
    FileKind(
        name="alertmanager",
        source="alertmanager",
        summary="saved notifications of Alertmanager: a file of JSON, or a folder of them",
        read=_read,
        recognises=_recognises,
        options=("audiences", "label"),
    ),
)
CONNECTORS: tuple[ConnectorKind, ...] = (
    ConnectorKind(
        name="alertmanager",
        summary="alerts as Alertmanager notifies of them",
        settings=(
            Setting("bearer", "what Alertmanager sends as bearer, http_config.authorization", secret=True),
            Setting(
                "audiences", "who reads alerts, by the label: sre=group:sre, *=group:eng", required=False
            ),
            Setting("label", "the label that says whose an alert is", required=False, default=_LABEL),
        ),
        connect=None,
        hook=_hook,
        knows=(
            "reads alerts and when they began and ended; an occurrence is one item however often it is sent",
            "who reads an alert is the setting audiences, by its label; without one it waits, unread",
            "Alertmanager signs nothing: it has to send the bearer, over TLS or inside a network you trust",
            "cannot know of alerts that max_alerts left out, nor of the end of these",
        ),
    ),
)
