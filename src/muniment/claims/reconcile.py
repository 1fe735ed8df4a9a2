"""How visible statements meet: the claims of one reader, as a pure function of what the reader can see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from uuid import UUID

from muniment.claims.claim import Claim, ClaimStatus, Statement, Ties
from muniment.claims.dated import Dated, Precedence, date
from muniment.claims.runs import Run, origins, runs
from muniment.claims.ties import cut_rings
from muniment.domain.assertions import Kind
from muniment.domain.identity import keyed_uuid
from muniment.domain.names import normal_name
from muniment.domain.times import format_instant

__all__ = ["claim_ids", "reconcile", "subject_of"]

Subject = tuple[str, ...]
Order = tuple[datetime, str, str, str]

_MOST_OPPONENTS = 12

# These add up: two questions, or two things observed, neither end nor contradict each other.
_ADDING_UP = frozenset(
    {Kind.QUESTION, Kind.ATTEMPT, Kind.OBJECTION, Kind.SENSITIVITY, Kind.OBSERVATION, Kind.PITFALL}
)


@dataclass(frozen=True, slots=True)
class _World:
    """What all slots share: the ties, the rings that were cut, the instant and the key of public ids."""

    precedence: Precedence
    rings: Mapping[UUID, int]
    as_of: datetime
    key: bytes


def reconcile(
    statements: Sequence[Statement], ties: Ties, as_of: datetime, *, key: bytes
) -> tuple[Claim, ...]:
    """The claims that these statements make together; the order they are given in means nothing."""
    kept, rings = cut_rings(ties.items)
    numbered = {item: number for number, ring in enumerate(rings) for item in ring}
    world = _World(Precedence.of(kept, ties.settled), numbered, as_of, key)
    groups = _grouped(_distinct(statements))
    return tuple(claim for subject in sorted(groups) for claim in _claims(subject, groups[subject], world))


def subject_of(statement: Statement) -> Subject:
    """What a statement can meet others in: its slot, else its own words about the same things."""
    row, item, slot = statement.row, statement.item, statement.slot
    if slot is not None and row.kind not in _ADDING_UP:
        return ("slot", row.level, slot.entity, slot.attribute, *_optional(slot.qualifier))
    about = [part for name in (item.account, item.project, item.service) for part in _optional(name)]
    return ("words", row.level, row.kind, str(len(about)), *about, normal_name(row.statement))


def _optional(text: str | None) -> tuple[str, ...]:
    """Absent and empty differ."""
    return ("",) if text is None else ("+", text)


def _distinct(statements: Iterable[Statement]) -> list[Statement]:
    found: dict[Order, Statement] = {}
    for statement in statements:
        found.setdefault(statement.order, statement)
    return [found[order] for order in sorted(found)]


def _grouped(statements: Iterable[Statement]) -> dict[Subject, list[Statement]]:
    groups: dict[Subject, list[Statement]] = {}
    for statement in statements:
        groups.setdefault(subject_of(statement), []).append(statement)
    return groups


def _claims(subject: Subject, members: Sequence[Statement], world: _World) -> list[Claim]:
    members = _uncorrected(members)
    shown = [member for member in members if member.item.state != "recalled"]
    live = [member for member in shown if not member.is_waiting]
    # What waits for a decision ends, contradicts and dates nothing: it meets only what waits as well.
    waiting = _unspoken((m for m in shown if m.is_waiting), live)
    withheld = _unspoken((m for m in members if m.item.state == "recalled"), shown)
    return [claim for group in (live, waiting, withheld) if group for claim in _meet(subject, group, world)]


def _unspoken(members: Iterable[Statement], others: Iterable[Statement]) -> list[Statement]:
    """Those that say what none of the others says."""
    spoken = {_value(other) for other in others}
    return [member for member in members if _value(member) not in spoken]


def _uncorrected(members: Sequence[Statement]) -> Sequence[Statement]:
    """Without what a newer version of the same item says differently."""
    latest: dict[UUID, datetime] = {}
    for member in members:
        item = member.item.item
        latest[item] = max(latest.get(item, member.row.known_from), member.row.known_from)
    return [m for m in members if m.row.known_to is None or m.row.known_to > latest[m.item.item]]


def _value(statement: Statement) -> str:
    return statement.row.value if statement.row.value is not None else normal_name(statement.row.statement)


def _meet(subject: Subject, members: Sequence[Statement], world: _World) -> list[Claim]:
    valued = [(member, _compared(subject, member)) for member in members]
    stretches = runs(date(valued, world.precedence))
    ids = _ids(subject, stretches, world.key)
    if len(stretches) == 1:  # as of most subjects: nothing opposes or ends it
        return [_claim(stretches[0], ids[0], _owned(stretches, ids), (), world.as_of)]
    by_id = {at: place for place, at in enumerate(sorted(range(len(ids)), key=ids.__getitem__))}
    opposed = [
        tuple(ids[other] for other in sorted(others, key=by_id.__getitem__))
        for others in _opposed(stretches, world)
    ]
    owners = _owned(stretches, ids)
    return [_claim(run, ids[at], owners, opposed[at], world.as_of) for at, run in enumerate(stretches)]


def _owned(stretches: Sequence[Run], ids: Sequence[UUID]) -> dict[Order, UUID]:
    """To which claim each statement that ends another belongs."""
    ending = any(one.by is not None for run in stretches for one in run.members)
    held = enumerate(stretches) if ending else ()
    return {one.statement.order: ids[at] for at, run in held for one in run.members}


def _ids(subject: Subject, stretches: Sequence[Run], key: bytes) -> list[UUID]:
    """One id for a slot and value; a later, separate stretch of the same value adds its beginning."""
    seen: set[str] = set()
    ids = []
    for run in stretches:
        again = run.anchor if run.value in seen else None
        seen.add(run.value)
        ids.append(_id(key, subject, run.value, again))
    return ids


def _id(key: bytes, subject: Subject, value: str, again: datetime | None) -> UUID:
    suffix = () if again is None else (format_instant(again),)
    return keyed_uuid(key, "claim", *subject, value, *suffix)


def claim_ids(statement: Statement, key: bytes) -> frozenset[UUID]:
    """Every id that a claim resting on the statement can have."""
    subject = subject_of(statement)
    value = _compared(subject, statement)
    row, item = statement.row, statement.item
    starts = {None, row.valid_from, row.stated_at, item.valid_from, item.created_at}
    return frozenset(_id(key, subject, value, start) for start in starts)


def _compared(subject: Subject, statement: Statement) -> str:
    """What two statements of one subject are compared by: a subject of words is all there is to it."""
    return _value(statement) if subject[0] == "slot" else ""


def _claim(
    run: Run, claim: UUID, owners: Mapping[Order, UUID], conflicts: tuple[UUID, ...], as_of: datetime
) -> Claim:
    supports = _best_first(run.members, as_of)
    best, last = supports[0], run.last
    return Claim(
        id=claim,
        kind=best.row.kind,
        level=best.row.level,
        statement=best.row.statement,
        slot=best.slot,
        value=best.row.value,
        status=_status(run, as_of),
        valid_from=run.since,
        valid_to=run.end,
        supports=supports,
        superseded_by=owners[last.by.order] if last.by is not None else None,
        replaced_by=last.item,
        conflicts_with=conflicts,
        confirmations=origins(supports),
    )


def _best_first(members: Iterable[Dated], as_of: datetime) -> tuple[Statement, ...]:
    """What holds at the instant before what does not, then by authority, then the first to say so."""
    members = list(members)
    if len(members) == 1:
        return (members[0].statement,)

    def order(one: Dated) -> tuple[bool, bool, int, Order]:
        over = one.until is not None and one.until <= as_of
        ahead = one.since is not None and one.since > as_of
        return (over or ahead, one.statement.standing != "active", -one.rank, one.statement.order)

    return tuple(one.statement for one in sorted(members, key=order))


def _status(run: Run, as_of: datetime) -> ClaimStatus:
    if run.last.item is not None and run.until is not None and run.until <= as_of:
        return "recalled" if _standing(run) == "recalled" else "superseded"
    return _standing(run)


def _standing(run: Run) -> ClaimStatus:
    """The best standing of any of its statements."""
    standings = {one.statement.standing for one in run.members}
    best: tuple[ClaimStatus, ...] = ("active", "stale", "candidate", "recalled")
    return next(standing for standing in best if standing in standings)


def _opposed(stretches: Sequence[Run], world: _World) -> list[set[int]]:
    """For each run, the runs of another value that hold beside it, now or later, and end neither.

    Where very many disagree, each names only the leading ones.
    """
    lasting = [at for at, run in enumerate(stretches) if _lasts(run, world.as_of)]
    lasting.sort(key=lambda at: (-stretches[at].rank, stretches[at].anchor, at))
    opposed: list[set[int]] = [set() for _ in stretches]
    for one in lasting:
        beside = (other for other in lasting if _contradict(stretches[one], stretches[other]))
        opposed[one] |= set(islice(beside, _MOST_OPPONENTS))
    return _with_rings(opposed, stretches, world.rings)


def _lasts(run: Run, as_of: datetime) -> bool:
    """Whether it has a say at the instant or after."""
    return run.may_act and (run.until is None or run.until > max(as_of, run.anchor))


def _contradict(one: Run, other: Run) -> bool:
    """Whether they differ about some instant."""
    if not _differ(one, other):
        return False
    apart = (one.until is not None and one.until <= other.anchor) or (
        other.until is not None and other.until <= one.anchor
    )
    return not apart


def _differ(one: Run, other: Run) -> bool:
    """Whether they say different things, and no item says both.

    Who names several values in one breath, as a page of contacts does, lists them.
    """
    return one.value != other.value and not one.items & other.items


def _with_rings(
    opposed: list[set[int]], stretches: Sequence[Run], rings: Mapping[UUID, int]
) -> list[set[int]]:
    """Items that supersede each other in a ring contradict each other wherever they share a slot."""
    if not rings:
        return opposed
    where = [
        {rings[one.statement.item.item] for one in run.members if one.statement.item.item in rings}
        for run in stretches
    ]
    for one, mine in enumerate(where):
        shared = (at for at, theirs in enumerate(where) if mine & theirs)
        opposed[one] |= {at for at in shared if _differ(stretches[one], stretches[at])}
    return opposed
