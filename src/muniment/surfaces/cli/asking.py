"""Commands that ask: ask, context, search."""

from __future__ import annotations

from typing import Annotated

import typer

from muniment.surfaces.cli import answers
from muniment.surfaces.cli.everywhere import Call
from muniment.surfaces.cli.exits import Exit, of_state
from muniment.surfaces.cli.opening import reading
from muniment.surfaces.cli.out import give, put, put_each, say, show

__all__ = ["ask", "context", "search"]

Entity = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="Bound it to what is about this account, service, …", show_default=False
    ),
]


def ask(
    call: Call,
    question: Annotated[str, typer.Argument(metavar="QUESTION", show_default=False)],
    *,
    entity: Entity = None,
) -> int:
    """Answer a question, every sentence cited.

    Exit 0 answered, 3 not found, 4 out of scope.
    """
    with reading(call) as view:
        found = view.ask(_text(question), entity=entity)
    give(found, answers.answer(found), as_json=call.json)
    return of_state(found.state)


def context(
    call: Call,
    task: Annotated[str, typer.Argument(metavar="TASK", show_default=False)],
    *,
    budget: Annotated[
        int, typer.Option(metavar="TOKENS", help="Never exceeded, counted on the text.")
    ] = 3000,
    entity: Entity = None,
    cursor: Annotated[
        str | None,
        typer.Option(metavar="CURSOR", help="Go on where an earlier pack ended.", show_default=False),
    ] = None,
) -> int:
    """Pack what a task needs into a budget of tokens, as Markdown for a prompt.

    Exit 0 something was packed, 3 not found, 4 out of scope.
    """
    with reading(call) as view:
        found = view.context(_text(task), budget=budget, entity=entity, cursor=cursor)
    give(found, answers.pack(found), as_json=call.json)
    return of_state(found.state)


def search(
    call: Call,
    query: Annotated[str, typer.Argument(metavar="QUERY", show_default=False)],
    *,
    limit: Annotated[int, typer.Option(metavar="N", help="At most this many.")] = 10,
    unit: Annotated[
        str, typer.Option(metavar="UNIT", help="What a result is: item, passage, claim or page.")
    ] = "item",
    kind: Annotated[
        str | None,
        typer.Option(metavar="KIND", help="Only this kind: message, email, document, …", show_default=False),
    ] = None,
    entity: Entity = None,
    after: Annotated[
        str | None, typer.Option(metavar="TIME", help="Only what was said from then on.", show_default=False)
    ] = None,
    before: Annotated[
        str | None, typer.Option(metavar="TIME", help="Only what was said before then.", show_default=False)
    ] = None,
) -> int:
    """Find the best matches by words and, with the embedder, by meaning."""
    with reading(call) as view:
        found = view.search(
            _text(query), limit=limit, unit=unit, kind=kind, entity=entity, after=after, before=before
        )
    if call.json:
        put_each(found)
    elif found:
        for number, one in enumerate(found):
            if number:
                put("")
            show(answers.hit(one))
    else:
        say("no matches")
    return Exit.DONE


def _text(said: str) -> str:
    """Bytes of the command line that are no UTF-8 reach us as lone surrogates, which no text can hold."""
    return said.encode("utf-8", "replace").decode()
