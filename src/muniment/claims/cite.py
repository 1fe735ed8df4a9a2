"""Citations: a statement, the words that prove it, and an id by which both are found again."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Literal, cast
from uuid import UUID

from muniment.claims.claim import Claim, Statement
from muniment.claims.naming import read_names
from muniment.claims.read import (
    ItemStanding,
    claims_of_rows,
    entities_of,
    item_periods,
    items_of,
    statements_of,
)
from muniment.claims.shown import seen_span
from muniment.domain.errors import Refused
from muniment.domain.record import AssertionRow, ItemRow, PassageRow, VersionRow
from muniment.domain.regex import regex
from muniment.domain.values import Citation

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = [
    "Found",
    "cite_claim",
    "cite_passage",
    "cite_statement",
    "coarse_time",
    "find_citation",
    "find_citations",
    "passages_of",
    "quote_of",
]

_ASSERTION = regex(r"c_([0-9a-f]{32})")
_PASSAGE = regex(r"p_([0-9a-f]{32})_(0|[1-9][0-9]{0,8})_([1-9][0-9]{0,8})")


@dataclass(frozen=True, slots=True)
class Found:
    """A citation with what stands behind it; `passage` and `item` None where its level hides them."""

    citation: Citation
    item: ItemRow | None
    passage: PassageRow | None
    start: int
    end: int


def quote_of(row: AssertionRow) -> tuple[UUID, int, int]:
    """Where the words that prove a statement stand: passage, start, end."""
    passage, start, end = row.quotes[0]
    return UUID(str(passage)), int(str(start)), int(str(end))


def passages_of(reader: Reader, statements: Iterable[Statement]) -> dict[UUID, PassageRow]:
    """The passages these statements quote; none for those whose level hides them."""
    wanted = sorted({quote_of(one.row)[0] for one in statements if one.row.level == "exact"})
    return reader.passages(wanted)


def cite_claim(
    claim: Claim, passages: Mapping[UUID, PassageRow], *, limit: int | None = None
) -> tuple[Citation, ...]:
    """A citation for each of the claim's supports whose words can be shown, best first."""
    shown = [one for one in claim.supports if one.row.level != "exact" or quote_of(one.row)[0] in passages]
    return tuple(cite_statement(support, passages, claim) for support in shown[:limit])


def cite_statement(
    statement: Statement, passages: Mapping[UUID, PassageRow], claim: Claim | None
) -> Citation:
    """One statement; `claim` None for one that no claim rests on any more."""
    row, item = statement.row, statement.item
    citation = Citation(
        id=f"c_{row.assertion.hex}",
        claim=None,
        statement=row.statement,
        quote=_quote(row, passages),
        source=item.source,
        item=item.id,
        version=item.version,
        url=item.url,
        said_by=row.stated_by or item.author or item.author_name,
        said_at=row.stated_at,
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        status="candidate" if statement.is_waiting else "superseded",
        superseded_by=None,
        conflicts_with=(),
        authority=row.authority,
        trust=row.trust,
    )
    return _coarse(citation if claim is None else _within(citation, claim), row.level)


def _quote(row: AssertionRow, passages: Mapping[UUID, PassageRow]) -> str | None:
    passage, start, end = quote_of(row)
    return passages[passage].body[start:end] if passage in passages else None


def _within(citation: Citation, claim: Claim) -> Citation:
    """The citation with what its claim says of period and status."""
    return replace(
        citation,
        claim=claim.id.hex,
        valid_from=claim.valid_from,
        valid_to=claim.valid_to,
        status=claim.status,
        superseded_by=claim.superseded_by.hex if claim.superseded_by is not None else None,
        conflicts_with=tuple(other.hex for other in claim.conflicts_with),
    )


def _coarse(citation: Citation, level: str) -> Citation:
    """A value disclosed as a range or trend: no words, place or author, and times no finer than a month."""
    if level == "exact":
        return citation
    return replace(
        citation,
        quote=None,
        item=None,
        version=None,
        url=None,
        said_by=None,
        said_at=_month(citation.said_at),
        valid_from=_month(citation.valid_from),
        valid_to=_month(citation.valid_to),
        level=cast("Literal['range', 'trend']", level),
    )


def coarse_time(at: datetime) -> datetime:
    """The month an instant lies in."""
    return at.replace(day=1, hour=0, minute=0, second=0, microsecond=0)


def _month(at: datetime | None) -> datetime | None:
    return None if at is None else coarse_time(at)


