"""What may be remembered: episodes with what they say of themselves, and procedures for a signal."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final, Literal
from uuid import UUID

from muniment.claims.cite import cite_claim, passages_of
from muniment.claims.claim import Claim
from muniment.claims.read import ItemStanding, claims_of_items, item_periods, items_of
from muniment.domain.names import is_usable, normal_name
from muniment.domain.record import ItemRow, PassageRow
from muniment.domain.trust import APPROVED, APPROVED_ALONE, is_trusted
from muniment.domain.values import Citation
from muniment.events.rights import RESERVED
from muniment.lenses.incidents.ledger import Row, text_of, texts_of
from muniment.lenses.incidents.situation import Situation, codes_in

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["Memory", "approved", "episodes", "memories", "procedures"]

MOST: Final = 400  # memories looked at for one briefing, the newest first
_CAUSES: Final = ("root_cause",)
_APPROVED: Final = frozenset((APPROVED, APPROVED_ALONE))


@dataclass(frozen=True, slots=True)
class Memory:
    """One thing that is remembered, with all that decides whether it applies.

    `cause_by` is who confirmed its cause, None where nobody did; `because` how it came to be trusted.
    """

    id: str
    item: UUID
    kind: Literal["episode", "procedure"]
    statement: str
    check: str | None
    service: str | None
    environment: str | None
    version: str | None
    signals: frozenset[str]
    codes: frozenset[str]
    entities: frozenset[str]
    tools: frozenset[str]
    text: str
    at: datetime
    is_settled: bool
    standing: ItemStanding
    scope: str
    citations: tuple[Citation, ...]


def memories(reader: Reader, now: Situation, near: Collection[str]) -> list[Memory]:
    """What this reader may see and what may have to do with a situation; `near` names what reads like it."""
    rows = reader.rows(Row, "incidents", "episodes")
    alike = [row for row in rows if _is_alike(row, now) or f"h_{row.item.hex}" in near]
    return [*_episodes(reader, alike[-MOST:]), *procedures(reader, now.signals)]


def _is_alike(row: Row, now: Situation) -> bool:
    is_same = row.service is not None and normal_name(row.service) == normal_name(now.service or "")
    return is_same or not now.signals.isdisjoint(_signals(row))


def episodes(reader: Reader) -> list[Memory]:
    """Finished investigations, the newest first; of very many, the newest."""
    return _episodes(reader, reader.rows(Row, "incidents", "episodes")[-MOST:])


def _episodes(reader: Reader, rows: Sequence[Row]) -> list[Memory]:
    told = _told(reader, [row.item for row in rows])
    found = [_episode(row, told) for row in reversed(rows) if row.item in told.items]
    return [one for one in found if one is not None]


@dataclass(frozen=True, slots=True)
class _Told:
    """The items behind memories, with their words, how they stand, and what they state."""

    items: Mapping[UUID, ItemRow]
    standing: Mapping[UUID, ItemStanding]
    passages: Mapping[UUID, list[PassageRow]]
    claims: Mapping[UUID, list[tuple[Claim, Citation]]]


def _told(reader: Reader, wanted: Sequence[UUID]) -> _Told:
    items = items_of(reader, wanted)
    passages: dict[UUID, list[PassageRow]] = {}
    rows = reader.rows(PassageRow, "reader", "passages_of_items", items=list(wanted)) if wanted else []
    for row in rows:
        passages.setdefault(row.item, []).append(row)
    claims = claims_of_items(reader, items)
    quoted = passages_of(reader, [support for claim in claims for support in claim.supports])
    by_item: dict[UUID, list[tuple[Claim, Citation]]] = {}
    for claim in claims:
        for support, cited in zip(claim.supports, cite_claim(claim, quoted), strict=False):
            by_item.setdefault(support.item.item, []).append((claim, cited))
    return _Told({one.item: one for one in items}, item_periods(reader, items), passages, by_item)


def _episode(row: Row, told: _Told) -> Memory | None:
    item, said = told.items[row.item], row.said
    stated = [cited for claim, cited in told.claims.get(row.item, ()) if claim.kind in _CAUSES]
    text = "\n".join(one.body for one in told.passages.get(row.item, ()))
    cause = text_of(said.get("cause")) or (stated[0].statement if stated else None)
    if cause is None:
        return None
    return Memory(
        id=f"h_{row.item.hex}",
        item=row.item,
        kind="episode",
        statement=cause,
        check=text_of(said.get("check")),
        service=item.service,
        environment=_labelled(row, "environment", "env"),
        version=_labelled(row, "version"),
        signals=_signals(row),
        codes=codes_in(f"{row.title or ''}\n{text}"),
        entities=frozenset(normal_name(one) for one in texts_of(said.get("entities"))),
        tools=frozenset(texts_of(said.get("tools"))),
        text=f"{row.title or ''}\n{text}",
        at=row.at,
        is_settled=_is_settled(item, said.get("confirmed_by")),
        standing=told.standing[row.item],
        scope=f"{item.source}:{item.id}",
        citations=tuple(stated[:2]),
    )


def _is_settled(item: ItemRow, confirmed_by: object) -> bool:
    """Whether a person stands for its cause.

    Of our own source only the record itself writes who confirmed it; elsewhere a member's word is needed.
    """
    if item.source == RESERVED:
        return isinstance(confirmed_by, str) and confirmed_by != ""
    return is_trusted(item.trust)


def _labelled(row: Row, *names: str) -> str | None:
    said = next((text_of(row.said.get(name)) for name in names if row.said.get(name)), None)
    labels = (told for name in names for told in (row.labels.get(name), row.metadata.get(name)))
    return said or next((one for one in labels if isinstance(one, str) and one), None)


def _signals(row: Row) -> frozenset[str]:
    labelled = row.labels.get("alertname")
    named = [*texts_of(row.said.get("signals")), *([labelled] if isinstance(labelled, str) else [])]
    return frozenset(normal_name(one) for one in named)


def procedures(reader: Reader, signals: Iterable[str]) -> list[Memory]:
    """What to do at a signal: documents called like it, and what was proposed for it and approved."""
    names = sorted({normal_name(one) for one in signals if is_usable(normal_name(one))})
    if not names:
        return []
    named = reader.rows(_Item, "incidents", "called", names=names)
    approved = {row.item for row in reader.rows(_Item, "incidents", "approved_procedures")}
    wanted = sorted({row.item for row in named} | approved)[:MOST]
    rows = reader.rows(Row, "incidents", "items_with_labels", items=wanted) if wanted else []
    told = _told(reader, [row.item for row in rows])
    found = [
        _procedure(row, told, names)
        for row in rows
        if row.item in told.items and _is_procedure(row, approved)
    ]
    return [one for one in found if one is not None and one.signals & set(names)]


def approved(reader: Reader) -> list[Memory]:
    """Procedures that somebody proposed from an episode and somebody else approved."""
    items = {row.item for row in reader.rows(_Item, "incidents", "approved_procedures")}
    rows = reader.rows(Row, "incidents", "items_with_labels", items=sorted(items)) if items else []
    proposed = [row for row in rows if row.entry == "proposed"][:MOST]
    told = _told(reader, [row.item for row in proposed])
    found = [_procedure(row, told, ()) for row in proposed if row.item in told.items]
    return [one for one in found if one is not None]


@dataclass(frozen=True, slots=True)
class _Item:
    item: UUID


def _is_procedure(row: Row, approved: set[UUID]) -> bool:
    return row.kind == "document" or (row.entry == "proposed" and row.item in approved)


def _procedure(row: Row, told: _Told, names: Sequence[str]) -> Memory | None:
    item = told.items[row.item]
    if row.kind == "document" and not is_trusted(item.trust):
        return None
    passages = told.passages.get(row.item, [])
    text = "\n".join(one.body for one in passages)
    cited = [cite for claim, cite in told.claims.get(row.item, ()) if claim.kind == "procedure"]
    if row.entry == "proposed":
        cited = [one for one in cited if one.trust in _APPROVED]
    steps = "; ".join(one.statement for one in cited[:3])
    if not (steps or text):
        return None
    stem = normal_name(item.id.rsplit("/", 1)[-1].rsplit(".", 1)[0])
    own = frozenset({normal_name(row.title or ""), stem}) & frozenset(names)
    return Memory(
        id=f"h_{row.item.hex}",
        item=row.item,
        kind="procedure",
        statement=f"{row.title or item.id}: {steps}" if steps else f"{row.title or item.id}: {text[:200]}",
        check=None,
        service=item.service,
        environment=_labelled(row, "environment", "env"),
        version=_labelled(row, "version"),
        signals=_signals(row) | own,
        codes=frozenset(),
        entities=frozenset(),
        tools=frozenset(),
        text=f"{row.title or ''}\n{text}"[:4_000],
        at=row.at,
        is_settled=True,
        standing=told.standing[row.item],
        scope=f"{item.source}:{item.id}",
        citations=tuple(cited[:3]),
    )
