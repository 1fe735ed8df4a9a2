"""Posting blocks as bytes: pure packing, merging and picking.

A posting is one number of 56 bits, ``doc << 20 | length << 8 | tf``. A run is every posting of one segment as
two parallel arrays. A run is stored as blocks: its terms are dealt by the leading bits of their number into
``2 ** level`` slots, so that a small segment is one row and a question reads one row a term of a large one.
Stored, a term takes six bytes and a posting seven: of short texts the index is much of the record.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import chain
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from muniment.domain.remembered import forgettable

Words: TypeAlias = NDArray[np.uint64]
Numbers: TypeAlias = NDArray[np.int64]
Bytes: TypeAlias = NDArray[np.uint8]

# One entry per term of a block: which term, low and high bits, and how many of the block's next postings are
# its own. A term with more postings than an entry can count has several.
TERM: Final = np.dtype([("low", "<u4"), ("high", "u1"), ("count", "u1")])
MOST_COUNTED: Final = 0xFF
TERM_BITS: Final = 40
WORD_BYTES: Final = 7

LONGEST: Final = 0xFFF
MOST: Final = 0xFF
DOCS: Final = 1 << 36

# (postings up to, level): 16 to 64 postings a slot, or about half a kilobyte. Larger blocks cost questions
# bytes that no word of theirs needs, smaller ones cost a row each (docs/decisions/0002). Stored segments are
# searched at these levels only: whoever takes one away rebuilds the index.
LEVELS: Final = ((64, 0), (256, 2), (1_024, 4), (4_096, 6), (16_384, 8), (65_536, 10))
TOP_LEVEL: Final = 12


@dataclass(frozen=True, slots=True)
class Document:
    """One passage as words: lexeme to occurrences, and its length in lexemes counted with repeats."""

    doc: int
    audience: int
    counts: Mapping[str, int]
    length: int

    def __post_init__(self) -> None:
        if not 0 <= self.doc < DOCS:
            raise ValueError(f"document number out of range: {self.doc!r}")
        if self.length < 0 or any(tf < 1 for tf in self.counts.values()):
            raise ValueError(f"document {self.doc!r} counts less than one occurrence")


@dataclass(frozen=True, slots=True)
class Run:
    """Postings in term order: ``terms[i]`` occurs as ``words[i]``; both uint64, of one length."""

    terms: Words
    words: Words


@dataclass(frozen=True, slots=True)
class Packed:
    """Stored rows of several runs, joined: row i is slot ``slots[i]`` of run ``owners[i]``.

    Its TERM records are the next ``term_bytes[i]`` bytes of ``terms``, its posting words the next
    ``word_bytes[i]`` of ``words``.
    """

    owners: Numbers
    slots: Numbers
    terms: bytes
    term_bytes: Numbers
    words: bytes
    word_bytes: Numbers


@forgettable
@lru_cache(maxsize=1 << 16)
def term_of(lexeme: str) -> int:
    """Number a lexeme by 40 bits of its hash; with probability 1e-6 one of a million others has the same."""
    return int.from_bytes(blake2b(lexeme.encode(), digest_size=TERM_BITS // 8).digest(), "little")


def level_for(postings: int) -> int:
    """Choose how many leading bits of a term pick its slot."""
    return next((level for most, level in LEVELS if postings <= most), TOP_LEVEL)


def slot_of(term: int, level: int) -> int:
    """Number the slot of a term; every (level, prefix) has its own number, as in a binary heap."""
    return (1 << level) | (term >> (TERM_BITS - level))


def slots_of(term: int) -> tuple[int, ...]:
    """Every slot a term can be stored in, one per level."""
    return tuple(slot_of(term, level) for level in (*(level for _, level in LEVELS), TOP_LEVEL))


def runs_of(groups: Sequence[Sequence[Document]]) -> list[Run]:
    """Turn each group into a run; occurrences above 255 and lengths above 4,095 count as those."""
    documents = [document for group in groups for document in group]
    sizes = [len(document.counts) for document in documents]
    heads = [document.doc << 20 | min(document.length, LONGEST) << 8 for document in documents]
    occurrences = np.fromiter(
        chain.from_iterable(d.counts.values() for d in documents), np.uint64, sum(sizes)
    )
    lexemes = chain.from_iterable(document.counts for document in documents)
    terms = np.fromiter(map(term_of, lexemes), np.uint64, sum(sizes))
    words = np.repeat(np.array(heads, np.uint64), sizes) | np.minimum(occurrences, np.uint64(MOST))
    owners = np.repeat(np.repeat(np.arange(len(groups)), [len(group) for group in groups]), sizes)
    order = np.lexsort((terms, owners))
    cuts = np.searchsorted(owners[order], np.arange(1, len(groups)))
    pieces = zip(np.split(terms[order], cuts), np.split(words[order], cuts), strict=True)
    return [Run(own_terms, own_words) for own_terms, own_words in pieces]


def merged(runs: Iterable[Run]) -> Run:
    """Put several runs into one."""
    pieces = list(runs)
    terms, words = joined([run.terms for run in pieces]), joined([run.words for run in pieces])
    # Stable, which is also quickest on runs that are in order already.
    order = np.argsort(terms, kind="stable")
    return Run(terms[order], words[order])


def without(run: Run, docs: Collection[int]) -> tuple[Run, Words]:
    """Part a run into what stays and the words of the given documents."""
    gone = np.isin(docs_of(run.words), np.fromiter(docs, np.int64, len(docs)))
    return Run(run.terms[~gone], run.words[~gone]), run.words[gone]


def pack(runs: Sequence[Run], levels: Sequence[int]) -> Packed:
    """Deal each run into the slots of its level, and join the rows."""
    terms, words = joined([run.terms for run in runs]), joined([run.words for run in runs])
    owners = np.repeat(np.arange(len(runs)), [len(run.words) for run in runs])
    starts = _split(_changes(owners, terms), len(terms))
    records = np.empty(len(starts), TERM)
    records["low"] = terms[starts] & np.uint64(0xFFFFFFFF)
    records["high"] = terms[starts] >> np.uint64(32)
    records["count"] = np.diff(starts, append=len(terms))
    owners = owners[starts]
    slots = _slots(terms[starts], np.array(levels, np.int64)[owners])
    rows = _changes(owners, slots)
    return Packed(
        owners[rows],
        slots[rows],
        records.tobytes(),
        np.diff(rows, append=len(starts)) * TERM.itemsize,
        _narrow(words),
        np.diff(starts[rows], append=len(words)) * WORD_BYTES,
    )


def unpack(terms: bytes, postings: bytes) -> Run:
    """Read a block, or several of them joined, back into one run (in block order)."""
    records = np.frombuffer(terms, TERM)
    numbers = records["low"] | records["high"].astype(np.uint64) << np.uint64(32)
    return Run(np.repeat(numbers, records["count"]), _wide(_rows_of(postings)))


def pick(terms: bytes, postings: bytes, wanted: Sequence[int]) -> list[Words]:
    """The words of each wanted term in joined blocks, without unpacking the others."""
    records, rows = np.frombuffer(terms, TERM), _rows_of(postings)
    low = np.ascontiguousarray(records["low"])
    ends = np.cumsum(records["count"], dtype=np.int64)
    return [_wide(_ranges(rows, records["count"], ends, _where(records, low, term))) for term in wanted]


def joined(pieces: Sequence[Words]) -> Words:
    """Posting words of several blocks after one another."""
    return np.concatenate(pieces) if pieces else np.empty(0, np.uint64)


def docs_of(words: Words) -> Numbers:
    """Document numbers of posting words."""
    return (words >> np.uint64(20)).view(np.int64)


def lengths_of(words: Words) -> Numbers:
    """Document lengths, in lexemes, of posting words."""
    return ((words >> np.uint64(8)) & np.uint64(LONGEST)).view(np.int64)


def occurrences_of(words: Words) -> Numbers:
    """Occurrences in the document of posting words."""
    return (words & np.uint64(MOST)).view(np.int64)


def measure(words: Words) -> tuple[int, int]:
    """Count the distinct documents among posting words, and add up their lengths."""
    heads = np.unique(words >> np.uint64(8))
    return len(heads), int((heads & np.uint64(LONGEST)).sum())


def _slots(terms: Words, levels: Numbers) -> Numbers:
    prefixes = terms >> (TERM_BITS - levels).astype(np.uint64)
    return prefixes.astype(np.int64) | (np.int64(1) << levels)


def _split(starts: Numbers, end: int) -> Numbers:
    """Where entries begin, none of more postings than one can count."""
    sizes = np.diff(starts, append=end)
    pieces = -(-sizes // MOST_COUNTED)
    if len(starts) == pieces.sum():
        return starts
    first = np.cumsum(pieces) - pieces
    nth = np.arange(pieces.sum()) - np.repeat(first, pieces)
    split: Numbers = np.repeat(starts, pieces) + nth * MOST_COUNTED
    return split


def _narrow(words: Words) -> bytes:
    return words.astype("<u8", copy=False).view(np.uint8).reshape(-1, 8)[:, :WORD_BYTES].tobytes()


def _rows_of(postings: bytes) -> Bytes:
    return np.frombuffer(postings, np.uint8).reshape(-1, WORD_BYTES)


def _wide(rows: Bytes) -> Words:
    wide = np.zeros((len(rows), 8), np.uint8)
    wide[:, :WORD_BYTES] = rows
    return wide.reshape(-1).view("<u8").astype(np.uint64, copy=False)


def _where(records: NDArray[Any], low: NDArray[np.uint32], term: int) -> NDArray[np.intp]:
    at = np.flatnonzero(low == np.uint32(term & 0xFFFFFFFF))
    same: NDArray[np.bool_] = records["high"][at] == term >> 32
    return at[same]


def _changes(owners: Numbers, keys: NDArray[Any]) -> Numbers:
    """Where a new owner or a new key begins."""
    same = (owners[1:] == owners[:-1]) & (keys[1:] == keys[:-1])
    return np.flatnonzero(np.concatenate((np.ones(min(1, len(keys)), bool), ~same)))


def _ranges(rows: Bytes, counts: NDArray[np.uint8], ends: Numbers, at: NDArray[np.intp]) -> Bytes:
    if not len(at):
        return rows[:0]
    sizes = counts[at].astype(np.int64)
    stops = np.cumsum(sizes)
    places: Numbers = np.repeat(ends[at] - stops, sizes) + np.arange(stops[-1])
    return rows.take(places, axis=0)
