"""Long lists, a page at a time, by a cursor that says nothing: never a total, of anything."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from typing import Generic, TypeVar

from fastapi.responses import JSONResponse
from pydantic import BaseModel

from muniment.domain.errors import Usage
from muniment.domain.values import Value

__all__ = ["Listed", "listed"]

Shape = TypeVar("Shape")


class Listed(BaseModel, Generic[Shape]):
    """A page of a list; `cursor` leads to the next, null where there is none."""

    items: list[Shape]
    cursor: str | None


def listed(values: Sequence[Value], limit: int, cursor: str | None = None) -> JSONResponse:
    """The values after the cursor, and where the next page begins if there is one."""
    start = _read(cursor)
    shown = [one.model_dump() for one in values[start : start + limit]]
    after = _write(start + limit) if start + limit < len(values) else None
    return JSONResponse({"items": shown, "cursor": after})


def _write(start: int) -> str:
    return base64.urlsafe_b64encode(f"after:{start}".encode()).decode().rstrip("=")


def _read(cursor: str | None) -> int:
    if cursor is None:
        return 0
    try:
        kind, _, said = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode().partition(":")
    except (binascii.Error, ValueError):
        kind, said = "", ""
    if kind == "after" and said.isascii() and said.isdigit() and len(said) < 10:
        return int(said)
    raise Usage(f"cursor {cursor!r} is none that was given")
