"""Lines of any number through the front door in batches: accepted, known already, or kept in quarantine."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

import psycopg

from muniment.domain.errors import Conflict
from muniment.domain.events import AudienceEvent, Body, ContentEvent, Event
from muniment.domain.values import Receipt, ReceiptItem
from muniment.events.accept import Arrival, Outcome, key_of, quarantine
from muniment.events.parse import Parsed, Rejection, parse_event, parse_line
from muniment.events.rights import Credential, refusal
from muniment.gate.audit import Act, record
from muniment.gate.binding import writing
from muniment.index.projection import notes_of
from muniment.jobs.attempts import is_everybodys
from muniment.jobs.fresh import token_of
from muniment.jobs.intake import Intake, Spoilt, Stamped, Within, at_one_go, take_in, with_care
from muniment.jobs.lineage import with_items_for_citations
from muniment.jobs.turns import Turn, compile_alone, unhindered
from muniment.sources.arrived import Arrived
from muniment.store.pool import Connection, Database
from muniment.store.queries import load

__all__ = ["BATCH", "receive"]

SQL = load("jobs")
BATCH = 500
# What the database has against an event itself, whatever comes with it.
_ITS_OWN = (psycopg.DataError, psycopg.IntegrityError, psycopg.errors.ProgramLimitExceeded)


@dataclass(slots=True)
class _Tally:
    """What became of everything so far.

    `private` counts what only its importer may read, for want of an audience; `old` what its source's rule is
    not to keep. `due`: something is left to do, of this or of what was there.
    """

    items: list[ReceiptItem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    private: int = 0
    old: int = 0
    importer: str = ""
    token: str = ""
    due: bool = False

    def add(self, other: _Tally) -> None:
        """Count another batch in."""
        self.items += other.items
        self.notes += other.notes
        self.private += other.private
        self.old += other.old
        self.importer, self.token, self.due = other.importer, other.token, other.due


@dataclass(frozen=True, slots=True)
class _Refused:
    arrived: Arrived
    rejection: Rejection


def receive(
    database: Database,
    stamp: Callable[[], Stamped],
    arrived: Iterable[Arrived],
    after_batch: Callable[[int], None],
) -> tuple[Receipt, bool]:
    """Take everything in, a transaction a batch; and whether anything is left to do after it.

    `stamp` begins each batch, `after_batch` hears how many are done.
    """
    tally = _Tally()
    lines = iter(arrived)
    while batch := list(islice(lines, BATCH)):
        tally.add(_persist(database, stamp(), batch))
        after_batch(len(tally.items))
    return _receipt(tally), tally.due


def _receipt(tally: _Tally) -> Receipt:
    items = tally.items
    if tally.old:
        tally.notes.insert(0, f"older than their source keeps, and not kept: {tally.old}")
    if tally.private:
        tally.notes.insert(0, f"no audience was given: only {tally.importer} can read these {tally.private}")
    return Receipt(
        accepted=sum(item.state == "accepted" for item in items),
        duplicate=sum(item.state == "duplicate" for item in items),
        quarantined=sum(item.state == "quarantined" for item in items),
        items=tuple(items),
        token=tally.token,
        notes=tuple(tally.notes),
    )


def _persist(database: Database, stamped: Stamped, batch: Sequence[Arrived]) -> _Tally:
    """One batch; tried again where another writer was in the way, as nothing of it was kept.

    At one go first. Where something of it cannot be stored or compiled, nothing was kept either, and it is
    taken again with care: what spoils it is set apart then.
    """
    try:
        try:
            return _tried(database, stamped, batch, at_one_go)
        except Spoilt:
            return _tried(database, stamped, batch, with_care)
    except (psycopg.errors.DeadlockDetected, psycopg.errors.SerializationFailure, Conflict):
        raise Conflict("other writers were in the way every time; hand the same input in again") from None


def _tried(database: Database, stamped: Stamped, batch: Sequence[Arrived], within: Within) -> _Tally:
    def taken(turn: Turn) -> _Tally:
        tally = _Tally()
        with writing(database, stamped.tenant) as conn:
            # Else the batch takes the turn it needs: one taken beside others could not rise to alone.
            if turn is compile_alone:
                turn(conn, stamped.tenant)
            _receive_batch(conn, replace(stamped.intake(conn), within=within), batch, tally)
        return tally

    return unhindered(taken)


def _receive_batch(conn: Connection, intake: Intake, batch: Iterable[Arrived], tally: _Tally) -> None:
    arrivals: list[tuple[Arrived, Arrival]] = []
    refused: list[_Refused] = []
    for one in batch:
        match _read(one, intake.credential):
            case Rejection() as rejection:
                refused.append(_Refused(one, rejection))
            case Parsed() as parsed:
                tally.notes += _noted(one, parsed)
                arrivals.append((one, Arrival(parsed.event, one.line, one.insists, one.retold)))
    events = with_items_for_citations(conn, intake.tenant, (arrival.event for _, arrival in arrivals))
    arrivals = [
        (one, arrival if event is arrival.event else replace(arrival, event=event))
        for (one, arrival), event in zip(arrivals, events, strict=True)
    ]
    outcomes = _take_in(conn, intake, [arrival for _, arrival in arrivals])
    intake.apply(conn, intake, outcomes)
    told = {key_of(arrival.event) for _, arrival in arrivals if isinstance(arrival.event, AudienceEvent)}
    for (one, _), outcome in zip(arrivals, outcomes, strict=True):
        if outcome.state == "quarantined":
            source, id_ = key_of(outcome.arrival.event)
            refused.append(_Refused(one, Rejection(outcome.reason or "", source, id_)))
        else:
            tally.items.append(_taken(outcome))
            tally.old += not outcome.kept
            is_told = key_of(outcome.arrival.event) in told
            tally.private += outcome.state == "accepted" and not is_told and _is_private(one, outcome)
    tally.items += [_refused_item(one) for one in refused]
    _keep(conn, intake, refused)
    _record(conn, intake, tally, {arrival.event.source for _, arrival in arrivals})


def _take_in(conn: Connection, intake: Intake, arrivals: Sequence[Arrival]) -> list[Outcome]:
    """All of it; where the database will not hold one of them, the others, and that one refused."""
    try:
        with intake.within(conn):
            return take_in(conn, intake, arrivals)
    except psycopg.Error as error:
        if intake.within is at_one_go and not is_everybodys(error):
            raise Spoilt from error
        if not isinstance(error, _ITS_OWN):
            raise
        if len(arrivals) > 1:
            middle = len(arrivals) // 2
            return [*_take_in(conn, intake, arrivals[:middle]), *_take_in(conn, intake, arrivals[middle:])]
        reason = f"could not be stored: {type(error).__name__}"
        return [Outcome(arrival, "quarantined", reason) for arrival in arrivals]


def _read(one: Arrived, credential: Credential) -> Parsed | Rejection:
    if one.unreadable is not None:
        return Rejection(one.unreadable, None, _called(one))
    parsed = parse_line(one.said) if isinstance(one.said, str | bytes) else parse_event(one.said)
    if isinstance(parsed, Rejection):
        return parsed
    parsed = _filled(parsed, one)
    if isinstance(parsed, Rejection):
        return parsed
    reason = refusal(parsed.event, credential)
    if reason is None:
        return parsed
    source, id_ = key_of(parsed.event)
    return Rejection(reason, source, id_)


def _called(one: Arrived) -> str | None:
    """What could not be read has no id of its own: its name, or where it stood, tells it from others."""
    if isinstance(one.said, str):
        return one.said
    return one.origin if one.line is None else None


def _filled(parsed: Parsed, one: Arrived) -> Parsed | Rejection:
    """The event with what was said beside it where it says nothing itself; a container is its own word."""
    event = parsed.event
    if not isinstance(event, ContentEvent) or not isinstance(event.detail, Body):
        return parsed
    body = event.detail
    said: dict[str, object] = {}
    if one.audience is not None and body.audience is None and body.container is None:
        said["audience"] = one.audience.as_lists()
    if one.account is not None and body.account is None:
        said["account"] = one.account
    return parse_event({**event.raw, **said}) if said else parsed


def _is_private(one: Arrived, outcome: Outcome) -> bool:
    """Whether nothing says who may read it: no audience, and no container that has one."""
    match outcome.arrival.event:
        case ContentEvent(detail=Body(audience=None, container=None)):
            return True
    return one.private


def _noted(one: Arrived, parsed: Parsed) -> Iterator[str]:
    place = one.origin if one.line is None else f"{one.origin}, line {one.line}"
    return (f"{place}: {note}" for note in (*parsed.notes, *_unread(parsed.event)))


def _unread(event: Event) -> tuple[str, ...]:
    """What a document's header and opening lines say that could not be read."""
    match event:
        case ContentEvent(detail=Body() as body, at=at):
            return notes_of(body, at)
    return ()


