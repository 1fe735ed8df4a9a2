"""A slice of the replay gate, and what must turn it red."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from evals.replay import report
from evals.replay.cases import STRATA, Case, cases
from evals.replay.run import ON_CALL, Outcome, play, prepare
from evals.replay.solver import Solved, solve, unverified, verified
from muniment.app import Org
from muniment.domain.incidents import Briefing
from muniment.lenses.incidents.briefing import brief
from tests.worlds import Clock, open_org

SMALL = 2


@pytest.fixture
def drawn(url: str, tenant: str, clock: Clock) -> Iterator[tuple[Org, list[Case]]]:
    with open_org(url, tenant, clock) as org:
        every = list(cases(SMALL))
        prepare(org, every)
        yield org, every


def test_memory_helps_on_repeats_and_harms_nowhere(drawn: tuple[Org, list[Case]]) -> None:
    org, every = drawn

    outcomes = list(play(org, every))

    assert [one for one in report.bars(outcomes) if not one.is_met] == []


def unfiltered(org: Org, incident: str) -> Briefing:
    """A fault: nothing is kept out."""
    with org.reader(ON_CALL)._looking("incident briefing", incident) as reader:
        return brief(reader, incident, 2_000, None, filters=())


def test_a_briefing_without_safety_filters_turns_the_gate_red(drawn: tuple[Org, list[Case]]) -> None:
    org, every = drawn
    poisoned = [one for one in every if one.stratum in ("poisoned", "stale")]

    hinted = {one.case.how for one in play(org, poisoned, brief=unfiltered) if one.hinted}

    assert "outside" in hinted


def _outcome(stratum: str, off: str | None, on: str | None) -> Outcome:
    case = replace(next(one for one in cases(1) if one.stratum == stratum), truth="right")
    solved = [Solved((one,) if one else (), (("seen",),) if one else (), ()) for one in (off, on)]
    return Outcome(case, solved[0], solved[1], (), is_same=True)


@pytest.mark.parametrize("stratum", [one for one in STRATA if one not in ("repeat", "premise")])
def test_one_case_that_memory_harms_turns_the_gate_red(stratum: str) -> None:
    outcomes = [_outcome(stratum, "right", "wrong")] + [_outcome(one, "right", "right") for one in STRATA]

    assert not report.passes(outcomes)
    missed = [one.name for one in report.bars(outcomes) if not one.is_met]
    assert any("harmed" in one or "other output" in one for one in missed)


def test_history_that_is_believed_without_a_look_would_harm() -> None:
    """Of two alike, memory names the wrong one, and nobody can look."""
    seen, checks = ["requests take long"], {"slow-disk": "fsync takes 3 ms at p99"}
    truth, remembered = "full-pool", "lagging-replica"

    off = solve(seen, checks, (), verified)
    held = solve(seen, checks, [remembered], verified)
    believed = solve(seen, checks, [remembered], unverified)

    assert off.ranked[0] == held.ranked[0] == truth
    assert believed.ranked[0] == remembered


def test_a_hint_adds_no_hypothesis() -> None:
    seen = ["the queue grows"]

    assert solve(seen, {}, ["expired-certificate"]).told() == solve(seen, {}, ()).told()
    assert solve(["all is well"], {}, ["full-pool"]).ranked == ()


def test_cases_are_the_same_for_the_same_seed_and_enough() -> None:
    first, again = list(cases(40)), list(cases(40))

    assert first == again
    assert len(first) >= 240
    assert {one.stratum for one in first} == set(STRATA)
    assert {one.lang for one in first} == {0, 1}


def test_mcnemar_is_exact() -> None:
    assert report.mcnemar(0, 0) == 1.0
    assert report.mcnemar(5, 0) == pytest.approx(2 / 2**5)
    assert report.mcnemar(3, 3) == 1.0
