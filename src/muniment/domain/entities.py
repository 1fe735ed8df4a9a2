"""What a steward sees of entities: their names, what was settled about them, the alias file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from muniment.domain.values import Value

__all__ = [
    "AliasEntry",
    "EntityDecision",
    "EntityEntry",
    "EntityProposal",
    "Parting",
    "Terms",
    "write_aliases",
]


@dataclass(frozen=True, slots=True)
class AliasEntry(Value):
    """An entry of the alias file: that all these names mean one thing, for whoever may know of it."""

    means: str
    kind: str | None
    names: tuple[str, ...]
    audience: tuple[tuple[str, ...], ...]
    since: datetime | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class EntityDecision(Value):
    """What somebody settled about entities, by their titles as whoever asks sees them.

    `seen` is a token of what was shown: with it, only that is settled. Before it is settled there is no `id`.
    """

    id: str | None
    action: str
    entity: str
    other: str
    names: tuple[str, ...]
    sources: tuple[str, ...]
    items: tuple[str, ...]
    reason: str | None
    by: str | None
    at: datetime | None
    undone_by: str | None
    undone_at: datetime | None
    seen: str | None = None


@dataclass(frozen=True, slots=True)
class EntityEntry(Value):
    """An entity with every name that means it and nothing else, and what was settled about it."""

    entity: str
    kind: str
    title: str
    names: tuple[str, ...]
    settled: tuple[EntityDecision, ...] = ()


@dataclass(frozen=True, slots=True)
class Parting:
    """What of an entity is to mean something else: these names, or what these sources or items say of it."""

    names: Sequence[str] = ()
    sources: Sequence[str] = ()
    items: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Terms:
    """On what terms something is settled: why, only as it was shown for a token, or not yet."""

    reason: str | None = None
    seen: str | None = None
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class EntityProposal(Value):
    """Two entities that may be one, and why it seems so. Nothing is joined before somebody says so."""

    entity: str
    other: str
    kind: str
    why: str


def write_aliases(entries: Iterable[AliasEntry]) -> str:
    """The entries as a file that states them."""
    lines = ["aliases:"] + [line for entry in entries for line in _written(entry)]
    return "\n".join(lines if len(lines) > 1 else ["aliases: []"]) + "\n"


def _written(entry: AliasEntry) -> list[str]:
    kind = [] if entry.kind is None else [f"    kind: {entry.kind}"]
    return [
        f"  - means: {_quoted(entry.means)}",
        *kind,
        f"    names: {_quoted(list(entry.names))}",
        f"    audience: {_quoted([list(clause) for clause in entry.audience])}",
    ]


def _quoted(value: object) -> str:
    """As JSON, which is YAML whatever the words hold."""
    return json.dumps(value, ensure_ascii=False)
