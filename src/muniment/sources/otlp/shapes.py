"""The protocol's JSON, read as far as it is what it should be. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from muniment.domain.times import format_instant
from muniment.sources.wire import told
from muniment.sources.wire.told import Object

__all__ = ["Record", "Sender", "Span", "attributes", "milliseconds", "records", "spans"]

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_LATEST: Final = 253_402_300_799 * 10**9  # nanoseconds: the end of the year 9999
_DIGITS: Final = 20
_SERVICE: Final = ("service.name",)
# The newer name first.
_ENVIRONMENTS: Final = ("deployment.environment.name", "deployment.environment")
_FAILED: Final = (2, "2", "STATUS_CODE_ERROR")


@dataclass(frozen=True, slots=True)
class Sender:
    """What sent it: the resource, as far as it names itself."""

    service: str | None
    environment: str | None
    version: str | None
    attributes: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Span:
    """One piece of work. `start` and `end` are nanoseconds, None where they are no time."""

    sender: Sender
    raw: Object
    trace: str | None
    id: str | None
    parent: str | None
    name: str
    start: int | None
    end: int | None
    has_failed: bool
    message: str | None
    attributes: Mapping[str, str]

    @property
    def at(self) -> str | None:
        """When it ended, or began where it did not say."""
        return instant(self.end if self.end is not None else self.start)

    def exceptions(self) -> list[str]:
        """What was thrown in it, as type and message."""
        thrown = [one for one in told.listed(self.raw, "events") if one.get("name") == "exception"]
        said = [attributes(one.get("attributes")) for one in thrown]
        lines = [(one.get("exception.type"), one.get("exception.message")) for one in said]
        return [": ".join(part for part in both if part) for both in lines if any(both)]


@dataclass(frozen=True, slots=True)
class Record:
    """One line of a log. `severity` is the protocol's number, 0 where it is not said."""

    sender: Sender
    raw: Object
    at: str | None
    severity: int
    level: str | None
    body: str
    trace: str | None
    span: str | None
    attributes: Mapping[str, str]


def spans(payload: object) -> Iterator[Span]:
    """Every span of an export."""
    for resource in told.listed(payload, "resourceSpans"):
        sender = _sender(resource)
        for scope in told.listed(resource, "scopeSpans"):
            for raw in told.listed(scope, "spans"):
                yield _span(sender, raw)


def records(payload: object) -> Iterator[Record]:
    """Every record of an export."""
    for resource in told.listed(payload, "resourceLogs"):
        sender = _sender(resource)
        for scope in told.listed(resource, "scopeLogs"):
            for raw in told.listed(scope, "logRecords"):
                yield _record(sender, raw)


def _sender(resource: Object) -> Sender:
    said = attributes(told.part(resource, "resource").get("attributes"))
    return Sender(
        _first(said, _SERVICE), _first(said, _ENVIRONMENTS), _first(said, ("service.version",)), said
    )


def _first(said: Mapping[str, str], names: tuple[str, ...]) -> str | None:
    return next((found for name in names if (found := told.name(said.get(name)))), None)


def _span(sender: Sender, raw: Object) -> Span:
    return Span(
        sender=sender,
        raw=raw,
        trace=_hex(raw, "traceId"),
        id=_hex(raw, "spanId"),
        parent=_hex(raw, "parentSpanId"),
        name=told.name(raw, "name") or "span",
        start=_nanoseconds(raw, "startTimeUnixNano"),
        end=_nanoseconds(raw, "endTimeUnixNano"),
        has_failed=told.part(raw, "status").get("code") in _FAILED,
        message=told.text(raw, "status", "message"),
        attributes=attributes(raw.get("attributes")),
    )


def _record(sender: Sender, raw: Object) -> Record:
    at = _nanoseconds(raw, "timeUnixNano") or _nanoseconds(raw, "observedTimeUnixNano")
    severity = raw.get("severityNumber")
    return Record(
        sender=sender,
        raw=raw,
        at=instant(at or None),
        severity=severity if isinstance(severity, int) and 0 <= severity <= 24 else 0,
        level=told.name(raw, "severityText"),
        body=_value(raw.get("body")),
        trace=_hex(raw, "traceId"),
        span=_hex(raw, "spanId"),
        attributes=attributes(raw.get("attributes")),
    )


def attributes(listed: object) -> dict[str, str]:
    """Key and value of each, values as text."""
    pairs = told.listed({"": listed}, "")
    return {key: _value(one.get("value")) for one in pairs if (key := told.name(one, "key"))}


def _value(value: object) -> str:
    """A value of the protocol, which says its type by the name of its one field."""
    if not isinstance(value, dict) or not value:
        return ""
    kind, held = next(iter(value.items()))
    match kind, held:
        case "stringValue", str():
            return held
        case "boolValue", bool():
            return str(held).lower()
        case "arrayValue" | "kvlistValue", dict():
            return json.dumps(_plain(value), ensure_ascii=False, sort_keys=True)
        case _, str() | int() | float():
            return str(held)
    return ""


def _plain(value: object) -> object:
    """Lists and mappings as JSON has them; how deep they are was bounded when they were read."""
    if isinstance(array := told.as_object(value).get("arrayValue"), dict):
        return [_plain(one) for one in told.listed(array, "values")]
    if isinstance(pairs := told.as_object(value).get("kvlistValue"), dict):
        return {told.name(one, "key") or "": _plain(one.get("value")) for one in told.listed(pairs, "values")}
    return _value(value)


def _hex(raw: Object, name: str) -> str | None:
    """An id that is one: hexadecimal digits, not all of them zero."""
    said = (told.text(raw, name) or "").lower()
    is_id = 0 < len(said) <= 32 and all(sign in "0123456789abcdef" for sign in said)
    return said if is_id and said.strip("0") else None


def _nanoseconds(raw: Object, name: str) -> int | None:
    """A time since 1970; 64-bit numbers are texts in this form, and some senders write numbers."""
    said = raw.get(name)
    if isinstance(said, str) and said.isascii() and said.isdecimal() and len(said) <= _DIGITS:
        said = int(said)
    if isinstance(said, bool) or not isinstance(said, int) or not 0 < said <= _LATEST:
        return None
    return said


def instant(nanoseconds: int | None) -> str | None:
    """The instant as RFC 3339, exact to the microsecond."""
    if nanoseconds is None:
        return None
    return format_instant(_EPOCH + timedelta(microseconds=nanoseconds // 1_000))


def milliseconds(span: Span) -> float | None:
    """How long it took."""
    if span.start is None or span.end is None or span.end < span.start:
        return None
    return (span.end - span.start) / 1e6
