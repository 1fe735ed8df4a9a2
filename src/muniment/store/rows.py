"""Many rows in one statement, as JSON that PostgreSQL reads into the table's own row type.

COPY would be quicker by itself, but PostgreSQL refuses COPY FROM on tables with row security, which is on for
every role of ours: docs/decisions/0005-batches-as-json.md.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

__all__ = ["Row", "as_json"]

Row = Mapping[str, object]


def as_json(rows: Sequence[Row]) -> str:
    """The rows as one JSON array, values in the forms PostgreSQL reads."""
    return _written(rows) if rows else "[]"


def _form(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, UUID):
        return value.hex
    if isinstance(value, bytes):
        return f"\\x{value.hex()}"
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} has no column form")


_written: Final = json.JSONEncoder(default=_form, ensure_ascii=False, separators=(",", ":")).encode
