"""What else waits for a person.

Conflicts, what its source recalled, what went stale, what somebody reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta

from muniment.claims.cite import cite_statement, find_citation, passages_of
from muniment.claims.claim import Claim, Statement
from muniment.claims.naming import read_names
from muniment.claims.read import conflicts, entities_of, statements_of
from muniment.claims.settled import settling
from muniment.domain.errors import Conflict, Refused
from muniment.domain.events import ContentEvent, Op
from muniment.domain.identity import keyed_uuid
from muniment.domain.record import AssertionRow
from muniment.domain.times import format_instant
from muniment.domain.values import Citation, Reported, Value
from muniment.events.rights import Credential
from muniment.gate import policy
from muniment.gate.audiences import audience_ids, get_audience
from muniment.gate.reader import Reader
from muniment.items.fold import Accepted
from muniment.jobs.compile import Key, histories_of, unrecalled
from muniment.jobs.intake import Intake, compile_taken, stamped
from muniment.jobs.receive import receive
from muniment.sources.arrived import Arrived
from muniment.sources.unseen import visible
from muniment.steward.desk import Desk
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["Recalled", "confirm", "intake", "recalled", "refuse", "reports", "resolve", "stale"]

SQL = load("review")
_NEXT = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class Recalled(Value):
    """An item its source recalled, for its author and for stewards who may read it."""

    id: str
    kind: str
    title: str | None
    author: str | None
    text: str


@dataclass(frozen=True, slots=True)
class _Report:
    report: str
    citation: str
    problem: str
    reported_by: str


def reports(desk: Desk) -> list[Reported]:
    """What people said is wrong, of what this steward may read and is still there."""
    with desk.reading() as reader:
        rows = reader.rows(_Report, "review", "reports")
        return [told for row in rows if (told := _reported(reader, row)) is not None]


def _reported(reader: Reader, row: _Report) -> Reported | None:
    try:
        found = find_citation(reader, row.citation)
    except Refused:  # withdrawn since, from this steward or from everybody
        return None
    return Reported(row.report, found.citation, row.problem, row.reported_by)


def stale(desk: Desk) -> list[Citation]:
    """Statements whose words changed at their source, and that nobody has confirmed or revised."""
    with desk.reading() as reader:
        rows = reader.rows(AssertionRow, "review", "stale")
        found = statements_of(reader, rows, read_names(reader, entities_of(rows)))
        passages = passages_of(reader, found)
        return [replace(cite_statement(one, passages, None), status="stale") for one in found]


# ── what a source recalled ──


def recalled(desk: Desk) -> list[Recalled]:
    """What its source recalled and this steward could read before."""
    with desk.writing() as conn:
        names = [(row[0], row[1]) for row in conn.execute(SQL["recalled"], {"tenant": desk.tenant})]
        return [one for name in names if (one := _recalled(desk, conn, name)) is not None]


def _recalled(desk: Desk, conn: Connection, name: Key) -> Recalled | None:
    standing = unrecalled(conn, desk.tenant, desk.work.key, name)
    subjects = policy.permitted(conn, desk.tenant, desk.principal, desk.now).subjects
    if standing is None or not standing.audience.admits(subjects):
        return None
    body = standing.body
    return Recalled(
        ":".join(name), body.kind, body.title, body.author or body.author_name, visible(body.body, body.media)
    )


def confirm(desk: Desk, id_: str) -> None:
    """What was recalled holds after all: it is read again by whoever could."""
    _settle_recall(desk, id_, Op.RESTORE)


def refuse(desk: Desk, id_: str) -> None:
    """What was recalled is gone for good, as a source's own deletion."""
    _settle_recall(desk, id_, Op.DELETE)


