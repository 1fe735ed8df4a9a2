"""Singer's and Airbyte's messages, a line each, as events. Pure.

They say nothing of who may read a record: it is left to whoever hands it in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from muniment.domain.errors import Malformed
from muniment.sources.parsed import Event, Parsed, Unread
from muniment.sources.singer.mapping import Stream
from muniment.sources.wire import told
from muniment.sources.wire.stamps import after_texts, of_text
from muniment.sources.wire.told import Object

__all__ = ["tell"]

_PASSED_BY: Final = frozenset(
    "STATE SPEC CONNECTION_STATUS CATALOG LOG TRACE CONTROL ACTIVATE_VERSION BATCH".split()
)
# Where a record without a mapping is looked into, in this order.
_USUAL: Final[Mapping[str, tuple[str, ...]]] = {
    "title": ("title", "subject", "name", "summary"),
    "at": ("updated_at", "updatedAt", "modified", "_sdc_extracted_at", "created_at", "createdAt"),
    "created_at": ("created_at", "createdAt", "created"),
    "url": ("html_url", "url", "web_url"),
}
_GONE: Final = ("_sdc_deleted_at", "_ab_cdc_deleted_at")


@dataclass(slots=True)
class _Reading:
    """What the lines so far have said of the streams."""

    source: str
    mapped: Mapping[str, Stream]
    keys: dict[str, tuple[str, ...]] = field(default_factory=dict)


def tell(source: str, lines: Iterable[tuple[int, bytes]], mapped: Mapping[str, Stream]) -> Iterator[Parsed]:
    """What each numbered line says; STATE and the like say nothing to remember."""
    reading = _Reading(source, mapped)
    for number, line in lines:
        try:
            message = told.as_object(told.read(line))
        except Malformed as error:
            yield Unread(f"line {number}", line, str(error))
            continue
        yield from _message(reading, number, line, message)


def _message(reading: _Reading, number: int, line: bytes, message: Object) -> Iterator[Parsed]:
    match told.text(message, "type"):
        case "SCHEMA":
            keys = message.get("key_properties")
            if (stream := told.name(message, "stream")) and isinstance(keys, list):
                reading.keys[stream] = tuple(key for key in keys if isinstance(key, str))
        case "RECORD":
            yield from _record(reading, number, line, message)
        case str(kind) if kind in _PASSED_BY:
            return
        case kind:
            yield Unread(f"line {number}", line, f"type {kind!r:.60} is no message that is known")


def _record(reading: _Reading, number: int, line: bytes, message: Object) -> Iterator[Parsed]:
    beside = told.part(message, "record")
    is_airbyte = "data" in beside and "stream" in beside and "stream" not in message
    record = told.part(beside, "data") if is_airbyte else beside
    name = told.name(beside if is_airbyte else message, "stream")
    stream = reading.mapped.get(name or "") or Stream(name or "")
    seen = told.instant(beside, "emitted_at") if is_airbyte else told.instant(message, "time_extracted")
    keys = _id(record, stream.paths.get("id") or reading.keys.get(stream.name) or ("id",))
    at = _instant(record, stream, "at") or seen
    if name is None or keys is None or at is None:
        yield Unread(f"line {number}, stream {name!r}", line, _LACKS)
        return
    id_ = f"{name}/{keys}"
    if _is_gone(record, stream):
        yield {
            "source": reading.source, "id": id_, "op": "delete", "at": at, "version": after_texts(at, 9),
        }  # fmt: skip
    else:
        yield _upsert(reading.source, id_, at, stream, record)


_LACKS: Final = "it has no stream, no id or no time with a zone: say in a mapping which fields these are"


def _value(record: Object, path: str) -> object:
    found: object = record
    for step in path.split("."):
        found = told.as_object(found).get(step)
    return found


def _id(record: Object, paths: Iterable[str]) -> str | None:
    parts = [told.name({"at": _value(record, path)}, "at") for path in paths]
    whole = "/".join(part for part in parts if part is not None)
    return whole if parts and None not in parts and len(whole.encode()) < 400 else None


def _instant(record: Object, stream: Stream, name: str) -> str | None:
    paths = stream.paths.get(name) or _USUAL[name]
    times = (told.instant({"at": _value(record, path)}, "at") for path in paths)
    return next((at for at in times if at is not None), None)


def _is_gone(record: Object, stream: Stream) -> bool:
    value = next(
        (found for path in stream.paths.get("deleted", _GONE) if (found := _value(record, path))), None
    )
    return value is not None and value not in ("false", "False", "0")


def _said(record: Object, stream: Stream, name: str) -> str | None:
    paths = stream.paths.get(name) or _USUAL.get(name, ())
    return next((said for path in paths if (said := told.name({"at": _value(record, path)}, "at"))), None)


def _upsert(source: str, id_: str, at: str, stream: Stream, record: Object) -> Event:
    body, is_cut = told.clipped(_body(record, stream))
    names = ("title", "author_name", "url", "thread", "account", "project", "service")
    said = {name: text for name in names if (text := _said(record, stream, name))}
    author = _said(record, stream, "author") if "author" in stream.paths else None
    created = _instant(record, stream, "created_at")
    upsert: dict[str, object] = {
        "source": source, "id": id_, "op": "upsert", "kind": stream.kind, "at": at, "body": body, **said,
        "labels": {"stream": stream.name},
        **({} if author is None else {"author": _person(source, author)}),
        **({} if created is None else {"created_at": created}),
        **({"metadata": {"truncated": True}} if is_cut else {}),
    }  # fmt: skip
    version = _said(record, stream, "version") if "version" in stream.paths else None
    return {**upsert, "version": version[:200] if version else of_text(at, upsert)}


def _person(source: str, author: str) -> str:
    """A principal: an address is one by itself, an id is the source's own."""
    return f"user:{author}" if "@" in author else f"user:{source}:{author}"


def _body(record: Object, stream: Stream) -> str:
    """The mapped fields' words, or each field by name where nobody said which ones count."""
    if "body" in stream.paths:
        return "\n".join(text for path in stream.paths["body"] if (text := _words(_value(record, path))))
    named = (
        (name, _words(value)) for name, value in record.items() if not name.startswith(("_sdc_", "_ab_"))
    )
    return "\n".join(f"{name}: {text}" for name, text in named if text)


def _words(value: object) -> str:
    match value:
        case str():
            return value.strip()
        case None | bool() | dict() | list():
            return "" if value in (None, {}, []) else told.written(value)
        case _:
            return str(value)
