"""Commands that look at what is known of something: pages, page, timeline, explain, history, conflicts."""

from __future__ import annotations

from typing import Annotated

import typer

from muniment.surfaces.cli import answers, records
from muniment.surfaces.cli.everywhere import Call
from muniment.surfaces.cli.exits import Exit
from muniment.surfaces.cli.opening import reading
from muniment.surfaces.cli.out import give, put, put_each, say, show
from muniment.surfaces.cli.tables import put_table

__all__ = ["conflicts", "explain", "history", "page", "pages", "timeline"]

Name = Annotated[str, typer.Argument(metavar="NAME", help="A name, an alias or an id.", show_default=False)]


def pages(call: Call) -> int:
    """List everything there is a page of."""
    with reading(call) as view:
        found = view.pages()
    if call.json:
        put_each(found)
    elif found:
        put_table(("entity", "kind", "title"), [(one.entity, one.kind, one.title) for one in found])
    else:
        say("no pages")
    return Exit.DONE


def page(
    call: Call,
    name: Name,
    *,
    since: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Instead, what changed since then: what came, went or reads otherwise.",
            show_default=False,
        ),
    ] = None,
) -> int:
    """Show everything known of an account, service, person, …

    Exit 3 for one that is not there or not for you; which of the two is never said.
    """
    with reading(call) as view:
        if since is not None:
            changes = view.changes(name, since)
            give(changes, records.changed(changes), as_json=call.json)
        else:
            found = view.page(name)
            give(found, records.page(found), as_json=call.json)
    return Exit.DONE


def timeline(call: Call, name: Name) -> int:
    """Show what happened to what is known of something, oldest first."""
    with reading(call) as view:
        found = view.timeline(name)
    give(found, records.timeline(found), as_json=call.json)
    return Exit.DONE


def explain(
    call: Call,
    citation: Annotated[
        str, typer.Argument(metavar="ID", help="A citation's id, as an answer gives it.", show_default=False)
    ],
) -> int:
    """Show the passage behind a citation, and why you may see it."""
    with reading(call) as view:
        found = view.explain(citation)
    give(found, records.explained(found), as_json=call.json)
    return Exit.DONE


def history(
    call: Call,
    claim: Annotated[
        str,
        typer.Argument(
            metavar="ID", help="A claim's id, as a citation or page gives it.", show_default=False
        ),
    ],
) -> int:
    """Show every version of a claim, and why it changed."""
    with reading(call) as view:
        found = view.history(claim)
    give(found, records.history(found), as_json=call.json)
    return Exit.DONE


def conflicts(call: Call) -> int:
    """List contradictions that nobody has settled, both sides of each."""
    with reading(call) as view:
        found = view.conflicts()
    if call.json:
        put_each({"citations": list(sides)} for sides in found)
        return Exit.DONE
    for number, sides in enumerate(found):
        if number:
            put("")
        show(answers.conflict(sides))
    if not found:
        say("no conflicts")
    return Exit.DONE
