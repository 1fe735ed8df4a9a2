"""Files of Google Drive, as Takeout hands them out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from collections.abc import Mapping as Fields
from datetime import datetime
from pathlib import Path

from muniment.domain.times import parse_instant
from muniment.sources.filekind import Handed
from muniment.sources.folder import Unreadable, read_document
from muniment.sources.parsed import Parsed, Unread
from muniment.sources.wikis.archive import Held, files, names
from muniment.sources.wikis.mapping import Mapping, read_mapping
from muniment.sources.wikis.told import told

__all__ = ["read", "recognises"]

_ABOUT = "-info.json"
_ROOT = ("Takeout", "Drive")
_CHANGED = ("content_last_modified", "last_modified_by_any_user", "modifiedTime")


def recognises(path: Path) -> bool:
    """Everything lies under `Takeout/Drive`."""
    found = names(path)
    return any(name.startswith("/".join(_ROOT) + "/") for name in found)


def read(path: Path, handed: Handed) -> Iterator[Parsed]:
    """Documents under their paths in Drive. What a file beside one says of it is when it was changed."""
    mapping = read_mapping(handed.options.get("audiences"))
    about: dict[str, datetime] = {}
    for file in files(path):
        if isinstance(file, Unread):
            yield file
        elif file.path.endswith(_ABOUT):
            about |= _said(file)
        elif _place(file):
            yield _document(file, handed, mapping, about)


def _place(file: Held) -> list[str]:
    """Where it stands in Drive; nothing for what of an export is no file of Drive's."""
    parts = list(file.parts)
    if tuple(parts[:2]) == _ROOT:
        return parts[2:]
    return [] if parts[0] == _ROOT[0] else parts


def _said(file: Held) -> dict[str, datetime]:
    try:
        said = json.loads(file.data)
    except (ValueError, RecursionError):
        return {}
    at = _changed(said) if isinstance(said, dict) else None
    return {} if at is None else {file.path.removesuffix(_ABOUT): at}


def _changed(said: Fields[str, object]) -> datetime | None:
    for name in _CHANGED:
        try:
            return parse_instant(str(said[name]))
        except (KeyError, ValueError):
            continue
    return None


def _document(file: Held, handed: Handed, mapping: Mapping, about: Fields[str, datetime]) -> Parsed:
    place = _place(file)
    found = read_document(file.data, file.path)
    if isinstance(found, Unreadable):
        return Unread(file.path, file.path, found.reason)
    at = about.get(file.path) or about.get(file.path.rpartition(".")[0]) or file.at
    more = {"id": "/".join(place)}
    return told(found, handed, "/".join(place), at, audience=mapping.nearest(place), more=more)
