"""A name that an item gives an entity. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

__all__ = ["Known", "Name"]

Known = tuple[tuple[datetime, datetime | None], ...]


@dataclass(frozen=True, slots=True)
class Name:
    """A name this item gives an entity."""

    name: str
    entity: UUID
    kind: str
    title: str
    role: str
    known: Known = ()

    def held(self, known: Known) -> Name:
        """The same name, and when the record held it."""
        return Name(self.name, self.entity, self.kind, self.title, self.role, known)
