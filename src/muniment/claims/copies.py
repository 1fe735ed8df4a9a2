"""Words a reader has seen before from somebody who counts for less: for that reader they count no more now.

Pasting an outsider's text as a member does not raise it, nor does summarising what was pasted. It depends
on what the reader can see and nothing else: who cannot see the outsider's text has only the member's word.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar
from uuid import UUID

from muniment.domain.record import AssertionRow, ItemRow, PassageRow
from muniment.domain.trust import ACTING, APPROVED, APPROVED_ALONE, is_trusted, minimum, trust_rank
from muniment.items.echoes import telling

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["Words", "as_heard", "heard_before"]

Name = TypeVar("Name", bound=Hashable)
_DECIDED = (APPROVED, APPROVED_ALONE)


@dataclass(frozen=True, slots=True)
class Words:
    """Some words of one passage of an item."""

    item: UUID
    passage: UUID
    text: str
    trust: str


@dataclass(frozen=True, slots=True)
class _Echo:
    mark: int
    item: UUID
    trust: str
    known: datetime
    at: datetime


@dataclass(frozen=True, slots=True)
class _Since:
    passage: UUID
    known: datetime | None
    at: datetime


@dataclass(frozen=True, slots=True)
class _Origin:
    item: UUID
    origin: UUID


def as_heard(
    reader: Reader, rows: Sequence[AssertionRow], items: Mapping[UUID, ItemRow]
) -> list[AssertionRow]:
    """The rows; a rule that repeats, for this reader, what may not act by itself waits for a decision too."""
    words = {
        row.assertion: Words(row.item, UUID(str(row.quotes[0][0])), row.statement, row.trust)
        for row in rows
        if row.kind in ACTING and row.status == "active" and row.level == "exact" and row.item in items
    }
    lower = heard_before(reader, words)
    return [_lowered(row, lower.get(row.assertion)) for row in rows]


def _lowered(row: AssertionRow, trust: str | None) -> AssertionRow:
    if trust is None or is_trusted(trust):
        return row
    return replace(row, trust=trust, status="candidate")


def heard_before(reader: Reader, words: Mapping[Name, Words]) -> dict[Name, str]:
    """By the key they are given under: what those count for that this reader may have read before."""
    asked = {key: one for key, one in words.items() if one.trust not in _DECIDED}
    if not asked or not reader.sight.echoes:
        return {}
    texts = {key: _Said(one.passage, telling(one.text), one.trust) for key, one in asked.items()}
    behind = _behind(reader, asked)
    every = [*texts.values(), *(said for each in behind.values() for said in each)]
    echoes = _echoes(reader, {mark for said in every for mark in said.marks})
    if not echoes:
        return {}
    since = _since(reader, {said.passage for said in every if not said.marks.isdisjoint(echoes)})
    found: dict[Name, str] = {}
    for key, said in texts.items():
        trusts = [_least(one, echoes, since) for one in (said, *behind.get(asked[key].item, ()))]
        if trust_rank(least := minimum([said.trust, *trusts])) < trust_rank(said.trust):
            found[key] = least
    return found


@dataclass(frozen=True, slots=True)
class _Said:
    passage: UUID
    marks: frozenset[int]
    trust: str


def _behind(reader: Reader, words: Mapping[Name, Words]) -> dict[UUID, list[_Said]]:
    """The words of everything these items were made from."""
    items = sorted({one.item for one in words.values()})
    pairs = reader.rows(_Origin, "claims", "lineage", items=items) if items else []
    origins = sorted({pair.origin for pair in pairs})
    passages = reader.rows(PassageRow, "reader", "passages_of_items", items=origins) if origins else []
    of: dict[UUID, list[_Said]] = {origin: [] for origin in origins}
    for row in passages:
        of[row.item].append(_Said(row.passage, telling(row.body), APPROVED))
    found: dict[UUID, list[_Said]] = {}
    for pair in pairs:
        found.setdefault(pair.item, []).extend(of[pair.origin])
    return found


def _echoes(reader: Reader, marks: Collection[int]) -> dict[int, list[_Echo]]:
    found: dict[int, list[_Echo]] = {}
    for row in reader.rows(_Echo, "claims", "echoes", marks=sorted(marks)) if marks else ():
        found.setdefault(row.mark, []).append(row)
    return found


def _since(reader: Reader, passages: Collection[UUID]) -> dict[UUID, _Since]:
    rows = reader.rows(_Since, "claims", "words_known", passages=sorted(passages)) if passages else []
    return {row.passage: row for row in rows}


def _least(said: _Said, echoes: Mapping[int, Sequence[_Echo]], since: Mapping[UUID, _Since]) -> str:
    """What the least trusted of those counts for who said it no later."""
    mine = since.get(said.passage)
    before = (one for mark in said.marks for one in echoes.get(mark, ()) if _is_before(one, mine))
    return minimum([said.trust, *(one.trust for one in before)])


def _is_before(one: _Echo, mine: _Since | None) -> bool:
    """Known first; of what came at once, dated first. What is not known to be earlier is not."""
    if mine is None or mine.known is None:
        return True
    return (one.known, one.at) <= (mine.known, mine.at)
