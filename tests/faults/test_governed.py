"""Decisions, disclosure, retention, holds, erasures and reverts in any record, however it arrived."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import partial
from itertools import count

import pytest
from typing_extensions import override

from muniment.app import SourceChange
from muniment.domain.errors import Conflict, MunimentError, Refused
from muniment.jobs.rebuild import rebuild
from tests.canaries import canary, tables_with
from tests.faults.acts import SOURCES, WORDS, items
from tests.faults.corpora import (
    at_once,
    crowded,
    difference,
    governed,
    play,
    record,
    reordered,
    rows,
    scattered,
    settled,
)
from tests.worlds import Clock, open_org, person, said

CORPORA = 1  # 50 in `make prove`
LEFT_OF_ITEM = """
select (select count(*) from muniment.payload
         where tenant = %(tenant)s and source = '{0}' and id = '{1}')
     + (select count(*) from muniment.item where tenant = %(tenant)s and source = '{0}' and id = '{1}')
"""


def test_a_governed_record_is_the_same_however_it_arrived_and_after_a_rebuild(
    url: str, tenant: str, seed: int, *, prove: bool
) -> None:
    for number in range(seed, seed + (50 if prove else CORPORA)):
        days = governed(random.Random(number))
        ways = (at_once, scattered(random.Random(number)), crowded(random.Random(number)))
        went: list[list[str]] = [[] for _ in ways]
        orgs = [
            play(url, f"{tenant}-{number}-{way}", days, bring, went[way]) for way, bring in enumerate(ways)
        ]
        plain, *others = [record(org) for org in orgs]

        for way, other in enumerate(others, 1):
            assert went[way] == went[0], f"MUNIMENT_SEED={number} {way}"
            assert difference(plain, other) == "", f"MUNIMENT_SEED={number} {way} {went[0]}"
        for org in orgs:
            rebuild(org._work)
            assert difference(plain, record(org)) == "", f"MUNIMENT_SEED={number} rebuilt {went[0]}"
            assert org.steward("user:owner").verify_audit().ok
            org.close()


def test_nothing_erased_comes_back(url: str, tenant: str, seed: int, *, prove: bool) -> None:
    """Not handed in again, replayed, undone, kept for longer, in a late version, or rebuilt."""
    for number in range(seed, seed + (50 if prove else CORPORA)):
        draw = random.Random(number)
        days = governed(draw, each=3)
        with play(url, f"{tenant}-{number}", days, at_once) as org:
            desk = org.steward("user:owner")
            for hold in desk.holds():
                desk.remove_hold(hold.target)
            target = draw.choice(items(org))
            desk.erase(target)
            desk.erase_subject(WORDS)
            for source in SOURCES:
                desk.set_source(source, SourceChange(keep="whole"))
                with suppress(MunimentError):
                    desk.undo_revert(source)
            said_again = [event for day in days for event in day.events]
            late = [{**one, "version": "0.5"} for one in said_again if one["op"] == "upsert"]
            org.ingest([*reordered(draw, said_again), *late])
            org.replay()
            settled(org)
            alive = record(org)
            rebuild(org._work)

            assert difference(alive, record(org)) == "", f"MUNIMENT_SEED={number}"
            source, _, id_ = target.partition(":")
            assert rows(org, LEFT_OF_ITEM.format(source, id_)) == [(0,)], f"MUNIMENT_SEED={number} {target}"
            assert tables_with(org, WORDS) == [], f"MUNIMENT_SEED={number}"


class Striking(Clock):
    """A clock at whose n-th question something happens first."""

    def __init__(self, strike: Callable[[], object]) -> None:
        super().__init__()
        self.left = -1
        self._strike = strike

    @override
    def __call__(self) -> datetime:
        self.left -= 1
        if self.left == 0:
            self._strike()
        return super().__call__()


@pytest.mark.parametrize("act", ["remember", "report"])
def test_what_is_said_of_something_while_it_is_erased_goes_with_it(
    url: str, tenant: str, seed: int, act: str
) -> None:
    """Whichever of the two comes first, at whatever moment of the act."""
    word = canary(random.Random(seed))
    for number in count(1):
        name = f"{tenant}-{number}"
        with open_org(url, name) as eraser:
            clock = Striking(partial(eraser.steward("user:owner").erase, "chat:m1"))
            with open_org(url, name, clock) as org:
                org.ingest([person("user:ann"), said("m1", f"The discount of Acme is {word} %.")])
                view = org.reader("user:ann")
                hits = view.search("discount", unit="passage")
                cited = hits[0].citation.id if hits[0].citation is not None else ""
                clock.left = number
                with suppress(Refused, Conflict):
                    if act == "remember":
                        view.remember(f"They say {word}.", evidence=[cited])
                    else:
                        view.report(cited, f"It is not {word}.")
                if struck := clock.left <= 0:
                    assert tables_with(eraser, word) == [], f"call {number}"
        if not struck:
            break
    assert number > 1
