"""The lexical leg: BM25 over posting blocks of the audiences a reader is permitted, and nothing else.

Frequencies, sizes and average length are those of the permitted documents, so neither a score nor the rows
visited can depend on a hidden one. Statements run in the caller's transaction, at read committed.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate, groupby
from operator import or_
from typing import Any, Final, TypeAlias

import psycopg

from muniment.domain.errors import Conflict
from muniment.index import blocks
from muniment.index.blocks import Document, Packed, Run
from muniment.index.scores import Scores, rank
from muniment.store.queries import load

__all__ = [
    "Document",
    "Scores",
    "add",
    "compact",
    "compact_meanwhile",
    "postings_of",
    "remove",
    "search",
    "spoken",
]

Connection: TypeAlias = psycopg.Connection[Any]
SQL: Final = load("lexical")

# A segment with this many postings is closed: compaction never rewrites it again.
FULL: Final = 150_000
# Documents of one audience written as one segment; also the bound of what a removal has to read.
MOST_DOCUMENTS: Final = 4096
# Compaction of an audience is due at FAN_IN open segments, or if the largest is within WORTH times the rest.
FAN_IN: Final = 4
WORTH: Final = 4
# While more is coming in, due at this many, whatever their sizes: what is merged early is merged again, and
# each time leaves its old rows behind.
FAN_IN_MEANWHILE: Final = 12
# What one compaction takes on: so many audiences, and about so many postings. The more at once, the closer
# together lie the blocks that a question reads.
AUDIENCES_AT_ONCE: Final = 256
POSTINGS_AT_ONCE: Final = 500_000


@dataclass(frozen=True, slots=True)
class Extent:
    """What the directory says of a segment: range of document numbers, documents, their lengths added up."""

    low: int
    high: int
    docs: int
    length: int

    @classmethod
    def of(cls, documents: Sequence[Document]) -> "Extent":
        """Measure documents that have words."""
        numbers = [document.doc for document in documents]
        length = sum(min(document.length, blocks.LONGEST) for document in documents)
        return cls(min(numbers), max(numbers), len(numbers), length)

    def __or__(self, other: "Extent") -> "Extent":
        low, high = min(self.low, other.low), max(self.high, other.high)
        return Extent(low, high, self.docs + other.docs, self.length + other.length)


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of one audience with its extent."""

    audience: int
    extent: Extent
    run: Run

    @property
    def level(self) -> int:
        """How many leading bits of a term pick its slot."""
        return blocks.level_for(len(self.run.words))


@dataclass(frozen=True, slots=True)
class Row:
    """A stored block and where it is."""

    slot: int
    audience: int
    segment: int
    run: Run

    @property
    def key(self) -> tuple[int, int, int]:
        """Slot, audience and segment: the row's place within tenant and era."""
        return self.slot, self.audience, self.segment


def add(conn: Connection, tenant: str, era: int, documents: Sequence[Document]) -> None:
    """Index documents that are not indexed yet; each audience gets one segment.

    A document without words is left out: no question finds it, and it counts towards no average.
    """
    groups: dict[int, list[Document]] = defaultdict(list)
    for document in documents:
        if document.counts:
            groups[document.audience].append(document)
    # An audience may appear once per statement, so later chunks of a large batch go in later rounds.
    for start in range(0, max(map(len, groups.values()), default=0), MOST_DOCUMENTS):
        chunks = [group[start : start + MOST_DOCUMENTS] for group in groups.values() if len(group) > start]
        pairs = zip(chunks, blocks.runs_of(chunks), strict=True)
        _write(conn, tenant, era, [Segment(chunk[0].audience, Extent.of(chunk), run) for chunk, run in pairs])


