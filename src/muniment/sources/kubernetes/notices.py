"""Kubernetes' events as observations, in either of its two interfaces' forms. Pure.

A cluster keeps an event for an hour and counts what happens again in the same object. That it is then gone
is no deletion: what was observed stays observed.
"""

from __future__ import annotations

from collections.abc import Iterator

from muniment.sources.parsed import Parsed, Unread
from muniment.sources.wire import told
from muniment.sources.wire.stamps import of_text
from muniment.sources.wire.told import Object

__all__ = ["namespace_of", "notice"]


def namespace_of(object_: Object) -> str | None:
    """The namespace an event stands in."""
    return told.name(object_, "metadata", "namespace")


def _last_seen(object_: Object) -> str | None:
    """When it happened last; which of these is there depends on who reported it."""
    paths = (
        ("series", "lastObservedTime"), ("lastTimestamp",), ("deprecatedLastTimestamp",), ("eventTime",),
        ("firstTimestamp",), ("metadata", "creationTimestamp"),
    )  # fmt: skip
    return next((at for path in paths if (at := told.instant(object_, *path)) is not None), None)


def notice(source: str, object_: Object) -> Iterator[Parsed]:
    """The event as it stands, with how often it happened."""
    uid, at = told.name(object_, "metadata", "uid"), _last_seen(object_)
    if uid is None or at is None:
        yield Unread(f"event {told.name(object_, 'metadata', 'name')}", told.written(object_), _LACKS)
        return
    about = told.part(object_, "involvedObject") or told.part(object_, "regarding")
    reason = told.name(object_, "reason") or "event"
    body, is_cut = told.clipped(told.text(object_, "message") or told.text(object_, "note") or "")
    count = told.whole(object_, "series", "count") or told.whole(object_, "count")
    labels = {
        "namespace": namespace_of(object_),
        "reason": reason,
        "type": told.name(object_, "type"),
        "object": "/".join(one for part in ("kind", "name") if (one := told.name(about, part))),
        "reporter": told.name(object_, "reportingComponent") or told.name(object_, "source", "component"),
        "count": None if count is None else str(count),
    }
    began = told.instant(object_, "firstTimestamp") or told.instant(object_, "eventTime")
    upsert = {
        "source": source, "id": uid, "op": "upsert", "kind": "observation", "at": at,
        "title": f"{reason}: {labels['object']}" if labels["object"] else reason, "body": body,
        "thread": told.name(about, "uid") or uid,
        "labels": {name: value for name, value in labels.items() if value},
        **({"container": namespace_of(object_)} if namespace_of(object_) else {}),
        **({"created_at": began} if began else {}),
        **({"metadata": {"truncated": True}} if is_cut else {}),
    }  # fmt: skip
    yield {**upsert, "version": of_text(at, upsert)}


_LACKS = "it has no uid or no time, so that it cannot be told from another"
