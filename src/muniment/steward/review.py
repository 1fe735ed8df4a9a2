"""Candidates: rules that may not act yet, and what somebody other than their author decides about them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from muniment.claims.cite import cite_statement, passages_of
from muniment.claims.claim import Statement
from muniment.claims.naming import read_names
from muniment.claims.read import entities_of, statements_of
from muniment.domain.audience import Audience
from muniment.domain.errors import Conflict, Refused
from muniment.domain.events import Body, ContentEvent
from muniment.domain.identity import keyed_uuid
from muniment.domain.record import AssertionRow
from muniment.domain.trust import APPROVED, APPROVED_ALONE
from muniment.domain.values import Candidate
from muniment.gate import policy
from muniment.gate.audiences import audience_ids
from muniment.gate.directory import alias_of
from muniment.gate.reader import Reader
from muniment.index.projection import StoredAssertion
from muniment.items.fold import Accepted
from muniment.jobs.compile import Examined, Key, compile_keys, examine, histories_of
from muniment.jobs.turns import hold_keys
from muniment.steward.desk import Desk, beside_others
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["approve", "candidate", "candidates", "hold", "is_citation", "reject"]

SQL = load("review")
_OPEN = ("waiting", "held", "void")
_TOKEN = 12  # characters of what was seen that are enough to tell it from what it became


@dataclass(frozen=True, slots=True)
class _Case:
    """A statement that waits, with everything a decision on it would be bound to."""

    statement: Statement
    examined: Examined
    row: StoredAssertion

    @property
    def name(self) -> Key:
        """The item's key."""
        return self.statement.item.source, self.statement.item.id

    @property
    def subject(self) -> str:
        """What a decision names."""
        return self.row.assertion.hex

    @property
    def saw(self) -> bytes:
        """What is shown now, as a digest."""
        one = self.examined
        return one.verdicts.seen(one.projection, self.row, one.quality.trust)

    @property
    def state(self) -> str:
        """How it stands."""
        return self.examined.verdicts.state(self.saw, self.subject)

    @property
    def audience(self) -> Audience:
        """Who may read it."""
        return self.examined.projection.standing.audience


def candidates(desk: Desk) -> list[Candidate]:
    """Every rule that waits for a decision and that this steward may read, oldest first."""
    with desk.reading() as reader:
        waiting = _waiting(reader, reader.rows(AssertionRow, "review", "rules"))
        with desk.writing() as conn:
            cases = [case for one in waiting if (case := _case(desk, conn, one)) is not None]
        return [_candidate(reader, case, ()) for case in cases]


def candidate(desk: Desk, id_: str) -> Candidate:
    """One of them with what it would change; missing and forbidden are refused alike."""
    with desk.reading() as reader:
        statement = _find(reader, id_)
        with desk.writing() as conn:
            case = _case(desk, conn, statement)
        if case is None:
            raise Refused(_nothing(id_))
        return _candidate(reader, case, _current(reader, statement))


def approve(desk: Desk, id_: str, seen: str | None) -> Candidate:
    """Let it act, bound to what is seen now. Its author may not, but in an organisation of one, for less."""
    _decide(desk, id_, "approve", seen=seen, reason=None)
    return candidate(desk, id_)


def reject(desk: Desk, id_: str, reason: str) -> None:
    """Let it never act, as long as it says what it says now."""
    _decide(desk, id_, "reject", seen=None, reason=reason)


def hold(desk: Desk, id_: str, reason: str) -> Candidate:
    """Leave it waiting, with the reason."""
    _decide(desk, id_, "hold", seen=None, reason=reason)
    return candidate(desk, id_)


def _decide(desk: Desk, id_: str, action: str, *, seen: str | None, reason: str | None) -> None:
    with desk.reading() as reader:
        statement = _find(reader, id_)

    def decide(conn: Connection) -> None:
        hold_keys(conn, desk.tenant, [(statement.item.source, statement.item.id)])
        case = _case(desk, conn, statement)
        if case is None or not case.audience.admits(_subjects(desk, conn)):
            raise Refused(_nothing(id_))
        if case.state not in _OPEN:
            raise Conflict(f"candidate {id_!r} is {case.state} already; see: muniment review show {id_}")
        if seen is not None and seen != _token(case):
            raise Conflict(f"candidate {id_!r} changed since {seen!r} was shown; look at it again")
        by = _by(desk, conn, case, action)
        _write(desk, conn, case, by, reason)
        compile_keys(conn, desk.tenant, desk.work.key, [case.name])
        desk.record(conn, f"review {action}", id_, {"saw": case.saw.hex(), "as": by})

    beside_others(desk, decide)


def _by(desk: Desk, conn: Connection, case: _Case, action: str) -> str:
    """The action as it counts: an author decides on their own words only where there is nobody else."""
    if action != "approve" or _authors(desk, conn, case).isdisjoint(_own_names(desk, conn)):
        return action
    others = conn.execute(SQL["others"], {"tenant": desk.tenant, "principal": desk.principal}).fetchone()
    if others != (0,):
        raise Refused(
            f"{desk.principal!r} wrote this or what it was made from; somebody else must approve it"
        )
    return "approve_alone"


def _own_names(desk: Desk, conn: Connection) -> set[str]:
    """What whoever decides is called: nobody is somebody else under an alias or an address of theirs."""
    bound = {"tenant": desk.tenant, "principal": desk.principal}
    return {desk.principal, *(alias for (alias,) in conn.execute(SQL["aliases"], bound))}


