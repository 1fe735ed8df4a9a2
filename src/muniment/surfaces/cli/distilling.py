"""The command by which a language model reads what rules have read already: distil."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation
from typing import Annotated

import typer

from muniment.domain.distilled import Distilled, PageCost, Planned
from muniment.domain.errors import Usage
from muniment.surfaces.cli.everywhere import Call
from muniment.surfaces.cli.exits import Exit
from muniment.surfaces.cli.opening import opened
from muniment.surfaces.cli.out import Line, Look, put_each, put_json, say, show
from muniment.surfaces.cli.tables import put_table

__all__ = ["distil"]

_ENDED = {
    "done": "nothing more is due",
    "limit": "the calls of this run are made",
    "spend": "one more call would likely pass what this run may spend",
    "down": "the model fails whatever it is asked; what rules read is served meanwhile",
    "resting": "the model is not to be asked now: a limit is reached (muniment models), or it has been down",
    "busy": "another worker is at it",
}


def distil(
    call: Call,
    *,
    limit: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Stop after N calls.", show_default=False)
    ] = None,
    spend: Annotated[
        str | None, typer.Option(metavar="USD", help="Stop before passing so much.", show_default=False)
    ] = None,
    plan: Annotated[bool, typer.Option("--plan", help="Say what would be read next; ask nothing.")] = False,
    costs: Annotated[bool, typer.Option("--costs", help="Say what each page has cost; ask nothing.")] = False,
    retry: Annotated[bool, typer.Option("--retry", help="Try again what was given up.")] = False,
) -> int:
    """Have the language model read what it has not read, and examine what went stale. For stewards.

    What agents ask for is read first. Each passage is asked about once, whatever else changes around it.
    """
    dollars = _dollars(spend)
    with opened(call) as org:
        if retry:
            org.steward(call.asker or org.login).distil_again()
        if costs:
            return _give_costs(call, org.steward(call.asker or org.login).distil_costs())
        if plan:
            return _give_plan(call, org.distil_plan(limit=limit or 20, by=call.asker))
        done = org.distil(limit=limit, spend=dollars, by=call.asker)
    if call.json:
        put_json(done)
    else:
        show(_told(done))
    return Exit.FAILED if done.stopped == "down" else Exit.DONE


def _dollars(said: str | None) -> Decimal | None:
    try:
        dollars = None if said is None else Decimal(said.removeprefix("$"))
    except InvalidOperation:
        raise Usage(f"spend {said!r} is no number of dollars, such as 0.50") from None
    if dollars is not None and not (dollars.is_finite() and dollars >= 0):
        raise Usage(f"spend {said!r} is no number of dollars, such as 0.50")
    return dollars


def _told(done: Distilled) -> Iterator[Line]:
    yield Line(
        f"{done.calls:,} calls about {done.items:,} items: {done.statements:,} statements, "
        f"{done.refused:,} refused"
    )
    yield Line(f"{done.tokens_in:,} tokens in, {done.tokens_out:,} out, {done.cost} US dollars")
    if done.lost:
        yield Line(f"{done.lost:,} replies came to a text that had changed meanwhile")
    if done.failed:
        yield Line(f"{done.failed:,} calls failed and are tried again later", Look.ALERT)
    yield Line(f"{_ENDED[done.stopped]}; {done.waiting:,} items wait", Look.FAINT)


def _give_costs(call: Call, found: Sequence[PageCost]) -> int:
    if call.json:
        put_each(found)
        return Exit.DONE
    put_table(("page", "calls", "USD"), [(one.page, f"{one.calls:,}", one.cost) for one in found])
    if not found:
        say("no model was asked about a page that you may read")
    return Exit.DONE


_HEADS = ("item", "asked for", "passages", "stale", "about tokens", "about USD")


def _give_plan(call: Call, planned: Sequence[Planned]) -> int:
    if call.json:
        put_each(planned)
        return Exit.DONE
    put_table(
        _HEADS,
        [
            (
                f"{one.source}:{one.item}",
                f"{one.asked:,}",
                f"{one.passages:,}",
                f"{one.stale:,}",
                f"{one.tokens:,}",
                one.cost or "",
            )
            for one in planned
        ],
    )
    if not planned:
        say("nothing is due")
    return Exit.DONE
