"""One entry through the front door: whose, for whom, made from what, and the same one only once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from muniment.claims.cite import find_citation
from muniment.claims.read import items_of
from muniment.claims.told import told
from muniment.context.echoed import echoed
from muniment.domain.errors import Conflict, Refused, Usage
from muniment.domain.events import ItemRef
from muniment.domain.identity import keyed_digest
from muniment.domain.record import ItemRow
from muniment.domain.times import format_instant
from muniment.domain.trust import is_trusted, minimum
from muniment.domain.values import Json
from muniment.events.rights import RESERVED
from muniment.gate.reader import Hearing, Reader
from muniment.index.projection import item_uuid
from muniment.jobs.intake import stamped
from muniment.jobs.loop import Work
from muniment.jobs.receive import receive
from muniment.lenses.incidents.ledger import find_entry, thread_of
from muniment.notes import intake_by, require_reach, seen_in
from muniment.sources.arrived import Arrived

__all__ = [
    "LONGEST",
    "Draft",
    "Grounds",
    "clean",
    "digest",
    "grounds_of",
    "hand_in",
    "hand_in_each",
    "rest_of",
]

LONGEST: Final = 20_000  # characters of one entry; an observer cuts longer answers and says so
_TOOL: Final = "internal_tool"


@dataclass(frozen=True, slots=True)
class Grounds:
    """What an entry was made from, and how far its words count at most."""

    made_from: frozenset[str] = frozenset()
    at_most: str | None = None

    def __or__(self, other: Grounds) -> Grounds:
        limits = [one for one in (self.at_most, other.at_most) if one is not None]
        return Grounds(self.made_from | other.made_from, minimum(limits) if limits else None)


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry before it is handed in. `said` is what it says; `text` its words for people."""

    entry: str
    kind: str
    title: str
    text: str
    incident: str
    audience: Sequence[Sequence[str]]
    at: datetime
    said: Mapping[str, Json]
    grounds: Grounds
    id: str = ""
    service: str | None = None
    lasts: timedelta | None = None
    labels: Mapping[str, str] = field(default_factory=dict)


def clean(text: str, what: str, longest: int = LONGEST) -> str:
    """A text that can be kept; Usage for none at all, or for too much of it."""
    plain = text.replace("\x00", "").encode("utf-8", "replace").decode().strip()
    if not seen_in(plain) or len(plain) > longest:
        raise Usage(f"{what} has 1 to {longest:,} characters, not {len(plain):,}")
    return plain


def grounds_of(reader: Reader, hearing: Hearing, evidence: Iterable[str], text: str) -> Grounds:
    """What a text was made from: the evidence it names, and whatever visible words it repeats."""
    named = [_ground(reader, one) for one in dict.fromkeys(evidence)]
    repeated = Grounds(frozenset(_name(one) for one in echoed(reader, text)))
    whose = Grounds(at_most=_TOOL if hearing.agent is not None else None)
    found = repeated | whose
    for one in named:
        found |= one
    return found


def _ground(reader: Reader, id_: str) -> Grounds:
    if id_.startswith("e_"):
        row = find_entry(reader, id_)
        return Grounds(frozenset({f"{RESERVED}:{row.id}"}))
    if id_.startswith("h_"):
        return Grounds(frozenset({_name(_remembered(reader, id_))}))
    (found,) = told(reader, [find_citation(reader, id_)])
    trust = found.citation.trust
    made_from = frozenset() if found.item is None else frozenset({_name(found.item)})
    return Grounds(made_from, None if is_trusted(trust) else trust)


def _remembered(reader: Reader, id_: str) -> ItemRow:
    """The item behind a hint."""
    try:
        (item,) = items_of(reader, [UUID(id_.removeprefix("h_"))])
    except ValueError:
        raise Refused(f"no hint {id_!r} for this reader") from None
    return item


def _name(item: ItemRow) -> str:
    return f"{item.source}:{item.id}"


def digest(work: Work, *parts: str) -> str:
    """A name that stands for all of the parts, and says nothing of them to whoever lacks the key."""
    return keyed_digest(work.key, "incident", *parts).hex()


def rest_of(draft: Draft, work: Work, author: str, agent: str | None) -> ItemRef:
    """Where the entry stands: one place for one saying of one person."""
    if draft.id:
        return ItemRef(RESERVED, draft.id)
    said = [f"{name}={draft.said[name]!r}" for name in sorted(draft.said)]
    name = digest(work, draft.entry, author, agent or "", format_instant(draft.at), draft.text, *said)
    return ItemRef(RESERVED, f"{thread_of(draft.incident)}/{name}")


def hand_in(work: Work, hearing: Hearing, author: str, draft: Draft) -> UUID:
    """Hand it in; its item. What was said before in the same words at the same time is there already."""
    (item,) = hand_in_each(work, hearing, author, [draft])
    return item


def hand_in_each(work: Work, hearing: Hearing, author: str, drafts: Sequence[Draft]) -> list[UUID]:
    """Hand several in at once; their items."""
    refs = [rest_of(one, work, author, hearing.agent) for one in drafts]
    for ref in refs:
        require_reach(work, hearing.agent, ref)
    arrived = [_arrived(ref, author, one) for ref, one in zip(refs, drafts, strict=True)]
    receipt, _ = receive(work.database, lambda: stamped(intake_by(work, author)), arrived, _unseen)
    for one, taken in zip(drafts, receipt.items, strict=True):
        if taken.state == "quarantined":
            raise Conflict(f"the {one.entry} was not kept: {taken.reason}")
    return [item_uuid(work.key, ref) for ref in refs]


def _arrived(ref: ItemRef, author: str, draft: Draft) -> Arrived:
    at = format_instant(draft.at)
    limit = {} if draft.grounds.at_most is None else {"at_most": draft.grounds.at_most}
    ends = {} if draft.lasts is None else {"valid_to": format_instant(draft.at + draft.lasts)}
    about = {} if draft.service is None else {"service": draft.service}
    made_from = draft.grounds.made_from - {f"{ref.source}:{ref.id}"}
    rests = sorted(made_from - {f"{RESERVED}:{thread_of(draft.incident)}/opened"})
    return Arrived(
        {
            "source": ref.source,
            "id": ref.id,
            "op": "upsert",
            "kind": draft.kind,
            "at": at,
            "version": "1",
            "author": author,
            "title": draft.title[:300],
            "body": draft.text,
            "thread": thread_of(draft.incident),
            "audience": [list(one) for one in draft.audience],
            "derived_from": sorted(made_from),
            "labels": {"entry": draft.entry, **draft.labels},
            "metadata": {"incident": {"incident": draft.incident, "rests_on": rests, **draft.said}, **limit},
            **({"valid_from": at} if ends else {}),
            **ends,
            **about,
        },
        None,
        "incident",
    )


def _unseen(_: int) -> None:
    """Progress that nobody watches."""
