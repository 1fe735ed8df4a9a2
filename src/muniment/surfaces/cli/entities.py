"""Commands for who and what is one: entities, aliases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from muniment.domain.entities import (
    EntityDecision,
    EntityEntry,
    EntityProposal,
    Parting,
    Terms,
    write_aliases,
)
from muniment.domain.errors import Usage
from muniment.surfaces.cli.everywhere import Call
from muniment.surfaces.cli.exits import Exit
from muniment.surfaces.cli.files import text_of
from muniment.surfaces.cli.opening import desk
from muniment.surfaces.cli.out import Line, Look, counted, give, one_line, put_each, say, show

if TYPE_CHECKING:
    from muniment.app import Steward

__all__ = ["aliases", "decisions", "entities"]

_ACTIONS = "list|show|proposals|merge|split|undo|history"


def entities(
    call: Call,
    action: Annotated[str, typer.Argument(metavar=_ACTIONS, show_default=False)] = "list",
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME", help="show A · merge A B · split A B · undo ID · history [A]", show_default=False
        ),
    ] = None,
    *,
    name: Annotated[
        list[str] | None,
        typer.Option("--name", metavar="NAME", help="Split: a name of A that means B.", show_default=False),
    ] = None,
    from_: Annotated[
        list[str] | None,
        typer.Option("--from", metavar="SOURCE", help="Split: where A means B.", show_default=False),
    ] = None,
    item: Annotated[
        list[str] | None,
        typer.Option(
            "--item", metavar="SOURCE:ID", help="Split: an item in which A means B.", show_default=False
        ),
    ] = None,
    reason: Annotated[
        str, typer.Option(metavar="WHY", help="Why, for the history.", show_default=False)
    ] = "",
    seen: Annotated[
        str | None,
        typer.Option(metavar="TOKEN", help="Only what --dry-run gave this token for.", show_default=False),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be settled.")] = False,
) -> int:
    """See what the record knows of, and settle what is one and what is not.

    A merge lets two entities be one, called as the first is. A split lets some names, sources or items of
    one mean another. Both are undone by their id. Who may not see what a decision rests on sees no decision.
    """
    terms = Terms(reason or None, seen, dry_run)
    parting = Parting(name or (), from_ or (), item or ())
    with desk(call) as steward:
        match action, names or []:
            case "list", []:
                return _list(call, steward)
            case "proposals", []:
                return _proposals(call, steward)
            case "show", [one]:
                return _show(call, steward.entity(one))
            case "merge", [one, other]:
                return _settled(call, [steward.merge(one, other, terms)])
            case "split", [one, other]:
                return _settled(call, [steward.split(one, other, parting, terms)])
            case "undo", [id_]:
                return _settled(call, [steward.undo_entities(id_)])
            case "history", [] | [_]:
                return _history(call, steward.entity_decisions(*(names or [])))
    raise Usage("entities: use list, proposals, show A, merge A B, split A B, undo ID or history [A]")


def aliases(
    call: Call,
    action: Annotated[str, typer.Argument(metavar="show|set", show_default=False)] = "show",
    file: Annotated[Path | None, typer.Argument(metavar="FILE", show_default=False)] = None,
) -> int:
    """Show the alias file, or put one in force: which names mean one thing in this organisation.

    What a question says in one wording is found in the others, in whatever language.
    """
    match action, file:
        case "show", None:
            with desk(call) as steward:
                found = steward.aliases()
        case "set", Path():
            content = text_of(file)
            with desk(call) as steward:
                found = steward.set_aliases(content)
        case _:
            raise Usage("aliases: use show, or set FILE")
    if call.json:
        put_each(found)
    elif action == "show":
        show([Line(write_aliases(found).rstrip("\n"))])
    else:
        show([Line(f"in force: {counted(len(found), 'entry', 'entries')}")])
    return Exit.DONE


def _list(call: Call, steward: Steward) -> int:
    found = steward.entities()
    give(
        found,
        (Line(f"{one_line(one.title)} · {one.kind} · {one_line(one.entity)}") for one in found),
        as_json=call.json,
    )
    if not found and not call.json:
        say("nothing that you may read names anything")
    return Exit.DONE


def _proposals(call: Call, steward: Steward) -> int:
    found = steward.entity_proposals()
    give(found, (Line(_proposed(one)) for one in found), as_json=call.json)
    if not found and not call.json:
        say("no two things that you may read look like one")
    return Exit.DONE


def _proposed(one: EntityProposal) -> str:
    return f"{one_line(one.entity)} · {one_line(one.other)} · {one.kind}, {one_line(one.why)}"


def _show(call: Call, found: EntityEntry) -> int:
    give(found, _shown(found), as_json=call.json)
    return Exit.DONE


def _shown(found: EntityEntry) -> Iterator[Line]:
    yield Line(f"{one_line(found.title)} · {found.kind}", Look.STRONG)
    yield from (Line(f"  {one_line(name)}") for name in found.names)
    yield from decisions(found.settled)


def _settled(call: Call, found: Sequence[EntityDecision]) -> int:
    (one,) = found
    give(one, decisions(found), as_json=call.json)
    return Exit.DONE


def _history(call: Call, found: Sequence[EntityDecision]) -> int:
    give(found, decisions(found), as_json=call.json)
    if not found and not call.json:
        say("nothing was settled")
    return Exit.DONE


def decisions(found: Sequence[EntityDecision]) -> Iterator[Line]:
    """What was settled, by whom and why, and whether it still counts."""
    for one in found:
        what = f"{one_line(one.other)} is {one_line(one.entity)}"
        if one.action == "split":
            parts = ", ".join(map(one_line, (*one.names, *one.sources, *one.items)))
            what = f"{parts} of {one_line(one.entity)} means {one_line(one.other)}"
        yield Line(f"{one.id or 'would settle'} · {one.action} · {what}")
        if one.at is not None:
            yield Line(
                f"  {one.by} · {one.at.date()}{f' · {one_line(one.reason)}' if one.reason else ''}",
                Look.FAINT,
            )
        if one.undone_at is not None:
            yield Line(f"  undone by {one.undone_by} · {one.undone_at.date()}", Look.FAINT)
        if one.seen is not None:
            yield Line(f"  to settle exactly this: --seen {one.seen}", Look.FAINT)
