"""How a model may be used: what the variables say, what is refused, and when a limit is in the way."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.errors import Usage
from muniment.domain.model_use import ModelUse, Price, SpendLimits, Spent, over_limit
from muniment.settings import Settings

LOCAL = {"MUNIMENT_MODEL": "openai-compatible:qwen", "MUNIMENT_MODEL_URL": "http://127.0.0.1:8080/v1"}
HOSTED = {
    "MUNIMENT_MODEL": "openai:gpt",
    "MUNIMENT_MODEL_KEY": "canary-key",
    "MUNIMENT_MODEL_PRICE": "1.25,10",
}
money = st.decimals(0, 100, places=4)


def test_without_a_word_no_model_is_used() -> None:
    use = ModelUse.read({})

    assert use.provider is None
    assert not use.words_answers


def test_a_local_server_needs_an_address_and_costs_nothing() -> None:
    use = ModelUse.read(LOCAL)

    assert (use.provider, use.name) == ("openai-compatible", "qwen")
    assert use.terms.of(10**6, 10**6) == 0
    with pytest.raises(Usage, match="MUNIMENT_MODEL_URL"):
        ModelUse.read({"MUNIMENT_MODEL": "openai-compatible:qwen"})


@pytest.mark.parametrize("missing", ["MUNIMENT_MODEL_KEY", "MUNIMENT_MODEL_PRICE"])
def test_a_hosted_model_needs_a_key_and_a_price(missing: str) -> None:
    assert ModelUse.read(HOSTED).terms.of(1_000_000, 100_000) == Decimal("2.25")
    with pytest.raises(Usage, match=missing):
        ModelUse.read({name: value for name, value in HOSTED.items() if name != missing})


def test_whoever_wants_no_limit_in_dollars_needs_no_price() -> None:
    said = {"MUNIMENT_MODEL": "anthropic:x", "MUNIMENT_MODEL_KEY": "k", "MUNIMENT_MODEL_USD_PER_DAY": "none"}

    assert ModelUse.read(said).limits == SpendLimits(usd_a_day=None)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MUNIMENT_MODEL", "gpt-5"),
        ("MUNIMENT_MODEL", "openai:"),
        ("MUNIMENT_MODEL_URL", "ftp://x"),
        ("MUNIMENT_MODEL_PRICE", "1"),
        ("MUNIMENT_MODEL_PRICE", "-1,2"),
        ("MUNIMENT_MODEL_PRICE", "NaN,2"),
        ("MUNIMENT_MODEL_USD_PER_DAY", "five"),
        ("MUNIMENT_MODEL_USD_PER_RUN", "-1"),
        ("MUNIMENT_MODEL_TOKENS_PER_DAY", "inf"),
        ("MUNIMENT_MODEL_SECONDS", "0"),
        ("MUNIMENT_MODEL_SECONDS", "nan"),
        ("MUNIMENT_MODEL_TRIES", "0"),
        ("MUNIMENT_MODEL_PER_MINUTE", "1.5"),
        ("MUNIMENT_MODEL_ANSWERS", "yes"),
        ("MUNIMENT_MODEL_ANSWER_SECONDS", "soon"),
    ],
)
def test_what_cannot_be_read_is_named(name: str, value: str) -> None:
    with pytest.raises(Usage, match=name):
        ModelUse.read({**LOCAL, name: value})


def test_the_key_is_nowhere_to_be_seen() -> None:
    use = ModelUse.read(HOSTED)
    settings = Settings.read(HOSTED)

    assert use.key == "canary-key"
    assert "canary" not in repr(use) + repr(settings)
    with pytest.raises(Usage) as caught:
        ModelUse.read({**HOSTED, "MUNIMENT_MODEL_URL": "nowhere"})
    assert "canary" not in str(caught.value)


def test_a_command_that_needs_no_model_does_not_stumble_over_its_variables() -> None:
    assert Settings.read({"MUNIMENT_MODEL": "nonsense"}).model == {"MUNIMENT_MODEL": "nonsense"}


@given(money, money, money, st.integers(0, 1000), st.integers(0, 1000))
def test_the_next_request_is_let_through_only_where_it_stays_within_every_limit(
    limit: Decimal, spent: Decimal, next_: Decimal, tokens: int, more: int
) -> None:
    limits = SpendLimits(usd_a_day=limit, tokens_a_run=500)

    why = over_limit(limits, Spent(Decimal(0), tokens), Spent(spent, 0), Spent(next_, more))

    assert (why is None) == (spent + next_ <= limit and tokens + more <= 500)


def test_a_price_is_for_a_million_tokens() -> None:
    assert Price(Decimal(3), Decimal(15)).of(2_000, 1_000) == Decimal("0.021")
