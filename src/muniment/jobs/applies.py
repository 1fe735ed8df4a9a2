"""Which of what bears on a compilation there is at all, asked once: most keys are met by none of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from muniment.gate.grants import item_ref
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["ALL_OF_IT", "Applies", "what_applies"]

SQL: Final = load("jobs")


@dataclass(frozen=True, slots=True)
class Applies:
    """What there may be of each kind; False where there is none.

    Moves in the sources of some keys, items made from them, grants on them and decisions about them; and in
    the whole record grants to agents, what models gave, and policies.
    """

    moves: bool
    descendants: bool
    grants: bool
    reaches: bool
    decisions: bool
    outputs: bool
    policies: bool

    @property
    def leads_on(self) -> bool:
        """Whether other keys may have to be compiled with these."""
        return self.moves or self.descendants


ALL_OF_IT: Final = Applies(*[True] * 7)


def what_applies(conn: Connection, tenant: str, keys: Sequence[tuple[str, str]]) -> Applies:
    """What bears on these keys, which the transaction holds: nobody adds to it unseen before it ends.

    Where it leads on to other keys, anything may bear on those.
    """
    values = {
        "tenant": tenant,
        "sources": [source for source, _ in keys],
        "ids": [id_ for _, id_ in keys],
        "refs": [item_ref(*name) for name in keys],
    }
    row = conn.execute(SQL["what_applies"], values).fetchone()
    found = ALL_OF_IT if row is None else Applies(*row)
    return ALL_OF_IT if found.leads_on else found
