"""All events of one item, in the order they were accepted, to how the item stands. Pure.

Which version wins is the source's word (`domain.versions`); when the record knew it is the order of
acceptance. So the same events give the same standing whatever their order of arrival, and `known` says which
of them we held when.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import reduce
from operator import and_
from typing import TypeVar

from muniment.domain.audience import Audience, Cover, container_ref
from muniment.domain.events import AudienceEvent, Body, ContentEvent, ItemRef, Move, Op
from muniment.domain.retention import Piece
from muniment.domain.versions import Order, orders

__all__ = ["NOBODY", "Accepted", "Standing", "Version", "fold"]

NOBODY = Audience.of("nobody:")  # a member no reader can be
Detail = TypeVar("Detail", Move, ItemRef)
_REMOVALS = frozenset((Op.DELETE, Op.RECALL))


@dataclass(frozen=True, slots=True)
class Accepted:
    """An event with its number in the item's stream and the time the record took it.

    kept: where its text was reduced, the pieces that are left.
    """

    seq: int
    accepted_at: datetime
    importer: str
    event: ContentEvent | AudienceEvent
    kept: tuple[Piece, ...] | None = None


@dataclass(frozen=True, slots=True)
class Version:
    """One version the record held, in [known_from, known_to).

    `text_seq` is the event whose words it shows.
    """

    seq: int
    text_seq: int
    at: datetime
    version: str | None
    known_from: datetime
    known_to: datetime | None
    status: str | None
    change: str
    merged_into: ItemRef | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """How an item stands after all its events. `versions` leaves out what must never be shown again."""

    ref: ItemRef
    body: Body
    seq: int
    text_seq: int
    at: datetime
    created_at: datetime
    version: str | None
    state: str
    status: str | None
    container: str | None
    thread: str | None
    audience: Audience
    inherits: bool
    since: datetime
    merged_into: ItemRef | None
    moved_to: str | None
    versions: tuple[Version, ...]
    bodies: Mapping[int, Body]
    handed_in: frozenset[tuple[str, datetime]] = frozenset()  # by whom its texts were, and when


@dataclass(frozen=True, slots=True)
class _Placed:
    """A content event with its place in the item's order."""

    accepted: Accepted
    event: ContentEvent
    order: Order


@dataclass(frozen=True, slots=True)
class _Where:
    """The container and thread an item is in since an instant, and its new id if it went elsewhere."""

    container: str | None
    thread: str | None
    moved_to: str | None
    since: datetime


@dataclass(frozen=True, slots=True)
class _Upsert(_Placed):
    """One that says what the item's text is."""

    body: Body


def fold(history: Sequence[Accepted], covers: Mapping[str, Cover], grants: frozenset[str]) -> Standing | None:
    """How the item stands, or None while no text of it is known.

    covers: by container reference. grants: principals a steward let in, whatever the source says.
    """
    placed = _place(history)
    upserts = [one for one in placed if isinstance(one, _Upsert)]
    if not upserts:
        return None
    newest = max(upserts, key=lambda one: (one.order, -one.accepted.seq))
    where = _place_now(placed, newest)
    state = _state(placed, newest, where.moved_to)
    audience, inherits, pending = _audience(history, newest, where, covers)
    versions = _versions(placed, _floor(placed))
    return Standing(
        ref=ItemRef(newest.event.source, newest.event.id),
        body=newest.body,
        seq=next((one.seq for one in reversed(versions) if one.known_to is None), newest.accepted.seq),
        text_seq=newest.accepted.seq,
        at=newest.event.at,
        created_at=_created_at(upserts),
        version=newest.event.version,
        state="pending" if state == "live" and pending else state,
        status=_status(placed),
        container=where.container,
        thread=where.thread,
        audience=_label(state, audience, newest.body, grants, pending=pending),
        inherits=inherits,
        since=where.since,
        merged_into=_latest_detail(placed, ItemRef),
        moved_to=where.moved_to,
        versions=versions if state != "deleted" else (),
        bodies={one.accepted.seq: one.body for one in upserts},
        handed_in=frozenset((one.accepted.importer, one.accepted.accepted_at) for one in upserts),
    )


def _place(history: Sequence[Accepted]) -> list[_Placed]:
    content = [(one, one.event) for one in history if isinstance(one.event, ContentEvent)]
    versions = _versioned([event for _, event in content])
    places = orders(
        (version, event.at, event.op in _REMOVALS)
        for version, (_, event) in zip(versions, content, strict=True)
    )
    return [_placed(one, event, order) for (one, event), order in zip(content, places, strict=True)]


