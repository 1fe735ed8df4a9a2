"""Commands by which whoever reads hands something in: remember, report."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from muniment.domain.values import Remembered, Reported
from muniment.surfaces.cli.everywhere import Call
from muniment.surfaces.cli.exits import Exit
from muniment.surfaces.cli.opening import reading
from muniment.surfaces.cli.out import Line, Look, give, one_line

__all__ = ["remember", "report"]


def remember(
    call: Call,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What to keep.", show_default=False)],
    *,
    evidence: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ID", help="A citation it was made from; may be given again.", show_default=False
        ),
    ] = None,
) -> int:
    """Keep a note for yourself alone, searchable at once.

    It counts no more than what it was made from, and is gone when you may no longer read that.
    """
    with reading(call) as view:
        kept = view.remember(text.encode("utf-8", "replace").decode(), evidence or ())
    give(kept, _remembered(kept), as_json=call.json)
    return Exit.DONE


def _remembered(kept: Remembered) -> Iterator[Line]:
    yield Line(f"{'known already' if kept.state == 'duplicate' else 'remembered'} as {kept.id}")
    yield Line(f"  for {kept.audience}; trusted as {kept.trust}", Look.FAINT)


def report(
    call: Call,
    citation: Annotated[
        str, typer.Argument(metavar="CITATION", help="Its id, as an answer gives it.", show_default=False)
    ],
    problem: Annotated[
        str, typer.Argument(metavar="PROBLEM", help="What is wrong with it.", show_default=False)
    ] = "wrong",
) -> int:
    """Tell the stewards that a citation is wrong, outdated or should not be seen.

    They find it under muniment review; by itself it changes nothing.
    """
    with reading(call) as view:
        told = view.report(citation, problem)
    give(told, _reported(told), as_json=call.json)
    return Exit.DONE


def _reported(told: Reported) -> Iterator[Line]:
    yield Line(f"reported {told.citation.id}: {one_line(told.problem)}")