def _taken(outcome: Outcome) -> ReceiptItem:
    event = outcome.arrival.event
    source, id_ = key_of(event)
    return ReceiptItem(source, str(event.raw.get("id", id_)), outcome.state, None, outcome.arrival.line)


def _refused_item(one: _Refused) -> ReceiptItem:
    return ReceiptItem(
        one.rejection.source, one.rejection.id, "quarantined", one.rejection.reason, one.arrived.line
    )


def _keep(conn: Connection, intake: Intake, refused: Iterable[_Refused]) -> None:
    rows = [
        {
            "origin": one.arrived.origin,
            "line": one.arrived.line,
            "source": _storable(one.rejection.source),
            "id": _storable(one.rejection.id),
            "reason": _storable(one.rejection.reason),
            "raw": _raw(one.arrived.said),
            "importer": intake.credential.importer,
            "audience": None if one.arrived.audience is None else one.arrived.audience.as_lists(),
            "account": one.arrived.account,
            "refused_at": intake.accepted_at,
        }
        for one in refused
    ]
    if rows:
        quarantine(conn, intake.tenant, intake.key, rows)


def _raw(said: object) -> str:
    """What was handed in, as text that a database can hold and that reads back as it was."""
    match said:
        case bytes():
            text = said.decode("utf-8", "backslashreplace")
        case str():
            text = said
        case Mapping():
            text = _json(said)
        case _:
            text = _field(said)
    return _storable(text) or ""


