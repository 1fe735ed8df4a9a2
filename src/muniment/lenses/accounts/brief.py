"""The page that hands an account over: what the new owner must know, every line of it cited, in a budget."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from uuid import UUID

from muniment.claims.cite import cite_claim, cite_passage, passages_of
from muniment.claims.claim import Claim, holds
from muniment.claims.read import item_periods, items_of
from muniment.context.freshness import freshness
from muniment.context.tokens import TOKENIZER, count_tokens
from muniment.domain.accounts import Commitment, Handoff, HandoffLine, HandoffSection, Landmine
from muniment.domain.assertions import Kind
from muniment.domain.errors import Usage
from muniment.domain.identity import keyed_digest
from muniment.domain.record import ItemRow, PassageRow
from muniment.domain.values import Budget
from muniment.lenses.accounts.account import get_account
from muniment.lenses.accounts.heard import Uttered, hear
from muniment.lenses.accounts.landmines import Mines, contract_items, read_landmines
from muniment.lenses.accounts.ledger import OPEN, Ledger, read_ledger
from muniment.lenses.accounts.parties import read_parties
from muniment.lenses.accounts.sheet import Sheet, fill, render
from muniment.lenses.accounts.signed import signed
from muniment.pages.about import claims_about, items_about
from muniment.pages.entities import Entity

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["read_handoff"]

_RECENT = timedelta(days=60)
_MOST_PEOPLE = 40
_LONGEST = 220  # characters of a line that is only words from the talk


@dataclass(frozen=True, slots=True)
class _Person:
    name: str
    items: int
    last: UUID
    at: datetime


@dataclass(frozen=True, slots=True)
class _Gathered:
    """All that the page is made from."""

    account: Entity
    ledger: Ledger
    mines: Mines
    claims: Sequence[Claim]
    contracts: frozenset[UUID]
    talk: Sequence[Uttered]
    people: Sequence[HandoffLine]
    is_cut: bool


def read_handoff(reader: Reader, name: str, budget: int) -> Handoff:
    """The page for one account. Missing and forbidden are refused alike."""
    if budget < 1:
        raise Usage(f"a budget is at least 1 token, not {budget}")
    found = _gather(reader, get_account(reader, name))
    sections = tuple(_sections(reader, found))
    sheet = Sheet(
        title=found.account.title,
        as_of=reader.moment.as_of,
        sections=sections,
        missing=tuple(_missing(reader, found)),
        unsure=tuple(_unsure(found)),
    )
    filled = fill(sheet, budget, count_tokens)
    markdown = render(filled)
    used = count_tokens(markdown)
    return Handoff(
        account=found.account.names[0],
        title=found.account.title,
        markdown=markdown if used <= budget else "",
        budget=Budget(budget, used if used <= budget else 0, TOKENIZER),
        sections=filled.sections if used <= budget else (),
        missing=filled.missing,
        unsure=filled.unsure,
        signed=signed(reader, found.account),
        seen=_seen(reader, found.account, filled),
        as_of=reader.moment.as_of,
    )


def _seen(reader: Reader, account: Entity, sheet: Sheet) -> str:
    """What stands for every line, and for every citation of it."""
    lines = [line for one in sheet.sections for line in one.lines]
    cited = [one.id for line in lines for one in line.citations]
    words = [line.text for line in lines]
    return keyed_digest(reader.key, "handoff", account.id, *words, *cited).hex()


def _gather(reader: Reader, account: Entity) -> _Gathered:
    ledger = read_ledger(reader, account)
    talk = hear(reader, account, {Kind.DECISION, Kind.ARRANGEMENT, Kind.QUESTION, Kind.PREFERENCE})
    items = [one for one in items_about(reader, account) if one.source != "muniment"]
    return _Gathered(
        account=account,
        ledger=ledger,
        mines=read_landmines(reader, account, ledger.commitments),
        claims=_standing(reader, claims_about(reader, account, items)),
        contracts=frozenset(contract_items(reader, account)),
        talk=talk.said,
        people=tuple(_people(reader, account)),
        is_cut=talk.is_cut or ledger.is_cut,
    )


def _standing(reader: Reader, claims: Iterable[Claim]) -> list[Claim]:
    """What holds and has a slot of its own, newest word first."""
    as_of = reader.moment.as_of
    kept = [
        one
        for one in claims
        if one.slot is not None
        and one.status == "active"
        and holds(one, as_of)
        and one.supports[0].row.stated_at <= as_of
    ]
    return sorted(kept, key=lambda one: (-one.supports[0].row.stated_at.timestamp(), one.id))


def _sections(reader: Reader, found: _Gathered) -> Iterator[HandoffSection]:
    """In the order of the page; what is empty is left out."""
    terms = [one for one in found.claims if _is_term(one, found.contracts)]
    rest = [one for one in found.claims if one not in terms]
    ours = [one for one in found.ledger.commitments if one.side == "ours"]
    theirs = [one for one in found.ledger.commitments if one.side == "theirs"]
    every = (
        ("Where it stands", _claimed(reader, rest)),
        ("People", found.people),
        ("We owe", [_owed(one) for one in ours if one.state in OPEN]),
        ("They owe", [_owed(one) for one in theirs if one.state in OPEN]),
        ("Before you reopen anything", [_mine(one) for one in found.mines.landmines]),
        ("In the contract", _claimed(reader, terms)),
        ("Recently", [_said(one) for one in _recent(reader, found)]),
        ("Open questions", [_said(one) for one in _questions(reader, found)]),
        ("Done and dropped", [_owed(one) for one in found.ledger.commitments if one.state not in OPEN]),
    )
    return (HandoffSection(title, tuple(lines)) for title, lines in every if lines)


def _is_term(claim: Claim, contracts: frozenset[UUID]) -> bool:
    return any(
        one.item.item in contracts or one.row.authority == "system_of_record" for one in claim.supports
    )


def _claimed(reader: Reader, claims: Sequence[Claim]) -> list[HandoffLine]:
    passages = passages_of(reader, (one for claim in claims for one in claim.supports))
    cited = ((claim, cite_claim(claim, passages, limit=2)) for claim in claims)
    return [HandoffLine(_cut(claim.statement), citations) for claim, citations in cited if citations]


def _owed(one: Commitment) -> HandoffLine:
    due = "" if one.due is None else f", due {one.due.date or one.due.text}"
    late = ", OVERDUE" if one.overdue else ""
    on = "" if one.condition is None else f" — {one.condition}"
    how = "" if one.strength in ("firm", one.state) else f", {one.strength}"
    who = one.debtor or "somebody"
    return HandoffLine(
        f"{who}: {_cut(one.content)}{on} ({one.state}{how}{due}{late})", one.citations[:3]
    )  # fmt: skip


def _mine(one: Landmine) -> HandoffLine:
    handled = "" if one.handled is None else f" → {_cut(one.handled)}"
    return HandoffLine(f"{one.kind.replace('_', ' ')}: {_cut(one.what)}{handled}", one.citations[:2])


def _said(one: Uttered) -> HandoffLine:
    row = one.statement.row
    who = one.citation.said_by or "somebody"
    return HandoffLine(
        f"{row.stated_at.date().isoformat()}, {who}: {_cut(row.statement)}", (one.citation,)
    )  # fmt: skip


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _recent(reader: Reader, found: _Gathered) -> list[Uttered]:
    """Decisions and arrangements, the newest first."""
    since = reader.moment.as_of - _RECENT
    kept = [one for one in found.talk if one.statement.row.kind != Kind.QUESTION]
    return [one for one in reversed(kept) if one.statement.row.stated_at >= since]


def _questions(reader: Reader, found: _Gathered) -> list[Uttered]:
    """Those after which nobody else stated anything in the same talk."""
    since = reader.moment.as_of - _RECENT
    asked = [one for one in found.talk if one.statement.row.kind == Kind.QUESTION]
    return [
        one
        for one in reversed(asked)
        if one.statement.row.stated_at >= since and not any(_answers(each, one) for each in found.talk)
    ]


def _answers(one: Uttered, asked: Uttered) -> bool:
    return (
        one.item.thread is not None
        and one.item.thread == asked.item.thread
        and one.statement.row.stated_at > asked.statement.row.stated_at
        and one.citation.said_by != asked.citation.said_by
    )


# ── people ──


def _people(reader: Reader, account: Entity) -> Iterator[HandoffLine]:
    """Who takes part, most active first, each with the last words that show it."""
    rows = reader.rows(_Person, "accounts", "people", names=list(account.names), limit=_MOST_PEOPLE)
    parties = read_parties(reader, [row.name for row in rows], [account])
    items = {one.item: one for one in items_of(reader, {row.last for row in rows})}
    passages = _first_passages(reader, items.values())
    standings = item_periods(reader, list(items.values())) if items else {}
    seen: set[str] = set()
    for row in rows:
        item = items.get(row.last)
        if item is None or row.last not in passages:
            continue
        party = parties.of(row.name, item, speaks=True)
        if party.id in seen:
            continue
        seen.add(party.id)
        passage = passages[row.last]
        cited = cite_passage(
            passage, (0, min(len(passage.body), 120)), item, standings[row.last], reader.moment.as_of
        )
        side = "theirs" if party.side == "theirs" else "ours"
        count = "1 item" if row.items == 1 else f"{row.items} items"
        text = f"{party.name} ({side}): {count}, last {row.at.date().isoformat()}"
        yield HandoffLine(text, (cited,))


def _first_passages(reader: Reader, items: Iterable[ItemRow]) -> dict[UUID, PassageRow]:
    wanted = sorted(one.item for one in items)
    rows = reader.rows(PassageRow, "reader", "passages_of_items", items=wanted) if wanted else []
    first: dict[UUID, PassageRow] = {}
    for row in rows:
        if row.body.strip():
            first.setdefault(row.item, row)
    return first


# ── what is not there ──


def _missing(reader: Reader, found: _Gathered) -> Iterator[str]:
    if not found.contracts:
        yield "no contract among what you may read: what was only promised cannot be told"
    if not any("(theirs)" in one.text for one in found.people):
        yield "nobody on their side is known by name or address"
    if not found.ledger.commitments:
        yield "no promise was found in either direction"
    if found.is_cut:
        yield "only the newest 2,000 statements were looked at"
    for one in freshness(reader):
        if one.state != "current":
            yield f"source {one.source} is {one.state}"


def _unsure(found: _Gathered) -> Iterator[str]:
    yield from found.ledger.unsure
    undated = sum(1 for one in found.ledger.commitments if one.state in OPEN and one.due is None)
    if undated:
        yield f"{undated} open without a day"
    for claim in found.claims:
        if claim.conflicts_with:
            yield f"conflict: {_cut(claim.statement)}"
