"""Receipts, the record's standing, checks and grants as a person reads them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from muniment.domain.values import Receipt, ReceiptItem, SourceStatus, Status
from muniment.surfaces.cli.answers import moment
from muniment.surfaces.cli.out import Line, Look, one_line

__all__ = [
    "SOURCES",
    "Checked",
    "Grant",
    "after_adding",
    "checks",
    "granted",
    "rebuilt",
    "receipt",
    "sources",
    "standing",
    "synced",
]

_FIRST = 5  # reasons shown; the rest is counted
_NOTES = 3


class Grant(Protocol):
    """What a grant or its withdrawal changed."""

    @property
    def principal(self) -> str: ...
    @property
    def target(self) -> str: ...
    @property
    def changed(self) -> bool: ...
    @property
    def still(self) -> tuple[str, ...]: ...


class Checked(Protocol):
    """One thing the doctor looked at."""

    @property
    def name(self) -> str: ...
    @property
    def state(self) -> str: ...
    @property
    def what(self) -> str: ...
    @property
    def advice(self) -> str | None: ...


def receipt(what: str, found: Receipt, origin: str | None = None) -> Iterator[Line]:
    """What became of what was handed in, with the first reasons and notes; `origin` is what notes call it."""
    counts = [f"{found.accepted:,} accepted"]
    counts += [f"{found.duplicate:,} known already"] if found.duplicate else []
    counts += [f"{found.quarantined:,} in quarantine"] if found.quarantined else []
    yield Line(f"{what}: {', '.join(counts)}")
    refused = [item for item in found.items if item.state == "quarantined"]
    yield from (Line(f"  {_refused(item)}", Look.ALERT) for item in refused[:_FIRST])
    if len(refused) > _FIRST:
        yield Line(f"  and {len(refused) - _FIRST:,} more: muniment quarantine", Look.ALERT)
    notes = [note.removeprefix(f"{origin or what}, ") for note in found.notes]
    yield from (Line(f"  note: {one_line(note)}", Look.FAINT) for note in notes[:_NOTES])
    if len(notes) > _NOTES:
        yield Line(f"  and {len(notes) - _NOTES:,} more notes, all of them with --json", Look.FAINT)


def _refused(item: ReceiptItem) -> str:
    named = ":".join(part for part in (item.source, item.id) if part)
    place = [f"line {item.line}"] if item.line is not None else []
    place += [named] if named else []
    return one_line(f"{', '.join(place) or 'refused'}: {item.reason}")


def after_adding(pending: int, *, deferred: bool) -> Iterator[Line]:
    """What is left to be done, and by whom."""
    if pending:
        yield Line(
            f"{pending:,} in the record wait until their container's audience is known (muniment status)"
        )
    if deferred:
        yield Line("accepted only; muniment sync, or a worker, makes it searchable")


def synced(done: Mapping[str, int]) -> Iterator[Line]:
    """What was finished, and what is stuck."""
    yield Line(f"compiled {done['compiled']:,}, gave {done['vectors']:,} passages their vectors")
    if done["dead"]:
        yield Line(f"{done['dead']:,} failed for good (muniment doctor)", Look.ALERT)
    if done["pending_audience"]:
        yield Line(f"{done['pending_audience']:,} wait until their container's audience is known")


def rebuilt(done: int, found: Status) -> Iterator[Line]:
    """What was made anew, and what is left to be done."""
    yield Line(f"rebuilt items, claims and index from {done:,} keys")
    if found.queue.waiting:
        yield Line(
            f"{found.queue.waiting:,} could not be compiled and are due again (muniment sync)", Look.ALERT
        )
    if found.vectors_behind:
        yield Line(f"{found.vectors_behind:,} passages wait for their vectors (muniment sync)")


SOURCES = ("source", "state", "behind", "audiences verified", "keep", "let go", "last error")


def sources(found: Status) -> list[tuple[str, ...]]:
    """A row for each source, under SOURCES."""
    return [
        (
            one.source,
            one.state,
            "" if one.lag_s is None else f"{one.lag_s:,.0f} s",
            "" if one.audiences_verified is None else moment(one.audiences_verified),
            one.keep,
            _let_go(one),
            one.last_error or "",
        )
        for one in found.sources
    ]


def _let_go(one: SourceStatus) -> str:
    if not one.reduced + one.expired:
        return ""
    texts = [f"{one.reduced:,} reduced"] if one.reduced else []
    texts += [f"{one.expired:,} dropped"] if one.expired else []
    return f"{', '.join(texts)}: {one.characters_dropped:,} characters"


def standing(found: Status) -> Iterator[Line]:
    """The figures, those that ask for something set apart."""
    yield Line()
    yield Line(
        f"work: {found.queue.waiting:,} waiting, {found.queue.running:,} running, {found.workers} workers"
    )
    yield Line(f"vectors: {'all there' if not found.vectors_behind else f'{found.vectors_behind:,} to come'}")
    yield Line(f"model: {found.model or 'off'}")
    yield from _replicas(found)
    if found.unsealed:
        yield Line(f"audit: {found.unsealed:,} waiting to be sealed (muniment sync, or a worker)")
    asking = {
        "failed for good (muniment doctor)": found.queue.dead,
        "in quarantine (muniment quarantine)": found.quarantined,
        "waiting until their container's audience is known": found.pending_audience,
        "waiting for a decision": found.candidates,
        "stale": found.stale,
        "in conflict (muniment conflicts)": found.conflicts,
    }
    yield from (Line(f"{count:,} {what}", Look.ALERT) for what, count in asking.items() if count)
    yield from _closed(found)
    yield from (Line(f"note: {note}", Look.FAINT) for note in found.notes)


def _replicas(found: Status) -> Iterator[Line]:
    """Where reads are made besides the primary, and which of them are not."""
    for one in found.replicas:
        why = "read" if one.why is None else f"not read, as {one.why}"
        behind = f": {one.behind_bytes:,} bytes behind" if one.behind_bytes else ""
        yield Line(f"replica: {one.place}, {why}{behind}", Look.ALERT if one.why else Look.PLAIN)


def _closed(found: Status) -> Iterator[Line]:
    """Containers that fail closed, those longest so first."""
    if not found.closed:
        return
    yield Line(
        f"{len(found.closed):,} containers closed: not verified within their source's limit", Look.ALERT
    )
    for one in found.closed[:_FIRST]:
        through = "never" if one.verified_through is None else f"through {moment(one.verified_through)}"
        yield Line(f"  {one.container}, verified {through}", Look.ALERT)
    if len(found.closed) > _FIRST:
        yield Line(f"  and {len(found.closed) - _FIRST:,} more, all of them with --json", Look.ALERT)


_LOOKS = {
    "good": ("ok     ", Look.PLAIN),
    "lacking": ("lacking", Look.ALERT),
    "broken": ("broken ", Look.ALERT),
}


def checks(found: Sequence[Checked]) -> Iterator[Line]:
    """A line a check, and under it what to do."""
    widest = max((len(one.name) for one in found), default=0)
    for one in found:
        mark, look = _LOOKS[one.state]
        yield Line(f"{mark}  {one.name:<{widest}}  {one_line(one.what)}", look)
        if one.advice is not None:
            yield Line(f"{'':{widest + 11}}{one_line(one.advice)}")


def granted(done: Grant, changed: str, same: str) -> Iterator[Line]:
    """What changed, and through what they can still read it."""
    yield Line(f"{done.principal} {changed if done.changed else same} {done.target}")
    if done.still:
        yield Line(f"they can still read it: {'; '.join(done.still)}", Look.ALERT)
