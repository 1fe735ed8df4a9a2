"""The ledger of language models: what was spent, what may be, and what stewards see of it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal

import pytest

from muniment.app import Org
from muniment.domain.errors import Refused
from muniment.domain.model_use import ModelUse, Price, SpendLimits, Spent
from muniment.jobs.calls import Calls, place
from muniment.jobs.loop import Work
from muniment.models.language import LanguageModelFailed, LanguageModelResting, Prompt
from muniment.models.metered import Real
from muniment.models.scripted import ScriptedModel, fails
from tests.worlds import Clock, open_org

ASKED = Prompt("answer", "1", "be short", "canary", {"type": "object"}, 1_000)
DISTILLED = replace(ASKED, purpose="distil")
PRICE = Price(Decimal(10), Decimal(10))


@pytest.fixture
def org(url: str, tenant: str, clock: Clock) -> Org:
    return open_org(url, tenant, clock)


@pytest.fixture
def work(org: Org) -> Work:
    return org._work


def calls(work: Work, usd_a_day: str | None = None, usd_a_run: str | None = None) -> Calls:
    day, run = (None if one is None else Decimal(one) for one in (usd_a_day, usd_a_run))
    return Calls(work, SpendLimits(day, run))


def spend(book: Calls, usd: str, prompt: Prompt = ASKED) -> None:
    call = book.reserve(prompt, "m", Spent(Decimal(usd), 1_500))
    book.settle(call, "answered", (100, 10, Decimal(usd)))


def test_a_days_limit_stops_and_the_next_day_goes_on(work: Work, clock: Clock) -> None:
    book = calls(work, usd_a_day="0.5")
    spend(book, "0.3")

    with pytest.raises(LanguageModelResting, match=r"0\.5 US dollars a day"):
        spend(book, "0.3")
    spend(book, "0.2")
    clock.forward(days=1)

    spend(book, "0.3")


def test_a_runs_limit_stops_that_run_alone(work: Work) -> None:
    book = calls(work, usd_a_run="0.5")
    spend(book, "0.5")
    with pytest.raises(LanguageModelResting, match="a run"):
        spend(book, "0.1")

    book.begin_run()

    spend(book, "0.5")


def test_what_is_distilled_leaves_answers_their_own_limit(work: Work) -> None:
    book = calls(work, usd_a_day="0.5")
    spend(book, "0.5", DISTILLED)

    with pytest.raises(LanguageModelResting):
        spend(book, "0.1", DISTILLED)
    spend(book, "0.5", ASKED)


def test_a_request_whose_end_nobody_saw_counts_at_its_most(work: Work) -> None:
    book = calls(work, usd_a_day="1")
    book.reserve(ASKED, "m", Spent(Decimal("0.9"), 1_500))

    with pytest.raises(LanguageModelResting):
        spend(book, "0.2")


def test_a_request_is_settled_once(work: Work, org: Org) -> None:
    book = calls(work)
    call = book.reserve(ASKED, "m", Spent(Decimal("0.9"), 1_500))
    book.settle(call, "answered", (10, 1, Decimal("0.1")))
    book.settle(call, "failed", (0, 0, Decimal(0)))

    (cost,) = org.steward(org.login).model_costs()
    assert (cost.failed, cost.usd) == (0, 0.1)


def test_many_at_once_keep_one_limit(work: Work) -> None:
    def one(_: int) -> bool:
        try:
            spend(calls(work, usd_a_day="1"), "0.1")
        except LanguageModelResting:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(one, range(24))) == 10


def test_a_model_in_its_place_writes_down_every_request(work: Work, org: Org, clock: Clock) -> None:
    use = ModelUse(price=PRICE, tries=1)
    model = ScriptedModel(lambda _: "yes it does", cost=Decimal("0.002"))
    placed = place(work, model, use, Real(lambda: 0.0, lambda _: None))
    placed.model.complete(ASKED)
    placed.model.complete(DISTILLED)
    model.reply = fails
    with pytest.raises(LanguageModelFailed):
        placed.model.complete(ASKED)
    placed.calls.refuse("answer", "scripted", "number")

    answer, distil = org.steward(org.login).model_costs()

    assert (answer.purpose, answer.calls, answer.failed, answer.refused) == ("answer", 2, 1, 1)
    assert dict(answer.why) == {"number": 1}
    assert (answer.tokens_in, answer.tokens_out, answer.usd) == (3, 3, 0.002)
    assert (distil.purpose, distil.calls, distil.since) == ("distil", 1, clock())


def test_costs_are_told_by_run_and_from_a_time_on(work: Work, org: Org, clock: Clock) -> None:
    book = calls(work)
    spend(book, "0.1")
    clock.forward(hours=1)
    book.begin_run()
    spend(book, "0.2")
    desk = org.steward(org.login)

    assert [one.usd for one in desk.model_costs(by_run=True)] == [0.1, 0.2]
    assert [one.usd for one in desk.model_costs()] == [0.3]
    assert [one.usd for one in desk.model_costs(since=_later(clock))] == [0.2]


def _later(clock: Clock) -> datetime:
    return clock() - timedelta(minutes=1)


def test_nothing_that_was_asked_or_said_is_in_the_ledger(work: Work, org: Org) -> None:
    model = ScriptedModel(lambda _: "canary")
    place(work, model, ModelUse(), Real(lambda: 0.0, lambda _: None)).model.complete(ASKED)

    assert "canary" not in repr(org.steward(org.login).model_costs(by_run=True))


def test_costs_are_for_stewards_alone(org: Org) -> None:
    with pytest.raises(Refused):
        org.steward("user:nobody").model_costs()