def _versioned(events: Sequence[ContentEvent]) -> list[str | None]:
    """The events' versions; one that is no text and has none happened to the text that was newest then.

    Or one `close` without a version among versioned texts would make all of them go by time.
    """
    texts = sorted(
        (
            (event.at, event.version)
            for event in events
            if event.op is Op.UPSERT and event.version is not None
        ),
        key=lambda text: text[0],
    )
    if not texts or any(event.version is None for event in events if event.op is Op.UPSERT):
        return [event.version for event in events]
    return [event.version or _at_its_time(event, texts) for event in events]


def _at_its_time(event: ContentEvent, texts: Sequence[tuple[datetime, str | None]]) -> str | None:
    before = [version for at, version in texts if at <= event.at]
    return before[-1] if before else texts[0][1]


def _placed(accepted: Accepted, event: ContentEvent, order: Order) -> _Placed:
    match event.detail:
        case Body() as body:
            return _Upsert(accepted, event, order, body)
        case _:
            return _Placed(accepted, event, order)


def _last(placed: Sequence[_Placed], *ops: Op) -> Order | None:
    return max((one.order for one in placed if one.event.op in ops), default=None)


def _after(one: Order | None, other: Order | None) -> bool:
    """Whether the first exists and comes after the second."""
    return one is not None and (other is None or one > other)


def _floor(placed: Sequence[_Placed]) -> Order | None:
    """Versions up to here stay hidden for ever: they were deleted and not restored since."""
    deleted = _last(placed, Op.DELETE)
    return None if _after(_last(placed, Op.RESTORE), deleted) else deleted


def _state(placed: Sequence[_Placed], newest: _Placed, moved_to: str | None) -> str:
    if not _after(newest.order, _floor(placed)):
        return "deleted"
    if moved_to is not None:
        return "moved"
    if _after(_last(placed, Op.RECALL), _last(placed, Op.RESTORE)):
        return "recalled"
    return "live"


def _latest_detail(placed: Sequence[_Placed], shape: type[Detail]) -> Detail | None:
    found = [
        (one.order, repr(one.event.detail), one.event.detail)
        for one in placed
        if isinstance(one.event.detail, shape)
    ]
    return max(found, key=lambda one: one[:2])[2] if found else None


def _status(placed: Sequence[_Placed]) -> str | None:
    closed = [one for one in placed if one.event.op is Op.CLOSE]
    if not closed:
        return None
    return str(max(closed, key=_closing).event.detail)


def _closing(one: _Placed) -> tuple[Order, str]:
    """Of two states said at once, arrival must not decide."""
    return one.order, str(one.event.detail)


def _place_now(placed: Sequence[_Placed], newest: _Upsert) -> _Where:
    """Where it is. A newer text says so anew; what a move brought in counts as of the move."""
    body = newest.body
    moves = [one for one in placed if isinstance(one.event.detail, Move) and one.order > newest.order]
    move = _latest_detail(moves, Move)
    if move is None:
        return _Where(body.container, body.thread, None, newest.event.at)
    since = max(newest.event.at, *(one.event.at for one in moves))
    return _Where(move.container or body.container, move.thread or body.thread, move.id, since)


def _created_at(upserts: Sequence[_Upsert]) -> datetime:
    said = [one.body.created_at for one in upserts if one.body.created_at is not None]
    return min(said, default=min(one.event.at for one in upserts))


def _audience(
    history: Sequence[Accepted], newest: _Upsert, where: _Where, covers: Mapping[str, Cover]
) -> tuple[Audience, bool, bool]:
    """The audience, whether it is the container's own, and whether that is not yet known fresh enough."""
    explicit = _with_holders(_explicit(history, newest), history)
    if explicit is not None:
        return explicit, False, False
    if where.container is None:
        return Audience.of(newest.accepted.importer), False, False
    ref = container_ref(newest.event.source, where.container)
    cover = covers.get(ref)
    return Audience.of(ref), True, cover is None or not cover.reaches(where.since)


def _explicit(history: Sequence[Accepted], newest: _Upsert) -> Audience | None:
    """The latest audience said of this item alone: with its newest text, or by an audience event since.

    Where two were said at once, a reader must satisfy both. What is dated later than it came
    counts as said when it came.
    """
    said = [
        (min(one.event.at, one.accepted_at), one.event.version, one.event.audience)
        for one in history
        if isinstance(one.event, AudienceEvent) and one.event.audience is not None
    ]
    own = newest.body.audience
    own_at = min(newest.event.at, newest.accepted.accepted_at)
    since = [one for one in said if own is None or one[0] >= own_at]
    if not since:
        return own
    # Within one time the version counts; `orders` would let it count before the time.
    places = [(at, orders([(version, at, False)])[0]) for at, version, _ in since]
    last = [audience for place, (_, _, audience) in zip(places, since, strict=True) if place == max(places)]
    if own is not None and max(places)[0] == own_at:
        last.append(own)
    return reduce(and_, last)


