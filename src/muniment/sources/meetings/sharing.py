"""Who may read a meeting: its owner, those it was shared with, and attendees where somebody says so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from muniment.domain.errors import Malformed
from muniment.sources.meetings.people import Person
from muniment.sources.wire.mapping import Mapped, parse_mapping

__all__ = ["Sharing"]


@dataclass(frozen=True, slots=True)
class Sharing:
    """`attendees` says that who was there may read; `folders` who reads what lies in a recorder's folder."""

    attendees: bool = False
    folders: Mapped = field(default_factory=dict)

    @classmethod
    def read(cls, said: Mapping[str, str]) -> Sharing:
        """From options or settings; Malformed says what is wrong."""
        audience = said.get("audience", "owner")
        if audience not in ("owner", "attendees"):
            raise Malformed(f"audience {audience!r} is unknown: use owner or attendees")
        return cls(audience == "attendees", parse_mapping(said.get("folders", "")))

    def readers(
        self, owner: Person, people: Iterable[Person], folders: Iterable[str]
    ) -> Sequence[str] | None:
        """Them; None where nobody is known to be one, which leaves it to whoever hands it in."""
        found = [f"user:{owner.address}"] if owner.address else []
        if self.attendees:
            found += [f"user:{one.address}" for one in people if one.address]
        for folder in folders:
            found += self.folders.get(folder, ())
        return list(dict.fromkeys(found)) or None
