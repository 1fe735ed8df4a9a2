"""What models gave, as it is stored: read for a compilation, and dropped with the words it was given for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Final

from muniment.assertions.unit import unit_of
from muniment.domain.distilled import Output
from muniment.domain.events import Body, ContentEvent
from muniment.events.parse import Parsed, parse_event
from muniment.index.projection import context_of
from muniment.items.moves import Moves
from muniment.items.passages import cut
from muniment.items.text import structure
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["asked_of", "drop_outputs", "drop_replies", "outputs_of", "purge"]

Key = tuple[str, str]
SQL: Final = load("outputs")


def outputs_of(conn: Connection, tenant: str, keys: Collection[Key]) -> Mapping[Key, list[Output]]:
    """What models gave for these items, under whatever id they had then, as far as it acts yet."""
    if not _are_there(conn, tenant):
        return {}
    moves = _moves(conn, tenant, keys)
    led = {name: (name, *moves.back(name)) for name in keys}
    found: dict[Key, list[Output]] = {}
    every = sorted({one for names in led.values() for one in names})
    for source, id_, purpose, unit, extractor, shown, reply, at in conn.execute(
        SQL["outputs"], _named(tenant, every)
    ):
        given = Output(purpose, bytes(unit), extractor, bytes(shown), reply, at)
        found.setdefault((source, id_), []).append(given)
    return {name: [one for each in names for one in found.get(each, ())] for name, names in led.items()}


def asked_of(conn: Connection, tenant: str, name: Key, extractor: str) -> set[tuple[str, bytes]]:
    """What an extractor was asked already about an item, under whatever id it had then."""
    names = [name, *_moves(conn, tenant, [name]).back(name)]
    rows = conn.execute(SQL["asked"], {**_named(tenant, names), "extractor": extractor})
    return {(purpose, bytes(unit)) for purpose, unit in rows}


def drop_outputs(conn: Connection, tenant: str, keys: Collection[Key]) -> None:
    """All that was given for these items, and that anybody looked at them."""
    conn.execute(SQL["drop_outputs"], _named(tenant, sorted(keys)))
    conn.execute(SQL["look_again"], _named(tenant, sorted(keys)))


def purge(conn: Connection, tenant: str, key: bytes, keys: Collection[Key]) -> None:
    """Drop what was given for words that these items no longer have in any text, earlier or reverted."""
    if not keys or not _are_there(conn, tenant):
        return
    moves = _moves(conn, tenant, keys)
    for name in sorted(keys):
        named = _named(tenant, sorted(moves.joined([name])))
        units = sorted({unit for body in _bodies(conn, named) for unit in _units(key, body)})
        conn.execute(SQL["drop_other_outputs"], {**named, "units": units})
        conn.execute(SQL["look_again"], named)


def drop_replies(conn: Connection, tenant: str, is_spoilt: Callable[[str], bool]) -> None:
    """Replies that say what must not be kept, which a model may have had from anywhere."""
    for source, id_, purpose, unit, extractor, reply in conn.execute(
        SQL["replies"], {"tenant": tenant}
    ).fetchall():
        if is_spoilt(reply):
            name = {"tenant": tenant, "source": source, "id": id_, "purpose": purpose}
            conn.execute(SQL["drop_reply"], {**name, "unit": unit, "extractor": extractor})
            conn.execute(SQL["look_again"], _named(tenant, [(source, id_)]))


def _are_there(conn: Connection, tenant: str) -> bool:
    """Whether any model was ever asked: most records never pay for the question again."""
    return conn.execute(SQL["are_there"], {"tenant": tenant}).fetchone() == (True,)


def _moves(conn: Connection, tenant: str, keys: Collection[Key]) -> Moves:
    sources = sorted({source for source, _ in keys})
    return Moves.of(conn.execute(SQL["moves"], {"tenant": tenant, "sources": sources}))


def _bodies(conn: Connection, named: Mapping[str, object]) -> Iterator[Body]:
    for (content,) in conn.execute(SQL["texts"], named).fetchall():
        match parse_event(content):
            case Parsed(event=ContentEvent(detail=Body() as body)):
                yield body


def _units(key: bytes, body: Body) -> Iterator[bytes]:
    context = context_of(body)
    for passage in cut(structure(body.kind, body.body, body.media)):
        unit = unit_of(passage, context)
        if unit is not None:
            yield unit.digest(key)


def _named(tenant: str, keys: Collection[Key]) -> dict[str, object]:
    return {"tenant": tenant, "sources": [key[0] for key in keys], "ids": [key[1] for key in keys]}