def remove(conn: Connection, tenant: str, era: int, documents: Sequence[Document]) -> None:
    """Take documents out of every block that holds them.

    The counts say where to look. Conflict unless exactly as many postings were there as they say.
    """
    found = [document for document in documents if document.counts]
    if not found:
        return
    conn.execute(
        SQL["lock_audiences"], {"tenant": tenant, "era": era, "audiences": [d.audience for d in found]}
    )
    wanted = _group(found)
    rows = _rows_with(conn, tenant, era, wanted)
    parts = [(row, *blocks.without(row.run, wanted[row.audience])) for row in rows]
    changed = [(row, kept, gone) for row, kept, gone in parts if len(gone)]
    if sum(len(gone) for _, _, gone in changed) != sum(len(document.counts) for document in found):
        raise Conflict(
            f"postings of documents {sorted(d.doc for d in found)!r} are not what their counts say"
        )
    _rewrite(conn, tenant, era, [(row, kept) for row, kept, _ in changed])
    _shrink(conn, tenant, era, [(row, gone) for row, _, gone in changed])


def search(
    conn: Connection, tenant: str, era: int, lexemes: Sequence[str], audiences: Sequence[int], *, limit: int
) -> Scores:
    """Score documents of the given audiences that share a lexeme with the question."""
    # Sorted, because a document's score is summed in this order whatever the order of the question.
    terms = {lexeme: blocks.term_of(lexeme) for lexeme in sorted(set(lexemes))}
    slots = sorted({slot for term in terms.values() for slot in blocks.slots_of(term)})
    if not audiences:
        return rank({lexeme: [] for lexeme in terms}, documents=0, length=0, limit=limit)
    values = {"tenant": tenant, "era": era, "slots": _array(slots), "audiences": _array(audiences)}
    with conn.cursor(binary=True) as cursor:
        (_, _, _, documents, length), *rows = sorted(
            cursor.execute(SQL["search"], values, prepare=True), key=lambda row: row[0]
        )
    return rank(_matches(terms, rows), documents=documents, length=length, limit=limit)


def spoken(conn: Connection, tenant: str, lexemes: Iterable[str]) -> frozenset[str]:
    """Which of the lexemes any document still has, whoever may read it. For erasure; nobody else may know."""
    terms = {lexeme: blocks.term_of(lexeme) for lexeme in lexemes}
    if not terms:
        return frozenset()
    slots = sorted({slot for term in terms.values() for slot in blocks.slots_of(term)})
    found: set[str] = set()
    for era in (0, 1):
        audiences = [row[0] for row in conn.execute(SQL["audiences"], {"tenant": tenant, "era": era})]
        values = {"tenant": tenant, "era": era, "slots": _array(slots), "audiences": _array(audiences)}
        with conn.cursor(binary=True) as cursor:
            rows = [row for row in cursor.execute(SQL["search"], values).fetchall() if row[0]]
        found |= {lexeme for lexeme, words in _matches(terms, rows).items() if any(map(len, words))}
    return frozenset(found)


def compact(conn: Connection, tenant: str) -> int:
    """Merge open segments of the audiences that have most; returns the segments merged, 0 when settled."""
    return _compact(conn, tenant, FAN_IN, WORTH)


def compact_meanwhile(conn: Connection, tenant: str) -> int:
    """Merge where very many segments are open, as long as more is coming in."""
    return _compact(conn, tenant, FAN_IN_MEANWHILE, 0)


def _compact(conn: Connection, tenant: str, fan_in: int, worth: int) -> int:
    values = {"tenant": tenant, "full": FULL, "fan_in": fan_in, "worth": worth, "limit": AUDIENCES_AT_ONCE}
    due = conn.execute(SQL["due_audiences"], values).fetchall()
    found = _within(POSTINGS_AT_ONCE, _claim(conn, tenant, due))
    merged: dict[int, list[Segment]] = defaultdict(list)
    for one, run in zip(found, _take(conn, tenant, found), strict=True):
        merged[one.era].append(Segment(one.audience, reduce(or_, one.extents.values()), run))
    for era, segments in merged.items():
        _write(conn, tenant, era, segments)
    return sum(len(one.extents) for one in found)


def postings_of(conn: Connection, tenant: str) -> Iterator[tuple[int, int, int, int, int, int]]:
    """Every posting as (era, term, audience, doc, tf, length); `blocks.term_of` numbers a lexeme."""
    with conn.cursor(binary=True) as cursor:
        for era, audience, terms, postings in cursor.execute(SQL["all_blocks"], {"tenant": tenant}):
            run = blocks.unpack(terms, postings)
            docs, tfs = blocks.docs_of(run.words).tolist(), blocks.occurrences_of(run.words).tolist()
            lengths = blocks.lengths_of(run.words).tolist()
            for term, doc, tf, length in zip(run.terms.tolist(), docs, tfs, lengths, strict=True):
                yield era, term, audience, doc, tf, length


