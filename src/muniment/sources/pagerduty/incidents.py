"""PagerDuty's events (webhooks v3) as events of ours. Pure.

Events of one incident may come in any order and up to two days late; `occurred_at` says which is the later.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from muniment.sources.parsed import Event, Parsed, Unread
from muniment.sources.wire import told
from muniment.sources.wire.mapping import Mapped, stated
from muniment.sources.wire.stamps import after_texts, of_text
from muniment.sources.wire.told import Object

__all__ = ["PASSED_BY", "tell"]

_STATES: Final = {
    "incident.acknowledged": "acknowledged",
    "incident.unacknowledged": "triggered",
    "incident.reopened": "open",
    "incident.resolved": "resolved",
}
# Events after which an incident's words may be other ones.
_REWORDED: Final = frozenset(
    "incident.priority_updated incident.service_updated incident.incident_type.changed "
    "incident.custom_field_values.updated incident.title_updated".split()
)
_NOTES: Final = {"incident.annotated": "content", "incident.status_update_published": "message"}
PASSED_BY: Final = ("pagey.", "service.", "incident.responder.", "incident.conference_bridge.",
                    "incident.workflow.", "incident.role.")  # fmt: skip


def tell(source: str, payload: Object, mapped: Mapped, heard: str) -> Iterator[Parsed]:
    """What a delivery says of an incident or a note on one."""
    event = told.part(payload, "event")
    kind, at, subject = (
        told.text(event, "event_type") or "",
        told.instant(event, "occurred_at"),
        told.part(event, "data"),
    )
    id_ = told.name(subject, "id")
    if at is None or id_ is None or not kind.startswith("incident."):
        why = "it is no event of an incident, or has no id or no time"
        yield Unread(f"event {kind[:100]!r}", told.written(payload), why)
        return
    container = _service(subject)
    if container is not None:
        yield from stated(mapped, source, container, heard)
    if kind in _NOTES:
        yield _note(source, event, at, _NOTES[kind])
        return
    yield _incident(source, subject, at if kind in _REWORDED else told.instant(subject, "created_at") or at)
    if (state := _STATES.get(kind)) is not None:
        yield {
            "source": source, "id": f"incident/{id_}", "op": "close", "at": at, "version": after_texts(at),
            "state": state,
        }  # fmt: skip


def _service(subject: Object) -> str | None:
    return told.name(subject, "service", "id") or told.name(subject, "incident", "service", "id")


def _incident(source: str, subject: Object, at: str) -> Event:
    service = told.name(subject, "service", "summary")
    assigned = [told.name(one, "id") for one in told.listed(subject, "assignees")]
    labels = {
        "number": told.name(subject, "number"),
        "urgency": told.name(subject, "urgency"),
        "priority": told.name(subject, "priority", "summary"),
        "team": sorted(
            {name for one in told.listed(subject, "teams") if (name := told.name(one, "summary"))}
        ),
    }
    title = told.text(subject, "title") or told.text(subject, "summary") or ""
    known: dict[str, object] = {
        "kind": "alert",
        "title": title,
        "body": title,
        "created_at": told.instant(subject, "created_at"),
        "container": _service(subject),
        "thread": f"incident/{told.name(subject, 'id')}",
        "service": service,
        "url": told.text(subject, "html_url"),
        "participants": sorted(f"user:{source}:{one}" for one in assigned if one),
        "labels": {name: value for name, value in labels.items() if value},
    }
    return _upsert(source, f"incident/{told.name(subject, 'id')}", at, known)


def _note(source: str, event: Object, at: str, field: str) -> Event:
    note = told.part(event, "data")
    who = told.name(event, "agent", "id")
    is_user = (told.text(event, "agent", "type") or "").startswith("user")
    known: dict[str, object] = {
        "kind": "message",
        "body": told.text(note, field) or "",
        "author": f"user:{source}:{who}" if who is not None and is_user else None,
        "author_name": told.name(event, "agent", "summary"),
        "created_at": at,
        "container": _service(note),
        "thread": f"incident/{told.name(note, 'incident', 'id')}",
        "metadata": {"truncated": True} if note.get("trimmed") is True else None,
    }
    return _upsert(source, f"note/{told.name(note, 'id')}", at, known)


def _upsert(source: str, id_: str, at: str, words: dict[str, object]) -> Event:
    body, is_cut = told.clipped(str(words["body"]))
    known = {name: value for name, value in words.items() if value not in (None, [], {})}
    cut = {"metadata": {"truncated": True}} if is_cut else {}
    upsert = {"source": source, "id": id_, "op": "upsert", "at": at, **known, "body": body, **cut}
    return {**upsert, "version": of_text(at, upsert)}
