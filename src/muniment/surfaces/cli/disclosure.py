"""The command that says who reads a band or a direction of values that only others read exactly."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from muniment.domain.errors import Usage
from muniment.surfaces.cli.everywhere import Call
from muniment.surfaces.cli.exits import Exit
from muniment.surfaces.cli.files import text_of
from muniment.surfaces.cli.opening import desk
from muniment.surfaces.cli.out import put, put_json, say

__all__ = ["disclosure"]


def disclosure(
    call: Call,
    action: Annotated[str, typer.Argument(metavar="show|check|set", show_default=False)] = "show",
    file: Annotated[Path | None, typer.Argument(metavar="FILE", show_default=False)] = None,
) -> int:
    """Show the disclosure policy, say in words what a file would disclose, or put it in force."""
    match action, file:
        case "show", None:
            return _show(call)
        case "check", Path():
            return _check(call, file)
        case "set", Path():
            return _set(call, file)
        case "check" | "set", None:
            raise Usage(f"disclosure {action} needs a FILE, such as disclosure.yaml")
        case _:
            raise Usage(f"disclosure {action!r} is unknown: use show, check FILE or set FILE")


def _show(call: Call) -> int:
    with desk(call) as steward:
        found = steward.disclosure()
    if call.json:
        put_json(found or {"since": None, "by": None, "content": None, "means": []})
    elif found is None:
        say("no policy: every value is read by who can read its item, and by nobody else")
    else:
        say(f"since {found.since.date()}, set by {found.by}")
        _put(found.means)
        put("")
        put(found.content.rstrip("\n"))
    return Exit.DONE


def _check(call: Call, file: Path) -> int:
    content = text_of(file)
    with desk(call) as steward:
        means = steward.check_disclosure(content)
    if call.json:
        put_json({"means": means})
    else:
        _put(means)
    return Exit.DONE


def _set(call: Call, file: Path) -> int:
    content = text_of(file)
    with desk(call) as steward:
        found = steward.set_disclosure(content)
    if call.json:
        put_json(found)
    else:
        put("in force from now on")
        _put(found.means)
    return Exit.DONE


def _put(lines: list[str] | tuple[str, ...]) -> None:
    for line in lines:
        put(line)
