"""Small functions that say who is who, for tests."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import assert_never

from psycopg import Connection

from muniment.domain.audience import Audience
from muniment.domain.events import AudienceEvent, MemberEvent, PrincipalEvent
from muniment.gate import directory

Event = PrincipalEvent | MemberEvent | AudienceEvent


def day(number: int) -> datetime:
    return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=number)


ACCEPTED = day(100)


def person(
    id_: str,
    standing: str | None = "member",
    *,
    on: int = 1,
    emails: tuple[str, ...] | None = None,
    aliases: tuple[str, ...] | None = None,
    source: str = "dir",
) -> PrincipalEvent:
    return PrincipalEvent(source, id_, day(on), None, None, emails, aliases, standing, {})


def joins(group: str, *members: str, on: int = 1, version: str | None = None) -> MemberEvent:
    return MemberEvent("dir", group, day(on), version, members, (), None, {})


def leaves(group: str, *members: str, on: int = 2, version: str | None = None) -> MemberEvent:
    return MemberEvent("dir", group, day(on), version, (), members, None, {})


def listing(group: str, *members: str, on: int = 1, version: str | None = None) -> MemberEvent:
    return MemberEvent("dir", group, day(on), version, (), (), members, {})


def container(
    name: str, audience: Audience | None, *, on: int = 1, live: bool = False, through: int | None = None
) -> AudienceEvent:
    verified = None if through is None else day(through)
    return AudienceEvent("slack", name, None, day(on), None, audience, verified, live, {})


def every_clause(*clauses: tuple[str, ...]) -> Audience:
    return Audience(frozenset(frozenset(clause) for clause in clauses))


def state(conn: Connection, tenant: str, *events: Event) -> None:
    """Each event on its own, in the order given."""
    for event in events:
        match event:
            case PrincipalEvent():
                directory.state_principals(conn, tenant, [event], ACCEPTED)
            case MemberEvent():
                directory.state_members(conn, tenant, [event], ACCEPTED)
            case AudienceEvent():
                directory.state_containers(conn, tenant, [event], ACCEPTED)
            case _:
                assert_never(event)
