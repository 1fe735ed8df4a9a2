"""Which names mean one entity, over any names a reader may see."""

from __future__ import annotations

from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from muniment.claims.naming import Names
from muniment.domain.record import NameRow

WORDS = st.sampled_from(("acme", "acme gmbh", "globex", "initech"))
ENTITIES = st.sampled_from([UUID(int=number) for number in range(1, 4)])
ROWS = st.lists(st.builds(NameRow, WORDS, ENTITIES, st.just("account"), WORDS, st.booleans()))


@given(ROWS, st.sets(WORDS | ENTITIES.map(lambda entity: entity.hex)))
def test_the_names_of_a_meaning_are_all_those_that_have_it(rows: list[NameRow], keys: set[str]) -> None:
    names = Names.of(rows)

    assert names.meaning(keys) == sorted({row.name for row in rows if names.key(row.name) in keys})
