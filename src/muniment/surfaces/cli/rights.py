"""Commands that say who may read: members, grant, revoke, who-can. Each act is in the audit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from muniment.domain.errors import Usage
from muniment.domain.times import parse_day_or_instant
from muniment.domain.values import Value
from muniment.surfaces.cli import desk as looks
from muniment.surfaces.cli.everywhere import Call
from muniment.surfaces.cli.exits import Exit
from muniment.surfaces.cli.opening import desk
from muniment.surfaces.cli.out import put, put_each, put_json, say, show
from muniment.surfaces.cli.tables import put_table

if TYPE_CHECKING:
    from muniment.app import Steward

__all__ = ["grant", "members", "revoke", "who_can"]

Who = Annotated[
    str,
    typer.Argument(
        metavar="PRINCIPAL", help="user:…, service:… or agent:…; for read also group:…", show_default=False
    ),
]
What = Annotated[
    str,
    typer.Argument(
        metavar="read|ROLE|all",
        help="read, or a role: steward, importer. For an agent: read, or all that its user may read.",
        show_default=False,
    ),
]
Target = Annotated[
    str | None,
    typer.Argument(
        metavar="TARGET",
        help="With read: an item or container, SOURCE:ID; for an agent also a SOURCE.",
        show_default=False,
    ),
]


_GIVEN = {"all": ("may read for whomever it acts:", "could read already:")}
_TAKEN = {
    "all": (
        "may read nothing, until it is granted something: no longer",
        "could read nothing already, so not",
    )
}


def members(
    call: Call,
    action: Annotated[str, typer.Argument(metavar="list|add|remove", show_default=False)] = "list",
    principals: Annotated[list[str] | None, typer.Argument(metavar="PRINCIPAL", show_default=False)] = None,
) -> int:
    """List who is known, add a full member, or take everything from someone at once."""
    match action, principals or []:
        case "list", []:
            return _list_members(call)
        case "add" | "remove", []:
            raise Usage(f"members {action} needs a PRINCIPAL, such as user:ann")
        case ("add" | "remove") as act, named:
            with desk(call) as steward:
                for principal in named:
                    _settle(steward, act, principal, quiet=call.json)
            if call.json:
                put_each(
                    {"principal": one, "standing": "member" if act == "add" else "deactivated"}
                    for one in named
                )
            return Exit.DONE
        case _:
            raise Usage(f"members {action!r} is unknown: use list, add PRINCIPAL or remove PRINCIPAL")


def _settle(steward: Steward, act: str, principal: str, *, quiet: bool) -> None:
    if act == "add":
        steward.add_member(principal)
    else:
        steward.remove_member(principal)
    if not quiet:
        put(f"{principal} is a full member" if act == "add" else f"{principal} may read nothing any more")


def _list_members(call: Call) -> int:
    with desk(call) as steward:
        found = steward.members()
    if call.json:
        put_each(found)
    else:
        rows = [(one.principal, one.name or "", one.standing or "", ", ".join(one.groups)) for one in found]
        put_table(("principal", "name", "standing", "groups"), rows)
    return Exit.DONE


def grant(call: Call, principal: Who, what: What, target: Target = None) -> int:
    """Let someone read an item or a container, or give a role."""
    with desk(call) as steward:
        if _is_read(what, target):
            _tell(call, steward.grant_read(principal, target or ""), "may read", "could read it already:")
        else:
            _tell(call, steward.grant_role(principal, what), *_GIVEN.get(what, ("is", "already is")))
    return Exit.DONE


def revoke(call: Call, principal: Who, what: What, target: Target = None) -> int:
    """Take a grant or a role back, and say how they can still read it, where they can."""
    with desk(call) as steward:
        if _is_read(what, target):
            _tell(
                call,
                steward.revoke_read(principal, target or ""),
                "no longer holds a grant on",
                "held no grant on",
            )
        else:
            _tell(call, steward.revoke_role(principal, what), *_TAKEN.get(what, ("is no longer", "was not")))
    return Exit.DONE


def _is_read(what: str, target: str | None) -> bool:
    if what == "read" and target is None:
        raise Usage("read needs a TARGET: an item or container, such as slack:C042")
    if what != "read" and target is not None:
        raise Usage(f"{what!r} takes no target: write read TARGET, or one role")
    return what == "read"


def _tell(call: Call, done: looks.Grant, changed: str, same: str) -> None:
    if call.json and isinstance(done, Value):
        put_json(done)
    else:
        show(looks.granted(done, changed, same))


def who_can(
    call: Call,
    target: Annotated[
        str, typer.Argument(metavar="TARGET", help="An item or container, SOURCE:ID.", show_default=False)
    ],
    *,
    at: Annotated[
        str | None, typer.Option(metavar="TIME", help="As it was then.", show_default=False)
    ] = None,
) -> int:
    """List everyone who can read an item or container, and through what."""
    try:
        then = None if at is None else parse_day_or_instant(at)
    except ValueError as error:
        raise Usage(f"at: {error}") from None
    with desk(call) as steward:
        found = steward.who_can(target, at=then)
    if call.json:
        put_each(found)
    elif found:
        put_table(("principal", "because"), [(one.principal, "; ".join(one.why)) for one in found])
    else:
        say("nobody")
    return Exit.DONE
