"""OpenTelemetry's traces and logs as JSON: what failed, as observations, by delivery and from files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from muniment.sources.connector import Configured, ConnectorKind, Hook, Setting
from muniment.sources.filekind import FileKind, Handed
from muniment.sources.parsed import Parsed

__all__ = ["CONNECTORS", "FILES"]

_FIRST: Final = 4_096  # bytes that are looked at to recognise a file


def _hook(configured: Configured) -> Hook:
    from muniment.sources.otlp.hook import OtlpHook  # noqa: PLC0415  # only who serves needs it

    return OtlpHook(configured)


def _read(path: Path, handed: Handed) -> Iterator[Parsed]:
    from muniment.sources.otlp.files import read  # noqa: PLC0415  # only who reads such a file needs it

    return read(path, handed)


def _recognises(path: Path) -> bool:
    """JSON that begins with the spans or the records of a resource."""
    if path.suffix.lower() not in (".json", ".jsonl", ".otlp") or not path.is_file():
        return False
    with path.open("rb") as file:
        start = file.read(_FIRST).lstrip(b"\xef\xbb\xbf \t\r\n{")
    return start.startswith((b'"resourceSpans"', b'"resourceLogs"'))


FILES: tuple[FileKind, ...] = (
    FileKind(
        name="otlp",
        source="otlp",
        summary="traces and logs as OpenTelemetry's collector writes them to a file: JSON, one export a line",
        read=_read,
        recognises=_recognises,
        options=("audiences", "severity"),
    ),
)
CONNECTORS: tuple[ConnectorKind, ...] = (
    ConnectorKind(
        name="otlp",
        summary="failed spans and log records as OpenTelemetry's exporters send them, in JSON",
        settings=(
            Setting("bearer", "what the exporter sends as bearer in its header authorization", secret=True),
            Setting("audiences", "who reads which service's: shop=group:shop, *=group:sre", required=False),
            Setting("severity", "from which severity up logs are kept", required=False, default="error"),
        ),
        connect=None,
        hook=_hook,
        knows=(
            "reads spans whose status is an error and log records from the severity up; passes the rest by",
            "who reads what a service sent is the setting audiences; one that is not named waits, unread",
            "the exporter has to send JSON, over TLS or inside a network you trust, with the bearer",
            "of attributes, keeps those that say where and how it failed, and not what a request carried",
        ),
    ),
)
