"""Backups that are not what they were: each way, the error it is refused with, and what that says."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from muniment.domain.errors import Malformed, MunimentError, Usage
from muniment.export import backup as backups
from muniment.export.backup import DUMP, MANIFEST, Counted, read_backup
from tests.worlds import KEY

__all__ = ["BAD"]


def no_manifest(backup: Path) -> None:
    (backup / MANIFEST).unlink()


def half_a_manifest(backup: Path) -> None:
    text = (backup / MANIFEST).read_bytes()
    (backup / MANIFEST).write_bytes(text[: len(text) // 2])


def another_moment(backup: Path) -> None:
    _change(backup, taken_at="2020-01-01T00:00:00Z")


def another_format(backup: Path) -> None:
    _change(backup, format="diary")


def a_later_version(backup: Path) -> None:
    _change(backup, version=2)


def a_later_schema(backup: Path) -> None:
    _reseal(backup, schema={"core": 9999})


def no_dump(backup: Path) -> None:
    (backup / DUMP).unlink()


def a_cut_dump(backup: Path) -> None:
    text = (backup / DUMP).read_bytes()
    (backup / DUMP).write_bytes(text[:-100])


def an_altered_dump(backup: Path) -> None:
    text = bytearray((backup / DUMP).read_bytes())
    text[len(text) // 2] ^= 1
    (backup / DUMP).write_bytes(text)


def a_broken_dump_that_is_vouched_for(backup: Path) -> None:
    a_cut_dump(backup)
    size, digest = backups._measured(backup / DUMP)
    _reseal(backup, size=size, sha256=digest)


def other_counts(backup: Path) -> None:
    first, *rest = read_backup(backup).tables
    _reseal(backup, tables=(Counted(first.table, first.rows + 1, first.sha256), *rest))


def other_rows(backup: Path) -> None:
    tables = read_backup(backup).tables
    _reseal(backup, tables=tuple(replace(one, sha256="0" * 64) if one.rows else one for one in tables))


def another_audit(backup: Path) -> None:
    _reseal(backup, head=replace(read_backup(backup).head, hash="0" * 64))


def _change(backup: Path, **values: object) -> None:
    manifest = json.loads((backup / MANIFEST).read_bytes())
    (backup / MANIFEST).write_text(json.dumps({**manifest, **values}))


def _reseal(backup: Path, **values: object) -> None:
    said = json.loads((backup / MANIFEST).read_bytes())
    changed = replace(backups._backup(said), **values).sealed(KEY)  # type: ignore[arg-type]
    (backup / MANIFEST).write_text(changed.text())


BAD = (
    (no_manifest, Usage, "holds no finished backup"),
    (half_a_manifest, Malformed, "cut off or was altered"),
    (another_moment, Malformed, "was altered after it was made"),
    (another_format, Malformed, "is no muniment-backup"),
    (a_later_version, Malformed, "has version 2, and this muniment reads 1"),
    (a_later_schema, Malformed, "has version 9999 of the core schema"),
    (no_dump, Malformed, "database.dump.* is missing"),
    (a_cut_dump, Malformed, "database.dump.* is cut off"),
    (an_altered_dump, Malformed, "database.dump.* was altered"),
    (a_broken_dump_that_is_vouched_for, MunimentError, "cannot be read|did not take"),
    (other_counts, Malformed, "has 0 rows, and not the 1 of the backup"),
    (other_rows, Malformed, "rows, and not the"),
    (another_audit, Malformed, "the audit in the backup is not whole"),
)
