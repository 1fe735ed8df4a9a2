"""The end of what the record holds of some items: contents of events and all that was made of them.

Envelopes stay. In the caller's transaction, which meets no compilation: whoever hands the same in again waits
for its end, and then finds it suppressed.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from muniment.domain.events import ItemRef
from muniment.events.erased import item_digest, line_digest
from muniment.events.rights import RESERVED
from muniment.gate.forget import About, forget, strings_of
from muniment.gate.grants import item_ref
from muniment.index.projection import item_uuid
from muniment.jobs.compile import Key, compile_keys, moves_of
from muniment.jobs.disclose import disclosing
from muniment.jobs.lineage import made_of
from muniment.jobs.loop import Work
from muniment.jobs.outputs import drop_outputs
from muniment.jobs.turns import hold_keys
from muniment.jobs.unname import forget_items
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["Gone", "as_one", "counted", "erase_items", "items_of", "suppress"]

SQL: Final = load("erasing")
EVENTS: Final = load("events")
JOBS: Final = load("jobs")
LEAST: Final = 20  # characters of a body by which a refused line is known to hold it


@dataclass(frozen=True, slots=True)
class Gone:
    """How much went, or would."""

    items: int = 0
    events: int = 0
    passages: int = 0
    statements: int = 0
    refused: int = 0
    questions: int = 0
    acts: int = 0

    def __add__(self, other: Gone) -> Gone:
        return Gone(
            self.items + other.items,
            self.events + other.events,
            self.passages + other.passages,
            self.statements + other.statements,
            self.refused + other.refused,
            self.questions + other.questions,
            self.acts + other.acts,
        )


@dataclass(frozen=True, slots=True)
class _Said:
    """What items were called and what they said, in all their events."""

    names: frozenset[str]
    texts: tuple[str, ...]
    bodies: frozenset[str]


def as_one(conn: Connection, tenant: str, keys: Collection[Key]) -> list[Key]:
    """The keys, every id under which the same items were or are, and the notes made from them.

    Nobody can read a note once its evidence is gone, so that nothing is lost with it.
    """
    joined = set(moves_of(conn, tenant, {source for source, _ in keys}).joined(keys))
    return sorted(joined | {one for one in made_of(conn, tenant, joined) if one[0] == RESERVED})


def counted(conn: Connection, work: Work, keys: Sequence[Key]) -> Gone:
    """What erasing these would take, as far as it can be told before."""
    row = conn.execute(SQL["counts"], _named(work, keys)).fetchone()
    items, events, passages, statements = row or (0, 0, 0, 0)
    refused = len(_refused(conn, work, keys, _said(conn, work, keys)))
    return Gone(items, events, passages, statements, refused)


def erase_items(conn: Connection, work: Work, keys: Sequence[Key], asker: str | None = None) -> Gone:
    """Erase these keys, and suppress them. `asker`: whose questions go with them."""
    hold_keys(conn, work.tenant, keys)
    values = _named(work, keys)
    gone = counted(conn, work, keys)
    said = _said(conn, work, keys)
    anchors = [row[0] for row in conn.execute(SQL["anchors"], values)]
    refused = _refused(conn, work, keys, said)
    conn.execute(SQL["drop_payloads"], values)
    drop_outputs(conn, work.tenant, keys)
    with disclosing(conn, work.tenant, work.key, items_of(work, keys)):
        conn.execute(SQL["drop_statements"], values)
    conn.execute(SQL["drop_redirects"], {**values, "anchors": anchors})
    conn.execute(SQL["drop_reports"], {**values, "anchors": [one.hex for one in anchors]})
    subjects = [*_subjects(keys), *(form for one in anchors for form in (str(one), one.hex, f"c_{one.hex}"))]
    conn.execute(SQL["drop_decisions"], {**values, "subjects": subjects})
    for query in ("drop_grants", "drop_agent_grants", "forget_holds"):
        conn.execute(SQL[query], {**values, "targets": [item_ref(*name) for name in keys]})
    forget_items(conn, work.tenant, items_of(work, keys))
    compile_keys(conn, work.tenant, work.key, keys)
    # Nothing is left to be done, and why it could not be done may quote what it was about.
    conn.execute(JOBS["settle"], values)
    conn.execute(SQL["drop_refused"], {**values, "entries": list(refused)})
    suppress(conn, work, "item", [item_digest(work.key, name) for name in keys])
    suppress(conn, work, "line", [line_digest(work.key, raw) for raw in refused.values()])
    ids = frozenset(one.hex for one in anchors)
    about = About(ids, frozenset(_subjects(keys)), said.names, said.texts, asker)
    questions, acts = forget(conn, work.tenant, about)
    return gone + Gone(questions=questions, acts=acts)


def suppress(conn: Connection, work: Work, kind: str, digests: Sequence[bytes]) -> None:
    """Remember what is not to be taken in again."""
    values = {"tenant": work.tenant, "kind": kind, "digests": list(digests), "now": work.clock()}
    conn.execute(EVENTS["suppress"], values)


def items_of(work: Work, keys: Sequence[Key]) -> list[UUID]:
    """The items of keys, as derived rows name them."""
    return [item_uuid(work.key, ItemRef(*name)) for name in keys]


def _named(work: Work, keys: Sequence[Key]) -> dict[str, object]:
    return {
        "tenant": work.tenant,
        "sources": [source for source, _ in keys],
        "ids": [id_ for _, id_ in keys],
        "items": items_of(work, keys),
    }


def _subjects(keys: Sequence[Key]) -> Iterator[str]:
    for name in keys:
        yield from (item_ref(*name), ":".join(name))


def _said(conn: Connection, work: Work, keys: Sequence[Key]) -> _Said:
    names: set[str] = set()
    bodies: set[str] = set()
    texts: dict[str, None] = {}
    for _, _, _, content in conn.execute(SQL["contents"], _named(work, keys)):
        names |= {
            value for one in ("title", "author_name", "name") if isinstance(value := content.get(one), str)
        }
        bodies |= {value for value in (content.get("body"),) if isinstance(value, str)}
        texts |= dict.fromkeys(value for value in _texts(content) if value)
    return _Said(frozenset(names), tuple(texts), frozenset(bodies))


def _texts(content: dict[str, object]) -> Iterator[str]:
    for name in ("body", "title", "author_name", "name", "account", "project", "service", "url"):
        if isinstance(value := content.get(name), str):
            yield value
    for name in ("aliases", "labels", "metadata"):
        yield from strings_of(content.get(name))


def _refused(conn: Connection, work: Work, keys: Sequence[Key], said: _Said) -> dict[int, str]:
    """What is in quarantine of these items or with their text, by entry."""
    texts = {text for text in said.bodies if len(text.strip()) >= LEAST}
    values = {
        **_named(work, keys),
        "said_sources": [json.dumps(source) for source, _ in keys],
        "said_ids": [json.dumps(id_) for _, id_ in keys],
        "texts": sorted({form for text in texts for form in _forms(text)}),
    }
    return dict(conn.execute(SQL["refused_about"], values).fetchall())


def _forms(text: str) -> set[str]:
    """A text as it is, and as JSON spells it."""
    return {text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]}