def cite_passage(
    passage: PassageRow, span: tuple[int, int], item: ItemRow, standing: ItemStanding, as_of: datetime
) -> Citation:
    """The words of a passage between two characters, as they stand; none that stand around hidden ones."""
    start, end = seen_span(passage, *span)
    quote = passage.body[start:end]
    valid = standing.valid
    citation = Citation(
        id=f"p_{passage.passage.hex}_{start}_{end}",
        claim=None,
        statement=" ".join(quote.split()),
        quote=quote,
        source=item.source,
        item=item.id,
        version=item.version,
        url=item.url,
        said_by=passage.speaker or item.author or item.author_name,
        said_at=item.at,
        valid_from=valid.start if valid is not None else item.valid_from,
        valid_to=valid.end if valid is not None else item.valid_from,
        status=_status(item, standing, as_of),
        superseded_by=None,
        conflicts_with=(),
        authority=item.authority,
        trust=item.trust,
    )
    return _coarse(citation, item.level)


def _status(
    item: ItemRow, standing: ItemStanding, as_of: datetime
) -> Literal["active", "superseded", "recalled"]:
    if item.state == "recalled":
        return "recalled"
    over = standing.valid is None or (standing.valid.end is not None and standing.valid.end <= as_of)
    return "superseded" if over and standing.superseded_by is not None else "active"


def find_citation(reader: Reader, citation_id: str) -> Found:
    """What a citation's id stands for. Malformed, missing and forbidden are refused alike."""
    found: Found | None = None
    if match := _ASSERTION.fullmatch(citation_id):
        found = _find_statement(reader, UUID(match[1]))
    elif match := _PASSAGE.fullmatch(citation_id):
        found = _find_span(reader, UUID(match[1]), int(match[2]), int(match[3]))
    if found is None:
        raise Refused(f"no citation {citation_id!r} for this reader")
    return found


def find_citations(reader: Reader, ids: Iterable[str]) -> list[Citation]:
    """Those of these that stand for something, each once; the others are left out, whatever they are."""
    found: list[Citation] = []
    for one in dict.fromkeys(ids):
        with suppress(Refused):
            found.append(find_citation(reader, one).citation)
    return found


def _find_statement(reader: Reader, assertion: UUID) -> Found | None:
    rows = reader.rows(AssertionRow, "claims", "assertion_by_id", assertion=assertion)
    if not rows:
        return None
    row = _known(rows, reader.moment.known_at)
    items = items_of(reader, {row.item})
    if not items:
        return None
    statement, claim = _claim_of(reader, row, items[0])
    passages = passages_of(reader, [statement])
    citation = cite_statement(statement, passages, claim)
    if citation.level != "exact":
        return Found(citation, None, None, 0, 0)
    passage, start, end = quote_of(row)
    return Found(citation, items[0], passages[passage], start, end) if passage in passages else None


def _known(rows: Sequence[AssertionRow], known_at: datetime | None) -> AssertionRow:
    """The row the record holds at the instant, else the last it held."""
    held = [row for row in rows if _is_known(row, known_at)]
    return max(held or rows, key=lambda row: (row.known_from, str(row.valid_from)))


def _is_known(row: AssertionRow, known_at: datetime | None) -> bool:
    if known_at is None:
        return row.known_to is None
    return row.known_from <= known_at and (row.known_to is None or known_at < row.known_to)


def _claim_of(reader: Reader, row: AssertionRow, item: ItemRow) -> tuple[Statement, Claim | None]:
    """The statement as the reader's claims hold it, and the claim that rests on it, if any does."""
    claims: Collection[Claim] = ()
    if _is_known(row, reader.moment.known_at):
        claims = claims_of_rows(reader, [row], [item])
    for claim in claims:
        for support in claim.supports:
            if support.row.assertion == row.assertion:
                return support, claim
    names = read_names(reader, entities_of([row]))
    return statements_of(reader, [row], names, [item])[0], None


def _find_span(reader: Reader, passage: UUID, start: int, end: int) -> Found | None:
    rows = reader.rows(PassageRow, "reader", "passages_by_id", passages=[passage])
    if not rows or not start < end <= len(rows[0].body):
        return None
    items = items_of(reader, {rows[0].item})
    if not items:
        return None
    standing = item_periods(reader, items)[items[0].item]
    start, end = seen_span(rows[0], start, end)
    cited = cite_passage(rows[0], (start, end), items[0], standing, reader.moment.as_of)
    citation = _coarse(_of_its_version(reader, cited, rows[0]), items[0].level)
    if citation.level != "exact":
        return Found(citation, None, None, 0, 0)
    return Found(citation, items[0], rows[0], start, end)


def _of_its_version(reader: Reader, citation: Citation, passage: PassageRow) -> Citation:
    """The citation as of the newest version that holds the words: an edit may have taken them out since."""
    versions = reader.rows(VersionRow, "reader", "versions_of_items", items=[passage.item])
    holding = [one for one in versions if passage.passage in one.passages]
    current = next(
        (one for one in reversed(versions) if one.known_from is not None and one.known_to is None), None
    )
    if not holding or (current is not None and passage.passage in current.passages):
        return citation
    return replace(citation, version=holding[-1].version, said_at=holding[-1].at, status="superseded")
