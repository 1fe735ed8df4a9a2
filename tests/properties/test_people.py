"""Of many people the same are joined, others never, and what two of them share stays unclear."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evals.people import CONFLICTS, MERGES, PEOPLE, draw, hand_in, look
from muniment.claims import called
from muniment.domain.names import normal_name
from muniment.domain.record import NameRow
from muniment.index.fields import PERSON
from tests.conftest import PROVE
from tests.planted import plant
from tests.worlds import open_org

# People, those of them with a second account, and what two share; a thousand in `make prove`.
SIZE = (PEOPLE, MERGES, CONFLICTS) if PROVE else (250, 15, 8)
LOOKED = 25  # people whose items are looked at one by one; `make prove` looks at all


def test_people_are_told_apart(url: str, tenant: str, seed: int, *, prove: bool) -> None:
    count, merges, conflicts = SIZE
    people = draw(seed, *SIZE)
    assert (len(people.accounts), len(people.same)) == (count + merges, merges)
    assert len(people.shared) == conflicts
    with open_org(url, tenant) as org:
        hand_in(org, people, merge=False)
        before = look(org.reader("user:owner"), people, sample=0)
        for one, second in people.same:
            org.steward("user:owner").merge(one, second)

        found = look(org.reader("user:owner"), people, sample=None if prove else LOOKED)

    # A second account has four handles, as has the first: sixteen pairs are one only by a decision.
    assert (before.joined, before.guessed, before.missed) == (0, 0, 16 * merges)
    assert found.wrong == 0, f"MUNIMENT_SEED={seed} {found}"


def by_name_alone(rows: list[NameRow]) -> list[NameRow]:
    """People of one title are one person: how much software does it."""
    first: dict[str, NameRow] = {}
    for row in rows:
        if row.kind == PERSON:
            first.setdefault(normal_name(row.title), row)
    return [
        replace(row, entity=first[normal_name(row.title)].entity) if row.kind == PERSON else row
        for row in rows
    ]


def test_the_check_sees_people_joined_by_name(
    url: str, tenant: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = draw(seed, 60, 4, 8)
    own = called._titled
    plant(monkeypatch, called, "_titled", lambda rows: by_name_alone(own(rows)))
    with open_org(url, tenant) as org:
        hand_in(org, people)

        found = look(org.reader("user:owner"), people, sample=0)

    assert found.joined > 0
    assert found.guessed > 0
