"""Taking the whole record out, and bringing one into an organisation that holds nothing yet."""

from __future__ import annotations

from pathlib import Path

from muniment.domain.exports import ExportedRecord
from muniment.export import record
from muniment.export.record import Progress
from muniment.export.restore import Done, restore
from muniment.steward.desk import Desk

__all__ = ["bring_in", "export_record"]


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
