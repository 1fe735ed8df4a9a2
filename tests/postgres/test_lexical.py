"""The lexical index on PostgreSQL: a plain BM25, the same after any history, and blind to the hidden."""

import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import log
from random import Random

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.errors import Conflict
from muniment.gate.binding import writing
from muniment.index import lexical
from muniment.index.blocks import term_of
from muniment.index.lexical import Document
from muniment.store.pool import Connection, Database

TENANT = "lexical"
WORDS = "alpha beta gamma delta epsilon zeta eta theta iota kappa".split()
EVERYBODY = range(6)

Posting = tuple[int, int, int, int, int, int]


@pytest.fixture
def conn(db: Database) -> Iterator[Connection]:
    """A transaction whose work is undone."""
    with writing(db, TENANT) as conn:
        yield conn
        raise psycopg.Rollback


def bind(conn: Connection, tenant: str) -> None:
    """What `writing` does: row security shows this tenant's rows from here on."""
    conn.execute("select set_config('muniment.tenant', %s, true)", [tenant])


def document(doc: int, audience: int, *words: str) -> Document:
    return Document(doc, audience, Counter(words), len(words))


def generated(random: Random, count: int, *, step: int = 1, words: int = 12) -> list[Document]:
    """Documents numbered from 1 by step, in random audiences, with words that are common or rare."""
    made = []
    for i in range(1, count + 1):
        own = [WORDS[min(9, int(random.expovariate(0.5)))] for _ in range(random.randint(1, words))]
        own += [f"rare{random.randint(0, 300)}" for _ in range(random.randint(0, words))]
        made.append(document(i * step, random.choice(EVERYBODY), *own))
    return made


def bm25(found: Sequence[Document], question: Sequence[str]) -> dict[int, float]:
    average = sum(own.length for own in found) / len(found) if found else 1
    scores: dict[int, float] = {}
    for lexeme in sorted(set(question)):
        holders = [own for own in found if lexeme in own.counts]
        weight = log(1 + (len(found) - len(holders) + 0.5) / (len(holders) + 0.5))
        for own in holders:
            tf = own.counts[lexeme]
            part = tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * own.length / average))
            scores[own.doc] = scores.get(own.doc, 0) + weight * part
    return scores


def asked(
    conn: Connection, question: Sequence[str], audiences: Sequence[int], limit: int = 10_000
) -> tuple[dict[int, float], dict[str, int], int]:
    scores = lexical.search(conn, TENANT, 0, question, audiences, limit=limit)
    found = dict(zip(scores.docs.tolist(), scores.scores.tolist(), strict=True))
    return found, dict(scores.frequencies), scores.documents


def expected(found: Sequence[Document], era: int = 0) -> set[Posting]:
    return {
        (era, term_of(lexeme), own.audience, own.doc, tf, own.length)
        for own in found
        for lexeme, tf in own.counts.items()
    }


def settle(conn: Connection) -> None:
    while lexical.compact(conn, TENANT):
        pass


def index(conn: Connection, found: Sequence[Document], random: Random) -> None:
    """Add documents in commits of random size, sometimes compacting."""
    at = 0
    while at < len(found):
        size = random.choice((1, 1, 3, 40))
        lexical.add(conn, TENANT, 0, found[at : at + size])
        at += size
        if random.randrange(3) == 0:
            lexical.compact(conn, TENANT)


def rows(conn: Connection) -> int:
    blocks = conn.execute("select count(*) from muniment.posting_block").fetchall()
    segments = conn.execute("select count(*) from muniment.posting_segment").fetchall()
    return int(blocks[0][0]) + int(segments[0][0])


def test_search_is_bm25_over_the_permitted_documents(conn: Connection, seed: int) -> None:
    random = Random(seed)
    found = generated(random, 400)
    index(conn, found, random)

    for audiences in ([0], [1, 4], list(EVERYBODY), [99]):
        question = [*random.sample(WORDS, 3), f"rare{random.randint(0, 300)}", "nowhere"]
        scores, frequencies, documents = asked(conn, question, audiences)

        permitted = [own for own in found if own.audience in audiences]
        oracle = bm25(permitted, question)
        assert scores.keys() == oracle.keys()
        assert all(abs(scores[doc] - oracle[doc]) < 2e-6 for doc in oracle)
        assert frequencies == {word: sum(word in own.counts for own in permitted) for word in set(question)}
        assert documents == len(permitted)


def test_hidden_documents_change_nothing_a_reader_sees(conn: Connection, seed: int) -> None:
    random = Random(seed)
    mine = [replace(own, audience=own.audience % 3) for own in generated(random, 150, step=10)]
    hidden = [replace(own, doc=own.doc + 3, audience=3 + own.audience) for own in generated(random, 600)]
    hidden = [own for own in hidden if own.doc % 10]
    index(conn, mine, random)
    alone = [asked(conn, [word, "rare1", "rare2"], [0, 1, 2], 7) for word in WORDS]
    lexical.remove(conn, TENANT, 0, mine)
    both = sorted(mine + hidden, key=lambda own: own.doc)

    index(conn, both, random)

    assert [asked(conn, [word, "rare1", "rare2"], [0, 1, 2], 7) for word in WORDS] == alone


def test_compaction_changes_no_posting_and_no_answer(conn: Connection, seed: int) -> None:
    random = Random(seed)
    found = generated(random, 300)
    for own in found:
        lexical.add(conn, TENANT, 0, [own])
    before = [asked(conn, [word, "rare7"], EVERYBODY) for word in WORDS]

    settle(conn)

    assert [asked(conn, [word, "rare7"], EVERYBODY) for word in WORDS] == before
    assert set(lexical.postings_of(conn, TENANT)) == expected(found)


