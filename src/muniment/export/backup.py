"""A backup: one organisation's rows as PostgreSQL writes them down, derived ones and vectors among them.

A manifest vouches for them, sealed with the organisation's key: how many rows each table held at that moment,
a digest of them, and where the audit's chain ended.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from psycopg import sql

from muniment.domain.audit import Head, parse_heads
from muniment.domain.errors import Malformed, Usage
from muniment.domain.identity import keyed_digest
from muniment.domain.regex import regex
from muniment.domain.times import parse_instant
from muniment.domain.values import dump
from muniment.export.manifest import proof_of
from muniment.export.tables import LEFT
from muniment.gate import chain
from muniment.gate.binding import looking
from muniment.jobs.loop import Work
from muniment.store.binaries import Binaries
from muniment.store.dumps import way_to, write_dump
from muniment.store.migrate import versions
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["DUMP", "MANIFEST", "Backup", "Counted", "counted", "prepare", "read_backup", "write_backup"]

SQL: Final = load("export")
MANIFEST: Final = "muniment-backup.json"
DUMP: Final = "database.dump"
FORMAT: Final = "muniment-backup"
VERSION: Final = 1
_SEAL: Final = "backup"
_NAME: Final = regex(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Counted:
    """How many rows of a table there are, and a digest of them in whatever order."""

    table: str
    rows: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Backup:
    """What a backup says of itself. `key` is there unless it is kept apart; by `proof` it is known."""

    made_by: str
    tenant: str
    chained_as: str
    created_at: datetime
    taken_at: datetime
    is_key_stored: bool
    schema: Mapping[str, int]
    proof: str
    key: bytes | None
    head: Head
    size: int
    sha256: str
    tables: tuple[Counted, ...]
    seal: str = ""

    @property
    def rows(self) -> int:
        """How many there are."""
        return sum(one.rows for one in self.tables)

    def text(self) -> str:
        """As it is written."""
        return json.dumps(self._content(), indent=1, ensure_ascii=False) + "\n"

    def sealed(self, key: bytes) -> Backup:
        """With a seal that only who has the key can make."""
        bare = replace(self, seal="", key=None)
        return replace(self, seal=keyed_digest(key, _SEAL, bare.text()).hex())

    def _content(self) -> dict[str, object]:
        return {
            "format": FORMAT,
            "version": VERSION,
            "made_by": self.made_by,
            "tenant": self.tenant,
            "chained_as": self.chained_as,
            "created_at": dump(self.created_at),
            "taken_at": dump(self.taken_at),
            "is_key_stored": self.is_key_stored,
            "schema": dict(self.schema),
            "proof": self.proof,
            "key": None if self.key is None else self.key.hex(),
            "head": f"{self.head.number}:{self.head.hash}",
            "bytes": self.size,
            "sha256": self.sha256,
            "tables": [asdict(one) for one in self.tables],
            "seal": self.seal,
        }


def write_backup(work: Work, folder: Path, programs: Binaries, *, with_key: bool) -> Backup:
    """Write the record down as it is at this moment, while others use it; the manifest comes last."""
    file = folder / DUMP
    with looking(work.database, work.tenant) as conn:
        found = _told(conn, work)
        row = conn.execute(SQL["snapshot"], {"tenant": work.tenant}).fetchone()
        if row is None:
            raise LookupError("the database gave no snapshot")
        write_dump(way_to(conn, programs), file, work.tenant, row[0], empty=sorted(LEFT))
    key = work.key if with_key and found.is_key_stored else None
    size, digest = _measured(file)
    done = replace(found, key=key, size=size, sha256=digest).sealed(work.key)
    _publish(folder, done)
    return done


def _told(conn: Connection, work: Work) -> Backup:
    """What there is to be said before the rows are written."""
    row = conn.execute(SQL["began"], {"tenant": work.tenant}).fetchone()
    if row is None:
        raise LookupError(f"no organisation {work.tenant!r} in this database")
    return Backup(
        made_by=f"muniment {version('muniment')}",
        tenant=work.tenant,
        chained_as=row[2],
        created_at=row[0],
        taken_at=work.clock(),
        is_key_stored=row[1] is not None,
        schema=versions(),
        proof=proof_of(work.key),
        key=None,
        head=chain.head(conn, work.tenant),
        size=0,
        sha256="",
        tables=counted(conn, work.tenant),
    )


def counted(conn: Connection, tenant: str) -> tuple[Counted, ...]:
    """Every table that a backup holds, by name."""
    conn.execute(SQL["plain_forms"])
    names = conn.execute(SQL["tables"], {"left": [*LEFT, "schema_version"]}).fetchall()
    return tuple(_counted(conn, tenant, name) for (name,) in names)


def _counted(conn: Connection, tenant: str, table: str) -> Counted:
    query = sql.SQL(SQL["digest"]).format(table=sql.Identifier(table))
    rows, digest = conn.execute(query, {"tenant": tenant}).fetchone() or (0, "")
    return Counted(table, rows, digest)


def prepare(folder: Path) -> None:
    """A folder for a backup. Usage for one that holds anything."""
    if os.path.lexists(folder) and not folder.is_dir():
        raise Usage(f"path {str(folder)!r} is no folder; name a new or empty one")
    if folder.is_dir() and any(folder.iterdir()):
        raise Usage(f"folder {str(folder)!r} is not empty; name a new or empty one for each backup")
    # Whoever may look into it reads everything, whatever the record says of who may.
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)


def read_backup(folder: Path) -> Backup:
    """The manifest in a folder, its dump found whole. Usage where there is none, else Malformed."""
    file = folder / MANIFEST
    if not file.is_file():
        what = "holds no finished backup" if folder.is_dir() else "does not exist"
        raise Usage(f"folder {str(folder)!r} {what}; make one with: muniment backup DIR")
    try:
        said = json.loads(file.read_bytes())
    except ValueError as error:
        raise Malformed(f"{str(file)!r} is cut off or was altered ({error}); use another backup") from None
    if not isinstance(said, dict) or said.get("format") != FORMAT:
        raise Malformed(f"{str(file)!r} is no {FORMAT}; name a folder that muniment backup made")
    if said.get("version") != VERSION:
        raise Malformed(
            f"{str(file)!r} has version {said.get('version')!r}, and this muniment reads {VERSION}: "
            "restore it with the version that made it"
        )
    try:
        found = _backup(said)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Malformed(f"{str(file)!r} was altered: {error!r}; use another backup") from None
    _require_whole(folder / DUMP, found)
    return found


def _backup(said: Mapping[str, Any]) -> Backup:
    (head,) = parse_heads(str(said["head"]))
    tables = tuple(Counted(str(one["table"]), int(one["rows"]), str(one["sha256"])) for one in said["tables"])
    if not all(_NAME.fullmatch(one.table) for one in tables):
        raise ValueError("a table has no name of ours")
    return Backup(
        made_by=str(said["made_by"]),
        tenant=str(said["tenant"]),
        chained_as=str(said["chained_as"]),
        created_at=parse_instant(said["created_at"]),
        taken_at=parse_instant(said["taken_at"]),
        is_key_stored=bool(said["is_key_stored"]),
        schema={str(part): int(number) for part, number in said["schema"].items()},
        proof=str(said["proof"]),
        key=None if said["key"] is None else bytes.fromhex(said["key"]),
        head=head,
        size=int(said["bytes"]),
        sha256=str(said["sha256"]),
        tables=tables,
        seal=str(said["seal"]),
    )


def _require_whole(file: Path, backup: Backup) -> None:
    if not file.is_file():
        raise Malformed(f"{str(file)!r} is missing: copy the backup anew, or use another")
    size, digest = _measured(file)
    if size < backup.size:
        raise Malformed(f"{str(file)!r} is cut off: copy the backup anew, or use another")
    if digest != backup.sha256:
        raise Malformed(f"{str(file)!r} was altered: copy the backup anew, or use another")


def _measured(file: Path) -> tuple[int, str]:
    with file.open("rb") as opened:
        digest = hashlib.file_digest(opened, "sha256").hexdigest()
        return opened.tell(), digest


def _publish(folder: Path, done: Backup) -> None:
    """Let the folder be a backup: before the manifest is there whole, it is none."""
    partial = folder / f".{MANIFEST}.partial"
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(done.text())
        file.flush()
        os.fsync(file.fileno())
    partial.replace(folder / MANIFEST)
