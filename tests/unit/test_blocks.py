"""Posting blocks: what is packed comes back, whatever the level, the order or the company."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.index import blocks
from muniment.index.blocks import Document, Run

LEXEMES = st.text("abc", min_size=1, max_size=3)
COUNTS = st.dictionaries(LEXEMES, st.integers(1, 300), min_size=1, max_size=12)
LEVELS = st.integers(0, 12)


@st.composite
def documents(draw: st.DrawFn) -> list[Document]:
    numbers = draw(st.lists(st.integers(0, blocks.DOCS - 1), unique=True, max_size=12))
    return [Document(number, 1, draw(COUNTS), draw(st.integers(0, 70_000))) for number in numbers]


def postings(run: Run) -> set[tuple[int, int]]:
    return set(zip(run.terms.tolist(), run.words.tolist(), strict=True))


def expected(found: list[Document]) -> set[tuple[int, int]]:
    return {
        (blocks.term_of(lexeme), document.doc << 20 | min(document.length, 4_095) << 8 | min(tf, 255))
        for document in found
        for lexeme, tf in document.counts.items()
    }


def run_of(found: list[Document]) -> Run:
    return blocks.runs_of([found])[0]


@given(documents(), LEVELS)
def test_what_is_packed_comes_back(found: list[Document], level: int) -> None:
    packed = blocks.pack([run_of(found)], [level])

    assert postings(blocks.unpack(packed.terms, packed.words)) == expected(found)


@given(documents(), LEVELS)
def test_a_block_holds_the_terms_of_its_slot_and_no_others(found: list[Document], level: int) -> None:
    packed = blocks.pack([run_of(found)], [level])
    ends = np.cumsum(packed.term_bytes).tolist()
    word_ends = np.cumsum(packed.word_bytes).tolist()

    pieces = [
        blocks.unpack(packed.terms[a:b], packed.words[c:d])
        for a, b, c, d in zip([0, *ends], ends, [0, *word_ends], word_ends, strict=False)
    ]

    assert len(set(packed.slots.tolist())) == len(packed.slots)
    for slot, piece in zip(packed.slots.tolist(), pieces, strict=True):
        assert {blocks.slot_of(term, level) for term in piece.terms.tolist()} == {slot}
    assert packed.word_bytes.sum() == len(packed.words)


@given(st.lists(documents(), max_size=4), LEVELS)
def test_runs_packed_together_are_as_packed_alone(groups: list[list[Document]], level: int) -> None:
    runs = blocks.runs_of(groups)

    together = blocks.pack(runs, [level] * len(runs))

    alone = [blocks.pack([run], [level]) for run in runs]
    assert together.terms == b"".join(packed.terms for packed in alone)
    assert together.words == b"".join(packed.words for packed in alone)
    assert together.owners.tolist() == [i for i, packed in enumerate(alone) for _ in packed.slots]


@given(documents(), st.data())
def test_a_document_taken_out_leaves_the_others_whole(found: list[Document], data: st.DataObject) -> None:
    gone = [document for document in found if data.draw(st.booleans())]
    kept = [document for document in found if document not in gone]

    left, words = blocks.without(run_of(found), [document.doc for document in gone])

    assert postings(left) == expected(kept)
    assert sorted(words.tolist()) == sorted(word for _, word in expected(gone))
    assert blocks.measure(words) == (len(gone), sum(min(document.length, 4_095) for document in gone))


@given(st.lists(documents(), max_size=4))
def test_merging_loses_and_invents_nothing(groups: list[list[Document]]) -> None:
    runs = blocks.runs_of(groups)

    merged = blocks.merged(runs)

    assert postings(merged) == set().union(*map(postings, runs))
    assert merged.terms.tolist() == sorted(merged.terms.tolist())


@given(documents(), LEXEMES)
def test_picking_a_term_is_unpacking_and_filtering(found: list[Document], lexeme: str) -> None:
    packed = blocks.pack([run_of(found)], [3])
    term = blocks.term_of(lexeme)

    picked = blocks.pick(packed.terms, packed.words, [term])

    assert {(term, word) for word in picked[0].tolist()} == {
        (number, word) for number, word in expected(found) if number == term
    }


@given(st.integers(200, 1_100), st.integers(1, 3))
def test_a_term_of_more_postings_than_an_entry_counts_has_several(count: int, others: int) -> None:
    found = [Document(number, 1, {"common": 1, f"rare{number % others}": 2}, 3) for number in range(count)]

    packed = blocks.pack([run_of(found)], [0])

    common, rare = blocks.pick(
        packed.terms, packed.words, [blocks.term_of("common"), blocks.term_of("rare0")]
    )
    assert blocks.docs_of(common).tolist() == list(range(count))
    assert blocks.docs_of(rare).tolist() == list(range(0, count, others))


@given(st.integers(0, 2**blocks.TERM_BITS - 1))
def test_every_level_has_slots_of_its_own(term: int) -> None:
    slots = blocks.slots_of(term)

    assert len(set(slots)) == len(slots)
    assert max(slots) < 2**15


@pytest.mark.parametrize("doc", [-1, blocks.DOCS])
def test_a_document_number_has_thirty_six_bits(doc: int) -> None:
    with pytest.raises(ValueError, match="out of range"):
        Document(doc, 1, {"a": 1}, 1)


def test_a_lexeme_that_does_not_occur_is_no_count() -> None:
    with pytest.raises(ValueError, match="less than one"):
        Document(1, 1, {"a": 0}, 1)
