"""The command that measures: eval."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from muniment.domain.errors import Usage
from muniment.domain.evaluation import (
    Evaluation,
    Figure,
    Packed,
    Sought,
    Wanted,
    evaluate,
    read_wanted,
)
from muniment.surfaces.cli.everywhere import Call
from muniment.surfaces.cli.exits import Exit
from muniment.surfaces.cli.files import text_of
from muniment.surfaces.cli.opening import reading
from muniment.surfaces.cli.out import Line, Look, counted, give, one_line, say
from muniment.surfaces.cli.progress import progress

if TYPE_CHECKING:
    from muniment.app import View
    from muniment.domain.values import Citation, Hit

__all__ = ["eval_"]

Progress = Callable[[int], None]
_TOLD_EVERY = 50


def eval_(
    call: Call,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help='JSONL: {"question": "…", "gold": ["source:item", …], "kind": "…"}; kind is optional.',
            show_default=False,
        ),
    ],
    *,
    limit: Annotated[int, typer.Option(metavar="N", help="How many matches of a search count.")] = 10,
    budget: Annotated[
        int | None,
        typer.Option(
            metavar="TOKENS", help="Pack each question too, and count what packs cite.", show_default=False
        ),
    ] = None,
    at_least: Annotated[
        float | None,
        typer.Option(metavar="SHARE", help="Fail where recall is below this.", show_default=False),
    ] = None,
) -> int:
    """Measure how much of the evidence your questions find, as you see the record.

    Evidence that you may not read counts as not found. Exit 1 where recall is below --at-least.
    """
    wanted = _read(file)
    with reading(call) as view, progress("questions", quiet=call.json) as seen:
        sought = [_seek(view, one, limit, budget) for one in _counted(wanted, seen)]
    found = evaluate(sought, limit)
    give(found, _lines(found), as_json=call.json)
    if at_least is not None and found.recall < at_least:
        say(f"recall@{limit} {found.recall:.3f} is below {at_least:.3f}", Look.ALERT)
        return Exit.FAILED
    return Exit.DONE


def _read(file: Path) -> list[Wanted]:
    text = text_of(file)
    try:
        return read_wanted(text.split("\n"))
    except Usage as error:
        raise Usage(f"file {str(file)!r}: {error}") from None


def _counted(wanted: Sequence[Wanted], seen: Progress) -> Iterator[Wanted]:
    for number, one in enumerate(wanted):
        yield one
        if (number + 1) % _TOLD_EVERY == 0:
            seen(number + 1)


def _seek(view: View, wanted: Wanted, limit: int, budget: int | None) -> Sought:
    began = perf_counter()
    hits = view.search(wanted.question, limit=limit)
    took = 1_000 * (perf_counter() - began)
    packed = None if budget is None else _pack(view, wanted, budget)
    return Sought(wanted, _named(hits), packed, took)


def _pack(view: View, wanted: Wanted, budget: int) -> Packed:
    pack = view.context(wanted.question, budget=budget)
    return Packed(_named(one for part in pack.parts for one in part.citations), pack.budget.used)


def _named(places: Iterable[Hit | Citation]) -> tuple[str, ...]:
    """Items as a file names them, each once; what is shown only coarsely is no item."""
    return tuple(dict.fromkeys(f"{one.source}:{one.item}" for one in places if one.item is not None))


def _lines(found: Evaluation) -> Iterator[Line]:
    without = found.questions - found.with_evidence
    note = f", {without:,} without evidence" if without else ""
    yield Line(f"{counted(found.questions, 'question')}{note}, {found.ms:.1f} ms each", Look.STRONG)
    yield from _figures(found.figures)
    if found.tokens is not None:
        yield Line(f"  {found.tokens:,.0f} tokens a pack")
    for kind, figures in found.kinds.items():
        yield from (Line(), Line(f"{one_line(kind)}:"), *_figures(figures))
    if found.missed:
        yield from (Line(), Line("missed:"))
    for miss in found.missed:
        yield Line(f"  line {miss.line}: {one_line(miss.question)}")
        yield Line(f"    not found: {', '.join(map(one_line, miss.missing))}")
        yield Line(f"    first: {', '.join(map(one_line, miss.found)) or 'nothing'}", Look.FAINT)


def _figures(figures: Sequence[Figure]) -> Iterator[Line]:
    for one in figures:
        if one.n:
            yield Line(f"  {one.measure:<14} {one.value:.3f}  {one.low:.3f}–{one.high:.3f}  n {one.n:,}")
