"""Every act of a steward's against what comes in meanwhile, and against the others."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import muniment
from muniment.app import Org
from muniment.jobs.rebuild import rebuild
from tests.faults.acts import ACTS, AGENT, FINE, SOURCES, Act
from tests.faults.corpora import crew, difference, governed, key, record, settled, split
from tests.worlds import Event, open_org, said

QUERIES = Path(muniment.__file__).parent / "sql" / "queries"
ROUNDS = 1  # 12 in `make prove`
EACH = 3  # acts of one kind
WRITERS = 2


def _rebuild(org: Org, _pick: int) -> None:
    rebuild(org._work)


def _work(org: Org, _pick: int) -> None:
    org.work()


def _all_of(org: Org, name: str, picks: Sequence[int], how: list[str]) -> None:
    how += [Act(name, pick, RACING[name])(org) for pick in picks]


def _bring(org: Org, events: Sequence[Event], draw: random.Random) -> None:
    for batch in split(draw, events):
        org.ingest(batch, defer=draw.random() < 0.5)


RACING = {**ACTS, "rebuild": _rebuild, "work": _work}


def test_acts_meet_each_other_and_what_comes_in_and_none_is_lost(
    url: str, tenant: str, seed: int, *, prove: bool
) -> None:
    for number in range(seed, seed + (12 if prove else ROUNDS)):
        draw = random.Random(number)
        days = governed(draw, days=4, events=40, each=0)
        with open_org(url, f"{tenant}-{number}") as org:
            org.ingest([*days[0].events, *days[1].events])
            org.steward("user:owner").set_disclosure(FINE)
            org.steward("user:owner").grant_read(AGENT, SOURCES[0])
            events = [event for day in days[2:] for event in day.events]
            own = {name: draw.randrange(WRITERS) for name in sorted({key(event) for event in events})}
            shares = [[one for one in events if own[key(one)] == writer] for writer in range(WRITERS)]
            how: list[str] = []
            names = sorted(RACING)
            acts = [
                partial(_all_of, org, name, [draw.randrange(9999) for _ in range(EACH)], how)
                for name in names
            ]
            writers = [partial(_bring, org, share, random.Random(number)) for share in shares]

            for start in range(0, len(acts), 6):
                with crew([*acts[start : start + 6], *(writers if start == 0 else ())]):
                    pass
            settled(org)
            alive = record(org)
            rebuild(org._work)
            assert difference(alive, record(org)) == "", f"MUNIMENT_SEED={number}"
            assert org.steward("user:owner").verify_audit().ok


def test_no_two_locks_share_a_number() -> None:
    """Or who seals the audit waits for whoever discloses, in an order that nobody laid down."""
    used: dict[str, set[str]] = {}
    for path in sorted(QUERIES.glob("*.sql")):
        for statement in path.read_text(encoding="utf-8").split("-- name: ")[1:]:
            name, _, sql = statement.partition("\n")
            for number in re.findall(r"advisory\w*\(hashtextextended\(%\(tenant\)s, (\d+)\)\)", sql):
                used.setdefault(number, set()).add(name.strip())
    turns = {"compile_alone", "compile_beside_others"}  # one lock, taken in two ways

    assert {frozenset(names) for names in used.values() if len(names) > 1} == {frozenset(turns)}
    assert len(used) > 3


def test_items_made_from_one_another_are_compiled_by_many_at_once(url: str, tenant: str, seed: int) -> None:
    """Whoever holds one key wants the next: nobody gives up, and nothing is set aside."""
    draw = random.Random(seed)
    ids = [f"k{number}" for number in range(6)]
    with open_org(url, tenant) as org:
        for turn in range(2):
            knots = [
                [said(id_, f"Turn {turn} of {id_}.", turn, derived_from=[draw.choice(ids)])]
                for id_ in draw.sample(ids, len(ids))
            ]
            with crew(partial(org.ingest, knot) for knot in knots):
                pass
            assert org.status().queue.dead == 0
        settled(org)
        alive = record(org)
        rebuild(org._work)
        assert difference(alive, record(org)) == ""