def _settle_recall(desk: Desk, id_: str, op: Op) -> None:
    source, _, item = id_.partition(":")
    with desk.writing() as conn:
        values = {"tenant": desk.tenant, "source": source, "id": item}
        known = conn.execute(SQL["is_recalled"], values).fetchone() == (True,)
        if not known or _recalled(desk, conn, (source, item)) is None:
            raise Refused(f"nothing recalled is called {id_!r} for this steward")
        last = _last_recall(histories_of(conn, desk.tenant, [(source, item)])[source, item])
        desk.record(conn, "review recall", id_, {"op": op.value})
    # Just after the recall in the source's own order, so that it is this recall that is settled and no
    # later one.
    event = {
        "source": source,
        "id": item,
        "op": op.value,
        "at": format_instant(max(desk.now, last.at + _NEXT)),
    }
    version = {} if last.version is None else {"version": last.version}
    arrived = Arrived({**event, **version}, None, "review")
    receipt, _ = receive(desk.work.database, lambda: stamped(intake(desk)), [arrived], _unseen)
    if receipt.accepted != 1:
        raise Conflict(f"{id_!r} changed at the same time; look at it again")


def _last_recall(history: list[Accepted]) -> ContentEvent:
    recalls = [
        one.event for one in history if isinstance(one.event, ContentEvent) and one.event.op is Op.RECALL
    ]
    return max(recalls, key=lambda event: event.at)


def intake(desk: Desk) -> Intake:
    """What a steward settles goes in on their own word."""
    # Of the record's own source too: what was remembered of an incident can be retired, and hold again.
    who = Credential(desk.principal, steward=True, foreign=frozenset(), directories=frozenset(), own=True)
    work = desk.work
    return Intake(work.tenant, work.key, who, work.clock(), work.salts, "import", "default", compile_taken)


def _unseen(_: int) -> None:
    """Progress that nobody watches."""


# ── conflicts ──


def resolve(desk: Desk, claim_id: str, keep: str) -> list[Citation]:
    """Keep one side of a conflict; what was dropped never held, for whoever may read both."""
    with desk.reading() as reader:
        kept, dropped = _sides(reader, claim_id, keep)
        with desk.writing() as conn:
            for other in dropped:
                _write(desk, conn, kept, other)
            desk.record(conn, "review resolve", claim_id, {"keep": keep, "dropped": len(dropped)})
        passages = passages_of(reader, dropped)
        return [cite_statement(one, passages, None) for one in dropped]


def _sides(reader: Reader, claim_id: str, keep: str) -> tuple[Statement, list[Statement]]:
    for group in conflicts(reader):
        if claim_id not in {claim.id.hex for claim in group}:
            continue
        for claim, support in _supports(group):
            if f"c_{support.row.assertion.hex}" == keep:
                against = [one for one in group if one.id in claim.conflicts_with]
                return support, [other for _, other in _supports(against)]
    raise Refused(f"no conflict of claim {claim_id!r} with a side {keep!r} for this steward")


def _supports(claims: tuple[Claim, ...] | list[Claim]) -> Iterator[tuple[Claim, Statement]]:
    return ((claim, support) for claim in claims for support in claim.supports)


def _write(desk: Desk, conn: Connection, kept: Statement, dropped: Statement) -> None:
    both = {"tenant": desk.tenant, "assertions": [kept.row.assertion, dropped.row.assertion]}
    labels = [row[0] for row in conn.execute(SQL["audiences"], both)]
    audience = get_audience(conn, desk.tenant, labels[0])
    for label in labels[1:]:
        audience &= get_audience(conn, desk.tenant, label)
    subject, other = kept.row.assertion.hex, dropped.row.assertion.hex
    saw = settling(desk.work.key, kept.row, dropped.row)
    values = {
        "tenant": desk.tenant,
        "decision": keyed_uuid(desk.work.key, "decision", subject, other, saw),
        "number": 0,
        "audience": audience_ids(conn, desk.tenant, [audience])[audience],
        "action": "keep",
        "subject": subject,
        "other": other,
        "source": None,
        "id": None,
        "saw": saw,
        "reason": None,
        "decided_by": desk.principal,
        "decided_at": desk.now,
    }
    conn.execute(SQL["decide"], values)
