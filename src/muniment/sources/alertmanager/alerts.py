"""Alertmanager's notifications as events. Pure.

An alert is known by its fingerprint and when it began: what fires again has the same fingerprint and another
beginning, and is another occurrence. Notifications are sent again and again, and by each of a pair; only what
is the same in all of them is read, so that they are one event.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from muniment.domain.times import parse_instant
from muniment.sources.parsed import Event, Parsed, Unread
from muniment.sources.wire import told
from muniment.sources.wire.mapping import Mapped, stated
from muniment.sources.wire.stamps import after_texts, of_text
from muniment.sources.wire.told import Object

__all__ = ["tell"]

_SERVICES: Final = ("service", "app", "job")
_ANNOTATIONS: Final = ("summary", "message", "description")
_MOST_LABELS: Final = 100
_REST: Final = "alerts"  # the container of what bears no label to sort it by


def tell(source: str, payload: Object, mapped: Mapped, label: str, heard: str | None) -> Iterator[Parsed]:
    """What a notification says of each of its alerts. `label` sorts them into containers.

    `heard` is None for a saved one, whose containers' readers count from when its alerts began.
    """
    alerts = payload.get("alerts")
    if not isinstance(alerts, list):
        yield Unread("a notification", told.written(payload), "it has no list of alerts")
        return
    yield from _truncated(payload)
    seen: set[str] = set()
    for number, alert in enumerate(alerts, 1):
        yield from _alert(source, number, told.as_object(alert), label, (mapped, heard, seen))


Readers = tuple[Mapped, str | None, set[str]]


def _alert(source: str, number: int, alert: Object, label: str, readers: Readers) -> Iterator[Parsed]:
    fingerprint, began = told.name(alert, "fingerprint"), told.instant(alert, "startsAt")
    if fingerprint is None or began is None:
        why = "it has no fingerprint or no beginning, so that it cannot be told from another"
        yield Unread(f"alert {number}", told.written(alert), why)
        return
    container = told.name(alert, "labels", label) or _REST
    mapped, heard, seen = readers
    if container not in seen:
        seen.add(container)
        yield from stated(mapped, source, container, heard or began)
    id_ = f"{fingerprint}/{began}"
    yield _text(source, id_, alert, began, container)
    yield from _over(source, id_, alert, began)


def _text(source: str, id_: str, alert: Object, began: str, container: str) -> Event:
    body, is_cut = told.clipped(_body(told.part(alert, "annotations")))
    labels = _labels(alert)
    service = next((labels[name] for name in _SERVICES if labels.get(name)), None)
    upsert: dict[str, object] = {
        "source": source,
        "id": id_,
        "op": "upsert",
        "kind": "alert",
        "at": began,
        "created_at": began,
        "title": _title(labels, service),
        "body": body,
        "container": container,
        "thread": id_.partition("/")[0],
        "labels": labels,
        **({"service": service} if service else {}),
        **({"metadata": {"truncated": True}} if is_cut else {}),
    }
    return {**upsert, "version": of_text(began, upsert)}


def _title(labels: Mapping[str, str], service: str | None) -> str:
    where = service or labels.get("instance") or labels.get("namespace")
    name = labels.get("alertname") or "alert"
    return f"{name} on {where}" if where else name


def _labels(alert: Object) -> dict[str, str]:
    named = {key: told.name(value) for key, value in told.part(alert, "labels").items() if len(key) < 200}
    return {key: value for key, value in sorted(named.items())[:_MOST_LABELS] if value}


def _body(annotations: Object) -> str:
    """The words for people first; the rest, such as a runbook's address, by name."""
    texts = {key: value for key, value in annotations.items() if isinstance(value, str) and value.strip()}
    words = [texts.pop(name) for name in _ANNOTATIONS if name in texts]
    return "\n".join([*words, *(f"{key}: {value}" for key, value in sorted(texts.items()))])


def _over(source: str, id_: str, alert: Object, began: str) -> Iterator[Event]:
    """That it is resolved. A firing alert may bear an end too: when it will be taken for over."""
    if told.text(alert, "status") == "resolved":
        ended = told.instant(alert, "endsAt") or began
        at = ended if parse_instant(ended) >= parse_instant(began) else began
        yield {
            "source": source, "id": id_, "op": "close", "at": at, "version": after_texts(at),
            "state": "resolved",
        }  # fmt: skip


def _truncated(payload: Object) -> Iterator[Parsed]:
    left_out = told.whole(payload, "truncatedAlerts") or 0
    if left_out > 0:
        group = told.text(payload, "groupKey") or ""
        why = f"{left_out} alerts were left out of the notification, and their ends will not be told"
        yield Unread(f"group {group[:300]}", told.written({**payload, "alerts": []}), why)
