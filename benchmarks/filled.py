"""A large record without its ingest: rows as the front door leaves them for `company.messages`.

Rows, labels and lexemes are those of the real path; ids and salts are random; statements, references and
further versions are absent, as these messages have none. For questions of size and speed, and nothing else.

    python -m benchmarks.filled FOLDER 10000 100000 1000000

FOLDER is made, or goes on from where it was left; it prints a row for each size, reader and verb.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

import muniment
from benchmarks import company
from benchmarks.timing import Timed, timed
from muniment.gate.binding import writing
from muniment.index import codes, lexical
from muniment.index.fields import person_uuid
from muniment.index.words import lexemes
from muniment.jobs.loop import settle
from muniment.settings import Settings
from muniment.store.pool import Connection

__all__ = ["CHUNK", "Drawn", "fill"]

CHUNK: Final = 20_000
DIMENSIONS: Final = 384
TOPICS: Final = 2_000
MODEL: Final = "drawn-384"
Floats = NDArray[np.float32]

_SEVERAL: Final = """
create temporary table if not exists come
  (n bigint, item uuid, passage uuid, entity uuid, id text, audience int, at timestamptz, author text,
   body text, content jsonb, salt bytea, hashes bigint[], line bigint);
create temporary table if not exists placed (passage uuid, audience int, code bit varying, vector halfvec);
truncate come, placed;
grant select on come, placed to muniment_writer
"""
_ROWS: Final = """
insert into muniment.stream (tenant, source, id, last_seq, done_seq, run_at)
select %(t)s, 'chat', id, 1, 1, %(now)s from come;

insert into muniment.event (tenant, source, id, seq, op, at, accepted_at, importer, commitment)
select %(t)s, 'chat', id, 1, 'upsert', at, %(now)s, 'user:bench', salt from come;

insert into muniment.payload (tenant, source, id, seq, salt, content)
select %(t)s, 'chat', id, 1, salt, content from come;

insert into muniment.item (tenant, item, source, id, audience, state, inherits, since, seq, kind, author, at,
                           created_at, trust, authority, word)
select %(t)s, item, 'chat', id, audience, 'live', false, at, 1, 'message', author, at,
       at, 'member', 'member', 'vouched' from come;

insert into muniment.item_version (tenant, item, seq, audience, at, known, change, passages, starts)
select %(t)s, item, 1, audience, at, tstzrange(%(now)s, null), 'said', array[passage], '{0}' from come;

insert into muniment.passage (tenant, passage, doc, item, audience, era, ordinal, heading, body, spans, line,
                              at, turn, traits)
select %(t)s, passage, n, item, audience, 0, 0, '{}', body,
       jsonb_build_array(jsonb_build_array(0, length(body), 'own')), line, at, (n %% 1000000000)::int, 8
  from come;

insert into muniment.mention (tenant, item, role, name, audience, known)
select %(t)s, item, 'author', author, audience, tstzmultirange(tstzrange(%(now)s, null)) from come;

insert into muniment.entity_name (tenant, name, origin, entity, kind, title, is_alias, audience, known)
select %(t)s, author, item::text, entity, 'person', author, false, audience,
       tstzmultirange(tstzrange(%(now)s, null)) from come;

insert into muniment.fingerprint (tenant, item, seq, at, hashes)
select %(t)s, item, 1, at, hashes from come
"""
_VECTORS: Final = """
insert into muniment.passage_vector (tenant, passage, model, era, audience, code, vector)
select %(t)s, passage, %(model)s, 0, audience, code, vector from placed
"""


@dataclass(frozen=True, slots=True)
class Drawn:
    """Vectors drawn around one of many topics: no meaning, but near and far as a real model's."""

    name: str = MODEL
    dimensions: int = DIMENSIONS
    is_centred: bool = True

    def embed(self, texts: Sequence[str], *, query: bool) -> Floats:
        """One row a text; a question lies near a topic, as a passage does."""
        seeds = [int.from_bytes(text.encode()[:16].ljust(16, b" "), "big") + query for text in texts]
        return np.concatenate([_vectors(np.random.default_rng(seed), 1) for seed in seeds])


