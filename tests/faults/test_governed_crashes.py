"""An act whose connection is lost at any call is done whole, or not at all, and can be done again."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from muniment.app import Org
from muniment.jobs.rebuild import rebuild
from tests.faults.acts import ACTS, AGENT, FINE, SOURCES, Act
from tests.faults.corpora import Day, at_once, difference, governed, play, record, settled
from tests.faults.test_nth_call import Fault, faulty, persistently
from tests.worlds import open_org

# Those that say the same again when they are said again.
AGAIN = (
    "disclose",
    "trust",
    "limit",
    "keep",
    "hold",
    "erase item",
    "erase person",
    "erase words",
    "revert",
    "undo",
    "grant agent",
    "grant read",
    "rebuild",
)
SAMPLE = 2  # acts in CI, each cut short twice; `make prove` cuts every one short at each STRIDE-th call
STRIDE = 9


def _rebuilt(org: Org, _pick: int) -> None:
    rebuild(org._work)


def _cut_short(url: str, tenant: str, days: Sequence[Day], act: Act, fault: Fault) -> dict[str, list[str]]:
    """The record once an act went through that met a fault."""
    with play(url, tenant, days, at_once) as org:
        desk = org.steward("user:owner")
        desk.set_disclosure(FINE)
        desk.grant_read(AGENT, SOURCES[0])
        if act.name == "undo":
            ACTS["revert"](org, act.pick)
        clock = org._work.clock
        with open_org(url, tenant) as broken, faulty(fault, url) as worse:
            sound = broken._work
            broken._work = replace(sound, database=worse, clock=clock)
            persistently(lambda: act(broken))
            broken._work = sound
        settled(org)
        found = record(org)
        rebuild(org._work)
        assert difference(found, record(org)) == "", f"{act.name} rebuilt"
        assert desk.verify_audit().ok
        return found


def test_an_act_that_loses_its_connection_anywhere_is_done_whole_in_the_end(
    url: str, tenant: str, seed: int, *, prove: bool
) -> None:
    draw = random.Random(seed)
    days = governed(draw, days=2, events=12, each=0)
    doing: dict[str, Callable[[Org, int], object]] = {**ACTS, "rebuild": _rebuilt}
    for name in AGAIN if prove else draw.sample(AGAIN, SAMPLE):
        act = Act(name, draw.randrange(10_000), doing[name])
        calm = Fault(0, after=False)
        model = _cut_short(url, f"{tenant}-{name}", days, act, calm)
        at = range(draw.randint(1, STRIDE), calm.calls, STRIDE) if prove else [draw.randint(1, calm.calls)]
        for number in at:
            for after in (False, True):
                fault = Fault(number, after=after)
                found = _cut_short(url, f"{tenant}-{name}-{number}-{after}", days, act, fault)
                assert difference(model, found) == "", f"{name} {number} {after} MUNIMENT_SEED={seed}"
