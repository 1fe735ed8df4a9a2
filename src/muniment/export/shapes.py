"""What the tables of a record are made of in this database, for statements that are about any of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from psycopg import sql

from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["Shape", "about", "shape_of"]

SQL: Final = load("export")


@dataclass(frozen=True, slots=True)
class Shape:
    """A table's columns besides tenant, those of its key, those that sort as text, and its numbered one."""

    table: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    texts: frozenset[str]
    numbered: str | None


def shape_of(conn: Connection, table: str) -> Shape:
    """As the catalogue has it."""
    row = conn.execute(SQL["shape"], {"table": table}).fetchone()
    if row is None:
        raise LookupError(f"no table {table!r} in this database")
    columns, key, texts, numbered = row
    return Shape(table, tuple(columns), tuple(key), frozenset(texts), numbered)


def about(query: str, shape: Shape) -> sql.Composed:
    """A statement of ours with the table's own names in it, sorted alike whatever the database's language."""
    bytewise = {name: sql.SQL(' collate "C"') for name in shape.texts}
    parts = [sql.SQL("t.") + sql.Identifier(name) + bytewise.get(name, sql.SQL("")) for name in shape.key]
    return sql.SQL(SQL[query]).format(
        table=sql.Identifier(shape.table),
        columns=sql.SQL(", ").join(sql.Identifier(name) for name in shape.columns),
        column=sql.Identifier(shape.numbered or "tenant"),
        key=sql.SQL(", ").join(parts),
    )
