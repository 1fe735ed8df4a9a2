"""Which language model helps and what it took, on the command line."""

from __future__ import annotations

from decimal import Decimal

import pytest

from muniment.domain.model_use import SpendLimits, Spent
from muniment.jobs.calls import Calls
from muniment.models.language import Prompt
from tests.doors.said import Cli
from tests.worlds import KEY, open_org

ASKED = Prompt("answer", "1", "", "", {}, 100)


@pytest.fixture
def there(monkeypatch: pytest.MonkeyPatch, url: str, tenant: str) -> tuple[str, ...]:
    """An organisation in which a model was asked twice and refused once."""
    monkeypatch.setenv("MUNIMENT_KEY", KEY.decode())
    with open_org(url, tenant) as org:
        org.welcome("user:root")
        org.steward("user:owner").grant_role("user:root", "steward")
        calls = Calls(org._work, SpendLimits())
        for usd in ("0.25", "0.5"):
            call = calls.reserve(ASKED, "openai:m", Spent(Decimal(1), 200))
            calls.settle(call, "answered", (1_000, 50, Decimal(usd)))
        calls.refuse("answer", "openai:m", "number")
    return ("--org", url, "--tenant", tenant)


def test_costs_are_shown_by_purpose(muniment_: Cli, there: tuple[str, ...]) -> None:
    done = muniment_(*there, "models")

    assert done.code == 0
    assert "openai:m" in done.out
    assert "1 (number 1)" in done.out
    assert "in all: 2 calls, 2,100 tokens, 0.7500 USD" in done.err


def test_costs_are_one_object_a_line_for_programs(muniment_: Cli, there: tuple[str, ...]) -> None:
    (one,) = muniment_(*there, "models", "cost", "--by-run", "--json").lines

    assert (one["purpose"], one["calls"], one["failed"], one["refused"]) == ("answer", 2, 0, 1)
    assert (one["why"], one["usd"]) == ({"number": 1}, 0.75)
    assert len(one["run"]) == 32


def test_a_record_that_asked_no_model_says_so(cli: Cli) -> None:
    done = cli("models")

    assert (done.code, done.out) == (0, "")
    assert "no language model was asked" in done.err


@pytest.mark.parametrize("arguments", [("switch",), ("cost", "--since", "yesterday")])
def test_what_is_put_wrongly_is_named(cli: Cli, arguments: tuple[str, ...]) -> None:
    done = cli("models", *arguments)

    assert done.code == 2
    assert arguments[-1] in done.err


def test_a_model_that_cannot_be_used_is_said_before_anything_is_asked(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUNIMENT_MODEL", "openai:m")
    monkeypatch.setenv("MUNIMENT_MODEL_KEY", "canary")
    done = cli("doctor")

    assert done.code == 2
    assert "MUNIMENT_MODEL_PRICE" in done.err
    assert "canary" not in done.err


def test_status_and_doctor_say_which_model_is_on(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "off" in str(next(one for one in cli("doctor", "--json").json["checks"] if one["name"] == "model"))
    monkeypatch.setenv("MUNIMENT_MODEL", "openai-compatible:m")
    monkeypatch.setenv("MUNIMENT_MODEL_URL", "http://127.0.0.1:9/v1")
    pytest.importorskip("pydantic_ai", reason="pip install 'muniment[models]'")

    assert cli("status", "--json").json["model"] == "openai-compatible:m, does not help with answers"
    assert "openai-compatible:m" in cli("doctor").out
    assert "openai-compatible:m" in cli("status").out
