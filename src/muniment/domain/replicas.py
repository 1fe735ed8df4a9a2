"""Whether a copy of the database may be read in the original's place, by what both say of themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from muniment.domain.dumped import Value

__all__ = ["Reached", "ReplicaStatus", "Shown", "Watermark", "is_behind", "standing_of", "unfit"]


@dataclass(frozen=True, slots=True)
class Reached:
    """How far the primary had come: which database it is, along which history, where in its log.

    `snapshot` is the transactions that it showed then.
    """

    system: int
    timeline: int
    lsn: str
    snapshot: str


@dataclass(frozen=True, slots=True)
class Shown:
    """What a replica says of itself, asked after the primary said how far it had come.

    `behind` is how many bytes of the primary's log it does not show yet, and `seconds` how old the last
    transaction it shows is. `timeline` is the history it is fed, where it is fed and may know.
    """

    system: int
    follows: bool
    behind: int | None
    seconds: float | None
    may_know: bool
    timeline: int | None


@dataclass(frozen=True, slots=True)
class Watermark:
    """What a read saw, as snapshots of transactions: all of the first, and nothing beyond the second.

    One snapshot says both where it was read on the primary.
    """

    least: str
    most: str | None = None

    def noted(self) -> dict[str, str]:
        """As the audit has it."""
        return {"watermark": self.least} | ({} if self.most is None else {"replica": self.most})


State = Literal["current", "behind", "unfit", "away"]


@dataclass(frozen=True, slots=True)
class ReplicaStatus(Value):
    """How a replica stands, and what this process did with it: reads made there, lost there, passed on."""

    place: str
    state: State
    why: str | None
    behind_bytes: int | None
    behind_s: float | None
    reads: int
    lost: int
    passed: int


def unfit(reached: Reached, shown: Shown) -> str | None:
    """Why nothing it shows may stand for what the primary has, or None.

    A place in the log means the same only along one history of one database. A replica has one history
    behind it, so what it is fed now tells what all it shows is of.
    """
    if shown.system != reached.system:
        return "it is another database, and no copy of this one"
    if not shown.follows:
        return "it follows nobody: it was promoted, or never was a standby"
    if not shown.may_know:
        return "our user may not see what it is fed; on the primary: grant pg_read_all_stats to that user"
    if shown.timeline is None:
        return "it is not being fed by streaming"
    if shown.timeline != reached.timeline:
        return f"it is fed history {shown.timeline}, and the primary is in {reached.timeline}"
    return None


def is_behind(shown: Shown) -> bool:
    """Whether anything is missing of what the primary had."""
    return shown.behind is None or shown.behind > 0


def standing_of(reached: Reached, shown: Shown) -> tuple[State, str | None, int | None, float | None]:
    """How it stands, why, and by how many bytes and seconds it is behind."""
    if (why := unfit(reached, shown)) is not None:
        return "unfit", why, None, None
    if is_behind(shown):
        return "behind", "it has not replayed all that the primary has", shown.behind, shown.seconds
    return "current", None, 0, 0.0
