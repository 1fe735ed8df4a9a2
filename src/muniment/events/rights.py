"""Who may say what: a source speaks for its own ids; directories and stewards speak for everyone's."""

from __future__ import annotations

from dataclasses import dataclass

from muniment.domain.events import (
    AudienceEvent,
    ContentEvent,
    EntityEvent,
    Event,
    MemberEvent,
    Op,
    PrincipalEvent,
    TopologyEvent,
)

__all__ = ["RESERVED", "Credential", "refusal"]

RESERVED = "muniment"  # what stewards say through our own commands


@dataclass(frozen=True, slots=True)
class Credential:
    """Who hands events in. foreign: sources that others feed, none for a steward, who speaks for all.

    own: the record itself hands in what someone remembered. met: sources that the record knows already.
    """

    importer: str
    steward: bool
    foreign: frozenset[str]
    directories: frozenset[str]
    own: bool = False
    met: frozenset[str] = frozenset()


def refusal(event: Event, credential: Credential) -> str | None:
    """Why this credential may not say this, or None where it may."""
    if event.source == RESERVED and not credential.own:
        return f"source {RESERVED!r} is the record's own"
    if event.source in credential.foreign and not _adds(event):
        return f"source {event.source!r} is fed by somebody else, who alone says this, or a steward"
    if credential.steward or event.source in credential.directories:
        return None
    match event:
        case PrincipalEvent():
            return _principal_refusal(event)
        case MemberEvent():
            return _group_refusal(event)
        case ContentEvent() | AudienceEvent() | EntityEvent() | TopologyEvent():
            return None


def _adds(event: Event) -> bool:
    """Whether it may be no more than a new item of its importer's."""
    return isinstance(event, ContentEvent) and event.op is Op.UPSERT


def _principal_refusal(event: PrincipalEvent) -> str | None:
    if event.standing is not None or event.emails is not None:
        return f"source {event.source!r} is no directory and may not set a standing or an e-mail"
    foreign = [alias for alias in event.aliases or () if not alias.startswith(f"{event.source}:")]
    if foreign:
        return f"source {event.source!r} is no directory and may not set the alias {foreign[0]!r}"
    return None


def _group_refusal(event: MemberEvent) -> str | None:
    if event.group.startswith(f"group:{event.source}:"):
        return None
    return (
        f"source {event.source!r} is no directory and owns only group:{event.source}:…, not {event.group!r}"
    )
