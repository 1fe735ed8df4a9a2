"""The vector leg on PostgreSQL: exact, blind to the hidden, and never older than the passages it is of."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise
from typing import Any

import numpy as np
import psycopg
import pytest

from muniment.app import Org
from muniment.gate.binding import writing
from muniment.gate.reader import Hearing, Reader, reading_as
from muniment.index import vectors
from muniment.index.vectors import Nearest, Sought
from muniment.jobs import lease
from muniment.jobs.embed import MOST_IN_A_ROW, TURN, embed_due
from muniment.jobs.lease import try_turn
from muniment.jobs.loop import Work
from muniment.models.embedding import Floats, embed
from muniment.models.scripted import ScriptedEmbedder
from tests.worlds import Clock, Event, at, open_org, person, said, taken

PEOPLE = [person("user:ann"), person("user:bo")]
ANN = [["user:ann"]]
WORDS = "hotel limit germany flight night travel policy ann budget renewal price cat server alert".split()


@pytest.fixture
def double() -> ScriptedEmbedder:
    return ScriptedEmbedder()


@pytest.fixture
def org(url: str, tenant: str, clock: Clock) -> Iterator[Org]:
    with open_org(url, tenant, clock) as opened:
        taken(opened, PEOPLE)
        yield opened


def work_of(org: Org) -> Work:
    return org._work


def chatter(seed: int, count: int, *, first: int = 0, **fields: object) -> list[Event]:
    """Messages of a few of the words each, the same for the same seed."""
    random = np.random.default_rng(seed)
    bodies = [" ".join(random.choice(WORDS, 5)) for _ in range(count)]
    return [said(f"m{first + n}", body, n / 100, **fields) for n, body in enumerate(bodies)]


def asked(double: ScriptedEmbedder, question: str) -> Floats:
    vector: Floats = embed(double, [question], query=True)[0]
    return vector


def nearest(
    org: Org, who: str, question: str, limit: int, double: ScriptedEmbedder
) -> list[tuple[str, float]]:
    """Words and similarities, as one principal is given them."""
    work = work_of(org)
    with reading_as(work.database, work.tenant, work.key, Hearing(who), org.reader(who)._moment) as reader:
        found = reader.nearest(0, double.name, asked(double, question), limit=limit)
        return named(reader, found)


def named(reader: Reader, found: Nearest) -> list[tuple[str, float]]:
    sql = "select doc, body from muniment.passage where tenant = %s"
    words: dict[int, str] = dict(reader._conn.execute(sql, [reader.tenant]).fetchall())
    return [
        (words[doc], similarity)
        for doc, similarity in zip(found.docs.tolist(), found.similarities.tolist(), strict=True)
    ]


def stored(org: Org) -> set[tuple[object, ...]]:
    return rows(org, "select passage, era, audience, model from muniment.passage_vector where tenant = %s")


def passages(org: Org, model: str = "scripted") -> set[tuple[object, ...]]:
    """What the vectors should say of their passages."""
    found = rows(org, "select passage, era, audience from muniment.passage where tenant = %s")
    return {(*row, model) for row in found}


def rows(org: Org, sql: str) -> set[tuple[object, ...]]:
    work = work_of(org)
    with writing(work.database, work.tenant) as conn:
        return set(conn.execute(sql.encode(), [work.tenant]).fetchall())


def embedded(org: Org, double: ScriptedEmbedder) -> int:
    return embed_due(work_of(org), double)


def behind(org: Org, model: str = "scripted") -> int:
    with writing(work_of(org).database, org.tenant) as conn:
        return vectors.vectors_behind(conn, org.tenant, model)


# ── finding ──


def test_the_nearest_are_those_of_brute_force(org: Org, double: ScriptedEmbedder) -> None:
    taken(org, chatter(1, 150))
    embedded(org, double)
    texts = [str(event["body"]) for event in chatter(1, 150)]
    exact = embed(double, texts, query=False).astype(np.float16).astype(np.float32)

    found = nearest(org, "user:ann", "hotel limit in germany", 40, double)

    question = asked(double, "hotel limit in germany").astype(np.float16).astype(np.float32)
    best = np.sort(exact @ question)[::-1][:40]
    assert [similarity for _, similarity in found] == pytest.approx(best.tolist(), abs=2e-6)
    assert all(similarity == round(similarity, 6) for _, similarity in found)


def test_codes_find_the_same_when_all_are_compared(org: Org, double: ScriptedEmbedder) -> None:
    taken(org, chatter(2, 120))
    embedded(org, double)

    with writing(work_of(org).database, org.tenant) as conn:
        (audience,) = {row[2] for row in stored(org)}
        sought = Sought(org.tenant, 0, double.name, asked(double, "cat budget"), [audience], 20)  # type: ignore[list-item]
        exact, all_coded, few_coded = (
            vectors.exactly(conn, sought),
            vectors.by_code(conn, sought, candidates=120),
            vectors.by_code(conn, sought, candidates=40),
        )

        scanned = vectors.by_scan(conn, sought, candidates=40)

    assert all_coded.docs.tolist() == exact.docs.tolist()
    assert few_coded.docs.tolist() == scanned.docs.tolist()
    assert all_coded.similarities.tolist() == exact.similarities.tolist()
    assert len(set(few_coded.docs.tolist()) & set(exact.docs.tolist())) >= 14


def test_a_narrow_reader_gets_as_many_as_there_are(org: Org, double: ScriptedEmbedder) -> None:
    taken(org, [*chatter(3, 200, audience=ANN), *chatter(4, 3, first=900)])
    embedded(org, double)

    assert len(nearest(org, "user:bo", "hotel limit", 20, double)) == 3
    assert len(nearest(org, "user:ann", "hotel limit", 20, double)) == 20
    assert nearest(org, "user:nobody", "hotel limit", 20, double) == []


@pytest.mark.parametrize("way", ["exactly", "by_code"])
def test_what_is_hidden_changes_nothing(url: str, tenant: str, way: str, double: ScriptedEmbedder) -> None:
    seen = []
    for world, hidden in (("plain", []), ("full", chatter(5, 150, first=500, audience=ANN))):
        with open_org(url, f"{tenant}-{world}") as org:
            taken(org, [*PEOPLE, *hidden[:70], *chatter(6, 60), *hidden[70:]])
            embedded(org, double)
            work = work_of(org)
            moment = org.reader("user:bo")._moment
            with reading_as(work.database, work.tenant, work.key, Hearing("user:bo"), moment) as reader:
                question = asked(double, "travel price")
                sought = Sought(work.tenant, 0, double.name, question, reader.permitted.audiences, 25)
                seen.append(named(reader, _by(way, reader._conn, sought)))

    assert len(seen[0]) == 25
    assert seen[0] == seen[1]


def _by(way: str, conn: psycopg.Connection, sought: Sought) -> Nearest:
    return vectors.exactly(conn, sought) if way == "exactly" else vectors.by_code(conn, sought, candidates=30)


def test_the_second_lock_holds_where_the_first_is_left_open(org: Org, double: ScriptedEmbedder) -> None:
    taken(org, [*chatter(7, 5, audience=ANN), *chatter(8, 2, first=900)])
    embedded(org, double)
    every = [int(str(row[2])) for row in stored(org)]

    work = work_of(org)
    with reading_as(
        work.database, org.tenant, work.key, Hearing("user:bo"), org.reader("user:bo")._moment
    ) as reader:
        sought = Sought(org.tenant, 0, double.name, asked(double, "hotel"), every, 20)
        found = vectors.exactly(reader._conn, sought)

    assert len(found.docs) == 2


def test_a_database_without_pgvector_says_so_and_is_not_merely_empty() -> None:
    found = Nearest.off("this database has no pgvector")

    assert (found.docs.tolist(), found.why) == ([], "this database has no pgvector")


# ── following the passages ──


def test_a_changed_audience_takes_the_vectors_along(org: Org, double: ScriptedEmbedder) -> None:
    taken(org, [said("m", "the hotel limit")])
    embedded(org, double)

    taken(org, [{"op": "audience", "source": "chat", "item": "m", "at": at(5), "audience": ANN}])

    assert stored(org) == passages(org)
    assert nearest(org, "user:bo", "hotel", 5, double) == []
    assert nearest(org, "user:ann", "hotel", 5, double) != []
    assert embedded(org, double) == 0


def test_a_deleted_item_leaves_no_vector(org: Org, double: ScriptedEmbedder) -> None:
    taken(org, [said("m", "the hotel limit"), said("n", "two cats")])
    embedded(org, double)

    taken(org, [{"op": "delete", "source": "chat", "id": "m", "at": at(5)}])

    assert len(stored(org)) == 1
    assert stored(org) == passages(org)


def test_an_edit_elsewhere_in_the_item_keeps_the_vector(org: Org, double: ScriptedEmbedder) -> None:
    body = "# One\n\nThe hotel limit.\n\n# Two\n\nThe meal allowance.\n"
    document: dict[str, Any] = {"kind": "document", "title": "Travel", "media": "text/markdown"}
    taken(org, [said("d", body, **document)])
    embedded(org, double)
    double.seen.clear()

    taken(org, [said("d", body.replace("meal", "breakfast"), 5, **document)])
    embedded(org, double)

    assert len(double.seen) == 1
    assert "breakfast" in double.seen[0]
    assert stored(org) == passages(org)
    assert {row[1] for row in stored(org)} == {0, 1}


def test_a_new_title_makes_new_vectors(org: Org, double: ScriptedEmbedder) -> None:
    document: dict[str, Any] = {"kind": "document", "media": "text/markdown"}
    taken(org, [said("d", "The hotel limit.", title="Travel", **document)])
    embedded(org, double)

    taken(org, [said("d", "The hotel limit.", 5, title="Expenses", **document)])
    left = len(stored(org))
    embedded(org, double)

    assert left == 0
    assert double.seen[-1] == "Expenses\nThe hotel limit."


def test_words_changed_while_they_were_embedded_get_no_old_vector(org: Org, double: ScriptedEmbedder) -> None:
    document: dict[str, Any] = {"kind": "document", "media": "text/markdown"}
    taken(org, [said("d", "The limit.", title="Old", **document)])
    edits = [said("d", "The limit.", 5, title="New", **document)]
    double.before = lambda: edits and taken(org, [edits.pop()])

    counts = [embedded(org, double), embedded(org, double)]

    assert counts == [0, 1]
    assert double.seen == ["Old\nThe limit.", "New\nThe limit."]


def test_a_passage_dropped_while_it_was_embedded_gets_no_vector(org: Org, double: ScriptedEmbedder) -> None:
    taken(org, [said("m", "the hotel limit"), said("n", "two cats")])
    gone = [{"op": "delete", "source": "chat", "id": "m", "at": at(5)}]
    double.before = lambda: gone and taken(org, [gone.pop()])

    assert embedded(org, double) == 1
    assert stored(org) == passages(org)


def test_an_audience_changed_while_it_was_embedded_is_the_vectors_own(
    org: Org, double: ScriptedEmbedder
) -> None:
    taken(org, [said("m", "the hotel limit")])
    label = [{"op": "audience", "source": "chat", "item": "m", "at": at(5), "audience": ANN}]
    double.before = lambda: label and taken(org, [label.pop()])

    assert embedded(org, double) == 1
    assert stored(org) == passages(org)
    assert nearest(org, "user:bo", "hotel", 5, double) == []


def test_what_is_embedded_is_who_said_what_where(org: Org, double: ScriptedEmbedder) -> None:
    taken(org, [said("m", "x" * 2000, author="user:ann", author_name="Ann", title="Trip")])

    embedded(org, double)

    assert double.seen[0].startswith("Trip\nAnn: xxx")
    assert max(map(len, double.seen)) <= 1200


# ── failing, and healing ──


def test_texts_that_fail_do_not_stop_the_rest_and_are_tried_again(
    org: Org, clock: Clock, double: ScriptedEmbedder
) -> None:
    taken(org, [said(f"m{n}", f"message {n}") for n in range(30)])
    double.fails = lambda text: int(text.split()[-1]) % 3 == 0

    counts = [embedded(org, double), embedded(org, double)]
    double.fails = lambda _: False
    counts.append(embedded(org, double))
    clock.forward(minutes=2)
    counts.append(embedded(org, double))

    assert counts == [20, 0, 0, 10]
    assert behind(org) == 0
    assert rows(org, "select 1 from muniment.vector_due where tenant = %s") == set()


def test_a_text_that_always_fails_is_tried_ever_more_rarely_then_set_aside_until_a_steward_says(
    org: Org, clock: Clock, double: ScriptedEmbedder
) -> None:
    taken(org, [said("bad", "poison"), said("good", "water")])
    double.fails = lambda text: "poison" in text
    tries = []

    for _ in range(240):
        double.seen.clear()
        embedded(org, double)
        tries.append(double.seen.count("poison") > 0)
        clock.forward(seconds=30)

    rounds = [number for number, was_tried in enumerate(tries) if was_tried]
    waits = [later - earlier for earlier, later in pairwise(rounds)]
    assert waits == [1, 2, 4, 8]
    assert behind(org) == 1
    (note,) = org.status().notes
    assert note.startswith("scripted could not place 1 passages (EmbedderFailed)")
    assert "poison" not in note

    double.fails = lambda _: False
    org.steward("user:owner").revive()

    assert embedded(org, double) == 1
    assert (behind(org), org.status().notes) == (0, ())


def test_an_embedder_that_is_down_is_not_asked_for_every_text_and_heals(
    org: Org, clock: Clock, double: ScriptedEmbedder
) -> None:
    taken(org, [said(f"m{n}", f"message {n}") for n in range(50)])
    double.fails = lambda _: True

    for _ in range(20):
        assert embedded(org, double) == 0
        clock.forward(minutes=5)
    asked_for = len(double.seen)
    double.fails = lambda _: False

    assert asked_for <= 20 * (32 + MOST_IN_A_ROW)  # a batch and something harmless
    assert embedded(org, double) == 50


def test_vectors_of_another_dimension_are_not_stored(org: Org, double: ScriptedEmbedder) -> None:
    taken(org, [said("m", "the hotel limit")])
    double.amiss = 3

    assert embedded(org, double) == 0
    assert stored(org) == set()
    assert behind(org) == 1


# ── taking turns ──


def test_a_worker_that_lost_its_turn_writes_nothing(org: Org, clock: Clock, double: ScriptedEmbedder) -> None:
    taken(org, [said("m", "the hotel limit")])
    other = ScriptedEmbedder()

    def slow() -> None:
        clock.at += lease.LASTS + timedelta(seconds=1)
        with try_turn(work_of(org), TURN) as turn:
            assert turn is not None

    double.before = slow

    assert embedded(org, double) == 0
    assert stored(org) == set()
    assert embedded(org, other) == 1


def test_only_one_worker_embeds_at_a_time(org: Org, double: ScriptedEmbedder) -> None:
    taken(org, [said("m", "the hotel limit")])

    with try_turn(work_of(org), TURN):
        assert embedded(org, double) == 0
    assert embedded(org, double) == 1
