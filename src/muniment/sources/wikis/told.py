"""A page of an export as the event it enters by."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from muniment.domain.audience import Audience
from muniment.sources.filekind import Handed
from muniment.sources.folder import Document, document_event
from muniment.sources.folder.reach import for_readers
from muniment.sources.parsed import Parsed, Unread

__all__ = ["UNMAPPED", "told"]

UNMAPPED = "no audience is mapped to it: only whoever imported it may read it"


def told(
    document: Document,
    handed: Handed,
    path: str,
    at: datetime,
    *,
    audience: Audience | None,
    more: Mapping[str, object],
) -> Parsed:
    """The page's event, for these readers and whoever imports it; `more` is what the tool says besides."""
    made = document_event(document, source=handed.source, path=path, at=at)
    try:
        event = dict(
            for_readers(made, None if audience is None else audience.or_also(handed.importer), handed.account)
        )
    except ValueError as error:
        return Unread(path, path, f"front matter: {error}")
    metadata = event["metadata"]
    kept = dict(metadata) if isinstance(metadata, dict) else {}
    if audience is None:
        notes = kept.get("notes")
        kept["notes"] = [*(notes if isinstance(notes, list) else []), UNMAPPED]
    extra = more.get("metadata")
    kept |= extra if isinstance(extra, dict) else {}
    given = {name: value for name, value in more.items() if value is not None}
    return {**event, **given, "metadata": kept}
