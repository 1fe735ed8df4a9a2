"""What a slot has held over time: every version that may still be shown, and why it came."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from muniment.claims.cite import cite_statement, coarse_time, passages_of
from muniment.claims.claim import Claim, Statement, Tie, Ties
from muniment.claims.naming import read_names
from muniment.claims.read import entities_of, statements_of, ties_around
from muniment.claims.reconcile import claim_ids, reconcile, subject_of
from muniment.claims.settled import settled_among
from muniment.domain.errors import Refused
from muniment.domain.record import AssertionRow, PassageRow
from muniment.domain.regex import regex
from muniment.domain.values import History

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["history"]

_CLAIM = regex(r"[0-9a-f]{32}")
_CITATION = regex(r"c_([0-9a-f]{32})")


@dataclass(frozen=True, slots=True)
class _Slot:
    """Everything said in one slot: `claims` by the assertions they rest on now."""

    statements: Sequence[Statement]
    ties: frozenset[Tie]
    claims: Mapping[UUID, Claim]
    passages: Mapping[UUID, PassageRow]


def history(reader: Reader, claim_id: str) -> tuple[History, ...]:
    """Every version of what the claim's slot held. A citation's id leads to its claim's slot at once.

    Malformed, missing and forbidden are refused alike.
    """
    anchor = _anchor(reader, claim_id)
    if anchor is None:
        raise Refused(f"no claim {claim_id!r} for this reader")
    slot = _slot(reader, anchor)
    return tuple(_version(one, slot) for one in slot.statements)


def _anchor(reader: Reader, id_: str) -> Statement | None:
    """A statement in the slot that the id stands for."""
    if match := _CITATION.fullmatch(id_):
        rows = reader.rows(AssertionRow, "claims", "assertion_by_id", assertion=UUID(match[1]))
        return next(iter(_statements(reader, rows)), None)
    if not _CLAIM.fullmatch(id_):
        return None
    wanted = UUID(id_)
    every = _statements(reader, reader.rows(AssertionRow, "pages", "assertions_ever"))
    return next((one for one in every if wanted in claim_ids(one, reader.key)), None)


def _statements(reader: Reader, rows: Sequence[AssertionRow]) -> list[Statement]:
    return statements_of(reader, rows, read_names(reader, entities_of(rows)))


def _slot(reader: Reader, anchor: Statement) -> _Slot:
    subject = subject_of(anchor)
    every = [one for one in _statements(reader, _beside(reader, anchor)) if subject_of(one) == subject]
    every.sort(key=_place)
    ties = ties_around(reader, list({one.item.item: one.item for one in every}.values()))
    known = [one for one in every if _is_held(one.row, reader.moment.known_at)]
    settled = settled_among(reader, (one.row for one in known))
    claims = reconcile(known, Ties(ties, settled), reader.moment.as_of, key=reader.key)
    by_assertion = {support.row.assertion: claim for claim in claims for support in claim.supports}
    return _Slot(every, ties, by_assertion, passages_of(reader, every))


def _place(one: Statement) -> tuple[datetime, datetime, tuple[datetime, str, str, str]]:
    """As the record came to know it; of what it learnt at once, what takes effect first."""
    return (one.row.known_from, one.row.valid_from or one.row.stated_at, one.order)


def _beside(reader: Reader, anchor: Statement) -> list[AssertionRow]:
    """Rows among which all of the anchor's slot are."""
    if subject_of(anchor)[0] != "slot":
        return reader.rows(AssertionRow, "pages", "assertions_ever_of_words", statement=anchor.row.statement)
    names = read_names(reader, entities_of([anchor.row]))
    written = sorted({*names.meaning({str(anchor.entity)}), str(anchor.entity), *entities_of([anchor.row])})
    return reader.rows(
        AssertionRow, "pages", "assertions_ever_of_slots", names=written, attributes=[anchor.row.attribute]
    )


def _is_held(row: AssertionRow, known_at: datetime | None) -> bool:
    if known_at is None:
        return row.known_to is None
    return row.known_from <= known_at and (row.known_to is None or known_at < row.known_to)


def _version(one: Statement, slot: _Slot) -> History:
    claim = slot.claims.get(one.row.assertion)
    held = claim if one.row.known_to is None else None
    citation = cite_statement(one, slot.passages, held)
    start, end = one.row.known_from, one.row.known_to
    if citation.level != "exact":
        start, end = coarse_time(start), coarse_time(end) if end is not None else None
    return History(
        statement=one.row.statement,
        valid_from=citation.valid_from,
        valid_to=citation.valid_to,
        known_from=start,
        known_to=end,
        why=_why(one, slot),
        by=citation.said_by,
        citation=citation if citation.quote is not None or citation.level != "exact" else None,
    )


def _why(one: Statement, slot: _Slot) -> str:
    """What brought this version; `retract` where it went and its item put nothing in its place."""
    mine = [other.row for other in slot.statements if other.item == one.item]
    until = one.row.known_to
    if until is not None and not any(row.known_from >= until for row in mine):
        return "retract"
    if any(row.known_to is not None and row.known_to <= one.row.known_from for row in mine):
        return "edit"
    return _why_added(one, slot)


def _why_added(one: Statement, slot: _Slot) -> str:
    others = [other for other in slot.statements if other.item != one.item]
    items = {other.item.item for other in others}
    acts = {tie.kind for tie in slot.ties if tie.actor.item == one.item.item and tie.target.item in items}
    if "supersedes" in acts:
        return "supersede"
    if "amends" in acts:
        return "amend"
    claim = slot.claims.get(one.row.assertion)
    if claim is not None and any(other.superseded_by == claim.id for other in slot.claims.values()):
        return "supersede"
    return "confirm" if _said_before(one, others) else "said"


def _said_before(one: Statement, others: Iterable[Statement]) -> bool:
    return any(other.row.value == one.row.value and other.order < one.order for other in others)
