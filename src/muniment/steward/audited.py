"""The audit as stewards may see it: who did what when, whether it is whole, and the head to publish."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final, TypeAlias

from muniment.domain.audit import AuditEntry, AuditReport, Head, parse_heads
from muniment.domain.errors import Usage
from muniment.domain.times import parse_day_or_instant
from muniment.domain.values import Json, dump
from muniment.gate import chain, policy
from muniment.steward.desk import Desk
from muniment.store.queries import load

__all__ = ["Heads", "Sought", "entries", "head", "verify"]

SQL: Final = load("chain")
Heads: TypeAlias = Head | str | Path | None
_MOST: Final = 1_000_000  # entries shown at once
# What of an entry's content is ids, times and counts. Anything else may hold words of what was read.
_SHOWN: Final = frozenset(
    "accepted agent as_of at citations dropped duplicate entries events hearers items keep known_at op "
    "quarantined read replica rights role since sources token transaction watermark".split()
)


@dataclass(frozen=True, slots=True)
class Sought:
    """Which entries are meant; None is any."""

    by: str | None = None
    object: str | None = None
    action: str | None = None
    since: datetime | str | None = None


def entries(desk: Desk, sought: Sought, limit: int) -> list[AuditEntry]:
    """The newest entries that match; to have looked is an act too."""
    if not 1 <= limit <= _MOST:
        raise Usage(f"limit {limit} is out of range: give 1 to {_MOST}")
    wanted = {"object": sought.object, "action": sought.action, "since": _instant(sought.since)}
    with desk.writing() as conn:
        by = sought.by and (policy.find_principal(conn, desk.tenant, sought.by) or sought.by)
        values = {**wanted, "by": by, "tenant": desk.tenant, "limit": limit}
        rows = conn.execute(SQL["entries"], values).fetchall()
        desk.record(conn, "audit show", "audit", {})
    return [_entry(row) for row in rows]


def head(desk: Desk) -> Head:
    """Where the chain ends once all that waits is sealed."""
    with desk.writing() as conn:
        chain.seal(conn, desk.tenant, desk.now)
        return chain.head(conn, desk.tenant)


def verify(desk: Desk, published: Heads) -> AuditReport:
    """The whole chain once all that waits is sealed, and whether published heads are in it."""
    heads = _heads(published)
    with desk.writing() as conn:
        chain.seal(conn, desk.tenant, desk.now)
    with chain.at_once(desk.work.database, desk.tenant) as conn:
        return chain.verify(conn, desk.tenant, heads)


def _entry(row: tuple[Any, ...]) -> AuditEntry:
    entry, number, at, principal, action, target, content, erased, sealed_at = row
    return AuditEntry(entry, number, at, principal, action, target, _shown(content), erased, sealed_at)


def _shown(content: object) -> dict[str, Json]:
    if not isinstance(content, Mapping):
        return {}
    return {name: dump(content[name]) for name in sorted(_SHOWN & content.keys())}


def _instant(said: datetime | str | None) -> datetime | None:
    if not isinstance(said, str):
        return said
    try:
        return parse_day_or_instant(said)
    except ValueError as error:
        raise Usage(f"since: {error}") from None


def _heads(published: Heads) -> list[Head]:
    """A head, its line, or the file in which such lines were kept."""
    match published:
        case None:
            return []
        case Head():
            return [published]
    kept = False
    try:
        kept = Path(published).is_file()
        heads = parse_heads(Path(published).read_text(encoding="utf-8") if kept else str(published))
    except (ValueError, OSError) as error:
        raise Usage(f"head: {f'file {str(published)!r}, ' if kept else ''}{error}") from None
    if not heads:
        raise Usage("head: nothing is published there; write NUMBER:HASH, as muniment audit head prints it")
    return heads
