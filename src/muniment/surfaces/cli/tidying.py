"""The command by which a steward looks after memories of incidents: upkeep."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from muniment.domain.errors import Usage
from muniment.domain.incidents import FINDINGS, Finding, Tidied
from muniment.domain.times import parse_duration
from muniment.surfaces.cli.everywhere import Call
from muniment.surfaces.cli.exits import Exit
from muniment.surfaces.cli.opening import desk
from muniment.surfaces.cli.out import Line, Look, give, one_line, say

if TYPE_CHECKING:
    from muniment.app import Steward

__all__ = ["upkeep"]

_ACTIONS: Final = "list|retire|merge|restore"


def upkeep(
    call: Call,
    action: Annotated[str, typer.Argument(metavar=_ACTIONS, show_default=False)] = "list",
    ids: Annotated[
        list[str] | None,
        typer.Argument(metavar="ID", help="Memories; of restore, a batch or a memory.", show_default=False),
    ] = None,
    *,
    finding: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KIND", help=f"Retire by what was found: {', '.join(FINDINGS)}.", show_default=False
        ),
    ] = None,
    older: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="And only what is older, such as 180d.", show_default=False),
    ] = None,
    policy: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Retire by a policy of forgetting.", show_default=False),
    ] = None,
    seen: Annotated[
        str | None, typer.Option(metavar="TOKEN", help="Do exactly what was shown.", show_default=False)
    ] = None,
    reason: Annotated[str, typer.Option(metavar="WHY", help="Why.", show_default=False)] = "",
) -> int:
    """Look after memories of incidents: stale, twice, doubted, never of use, at odds; retire and merge them.

    Without --seen it shows what would be done, and the token that does exactly that. What is retired is
    withheld and what is merged is told as the first that is named; both are undone by the name of the batch.
    """
    named, rules = ids or [], _rules(finding or [], older)
    with desk(call) as steward:
        match action:
            case "list":
                return _list(call, steward)
            case "retire":
                done = _retire(steward, named, rules, policy, seen, reason)
            case "merge":
                done = steward.upkeep.merge(named, seen=seen, reason=reason)
            case "restore" if len(named) == 1:
                done = steward.upkeep.restore(named[0])
            case _:
                raise Usage(f"use: muniment upkeep {_ACTIONS}; restore takes one batch or memory")
    give(done, _told(done), as_json=call.json)
    return Exit.DONE


def _rules(kinds: Sequence[str], older: str | None) -> dict[str, timedelta]:
    try:
        span = timedelta() if older is None else parse_duration(older)
    except ValueError as error:
        raise Usage(f"--older: {error}") from None
    return dict.fromkeys(kinds, span)


def _retire(
    steward: Steward,
    ids: Sequence[str],
    rules: Mapping[str, timedelta],
    policy: Path | None,
    seen: str | None,
    reason: str,
) -> Tidied:
    if sum(map(bool, (ids, rules, policy))) != 1:
        raise Usage("say what to retire: memories by ID, --finding KIND, or --policy FILE")
    if policy is None:
        return steward.upkeep.retire(ids, rules, seen=seen, reason=reason)
    if not policy.is_file():
        raise Usage(f"no file {str(policy)!r}")
    return steward.upkeep.forget(policy.read_text("utf-8", "replace"), seen=seen)


def _list(call: Call, steward: Steward) -> int:
    found = steward.upkeep.findings()
    give(found, (line for one in found for line in _finding(one)), as_json=call.json)
    if not (found or call.json):
        say("nothing that you may read needs looking after")
    return Exit.DONE


def _finding(one: Finding) -> Iterator[Line]:
    yield Line(f"{one.id} {one_line(one.statement)}")
    yield Line(
        f"  {one.kind}: {one_line(one.why)}; {one.age_days} days old; {one_line(one.source)}", Look.FAINT
    )


def _told(done: Tidied) -> Iterator[Line]:
    for one in done.memories:
        yield from _finding(one)
    many = f"{len(done.memories)} memories"
    if done.act == "restore":
        yield Line(f"restored {many}", Look.STRONG)
    elif done.batch is not None:
        yield Line(f"{done.act}: {many}; to undo it: muniment upkeep restore {done.batch}", Look.STRONG)
    elif done.memories:
        yield Line(f"to {done.act} exactly these {many}: --seen {done.seen}", Look.STRONG)
    else:
        yield Line("nothing is like that")
