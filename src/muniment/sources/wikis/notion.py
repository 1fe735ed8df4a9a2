"""A Notion workspace, exported as Markdown or HTML with CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from muniment.domain.regex import regex
from muniment.sources.convert.markdown import table
from muniment.sources.filekind import Handed
from muniment.sources.folder import Document, Unreadable, read_document
from muniment.sources.parsed import Parsed, Unread
from muniment.sources.wikis.archive import Held, files, names
from muniment.sources.wikis.mapping import Mapping, read_mapping
from muniment.sources.wikis.told import told

__all__ = ["read", "recognises"]

_ID = regex(r"\s?([0-9a-f]{32})(?=(?:_all)?(?:\.\w+)?\Z)")
_UUID = regex(r"<article[^>]{0,200}\bid=\"([0-9a-f-]{36})\"")
_PAGES = (".md", ".html")
_LINK = regex(r"\[([^\]\n]{0,300})\]\(([^()\s]{0,1000})\)")
_PROPERTY = regex(r"(?P<name>[A-Z][^:\n]{0,60}): (?P<value>[^\n]{0,500})\Z")
_MOST_COLUMNS = 200
_PEOPLE = ("created by", "owner", "author")


def recognises(path: Path) -> bool:
    """Files named with the ids Notion gives its pages."""
    found = [name for name in names(path) if name.lower().endswith((*_PAGES, ".csv"))]
    return bool(found) and all(_ID.search(name) for name in found if not name.endswith("index.html"))


def read(path: Path, handed: Handed) -> Iterator[Parsed]:
    """Pages and databases. A database's `_all` file holds every row; the other only those of a view."""
    mapping = read_mapping(handed.options.get("audiences"))
    everything = {name.removesuffix("_all.csv") for name in names(path) if name.endswith("_all.csv")}
    for file in files(path):
        if isinstance(file, Unread):
            yield file
        elif file.path.endswith(".csv") and file.path.removesuffix(".csv") in everything:
            continue
        else:
            yield _page(file, handed, mapping)


def _page(file: Held, handed: Handed, mapping: Mapping) -> Parsed:
    path = [_ID.sub("", part) for part in file.parts]
    place = [*path[:-1], PurePosixPath(path[-1]).stem.removesuffix("_all")]
    found = _database(file, place[-1]) if file.path.endswith(".csv") else read_document(file.data, file.path)
    if isinstance(found, Unreadable):
        return Unread(file.path, file.path, found.reason)
    properties = _properties(found.body) if file.path.endswith(".md") else {}
    more: dict[str, object] = {
        "id": _id(file),
        "author_name": next((properties[one] for one in _PEOPLE if one in properties), None),
        "metadata": {"place": "/".join(place), "properties": properties},
    }
    document = Document(
        found.title if found.title and file.path.endswith((".md", ".html")) else place[-1],
        _LINK.sub(_linked, found.body) if file.path.endswith(".md") else found.body,
        found.media,
        {name: value for name, value in found.fields.items() if name != "id"},
        found.notes,
        found.apart,
    )
    return told(document, handed, file.path, file.at, audience=mapping.nearest(place), more=more)


def _id(file: Held) -> str:
    """The page's own, whatever it is called today."""
    name = _ID.search(file.path)
    if name is not None:
        return name[1]
    said = _UUID.search(file.data[:5000].decode("utf-8", "replace"))
    return said[1].replace("-", "") if said else file.path


def _linked(match: re.Match[str]) -> str:
    """A link to another page as its words and the page's id, so that it leads there."""
    led = _ID.search(unquote(match[2]).partition("#")[0])
    return match[0] if led is None else f"[{match[1]}]({led[1]})"


def _properties(body: str) -> dict[str, str]:
    """What stands between a page's title and its text, a line for each property."""
    lines = body.split("\n")
    start = 1 if lines[0].startswith("# ") else 0
    found: dict[str, str] = {}
    for line in lines[start : start + 60]:
        match = _PROPERTY.match(line)
        if match is not None:
            found[match["name"].casefold()] = match["value"]
        elif line.strip() or found:
            break
    return found


def _database(file: Held, title: str) -> Document | Unreadable:
    try:
        text = file.data.decode("utf-8-sig")
        rows = [row[:_MOST_COLUMNS] for row in csv.reader(io.StringIO(text))]
    except (UnicodeDecodeError, csv.Error) as error:
        return Unreadable(f"it is no CSV: {error}")
    rows = [row for row in rows if any(cell.strip() for cell in row)]
    if not rows:
        return Unreadable("it is empty")
    return Document(title, f"# {title}\n\n{table(rows)}\n", "text/markdown")
