"""What the door refused, and how it is handed in again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from muniment.domain.audience import parse_audience
from muniment.domain.errors import Refused
from muniment.domain.values import Receipt, Value
from muniment.sources.arrived import Arrived
from muniment.sources.files import Gathering, gather
from muniment.steward.desk import Desk
from muniment.store.queries import load

__all__ = ["Quarantined", "Refusal", "quarantined", "replay"]

SQL = load("steward")


@dataclass(frozen=True, slots=True)
class Quarantined(Value):
    """Something the door refused, with the reason; `text` is what was handed in."""

    entry: int
    origin: str
    line: int | None
    source: str | None
    id: str | None
    reason: str
    refused_at: datetime
    replayed_at: datetime | None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something in quarantine, with all that was said beside it."""

    entry: int
    origin: str
    line: int | None
    raw: str
    importer: str
    audience: list[object] | None
    account: str | None

    def arrivals(self) -> Sequence[Arrived]:
        """It, as it was handed in; a file that could not be read is read again from where it was."""
        audience = None if self.audience is None else parse_audience(self.audience)
        file = Path(self.origin)
        if self.line is None and not self.raw.startswith("{") and file.is_file():
            said = Gathering(None, None, self.importer, audience, self.account)
            return list(gather(file, said))
        return [Arrived(self.raw, self.line, self.origin, None, audience, self.account)]


def quarantined(desk: Desk) -> list[Quarantined]:
    """What the door refused and nobody handed in again, oldest first."""
    with desk.writing() as conn:
        rows = conn.execute(SQL["quarantined"], {"tenant": desk.tenant}).fetchall()
    return [Quarantined(*row) for row in rows]


def replay(desk: Desk, entries: Sequence[int] | None, receive: Callable[[Refusal], Receipt]) -> Receipt:
    """Hand refused input in again, an entry at a time; what is refused again stays as it is.

    An entry is marked once it was taken: what is cut short between the two is a duplicate the next time.
    """
    values = {"tenant": desk.tenant, "entries": None if entries is None else list(entries)}
    with desk.writing() as conn:
        desk.record(conn, "replay", "quarantine", {"entries": values["entries"]})
        rows = conn.execute(SQL["to_replay"], values).fetchall()
        if missing := sorted(set(entries or ()) - {row[0] for row in rows}):
            raise Refused(f"no entry {missing[0]} in quarantine; nothing was handed in")
    receipts = [_replayed(desk, Refusal(*row), receive) for row in rows]
    return Receipt(
        accepted=sum(one.accepted for one in receipts),
        duplicate=sum(one.duplicate for one in receipts),
        quarantined=sum(one.quarantined for one in receipts),
        items=tuple(item for one in receipts for item in one.items),
        token=receipts[-1].token if receipts else "",
        notes=tuple(note for one in receipts for note in one.notes),
    )


def _replayed(desk: Desk, refused: Refusal, receive: Callable[[Refusal], Receipt]) -> Receipt:
    receipt = receive(refused)
    if not receipt.quarantined:
        values = {"tenant": desk.tenant, "entry": refused.entry, "now": desk.now}
        with desk.writing() as conn:
            conn.execute(SQL["mark_replayed"], values)
    return receipt
