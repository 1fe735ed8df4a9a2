"""However acts and seals meet, the chain has no gap, holds every act once, and verifies."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st
from psycopg.types.json import Jsonb

from muniment.domain.audit import commit
from muniment.gate import chain
from muniment.gate.audit import Act, record
from muniment.gate.binding import writing
from muniment.store.pool import Database
from tests.tampering import Hand
from tests.worlds import NOW

WRITERS, SEALERS = 4, 2


def _write(db: Database, tenant: str, draw: random.Random, acts: int) -> int:
    """Acts in transactions of a few, some of which are never committed; how many stood."""
    stood = 0
    while acts > 0:
        few = draw.randint(1, 4)
        acts -= few
        with writing(db, tenant) as conn:
            for _ in range(few):
                at = NOW + timedelta(seconds=draw.randint(0, 9))
                act = Act(at, f"user:u{draw.randint(0, 3)}", "ask", "record", {"n": draw.randint(0, 9)})
                record(conn, tenant, act, draw.randbytes(16))
            if draw.random() < 0.2:
                conn.execute("rollback")
            else:
                stood += few
    return stood


def _seal(db: Database, tenant: str, passes: int) -> int:
    sealed = 0
    for _ in range(passes):
        with writing(db, tenant) as conn:
            sealed += chain.seal(conn, tenant, NOW)
    return sealed


def test_acts_and_sealers_at_once_give_one_chain_without_a_gap(
    db: Database, tenant: str, seed: int, *, prove: bool
) -> None:
    for round_ in range(30 if prove else 3):
        whose = f"{tenant}-{round_}"
        with ThreadPoolExecutor(WRITERS + SEALERS) as pool:
            writers = [
                pool.submit(_write, db, whose, random.Random(f"{seed} {round_} {number}"), 60)
                for number in range(WRITERS)
            ]
            sealers = [pool.submit(_seal, db, whose, 15) for _ in range(SEALERS)]
            stood = sum(one.result() for one in writers)
            sealed = sum(one.result() for one in sealers)
        sealed += _seal(db, whose, 1)

        with chain.at_once(db, whose) as conn:
            chained = Hand(conn, whose)(
                "select number, entry from muniment.audit_seal where tenant = %(tenant)s order by number"
            )
            found = chain.verify(conn, whose, ())
        assert [number for number, _ in chained] == list(range(1, stood + 1))
        assert len({entry for _, entry in chained}) == stood == sealed
        assert found.ok, found.broken
        assert found.waiting == 0


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00")),
    lambda parts: (
        st.lists(parts) | st.dictionaries(st.text(st.characters(codec="ascii", min_codepoint=1)), parts)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.text(st.characters(codec="ascii", min_codepoint=1)), JSON))
def test_content_comes_back_from_the_database_as_it_was_committed_to(
    db: Database, content: dict[str, object]
) -> None:
    with db.transaction() as conn:
        kept = conn.execute("select %(content)s::jsonb", {"content": Jsonb(content)}).fetchone()

    assert kept is not None
    assert commit(b"salt", kept[0]) == commit(b"salt", content)