def choose(sizes: Sequence[int]) -> int:
    """How many of the segments, smallest first by postings, to merge into one; 0 for none.

    Up to the last that is within WORTH times of those before it, as rewriting a large segment for a small one
    costs most; and always enough that fewer than FAN_IN are left open.
    """
    before = list(accumulate(sizes, initial=0))
    worth = (i + 1 for i in range(1, len(sizes)) if sizes[i] <= WORTH * before[i])
    needed = len(sizes) - FAN_IN + 2 if len(sizes) >= FAN_IN else 0
    return max((needed, *worth))


def _array(numbers: Iterable[int]) -> str:
    # As text: adapting a list of a thousand numbers one by one takes longer than finding their blocks.
    return "{" + ",".join(map(str, numbers)) + "}"


def _group(documents: Iterable[Document]) -> dict[int, dict[int, Document]]:
    groups: dict[int, dict[int, Document]] = defaultdict(dict)
    for document in documents:
        groups[document.audience][document.doc] = document
    return groups


def _write(conn: Connection, tenant: str, era: int, segments: Sequence[Segment]) -> None:
    packed = blocks.pack([segment.run for segment in segments], [segment.level for segment in segments])
    values = {
        "tenant": tenant,
        "era": era,
        "audiences": _array(segment.audience for segment in segments),
        "levels": _array(segment.level for segment in segments),
        "lows": _array(segment.extent.low for segment in segments),
        "highs": _array(segment.extent.high for segment in segments),
        "docs": _array(segment.extent.docs for segment in segments),
        "counts": _array(len(segment.run.words) for segment in segments),
        "lengths": _array(segment.extent.length for segment in segments),
        "owners": _array(segments[owner].audience for owner in packed.owners.tolist()),
        "slots": _array(packed.slots.tolist()),
    }
    conn.execute(SQL["add_segments"], values | _contents(packed))


def _contents(packed: Packed) -> dict[str, object]:
    return {
        "terms": packed.terms,
        "term_at": _array((packed.term_bytes.cumsum() - packed.term_bytes + 1).tolist()),
        "term_bytes": _array(packed.term_bytes.tolist()),
        "words": packed.words,
        "word_at": _array((packed.word_bytes.cumsum() - packed.word_bytes + 1).tolist()),
        "word_bytes": _array(packed.word_bytes.tolist()),
    }


def _rows_with(conn: Connection, tenant: str, era: int, wanted: dict[int, dict[int, Document]]) -> list[Row]:
    docs = [doc for group in wanted.values() for doc in group]
    around = {"tenant": tenant, "era": era, "audiences": list(wanted), "low": min(docs), "high": max(docs)}
    keys: list[tuple[int, int, int]] = []
    for audience, segment, level, low, high in conn.execute(SQL["segments_around"], around):
        near = [document for doc, document in wanted[audience].items() if low <= doc <= high]
        slots = {
            blocks.slot_of(blocks.term_of(lexeme), level) for document in near for lexeme in document.counts
        }
        keys += ((slot, audience, segment) for slot in sorted(slots))
    with conn.cursor(binary=True) as cursor:
        found = cursor.execute(SQL["blocks_at"], {"tenant": tenant, "era": era, **_keys(keys)})
        return [Row(slot, owner, number, blocks.unpack(t, p)) for owner, number, slot, t, p in found]


def _keys(keys: Iterable[tuple[int, int, int]]) -> dict[str, object]:
    found = list(keys)
    slots, audiences, segments = (_array(key[i] for key in found) for i in range(3))
    return {"slots": slots, "audiences": audiences, "segments": segments}


def _rewrite(conn: Connection, tenant: str, era: int, changed: Sequence[tuple[Row, Run]]) -> None:
    kept = [(row, run) for row, run in changed if len(run.words)]
    empty = [row for row, run in changed if not len(run.words)]
    # At level 0 a run is packed into one row, whatever slot that row is.
    packed = blocks.pack([run for _, run in kept], [0] * len(kept))
    own = {"tenant": tenant, "era": era}
    conn.execute(SQL["rewrite_blocks"], own | _keys(row.key for row, _ in kept) | _contents(packed))
    conn.execute(SQL["drop_blocks"], own | _keys(row.key for row in empty))


