"""One who may read little among much: finds all of it, and nobody's rank moves for what they may not read."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest

from muniment.app import Org
from muniment.domain.values import dump
from tests.worlds import Event, member, open_org, person, said, taken

WORDS = "renewal hotel limit owner budget travel price quarter incident review pager ledger 报销 审批".split()
HIDDEN, NARROW = 1200, 12  # one in a hundred is for the narrow reader


def text(draw: random.Random) -> str:
    return f"{' '.join(draw.choices(WORDS, k=draw.randint(3, 14)))} {draw.randint(1, 999)}."


def messages(draw: random.Random, first: int, count: int, audience: object) -> list[Event]:
    return [
        said(f"m{number}", text(draw), draw.randint(0, 900), audience=audience)
        for number in range(first, first + count)
    ]


def question(draw: random.Random) -> str:
    return " ".join(draw.sample(WORDS, draw.randint(1, 4)))


PEOPLE = [
    person("user:ann"),
    person("user:bo"),
    member("group:few", "user:bo"),
    member("group:many", "user:ann"),
]


@pytest.fixture
def org(url: str, tenant: str) -> Iterator[Org]:
    with open_org(url, tenant) as org:
        yield org


def ranks(org: Org, questions: Sequence[str]) -> list[object]:
    bo = org.reader("user:bo")
    return [dump(bo.search(one, limit=20, unit=unit)) for one in questions for unit in ("item", "passage")]


def test_no_order_and_no_score_moves_for_what_is_hidden(org: Org, seed: int, *, prove: bool) -> None:
    draw = random.Random(seed)
    taken(org, [*PEOPLE, *messages(draw, 0, 120, [["group:few"]])])
    questions = [question(draw) for _ in range(250 if prove else 25)]
    before = ranks(org, questions)

    taken(org, messages(draw, 1000, 400, [["group:many"]]))

    assert ranks(org, questions) == before


def test_a_reader_of_one_in_a_hundred_gets_all_there_are(org: Org, seed: int, *, prove: bool) -> None:
    draw = random.Random(seed)
    mine = messages(draw, 5000, NARROW, [["group:few"]])
    taken(org, [*PEOPLE, *messages(draw, 0, HIDDEN, [["group:many"]]), *mine])
    bo = org.reader("user:bo")

    for _ in range(200 if prove else 20):
        asked = question(draw)
        having = {str(one["id"]) for one in mine if set(asked.split()) & set(str(one["body"]).split())}
        limit = draw.randint(1, NARROW)
        found = {hit.item for hit in bo.search(asked, limit=limit)}

        assert len(found) == min(limit, len(having)), f"MUNIMENT_SEED={seed} {asked!r}"
        assert found <= having
