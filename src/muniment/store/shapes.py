"""Rows as values: each column goes to the field of its name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import cache
from operator import itemgetter
from typing import Any, TypeVar

from psycopg import Cursor
from psycopg.rows import RowFactory, RowMaker, no_result

__all__ = ["shaped"]

T = TypeVar("T")


def shaped(shape: type[T]) -> RowFactory[T]:
    """A row factory for a dataclass.

    Which column is which field is settled once a statement rather than once a row: a read meets hundreds.
    """

    def factory(cursor: Cursor[Any]) -> RowMaker[T]:
        described = cursor.description
        if described is None:
            return no_result
        names = tuple(column.name for column in described)
        made: Callable[[Sequence[Any]], T] = _made(shape, names)  # type: ignore[arg-type]  # a class has a hash
        return made

    return factory


@cache
def _made(shape: type[Any], columns: tuple[str, ...]) -> Callable[[Sequence[Any]], Any]:
    """One value of the columns' values; what is not among them keeps its default."""
    ordered = [field.name for field in fields(shape) if field.name in columns]
    if sorted(ordered) != sorted(columns) or _skips(shape, ordered):
        return lambda values: shape(**dict(zip(columns, values, strict=True)))
    if ordered == list(columns):
        return lambda values: shape(*values)
    at = itemgetter(*(columns.index(name) for name in ordered))
    return lambda values: shape(*at(values))


def _skips(shape: type[Any], ordered: Sequence[str]) -> bool:
    """Whether a field without a column stands before one that has one."""
    return [field.name for field in fields(shape)][: len(ordered)] != list(ordered)
