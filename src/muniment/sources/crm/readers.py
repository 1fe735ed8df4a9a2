"""Who reads which records, by team, owner or pipeline: `Sales=group:sales, *=group:staff`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from muniment.sources.wire.mapping import Mapped, parse_mapping

if TYPE_CHECKING:
    from muniment.sources.crm.record import Owner

__all__ = ["Readers"]


@dataclass(frozen=True, slots=True)
class Readers:
    """What is said of readers, and who they are where nothing is."""

    importer: str
    mapped: Mapped = field(default_factory=dict)

    @classmethod
    def read(cls, importer: str, said: Mapping[str, str]) -> Readers:
        """From options or settings; Malformed names what cannot be read."""
        return cls(importer, parse_mapping(said.get("audiences", "")))

    def of(self, owner: Owner, place: str | None = None) -> Sequence[str] | None:
        """The owner and whom their team, they or the pipeline is mapped to; None where nobody said."""
        if not self.mapped:
            return None
        names = (*owner.teams, owner.name, owner.address, place)
        found = [who for name in names if name for who in self.mapped.get(name, ())]
        found = found or list(self.mapped.get("*", ()))
        own = [f"user:{owner.address}"] if owner.address else []
        return list(dict.fromkeys((*own, *found))) or [self.importer]
