"""Taking the whole record out, backing it up, and bringing one into an organisation with nothing in it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from muniment.domain.exports import BackedUp, ExportedRecord
from muniment.export import backup, record
from muniment.export.record import Progress
from muniment.export.restore import Done, restore
from muniment.gate import chain
from muniment.steward.desk import Desk
from muniment.store.binaries import find

__all__ = ["back_up", "bring_in", "export_record"]


def export_record(desk: Desk, folder: Path, progress: Progress, *, with_key: bool) -> ExportedRecord:
    """Write the record into a folder; in the audit before the folder holds it."""
    with desk.writing():
        pass  # whoever is no steward learns nothing of the folder either
    record.prepare(folder)
    try:
        manifest = record.write_record(desk.work, folder, progress, with_key=with_key)
        done = record.counted(folder, manifest)
        with desk.writing() as conn:
            desk.record(conn, "export", "record", {"rows": done.rows, "with_key": with_key})
        record.publish(folder, manifest)
    finally:
        record.sweep(folder)
    return done


def bring_in(desk: Desk, folder: Path, progress: Progress) -> Done:
    """Restore a folder's record, and note in its own audit who did."""
    with desk.writing() as conn:
        done = restore(conn, desk.work, folder, progress)
        desk.record(conn, "restore", "record", {"rows": done.rows})
        return done


def back_up(desk: Desk, folder: Path, *, programs: Path | None, key_file: Path | None) -> BackedUp:
    """Write a backup into a folder of its own; its own act is in it, and its audit sealed up to there.

    With `key_file` the key goes there, and the backup alone opens nothing. A key of yours goes nowhere.
    """
    with desk.writing():
        pass  # whoever is no steward learns nothing of the folder either
    found = find(programs)
    backup.prepare(folder)
    if key_file is not None:
        _keep(key_file, desk.work.key)
    with desk.writing() as conn:
        desk.record(conn, "backup", "record", {"with_key": key_file is None})
        chain.seal(conn, desk.tenant, desk.now)
    done = backup.write_backup(desk.work, folder, found, with_key=key_file is None)
    return BackedUp(
        folder=str(folder),
        tables=len(done.tables),
        rows=done.rows,
        bytes=done.size,
        key=_whose(done, key_file),
        head=done.head.line(),
        taken_at=done.taken_at,
    )


def _whose(done: backup.Backup, key_file: Path | None) -> Literal["within", "apart", "yours"]:
    if key_file is not None:
        return "apart"
    return "yours" if done.key is None else "within"


def _keep(file: Path, key: bytes) -> None:
    """A new file that nobody else may read; one that is there may be the key of something else."""
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as opened:
        opened.write(key.hex() + "\n")
        opened.flush()
        os.fsync(opened.fileno())