def _json(said: Mapping[str, object]) -> str:
    """An object as JSON; a field that has no such form is named by its type."""
    return "{" + ", ".join(f"{json.dumps(str(name))}: {_field(value)}" for name, value in said.items()) + "}"


def _field(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=True, default=repr)
    except (ValueError, TypeError, RecursionError):
        return json.dumps(f"a {type(value).__name__} that cannot be written down")


def _storable(text: str | None) -> str | None:
    """NUL and lone surrogates cannot be stored as text; they are written as escapes."""
    if text is None:
        return None
    return text.replace("\x00", "\\u0000").encode("utf-8", "backslashreplace").decode()


def _record(conn: Connection, intake: Intake, tally: _Tally, sources: Collection[str]) -> None:
    """The batch in the audit, one entry for all of it."""
    values = {"tenant": intake.tenant, "now": intake.accepted_at}
    place, transaction, tally.due = conn.execute(SQL["batch_taken"], values).fetchone() or ("", "", True)
    token = token_of(intake.key, str(place))
    tally.token, tally.importer = token, intake.credential.importer
    states = Counter(item.state for item in tally.items)
    counts = {state: states[state] for state in ("accepted", "duplicate", "quarantined")}
    said = {"sources": sorted(sources), **counts, "token": token, "transaction": transaction}
    act = Act(intake.accepted_at, intake.credential.importer, "import", "record", said)
    record(conn, intake.tenant, act, intake.salts())
