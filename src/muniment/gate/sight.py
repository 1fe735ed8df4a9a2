"""Of which kinds of thing a reader can see any at all: what there is none of need not be looked for."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Sight"]


@dataclass(frozen=True, slots=True)
class Sight:
    """Whether something of a kind is visible, at any moment; it says nothing of what others can see.

    `ties`: edges or references by which a text replaces or amends another. `echoes`: words of what may not
    act by itself. `decisions`: what stewards settled about entities. `vectors`: not
    of what is seen, whether this database can hold any.
    """

    echoes: bool
    aliases: bool
    references: bool
    ties: bool
    decisions: bool
    vectors: bool
