"""The desk of someone who may run the record: who may read, what is stuck, what was refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from muniment.claims.read import conflicts
from muniment.domain.audience import Audience, container_ref, parse_audience
from muniment.domain.errors import Refused, Usage
from muniment.domain.record import Moment
from muniment.domain.values import Queue, Receipt, SourceStatus, Status, Value
from muniment.gate import audit, grants, policy, who
from muniment.gate.audiences import get_audience
from muniment.gate.binding import writing
from muniment.gate.reader import Hearing, reading_as
from muniment.index import vectors
from muniment.jobs.compile import Key, compile_keys
from muniment.jobs.loop import Work, revive, tidy
from muniment.jobs.rebuild import rebuild
from muniment.jobs.then import audience_then
from muniment.jobs.turns import compile_beside_others, hold_keys
from muniment.sources.arrived import Arrived
from muniment.sources.files import Gathering, gather
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["Access", "Granted", "Member", "Quarantined", "Refusal", "Steward", "stuck"]

SQL = load("steward")
ROLES = ("steward", "importer")


@dataclass(frozen=True, slots=True)
class Access(Value):
    """Someone who can read, and the chain of groups through which they can."""

    principal: str
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Member(Value):
    """Someone the record knows; only the standing `member` makes a full member."""

    principal: str
    name: str | None
    standing: str | None
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Granted(Value):
    """What a grant or its withdrawal changed, and, after a withdrawal, how someone can still read."""

    principal: str
    target: str
    changed: bool
    still: tuple[str, ...]


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


def stuck(work: Work) -> tuple[int, int]:
    """How many keys are dead, and how many items wait for their container's audience."""
    with writing(work.database, work.tenant) as conn:
        values = {"tenant": work.tenant, "now": work.clock()}
        queue = conn.execute(SQL["queue"], values).fetchone() or (0, 0)
        counts = conn.execute(SQL["counts"], values).fetchone() or (0,)
    return queue[1], counts[0]


