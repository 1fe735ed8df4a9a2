"""The file a page is written to in a folder of pages, and so what a link to it says. Pure.

ASCII and lower case, which every system can hold, and the same as long as the entity and its title are.
"""

from __future__ import annotations

import hashlib
import unicodedata

from muniment.domain.regex import regex
from muniment.pages.entities import Entity

__all__ = ["folder_of", "path_of"]

_ID = 10  # hex digits of an id
_LONGEST = 60
_OTHER = regex(r"[^a-z0-9]+")
_DEVICES = regex(r"(con|prn|aux|nul|com\d|lpt\d)")  # no files on every system


def path_of(entity: Entity) -> str:
    """From the root: the folder of its kind, what of its title is plain letters, and the head of its id."""
    parts = (_stem(entity.title), entity.id[:_ID])
    return f"{folder_of(entity.kind)}/{'-'.join(part for part in parts if part)}.md"


def folder_of(kind: str) -> str:
    """The folder of a kind of entity."""
    stem = _stem(kind)
    if not stem:
        return f"kind-{hashlib.sha256(kind.encode('utf-8', 'surrogatepass')).hexdigest()[:_ID]}"
    return f"{stem}-" if _DEVICES.fullmatch(stem) else stem


def _stem(text: str) -> str:
    """What of a text is plain letters and digits, without accents."""
    spelt = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return _OTHER.sub("-", spelt).strip("-")[:_LONGEST].strip("-")
