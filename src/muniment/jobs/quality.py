"""How much an item's words count: by its source's configuration, its kind, and on whose word it came."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

import psycopg

from muniment.domain.events import Body
from muniment.domain.trust import is_trusted, minimum
from muniment.events.rights import RESERVED
from muniment.gate.directory import address_of
from muniment.gate.labelled import Quality, Word
from muniment.items.fold import Standing
from muniment.store.queries import load
from muniment.store.rows import as_json

__all__ = ["lowered", "may_name", "qualities_of"]

Connection = psycopg.Connection[Any]
Key = tuple[str, str]
_Written = tuple[str, datetime]
_FROM_ANYWHERE: Final = frozenset({"email", "calendar"})  # what whoever knows an address can send there
SQL = load("jobs")

# How much a kind of item counts where its source says nothing else.
_USUAL: Final = {
    "crm": Quality("system_of_record", "system_of_record"),
    "document": Quality("member", "owner"),
    "alert": Quality("internal_tool", "tool"),
    "observation": Quality("internal_tool", "tool"),
}
_MEMBER: Final = Quality("member", "member")
_HIGHEST: Final = {"external_document": "external", "external_tool": "external", "internal_tool": "tool"}
_OVER_A_MEMBER: Final = frozenset({"owner", "system_of_record"})


@dataclass(frozen=True, slots=True)
class _Source:
    """What a source was configured with, and who feeds it."""

    trust: str = "default"
    authority: str = "default"
    fed_by: str = ""


@dataclass(frozen=True, slots=True)
class _Sources:
    """The sources of some items, and who was a steward from when until when."""

    configured: Mapping[str, _Source]
    stewards: Collection[tuple[str, datetime, datetime | None]]

    def word(self, standing: Standing) -> Word:
        """On whose word all of its texts came; what people remember is their own, whatever else they are."""
        if standing.ref.source == RESERVED:
            return "added"
        fed_by = self.configured.get(standing.ref.source, _Source()).fed_by
        others = {who for who, at in standing.handed_in if not self._is_steward(who, at)}
        if not others or (others == {fed_by} and fed_by.startswith("service:")):
            return "vouched"
        return "fed" if others == {fed_by} else "added"

    def _is_steward(self, who: str, at: datetime) -> bool:
        return any(
            who == steward and since <= at and (until is None or at < until)
            for steward, since, until in self.stewards
        )


@dataclass(frozen=True, slots=True)
class _Outside:
    """Who of those that wrote something was no member when they wrote it, and whom nobody knows."""

    stood: frozenset[_Written]
    unknown: frozenset[str]

    def wrote(self, standing: Standing) -> bool:
        """Whether any of its texts is an outsider's, or was sent from an address that is nobody's here."""
        if any(one in self.stood for one in _written(standing)):
            return True
        sent = (_writer(body) for body in standing.bodies.values() if body.kind in _FROM_ANYWHERE)
        return not self.unknown.isdisjoint(sent)


def qualities_of(
    conn: Connection, tenant: str, standings: Mapping[Key, Standing | None]
) -> dict[Key, Quality]:
    """How the words of each of these count, what they were made from aside."""
    bound = {"tenant": tenant, "sources": sorted({source for source, _ in standings})}
    asked = conn.execute(SQL["whose_word"], bound)
    outside = _outside(conn, tenant, [one for one in standings.values() if one is not None])
    rows = asked.fetchall()
    configured = {source: _Source(*rest) for source, *rest, steward, _, _ in rows if steward is None}
    sources = _Sources(configured, [tuple(row[4:]) for row in rows if row[4] is not None])
    return {name: _quality(one, sources, outside) for name, one in standings.items() if one is not None}


def _outside(conn: Connection, tenant: str, standings: Iterable[Standing]) -> _Outside:
    written = sorted({one for standing in standings for one in _written(standing)})
    if not written:
        return _Outside(frozenset(), frozenset())
    said = as_json([{"author": who, "address": address_of(who), "at": at} for who, at in written])
    rows = conn.execute(SQL["outsiders"], {"tenant": tenant, "written": said}).fetchall()
    return _Outside(
        frozenset((author, at) for author, at, is_known in rows if is_known),
        frozenset(author for author, _, is_known in rows if not is_known),
    )


def _written(standing: Standing) -> Iterator[_Written]:
    """Everybody who wrote any of its texts, when it was made and when it last changed."""
    for author in {_writer(body) for body in standing.bodies.values()}:
        if author is not None:
            yield from ((author, standing.created_at), (author, standing.at))


def _writer(body: Body) -> str | None:
    """A principal, or what else an author is called; `addressed_authors` reads a payload the same way."""
    called = body.metadata.get("author")
    return body.author or (called if isinstance(called, str) else body.author_name)


def may_name(conn: Connection, tenant: str, source: str) -> bool:
    """Whether a source may say which names mean one thing: a word from outside joins no two of ours."""
    rows = conn.execute(SQL["source_qualities"], {"tenant": tenant, "sources": [source]}).fetchall()
    return all(trust == "default" or is_trusted(trust) for _, trust, *_ in rows)


def _quality(standing: Standing, sources: _Sources, outside: _Outside) -> Quality:
    """What the source was configured with; where that says `default`, what its kind of item usually is."""
    usual = _USUAL.get(standing.body.kind, _MEMBER)
    said, word = sources.configured.get(standing.ref.source, _Source()), sources.word(standing)
    trust = usual.trust if said.trust == "default" else said.trust
    authority = usual.authority if said.authority == "default" else said.authority
    # What a source is configured to count is the word of who feeds it; what a kind of item usually counts,
    # of who answers for it. Anybody else's is a member's.
    if word == "added" or (word == "fed" and said.trust == "default"):
        trust = minimum((trust, "member"))
    if word == "added" and authority in _OVER_A_MEMBER:
        authority = "member"
    return lowered(Quality(trust, authority, word), minimum([trust, *_by_author(standing, outside)]))


def _by_author(standing: Standing, outside: _Outside) -> Iterator[str]:
    """What an agent says is a tool's word, what a guest, an external or a stranger's mail says an outsider's.

    Of a note the record itself knows whether an agent wrote it for somebody.
    """
    if outside.wrote(standing):
        yield "external_document"
    for body in standing.bodies.values():
        if (body.author or "").startswith("agent:"):
            yield "internal_tool"
        if standing.ref.source == RESERVED and isinstance(most := body.metadata.get("at_most"), str):
            yield most


def lowered(quality: Quality, trust: str) -> Quality:
    """Whose words may not act for themselves do not overrule those that may."""
    authority = _HIGHEST.get(trust, quality.authority)
    is_so = (quality.trust, quality.authority) == (trust, authority)
    return quality if is_so else replace(quality, trust=trust, authority=authority)