class Steward:
    """One steward's desk. Every act here is in the audit.

    `model` names the embedder in use, if there is one.
    """

    def __init__(self, work: Work, principal: str, model: str | None) -> None:
        self._work = work
        self._principal = principal
        self._model = model

    @property
    def principal(self) -> str:
        """Who sits here."""
        return self._principal

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with writing(self._work.database, self._work.tenant) as conn:
            if not policy.is_steward(conn, self._work.tenant, self._principal):
                raise Refused(f"{self._principal!r} is no steward of this organisation")
            yield conn

    def _record(self, conn: Connection, action: str, target: str, content: dict[str, object]) -> None:
        act = audit.Act(self._work.clock(), self._principal, action, target, content)
        audit.record(conn, self._work.tenant, act, self._work.salts())

    # ── who ──

    def members(self) -> list[Member]:
        """Everyone the record knows."""
        with self._writing() as conn:
            found = grants.list_members(conn, self._work.tenant)
        return [Member(one.principal, one.name, one.standing, one.groups) for one in found]

    def add_member(self, principal: str) -> None:
        """Make someone a full member: they may read what everyone may."""
        with self._writing() as conn:
            grants.add_member(conn, self._work.tenant, principal, self._work.clock())
            self._record(conn, "members add", principal, {})

    def remove_member(self, principal: str) -> None:
        """Take everything from someone at once."""
        with self._writing() as conn:
            grants.remove_member(conn, self._work.tenant, principal, self._work.clock())
            self._record(conn, "members remove", principal, {})

    def grant_role(self, principal: str, role: str) -> Granted:
        """Give a role."""
        return self._role(principal, role, "grant")

    def revoke_role(self, principal: str, role: str) -> Granted:
        """Take a role back."""
        return self._role(principal, role, "revoke")

    def _role(self, principal: str, role: str, action: Literal["grant", "revoke"]) -> Granted:
        if role not in ROLES:
            raise Usage(f"role {role!r} is unknown: use {' or '.join(ROLES)}, or read ITEM or CONTAINER")
        act = grants.grant_role if action == "grant" else grants.revoke_role
        with self._writing() as conn:
            changed = act(conn, self._work.tenant, principal, role, self._principal, self._work.clock())
            self._record(conn, action, principal, {"role": role})
        return Granted(principal, role, changed, ())

    def grant_read(self, principal: str, target: str) -> Granted:
        """Let someone read an item or a container, whatever its source says."""
        with self._writing() as conn:
            compile_beside_others(conn, self._work.tenant)
            ref = self._target(conn, target)
            changed = grants.grant_read(
                conn, self._work.tenant, ref, principal, self._principal, self._work.clock()
            )
            self._relabel(conn, ref)
            self._record(conn, "grant", principal, {"read": ref})
        return Granted(principal, target, changed, ())

    def revoke_read(self, principal: str, target: str) -> Granted:
        """Take a grant back; says how they can still read it, where they can."""
        with self._writing() as conn:
            compile_beside_others(conn, self._work.tenant)
            ref = self._target(conn, target)
            changed = grants.revoke_read(
                conn, self._work.tenant, ref, principal, self._principal, self._work.clock()
            )
            self._relabel(conn, ref)
            self._record(conn, "revoke", principal, {"read": ref})
            still = [one for one in self._who_can(conn, ref, None) if one.principal == principal]
        return Granted(principal, target, changed, still[0].why if still else ())

    def who_can(self, target: str, *, at: datetime | None = None) -> list[Access]:
        """Everyone who can read an item or container, now or at an earlier time, and through what."""
        with self._writing() as conn:
            ref = self._target(conn, target)
            self._record(conn, "who-can", ref, {"at": at.isoformat() if at else None})
            return [Access(one.principal, one.why) for one in self._who_can(conn, ref, at)]

    def _who_can(self, conn: Connection, ref: str, at: datetime | None) -> Sequence[who.Access]:
        tenant = self._work.tenant
        if ref.startswith("container:"):
            return who.who_can_container(conn, tenant, ref, at)
        source, _, id_ = ref.removeprefix("item:").partition(":")
        audience = self._audience(conn, (source, id_), at)
        return () if audience is None else who.who_can(conn, tenant, audience, at)

    def _audience(self, conn: Connection, name: Key, at: datetime | None) -> Audience | None:
        tenant = self._work.tenant
        if at is not None:
            return audience_then(conn, tenant, name, at)
        values = {"tenant": tenant, "source": name[0], "id": name[1]}
        row = conn.execute(SQL["item_audience"], values).fetchone()
        return None if row is None else get_audience(conn, tenant, row[0])

    def _target(self, conn: Connection, target: str) -> str:
        """The reference of an item (`source:id`) or container (`source:name`), one of which exists."""
        source, colon, name = target.partition(":")
        if not colon:
            raise Usage(f"{target!r} names nothing: write SOURCE:ID, such as slack:C042")
        values = {"tenant": self._work.tenant, "source": source, "id": name}
        if conn.execute(SQL["has_item"], values).fetchone() == (True,):
            return grants.item_ref(source, name)
        if conn.execute(SQL["has_container"], {**values, "ref": container_ref(source, name)}).fetchone() == (
            True,
        ):
            return container_ref(source, name)
        raise Refused(f"no item or container {target!r}")

    def _relabel(self, conn: Connection, ref: str) -> None:
        """An item's label holds its grants, so it is written anew; a container's holds them itself."""
        if ref.startswith("item:"):
            source, _, id_ = ref.removeprefix("item:").partition(":")
            hold_keys(conn, self._work.tenant, [(source, id_)])
            compile_keys(conn, self._work.tenant, self._work.key, [(source, id_)])

    # ── how it stands ──

    def status(self) -> Status:
        """Sources, queue, and everything that waits for somebody."""
        values = {"tenant": self._work.tenant, "now": self._work.clock()}
        with self._writing() as conn:
            sources = conn.execute(SQL["sources"], values).fetchall()
            waiting, dead = conn.execute(SQL["queue"], values).fetchone() or (0, 0)
            row = conn.execute(SQL["counts"], values).fetchone()
            behind = vectors.vectors_behind(conn, self._work.tenant, self._model) if self._model else 0
        pending, quarantined, candidates, stale, workers = row or (0, 0, 0, 0, 0)
        return Status(
            sources=tuple(SourceStatus(*row) for row in sources),
            queue=Queue(waiting, 0, dead),
            pending_audience=pending,
            vectors_behind=behind,
            quarantined=quarantined,
            candidates=candidates,
            stale=stale,
            conflicts=len(self._conflicts()),
            workers=workers,
        )

    def _conflicts(self) -> Sequence[object]:
        """Those the steward may see: running the record gives no right to read it."""
        work, now = self._work, self._work.clock()
        moment = Moment(now, now, None)
        with reading_as(work.database, work.tenant, work.key, Hearing(self._principal), moment) as reader:
            return conflicts(reader)

    def revive(self) -> int:
        """Make what failed for good due again, once what spoilt it is mended; how many keys there are."""
        with self._writing() as conn:
            self._record(conn, "revive", "queue", {})
        return revive(self._work)

    def rebuild(self) -> int:
        """Make everything derived anew from what was handed in; how many keys it took.

        Readers see the old until it is done. Vectors come with the next sync, or by a worker.
        """
        with self._writing() as conn:
            self._record(conn, "rebuild", "record", {})
        done = rebuild(self._work)
        tidy(self._work)
        return done

    # ── what was refused ──

    def quarantined(self) -> list[Quarantined]:
        """What the door refused and nobody handed in again, oldest first."""
        with self._writing() as conn:
            rows = conn.execute(SQL["quarantined"], {"tenant": self._work.tenant}).fetchall()
        return [Quarantined(*row) for row in rows]

    def replay(self, entries: Sequence[int] | None, receive: Callable[[Refusal], Receipt]) -> Receipt:
        """Hand refused input in again, an entry at a time; what is refused again stays as it is.

        An entry is marked once it was taken: what is cut short between the two is a duplicate the next time.
        """
        values = {"tenant": self._work.tenant, "entries": None if entries is None else list(entries)}
        with self._writing() as conn:
            self._record(conn, "replay", "quarantine", {"entries": values["entries"]})
            rows = conn.execute(SQL["to_replay"], values).fetchall()
        receipts = [self._replayed(Refusal(*row), receive) for row in rows]
        return Receipt(
            accepted=sum(one.accepted for one in receipts),
            duplicate=sum(one.duplicate for one in receipts),
            quarantined=sum(one.quarantined for one in receipts),
            items=tuple(item for one in receipts for item in one.items),
            token=receipts[-1].token if receipts else "",
            notes=tuple(note for one in receipts for note in one.notes),
        )

    def _replayed(self, refused: Refusal, receive: Callable[[Refusal], Receipt]) -> Receipt:
        receipt = receive(refused)
        if not receipt.quarantined:
            values = {"tenant": self._work.tenant, "entry": refused.entry, "now": self._work.clock()}
            with self._writing() as conn:
                conn.execute(SQL["mark_replayed"], values)
        return receipt
