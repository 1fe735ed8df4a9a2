"""Codes kept by the process are those of the vectors as they are, whatever became of them meanwhile."""

from collections.abc import Iterator

import numpy as np
import pytest

from muniment.app import Org
from muniment.gate.binding import writing
from muniment.index import vectors
from muniment.index.vectors import Sought
from muniment.jobs.embed import embed_due
from muniment.models.embedding import embed
from muniment.models.scripted import ScriptedEmbedder
from tests.worlds import Clock, Event, at, open_org, person, said, taken

ANN = [["user:ann"]]
SQL = "select distinct audience from muniment.passage_vector where tenant = %s"
WORDS = "hotel limit germany flight night travel policy ann budget renewal price cat server alert".split()


@pytest.fixture
def double() -> ScriptedEmbedder:
    return ScriptedEmbedder()


@pytest.fixture
def org(url: str, tenant: str, clock: Clock) -> Iterator[Org]:
    with open_org(url, tenant, clock) as opened:
        taken(opened, [person("user:ann"), person("user:bo")])
        yield opened


def chatter(seed: int, count: int, *, first: int = 0, **fields: object) -> list[Event]:
    """Messages of a few of the words each, the same for the same seed."""
    random = np.random.default_rng(seed)
    bodies = [" ".join(random.choice(WORDS, 5)) for _ in range(count)]
    return [said(f"m{first + n}", body, n / 100, **fields) for n, body in enumerate(bodies)]


def rows(org: Org, sql: str) -> set[tuple[object, ...]]:
    with writing(org._work.database, org.tenant) as conn:
        return set(conn.execute(sql.encode(), [org.tenant]).fetchall())


def gone(id_: str) -> Event:
    return {"op": "delete", "source": "chat", "id": id_, "at": at(9)}


def test_codes_that_are_kept_are_never_older_than_the_vectors(org: Org, double: ScriptedEmbedder) -> None:
    taken(org, chatter(31, 40))
    embed_due(org._work, double)
    asked_first = by_kept_codes(org, double)

    taken(org, chatter(32, 30, first=100))
    embed_due(org._work, double)
    more = by_kept_codes(org, double)
    taken(
        org,
        [gone("m3"), said("m4", "hotel limit hotel", 9), *chatter(31, 5, first=5, audience=ANN)],
    )
    embed_due(org._work, double)
    changed = by_kept_codes(org, double)

    assert asked_first[0] == asked_first[1]
    assert more[0] == more[1] != asked_first[0]
    assert changed[0] == changed[1] != more[0]


def by_kept_codes(org: Org, double: ScriptedEmbedder) -> tuple[list[int], list[int]]:
    """What is found by codes that may be kept, and by reading them all; twice, so that they are."""
    with writing(org._work.database, org.tenant) as conn:
        audiences = [int(str(row[0])) for row in rows(org, SQL)]
        sought = Sought(
            org.tenant, 0, double.name, embed(double, ["hotel limit"], query=True)[0], audiences, 20
        )
        vectors.by_code(conn, sought, candidates=25)
        kept = vectors.by_code(conn, sought, candidates=25)
        return kept.docs.tolist(), vectors.by_scan(conn, sought, candidates=25).docs.tolist()


def test_changes_added_up_count_the_same_vectors(org: Org, double: ScriptedEmbedder) -> None:
    for start in range(0, 24, 2):
        taken(org, chatter(start, 2, first=start))
        embed_due(org._work, double)
    taken(org, [gone("m1")])
    sql = "select audience, sum(vectors)::int from muniment.vector_change where tenant = %s group by audience"
    before = rows(org, sql)

    with writing(org._work.database, org.tenant) as conn:
        vectors.add_up_changes(conn, org.tenant)

    counted = (
        "select audience, count(*)::int from muniment.passage_vector where tenant = %s group by audience"
    )
    assert rows(org, sql) == before == rows(org, counted)
    left = rows(org, "select audience, change from muniment.vector_change where tenant = %s")
    assert len(left) <= vectors.MOST_CHANGES


def test_erasing_leaves_no_codes_of_what_was_erased_in_the_process(
    org: Org, double: ScriptedEmbedder
) -> None:
    taken(org, chatter(33, 20))
    embed_due(org._work, double)
    by_kept_codes(org, double)
    before = codes_kept(org)

    org.steward("user:owner").erase("chat:m3")

    assert before > 0
    assert codes_kept(org) == 0


@pytest.mark.parametrize("whole", [False, True])
def test_the_next_question_leaves_no_codes_of_another_moment(
    org: Org, double: ScriptedEmbedder, *, whole: bool
) -> None:
    """As in another process, which is not told that something was erased there."""
    taken(org, chatter(34, 3))
    embed_due(org._work, double)
    by_kept_codes(org, double)
    before, audiences = codes_kept(org), [int(str(row[0])) for row in rows(org, SQL)]

    taken(org, [gone(f"m{number}") for number in range(3 if whole else 1)])
    with writing(org._work.database, org.tenant) as conn:
        vector = embed(double, ["hotel limit"], query=True)[0]
        vectors.search(conn, Sought(org.tenant, 0, double.name, vector, audiences, 20))

    assert before == 1
    assert codes_kept(org) == 0


def codes_kept(org: Org) -> int:
    """Of how many audiences of this organisation the process keeps codes."""
    return sum(place[0] == org.tenant for place in vectors._KEPT._held)
