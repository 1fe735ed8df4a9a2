"""The observers of files: lines of a log, and traces and logs as OpenTelemetry's collector writes them."""

from __future__ import annotations

import re
import shlex
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Final, TypeVar

from muniment.domain.errors import Malformed, Usage
from muniment.domain.times import parse_instant
from muniment.sources.observers.seen import Window
from muniment.sources.observers.traces import Step, in_lines
from muniment.sources.otlp.files import exports
from muniment.sources.otlp.observed import levels, severity_of
from muniment.sources.otlp.shapes import Record, Span, records, spans
from muniment.sources.parsed import Unread

__all__ = ["FILES"]

Reader = Callable[[Path, str, "Window | None"], Iterable[str]]
Found = TypeVar("Found")
_NAMED: Final = ("service=", "trace=", "severity=")
_TRACES: Final = 200  # that failed, of a file
_NEWEST: Final = 400  # lines of a log that are kept of those that match, the last ones
_LONGEST: Final = 1_000  # characters of a line
_MOST_BYTES: Final = 64 * 1024  # of a line that are read at once
_INSTANT: Final = re.compile(
    r"\s{0,8}[\[\"({]{0,3}(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,]\d{1,9})?(Z|[+-]\d\d:?\d\d)?"
)


def _log(path: Path, query: str, over: Window | None) -> Iterator[str]:
    """The last lines that hold the words, whatever their case, in the order in which they stand.

    Of a window, those whose time is in it. A line without a time is of the one before it; a time without a
    zone is read as UTC.
    """
    wanted, found = query.casefold(), deque[str](maxlen=_NEWEST)
    count, is_within = 0, over is None
    for line in _lines(path):
        if over is not None and (at := _at(line)) is not None:
            is_within = over.since <= at <= over.until
        if is_within and line.strip() and wanted in line.casefold():
            found.append(line[:_LONGEST])
            count += 1
    if count > len(found):
        yield f"({count - len(found)} lines before these)"
    yield from found


def _lines(path: Path) -> Iterator[str]:
    """Each line; of one that is very long, its beginning and then the rest as lines of their own."""
    try:
        with path.open("rb") as file:
            while piece := file.readline(_MOST_BYTES):
                yield piece.decode("utf-8", "replace").replace("\x00", "").rstrip("\r\n")
    except OSError as error:
        raise Usage(f"{path.name} cannot be read: {error.strerror or error}") from None


def _at(line: str) -> datetime | None:
    """The time a line begins with, if it begins with one."""
    if (found := _INSTANT.match(line)) is None:
        return None
    *parts, zone = found.groups()
    try:
        at = datetime(*map(int, parts), tzinfo=UTC)  # type: ignore[misc,arg-type]  # six of them
        return at if zone in (None, "Z") else datetime.fromisoformat(f"{at:%Y-%m-%dT%H:%M:%S}{zone}")
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What of a file of exports is asked for."""

    service: str | None
    trace: str | None
    least: int
    words: str


def _otlp(path: Path, query: str, over: Window | None) -> Iterator[str]:
    """Traces in which something failed, and log records from a severity up.

    [service=NAME] [severity=warn] [WORDS …], or trace=ID, which gives all of one trace.
    """
    wanted = _wanted(query)
    # The file may be larger than memory: it is gone through, and what is kept of it is bounded.
    failed = (one.trace for one in _spans(path) if one.has_failed and _is_of(one, wanted, over))
    shown = {wanted.trace} if wanted.trace else set(islice(failed, _TRACES))
    yield from in_lines(_step(one) for one in _spans(path) if one.trace is not None and one.trace in shown)
    said = (one for one in _exports(path, records) if _is_wanted(one, wanted, over))
    yield from sorted(deque(map(_in_line, said), maxlen=_NEWEST))


def _spans(path: Path) -> Iterator[Span]:
    return _exports(path, spans)


def _exports(path: Path, each: Callable[[object], Iterator[Found]]) -> Iterator[Found]:
    for export in exports(path):
        if not isinstance(export, Unread):
            yield from each(export)


def _wanted(query: str) -> _Wanted:
    try:
        words = shlex.split(query)
        named = dict(one.split("=", 1) for one in words if one.startswith(_NAMED))
        least = severity_of(named.get("severity", "error"))
    except (ValueError, Malformed) as error:
        raise Usage(f"{query!r} cannot be read: {error}") from None
    rest = " ".join(one for one in words if not one.startswith(_NAMED))
    return _Wanted(named.get("service"), named.get("trace"), least, rest.casefold())


def _is_of(span: Span, wanted: _Wanted, over: Window | None) -> bool:
    is_named = wanted.service in (None, span.sender.service)
    words = f"{span.name} {span.message or ''}".casefold()
    return is_named and wanted.words in words and _is_within(span.at, over)


def _is_wanted(record: Record, wanted: _Wanted, over: Window | None) -> bool:
    if wanted.trace is not None:
        return record.trace == wanted.trace
    is_named = wanted.service in (None, record.sender.service) and record.severity >= wanted.least
    return is_named and wanted.words in record.body.casefold() and _is_within(record.at, over)


def _is_within(at: str | None, over: Window | None) -> bool:
    if over is None:
        return True
    return at is not None and over.since <= parse_instant(at) <= over.until


def _step(span: Span) -> Step:
    start = span.start or 0
    took = max((span.end or start) - start, 0)
    service = span.sender.service or "?"
    return Step(
        trace=span.trace or "",
        id=span.id or "",
        parent=span.parent,
        service=service,
        name=span.name,
        start=start // 1_000,
        took=took // 1_000,
        has_failed=span.has_failed,
    )


def _in_line(record: Record) -> str:
    words = " ".join(record.body.split())[:_LONGEST]
    trace = f" trace={record.trace}" if record.trace else ""
    return f"{record.at} {levels(record.severity)} {record.sender.service or '?'}{trace} {words}"


FILES: Final[Mapping[str, Reader]] = {"log": _log, "otlp": _otlp}
