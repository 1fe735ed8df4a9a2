"""Commands that take something out of the record, or keep it there: erase, hold, revert. For stewards."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from muniment.domain.errors import Malformed, Usage
from muniment.domain.times import parse_day_or_instant
from muniment.surfaces.cli.everywhere import Call
from muniment.surfaces.cli.exits import Exit
from muniment.surfaces.cli.opening import desk
from muniment.surfaces.cli.out import Line, Look, counted, give, one_line, put, put_each, put_json, say
from muniment.surfaces.cli.tables import put_table

if TYPE_CHECKING:
    from muniment.app import Erased, Reverted, Steward

__all__ = ["erase", "hold", "revert"]

_SHOWN = 20


def _option(text: str, metavar: str) -> Any:
    return typer.Option(metavar=metavar, help=text, show_default=False)


Yes = Annotated[bool, typer.Option("--yes", help="Do not ask, on a terminal.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only say what it would do.")]


def erase(
    call: Call,
    target: Annotated[
        str | None,
        typer.Argument(metavar="TARGET", help="An item, SOURCE:ID, or a principal.", show_default=False),
    ] = None,
    *,
    subject: Annotated[str | None, _option("Blank these words wherever a text has them.", "TEXT")] = None,
    listed: Annotated[bool, typer.Option("--list", help="List what was erased, by digest.")] = False,
    again: Annotated[
        Path | None,
        typer.Option("--replay", metavar="FILE", help="Erase again what a list says.", show_default=False),
    ] = None,
    scrub: Annotated[
        bool, typer.Option("--scrub", help="Write every table anew afterwards, however large.")
    ] = False,
    dry_run: DryRun = False,
    yes: Yes = False,
) -> int:
    """Erase an item, a person and all they wrote, or some words, for good. For stewards.

    It is not taken in again. Ids and times stay. --list and --replay are for a record restored from
    an older backup.
    """
    asked = [one for one in (target, subject, again) if one is not None]
    if len(asked) + listed > 1 or not (asked or listed or scrub):
        raise Usage("erase takes one of TARGET, --subject, --list and --replay")
    with desk(call) as steward:
        if listed:
            put_each(steward.erasures())
        elif not asked:
            _tell_files(call, steward.scrub(all_tables=True))
        elif dry_run:
            found = _erase(steward, target, subject, again, dry_run=True)
            give(found, _erased(found), as_json=call.json)
        else:
            if not yes:
                _confirm(_erased(_erase(steward, target, subject, again, dry_run=True)))
            done = _erase(steward, target, subject, again, dry_run=False)
            done = replace(done, files=steward.scrub(all_tables=scrub))
            give(done, _erased(done), as_json=call.json)
    return Exit.DONE


def _erase(
    steward: Steward, target: str | None, subject: str | None, again: Path | None, *, dry_run: bool
) -> Erased:
    if target is not None:
        return steward.erase(target, dry_run=dry_run)
    if subject is not None:
        return steward.erase_subject(subject, dry_run=dry_run)
    return steward.replay_erasures(objects(again or Path()), dry_run=dry_run)


def objects(file: Path) -> list[Mapping[str, object]]:
    """What a file lists, as `erase --list` writes it."""
    if not file.is_file():
        raise Usage(f"path {str(file)!r} does not exist; nothing was erased")
    found: list[Mapping[str, object]] = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        try:
            value = json.loads(line)
        except ValueError:
            value = None
        if not isinstance(value, dict):
            raise Malformed(
                f"{str(file)!r}, line {number}, is no line of a list of erasures; nothing was erased"
            )
        found.append(value)
    return found


def _confirm(lines: Iterator[Line]) -> None:
    """Ask on a terminal. A script has nobody to ask: what it says is what it means."""
    if not sys.stdin.isatty():
        return
    for line in lines:
        say(line.text, line.look)
    if not typer.confirm("Go on?", err=True):
        raise typer.Abort


def _erased(found: Erased) -> Iterator[Line]:
    yield Line(f"{'would erase' if found.dry_run else 'erased'} {one_line(found.target)}")
    counts = {
        "item": found.items,
        "event": found.events,
        "passage": found.passages,
        "statement": found.statements,
        "refused line": found.refused,
        "question": found.questions,
        "audited act": found.acts,
    }
    parts = [counted(count, what) for what, count in counts.items() if count or what == "item"]
    yield Line(f"  {', '.join(parts)}")
    yield from (Line(f"  {one_line(name)}") for name in found.named[:_SHOWN])
    if found.mentions or found.more_mentions:
        yield Line("mentions left, to be looked at by hand:", Look.ALERT)
        yield from (Line(f"  {one_line(name)}") for name in found.mentions[:_SHOWN])
        more = found.more_mentions + max(0, len(found.mentions) - _SHOWN)
        if more:
            yield Line(f"  and {more:,} more")
    if not found.dry_run:
        yield Line(f"files: {found.files}", Look.FAINT)


def _tell_files(call: Call, files: str) -> None:
    if call.json:
        put_json({"files": files})
    else:
        put(files)


def hold(
    call: Call,
    action: Annotated[str, typer.Argument(metavar="list|add|remove", show_default=False)] = "list",
    target: Annotated[
        str | None,
        typer.Argument(
            metavar="TARGET",
            help="An item or container, SOURCE:ID; source:NAME; a principal.",
            show_default=False,
        ),
    ] = None,
    *,
    reason: Annotated[str | None, _option("Why; add needs it.", "TEXT")] = None,
) -> int:
    """Keep something from being erased or reverted while a legal hold is on it. For stewards."""
    match action, target:
        case "list", None:
            return _list_holds(call)
        case "add" | "remove", None:
            raise Usage(f"hold {action} needs a TARGET, such as slack:C042 or user:ann")
        case "add", str(named) if reason is not None:
            with desk(call) as steward:
                changed = steward.add_hold(named, reason)
            _tell_hold(call, named, "held" if changed else "held already", held=True)
        case "add", _:
            raise Usage("hold add needs a --reason")
        case "remove", str(named):
            with desk(call) as steward:
                changed = steward.remove_hold(named, reason or "")
            _tell_hold(call, named, "no longer held" if changed else "not held", held=False)
        case _:
            raise Usage(f"hold {action!r} is unknown: use list, add TARGET or remove TARGET")
    return Exit.DONE


def _tell_hold(call: Call, target: str, what: str, *, held: bool) -> None:
    if call.json:
        put_json({"target": target, "held": held})
    else:
        put(f"{one_line(target)} is {what}")


def _list_holds(call: Call) -> int:
    with desk(call) as steward:
        found = steward.holds()
    if call.json:
        put_each(found)
    elif found:
        rows = [
            (
                one.target,
                one.reason,
                one.held_by,
                "open" if one.released_at is None else f"released by {one.released_by}",
            )
            for one in found
        ]
        put_table(("target", "reason", "by", "state"), rows)
    else:
        say("nothing is held")
    return Exit.DONE


def revert(
    call: Call,
    *,
    source: Annotated[str, _option("Whose word is taken back.", "NAME")],
    since: Annotated[
        str | None, _option("What came in since then: a day, or RFC 3339 with a zone.", "TIME")
    ] = None,
    undo: Annotated[bool, typer.Option("--undo", help="Let what was reverted count again.")] = False,
    dry_run: DryRun = False,
    yes: Yes = False,
) -> int:
    """Take back everything a source said since a time, as after a poisoning. For stewards.

    The record is then as if it had not come, at whatever time is asked about. Nothing is lost:
    --undo brings it back.
    """
    try:
        then = None if since is None else parse_day_or_instant(since)
    except ValueError as error:
        raise Usage(f"since: {error}") from None
    if then is None and not undo:
        raise Usage("revert needs --since TIME, or --undo")

    with desk(call) as steward:

        def act(*, dry_run: bool) -> Reverted:
            if undo or then is None:
                return steward.undo_revert(source, then, dry_run=dry_run)
            return steward.revert(source, then, dry_run=dry_run)

        if not (dry_run or yes):
            _confirm(_reverted(act(dry_run=True)))
        found = act(dry_run=dry_run)
    give(found, _reverted(found), as_json=call.json)
    return Exit.DONE


def _reverted(found: Reverted) -> Iterator[Line]:
    verb = ("would let" if found.dry_run else "let") + (
        " count again" if found.undone else " count for nothing"
    )
    yield Line(
        f"{verb}: {counted(found.events, 'event')} of {one_line(found.source)}, "
        f"about {counted(found.items, 'item')} and {found.directory:,} of groups, people and containers"
    )
