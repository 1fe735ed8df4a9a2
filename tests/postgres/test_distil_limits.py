"""What is read by a model, too, is within limits, stops with a reason, and goes on where it stopped."""

from __future__ import annotations

import threading

import pytest

import muniment
from muniment.app import Org
from muniment.jobs import distil
from muniment.settings import Settings
from tests.distilled import ALPHA, ANN, BETA, GAMMA, document, run, statements
from tests.doubles import CountingModel
from tests.planted import plant
from tests.worlds import KEY, Clock, open_org, person, taken, within


def opened(url: str, tenant: str, clock: Clock, model: CountingModel, **said: str) -> Org:
    variables = {"MUNIMENT_MODEL_TRIES": "1", **said}
    settings = Settings(login="owner", key=KEY, embedder="off", model=variables)
    return muniment.open(within(url), tenant, clock=clock, model=model, settings=settings)


def test_at_the_days_limit_it_rests_and_the_next_day_reads_on(url: str, tenant: str, clock: Clock) -> None:
    model = CountingModel()
    with opened(url, tenant, clock, model, MUNIMENT_MODEL_USD_PER_DAY="0.0015") as org:
        taken(org, [person(ANN), document(ALPHA + BETA + GAMMA)])

        first = org.distil()
        again = org.distil()
        clock.forward(days=1)
        next_day = org.distil()

        assert first.stopped == "resting"
        assert first.calls == 2
        assert (again.calls, again.waiting) == (0, 1)
        assert (next_day.calls, next_day.stopped) == (1, "done")
        assert first.waiting == 1


def test_what_reading_took_is_told_by_run_with_what_was_refused(url: str, tenant: str, clock: Clock) -> None:
    model = CountingModel()
    with opened(url, tenant, clock, model) as org:
        taken(org, [person(ANN), document(ALPHA)])
        org.distil()
        model.answers = lambda *_: "no JSON at all"
        taken(org, [document(ALPHA + BETA, 5)])
        org.distil()
        desk = org.steward(org.login)

        (cost,) = desk.model_costs()
        runs = desk.model_costs(by_run=True)

        assert (cost.purpose, cost.calls, cost.refused) == ("distil", 2, 1)
        assert dict(cost.why) == {"not JSON": 1}
        assert [one.calls for one in runs] == [1, 1]
        assert cost.usd == sum(one.usd for one in runs) > 0


def test_answers_keep_their_limit_when_reading_has_used_up_its_own(
    url: str, tenant: str, clock: Clock
) -> None:
    model = CountingModel()
    said = {"MUNIMENT_MODEL_USD_PER_DAY": "0.0015", "MUNIMENT_MODEL_ANSWERS": "on"}
    with opened(url, tenant, clock, model, **said) as org:
        taken(org, [person(ANN), document(ALPHA + BETA + GAMMA)])
        org.distil()

        org.reader(ANN).ask("Who owns the green shed of Zephyrine?")

        assert {one.purpose for one in org.steward(org.login).model_costs()} == {"distil", "query"}


def test_a_text_of_any_length_is_compiled_a_few_times(
    url: str, tenant: str, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch, distil, "AT_ONCE", 2)  # no fault: there are more passages than one part has
    compiled: list[object] = []
    apply = distil._apply

    def counted(*named: object) -> None:
        compiled.append(named)
        apply(*named)  # type: ignore[arg-type]

    plant(monkeypatch, distil, "_apply", counted)
    body = "".join(
        f"# Crew {n}\n\nThe crew number {n} keeps its ladders in the green shed.\n\n" for n in range(33)
    )
    with open_org(url, tenant, clock) as org:
        taken(org, [person(ANN), document(body)])

        done = run(org, CountingModel())

        assert (done.calls, done.stopped, len(statements(org))) == (33, "done", 33)
        assert len(compiled) == 6  # after 2, 4, 8, 16, 32 and the last


def test_words_blanked_while_a_text_is_noted_as_read_have_it_read_again(
    url: str, tenant: str, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    erasing: list[threading.Thread] = []
    due = distil._due
    with open_org(url, tenant, clock) as org, open_org(url, tenant, clock) as other:

        def struck(*named: object) -> object:
            found = due(*named)  # type: ignore[arg-type]
            if not found[1] and not erasing:
                erasing.append(
                    threading.Thread(target=other.steward("user:owner").erase_subject, args=["yellow"])
                )
                erasing[0].start()
                erasing[0].join(1)  # it waits for us, or else is done
            return found

        plant(monkeypatch, distil, "_due", struck)
        model = CountingModel()
        taken(org, [person(ANN), document(ALPHA)])

        run(org, model)
        erasing[0].join(60)

        assert not erasing[0].is_alive()
        assert (run(org, model).calls, model.calls) == (1, 2)
