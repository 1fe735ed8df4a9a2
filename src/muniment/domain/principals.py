"""What the gate knows about whoever asks."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["NOBODY", "Bearer", "Permitted"]


@dataclass(frozen=True, slots=True)
class Permitted:
    """What one principal may read now: every audience it satisfies, and who it is while asking.

    `subjects` holds the principal, its groups, containers it may read, and `*` for a full member.
    An unknown or deactivated principal has neither subjects nor audiences.
    """

    principal: str
    subjects: frozenset[str]
    audiences: tuple[int, ...]

    def as_text(self) -> str:
        """The audiences as PostgreSQL writes an array."""
        return "{" + ",".join(map(str, self.audiences)) + "}"

    def __and__(self, other: Permitted) -> Permitted:
        return Permitted(
            self.principal,
            self.subjects & other.subjects,
            tuple(sorted(set(self.audiences) & set(other.audiences))),
        )


NOBODY = Permitted("", frozenset(), ())


@dataclass(frozen=True, slots=True)
class Bearer:
    """Whose rights a request runs under, and the agent that uses them."""

    principal: str
    agent: str | None = None
