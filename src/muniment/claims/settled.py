"""Conflicts that a person settled, as far as this reader may know and both sides still say what they said."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from muniment.domain.identity import keyed_digest
from muniment.domain.record import AssertionRow

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["settled_among", "settling"]


@dataclass(frozen=True, slots=True)
class _Kept:
    subject: str
    other: str
    saw: bytes


def settled_among(reader: Reader, rows: Iterable[AssertionRow]) -> frozenset[tuple[UUID, UUID]]:
    """Pairs of kept and dropped among these rows."""
    by_id = {row.assertion.hex: row for row in rows if row.entity is not None and row.known_to is None}
    if len(by_id) < 2:
        return frozenset()
    found = reader.rows(_Kept, "claims", "settled", subjects=sorted(by_id))
    return frozenset(
        (by_id[one.subject].assertion, by_id[one.other].assertion)
        for one in found
        if one.other in by_id and settling(reader.key, by_id[one.subject], by_id[one.other]) == one.saw
    )


def settling(key: bytes, kept: AssertionRow, dropped: AssertionRow) -> bytes:
    """What whoever settles it is shown, as a digest: a changed word on either side and it is open again."""
    return keyed_digest(key, "settled", *_shown(kept), *_shown(dropped))


def _shown(row: AssertionRow) -> tuple[str, ...]:
    return (row.assertion.hex, row.statement, row.value or "", row.stated_by or "", str(row.valid_from))
