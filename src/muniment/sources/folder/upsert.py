"""A document as the event it enters by. What its header says of audience may narrow and is kept apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from muniment.domain.times import format_instant
from muniment.sources.folder.dates import find_instant
from muniment.sources.folder.read import Document
from muniment.sources.folder.references import document_id, resolve

__all__ = ["DocumentEvent", "document_event"]

_SUPERSEDES = ("supersedes", "replaces", "obsoletes")
_AMENDS = ("amends", "updates", "amended")
_SUPERSEDED_BY = ("superseded_by", "replaced_by", "obsoleted_by")
_VALID_FROM = ("valid_from", "effective", "effective_date", "effective_from")
_VALID_TO = ("valid_to", "valid_until", "expires", "expiry", "expiry_date", "expiration_date", "effective_to")
_CREATED = ("created_at", "created", "date")
_AUTHOR = ("author_name", "author", "authors", "from")
_ABOUT = ("account", "project", "service")
_LABELS = ("labels", "tags", "keywords")
_TAKEN = frozenset({"id", "title", "audience", *_SUPERSEDES, *_AMENDS, *_SUPERSEDED_BY, *_LABELS})


@dataclass(frozen=True, slots=True)
class DocumentEvent:
    """An upsert without an audience, and what the document's header says of one: None where it says nothing.

    `narrow` is as written. Parse it, and AND it to the audience the importer gives; one that does not parse
    is a reason to refuse the file, never to read it as no restriction.
    """

    event: dict[str, object]
    narrow: object = None


def document_event(document: Document, *, source: str, path: str, at: datetime) -> DocumentEvent:
    """The upsert of a document at `path`, relative to its folder; `at` is when the file was last changed."""
    fields = document.fields
    own = document_id(path, fields)
    created = _first_instant(fields, _CREATED)
    event: dict[str, object] = {
        "source": source,
        "id": own,
        "op": "upsert",
        "kind": "document",
        "at": format_instant(at),
        "title": document.title,
        "body": document.body,
        "media": document.media,
        "author_name": _author_name(fields),
        "created_at": format_instant(created) if created is not None and created <= at else None,
        "url": _url(fields),
        "labels": _labels(fields),
        "supersedes": _references(fields, _SUPERSEDES, own),
        "amends": _references(fields, _AMENDS, own),
        "superseded_by": _references(fields, _SUPERSEDED_BY, own),
        "metadata": _metadata(document, path),
        **{name: _scalar(fields.get(name)) for name in _ABOUT},
        **_validity(fields),
    }
    return DocumentEvent({name: value for name, value in event.items() if value is not None}, _narrow(fields))


def _first_instant(fields: Mapping[str, object], names: tuple[str, ...]) -> datetime | None:
    found = (find_instant(fields[name]) for name in names if name in fields)
    return next((instant for instant in found if instant is not None), None)


def _validity(fields: Mapping[str, object]) -> dict[str, object]:
    """The period a header gives; one that ends before it starts says nothing."""
    start, end = _first_instant(fields, _VALID_FROM), _first_instant(fields, _VALID_TO)
    if start is not None and end is not None and end <= start:
        return {}
    return {
        name: format_instant(instant)
        for name, instant in (("valid_from", start), ("valid_to", end))
        if instant is not None
    }


def _references(fields: Mapping[str, object], names: tuple[str, ...], own: str) -> list[str]:
    """What the fields refer to; a date under such a name (`amended: 2024-05-01`) refers to nothing."""
    given = [fields[name] for name in names if name in fields and find_instant(fields[name]) is None]
    return list(dict.fromkeys(one for value in given for one in resolve(value, own)))


def _scalar(value: object) -> str | None:
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return None
    return str(value).strip() or None


def _author_name(fields: Mapping[str, object]) -> str | None:
    """Who wrote it, as a name to show: a header is text, and makes nobody a principal."""
    for name in _AUTHOR:
        value = fields.get(name)
        given = value if isinstance(value, list) else [value]
        names = [_scalar(one.get("name") if isinstance(one, dict) else one) for one in given]
        if any(names):
            return ", ".join(" ".join(one.split()) for one in names if one)
    return None


def _url(fields: Mapping[str, object]) -> str | None:
    value = fields.get("url")
    return value if isinstance(value, str) and value.startswith(("https://", "http://")) else None


def _labels(fields: Mapping[str, object]) -> dict[str, str]:
    labels: dict[str, str] = {}
    for name in _LABELS:
        value = fields.get(name)
        if isinstance(value, dict):
            labels |= {key: text for key, inner in value.items() if (text := _scalar(inner)) is not None}
        elif isinstance(value, list):
            labels[name] = ", ".join(text for one in value if (text := _scalar(one)) is not None)
        elif (text := _scalar(value)) is not None:
            labels[name] = text
    return labels


def _narrow(fields: Mapping[str, object]) -> object:
    """The header's audience as a list; an empty one, which nothing accepts, where it was left blank."""
    if "audience" not in fields:
        return None
    value = fields["audience"]
    if isinstance(value, str):
        return [member.strip() for member in value.split(",") if member.strip()]
    return [] if value is None else value


def _metadata(document: Document, path: str) -> dict[str, object]:
    """Everything the event has no place for, as it was given. Dates that could not be read stay here too."""
    fields = document.fields
    metadata: dict[str, object] = {
        name: value for name, value in fields.items() if not _has_a_place(name, value)
    }
    metadata["path"] = path
    unread = [
        name for name in (*_VALID_FROM, *_VALID_TO) if name in fields and find_instant(fields[name]) is None
    ]
    notes = [
        *document.notes,
        *(f"{name!r} is no date that can be read one way: {fields[name]!r}" for name in unread),
    ]
    if _first_instant(fields, _VALID_TO) is not None and _ends_first(fields):
        notes.append("the period it gives ends before it starts")
    if notes:
        metadata["notes"] = notes
    if document.apart:
        metadata["apart"] = [one.as_json() for one in document.apart]
    return metadata


def _has_a_place(name: str, value: object) -> bool:
    if name in _ABOUT:
        return _scalar(value) is not None
    return name in _TAKEN and find_instant(value) is None


def _ends_first(fields: Mapping[str, object]) -> bool:
    start, end = _first_instant(fields, _VALID_FROM), _first_instant(fields, _VALID_TO)
    return start is not None and end is not None and end <= start
