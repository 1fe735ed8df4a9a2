"""A model's statement whose words leave its text: stale, until a rule or a model settles it."""

from __future__ import annotations

import pytest

from muniment.jobs.rebuild import rebuild
from tests.distilled import ALPHA, ANN, BETA, document, outputs, record, run, statements
from tests.doubles import CountingModel, Shown, draft, drafts, ruling
from tests.worlds import Clock, at, open_org, person, said, taken


@pytest.fixture
def model() -> CountingModel:
    return CountingModel()


def test_a_statement_whose_words_are_gone_is_stale_until_it_is_examined(
    url: str, tenant: str, clock: Clock
) -> None:
    verdicts: dict[str, str] = {}

    def answers(purpose: str, shown: Shown) -> str:
        if purpose == "re-examine":
            return verdicts["now"]
        return drafts(*(draft("fact", one) for one in (str(shown["text"]),) if "yellow" in one))

    model = CountingModel(answers)
    with open_org(url, tenant, clock) as org:
        taken(org, [person(ANN), document(ALPHA)])
        run(org, model)
        clock.forward(minutes=1)
        taken(org, [document(ALPHA.replace("yellow barn", "red barn"), 1)])

        assert statements(org) == []
        (stale,) = statements(org, "stale")
        assert "yellow" in stale
        assert [one.status for one in org.steward("user:owner").stale()] == ["stale"]

        clock.forward(minutes=1)
        verdicts["now"] = ruling(
            "revised", draft("fact", "The Alpha crew meets in the red barn", "meets in the red barn")
        )
        done = run(org, model)

        assert (done.calls, done.statements) == (2, 1)
        assert statements(org) == ["The Alpha crew meets in the red barn"]
        assert statements(org, "stale") == []
        early = org.reader(ANN, known_at="2026-11-30T09:00:30Z").search("yellow barn", unit="claim")
        assert [hit.citation.statement for hit in early if hit.citation] == [stale]


@pytest.mark.parametrize(
    ("verdict", "active", "stale"),
    [
        (ruling("retracted"), 0, 0),
        (ruling("confirmed", draft("fact", "any", "crew meets in the yellow old barn near the river")), 1, 0),
        (ruling("confirmed", draft("fact", "any", "words that are nowhere in the text")), 0, 1),
        (ruling("revised", draft("fact", "The Zeta crew meets in the barn", "crew meets in the")), 0, 1),
        ("nonsense", 0, 1),
    ],
)
def test_a_verdict_on_a_stale_statement_holds_where_it_passes_the_gates(
    url: str, tenant: str, clock: Clock, verdict: str, active: int, stale: int
) -> None:
    def answers(purpose: str, shown: Shown) -> str:
        return drafts() if "old" in str(shown["text"]) and purpose == "distil" else _first(purpose, shown)

    def _first(purpose: str, shown: Shown) -> str:
        return verdict if purpose == "re-examine" else drafts(draft("fact", str(shown["text"])))

    model = CountingModel(answers)
    with open_org(url, tenant, clock) as org:
        taken(org, [person(ANN), document(ALPHA)])
        run(org, model)
        clock.forward(minutes=1)
        taken(org, [document(ALPHA.replace("yellow barn", "yellow old barn"), 1)])
        run(org, model)

        assert (len(statements(org)), len(statements(org, "stale"))) == (active, stale)
        assert run(org, model).calls == 0


def test_a_redaction_costs_what_it_blanks_once_and_no_verdict_on_the_rest_later(
    url: str, tenant: str, clock: Clock
) -> None:
    """Neither a look, nor a compilation, nor a rebuild asks or forgets anything anew."""

    def answers(purpose: str, shown: Shown) -> str:
        revised = draft("fact", "The Alpha crew meets in the red barn", "meets in the red barn")
        if purpose == "re-examine":
            return ruling("revised", revised)
        return drafts() if "red" in str(shown["text"]) else drafts(draft("fact", str(shown["text"])))

    model = CountingModel(answers)
    with open_org(url, tenant, clock) as org:
        taken(org, [person(ANN), document(ALPHA + BETA)])
        start = (ALPHA + BETA).index("green")
        taken(
            org,
            [{"op": "redact", "source": "chat", "id": "crews", "at": at(1), "spans": [[start, start + 5]]}],
        )
        run(org, model, limit=9)
        clock.forward(minutes=1)
        taken(org, [document(ALPHA.replace("yellow barn", "red barn") + BETA, 2)])
        run(org, model, limit=9)
        assert "The Alpha crew meets in the red barn" in statements(org)
        given, derived = outputs(org), record(org)
        assert "re-examine" in {purpose for purpose, *_ in given}

        assert [run(org, model, limit=9).items for _ in range(2)] == [0, 0]
        rebuild(org._work)

        assert (outputs(org), record(org)) == (given, derived)
        assert run(org, model, limit=9).items == 0


def test_a_rule_that_reads_the_same_slot_settles_what_went_stale_without_a_call(
    url: str, tenant: str, clock: Clock
) -> None:
    quote = "As for hotels, EUR 180 it was, the limit per night of our travel policy."
    slot = ("travel policy", "limit per night", "EUR 180")
    model = CountingModel(lambda *_: drafts(draft("policy", "the limit per night is EUR 180", quote, *slot)))
    with open_org(url, tenant, clock) as org:
        taken(org, [person(ANN), said("p", quote, kind="document", title="Travel policy")])
        run(org, model)
        assert statements(org) == ["the limit per night is EUR 180"]
        clock.forward(minutes=1)

        taken(
            org,
            [said("p", "The limit per night is EUR 210.", 1, kind="document", title="Travel policy")],
        )

        assert statements(org, "active", "stale") == []
        assert model.calls == 1


def test_a_quote_that_comes_back_makes_its_statement_true_again_without_a_call(
    url: str, tenant: str, model: CountingModel, clock: Clock
) -> None:
    with open_org(url, tenant, clock) as org:
        taken(org, [person(ANN), document(ALPHA)])
        run(org, model)
        for hours, body in ((1, ALPHA.replace("yellow", "grey")), (2, ALPHA)):
            clock.forward(minutes=1)
            taken(org, [document(body, hours)])

        assert len(statements(org)) == 1
        assert statements(org, "stale") == []
        assert run(org, model).calls == 0


def test_another_model_reads_anew_and_takes_the_place_of_the_first(
    url: str, tenant: str, clock: Clock
) -> None:
    first, other = CountingModel(), CountingModel(name="other", answers=lambda *_: drafts())
    with open_org(url, tenant, clock) as org:
        taken(org, [person(ANN), document(ALPHA)])
        run(org, first)
        clock.forward(minutes=1)
        assert len(statements(org)) == 1

        assert run(org, other).calls == 1

        assert statements(org, "active", "stale") == []
        assert run(org, first).calls == 0
