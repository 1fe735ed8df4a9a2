"""Live sources connected, tried beforehand, paused and let go of, each by a steward and in the audit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Final

from psycopg.types.json import Jsonb

from muniment.domain.audience import parse_audience
from muniment.domain.connections import ConnectionSaid, KindTold, Plan, SettingTold
from muniment.domain.errors import MunimentError, Refused, Usage
from muniment.jobs import connections
from muniment.jobs.connections import Connected
from muniment.sources import registry, secrets
from muniment.sources.connector import ConnectorKind, Page, Unauthorised
from muniment.sources.parsed import Parsed, Unread
from muniment.steward import sources
from muniment.steward.desk import Desk
from muniment.store.queries import load

__all__ = ["connect", "disconnect", "kinds", "pause", "plan"]

SQL: Final = load("connections")


def kinds() -> list[KindTold]:
    """Every kind of live source, by name."""
    return [_told(kind) for kind in sorted(registry.connector_kinds(), key=lambda kind: kind.name)]


def _told(kind: ConnectorKind) -> KindTold:
    settings = tuple(
        SettingTold(one.name, one.help, one.secret, one.required, one.default) for one in kind.settings
    )
    return KindTold(
        kind.name,
        kind.summary,
        kind.connect is not None,
        kind.hook is not None,
        settings,
        tuple(kind.knows),
    )


def _checked(said: ConnectionSaid) -> ConnectionSaid:
    """What was said, with defaults; Usage says what is wrong with it."""
    kind = registry.connector_kind(said.kind)
    if min(said.every, said.sweep_every) <= timedelta(0) or said.pace < timedelta(0):
        raise Usage("a source is pulled and swept every so often, not every nothing")
    if said.audience is not None:
        try:
            parse_audience(said.audience)
        except ValueError as error:
            raise Usage(str(error)) from None
    return replace(said, settings=secrets.checked(said.settings, kind.settings))


def connect(desk: Desk, said: ConnectionSaid) -> Plan:
    """Connect a source, or say anew how it is connected; it is due at once."""
    said = _checked(said)
    kind = registry.connector_kind(said.kind)
    _try_making(desk, said)
    change = sources.Change(
        fed_by=connections.speaks_as(said.source),
        directory=True if kind.directory else None,
        trust=None if said.trust == "default" else said.trust,
    )
    sources.set_source(desk, said.source, change)
    values = {
        "tenant": desk.tenant,
        "source": said.source,
        "kind": said.kind,
        "settings": Jsonb(dict(said.settings)),
        "audience": None if said.audience is None else Jsonb(said.audience),
        "importer": desk.principal,
        "every": said.every,
        "sweep_every": said.sweep_every,
        "pace": said.pace,
        "pulls": kind.connect is not None,
        "now": desk.now,
    }
    with desk.writing() as conn:
        conn.execute(SQL["connect"], values)
        # The names of secrets are settings; a secret itself is nowhere in the record.
        desk.record(conn, "connect", said.source, {"kind": said.kind, "settings": dict(said.settings)})
    return _planned(desk, said, "connected", reachable=True)


def _try_making(desk: Desk, said: ConnectionSaid) -> None:
    """What is set up so that no request could be made is said now; secrets may be where the worker is."""
    tried = _unwritten(desk, said)
    if tried.of.connect is not None:
        with suppress(Unauthorised):
            tried.of.connect(tried.configured(desk.work.clock))


def disconnect(desk: Desk, source: str) -> None:
    """Stop reading a source; what it said stays in the record, as it stood."""
    _change(desk, "disconnect", source, {})


def pause(desk: Desk, source: str, *, paused: bool) -> None:
    """Leave a source alone for a time, or go on where it was left."""
    pulls = connections.connected(desk.work, source).of.connect is not None
    _change(desk, "pause", source, {"paused": paused, "pulls": pulls})


def _change(desk: Desk, query: str, source: str, said: dict[str, object]) -> None:
    values = {"tenant": desk.tenant, "source": source, "now": desk.now}
    with desk.writing() as conn:
        if conn.execute(SQL[query], {**values, **said}).fetchone() is None:
            raise Refused(f"no source {source!r} is connected; see muniment connect")
        desk.record(conn, query, source, said)


def plan(desk: Desk, said: ConnectionSaid) -> Plan:
    """What connecting it would read and for whom, with one request to the source. Nothing is written."""
    said = _checked(said)
    with desk.writing():
        tried = _unwritten(desk, said)
    if tried.of.connect is None:
        return _planned(desk, said, "only delivers by itself: there is nothing to ask", reachable=True)
    try:
        page = next(iter(tried.of.connect(tried.configured(desk.work.clock)).pull(None)), None)
    except MunimentError as error:
        return _planned(desk, said, str(error), reachable=False)
    return _sampled(_planned(desk, said, "answered", reachable=True), page)


def _unwritten(desk: Desk, said: ConnectionSaid) -> Connected:
    return Connected(
        source=said.source,
        kind=said.kind,
        settings=said.settings,
        audience=None,
        importer=desk.principal,
        every=said.every,
        sweep_every=said.sweep_every,
        pace=said.pace,
        paused=False,
        state="behind",
        cursor=None,
        seen=0,
        through=None,
        last_error=None,
        failures=0,
        next_at=None,
        polled_at=None,
        swept_at=None,
        verified_at=None,
    )


def _planned(desk: Desk, said: ConnectionSaid, probe: str, *, reachable: bool) -> Plan:
    kind = registry.connector_kind(said.kind)
    clauses = said.audience or [[desk.principal]]
    unnamed = " and ".join(" or ".join(clause) for clause in clauses)
    return Plan(
        said.source,
        said.kind,
        tuple(kind.knows),
        dict(said.settings),
        unnamed,
        kind.directory,
        reachable,
        probe,
    )


def _sampled(planned: Plan, page: Page | None) -> Plan:
    """With what the first page held, and for whom."""
    parsed: Sequence[Parsed] = () if page is None else page.parsed
    events = [one for one in parsed if not isinstance(one, Unread)]
    return replace(
        planned,
        sample=dict(Counter(str(one.get("kind") or one.get("op")) for one in events)),
        audiences=dict(Counter(_for_whom(one, planned) for one in events if "body" in one)),
        unread=len(parsed) - len(events),
    )


def _for_whom(event: object, planned: Plan) -> str:
    """The readers of one event, in words."""
    match event:
        case {"audience": list(clauses)} if clauses:
            each = [[clause] if isinstance(clause, str) else clause for clause in clauses]
            return " and ".join(" or ".join(map(str, clause)) for clause in each)
        case {"container": str(container)} if container:
            return f"whoever is in {container}"
    return planned.unnamed_audience
