"""What an account's talk holds for the lens, and no more: statements of few kinds, and telling sentences."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Final
from uuid import UUID

from muniment.claims.cite import cite_passage, cite_statement, passages_of
from muniment.claims.claim import Claim, Statement
from muniment.claims.naming import read_names
from muniment.claims.read import claims_of_rows, entities_of, item_periods, items_of, statements_of
from muniment.domain.accounts import Due
from muniment.domain.assertions import Kind
from muniment.domain.names import normal_name
from muniment.domain.passages import Origin
from muniment.domain.record import AssertionRow, ItemRow, PassageRow
from muniment.domain.values import Citation
from muniment.index.words import terms
from muniment.items.sentences import sentences
from muniment.pages.entities import Entity, entities_called

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = [
    "MOST",
    "TALK",
    "Heard",
    "Sentence",
    "Uttered",
    "accounts_of",
    "cite_sentences",
    "dues_of",
    "hear",
    "place_of",
    "read_sentences",
    "words_of",
]

MOST: Final = 2_000  # statements, and passages, of one account; what is older is said to be left out
TALK: Final = ("message", "email", "call", "meeting", "note", "issue", "crm", "calendar")
_TIMED: Final = frozenset(
    "today tomorrow yesterday tonight monday tuesday wednesday thursday friday saturday sunday week month "
    "quarter year end day noon morning afternoon eod cob next last coming january february march april may "
    "june july august september october november december "
    "今天 明天 后天 今晚 本周 下周 周一 周二 周三 周四 周五 周末 月底 "
    "之前 以前 前".split()
)
_ACTS: Final = frozenset(
    "send sent share ship deliv deliver provid give get got do done make made complet finish sign pay paid "
    "deploy attach receiv publish submit upload put have has had take took keep tell told ask let come back "
    "still now just already also over new "
    "发 发给 发送 寄 交付 完成 提供 给 上线 提交 搞定 收到 已经 还没 我们 我会 会 将".split()
)


@dataclass(frozen=True, slots=True)
class Uttered:
    """A statement with whatever it can be cited by."""

    statement: Statement
    claim: Claim | None
    citation: Citation

    @property
    def item(self) -> ItemRow:
        """Where it was said."""
        return self.statement.item


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of somebody's own in the account's talk."""

    passage: PassageRow
    start: int
    end: int
    item: ItemRow
    text: str

    @property
    def id(self) -> str:
        """Where it stands."""
        return f"{self.passage.passage.hex}_{self.start}_{self.end}"


@dataclass(frozen=True, slots=True)
class Heard:
    """Statements in the order they were said; `is_cut`: there were more than are looked at."""

    said: tuple[Uttered, ...]
    is_cut: bool


@dataclass(frozen=True, slots=True)
class _Day:
    assertion: UUID
    role: str
    text: str
    day: str | None
    place: int


def hear(reader: Reader, account: Entity | None, kinds: Collection[Kind]) -> Heard:
    """What was said of these kinds; of every account where none is named."""
    names = None if account is None else list(account.names)
    rows = reader.rows(
        AssertionRow, "accounts", "statements", kinds=sorted(kinds), names=names, limit=MOST + 1
    )
    kept = rows[:MOST]
    known = read_names(reader, entities_of(kept))
    stated = [one for one in statements_of(reader, kept, known) if _counts(one)]
    passages = passages_of(reader, stated)
    claims = _claims(reader, kept)
    said = [_uttered(one, claims, passages) for one in stated]
    ordered = sorted((one for one in said if one is not None), key=lambda one: one.statement.order)
    return Heard(tuple(ordered), len(rows) > MOST)


def _counts(one: Statement) -> bool:
    """Only what stands and was said in so many words: a level tells no sentence."""
    return one.item.state != "recalled" and one.row.level == "exact" and one.item.source != "muniment"


def _claims(reader: Reader, rows: Sequence[AssertionRow]) -> dict[UUID, Claim]:
    return {
        one.row.assertion: claim for claim in claims_of_rows(reader, rows) for one in claim.supports
    }  # fmt: skip


