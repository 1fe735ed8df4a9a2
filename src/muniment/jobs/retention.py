"""A pass that lets go of what a source's rule does not keep. Killed anywhere, it goes on where it stopped.

A text is reduced to the words its statements need, or dropped once it is old enough, and with it every older
version, which would else be current again. The envelope and its commitment stay, so that a backfill is
recognised. What is under a legal hold waits for its release.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from typing import Final

from psycopg.types.json import Jsonb

from muniment.domain.events import Body, ContentEvent, JsonObject
from muniment.domain.retention import Keep, KeepFor, KeepQuotes, KeepWhole
from muniment.domain.versions import orders
from muniment.events.parse import Parsed, parse_event
from muniment.events.retention import rules_of
from muniment.gate import audit, holds
from muniment.gate.binding import writing
from muniment.index.distil import distil
from muniment.jobs.attempts import is_everybodys
from muniment.jobs.compile import Key, compile_keys
from muniment.jobs.loop import Work, one_by_one
from muniment.jobs.outputs import purge
from muniment.jobs.turns import Turn, unhindered
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["BATCH", "apply_all", "apply_once"]

log = logging.getLogger(__name__)
SQL: Final = load("retention")
BATCH: Final = 128
PUT_OFF: Final = timedelta(hours=1)  # until a key that is held, or cannot be compiled, is looked at again


@dataclass(frozen=True, slots=True)
class _Text:
    """One event's words, or, where `content` is none, the place where they were."""

    source: str
    id: str
    seq: int
    version: str | None
    at: datetime
    content: dict[str, object] | None
    is_reduced: bool


@dataclass(frozen=True, slots=True)
class _Gone:
    """What was let go of."""

    reduced: int = 0
    expired: int = 0
    characters: int = 0

    def __add__(self, other: _Gone) -> _Gone:
        return _Gone(
            self.reduced + other.reduced, self.expired + other.expired, self.characters + other.characters
        )


def apply_all(work: Work) -> int:
    """Apply every rule to everything whose time has come; how many items were looked at."""
    total = 0
    while done := apply_once(work):
        total += done
    return total


def apply_once(work: Work, limit: int = BATCH) -> int:
    """One batch, in one transaction; where one key spoils it, each by itself, and the others get through."""
    try:
        return unhindered(lambda turn: _batch(work, limit, turn))
    except Exception as error:  # a key that fails must not stop the rest
        if is_everybodys(error):
            raise
        log.error("a batch could not be reduced: %s; each key is tried by itself", type(error).__name__)  # noqa: TRY400  # its words may quote the text
        return one_by_one(limit, lambda turn: _next_alone(work, turn))


def _batch(work: Work, limit: int, turn: Turn) -> int:
    with writing(work.database, work.tenant) as conn:
        turn(conn, work.tenant)
        keys = _claim(conn, work, limit)
        if keys:
            _let_go(conn, work, _free(conn, work, keys))
        return len(keys)


def _next_alone(work: Work, turn: Turn) -> int:
    """1 where a key was due. One that cannot be reduced or compiled is put off."""
    with writing(work.database, work.tenant) as conn:
        turn(conn, work.tenant)
        keys = _claim(conn, work, 1)
        if keys and not _tried(conn, work, _free(conn, work, keys)):
            _put_off(conn, work, keys)
        return len(keys)


def _tried(conn: Connection, work: Work, keys: Sequence[Key]) -> bool:
    """Whether it could be done; if not, nothing of it was."""
    try:
        with conn.transaction():
            _let_go(conn, work, keys)
    except Exception as error:  # as above
        if is_everybodys(error):
            raise
        log.error("an item could not be reduced: %r: %s", keys, type(error).__name__)  # noqa: TRY400  # as above
        return False
    return True


def _claim(conn: Connection, work: Work, limit: int) -> list[Key]:
    values = {"tenant": work.tenant, "now": work.clock(), "limit": limit}
    return [(source, id_) for source, id_ in conn.execute(SQL["claim"], values)]


def _free(conn: Connection, work: Work, keys: Sequence[Key]) -> list[Key]:
    """Those that no legal hold is on; the others are looked at again later."""
    held = holds.held_among(conn, work.tenant, keys)
    if held:
        _put_off(conn, work, sorted(held))
    return [name for name in keys if name not in held]


