"""What a conversion makes of a file: its text as Markdown, and apart from it what the text does not say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

__all__ = ["Apart", "Failed", "Limits", "Made", "bounded", "counted"]

MOST_APART = 200  # pieces of one document
LONGEST_APART = 2000  # characters of one piece


@dataclass(frozen=True, slots=True)
class Apart:
    """Words that stand in a file and are no part of what it says: hidden, struck, proposed, or in the margin.

    `what` is one of a few words (`hidden text`, `tracked change`, `comment`, `speaker notes`…), `where` as a
    person would look for it.
    """

    what: str
    where: str
    text: str
    by: str | None = None

    def as_json(self) -> dict[str, object]:
        """As it stands in an item's metadata."""
        return {name: value for name, value in asdict(self).items() if value is not None}


@dataclass(frozen=True, slots=True)
class Failed:
    """Why nothing could be made of a file."""

    reason: str


@dataclass(frozen=True, slots=True)
class Made:
    """The text, the title it shows where it shows one, and what else is known of the file."""

    body: str
    title: str | None = None
    properties: Mapping[str, object] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    apart: tuple[Apart, ...] = ()


@dataclass(frozen=True, slots=True)
class Limits:
    """What reading one file may take: seconds, bytes of memory, bytes its archive unpacks to, characters."""

    seconds: int = 60
    memory: int = 2 * 1024**3
    unpacked: int = 512 * 1024**2
    characters: int = 4_000_000


def bounded(apart: list[Apart]) -> tuple[tuple[Apart, ...], tuple[str, ...]]:
    """As much of it as metadata should hold, and a note that counts each sort of it."""
    worded = [one for one in apart if one.text.strip()]
    kept = tuple(
        Apart(one.what, one.where, " ".join(one.text.split())[:LONGEST_APART], one.by)
        for one in worded[:MOST_APART]
    )
    notes = [f"kept apart from the text: {said}" for said in counted([one.what for one in worded])]
    if len(worded) > MOST_APART:
        notes.append(f"of {len(worded)} pieces kept apart, the first {MOST_APART} are in the metadata")
    return kept, tuple(notes)


def counted(names: list[str]) -> list[str]:
    """Each name once, with how often it occurs: `comment (2)`."""
    return [f"{name} ({names.count(name)})" for name in sorted(set(names))]