def _uttered(
    one: Statement, claims: Mapping[UUID, Claim], passages: Mapping[UUID, PassageRow]
) -> Uttered | None:
    claim = claims.get(one.row.assertion)
    citation = cite_statement(one, passages, claim)
    return None if citation.quote is None else Uttered(one, claim, citation)


# ── by when ──


def dues_of(reader: Reader, said: Iterable[Uttered]) -> dict[UUID, Due]:
    """By when each is to be done: what its words call due, else the one day they name."""
    at = {one.statement.row.assertion: one.statement.row.stated_at for one in said}
    rows = reader.rows(_Day, "accounts", "dues", assertions=sorted(at)) if at else []
    found: dict[UUID, _Day] = {}
    for row in sorted(rows, key=lambda one: (one.role != "due", one.place)):
        found.setdefault(row.assertion, row)
    return {id_: _due(row, at[id_]) for id_, row in found.items()}


def _due(row: _Day, said: datetime) -> Due:
    day = _last_day(row.day)
    return Due(row.text, None if day is None else day.isoformat(), said)


def _last_day(written: str | None) -> date | None:
    """The last day of a stretch, the day of an instant."""
    try:
        return date.fromisoformat((written or "").rpartition("/")[2][:10])
    except ValueError:
        return None


# ── sentences ──


def read_sentences(
    reader: Reader, account: Entity | None, words: str, kinds: Sequence[str] = TALK
) -> list[Sentence]:
    """People's own sentences in passages that have one of these words."""
    names = None if account is None else list(account.names)
    rows = reader.rows(
        PassageRow,
        "accounts",
        "telling_passages",
        words=words,
        kinds=list(kinds),
        names=names,
        limit=MOST,
    )
    items = {one.item: one for one in items_of(reader, {row.item for row in rows})}
    found = re.compile(words.replace(r"\y", r"\b"), re.IGNORECASE)
    return [
        one
        for row in rows
        if row.item in items and items[row.item].source != "muniment"
        for one in _own(row, items[row.item])
        if found.search(one.text)
    ]


def _own(passage: PassageRow, item: ItemRow) -> Iterator[Sentence]:
    spans = passage.spans or ((0, len(passage.body), Origin.OWN),)
    for first, last, origin in spans:
        if origin != Origin.OWN:
            continue
        begin, stop = int(str(first)), int(str(last))
        for start, end in sentences(passage.body[begin:stop]):
            text = " ".join(passage.body[begin + start : begin + end].split())
            yield Sentence(passage, begin + start, begin + end, item, text)


def cite_sentences(reader: Reader, found: Iterable[Sentence]) -> dict[str, Citation]:
    """A citation of each, by its id."""
    wanted = {one.id: one for one in found}
    items = {one.item.item: one.item for one in wanted.values()}
    standings = item_periods(reader, list(items.values())) if items else {}
    return {
        id_: cite_passage(
            one.passage, (one.start, one.end), one.item, standings[one.item.item], reader.moment.as_of
        )
        for id_, one in wanted.items()
    }


# ── words ──


def words_of(text: str, *, without: Iterable[str] = ()) -> frozenset[str]:
    """What a sentence is about: its words without days, people and what is done with anything."""
    gone = {word for name in without for word in _plain(name)}
    return frozenset(word for word in _plain(text) if word not in _TIMED | _ACTS | gone)


def _plain(text: str) -> set[str]:
    return {"".join(one) for one in terms(text)}


def place_of(item: ItemRow, accounts: Mapping[str, Entity]) -> str:
    """The account an item speaks of: its id, else its own word for it."""
    plain = normal_name(item.account or "")
    return accounts[plain].id if plain in accounts else plain


def accounts_of(reader: Reader, items: Iterable[ItemRow]) -> dict[str, Entity]:
    """The accounts that items name, by the name they use."""
    names = {plain for one in items if (plain := normal_name(one.account or ""))}
    return {
        name: one for name, one in entities_called(reader, sorted(names)).items() if one.kind == "account"
    }