def _unit(values: Floats) -> Floats:
    found: Floats = values / np.linalg.norm(values, axis=1, keepdims=True)
    return found


_TOPICS: Final = _unit(np.random.default_rng(7).standard_normal((TOPICS, DIMENSIONS), dtype=np.float32))


def _vectors(random: np.random.Generator, count: int) -> Floats:
    noise = _unit(random.standard_normal((count, DIMENSIONS), dtype=np.float32))
    return _unit(0.6 * _TOPICS[random.integers(0, TOPICS, count)] + 0.8 * noise)


class Vocabulary:
    """Every word the company uses, and its lexemes, which do not depend on where it stands."""

    def __init__(self) -> None:
        self.words = [company.word(rank) for rank in range(company.VOCABULARY)]
        self.lexemes = [tuple(lexemes(word)) for word in self.words]
        self.authors: Mapping[int, tuple[str, ...]] = {n: tuple(lexemes(f"user:u{n}")) for n in range(500)}

    def counted(self, ranks: Sequence[int], author: int) -> Counter[str]:
        """The lexemes of a message."""
        counts = Counter(self.authors[author])
        for rank in ranks:
            counts.update(self.lexemes[rank])
        return counts


def fill(org: muniment.Org, first: int, count: int) -> None:
    """Messages numbered from `first`, in channels whose audience the record knows."""
    vocabulary = Vocabulary()
    for start in range(first, first + count, CHUNK):
        with org._work.database.session() as conn, conn.transaction():
            conn.execute(_SEVERAL)
            audiences = _audiences(conn, org.tenant)
            places = _Places(audiences, {n: person_uuid(org._work.key, f"user:u{n}") for n in range(500)})
            documents = _come(conn, start, min(CHUNK, first + count - start), places, vocabulary)
            conn.execute("set local role muniment_writer")
            _store(conn, org, documents)
    settle(org._work)


def _audiences(conn: Connection, tenant: str) -> list[int]:
    """The number of each channel's audience."""
    conn.execute("select set_config('muniment.tenant', %s, true)", [tenant])
    conn.execute("set local role muniment_writer")
    rows = conn.execute("select member, audience from muniment.audience_clause where tenant = %s", [tenant])
    found: dict[str, int] = dict(rows.fetchall())
    conn.execute("reset role")
    return [found[f"group:chat:C{channel}"] for channel in range(company.CHANNELS)]


@dataclass(frozen=True, slots=True)
class _Places:
    """The audience of each channel, and what the record calls each author."""

    audiences: Sequence[int]
    people: Mapping[int, UUID]


def _come(
    conn: Connection, start: int, count: int, places: _Places, vocabulary: Vocabulary
) -> list[lexical.Document]:
    """Put a chunk where `_store` finds it; and its words."""
    random = np.random.default_rng([17, start])
    ids = random.integers(0, 256, (2, count, 16), np.uint8)
    channels = company.channels(random, count)
    lengths = np.clip(random.lognormal(3.4, 0.5, count), 3, 300).astype(int)
    ranks = np.split(company.ranks(random, int(lengths.sum())), lengths.cumsum()[:-1])
    hashes = random.integers(-(2**63), 2**63 - 1, (count, 7))
    documents = []
    columns = "n, item, passage, entity, id, audience, at, author, body, content, salt, hashes, line"
    with conn.cursor().copy(f"copy come ({columns}) from stdin") as copy:
        for at in range(count):
            number, audience = start + at, places.audiences[channels[at]]
            own = ranks[at].tolist()
            said = company.message(number, [vocabulary.words[rank] for rank in own], int(channels[at]))
            counts = vocabulary.counted(own, number % 500)
            documents.append(lexical.Document(number + 1, audience, counts, counts.total()))
            item, passage = (one[at].tobytes().hex() for one in ids)
            entity = places.people[number % 500]
            ids_of = number + 1, item, passage, entity, said["id"]
            told = audience, said["at"], said["author"], said["body"]
            salt, prints = ids[0][at].tobytes() * 2, hashes[at].tolist()
            copy.write_row((*ids_of, *told, json.dumps(said), salt, prints, prints[0]))
    with conn.cursor().copy("copy placed from stdin (format binary)") as copy:
        marks = np.array([places.audiences[channel] for channel in channels])
        copy.write(
            b"PGCOPY\n\xff\r\n\0" + bytes(8) + _placed(ids[1], marks, _vectors(random, count)) + b"\xff\xff"
        )
    return documents


