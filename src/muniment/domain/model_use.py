"""How a language model may be used: which one, how long it is waited for, and what it may spend. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Final

from muniment.domain.errors import Usage
from muniment.domain.said import read_address, read_amount, read_count, read_limit, read_number, read_switch
from muniment.domain.values import Value

__all__ = [
    "ANSWERING",
    "EMBEDDING",
    "PLACING",
    "USD_A_DAY",
    "ModelCost",
    "ModelUse",
    "Price",
    "SpendLimits",
    "Spent",
    "over_limit",
    "purse_of",
]

# What is asked of a model while somebody waits. It has limits of its own: what is distilled from things a
# reader may not see must not decide how an answer to them is worded. So it is with embedding: what passages
# took must not decide whether a question is placed.
ANSWERING: Final = ("answer", "query", "task", "call")
EMBEDDING: Final = "embed"
PLACING: Final = "place"
_PURSES: Final = (ANSWERING, (EMBEDDING,), (PLACING,))

_MILLION: Final = Decimal(1_000_000)
USD_A_DAY: Final = Decimal(5)
_PROVIDERS: Final = ("openai", "anthropic", "openai-compatible")


@dataclass(frozen=True, slots=True)
class Spent:
    """What was used, or may be: US dollars, and tokens in and out together."""

    usd: Decimal = Decimal(0)
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class SpendLimits:
    """What may be used in a run and in a day (UTC); None is no limit."""

    usd_a_day: Decimal | None = USD_A_DAY
    usd_a_run: Decimal | None = None
    tokens_a_day: int | None = None
    tokens_a_run: int | None = None


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens in, and for a million out."""

    tokens_in: Decimal = Decimal(0)
    tokens_out: Decimal = Decimal(0)

    def of(self, tokens_in: int, tokens_out: int) -> Decimal:
        """What so many cost."""
        return (self.tokens_in * tokens_in + self.tokens_out * tokens_out) / _MILLION


@dataclass(frozen=True, slots=True)
class ModelUse:
    """One model and its terms. `seconds` is for one request, `answer_seconds` for all an answer waits.

    `tries` are requests for one completion, `a_minute` requests of one process. `words_answers`: whether
    answers may be worded by it. The key is in no representation, error or status.
    """

    provider: str | None = None
    name: str = ""
    url: str | None = None
    key: str | None = field(default=None, repr=False)
    price: Price | None = None
    limits: SpendLimits = SpendLimits()
    seconds: float = 60.0
    tries: int = 3
    a_minute: int = 60
    words_answers: bool = False
    answer_seconds: float = 20.0

    @classmethod
    def read(cls, said: Mapping[str, str]) -> ModelUse:
        """What the variables say; Usage names the variable that cannot be read."""
        provider, name = _model(said.get("MUNIMENT_MODEL", "off"))
        use = cls(
            provider=provider,
            name=name,
            url=read_address(said, "MUNIMENT_MODEL_URL"),
            key=said.get("MUNIMENT_MODEL_KEY") or None,
            price=_price(said),
            limits=_limits(said),
            seconds=read_number(said, "MUNIMENT_MODEL_SECONDS", 60.0),
            tries=read_count(said, "MUNIMENT_MODEL_TRIES", 3),
            a_minute=read_count(said, "MUNIMENT_MODEL_PER_MINUTE", 60),
            words_answers=read_switch(said, "MUNIMENT_MODEL_ANSWERS"),
            answer_seconds=read_number(said, "MUNIMENT_MODEL_ANSWER_SECONDS", 20.0),
        )
        _usable(use)
        return use

    @property
    def terms(self) -> Price:
        """What tokens cost; a local model's cost nothing unless it is said."""
        return self.price or Price()


@dataclass(frozen=True, slots=True)
class ModelCost(Value):
    """What one purpose used, in one run where runs are told apart. Counts only, nothing of what was asked.

    `failed` were asked in vain, `refused` answered what the gates let not pass, `why` says by which.
    """

    purpose: str
    model: str
    run: str | None
    since: datetime
    through: datetime
    calls: int
    failed: int
    refused: int
    why: Mapping[str, int]
    tokens_in: int
    tokens_out: int
    usd: float


def over_limit(limits: SpendLimits, run: Spent, day: Spent, next_: Spent) -> str | None:
    """Which limit the next request could pass, in words; what it needs at most is counted in full."""
    checks = (
        (limits.usd_a_run, run.usd + next_.usd, "US dollars a run"),
        (limits.usd_a_day, day.usd + next_.usd, "US dollars a day"),
        (limits.tokens_a_run, run.tokens + next_.tokens, "tokens a run"),
        (limits.tokens_a_day, day.tokens + next_.tokens, "tokens a day"),
    )
    for limit, would, what in checks:
        if limit is not None and would > limit:
            return f"the limit of {limit:,} {what}"
    return None


def purse_of(purpose: str) -> tuple[tuple[str, ...], bool]:
    """Purposes that have a limit with this one, or, where it is False, all that have none with it."""
    for purse in _PURSES:
        if purpose in purse:
            return purse, True
    return tuple(one for purse in _PURSES for one in purse), False


def _model(said: str) -> tuple[str | None, str]:
    if said == "off":
        return None, ""
    provider, _, name = said.partition(":")
    if provider not in _PROVIDERS or not name:
        raise Usage(
            f"MUNIMENT_MODEL {said!r} is not known: "
            "off, openai:NAME, anthropic:NAME or openai-compatible:NAME"
        )
    return provider, name


def _usable(use: ModelUse) -> None:
    """Whether all is said that this provider needs."""
    named = f"MUNIMENT_MODEL '{use.provider}:{use.name}'"
    if use.provider == "openai-compatible":
        if use.url is None:
            raise Usage(f"{named} needs MUNIMENT_MODEL_URL, such as http://127.0.0.1:8080/v1")
    elif use.provider is not None and use.key is None:
        raise Usage(f"{named} needs MUNIMENT_MODEL_KEY")
    elif use.provider is not None and use.price is None and _has_usd(use.limits):
        raise Usage(
            f"{named} needs MUNIMENT_MODEL_PRICE, US dollars a million tokens in and out such as 1.25,10, "
            "or its spending could not be limited"
        )


def _has_usd(limits: SpendLimits) -> bool:
    return limits.usd_a_day is not None or limits.usd_a_run is not None


def _price(said: Mapping[str, str]) -> Price | None:
    text = said.get("MUNIMENT_MODEL_PRICE")
    if not text:
        return None
    parts = text.split(",")
    try:
        tokens_in, tokens_out = (read_amount(part) for part in parts)
    except (ValueError, InvalidOperation):
        raise Usage(
            f"MUNIMENT_MODEL_PRICE {text!r} is not two amounts of US dollars a million tokens, as 1.25,10"
        ) from None
    return Price(tokens_in, tokens_out)


def _limits(said: Mapping[str, str]) -> SpendLimits:
    return SpendLimits(
        read_limit(said, "MUNIMENT_MODEL_USD_PER_DAY", USD_A_DAY),
        read_limit(said, "MUNIMENT_MODEL_USD_PER_RUN", None),
        _whole(read_limit(said, "MUNIMENT_MODEL_TOKENS_PER_DAY", None)),
        _whole(read_limit(said, "MUNIMENT_MODEL_TOKENS_PER_RUN", None)),
    )


def _whole(limit: Decimal | None) -> int | None:
    return None if limit is None else int(limit)
