"""An incident's ledger as a page lays it out: entries by number, and those they speak of. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from muniment.domain.incidents import OBSERVED_AS, Entry, Incident

__all__ = ["MOST_ENTRIES", "Laid", "Pointer", "end_of_ledger", "laid", "numbered_entries", "pointers"]

MOST_ENTRIES = 200  # of a ledger that are shown at first; a storm has thousands
_TOLD = ("tool", "query", "version", "outcome", "verdict")  # what is said in words beside an entry's own


@dataclass(frozen=True, slots=True)
class Pointer:
    """Another entry, by its number; or something else that is named, by its name."""

    id: str
    number: int | None


@dataclass(frozen=True, slots=True)
class Laid:
    """One entry: its number, what is told beside it, and what it points to."""

    number: int
    entry: Entry
    told: tuple[tuple[str, str], ...]
    names: tuple[str, ...]
    rests_on: tuple[Pointer, ...]
    judges: tuple[Pointer, ...]
    against: tuple[Pointer, ...]
    contradicts: tuple[Pointer, ...]
    clock_ahead: int | None

    @property
    def is_observed(self) -> bool:
        """Whether a verdict may rest on it."""
        return self.entry.kind in ("opened", *OBSERVED_AS)


def numbered_entries(incident: Incident) -> Mapping[str, int]:
    """Each entry's number, in the order of the ledger."""
    return {one.id: place for place, one in enumerate(incident.entries, 1)}


def laid(incident: Incident) -> tuple[Laid, ...]:
    """The whole ledger, oldest first."""
    numbers = numbered_entries(incident)
    opposed: dict[str, list[str]] = {}
    for one, other in incident.contradictions:
        opposed.setdefault(one, []).append(other)
        opposed.setdefault(other, []).append(one)
    return tuple(_laid(one, numbers, opposed.get(one.id, ())) for one in incident.entries)


def end_of_ledger(entries: Sequence[Laid]) -> tuple[Sequence[Laid], int]:
    """The newest entries, and how many came before them."""
    return entries[-MOST_ENTRIES:], max(0, len(entries) - MOST_ENTRIES)


def pointers(ids: Iterable[str], numbers: Mapping[str, int]) -> tuple[Pointer, ...]:
    """What some ids stand for on this page."""
    return tuple(Pointer(one, numbers.get(one)) for one in ids)


def _laid(entry: Entry, numbers: Mapping[str, int], opposed: Sequence[str]) -> Laid:
    ahead = entry.detail.get("clock_ahead_s")
    return Laid(
        number=numbers[entry.id],
        entry=entry,
        told=tuple(_told(entry)),
        names=(*_texts(entry, "signals"), *_texts(entry, "entities")),
        rests_on=pointers((*_texts(entry, "evidence"), *_texts(entry, "supports")), numbers),
        judges=pointers(_texts(entry, "target"), numbers),
        against=pointers(_texts(entry, "against"), numbers),
        contradicts=pointers(opposed, numbers),
        clock_ahead=ahead if isinstance(ahead, int) else None,
    )


def _told(entry: Entry) -> Iterator[tuple[str, str]]:
    for name in _TOLD:
        said = entry.detail.get(name)
        if isinstance(said, str) and said.strip():
            yield name, said


def _texts(entry: Entry, name: str) -> tuple[str, ...]:
    said = entry.detail.get(name)
    every = said if isinstance(said, list) else [said]
    return tuple(one for one in every if isinstance(one, str) and one)
