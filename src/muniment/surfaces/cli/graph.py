"""Commands that walk the evidence graph: locate, expand."""

from __future__ import annotations

from typing import Annotated

import typer

from muniment.domain.graph import EDGES
from muniment.surfaces.cli import nodes
from muniment.surfaces.cli.everywhere import Call
from muniment.surfaces.cli.exits import Exit
from muniment.surfaces.cli.opening import reading
from muniment.surfaces.cli.out import give, say

__all__ = ["expand", "locate"]


def locate(
    call: Call,
    terms: Annotated[str, typer.Argument(metavar="TERMS", show_default=False)],
    *,
    within: Annotated[
        str | None,
        typer.Option(metavar="NODE", help="Bound it to this node, item or entity.", show_default=False),
    ] = None,
    limit: Annotated[int, typer.Option(metavar="N", help="At most so many.")] = 20,
) -> int:
    """List what words could mean: titles, headings, names and claims, to expand one of them.

    Exact titles come first, items before passages. An empty list is no error.
    """
    with reading(call) as view:
        found = view.locate(terms, within, limit=limit)
    give(found, nodes.located(found), as_json=call.json)
    if not found and not call.json:
        say("nothing that you may read is called so, or says so")
    return Exit.DONE


def expand(
    call: Call,
    node: Annotated[
        str,
        typer.Argument(
            metavar="NODE",
            help="A node's id, a citation's or claim's id, source:id of an item, or a name.",
            show_default=False,
        ),
    ],
    *,
    edge: Annotated[
        list[str] | None,
        typer.Option(metavar="E", help=f"Only these; say it again for more. {', '.join(EDGES)}."),
    ] = None,
    hops: Annotated[int, typer.Option(metavar="N", help="Steps from the node, 1 to 10.")] = 1,
    limit: Annotated[int, typer.Option(metavar="N", help="At most so many neighbours.")] = 50,
    budget: Annotated[int, typer.Option(metavar="TOKENS", help="Of all that is told.")] = 4000,
) -> int:
    """Show what a node leads to, by which edges, and the passages that prove it.

    A single way is followed to its end or to a fork. Exit 3 for a node that is not there or not for you;
    which of the two is never said.
    """
    with reading(call) as view:
        found = view.expand(node, edge, hops, limit=limit, budget=budget)
    if call.json:
        give(found, (), as_json=True)
    else:
        nodes.put_tree(found)
    return Exit.DONE
