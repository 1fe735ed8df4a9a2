"""BM25: equal to its definition, and blind to how postings were stored."""

from collections.abc import Mapping
from math import log
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from muniment.index import blocks
from muniment.index.blocks import Document, Words
from muniment.index.scores import rank

QUESTION = ("a", "b", "c")
RARITY = {"a": 0.9, "b": 0.5, "c": 0.02}
COUNTS = st.dictionaries(st.sampled_from("abcd"), st.integers(1, 4), min_size=1)


@st.composite
def documents(draw: st.DrawFn) -> list[Document]:
    numbers = draw(st.lists(st.integers(0, 40), unique=True, min_size=1, max_size=12))
    counts = [draw(COUNTS) for _ in numbers]
    return [Document(number, 1, own, sum(own.values())) for number, own in zip(numbers, counts, strict=True)]


def matches(found: list[Document]) -> dict[str, list[Words]]:
    packed = blocks.pack(blocks.runs_of([found]), [0])
    picked = blocks.pick(packed.terms, packed.words, [blocks.term_of(lexeme) for lexeme in QUESTION])
    return {lexeme: [words] for lexeme, words in zip(QUESTION, picked, strict=True)}


def bm25(found: list[Document]) -> dict[int, float]:
    average = sum(document.length for document in found) / len(found)
    scores: dict[int, float] = {}
    for lexeme in QUESTION:
        holders = [document for document in found if lexeme in document.counts]
        weight = log(1 + (len(found) - len(holders) + 0.5) / (len(holders) + 0.5))
        for document in holders:
            tf = document.counts[lexeme]
            part = tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * document.length / average))
            scores[document.doc] = scores.get(document.doc, 0) + weight * part
    return scores


def ranked(pieces: Mapping[str, list[Words]], found: list[Document], limit: int) -> dict[int, float]:
    length = sum(document.length for document in found)
    scores = rank(pieces, documents=len(found), length=length, limit=limit)
    return dict(zip(scores.docs.tolist(), scores.scores.tolist(), strict=True))


@given(documents())
def test_scores_are_bm25(found: list[Document]) -> None:
    scores = ranked(matches(found), found, 100)

    oracle = bm25(found)
    assert scores.keys() == oracle.keys()
    assert all(abs(scores[doc] - oracle[doc]) < 2e-6 for doc in oracle)


@given(documents(), st.integers(1, 12))
def test_a_limit_keeps_the_best_and_every_tie_with_the_last(found: list[Document], limit: int) -> None:
    every = ranked(matches(found), found, 100)

    kept = ranked(matches(found), found, limit)

    best = sorted(every.values(), reverse=True)[:limit]
    assert kept == {doc: score for doc, score in every.items() if best and score >= best[-1]}


@given(documents())
def test_the_order_and_pieces_of_postings_change_no_byte(found: list[Document]) -> None:
    pieces = matches(found)
    other = {
        lexeme: [words[i : i + 1] for i in range(len(words))][::-1] for lexeme, (words,) in pieces.items()
    }

    assert ranked(other, found, 100) == ranked(pieces, found, 100)


@given(documents())
def test_far_apart_numbers_change_no_score(found: list[Document]) -> None:
    far = [Document(d.doc << 30, d.audience, d.counts, d.length) for d in found if d.doc < 1 << 10]

    scores = ranked(matches(far), far, 100)

    assert scores == {doc << 30: score for doc, score in ranked(matches(found), found, 100).items()}


def test_an_audience_without_documents_scores_nothing() -> None:
    scores = rank({"a": []}, documents=0, length=0, limit=5)

    assert (len(scores.docs), dict(scores.frequencies), scores.documents) == (0, {"a": 0}, 0)


def test_leaving_out_what_common_words_cannot_lift_changes_no_byte(seed: int) -> None:
    random = Random(seed)
    found = [
        Document(i, 1, counts, sum(counts.values()) + random.randint(0, 9))
        for i in range(2000)
        if (counts := {word: random.randint(1, 3) for word in "abc" if random.random() < RARITY[word]})
    ]
    pieces = matches(found)
    every = ranked(pieces, found, len(found))

    kept = ranked(pieces, found, 10)

    last = sorted(every.values(), reverse=True)[9]
    assert kept == {doc: score for doc, score in every.items() if score >= last}