def test_compaction_leaves_few_segments_open(conn: Connection, seed: int) -> None:
    for own in generated(Random(seed), 300):
        lexical.add(conn, TENANT, 0, [own])

    settle(conn)

    counts = conn.execute("select count(*) from muniment.posting_segment group by audience").fetchall()
    assert all(count < lexical.FAN_IN for (count,) in counts)


def test_what_is_removed_is_gone_from_every_block(conn: Connection, seed: int) -> None:
    random = Random(seed)
    found = generated(random, 300)
    index(conn, found, random)
    gone = random.sample(found, 100)
    kept = [own for own in found if own not in gone]

    lexical.remove(conn, TENANT, 0, gone)

    assert set(lexical.postings_of(conn, TENANT)) == expected(kept)
    assert asked(conn, WORDS, EVERYBODY)[2] == len(kept)
    lexical.remove(conn, TENANT, 0, kept)
    assert rows(conn) == 0


def test_a_document_can_come_back_changed(conn: Connection) -> None:
    lexical.add(conn, TENANT, 0, [document(1, 1, "alpha"), document(2, 1, "alpha")])

    lexical.remove(conn, TENANT, 0, [document(1, 1, "alpha")])
    lexical.add(conn, TENANT, 0, [document(1, 2, "beta")])

    assert set(lexical.postings_of(conn, TENANT)) == expected(
        [document(2, 1, "alpha"), document(1, 2, "beta")]
    )


def test_removing_what_is_not_there_is_a_conflict(conn: Connection) -> None:
    lexical.add(conn, TENANT, 0, [document(1, 1, "alpha", "beta")])

    for wrong in (document(1, 1, "alpha"), document(2, 1, "alpha"), document(1, 2, "alpha", "beta")):
        with pytest.raises(Conflict), conn.transaction():
            lexical.remove(conn, TENANT, 0, [wrong])


def test_eras_and_tenants_do_not_meet(conn: Connection) -> None:
    lexical.add(conn, TENANT, 0, [document(1, 1, "alpha")])
    lexical.add(conn, TENANT, 1, [document(2, 1, "alpha")])
    bind(conn, "other")
    lexical.add(conn, "other", 0, [document(3, 1, "alpha")])

    assert lexical.search(conn, "other", 0, ["alpha"], [1], limit=5).docs.tolist() == [3]
    bind(conn, TENANT)
    assert asked(conn, ["alpha"], [1])[0].keys() == {1}
    assert lexical.search(conn, TENANT, 1, ["alpha"], [1], limit=5).docs.tolist() == [2]


def test_a_document_without_words_is_not_counted(conn: Connection) -> None:
    lexical.add(conn, TENANT, 0, [document(1, 1), document(2, 1, "alpha")])
    lexical.remove(conn, TENANT, 0, [document(1, 1)])

    assert asked(conn, ["alpha"], [1])[2] == 1


@given(st.lists(st.integers(1, 10**9), max_size=40))
def test_merging_leaves_few_open_and_is_done_when_what_is_due_is_done(sizes: list[int]) -> None:
    ordered = sorted(sizes)

    taken = lexical.choose(ordered)

    due = len(ordered) >= lexical.FAN_IN or (
        len(ordered) > 1 and ordered[-1] <= lexical.WORTH * sum(ordered[:-1])
    )
    assert taken != 1
    assert len(ordered) - taken + (taken > 0) < lexical.FAN_IN
    assert not due or taken > 1


def test_the_second_lock_holds_without_the_first(conn: Connection) -> None:
    lexical.add(conn, TENANT, 0, [document(1, 1, "alpha"), document(2, 2, "alpha")])

    conn.execute("set local muniment.audiences = '{2}'")
    conn.execute("set local role muniment_reader")

    scores, frequencies, documents = asked(conn, ["alpha"], [1, 2])
    assert (set(scores), frequencies, documents) == ({2}, {"alpha": 1}, 1)


def test_writers_removals_and_compaction_at_once_lose_nothing(db: Database, tenant: str, seed: int) -> None:
    found = generated(Random(seed), 240)
    shares = [found[i::3] for i in range(3)]
    done = threading.Event()

    def write(own: list[Document]) -> None:
        for i in range(0, len(own), 4):
            with writing(db, tenant) as conn:
                lexical.add(conn, tenant, 0, own[i : i + 4])
            with writing(db, tenant) as conn:
                lexical.remove(conn, tenant, 0, own[i : i + 1])

    def tidy() -> None:
        while not done.is_set():
            with writing(db, tenant) as conn:
                lexical.compact(conn, tenant)

    writers = [threading.Thread(target=write, args=(share,)) for share in shares]
    tidiers = [threading.Thread(target=tidy) for _ in range(2)]
    for thread in writers + tidiers:
        thread.start()
    for thread in writers:
        thread.join()
    done.set()
    for thread in tidiers:
        thread.join()

    kept = [own for share in shares for i, own in enumerate(share) if i % 4]
    with writing(db, tenant) as conn:
        stored = list(lexical.postings_of(conn, tenant))
        assert len(stored) == len(set(stored))
        assert set(stored) == expected(kept)
        lexical.remove(conn, tenant, 0, kept)
        assert rows(conn) == 0
