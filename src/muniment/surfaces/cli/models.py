"""The command that shows which language model helps, and what it took."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated

import typer

from muniment.domain.errors import Usage
from muniment.domain.model_use import ModelCost
from muniment.domain.times import parse_day_or_instant
from muniment.surfaces.cli.answers import moment
from muniment.surfaces.cli.everywhere import Call
from muniment.surfaces.cli.exits import Exit
from muniment.surfaces.cli.opening import desk
from muniment.surfaces.cli.out import counted, put_each, say
from muniment.surfaces.cli.tables import put_table

__all__ = ["models"]

_HEADS = (
    "purpose",
    "model",
    "run",
    "from",
    "through",
    "calls",
    "failed",
    "refused",
    "tokens in",
    "out",
    "usd",
)


def models(
    call: Call,
    action: Annotated[str, typer.Argument(metavar="cost", show_default=False)] = "cost",
    *,
    since: Annotated[str | None, typer.Option(metavar="TIME", help="Not before.", show_default=False)] = None,
    by_run: Annotated[bool, typer.Option("--by-run", help="Each run by itself.")] = False,
) -> int:
    """Show what language models were asked, for what purpose, and what it took. For stewards.

    Counts, tokens and money, and by which gate replies were refused; never what was asked or said.
    """
    if action != "cost":
        raise Usage(f"models {action!r} is unknown: use cost")
    with desk(call) as steward:
        found = steward.model_costs(_instant(since), by_run=by_run)
    if call.json:
        put_each(found)
    elif found:
        put_table(_HEADS, [tuple(_row(one)) for one in found])
        say(_sum(found))
    else:
        say("no language model was asked")
    return Exit.DONE


def _row(one: ModelCost) -> Iterator[str]:
    yield from (one.purpose, one.model, "" if one.run is None else one.run[:12])
    yield from (moment(one.since), moment(one.through))
    yield from (f"{one.calls:,}", f"{one.failed:,}", _refused(one))
    yield from (f"{one.tokens_in:,}", f"{one.tokens_out:,}", f"{one.usd:.4f}")


def _refused(one: ModelCost) -> str:
    why = ", ".join(f"{name} {count:,}" for name, count in one.why.items())
    return f"{one.refused:,} ({why})" if one.refused else "0"


def _sum(found: list[ModelCost]) -> str:
    tokens = sum(one.tokens_in + one.tokens_out for one in found)
    calls, usd = sum(one.calls for one in found), sum(one.usd for one in found)
    return f"in all: {counted(calls, 'call')}, {counted(tokens, 'token')}, {usd:.4f} USD"


def _instant(said: str | None) -> datetime | None:
    if said is None:
        return None
    try:
        return parse_day_or_instant(said)
    except ValueError as error:
        raise Usage(f"--since: {error}") from None
