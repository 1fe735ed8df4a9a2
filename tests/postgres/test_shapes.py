"""Rows of a statement as values: columns go to fields by their names, in whatever order they come."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from muniment.store.pool import Database
from muniment.store.shapes import shaped


@dataclass(frozen=True, slots=True)
class Pair:
    left: int
    right: int = 7


@pytest.mark.parametrize(
    ("statement", "made"),
    [
        ("select 1 as left, 2 as right", Pair(1, 2)),
        ("select 2 as right, 1 as left", Pair(1, 2)),
        ("select 1 as left", Pair(1)),
    ],
)
def test_columns_go_to_the_fields_of_their_names(db: Database, statement: str, made: Pair) -> None:
    with db.session() as conn, conn.cursor(row_factory=shaped(Pair)) as cursor:
        found = cursor.execute(statement.encode()).fetchall()

    assert found == [made]


@pytest.mark.parametrize("statement", ["select 1 as left, 2 as wrong", "select 2 as right"])
def test_a_column_without_a_field_and_a_field_without_a_value_are_errors(
    db: Database, statement: str
) -> None:
    with db.session() as conn, conn.cursor(row_factory=shaped(Pair)) as cursor, pytest.raises(TypeError):
        cursor.execute(statement.encode()).fetchall()