def _placed(ids: NDArray[np.uint8], audiences: NDArray[np.int64], made: Floats) -> bytes:
    """Rows as binary COPY wants them; all are of one length."""
    columns = {
        "passage": ids,
        "audience": audiences.astype(">i4"),
        "code": _headed(np.array([DIMENSIONS], ">i4"), np.packbits(codes.signs(MODEL, made), axis=1)),
        "vector": _headed(np.array([DIMENSIONS, 0], ">i2"), made.astype(">f2").view("u1")),
    }
    kinds: list[tuple[str, Any, tuple[int, ...]]] = [("columns", ">i2", ())]
    for name, column in columns.items():
        kinds += [(f"{name}_size", ">i4", ()), (name, column.dtype, column.shape[1:])]
    table = np.empty(len(made), np.dtype(kinds))
    table["columns"] = len(columns)
    for name, column in columns.items():
        table[f"{name}_size"], table[name] = column[0].nbytes, column
    return table.tobytes()


def _headed(head: NDArray[Any], rows: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.hstack([np.tile(head.view("u1"), (len(rows), 1)), rows])


def _store(conn: Connection, org: muniment.Org, documents: Sequence[lexical.Document]) -> None:
    values = {"t": org.tenant, "now": datetime(2026, 12, 1, tzinfo=UTC), "model": MODEL}
    for statement in _ROWS.split(";"):
        conn.execute(statement.encode(), values)
    conn.execute(_VECTORS, values)
    conn.execute("delete from muniment.vector_due where tenant = %(t)s", values)
    lexical.add(conn, org.tenant, 0, documents)


def main(folder: Path, counts: Sequence[int]) -> None:
    """Fill to each size in turn, and ask."""
    folder.mkdir(mode=0o711, exist_ok=True)
    settings = Settings(login="bench", state_dir=folder / "state", embedder="off")
    (folder / "state").mkdir(mode=0o711, exist_ok=True)
    with muniment.open(folder / "org", settings=settings, embedder=Drawn()) as org:
        held = _held(org) or _begun(org)
        for count in counts:
            began = time.perf_counter()
            if count > held:
                fill(org, held, count - held)
                print(f"{count}: {(count - held) / (time.perf_counter() - began):.0f} a second", flush=True)
                held = count
            _ask(org, count)


def _held(org: muniment.Org) -> int:
    with writing(org._work.database, org.tenant) as conn:
        row = conn.execute("select count(*) from muniment.item where tenant = %s", [org.tenant]).fetchone()
        return 0 if row is None else int(row[0])


def _begun(org: muniment.Org) -> int:
    """A message in each channel through the front door, so that its audience is known, and a whole model."""
    org.ingest(company.people())
    org.ingest([company.message(number, ["ba", "be"], number) for number in range(company.CHANNELS)])
    org.sync()
    return company.CHANNELS


def _ask(org: muniment.Org, count: int) -> None:
    questions = list(company.questions(25))
    for reader in company.READERS:
        view = org.reader(reader)
        for verb, call in (("search", view.search), ("context", partial(view.context, budget=1500))):
            call(questions[0])
            took = Timed.of([timed(partial(call, question)) for question in questions])
            print(f"{count}: {reader}: {verb}: {took.text()}", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), [int(one) for one in sys.argv[2:]])