def _with_holders(audience: Audience | None, history: Sequence[Accepted]) -> Audience | None:
    """The audience and whoever holds a copy now: of each the last word counts, a removal at a tie."""
    words: dict[str, tuple[datetime, Order]] = {}
    for who, word in (word for one in history for word in _holding(one)):
        words[who] = max(words.get(who, word), word)
    if not words:
        return audience
    holders = sorted(who for who, (_, place) in words.items() if not place.removal)
    if audience is None:
        return Audience.of(*holders) if holders else NOBODY
    return reduce(Audience.or_also, holders, audience)


def _holding(one: Accepted) -> Iterator[tuple[str, tuple[datetime, Order]]]:
    """What an event says of who holds a copy. What is dated later than it came was said when it came."""
    if isinstance(one.event, AudienceEvent):
        at = min(one.event.at, one.accepted_at)
        for who, gone in (
            *((who, False) for who in one.event.add),
            *((who, True) for who in one.event.remove),
        ):
            yield who, (at, orders([(one.event.version, at, gone)])[0])


def _label(state: str, audience: Audience, body: Body, grants: frozenset[str], *, pending: bool) -> Audience:
    if state in ("deleted", "moved"):
        return NOBODY
    author = Audience.of(body.author) if body.author is not None else NOBODY
    if pending:
        return author
    for principal in sorted(grants):
        audience = audience.or_also(principal)
    # A recall takes away and never gives: an author who could not read it before still cannot.
    return audience & author if state == "recalled" else audience


_CHANGES = {
    Op.DELETE: "deleted",
    Op.RESTORE: "restored",
    Op.RECALL: "recalled",
    Op.CLOSE: "closed",
    Op.MOVE: "moved",
    Op.MERGE: "merged",
}


def _versions(placed: Sequence[_Placed], floor: Order | None) -> tuple[Version, ...]:
    """What the record held after each event, oldest first, without what lies under the floor."""
    rows: list[Version] = []
    newest: _Upsert | None = None
    status: _Placed | None = None
    merged: _Placed | None = None
    for one in placed:
        change = _CHANGES.get(one.event.op)
        if isinstance(one, _Upsert):
            if newest is not None and one.order <= newest.order:
                rows.append(_version(one, one, status, "late"))
                continue
            is_same = newest is not None and _read(one.body) == _read(newest.body)
            change = "said" if newest is None else "stamped" if is_same else "edited"
            newest = one
        elif one.event.op is Op.CLOSE and (status is None or _closing(one) >= _closing(status)):
            status = one
        elif one.event.op is Op.MERGE and (merged is None or _merging(one) >= _merging(merged)):
            merged = one
        if newest is not None and change is not None:
            rows.append(replace(_version(one, newest, status, change), merged_into=_target(merged)))
    return _close(rows, {one.accepted.seq for one in placed if floor is not None and one.order <= floor})


def _read(body: Body) -> tuple[object, ...]:
    """What is read of a text: some sources stamp one anew where somebody only comments on it."""
    return body.title, body.body, body.media, body.valid_from, body.valid_to


def _merging(one: _Placed) -> tuple[Order, str]:
    """Of two merges said at once, arrival must not decide."""
    return one.order, repr(one.event.detail)


def _target(merged: _Placed | None) -> ItemRef | None:
    return merged.event.detail if merged is not None and isinstance(merged.event.detail, ItemRef) else None


def _version(one: _Placed, text: _Placed, status: _Placed | None, change: str) -> Version:
    known_to = one.accepted.accepted_at if change == "late" else None
    return Version(
        seq=one.accepted.seq,
        text_seq=text.accepted.seq,
        at=one.event.at,
        version=text.event.version,
        known_from=one.accepted.accepted_at,
        known_to=known_to,
        status=None if status is None else str(status.event.detail),
        change=change,
    )


def _close(rows: Sequence[Version], hidden: set[int]) -> tuple[Version, ...]:
    """Each version ends where the next begins; one that came late was never current."""
    closed: list[Version] = []
    until: datetime | None = None
    for row in reversed(rows):
        if row.change == "late":
            closed.append(row)
            continue
        closed.append(row if until is None else replace(row, known_to=until))
        until = row.known_from
    return tuple(row for row in reversed(closed) if row.text_seq not in hidden)
