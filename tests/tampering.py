"""What the owner of the database can do to the audit by hand: the six kinds, each as they would do it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, LiteralString, TypeAlias

from muniment.domain.audit import Envelope, commit, genesis, micros, next_head
from muniment.store.pool import Connection, Database

__all__ = ["ONLY_BY_A_PUBLISHED_HEAD", "TAMPERS", "Hand", "as_owner", "erase"]

LOCKS: tuple[LiteralString, ...] = ("audit", "audit_seal", "audit_unsealed")


@dataclass(frozen=True)
class Hand:
    """Statements on one tenant's rows, by hand."""

    conn: Connection
    tenant: str

    def __call__(self, query: LiteralString, **values: object) -> list[tuple[Any, ...]]:
        """What a query finds; nothing for a statement that finds nothing."""
        done = self.conn.execute(query, {"tenant": self.tenant, **values})
        return done.fetchall() if done.description else []

    def sealed_as(self, number: int) -> int:
        """The entry that has this number."""
        find: LiteralString = (
            "select entry from muniment.audit_seal where tenant = %(tenant)s and number = %(number)s"
        )
        return int(self(find, number=number)[0][0])


Tamper: TypeAlias = Callable[[Hand], object]


def as_owner(db: Database, tenant: str, tamper: Tamper) -> None:
    """Let go of the lock that binds even the owner, tamper, and put it back."""
    with db.transaction("muniment_owner") as conn:
        for table in LOCKS:
            conn.execute(f"alter table muniment.{table} no force row level security")
        tamper(Hand(conn, tenant))
        for table in LOCKS:
            conn.execute(f"alter table muniment.{table} force row level security")


def erase(entry: int) -> Tamper:
    """What an erasure does to an entry: salt and content go, together."""
    blank: LiteralString = (
        "update muniment.audit set salt = null, content = null "
        "where tenant = %(tenant)s and entry = %(entry)s"
    )
    return lambda hand: hand(blank, entry=entry)


def change(hand: Hand) -> None:
    """Somebody else did it."""
    hand(
        "update muniment.audit set principal = 'user:mallory' "
        "where tenant = %(tenant)s and entry = %(entry)s",
        entry=hand.sealed_as(5),
    )


def delete(hand: Hand) -> None:
    """An entry goes with its seal, and those behind it close the gap."""
    entry = hand.sealed_as(5)
    hand("delete from muniment.audit where tenant = %(tenant)s and entry = %(entry)s", entry=entry)
    hand("delete from muniment.audit_seal where tenant = %(tenant)s and entry = %(entry)s", entry=entry)
    _renumber(hand, above=5, by=-1)


def reorder(hand: Hand) -> None:
    """Two entries change places."""
    first, second = hand.sealed_as(4), hand.sealed_as(5)
    move: LiteralString = (
        "update muniment.audit_seal set entry = %(to)s where tenant = %(tenant)s and number = %(number)s"
    )
    hand(move, to=-1, number=4)
    hand(move, to=first, number=5)
    hand(move, to=second, number=4)


def insert(hand: Hand) -> None:
    """An act that never was, between two that were, with a seal that follows from the one before."""
    _renumber(hand, above=5, by=1)
    ((head, sealed_at),) = hand(
        "select head, sealed_at from muniment.audit_seal where tenant = %(tenant)s and number = 5"
    )
    ((entry, *said),) = hand(
        "insert into muniment.audit (tenant, at, principal, action, object, salt, content, commitment) "
        "values (%(tenant)s, %(at)s, 'user:mallory', 'ask', 'record', %(salt)s, '{}', %(commitment)s) "
        "returning entry, principal, action, object, commitment",
        at=sealed_at,
        salt=b"salt",
        commitment=commit(b"salt", {}),
    )
    hand(
        "insert into muniment.audit_seal (tenant, number, entry, head, sealed_at) "
        "values (%(tenant)s, 6, %(entry)s, %(head)s, %(sealed_at)s)",
        entry=entry,
        head=next_head(bytes(head), 6, micros(sealed_at), Envelope(entry, micros(sealed_at), *said)),
        sealed_at=sealed_at,
    )


def cut_tail(hand: Hand) -> None:
    """The end goes, entries and seals alike, as if it had never been."""
    hand(
        "delete from muniment.audit where tenant = %(tenant)s and entry in "
        "(select entry from muniment.audit_seal where tenant = %(tenant)s and number > 5)"
    )
    hand("delete from muniment.audit_seal where tenant = %(tenant)s and number > 5")


def rewrite_all(hand: Hand) -> None:
    """An entry says something else, and every commitment and head is made anew to agree with it."""
    hand(
        "update muniment.audit set content = '{}', commitment = %(commitment)s, salt = %(salt)s "
        "where tenant = %(tenant)s and entry = %(entry)s",
        salt=b"another salt",
        commitment=commit(b"another salt", {}),
        entry=hand.sealed_as(3),
    )
    head = genesis(hand.tenant)
    for number, sealed_at, entry, at, *said in hand(
        "select s.number, s.sealed_at, a.entry, a.at, a.principal, a.action, a.object, a.commitment "
        "from muniment.audit_seal s join muniment.audit a on a.tenant = s.tenant and a.entry = s.entry "
        "where s.tenant = %(tenant)s order by s.number"
    ):
        head = next_head(head, number, micros(sealed_at), Envelope(entry, micros(at), *said))
        hand(
            "update muniment.audit_seal set head = %(head)s "
            "where tenant = %(tenant)s and number = %(number)s",
            head=head,
            number=number,
        )


TAMPERS: dict[str, Callable[[Hand], None]] = {
    "change": change,
    "delete": delete,
    "reorder": reorder,
    "insert": insert,
    "cut tail": cut_tail,
    "rewrite all": rewrite_all,
}
ONLY_BY_A_PUBLISHED_HEAD = {"cut tail", "rewrite all"}


def _renumber(hand: Hand, *, above: int, by: int) -> None:
    """Move places along, by way of numbers that nothing has."""
    aside: LiteralString = (
        "update muniment.audit_seal set number = -number where tenant = %(tenant)s and number > %(above)s"
    )
    back: LiteralString = (
        "update muniment.audit_seal set number = %(by)s - number where tenant = %(tenant)s and number < 0"
    )
    hand(aside, above=above)
    hand(back, by=by)
