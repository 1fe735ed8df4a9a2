"""An incident, put together from those of its entries that a reader may see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import combinations
from typing import TYPE_CHECKING, Final, Literal, cast
from uuid import UUID

from muniment.domain.errors import Refused
from muniment.domain.identity import keyed_uuid
from muniment.domain.incidents import Checkpoint, Entry, Hypothesis, Incident
from muniment.domain.values import Json

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = [
    "Row",
    "audience_of",
    "contradictions",
    "entries_of",
    "entry",
    "entry_id",
    "find_entry",
    "incident",
    "incidents",
    "opening",
    "rows_of",
    "text_of",
    "texts_of",
    "thread_of",
]

SAME_TIME: Final = timedelta(minutes=1)  # what was asked twice within it has one answer, or two that disagree


@dataclass(frozen=True, slots=True)
class Row:
    """An item of the record's own source, with what it says of itself."""

    item: UUID
    id: str
    kind: str
    title: str | None
    author: str | None
    at: datetime
    service: str | None
    trust: str
    labels: Mapping[str, object]
    metadata: Mapping[str, object]

    @property
    def said(self) -> Mapping[str, Json]:
        """What was handed in, beside the words for people."""
        said = self.metadata.get("incident")
        return said if isinstance(said, dict) else {}

    @property
    def entry(self) -> str:
        """Which kind of entry it is."""
        return str(self.labels.get("entry", ""))


def thread_of(incident_id: str) -> str:
    """The thread in which an incident's entries stand."""
    return f"incident/{incident_id}"


def entry_id(item: UUID) -> str:
    """How an entry is named outside."""
    return f"e_{item.hex}"


def text_of(value: Json) -> str | None:
    """A text that was said, if it is one."""
    return value if isinstance(value, str) and value else None


def texts_of(value: Json) -> tuple[str, ...]:
    """The texts of a list."""
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def entries_of(reader: Reader, incident_id: str) -> list[Row]:
    """The visible entries of an incident whose opening is visible; refused like one that is not there."""
    rows = reader.rows(Row, "incidents", "entries", thread=thread_of(incident_id))
    if not any(row.entry == "opened" for row in rows):
        raise Refused(f"no incident {incident_id!r} for this reader")
    return rows


def opening(rows: Iterable[Row]) -> Row:
    """The entry that opened it."""
    return next(row for row in rows if row.entry == "opened")


def audience_of(rows: Iterable[Row]) -> list[list[str]]:
    """Who may read the incident, as whoever opened it said."""
    said = opening(rows).said.get("audience")
    clauses = said if isinstance(said, list) else []
    return [list(texts_of(one)) for one in clauses]


def find_entry(reader: Reader, id_: str) -> Row:
    """A visible entry, by its name."""
    try:
        item = UUID(id_.removeprefix("e_"))
    except ValueError:
        item = keyed_uuid(reader.key, "no entry", id_)
    rows = reader.rows(Row, "incidents", "items_with_labels", items=[item])
    if not id_.startswith("e_") or not rows or not rows[0].entry:
        raise Refused(f"no entry {id_!r} for this reader")
    return rows[0]


def rows_of(reader: Reader, items: Sequence[UUID]) -> list[Row]:
    """Some entries, in the order in which they happened."""
    found = reader.rows(Row, "incidents", "items_with_labels", items=list(items)) if items else []
    return sorted(found, key=lambda row: (row.at, row.id))


def incidents(reader: Reader) -> list[Incident]:
    """Every incident that this reader may see, the newest first, without its entries."""
    closed = {
        text_of(row.said.get("incident")): row
        for row in reader.rows(Row, "incidents", "of_kind", entry="closed")
    }
    opened = reader.rows(Row, "incidents", "of_kind", entry="opened")
    found = [
        _incident([row, *([closed[name]] if (name := _name(row)) in closed else [])], "listed")
        for row in opened
    ]
    return sorted(found, key=lambda one: (one.opened_at, one.id), reverse=True)


def incident(reader: Reader, incident_id: str) -> Incident:
    """One incident with its entries."""
    return _incident(entries_of(reader, incident_id), "whole")


def _name(row: Row) -> str:
    return str(row.said.get("incident", ""))


def _incident(rows: Sequence[Row], how: Literal["listed", "whole"]) -> Incident:
    head = opening(rows)
    said, closed = head.said, [row for row in rows if row.entry == "closed"]
    return Incident(
        id=_name(head),
        title=head.title or "",
        state="closed" if closed else "open",
        service=head.service,
        environment=text_of(said.get("environment")),
        version=text_of(said.get("version")),
        signals=texts_of(said.get("signals")),
        alert=text_of(said.get("alert")),
        opened_by=head.author,
        opened_at=head.at,
        entries=tuple(entry(row) for row in rows) if how == "whole" else (),
        hypotheses=_hypotheses(rows),
        contradictions=contradictions(rows),
        checkpoint=_checkpoint(rows),
        episode=text_of(closed[-1].said.get("episode")) if closed else None,
    )


def entry(row: Row) -> Entry:
    """An entry as it is shown."""
    detail = {
        key: value
        for key, value in row.said.items()
        if key not in ("text", "audience", "incident", "rests_on")
    }
    text = text_of(row.said.get("text")) or row.title or ""
    return Entry(entry_id(row.item), row.entry, row.at, row.author, text, detail, row.trust)


def _hypotheses(rows: Sequence[Row]) -> tuple[Hypothesis, ...]:
    """Each with what was said for and against it since; the last verdict holds."""
    verdicts = [row for row in rows if row.entry == "verdict"]
    return tuple(_judged(row, verdicts) for row in rows if row.entry == "hypothesis")


def _judged(row: Row, verdicts: Sequence[Row]) -> Hypothesis:
    id_ = entry_id(row.item)
    mine = [one for one in verdicts if one.said.get("target") == id_]
    supports, against = list(texts_of(row.said.get("supports"))), list(texts_of(row.said.get("against")))
    for one in mine:
        (against if one.said.get("verdict") == "refuted" else supports).extend(
            texts_of(one.said.get("evidence"))
        )
    last = str(mine[-1].said.get("verdict")) if mine else "open"
    return Hypothesis(
        id=id_,
        statement=text_of(row.said.get("text")) or "",
        by=row.author,
        supports=tuple(dict.fromkeys(supports)),
        against=tuple(dict.fromkeys(against)),
        verdict=cast("Literal['open', 'supported', 'refuted', 'confirmed']", last),
    )


def contradictions(rows: Iterable[Row]) -> tuple[tuple[str, str], ...]:
    """Observations that asked the same at the same time and were told otherwise. Neither is dropped."""
    asked: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        query = text_of(row.said.get("query"))
        if row.entry == "observation" and query:
            asked.setdefault((str(row.said.get("tool")), query), []).append(row)
    return tuple(
        (entry_id(one.item), entry_id(other.item))
        for several in asked.values()
        for one, other in combinations(several[:100], 2)
        if abs(one.at - other.at) <= SAME_TIME and one.said.get("text") != other.said.get("text")
    )


def _checkpoint(rows: Iterable[Row]) -> Checkpoint | None:
    last = next((row for row in reversed(list(rows)) if row.entry == "checkpoint"), None)
    if last is None:
        return None
    said = last.said
    return Checkpoint(
        id=entry_id(last.item),
        at=last.at,
        by=last.author,
        goal=text_of(said.get("goal")) or "",
        plan=texts_of(said.get("plan")),
        done=texts_of(said.get("done")),
        questions=texts_of(said.get("questions")),
        evidence=texts_of(said.get("evidence")),
    )
