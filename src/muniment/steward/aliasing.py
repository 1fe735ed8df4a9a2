"""The organisation's alias file: set whole, kept entry by entry, each with its time and its audience.

A steward replaces what they may know of. What others keep among themselves stays as it is, and is not shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from muniment.claims.alias_file import Entry, read_aliases
from muniment.domain.entities import AliasEntry
from muniment.domain.errors import Malformed
from muniment.domain.identity import keyed_uuid
from muniment.domain.times import format_instant
from muniment.events.erased import blanks_of
from muniment.gate import policy
from muniment.gate.audiences import audience_ids, get_audience
from muniment.steward.desk import Desk
from muniment.store.pool import Connection
from muniment.store.queries import load
from muniment.store.rows import Row, as_json

__all__ = ["aliases", "set_aliases"]

SQL = load("alias")
Said = tuple[str, str | None, tuple[str, ...], int]


@dataclass(frozen=True, slots=True)
class _Kept:
    entry: UUID
    means: str
    kind: str | None
    names: Sequence[str]
    audience: int
    since: datetime
    set_by: str

    @property
    def said(self) -> Said:
        """What it says, whoever said it when."""
        return self.means, self.kind, tuple(self.names), self.audience


def aliases(desk: Desk) -> list[AliasEntry]:
    """The entries in force that this steward may know of, in the file's order."""
    kept = _kept(desk)
    with desk.writing() as conn:
        return [_told(conn, desk, one) for one in kept]


def set_aliases(desk: Desk, content: str) -> list[AliasEntry]:
    """Let these entries hold in place of those this steward may know of."""
    entries = read_aliases(content)
    kept = _kept(desk)
    with desk.writing() as conn:
        conn.execute(SQL["hold"], {"tenant": desk.tenant})
        _refuse_erased(conn, desk, entries)
        _refuse_unreadable(conn, desk, entries)
        changed = _replace(conn, desk, entries, kept)
        desk.record(conn, "aliases set", "aliases", {"entries": len(entries), "changed": changed})
    return aliases(desk)


def _kept(desk: Desk) -> list[_Kept]:
    with desk.reading() as reader:
        return reader.rows(_Kept, "alias", "entries")


def _replace(conn: Connection, desk: Desk, entries: Sequence[Entry], kept: Sequence[_Kept]) -> int:
    """Close what is no longer said and say what is new; how many entries that were."""
    numbers = audience_ids(conn, desk.tenant, {one.audience for one in entries})
    wanted = {_said(one, numbers[one.audience]): at for at, one in enumerate(entries)}
    standing = {one.said: one.entry for one in kept}
    gone = [entry for said, entry in standing.items() if said not in wanted]
    values = {"tenant": desk.tenant, "by": desk.principal, "now": desk.now}
    conn.execute(SQL["close"], {**values, "entries": gone})
    places = [{"entry": standing[said], "position": at} for said, at in wanted.items() if said in standing]
    conn.execute(SQL["place"], {**values, "rows": as_json(places)})
    new = [(said, at) for said, at in wanted.items() if said not in standing]
    rows = [row for said, at in new for row in _rows(desk, entries[at], said, at)]
    conn.execute(SQL["say"], {**values, "rows": as_json(rows)})
    return len(gone) + len(new)


def _said(entry: Entry, audience: int) -> Said:
    return entry.means, entry.kind, entry.names, audience


def _rows(desk: Desk, entry: Entry, said: Said, position: int) -> list[Row]:
    parts: tuple[str | bytes, ...] = (entry.means, entry.kind or "", entry.audience.digest(), *entry.names)
    id_ = keyed_uuid(desk.work.key, "alias", format_instant(desk.now), *parts)
    plain = {"means": entry.means, "kind": entry.kind, "names": list(entry.names), "audience": said[3]}
    return [{**plain, "entry": id_, "name": name, "position": position} for name in entry.called]


def _refuse_erased(conn: Connection, desk: Desk, entries: Sequence[Entry]) -> None:
    blanks = blanks_of(conn, desk.tenant, desk.work.key)
    for entry in entries:
        if any(blanks.text(one) != one for one in (entry.means, *entry.names)):
            raise Malformed(
                f"line {entry.line}: it has words that were erased from this record; leave them out"
            )


def _refuse_unreadable(conn: Connection, desk: Desk, entries: Sequence[Entry]) -> None:
    """Nobody sets what they could neither see nor take back."""
    subjects = policy.permitted(conn, desk.tenant, desk.principal, desk.now).subjects
    for entry in entries:
        if not entry.audience.admits(subjects):
            raise Malformed(
                f"line {entry.line}: {desk.principal!r} is not in the audience of {entry.means!r}, and "
                f"could not take it back; let a steward who is set it, or widen the audience"
            )


def _told(conn: Connection, desk: Desk, one: _Kept) -> AliasEntry:
    clauses = get_audience(conn, desk.tenant, one.audience).as_lists()
    audience = tuple(tuple(clause) for clause in clauses)
    return AliasEntry(one.means, one.kind, tuple(one.names), audience, one.since, one.set_by)
