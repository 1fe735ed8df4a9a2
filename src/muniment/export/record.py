"""A whole record as files: what the tables held at one moment, and a manifest that vouches for it.

A file is named by what it holds and is there before the manifest names it, so that a crash leaves the record
that was there before, and never half of another.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Final

from muniment.domain.errors import Usage
from muniment.domain.exports import ExportedRecord
from muniment.domain.regex import regex
from muniment.export.manifest import MANIFEST, Block, Manifest, Table, proof_of, read_manifest, sealed
from muniment.export.shapes import about, shape_of
from muniment.export.tables import CANONICAL
from muniment.gate.chain import at_once
from muniment.jobs.loop import Work
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["Progress", "counted", "prepare", "publish", "sweep", "write_record"]

Progress = Callable[[int], None]
SQL: Final = load("export")
_ROWS: Final = 500  # of a block, and
_BYTES: Final = 4 * 1024 * 1024  # about how much of it at most is at hand at once
_OURS: Final = regex(r"[a-z_]+-[0-9a-f]{16}\.jsonl|\.[a-z_.-]+\.partial")
_SPECIAL: Final = {"stream": "rows_of_stream"}


@dataclass(slots=True)
class _Done:
    """Rows so far, told to whoever watches."""

    tell: Progress
    rows: int = 0

    def more(self, rows: int) -> None:
        self.rows += rows
        self.tell(self.rows)


def write_record(work: Work, folder: Path, progress: Progress, *, with_key: bool) -> Manifest:
    """Write what every canonical table holds at one moment; nothing counts before `publish`."""
    done = _Done(progress)
    with at_once(work.database, work.tenant) as conn:
        conn.execute(SQL["plain_forms"])
        row = conn.execute(SQL["began"], {"tenant": work.tenant}).fetchone()
        if row is None:
            raise LookupError(f"no organisation {work.tenant!r} in this database")
        tables = tuple(_written(conn, work.tenant, folder, table, done) for table in CANONICAL)
    manifest = Manifest(
        made_by=f"muniment {version('muniment')}",
        tenant=work.tenant,
        chained_as=row[2],
        created_at=row[0],
        exported_at=work.clock(),
        proof=proof_of(work.key),
        key=work.key if with_key else None,
        tables=tables,
    )
    return sealed(manifest, work.key)


def publish(folder: Path, manifest: Manifest) -> None:
    """Let the folder hold this record and no other."""
    partial = folder / f".{MANIFEST}.partial"
    with _opened(partial) as descriptor:
        os.write(descriptor, manifest.text().encode())
        os.fsync(descriptor)
    partial.replace(folder / MANIFEST)


def sweep(folder: Path) -> None:
    """Take away what the manifest in place does not name: an earlier record, or one that was not finished."""
    held = {one.file for one in read_manifest(folder).tables} if (folder / MANIFEST).is_file() else set()
    for file in folder.iterdir():
        if _OURS.fullmatch(file.name) and file.name not in held:
            file.unlink()


def counted(folder: Path, manifest: Manifest) -> ExportedRecord:
    """How much it is."""
    return ExportedRecord(
        folder=str(folder),
        tables=len(manifest.tables),
        rows=sum(one.rows for one in manifest.tables),
        bytes=sum(one.bytes for one in manifest.tables),
        with_key=manifest.key is not None,
    )


def prepare(folder: Path) -> None:
    """A folder for a record. Usage for one that holds something else."""
    if os.path.lexists(folder) and not folder.is_dir():
        raise Usage(f"path {str(folder)!r} is no folder; name a new or empty one")
    names = {one.name for one in folder.iterdir()} if folder.is_dir() else set()
    foreign = sorted(name for name in names if name != MANIFEST and not _OURS.fullmatch(name))
    if foreign:
        raise Usage(
            f"folder {str(folder)!r} holds something else ({foreign[0]!r}); name a new or empty one, "
            "or that of an earlier export of the record"
        )
    # Whoever may look into it reads everything, whatever the record says of who may.
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)


def _written(conn: Connection, tenant: str, folder: Path, table: str, done: _Done) -> Table:
    shape = shape_of(conn, table)
    whole = hashlib.sha256()
    partial = folder / f".{table}.partial"
    blocks = []
    with _opened(partial) as descriptor, conn.cursor(name="record") as cursor:
        cursor.itersize = _ROWS
        cursor.execute(about(_SPECIAL.get(table, "rows"), shape), {"tenant": tenant})
        for rows, text in _blocks(line for (line,) in cursor):
            _write_all(descriptor, text)
            whole.update(text)
            blocks.append(Block(rows, len(text), hashlib.sha256(text).hexdigest()))
            done.more(rows)
        os.fsync(descriptor)
    file = f"{table}-{whole.hexdigest()[:16]}.jsonl"
    partial.replace(folder / file)
    return Table(table, file, shape.columns, tuple(blocks))


def _blocks(lines: Iterable[str]) -> Iterator[tuple[int, bytes]]:
    """The lines, so many together as are checked and restored at once."""
    kept: list[bytes] = []
    size = 0
    for line in lines:
        kept.append(line.encode() + b"\n")
        size += len(kept[-1])
        if len(kept) >= _ROWS or size >= _BYTES:
            yield len(kept), b"".join(kept)
            kept, size = [], 0
    if kept:
        yield len(kept), b"".join(kept)


def _write_all(descriptor: int, text: bytes) -> None:
    left = memoryview(text)
    while left:
        left = left[os.write(descriptor, left) :]


@contextmanager
def _opened(file: Path) -> Generator[int]:
    """A file that nobody else may read."""
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
