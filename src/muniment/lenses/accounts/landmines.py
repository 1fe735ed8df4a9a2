"""What to know before a subject is opened again: said once, often by somebody who has left since."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from uuid import UUID

from muniment.domain.accounts import Commitment, Landmine, LandmineKind
from muniment.domain.assertions import Kind
from muniment.domain.record import PassageRow
from muniment.domain.regex import regex
from muniment.lenses.accounts.heard import (
    TALK,
    Heard,
    Sentence,
    Uttered,
    accounts_of,
    cite_sentences,
    hear,
    place_of,
    read_sentences,
    words_of,
)
from muniment.lenses.accounts.promise import without_speaker
from muniment.lenses.accounts.warnings import WORDS, read_warning
from muniment.pages.entities import Entity

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["Mines", "contract_items", "read_landmines"]

_KINDS: Final[dict[Kind, LandmineKind]] = {
    Kind.OBJECTION: "objection",
    Kind.SENSITIVITY: "sensitivity",
    Kind.ARRANGEMENT: "arrangement",
}
_ANSWERS: Final = (Kind.DECISION, Kind.ARRANGEMENT, Kind.COMMITMENT)
_CONTRACTS: Final = (
    r"\y(contract|agreement|msa|order form|statement of work|sow|terms|addendum|dpa|quote)\y"
    "|合同|协议|订单|条款"
)
_MOST_CONTRACTS = 50
_IN_IT = 0.5  # of a promise's words, so many stand together in one passage of the contract
# What belongs in a contract: money, terms, service, things to be built; not that somebody calls tomorrow.
_TERMS = regex(
    r"\d+(?:\.\d+)? ?%|[€$£¥]\s?\d|\b(?:discount|free of charge|free|waiv\w+|credits?|refund|cap(?:ped)?"
    r"|price|pricing|fee|rate|renewal|uplift|sla|uptime|24/7|dedicated|unlimited|licen[cs]es?|seats?|support"
    r"|feature|roadmap|integration|api|build|migrat\w+|training|indemnif\w*|liabilit\w*|exclusive|guarantee\w*"
    r"|notice period|payment terms|response time|on-?prem\w*|data residency|retention)\b"
    r"|折扣|免费|赠送|减免|退款|价格|专属|不限量|许可|席位|支持|功能|接口|集成|迁移|培训|保证|赔偿|账期|响应时间|独家|涨价|封顶",
    re.IGNORECASE,
)
_SETTLED = regex(
    r"\b(?:agreed|accepted|withdrew|withdrawn|resolved|settled|fine now|happy now|works for (?:us|me|them)"
    r"|no longer (?:an issue|a concern|object\w*))\b|同意了|接受了|解决了|没问题了|撤回",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Mines:
    """Landmines, the newest of each kind first; `has_contract`: whether a contract could be read at all."""

    landmines: tuple[Landmine, ...]
    has_contract: bool
    is_cut: bool


@dataclass(frozen=True, slots=True)
class _Found:
    item: UUID


def read_landmines(reader: Reader, account: Entity | None, owed: Sequence[Commitment]) -> Mines:
    """Of one account, or of all. `owed`: its commitments, which a contract may not have."""
    heard = hear(reader, account, {*_KINDS, *_ANSWERS})
    said = [*_stated(reader, heard, account), *_warned(reader, account)]
    contracts = [] if account is None else contract_items(reader, account)
    terms = _terms_of(reader, contracts)
    promised = [] if not terms else [_unwritten(one) for one in owed if _is_unwritten(one, terms)]
    every = {one.id: one for one in (*said, *promised)}
    return Mines(tuple(sorted(every.values(), key=_order)), bool(terms), heard.is_cut)


def _order(one: Landmine) -> tuple[object, ...]:
    """What nobody dealt with first, then the newest."""
    at = one.citations[0].said_at
    return one.handled is not None, -(at.timestamp() if at else 0), one.id


# ── stated ──


def _stated(reader: Reader, heard: Heard, account: Entity | None) -> Iterator[Landmine]:
    accounts = {} if account is not None else accounts_of(reader, (one.item for one in heard.said))
    answers = [one for one in heard.said if one.statement.row.kind in _ANSWERS]
    for one in heard.said:
        kind = _KINDS.get(Kind(one.statement.row.kind))
        if kind is None:
            continue
        near = [each for each in answers if place_of(each.item, accounts) == place_of(one.item, accounts)]
        handled = _handling(one, near) if kind == "objection" else None
        yield Landmine(
            id=one.statement.row.assertion.hex,
            kind=kind,
            what=without_speaker(one.statement.row.statement, one.statement.row.stated_by),
            handled=None if handled is None else handled.statement.row.statement,
            citations=(one.citation, *(() if handled is None else (handled.citation,))),
        )


def _handling(one: Uttered, answers: Iterable[Uttered]) -> Uttered | None:
    """The first later word that answers it: in the same talk by a decision, elsewhere by the same words."""
    words = words_of(one.statement.row.statement)
    for each in answers:
        if each.statement.row.stated_at <= one.statement.row.stated_at:
            continue
        shared = len(words & words_of(each.statement.row.statement))
        if shared >= max(1, len(words) // 3):
            return each
        if _is_one_talk(one, each) and _SETTLED.search(each.statement.row.statement):
            return each
    return None


def _is_one_talk(one: Uttered, other: Uttered) -> bool:
    return one.item.item == other.item.item or (
        one.item.thread is not None
        and (one.item.source, one.item.thread) == (other.item.source, other.item.thread)
    )


# ── warned of ──


def _warned(reader: Reader, account: Entity | None) -> list[Landmine]:
    found = [
        (kind, one)
        for one in read_sentences(reader, account, WORDS, (*TALK, "document"))
        if (kind := read_warning(one.text)) is not None
    ]
    cited = cite_sentences(reader, (one for _, one in found))
    return [_warning(kind, one, (cited[one.id],)) for kind, one in found if one.id in cited]


def _warning(kind: LandmineKind, one: Sentence, cited: tuple[object, ...]) -> Landmine:
    what = without_speaker(one.text, one.passage.speaker)
    return Landmine(one.id, kind, what, None, cited)  # type: ignore[arg-type]


# ── promised, and not in the contract ──


def contract_items(reader: Reader, account: Entity) -> list[UUID]:
    """The account's contracts that this reader may read, and what its system of record says."""
    rows = reader.rows(
        _Found,
        "accounts",
        "contracts",
        names=list(account.names),
        titles=_CONTRACTS,
        limit=_MOST_CONTRACTS,
    )
    return [row.item for row in rows]


def _terms_of(reader: Reader, items: Sequence[UUID]) -> list[frozenset[str]]:
    if not items:
        return []
    rows = reader.rows(PassageRow, "reader", "passages_of_items", items=list(items))
    return [words_of(row.body) for row in rows]


def _is_unwritten(one: Commitment, terms: Iterable[frozenset[str]]) -> bool:
    """Ours, open, of a kind that contracts settle, and nowhere in them."""
    if one.side != "ours" or one.strength == "hedged" or one.state in ("cancelled", "released", "superseded"):
        return False
    words = words_of(one.content)
    if not words or not _TERMS.search(one.content):
        return False
    return all(len(words & each) < _IN_IT * len(words) for each in terms)


def _unwritten(one: Commitment) -> Landmine:
    return Landmine(f"p_{one.id}", "promised_not_in_contract", one.content, None, one.citations[:1])
