"""Jira's exports: issues as its REST interface gives them, in JSON, or a table of them, in CSV."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Final

from muniment.domain.errors import Malformed, Usage
from muniment.domain.times import find_zone, format_instant, local_instant
from muniment.sources.filekind import FileKind, Handed
from muniment.sources.jira import issues
from muniment.sources.parsed import Parsed, Unread
from muniment.sources.wire import told
from muniment.sources.wire.mapping import parse_mapping, stated
from muniment.sources.wire.table import Row, rows
from muniment.sources.wire.told import Object

__all__ = ["JIRA_EXPORT"]

MOST_BYTES: Final = 512 * 1024 * 1024
# Forms of dates in tables; which one it is depends on who exported it.
_DATES: Final = (
    "%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "%d/%b/%y %I:%M %p", "%d/%b/%Y %I:%M %p", "%d/%b/%y %H:%M",
    "%Y/%m/%d %H:%M", "%d.%m.%Y %H:%M", "%b %d, %Y, %I:%M %p",
)  # fmt: skip


def _read(path: Path, handed: Handed) -> Iterator[Parsed]:
    zone = find_zone(handed.options.get("timezone", "UTC"))
    if zone is None:
        raise Usage(f"timezone {handed.options['timezone']!r} is no zone that is known")
    mapped = parse_mapping(handed.options.get("audiences", ""))
    try:
        if path.stat().st_size > MOST_BYTES:
            yield Unread(path.name, path.name, f"it is longer than {MOST_BYTES} bytes")
            return
        raw, at = path.read_bytes(), datetime.fromtimestamp(path.stat().st_mtime, UTC)
        found = _tabled(raw, zone) if path.suffix.lower() == ".csv" else _listed(raw)
        seen: set[str] = set()
        for issue in found:
            container = issues.container_of(issue) if not isinstance(issue, Unread) else None
            if container is not None and container not in seen:
                seen.add(container)
                yield from stated(mapped, handed.source, container, format_instant(at))
            yield from (issue,) if isinstance(issue, Unread) else _told(handed.source, issue)
    except (OSError, Malformed) as error:
        yield Unread(path.name, path.name, f"it cannot be read: {error}")


def _told(source: str, issue: Object) -> Iterator[Parsed]:
    yield from issues.issue_told(source, issue)
    yield from issues.states_in(source, issue, {}, whole=True)
    for comment in told.listed(issue, "fields", "comment", "comments"):
        yield from issues.comment_told(source, comment, issue)


def _listed(raw: bytes) -> Iterator[Object | Unread]:
    """A page of a search, a list of issues, or one issue."""
    value = told.read(raw)
    if isinstance(value, dict) and "issues" not in value and "fields" in value:
        value = [value]
    found = value.get("issues") if isinstance(value, dict) else value
    if not isinstance(found, list):
        raise Malformed("there are no issues in it: export what Jira's search answers")
    for number, one in enumerate(found, 1):
        if isinstance(one, dict):
            yield one
        else:
            yield Unread(f"issue {number}", told.written(one), "it is no object")


# Tables


def _tabled(raw: bytes, zone: tzinfo) -> Iterator[Object | Unread]:
    for row in rows(raw):
        issue = _as_issue(row, zone)
        if issue is None:
            said = told.written({name: list(values) for name, values in row.cells.items()})
            yield Unread(f"line {row.number}", said, "it has no issue id, or no date that can be read")
        else:
            yield issue


def _as_issue(row: Row, zone: tzinfo) -> Object | None:
    """The line as the REST interface would have it."""
    id_, updated = row.get("Issue id"), _when(row.get("Updated", "Created"), zone)
    if id_ is None or updated is None:
        return None
    key, done = row.get("Issue key"), row.get("Status Category", "Resolution")
    fields: dict[str, object] = {
        "summary": row.get("Summary"),
        "description": row.get("Description"),
        "updated": updated,
        "created": _when(row.get("Created"), zone),
        "resolutiondate": _when(row.get("Resolved"), zone),
        "project": {"key": row.get("Project key"), "name": row.get("Project name")},
        "status": {
            "name": row.get("Status"),
            "statusCategory": {"key": "done" if (done or "").casefold() == "done" else None},
        },
        "issuetype": {"name": row.get("Issue Type")},
        "priority": {"name": row.get("Priority")},
        "labels": row.every("Labels"),
        "security": {"name": row.get("Security Level")} if row.get("Security Level") else None,
        "reporter": _who(row, "Reporter"),
        "assignee": _who(row, "Assignee"),
        "comment": {"comments": [_comment(id_, said, zone) for said in row.every("Comment")]},
    }
    return {"id": id_, "key": key, "fields": fields}


def _who(row: Row, role: str) -> Mapping[str, object]:
    return {"accountId": row.get(f"{role} Id"), "displayName": row.get(role)}


def _comment(issue: str, said: str, zone: tzinfo) -> Mapping[str, object]:
    """A cell holds when, who and what; it has no id, so that it is called by what it is."""
    when, _, rest = said.partition(";")
    who, semicolon, body = rest.partition(";")
    at = _when(when, zone)
    if at is None or not semicolon:
        return {"body": said}
    print_ = hashlib.sha256(f"{at}\n{who}\n{body}".encode("utf-8", "replace")).hexdigest()[:24]
    return {"id": f"{issue[:60]}/{print_}", "created": at, "author": {"accountId": who}, "body": body}


def _when(said: str | None, zone: tzinfo) -> str | None:
    text = " ".join((said or "").split())
    for form in _DATES:
        try:
            wall = datetime.strptime(text, form)  # noqa: DTZ007  # its zone is the export's
            return format_instant(local_instant(wall.date(), wall.time(), zone)[0])
        except (ValueError, OverflowError):
            continue
    return told.instant({"at": text}, "at")


def _recognises(path: Path) -> bool:
    """A table with Jira's columns, or JSON that begins as a search's answer does."""
    if path.suffix.lower() not in _BEGINNINGS or not path.is_file():
        return False
    with path.open("rb") as file:
        return _BEGINNINGS[path.suffix.lower()](file.read(65536))


def _is_table(start: bytes) -> bool:
    header = start.split(b"\n", 1)[0]
    return b"Issue key" in header and b"Issue id" in header


def _is_search(start: bytes) -> bool:
    return (
        b'"fields"' in start and (b'"issuetype"' in start or b'"customfield_' in start) and b'"key"' in start
    )


_BEGINNINGS: Final[Mapping[str, Callable[[bytes], bool]]] = {".csv": _is_table, ".json": _is_search}

JIRA_EXPORT = FileKind(
    name="jira-export",
    source="jira",
    summary="issues and comments of Jira: what its search answers as JSON, or its table as CSV",
    read=_read,
    recognises=_recognises,
    options=("audiences", "timezone"),
)
