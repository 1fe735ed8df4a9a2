"""An exported record brought into an organisation that holds nothing yet: all of it, or nothing.

One transaction. Every block is checked before a row of it is written, and derived rows are made anew, so that
none is taken on trust.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, Final, LiteralString

import psycopg
from psycopg import sql

from muniment.domain.errors import Malformed, Usage
from muniment.export.manifest import MANIFEST, Block, Manifest, Table, proof_of, read_manifest, sealed
from muniment.export.record import Progress
from muniment.export.shapes import Shape, about, shape_of
from muniment.export.tables import BEGUN_WITH, CANONICAL
from muniment.jobs.loop import Work
from muniment.jobs.rebuild import rebuild_in
from muniment.jobs.turns import compile_alone
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["Done", "restore"]

SQL: Final = load("export")
CHAIN: Final = load("chain")


@dataclass(frozen=True, slots=True)
class Done:
    """What was restored: rows, keys compiled anew, the key it goes by from now on, and who runs it."""

    rows: int
    keys: int
    key: bytes
    stewards: tuple[str, ...]


def restore(conn: Connection, work: Work, folder: Path, progress: Progress) -> Done:
    """Restore a folder's record, in the caller's transaction."""
    manifest = read_manifest(folder)
    stored = _stored_key(conn, work.tenant)
    key = _own_key(manifest, work.key, stored)
    if sealed(manifest, key).seal != manifest.seal:
        raise Malformed(f"{str(folder / MANIFEST)!r} was altered after it was made; export the record again")
    shapes = _shapes(conn, manifest, folder)
    compile_alone(conn, work.tenant)
    conn.execute(CHAIN["hold_chain"], {"tenant": work.tenant})
    _refuse_full(conn, work.tenant, shapes)
    _clear(conn, work.tenant, shapes)
    rows = 0
    for table in manifest.tables:
        for block in _checked(folder, table):
            _insert(conn, work.tenant, shapes[table.table], folder / table.file, block)
            rows += block.count(b"\n")
            progress(rows)
    values = {"tenant": work.tenant, "created_at": manifest.created_at, "chained_as": manifest.chained_as}
    own = {"key": None if stored is None else key, "proof": manifest.proof}
    conn.execute(SQL["restore_org"], values | own)
    for shape in shapes.values():
        _count_past(conn, work.tenant, shape)
    keys = rebuild_in(conn, replace(work, key=key))
    stewards = conn.execute(SQL["stewards"], {"tenant": work.tenant}).fetchall()
    return Done(rows, keys, key, tuple(name for (name,) in stewards))


def _stored_key(conn: Connection, tenant: str) -> bytes | None:
    row = conn.execute(SQL["began"], {"tenant": tenant}).fetchone()
    return None if row is None or row[1] is None else bytes(row[1])


def _own_key(manifest: Manifest, given: bytes, stored: bytes | None) -> bytes:
    """The key the record was made with: the one given, or the one it brings where none was given."""
    if proof_of(given) == manifest.proof:
        return given
    is_our_own = stored is not None and stored == given
    if manifest.key is not None and is_our_own and proof_of(manifest.key) == manifest.proof:
        return manifest.key
    if manifest.key is not None and not is_our_own:
        raise Usage("MUNIMENT_KEY is another key than the one this record brings; unset it, and import again")
    raise Usage(
        "this record was made with another key; set MUNIMENT_KEY to that of the organisation it came from, "
        "or export it with --with-key"
    )


def _shapes(conn: Connection, manifest: Manifest, folder: Path) -> dict[str, Shape]:
    """The tables as they are here. Malformed where the record has others."""
    where = str(folder / MANIFEST)
    held = tuple(one.table for one in manifest.tables)
    if held != CANONICAL:
        other = sorted({*held} ^ {*CANONICAL}) or ["their order"]
        raise Malformed(f"{where!r} has other tables ({', '.join(other)}): import it with {manifest.made_by}")
    shapes = {table: shape_of(conn, table) for table in held}
    for one in manifest.tables:
        if one.columns != shapes[one.table].columns:
            what = f"other columns of {one.table!r}"
            raise Malformed(f"{where!r} has {what}: import it with {manifest.made_by}")
    return shapes


def _refuse_full(conn: Connection, tenant: str, shapes: dict[str, Shape]) -> None:
    full = [
        table
        for table, shape in shapes.items()
        if table not in BEGUN_WITH and _is(conn, tenant, about("holds", shape))
    ]
    if full or _is(conn, tenant, SQL["acted"]):
        raise Usage(
            f"this organisation is not empty (it has {full[0] if full else 'acts in its audit'}); "
            "import into a new one: muniment init DIR"
        )


def _is(conn: Connection, tenant: str, query: LiteralString | sql.Composed) -> bool:
    return conn.execute(query, {"tenant": tenant}).fetchone() == (True,)


def _clear(conn: Connection, tenant: str, shapes: dict[str, Shape]) -> None:
    """Take away what the making of the organisation wrote."""
    conn.execute(SQL["forget_beginning"], {"tenant": tenant})
    for table in BEGUN_WITH - {"audit", "audit_seal"}:
        conn.execute(about("drop", shapes[table]), {"tenant": tenant})


def _checked(folder: Path, table: Table) -> Iterator[bytes]:
    """The lines of a table's file, block by block, each as long and as it was when it was written."""
    file = folder / table.file
    if not file.is_file():
        raise Malformed(f"{str(file)!r} is missing, with {table.rows:,} rows of {table.table!r}")
    with file.open("rb") as opened:
        line = 0
        for block in table.blocks:
            yield _block(opened, block, f"{str(file)!r}", line)
            line += block.rows
        if opened.read(1):
            raise Malformed(f"{str(file)!r} goes on after line {line:,}, where the record ends")


def _block(opened: BinaryIO, block: Block, file: str, line: int) -> bytes:
    text = opened.read(block.bytes)
    if len(text) < block.bytes:
        found = line + text.count(b"\n")
        raise Malformed(f"{file} is cut off after line {found:,}; copy it anew, or export the record again")
    if hashlib.sha256(text).hexdigest() != block.sha256 or text.count(b"\n") != block.rows:
        raise Malformed(f"{file} was altered between line {line + 1:,} and {line + block.rows:,}")
    return text


def _insert(conn: Connection, tenant: str, shape: Shape, file: Path, block: bytes) -> None:
    rows = b"[" + block.rstrip(b"\n").replace(b"\n", b",") + b"]"
    try:
        conn.execute(about("restore", shape), {"tenant": tenant, "rows": rows.decode()})
    except (psycopg.DataError, psycopg.IntegrityError) as error:
        raise Malformed(f"{str(file)!r} holds a row that cannot be: {error.diag.message_primary}") from error


def _count_past(conn: Connection, tenant: str, shape: Shape) -> None:
    """Let numbers go on after those that were restored."""
    if shape.numbered is None:
        return
    values = {"tenant": tenant, "table": f"muniment.{shape.table}", "column": shape.numbered}
    highest = conn.execute(about("highest", shape), values).fetchone() or (None,)
    following = conn.execute(SQL["next_number"], values).fetchone() or (0,)
    if highest[0] is not None and following[0] <= highest[0]:
        conn.execute(SQL["count_past"], {**values, "next": following[0], "highest": highest[0]})
