"""The ledger: who owes what to whom, by when, and what has become of it, as one reader sees it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING
from uuid import UUID

from muniment.domain.accounts import Commitment, Due
from muniment.domain.assertions import Kind
from muniment.domain.trust import is_trusted
from muniment.domain.values import Citation
from muniment.lenses.accounts.heard import (
    Heard,
    Sentence,
    Uttered,
    accounts_of,
    cite_sentences,
    dues_of,
    hear,
    place_of,
    read_sentences,
    words_of,
)
from muniment.lenses.accounts.moves import WORDS, read_move
from muniment.lenses.accounts.parties import Parties, Party, read_parties
from muniment.lenses.accounts.promise import Promise, read_promise, without_speaker
from muniment.lenses.accounts.standing import Evidence, Said, Standing, settle
from muniment.pages.entities import Entity

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["Ledger", "read_ledger"]

OPEN = frozenset({"proposed", "conditional", "active", "violated"})


@dataclass(frozen=True, slots=True)
class Ledger:
    """Commitments, overdue first, then by day; `unsure`: those whose words may not bind whom they name."""

    commitments: tuple[Commitment, ...]
    unsure: tuple[str, ...]
    is_cut: bool


@dataclass(frozen=True, slots=True)
class _Entry:
    """A promise as read, with all it is told by."""

    uttered: Uttered
    promise: Promise
    party: Party
    place: str
    creditor: str | None
    due: Due | None
    said: Said


@dataclass(frozen=True, slots=True)
class _Room:
    """What entries and evidence are read with: people, accounts, and the one that was asked for."""

    parties: Parties
    accounts: Mapping[str, Entity]
    asked: Entity | None

    def place(self, one: Uttered | Sentence) -> str:
        """The account it speaks of."""
        return self.asked.id if self.asked is not None else place_of(one.item, self.accounts)

    def title(self, place: str) -> str | None:
        """What an account is called, by its place."""
        every = [*self.accounts.values(), *([] if self.asked is None else [self.asked])]
        return next((one.names[0] for one in every if one.id == place), place or None)


def read_ledger(reader: Reader, account: Entity | None) -> Ledger:
    """The commitments of one account, or of all that name one."""
    heard = hear(reader, account, {Kind.COMMITMENT})
    telling = read_sentences(reader, account, WORDS) if heard.said else []
    room = _room(reader, account, heard, telling)
    dues = dues_of(reader, heard.said)
    entries = {one.said.id: one for one in (_entry(each, dues, room) for each in heard.said)}
    moves = {one.id: one for each in telling if (one := _evidence(each, room)) is not None}
    stands = settle((one.said for one in entries.values()), moves.values())
    moved = {by for one in stands.values() for by in one.by}
    cited = cite_sentences(reader, (one for one in telling if one.id in moved))
    as_of = reader.moment.as_of.date()
    told = [_told(entries[id_], one, entries, cited, as_of) for id_, one in stands.items()]
    return Ledger(tuple(sorted(told, key=_order)), tuple(_unsure(entries.values())), heard.is_cut)


def _room(
    reader: Reader, account: Entity | None, heard: Heard, telling: Sequence[Sentence]
) -> _Room:  # fmt: skip
    items = {one.item.item: one.item for one in heard.said} | {one.item.item: one.item for one in telling}
    accounts = accounts_of(reader, items.values())
    spoken = {one.statement.row.stated_by for one in heard.said} | {one.passage.speaker for one in telling}
    owners = {read_promise(one.statement.row.statement).owner for one in heard.said}
    named = {name for item in items.values() for name in (item.author, item.author_name)}
    names = {name for name in spoken | owners | named if name}
    every = [*accounts.values(), *([] if account is None else [account])]
    return _Room(read_parties(reader, names, every), accounts, account)


def _entry(one: Uttered, dues: Mapping[UUID, Due], room: _Room) -> _Entry:
    row, item = one.statement.row, one.item
    promise = read_promise(without_speaker(row.statement, row.stated_by))
    speaker = room.parties.of(row.stated_by, item, speaks=True)
    party = speaker if promise.owner is None else room.parties.of(promise.owner, item, speaks=False)
    place, due = room.place(one), dues.get(row.assertion)
    names = (party.name, *(promise.owner or "").split())
    said = Said(
        id=row.assertion.hex,
        at=row.stated_at,
        who=party.id,
        side=party.side,
        words=words_of(promise.content, without=(*names, *(() if due is None else (due.text,)))),
        place=place,
        thread=item.thread or f"{item.source}:{item.id}",
        strength=promise.strength,
        condition=words_of(promise.condition or ""),
        due=None if due is None or due.date is None else date.fromisoformat(due.date),
        is_replaced=one.claim is not None and one.claim.status == "superseded",
    )
    creditor = room.title(place) if party.side == "ours" else speaker.id if promise.owner else None
    return _Entry(one, promise, party, place, creditor, due, said)


def _evidence(one: Sentence, room: _Room) -> Evidence | None:
    move = read_move(without_speaker(one.text, one.passage.speaker))
    if move is None:
        return None
    party = room.parties.of(one.passage.speaker, one.item, speaks=True)
    return Evidence(
        id=one.id,
        at=one.item.created_at,
        who=party.id,
        side=party.side,
        words=words_of(without_speaker(one.text, one.passage.speaker), without=(party.name,)),
        place=room.place(one),
        thread=one.item.thread or f"{one.item.source}:{one.item.id}",
        says=move.kind,
        to=move.to,
    )


def _told(
    one: _Entry, stands: Standing, entries: Mapping[str, _Entry], cited: Mapping[str, Citation], today: date
) -> Commitment:
    also = [entries[id_].uttered.citation for id_ in (*stands.again, *stands.by) if id_ in entries]
    moved = [cited[id_] for id_ in stands.by if id_ in cited]
    due = one.said.due
    return Commitment(
        id=one.said.id,
        content=one.promise.content,
        debtor=one.party.id or None,
        creditor=one.creditor,
        side=one.party.side,
        strength=one.promise.strength,
        condition=one.promise.condition,
        due=one.due,
        state=stands.state,
        overdue=stands.state in OPEN and due is not None and due < today,
        citations=(one.uttered.citation, *also, *moved),
    )


def _order(one: Commitment) -> tuple[object, ...]:
    """Overdue first, then what is open, each by its day; what is over last."""
    day = "9999" if one.due is None or one.due.date is None else one.due.date
    return (not one.overdue, one.state not in OPEN, day, one.citations[0].said_at or "", one.id)


def _unsure(entries: Iterable[_Entry]) -> Iterable[str]:
    """Promises on our side by who may not act: an agent, a tool, an outsider's paste."""
    for one in entries:
        row = one.uttered.statement.row
        if one.party.side == "ours" and not is_trusted(row.trust):
            who = f"{one.party.name}, whose word counts as {row.trust}"
            yield f"“{one.promise.content}” was promised by {who}"
