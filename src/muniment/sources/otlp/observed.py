"""Failed spans and log records as observations. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Final

from muniment.domain.errors import Malformed
from muniment.sources.otlp.shapes import Record, Sender, Span, milliseconds, records, spans
from muniment.sources.parsed import Event, Parsed, Unread
from muniment.sources.wire import told
from muniment.sources.wire.mapping import Mapped, stated
from muniment.sources.wire.stamps import of_text

__all__ = ["MOST", "body_of_span", "levels", "severity_of", "tell"]

MOST: Final = 2_000  # of one export; what is more is told to be missing
# The first of each range of four numbers.
_SEVERITIES: Final[Mapping[str, int]] = {
    "trace": 1, "debug": 5, "info": 9, "warn": 13, "error": 17, "fatal": 21,
}  # fmt: skip
_NUMBERED: Final = ((0, "unsaid"), *((least, word) for word, least in _SEVERITIES.items()))
# Where and how it failed; what a request carried, its headers, its query, its user, is none of it.
_KEPT: Final = frozenset(
    """http.request.method http.method http.route http.response.status_code http.status_code url.scheme
    rpc.system rpc.service rpc.method rpc.grpc.status_code db.system db.system.name db.operation
    db.operation.name db.collection.name messaging.system messaging.operation
    messaging.destination.name server.address server.port net.peer.name peer.service
    network.protocol.name error.type exception.type code.function code.function.name code.namespace
    faas.name k8s.cluster.name k8s.namespace.name k8s.pod.name k8s.container.name k8s.deployment.name
    host.name container.name cloud.region cloud.availability_zone logger.name""".split()
)
_LONGEST: Final = 4_000  # characters of a message
_REST: Final = "otlp"  # the container of what no service sent


def severity_of(name: str) -> int:
    """The number from which a severity begins; Malformed for a word that is none."""
    if name.casefold() not in _SEVERITIES:
        raise Malformed(f"severity {name!r} is unknown: use {', '.join(_SEVERITIES)}")
    return _SEVERITIES[name.casefold()]


def levels(severity: int) -> str:
    """The word for a number of the protocol."""
    return max(one for one in _NUMBERED if one[0] <= severity)[1]


def tell(source: str, payload: object, mapped: Mapped, least: int, heard: str | None) -> Iterator[Parsed]:
    """What of an export is worth keeping: failed spans, and records from a severity up.

    `heard` is when it was delivered, None for a saved one, whose readers count from when it happened.
    """
    said: set[str] = set()
    wanted = [
        *(_of_span(source, one) for one in spans(payload) if one.has_failed),
        *(_of_record(source, one) for one in records(payload) if one.severity >= least),
    ]
    for sender, one in wanted[:MOST]:
        container = sender.service or _REST
        if not isinstance(one, Unread) and container not in said:
            said.add(container)
            yield from stated(mapped, source, container, heard or str(one["at"]))
        yield one
    if len(wanted) > MOST:
        why = f"{len(wanted) - MOST} spans and records beyond {MOST:,} of one export were not kept"
        yield Unread("an export", f"{len(wanted)} spans and records", why)


def _of_span(source: str, span: Span) -> tuple[Sender, Parsed]:
    if span.trace is None or span.id is None or span.at is None:
        why = "it has no trace, no id or no time, so that it cannot be told from another"
        return span.sender, Unread(f"span {span.name}", told.written(span.raw), why)
    labels = {
        **_labels(span.sender, span.attributes),
        "trace": span.trace,
        "span": span.id,
        **({"parent": span.parent} if span.parent else {}),
    }
    id_ = f"span/{span.trace}/{span.id}"
    where = span.sender.service or "a service"
    words = {"title": f"{span.name} failed in {where}", "body": body_of_span(span)}
    return span.sender, _upsert((source, id_), span.sender, span.at, {**words, "thread": span.trace}, labels)


def body_of_span(span: Span) -> str:
    """What failed, how long it took, and what was thrown, in words."""
    took = milliseconds(span)
    after = "" if took is None else f" after {took:.0f} ms"
    how = f": {_clipped(span.message)}" if span.message else ""
    return "\n".join([f"{span.name} failed{after}{how}", *map(_clipped, span.exceptions()[:20])])


def _of_record(source: str, record: Record) -> tuple[Sender, Parsed]:
    if record.at is None or not record.body.strip():
        why = "it has no time or no words"
        return record.sender, Unread("a log record", told.written(record.raw), why)
    labels = {
        **_labels(record.sender, record.attributes),
        "severity": levels(record.severity),
        **({"trace": record.trace} if record.trace else {}),
        **({"span": record.span} if record.span else {}),
    }
    where = record.sender.service or "a service"
    words = {"title": f"{levels(record.severity)} in {where}", "body": _clipped(record.body)}
    thread = {"thread": record.trace} if record.trace else {}
    ref = (source, f"log/{_print(record)}")
    return record.sender, _upsert(ref, record.sender, record.at, {**words, **thread}, labels)


def _upsert(
    ref: tuple[str, str], sender: Sender, at: str, words: Mapping[str, object], labels: Mapping[str, str]
) -> Event:
    source, id_ = ref
    upsert: dict[str, object] = {
        "source": source,
        "id": id_,
        "op": "upsert",
        "kind": "observation",
        "at": at,
        "created_at": at,
        "container": sender.service or _REST,
        "labels": dict(sorted(labels.items())),
        **({"service": sender.service} if sender.service else {}),
        **words,
    }
    return {**upsert, "version": of_text(at, upsert)}


def _labels(sender: Sender, own: Mapping[str, str]) -> dict[str, str]:
    kept = {key: value for key, value in {**sender.attributes, **own}.items() if key in _KEPT}
    about = {"environment": sender.environment, "version": sender.version}
    named = {key: told.name(value) for key, value in {**kept, **about}.items()}
    return {key: value for key, value in named.items() if value}


def _print(record: Record) -> str:
    """What is the same of a record however often it is sent; when it was seen on its way is not."""
    said = {name: value for name, value in record.raw.items() if name != "observedTimeUnixNano"}
    whole = [record.sender.service, record.at, said]
    return hashlib.sha256(json.dumps(whole, sort_keys=True, default=str).encode()).hexdigest()[:32]


def _clipped(words: str | None) -> str:
    return (words or "")[:_LONGEST]