def _authors(desk: Desk, conn: Connection, case: _Case) -> set[str]:
    """Whoever wrote any version of it, or of what it was made from, under every name that it gives.

    Who handed in what has no author, as well; and what an agent wrote, which writes for somebody.
    """
    names = [case.name, *case.examined.origins]
    histories = histories_of(conn, desk.tenant, names).values()
    bodies = case.examined.projection.standing.bodies.values()
    said = {case.row.said.stated_by, *(body.author for body in bodies)}
    said |= {name for history in histories for one in history for name in _written_by(one)}
    return {alias_of(who) for who in said if who is not None}


def _written_by(one: Accepted) -> Iterator[str | None]:
    if isinstance(one.event, ContentEvent) and isinstance(body := one.event.detail, Body):
        yield from (body.author, body.author_name)
        if body.author is None or body.author.startswith("agent:"):
            yield one.importer


def _write(desk: Desk, conn: Connection, case: _Case, action: str, reason: str | None) -> None:
    """The decision, numbered under the key's lock; its audience is that of everything that was shown."""
    number = len([one for one in case.examined.verdicts.decisions if one.subject == case.subject]) + 1
    values = {
        "tenant": desk.tenant,
        "decision": keyed_uuid(desk.work.key, "decision", case.subject, str(number)),
        "number": number,
        "audience": audience_ids(conn, desk.tenant, [case.audience])[case.audience],
        "action": action,
        "subject": case.subject,
        "other": None,
        "source": case.name[0],
        "id": case.name[1],
        "saw": case.saw,
        "reason": reason,
        "decided_by": desk.principal,
        "decided_at": desk.now,
    }
    if conn.execute(SQL["decide"], values).rowcount != 1:
        raise Conflict("somebody else decided this at the same time; look at it again")


def _subjects(desk: Desk, conn: Connection) -> frozenset[str]:
    return policy.permitted(conn, desk.tenant, desk.principal, desk.now).subjects


def _find(reader: Reader, id_: str) -> Statement:
    """The rule that waits, or was decided, under a citation's id."""
    rows = reader.rows(AssertionRow, "review", "rule", assertion=id_[2:]) if is_citation(id_) else []
    statements = _statements(reader, rows)
    if not statements or not (statements[0].is_waiting or _is_decided(statements[0].row)):
        raise Refused(_nothing(id_))
    return statements[0]


def _is_decided(row: AssertionRow) -> bool:
    return row.trust in (APPROVED, APPROVED_ALONE) or row.status == "rejected"


def is_citation(id_: str) -> bool:
    """Whether it is the id of a statement's citation."""
    return re.fullmatch(r"c_[0-9a-f]{32}", id_) is not None


def _nothing(id_: str) -> str:
    return f"no candidate {id_!r} for this steward"


def _waiting(reader: Reader, rows: Sequence[AssertionRow]) -> list[Statement]:
    return [one for one in _statements(reader, rows) if one.is_waiting]


def _statements(reader: Reader, rows: Sequence[AssertionRow]) -> list[Statement]:
    found = statements_of(reader, rows, read_names(reader, entities_of(rows)))
    return sorted(found, key=lambda one: one.order)


def _case(desk: Desk, conn: Connection, statement: Statement) -> _Case | None:
    """The statement beside its item as the events have it now; None where it is no longer said."""
    name = (statement.item.source, statement.item.id)
    examined = examine(conn, desk.tenant, desk.work.key, name)
    if examined is None:
        return None
    rows = [one for one in examined.projection.assertions if one.assertion == statement.row.assertion]
    current = [one for one in rows if one.known_to is None]
    return _Case(statement, examined, current[-1]) if current else None


def _token(case: _Case) -> str:
    return case.saw.hex()[:_TOKEN]


def _candidate(reader: Reader, case: _Case, current: Iterable[str]) -> Candidate:
    statement = case.statement
    passages = passages_of(reader, [statement])
    cited = cite_statement(statement, passages, None)
    if case.state == "approved":
        cited = replace(cited, status="active")
    return Candidate(
        id=cited.id,
        statement=statement.row.statement,
        kind=statement.row.kind,
        proposed_by=cited.said_by,
        evidence=(cited,),
        diff="\n".join((*(f"- {one}" for one in current), f"+ {statement.row.statement}")),
        reach=_reach(case),
        state=case.state,  # type: ignore[arg-type]  # one of the five by construction
        expires=None,
        seen=_token(case),
    )


def _current(reader: Reader, statement: Statement) -> Iterator[str]:
    """What is said in its slot now by those whose word may act."""
    row = statement.row
    if row.entity is None or row.attribute is None:
        return iter(())
    rows = reader.rows(
        AssertionRow, "claims", "assertions_of_slots", names=[row.entity], attributes=[row.attribute]
    )
    acting = [one for one in _statements(reader, rows) if one.may_act and one.row.value != row.value]
    return iter(dict.fromkeys(one.row.statement for one in acting))


def _reach(case: _Case) -> str:
    named = [
        " or ".join("every full member" if one == "*" else one for one in clause)
        for clause in case.audience.as_lists()
    ]
    who = named[0] if len(named) == 1 else " and ".join(f"({clause})" for clause in named)
    return f"approved, it is a {case.row.said.kind.value} for {who}"
