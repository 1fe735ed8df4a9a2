"""A model under its limits: tried again, paced, counted, and left alone while it is down."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from decimal import Decimal
from uuid import UUID

import pytest

from muniment.clock import ticks
from muniment.domain.model_use import Price, Spent
from muniment.models.language import (
    LanguageModelFailed,
    LanguageModelLate,
    LanguageModelResting,
    LanguageModelUnfit,
    Prompt,
)
from muniment.models.metered import IN_A_ROW, Metered, Pace, Real
from muniment.models.scripted import ScriptedModel, fails, is_late
from muniment.models.within import Within

PROMPT = Prompt("answer", "1", "be short", "canary", {"type": "object"}, 50)


@dataclass
class Time:
    """Seconds that pass only by waiting."""

    now: float = 0.0
    waited: list[float] = field(default_factory=list)

    def ticks(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        self.waited.append(seconds)
        self.now += seconds


@dataclass
class Book:
    """A ledger that allows so many dollars."""

    usd: Decimal = Decimal(100)
    calls: dict[UUID, tuple[str, Decimal]] = field(default_factory=dict)

    def reserve(self, prompt: Prompt, model: str, worst: Spent) -> UUID:
        if sum((usd for _, usd in self.calls.values()), worst.usd) > self.usd:
            raise LanguageModelResting(f"{model} {prompt.purpose}: limit")
        call = UUID(int=len(self.calls))
        self.calls[call] = ("asked", worst.usd)
        return call

    def settle(self, call: UUID, outcome: str, took: tuple[int, int, Decimal] | None) -> None:
        _, reserved = self.calls[call]
        self.calls[call] = (outcome, reserved if took is None else took[2])

    @property
    def outcomes(self) -> list[str]:
        return [outcome for outcome, _ in self.calls.values()]


def metered(model: ScriptedModel, time: Time, book: Book, tries: int = 3, a_minute: int = 1000) -> Metered:
    price = Price(Decimal(1_000), Decimal(1_000))
    return Metered(model, book, price, tries, Pace(a_minute), Real(time.ticks, time.wait))


def failing(times: int, how: type[LanguageModelFailed] = LanguageModelFailed) -> ScriptedModel:
    """Fails so often, then answers."""

    def reply(_: Prompt) -> str:
        if len(model.asked) <= times:
            raise how("no")
        return "yes"

    model = ScriptedModel(reply)
    return model


def test_what_passes_is_tried_again_after_ever_longer_waits() -> None:
    time, book = Time(), Book()

    done = metered(failing(2), time, book).complete(PROMPT)

    assert done.text == "yes"
    assert time.waited == [0.5, 1.0]
    assert book.outcomes == ["failed", "failed", "answered"]


def test_it_is_given_up_after_as_many_tries_as_are_allowed() -> None:
    model = ScriptedModel(fails)

    with pytest.raises(LanguageModelFailed):
        metered(model, Time(), Book(), tries=2).complete(PROMPT)

    assert model.calls == {"answer": 2}


def test_what_can_never_work_is_not_tried_again_and_does_not_count_as_down() -> None:
    model = failing(99, LanguageModelUnfit)
    seat = metered(model, Time(), Book())

    for _ in range(IN_A_ROW + 2):
        with pytest.raises(LanguageModelUnfit):
            seat.complete(PROMPT)

    assert len(model.asked) == IN_A_ROW + 2


def test_a_model_that_is_down_is_left_alone_and_asked_once_when_the_rest_is_over() -> None:
    time, model = Time(), ScriptedModel(fails)
    seat = metered(model, time, Book(), tries=1)
    for _ in range(IN_A_ROW):
        with pytest.raises(LanguageModelFailed):
            seat.complete(PROMPT)

    with pytest.raises(LanguageModelResting, match="down"):
        seat.complete(PROMPT)
    assert len(model.asked) == IN_A_ROW
    time.now += 30
    with pytest.raises(LanguageModelFailed):
        seat.complete(PROMPT)
    time.now += 30
    with pytest.raises(LanguageModelResting):
        seat.complete(PROMPT)
    time.now += 31
    model.reply = lambda _: "up"

    assert seat.complete(PROMPT).text == "up"
    model.reply = fails
    with pytest.raises(LanguageModelFailed):
        seat.complete(PROMPT)
    with pytest.raises(LanguageModelFailed) as caught:
        seat.complete(PROMPT)
    assert not isinstance(caught.value, LanguageModelResting)  # one failure after an answer is no outage


def test_tries_end_when_the_model_turns_out_to_be_down() -> None:
    model = ScriptedModel(fails)

    with pytest.raises(LanguageModelResting):
        metered(model, Time(), Book(), tries=50).complete(PROMPT)

    assert len(model.asked) == IN_A_ROW


def test_no_more_are_asked_in_any_minute_than_are_allowed() -> None:
    time, begun = Time(), []
    model = ScriptedModel(lambda _: "yes", before=lambda: begun.append(time.now))
    seat = metered(model, time, Book(), a_minute=3)

    for _ in range(10):
        seat.complete(PROMPT)

    assert begun == [0, 0, 0, 60, 60, 60, 120, 120, 120, 180]


def test_a_request_that_could_pass_the_limit_is_not_made() -> None:
    model, book = ScriptedModel(lambda _: "yes", cost=Decimal("0.3")), Book(Decimal(1))
    seat = metered(model, Time(), book)

    with pytest.raises(LanguageModelResting, match="limit"):
        list(map(seat.complete, [PROMPT] * 100))

    assert 0 < len(model.asked) < 100
    assert sum(usd for _, usd in book.calls.values()) <= 1


def test_what_came_too_late_counts_in_full() -> None:
    book = Book()
    with pytest.raises(LanguageModelLate):
        metered(ScriptedModel(is_late), Time(), book, tries=1).complete(PROMPT)

    assert book.outcomes == ["late"]
    assert sum(usd for _, usd in book.calls.values()) > 0


@pytest.mark.parametrize("error", [ValueError("canary"), OSError("canary"), RuntimeError("canary")])
def test_whatever_a_model_raises_is_a_failure_that_does_not_repeat_the_text(error: Exception) -> None:
    def reply(_: Prompt) -> str:
        raise error

    with pytest.raises(LanguageModelFailed) as caught:
        metered(ScriptedModel(reply), Time(), Book(), tries=1).complete(PROMPT)

    assert "canary" not in str(caught.value)


def test_one_is_asked_at_a_time() -> None:
    met: list[int] = []

    def before() -> None:
        pair = threading.Barrier(2)
        pairs.append(pair)
        try:
            pairs[0].wait(0.02)
            met.append(1)
        except threading.BrokenBarrierError:
            pairs.clear()

    pairs: list[threading.Barrier] = []
    seat = metered(ScriptedModel(lambda _: "yes", before=before), Time(), Book())
    threads = [threading.Thread(target=seat.complete, args=(PROMPT,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert met == []


def test_whoever_waits_is_not_kept_longer_than_agreed_and_nothing_piles_up() -> None:
    go_on = threading.Event()
    model = ScriptedModel(lambda _: "yes", before=lambda: go_on.wait(10))
    patient = Within(model, 0.05, ticks)

    for _ in range(3):
        with pytest.raises(LanguageModelLate):
            patient.complete(PROMPT)
    assert len(model.asked) == 1

    go_on.set()
    assert Within(model, 5, ticks).complete(PROMPT).text == "yes"


def test_a_failure_reaches_whoever_waits() -> None:
    def broken(_: Prompt) -> str:
        raise KeyError("canary")

    for reply in (fails, broken):
        with pytest.raises(LanguageModelFailed) as caught:
            Within(ScriptedModel(reply), 5, ticks).complete(PROMPT)
        assert "canary" not in str(caught.value)
