"""The command that says what a source is: who feeds it, how far it is trusted, how fresh it must be."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from muniment.domain.errors import Usage
from muniment.domain.times import parse_duration
from muniment.surfaces.cli.everywhere import Call
from muniment.surfaces.cli.exits import Exit
from muniment.surfaces.cli.opening import desk
from muniment.surfaces.cli.out import counted, put, put_each, put_json
from muniment.surfaces.cli.tables import put_table

if TYPE_CHECKING:
    from muniment.app import Source

__all__ = ["sources"]

_HEADS = ("source", "fed by", "directory", "trust", "authority", "verify within", "keep")


def _option(flag: str, text: str, metavar: str) -> Any:
    return typer.Option(flag, help=text, metavar=metavar, show_default=False)


def sources(
    call: Call,
    action: Annotated[str, typer.Argument(metavar="list|set|apply", show_default=False)] = "list",
    source: Annotated[str | None, typer.Argument(metavar="SOURCE", show_default=False)] = None,
    *,
    verify_within: Annotated[
        str | None,
        _option(
            "--verify-within",
            "Close its containers when their audience was not verified for so long; off for no limit.",
            "DURATION",
        ),
    ] = None,
    trust: Annotated[str | None, _option("--trust", "How far its text is trusted.", "TRUST")] = None,
    authority: Annotated[
        str | None, _option("--authority", "How much its word counts against others.", "AUTHORITY")
    ] = None,
    directory: Annotated[
        bool | None,
        typer.Option(
            "--directory/--no-directory",
            help="Whether it says who is who, and who is in which group.",
            show_default=False,
        ),
    ] = None,
    fed_by: Annotated[
        str | None, _option("--fed-by", "Who speaks for it, besides stewards.", "PRINCIPAL")
    ] = None,
    keep: Annotated[
        str | None,
        _option(
            "--keep", "How much of it is kept: whole, quotes, or all of it for a time such as 30d.", "HOW"
        ),
    ] = None,
) -> int:
    """List what sources there are, set what one is, or apply what they keep. For stewards."""
    said = {
        "verify_within": None if verify_within is None else _limit(verify_within),
        "trust": trust,
        "authority": authority,
        "directory": directory,
        "fed_by": fed_by,
        "keep": keep,
    }
    given = {name: value for name, value in said.items() if value is not None}
    match action, source:
        case "list", None if not given:
            return _list(call)
        case "apply", None if not given:
            return _apply(call)
        case "set", str(named) if given:
            return _set(call, named, given)
        case "set", str():
            raise Usage("sources set needs something to set, such as --verify-within 24h")
        case "set", None:
            raise Usage("sources set needs a SOURCE, such as slack")
        case _:
            raise Usage("use sources, sources set SOURCE with what to set, or sources apply")


def _limit(said: str) -> timedelta | Literal["off"]:
    if said == "off":
        return "off"
    try:
        return parse_duration(said)
    except ValueError as error:
        raise Usage(f"verify-within: {error}, or off") from None


def _list(call: Call) -> int:
    with desk(call) as steward:
        found = steward.sources()
    if call.json:
        put_each(found)
    else:
        put_table(_HEADS, [_row(one) for one in found])
    return Exit.DONE


def _set(call: Call, source: str, given: dict[str, Any]) -> int:
    # Here, or help would load the database driver.
    from muniment.app import SourceChange  # noqa: PLC0415

    with desk(call) as steward:
        done = steward.set_source(source, SourceChange(**given))
    if call.json:
        put_json(done)
    else:
        put("; ".join(f"{head} {cell or 'unset'}" for head, cell in zip(_HEADS, _row(done), strict=True)))
    return Exit.DONE


def _apply(call: Call) -> int:
    with desk(call) as steward:
        done = steward.apply_rules()
    if call.json:
        put_json({"looked_at": done})
    else:
        put(f"looked at {counted(done, 'item')}; muniment status says what was let go of")
    return Exit.DONE


def _row(one: Source) -> tuple[str, ...]:
    within = "" if one.verify_within_s is None else f"{one.verify_within_s / 3600:,.10g} h"
    return (
        one.source,
        one.fed_by,
        "yes" if one.directory else "no",
        one.trust,
        one.authority,
        within,
        one.keep,
    )
