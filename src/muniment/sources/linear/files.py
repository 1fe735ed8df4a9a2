"""Linear's exports: issues as its GraphQL interface gives them, in JSON, or its table, in CSV."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from muniment.domain.errors import Malformed
from muniment.domain.regex import regex
from muniment.domain.times import format_instant
from muniment.sources.filekind import FileKind, Handed
from muniment.sources.linear import issues
from muniment.sources.parsed import Parsed, Unread
from muniment.sources.wire import told
from muniment.sources.wire.mapping import Mapped, parse_mapping, stated
from muniment.sources.wire.table import Row, rows
from muniment.sources.wire.told import Object

__all__ = ["LINEAR_EXPORT"]

MOST_BYTES: Final = 512 * 1024 * 1024
# As a browser prints a date: Mon Jun 01 2026 10:00:00 GMT+0200 (Central European Summer Time).
_PRINTED: Final = regex(r"[A-Za-z]{3} ([A-Za-z]{3} \d{2} \d{4} \d{2}:\d{2}:\d{2}) GMT([+-]\d{4})", re.ASCII)


def _read(path: Path, handed: Handed) -> Iterator[Parsed]:
    mapped = parse_mapping(handed.options.get("audiences", ""))
    try:
        if path.stat().st_size > MOST_BYTES:
            yield Unread(path.name, path.name, f"it is longer than {MOST_BYTES} bytes")
            return
        raw, at = path.read_bytes(), datetime.fromtimestamp(path.stat().st_mtime, UTC)
        found = _tabled(raw) if path.suffix.lower() == ".csv" else _listed(raw)
        yield from _told(handed.source, found, mapped, format_instant(at))
    except (OSError, Malformed) as error:
        yield Unread(path.name, path.name, f"it cannot be read: {error}")


def _told(source: str, found: Iterator[Object | Unread], mapped: Mapped, at: str) -> Iterator[Parsed]:
    seen: set[str] = set()
    for issue in found:
        if isinstance(issue, Unread):
            yield issue
            continue
        team = issues.team_of(issue)
        if team is not None and team not in seen:
            seen.add(team)
            yield from stated(mapped, source, team, at)
        yield from issues.issue_told(source, issue)
        yield from issues.states_in(source, issue, {}, whole=True)
        for comment in told.listed(issue, "comments", "nodes") or told.listed(issue, "comments"):
            yield from issues.comment_told(source, {"issue": issue, "issueId": issue.get("id"), **comment})


def _listed(raw: bytes) -> Iterator[Object | Unread]:
    value = told.read(raw)
    if isinstance(value, dict):
        value = told.part(value, "data").get("issues") or value.get("issues")
    found = value.get("nodes") if isinstance(value, dict) else value
    if not isinstance(found, list):
        raise Malformed("there are no issues in it: export what the query of issues answers")
    for number, one in enumerate(found, 1):
        if isinstance(one, dict):
            yield one
        else:
            yield Unread(f"issue {number}", told.written(one), "it is no object")


def _tabled(raw: bytes) -> Iterator[Object | Unread]:
    for row in rows(raw):
        issue = _as_issue(row)
        if issue is None:
            said = told.written({name: list(values) for name, values in row.cells.items()})
            yield Unread(f"line {row.number}", said, "it has no ID, or no date that can be read")
        else:
            yield issue


def _as_issue(row: Row) -> Object | None:
    """The line as the GraphQL interface would have it; people stand in it by name or address, not by id."""
    identifier, updated = row.get("ID"), _when(row.get("Updated", "Created"))
    if identifier is None or updated is None:
        return None
    labels = [name for cell in row.every("Labels") for name in cell.split(",")]
    ended = {"completedAt": _when(row.get("Completed")), "canceledAt": _when(row.get("Canceled"))}
    return {
        "id": row.get("UUID") or identifier,
        "identifier": identifier,
        "title": row.get("Title"),
        "description": row.get("Description"),
        "createdAt": _when(row.get("Created")),
        "updatedAt": updated,
        **ended,
        "state": {"name": row.get("Status")},
        "team": {"name": row.get("Team"), "key": identifier.rpartition("-")[0]},
        "project": {"name": row.get("Project")},
        "creator": {"id": row.get("Creator")},
        "assignee": {"id": row.get("Assignee")},
        "priorityLabel": row.get("Priority"),
        "dueDate": row.get("Due Date"),
        "labels": [{"name": name.strip()} for name in labels],
    }


def _when(said: str | None) -> str | None:
    match = _PRINTED.match(said or "")
    if match is None:
        return told.instant({"at": said}, "at")
    try:
        return format_instant(datetime.strptime(f"{match[1]} {match[2]}", "%b %d %Y %H:%M:%S %z"))
    except (ValueError, OverflowError):
        return None


def _recognises(path: Path) -> bool:
    """A table with Linear's columns."""
    if path.suffix.lower() != ".csv" or not path.is_file():
        return False
    with path.open("rb") as file:
        header = file.read(4096).split(b"\n", 1)[0].replace(b'"', b"").split(b",")
    return {b"ID", b"Team", b"Title", b"Cycle Name"} <= {name.strip() for name in header}


LINEAR_EXPORT = FileKind(
    name="linear-export",
    source="linear",
    summary="issues and comments of Linear: what its query of issues answers as JSON, or its table as CSV",
    read=_read,
    recognises=_recognises,
    options=("audiences",),
)