def _shrink(conn: Connection, tenant: str, era: int, changed: Sequence[tuple[Row, blocks.Words]]) -> None:
    gone: dict[tuple[int, int], list[blocks.Words]] = defaultdict(list)
    for row, words in changed:
        gone[row.audience, row.segment].append(words)
    sizes = [blocks.measure(blocks.joined(pieces)) for pieces in gone.values()]
    values = {
        "tenant": tenant,
        "era": era,
        "audiences": _array(audience for audience, _ in gone),
        "segments": _array(segment for _, segment in gone),
        "docs": _array(count for count, _ in sizes),
        "counts": _array(sum(map(len, pieces)) for pieces in gone.values()),
        "lengths": _array(length for _, length in sizes),
    }
    conn.execute(SQL["shrink_segments"], values)
    conn.execute(SQL["drop_empty_segments"], values)


def _matches(
    terms: dict[str, int], rows: Iterable[tuple[int, bytes, bytes, int, int]]
) -> dict[str, list[blocks.Words]]:
    matches: dict[str, list[blocks.Words]] = {lexeme: [] for lexeme in terms}
    stored: dict[int, list[str]] = defaultdict(list)
    for lexeme, term in terms.items():
        for slot in blocks.slots_of(term):
            stored[slot].append(lexeme)
    for slot, heads, body, _, _ in rows:
        here = stored[slot]
        picked = blocks.pick(heads, body, [terms[lexeme] for lexeme in here])
        for lexeme, words in zip(here, picked, strict=True):
            matches[lexeme].append(words)
    return matches


@dataclass(frozen=True, slots=True)
class _Claimed:
    """Segments of one audience that are to become one, by number, and their postings added up."""

    era: int
    audience: int
    extents: Mapping[int, Extent]
    postings: int


def _claim(conn: Connection, tenant: str, due: Sequence[tuple[int, int]]) -> Iterator[_Claimed]:
    """The segments to merge of those audiences that nobody else is at."""
    if not due:
        return
    wanted = {"tenant": tenant, "eras": [era for era, _ in due], "audiences": [one for _, one in due]}
    held = conn.execute(SQL["try_lock_audiences"], wanted).fetchall()
    # Read again under the locks: what was due may have been merged by somebody else.
    mine = {"tenant": tenant, "eras": [era for era, _ in held], "audiences": [one for _, one in held]}
    rows = conn.execute(SQL["open_segments"], mine | {"full": FULL}).fetchall()
    for (era, audience), group in groupby(rows, key=lambda row: (row[0], row[1])):
        found = [row[2:] for row in group]
        chosen = found[: choose([postings for _, postings, *_ in found])]
        if chosen:
            extents = {segment: Extent(*extent) for segment, _, *extent in chosen}
            yield _Claimed(era, audience, extents, sum(postings for _, postings, *_ in chosen))


def _within(most: int, claimed: Iterable[_Claimed]) -> list[_Claimed]:
    """The first of them, up to the one with which they have more postings than that."""
    found: list[_Claimed] = []
    total = 0
    for one in claimed:
        if total > most:
            break
        found.append(one)
        total += one.postings
    return found


def _take(conn: Connection, tenant: str, claimed: Sequence[_Claimed]) -> list[Run]:
    """The postings of each, taken out of the index; no statement waits for the one before it."""
    with conn.pipeline():
        taken = [_taken(conn, tenant, one) for one in claimed]
        return [_joined(cursor.fetchall()) for cursor in taken]


def _taken(conn: Connection, tenant: str, one: _Claimed) -> psycopg.Cursor[Any]:
    values = {"tenant": tenant, "era": one.era, "audience": one.audience, "segments": _array(one.extents)}
    return conn.cursor(binary=True).execute(SQL["take_segments"], values)


def _joined(rows: Sequence[tuple[bytes, bytes]]) -> Run:
    return blocks.merged([blocks.unpack(b"".join(row[0] for row in rows), b"".join(row[1] for row in rows))])