def _put_off(conn: Connection, work: Work, keys: Sequence[Key]) -> None:
    values = {"tenant": work.tenant, "sources": [key[0] for key in keys], "ids": [key[1] for key in keys]}
    conn.execute(SQL["put_off"], {**values, "due": work.clock() + PUT_OFF})


def _let_go(conn: Connection, work: Work, keys: Sequence[Key]) -> None:
    """What the rules have it, of keys that are held."""
    named = {"tenant": work.tenant, "sources": [key[0] for key in keys], "ids": [key[1] for key in keys]}
    rules = rules_of(conn, work.tenant, set(named["sources"]))
    gone: dict[str, _Gone] = {}
    changed: list[Key] = []
    conn.execute(SQL["settle"], named)
    rows = (_Text(*row) for row in conn.execute(SQL["texts"], named).fetchall())
    for name, texts in groupby(rows, key=lambda one: (one.source, one.id)):
        one = _applied(conn, work, list(texts), rules.get(name[0], KeepWhole()))
        if one != _Gone():
            changed.append(name)
            gone[name[0]] = gone.get(name[0], _Gone()) + one
    if changed:
        purge(conn, work.tenant, work.key, changed)
        compile_keys(conn, work.tenant, work.key, changed)
    _account(conn, work, gone, rules)


def _applied(conn: Connection, work: Work, texts: Sequence[_Text], rule: Keep) -> _Gone:
    match rule:
        case KeepQuotes():
            whole = [one for one in texts if one.content is not None and not one.is_reduced]
            return sum((_reduced(conn, work, one) for one in whole), _Gone())
        case KeepFor():
            return _expired(conn, work, texts, rule)
        case KeepWhole():
            return _Gone()


def _reduced(conn: Connection, work: Work, one: _Text) -> _Gone:
    body = _body(one.content or {})
    left = distil(body)
    values = {"tenant": work.tenant, "source": one.source, "id": one.id, "seq": one.seq, "body": left.text}
    pieces = [[piece.start, piece.end, piece.at] for piece in left.pieces]
    conn.execute(SQL["reduce"], {**values, "kept": Jsonb(pieces)})
    # Blank lines between pieces are ours, so that little may be saved; never less than nothing.
    return _Gone(reduced=1, characters=max(0, len(body.body) - len(left.text)))


def _body(content: JsonObject) -> Body:
    match parse_event(content):
        case Parsed(event=ContentEvent(detail=Body() as body)):
            return body
    raise TypeError("an accepted text no longer parses")


def _expired(conn: Connection, work: Work, texts: Sequence[_Text], rule: KeepFor) -> _Gone:
    """Drop what is too old by its own time, and what is no newer than that; look again when more will be."""
    places = orders((one.version, one.at, False) for one in texts)
    now = work.clock()
    over = [place for place, one in zip(places, texts, strict=True) if rule.is_over(one.at, now)]
    there = [(place, one) for place, one in zip(places, texts, strict=True) if one.content is not None]
    old = [one for place, one in there if over and place <= max(over)]
    young = [one for place, one in there if not over or place > max(over)]
    source, id_ = texts[0].source, texts[0].id
    values = {"tenant": work.tenant, "source": source, "id": id_}
    if old:
        conn.execute(SQL["drop"], {**values, "seqs": [one.seq for one in old]})
    if young:
        due = rule.ends(min(one.at for one in young))
        conn.execute(
            SQL["note_due"], {"tenant": work.tenant, "sources": [source], "ids": [id_], "dues": [due]}
        )
    return _Gone(expired=len(old), characters=sum(len(str((one.content or {})["body"])) for one in old))


def _account(conn: Connection, work: Work, gone: Mapping[str, _Gone], rules: Mapping[str, Keep]) -> None:
    """Count what went, and write it in the audit, in the transaction that let it go."""
    for source, one in sorted(gone.items()):
        content = {"reduced": one.reduced, "expired": one.expired, "characters": one.characters}
        conn.execute(SQL["count"], {"tenant": work.tenant, "source": source, **content})
        act = audit.Act(
            work.clock(), "service:retention", "let go", source, {**content, "keep": str(rules[source])}
        )
        audit.record(conn, work.tenant, act, work.salts())
