"""Which embedder is used: what the variables say, and what is refused by name."""

import pytest

from muniment.domain.embedder_use import BEFORE, EmbedderUse
from muniment.domain.errors import Usage
from muniment.domain.model_use import SpendLimits, purse_of
from muniment.settings import Settings

LOCAL = {
    "MUNIMENT_EMBEDDER": "openai-compatible:bge-m3",
    "MUNIMENT_EMBEDDER_URL": "http://127.0.0.1:8080/v1",
    "MUNIMENT_EMBEDDER_DIMENSIONS": "1024",
}
HOSTED = {
    "MUNIMENT_EMBEDDER": "openai:text-embedding-3-small",
    "MUNIMENT_EMBEDDER_KEY": "canary-key",
    "MUNIMENT_EMBEDDER_DIMENSIONS": "512",
    "MUNIMENT_EMBEDDER_PRICE": "0.02",
}


def test_without_a_word_it_is_what_is_installed_and_nothing_goes_out() -> None:
    assert EmbedderUse.read({}) == EmbedderUse.read({"MUNIMENT_EMBEDDER": ""}) == EmbedderUse(kind="auto")
    assert EmbedderUse.read({}, BEFORE).kind == "off"


def test_a_local_server_costs_nothing_and_a_hosted_one_what_is_said() -> None:
    assert EmbedderUse.read(LOCAL).terms.of(10**6, 0) == 0
    assert str(EmbedderUse.read(HOSTED).terms.of(10**6, 0)) == "0.02"


@pytest.mark.parametrize("missing", ["_URL", "_DIMENSIONS"])
def test_a_local_server_needs_an_address_and_dimensions(missing: str) -> None:
    with pytest.raises(Usage, match=missing):
        EmbedderUse.read({name: said for name, said in LOCAL.items() if not name.endswith(missing)})


@pytest.mark.parametrize("missing", ["_KEY", "_PRICE", "_DIMENSIONS"])
def test_a_hosted_one_needs_a_key_and_a_price(missing: str) -> None:
    with pytest.raises(Usage, match=missing):
        EmbedderUse.read({name: said for name, said in HOSTED.items() if not name.endswith(missing)})


def test_whoever_wants_no_limit_in_dollars_needs_no_price() -> None:
    said = {**HOSTED, "MUNIMENT_EMBEDDER_PRICE": "", "MUNIMENT_EMBEDDER_USD_PER_DAY": "none"}

    assert EmbedderUse.read(said).limits == SpendLimits(usd_a_day=None)


def test_the_one_before_is_said_in_the_same_way() -> None:
    said = {name.replace("EMBEDDER", "EMBEDDER_BEFORE"): value for name, value in LOCAL.items()}

    assert EmbedderUse.read(said, BEFORE) == EmbedderUse.read(LOCAL)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MUNIMENT_EMBEDDER", "gpt-5"),
        ("MUNIMENT_EMBEDDER", "openai-compatible:"),
        ("MUNIMENT_EMBEDDER", "anthropic:x"),
        ("MUNIMENT_EMBEDDER_URL", "ftp://x"),
        ("MUNIMENT_EMBEDDER_DIMENSIONS", "-1"),
        ("MUNIMENT_EMBEDDER_DIMENSIONS", "16001"),
        ("MUNIMENT_EMBEDDER_PRICE", "-1"),
        ("MUNIMENT_EMBEDDER_USD_PER_DAY", "five"),
        ("MUNIMENT_EMBEDDER_TOKENS_PER_DAY", "NaN"),
        ("MUNIMENT_EMBEDDER_SECONDS", "0"),
        ("MUNIMENT_EMBEDDER_QUESTION_SECONDS", "inf"),
        ("MUNIMENT_EMBEDDER_PER_MINUTE", "2.5"),
        ("MUNIMENT_EMBEDDER_PASSAGE_PREFIX", "x" * 201),
    ],
)
def test_what_cannot_be_read_is_refused_by_its_variable(name: str, value: str) -> None:
    with pytest.raises(Usage, match=name):
        EmbedderUse.read({**LOCAL, name: value})


def test_the_key_is_in_no_representation() -> None:
    settings = Settings.read(HOSTED)

    assert EmbedderUse.read(settings.embedders).key == "canary-key"
    assert "canary" not in repr(settings) + repr(EmbedderUse.read(settings.embedders))


def test_questions_passages_answers_and_the_rest_have_a_purse_each() -> None:
    purses = {purse_of(purpose) for purpose in ("answer", "query", "embed", "place", "distil", "again")}

    assert purses == {
        (("answer", "query", "task", "call"), True),
        (("embed",), True),
        (("place",), True),
        (("answer", "query", "task", "call", "embed", "place"), False),
    }
