"""The command that shows the audit, verifies it, and prints the head to be published."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated

import typer

from muniment.domain.audit import AuditEntry, AuditReport, Broken
from muniment.domain.errors import Usage
from muniment.domain.regex import regex
from muniment.domain.values import Json
from muniment.surfaces.cli.answers import moment
from muniment.surfaces.cli.everywhere import Call
from muniment.surfaces.cli.exits import Exit
from muniment.surfaces.cli.opening import desk
from muniment.surfaces.cli.out import Line, Look, counted, give, put, put_each, put_json, say
from muniment.surfaces.cli.tables import put_table

__all__ = ["audit"]

# What a program compares and nobody reads; --json has all of it, and every id whole.
_FOR_PROGRAMS = frozenset({"as_of", "known_at", "rights", "token", "transaction", "watermark"})
_TRACE = regex(r"[0-9a-f]{32}")


def audit(
    call: Call,
    action: Annotated[str, typer.Argument(metavar="show|verify|head", show_default=False)] = "show",
    *,
    by: Annotated[
        str | None, typer.Option(metavar="PRINCIPAL", help="Show: whose acts.", show_default=False)
    ] = None,
    about: Annotated[
        str | None,
        typer.Option(
            "--object",
            metavar="O",
            help="Show: acts on this item, principal, source or citation.",
            show_default=False,
        ),
    ] = None,
    did: Annotated[
        str | None,
        typer.Option("--action", metavar="A", help="Show: ask, import, grant, …", show_default=False),
    ] = None,
    since: Annotated[
        str | None, typer.Option(metavar="TIME", help="Show: not before.", show_default=False)
    ] = None,
    limit: Annotated[int, typer.Option(metavar="N", help="Show: how many, newest first.")] = 50,
    head: Annotated[
        str | None,
        typer.Option(
            metavar="NUMBER:HASH|FILE",
            help="Verify: published heads that must be in the chain.",
            show_default=False,
        ),
    ] = None,
) -> int:
    """Show who did what, verify that the audit is whole, or print its head to be published. For stewards.

    Only a head kept elsewhere shows that the end was cut off or that all of it was written anew. Exit 1
    where something is broken.
    """
    with desk(call) as steward:
        match action:
            case "show":
                return _show(call, steward.audit(by, about, did, since, limit))
            case "head":
                found = steward.audit_head()
                give(found, [Line(found.line())], as_json=call.json)
                return Exit.DONE
            case "verify":
                return _tell(call, steward.verify_audit(head))
    raise Usage(f"audit {action!r} is unknown: use show, verify or head")


def _show(call: Call, found: list[AuditEntry]) -> int:
    if call.json:
        put_each(found)
    elif found:
        heads = ("number", "entry", "at", "who", "did", "to", "detail")
        put_table(heads, [_row(one) for one in found])
    else:
        say("no entries")
    return Exit.DONE


def _row(one: AuditEntry) -> tuple[str, ...]:
    number = "unsealed" if one.number is None else str(one.number)
    detail = "erased" if one.erased else ", ".join(_said(one.detail))
    about = f"{one.object[:12]}…" if _TRACE.fullmatch(one.object) else one.object
    return number, str(one.entry), moment(one.at), one.principal, one.action, about, detail


def _said(detail: Mapping[str, Json]) -> Iterator[str]:
    for name, value in detail.items():
        match value:
            case _ if name in _FOR_PROGRAMS:
                continue
            case None | "" | []:
                continue
            case list() if name == "citations":
                yield counted(len(value), "citation")
            case list() if len(value) > 1:
                yield f"{len(value):,} {name}"
            case list():
                yield f"{name} {value[0]}"
            case _:
                yield f"{name} {value}"


def _tell(call: Call, found: AuditReport) -> int:
    if call.json:
        put_json(found)
    else:
        for line in _lines(found):
            put(line.text, line.look)
    if found.ok:
        return Exit.DONE
    what = counted(len(found.broken) + found.more, "thing is", "things are")
    say(
        f"muniment: the audit does not verify, {what} broken; compare it with a backup from before",
        Look.ALERT,
    )
    return Exit.FAILED


def _lines(found: AuditReport) -> Iterator[Line]:
    yield from (Line(_where(one), Look.ALERT) for one in found.broken)
    if found.more:
        yield Line(f"and {found.more:,} more", Look.ALERT)
    yield Line(
        f"{'whole' if found.ok else 'broken'}: {counted(found.sealed, 'entry', 'entries')} sealed, "
        f"{found.erased:,} of them erased, {found.waiting:,} not sealed yet"
    )
    if found.published:
        yield Line(f"compared with {counted(found.published, 'published head')}")
    yield Line(f"head {found.head.line()}")


def _where(one: Broken) -> str:
    place = [] if one.number is None else [f"number {one.number:,}"]
    place += [] if one.entry is None else [f"entry {one.entry:,}"]
    return f"{', '.join(place)}: {one.what}"
