"""Commands that fill the record: init, add, sync, quarantine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from muniment.domain.errors import Refused, Usage
from muniment.domain.values import Receipt
from muniment.surfaces.cli import desk
from muniment.surfaces.cli.everywhere import Call
from muniment.surfaces.cli.exits import Exit, of_receipt
from muniment.surfaces.cli.opening import desk as desk_of
from muniment.surfaces.cli.opening import is_org, open_at, opened
from muniment.surfaces.cli.out import give, put, put_each, put_json, say, show
from muniment.surfaces.cli.pairs import pairs
from muniment.surfaces.cli.progress import progress
from muniment.surfaces.cli.tables import put_table
from muniment.surfaces.cli.watching import repeat

if TYPE_CHECKING:
    from muniment.app import Org

__all__ = ["add", "clauses", "init", "quarantine", "sync"]


def _option(text: str, metavar: str) -> Any:
    return typer.Option(metavar=metavar, help=text, show_default=False)


Paths = Annotated[
    list[Path],
    typer.Argument(
        metavar="PATH",
        help="Exports, event JSONL (.jsonl, .ndjson), documents, or folders of them.",
        show_default=False,
    ),
]
Source = Annotated[
    str | None, _option("What they came from. [default: files, or as the kind of export is called]", "NAME")
]
Kind = Annotated[
    str | None,
    _option("What the files are, whatever they are called: events, documents, or a kind of export.", "KIND"),
]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="NAME=VALUE",
        help="What the kind of export asks to be told; again for another.",
        show_default=False,
    ),
]
Audience = Annotated[
    list[str] | None,
    _option(
        "Who may read what names nobody: '*', or 'group:x,user:y' for any of them; again for and.", "WHO"
    ),
]
Account = Annotated[str | None, _option("The account of what names none.", "NAME")]
Trust = Annotated[str | None, _option("How far the source is trusted.", "TRUST")]
Defer = Annotated[bool, typer.Option("--defer", help="Only accept; compile at the next sync or by a worker.")]


def init(
    call: Call,
    folder: Annotated[
        str | None,
        typer.Argument(metavar="DIR", help="A new or empty folder. [default: this one]", show_default=False),
    ] = None,
) -> int:
    """Make an organisation's record, with you as its steward."""
    where = folder or call.org or "."
    known = is_org(where)
    with open_at(where, call) as org:
        made = {"org": where, "tenant": org.tenant, "made": not known, "login": org.login}
    if call.json:
        put_json(made)
    elif known:
        put(f"{where} holds an organisation already; nothing was changed")
    else:
        put(f"made an organisation in {where}; {made['login']} is a full member and its steward")
        there = "" if folder is None and call.org is None else f" --org {where}"
        say(f"next: muniment add PATH --audience '*'{there}")
    return Exit.DONE


def add(
    call: Call,
    paths: Paths,
    *,
    source: Source = None,
    kind: Kind = None,
    audience: Audience = None,
    account: Account = None,
    trust: Trust = None,
    option: Options = None,
    defer: Defer = False,
) -> int:
    """Take in files and folders: exports of other tools, event JSONL, documents.

    Exit 5 where some of it was refused; the rest is in, and what was refused is kept (muniment quarantine).
    """
    _require(paths)
    receipts: list[Receipt] = []
    with opened(call) as org:
        for path in paths:
            with progress(f"adding {path}", quiet=call.json) as seen:
                receipt = org.add(
                    path,
                    source=source,
                    kind=kind,
                    importer=call.asker,
                    audience=clauses(audience),
                    account=account,
                    trust=trust,
                    options=pairs("--option", option),
                    defer=defer,
                    progress=seen,
                )
            receipts.append(receipt)
            if not call.json:
                show(desk.receipt(str(path), receipt))
        pending = _pending(org)
    whole = _together(receipts)
    if call.json:
        put_json(whole)
    else:
        show(desk.after_adding(pending, deferred=defer))
    return of_receipt(whole)


def _require(paths: Sequence[Path]) -> None:
    """All of them are there, or none is taken in."""
    for path in paths:
        if not path.exists():
            raise Usage(f"path {str(path)!r} does not exist; nothing was added")


def clauses(said: Sequence[str] | None) -> list[list[str]] | None:
    """Each --audience is one clause, any of whose members may read; all clauses must be met."""
    if not said:
        return None
    return [[member.strip() for member in clause.split(",") if member.strip()] for clause in said]


def _pending(org: Org) -> int:
    """How much waits for its container's audience, for a steward; nobody else is told."""
    try:
        return org.steward(org.login).status().pending_audience
    except Refused:
        return 0


def _together(receipts: Sequence[Receipt]) -> Receipt:
    """One receipt for one command."""
    return Receipt(
        accepted=sum(one.accepted for one in receipts),
        duplicate=sum(one.duplicate for one in receipts),
        quarantined=sum(one.quarantined for one in receipts),
        items=tuple(item for one in receipts for item in one.items),
        token=receipts[-1].token,
        notes=tuple(note for one in receipts for note in one.notes),
    )


def sync(
    call: Call,
    *,
    watch: Annotated[bool, typer.Option("--watch", help="Go on until stopped.")] = False,
    retry: Annotated[bool, typer.Option("--retry", help="Try again what failed for good.")] = False,
) -> int:
    """Finish what was accepted, vectors included, and say what is stuck.

    With --watch, connected sources are pulled too, each when it is due.
    """
    with opened(call) as org:
        if retry:
            org.steward(call.asker or org.login).revive()
        if not watch:
            _sync(org, call, idle=True)
            return Exit.DONE
        repeat(lambda: _sync(org, call, idle=False), "syncing; stop with ctrl-c")
    return Exit.DONE


def _sync(org: Org, call: Call, *, idle: bool) -> int:
    """One round; whether it is told of where nothing was due."""
    pages = 0 if idle else org.pull_due()
    with progress("syncing", quiet=call.json or not idle) as seen:
        done = org.sync(progress=seen)
    worked = pages + done["compiled"] + done["vectors"]
    if worked or idle:
        if call.json:
            put_json(dict(done))
        else:
            show(desk.synced(done))
    return worked


def quarantine(
    call: Call,
    action: Annotated[str, typer.Argument(metavar="list|replay", show_default=False)] = "list",
    entries: Annotated[
        list[int] | None,
        typer.Argument(metavar="ENTRY", help="Which to replay. [default: all]", show_default=False),
    ] = None,
) -> int:
    """List what was refused at the door and why, or hand it in again."""
    match action:
        case "list":
            return _list_refused(call)
        case "replay":
            return _replay(call, entries or None)
        case _:
            raise Usage(f"quarantine {action!r} is unknown: use list or replay")


def _list_refused(call: Call) -> int:
    with desk_of(call) as steward:
        found = steward.quarantined()
    if call.json:
        put_each(found)
    elif found:
        rows = [(str(one.entry), one.origin, str(one.line or ""), one.reason) for one in found]
        put_table(("entry", "file", "line", "reason"), rows)
    else:
        say("nothing is in quarantine")
    return Exit.DONE


def _replay(call: Call, entries: Sequence[int] | None) -> int:
    with opened(call) as org:
        receipt = org.replay(entries, importer=call.asker)
    give(receipt, desk.receipt("quarantine", receipt), as_json=call.json)
    return of_receipt(receipt)
