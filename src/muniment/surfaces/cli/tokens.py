"""The command for tokens: who may come through HTTP, as themselves or by an agent."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

import typer

from muniment.domain.errors import Usage
from muniment.domain.times import parse_duration
from muniment.surfaces.cli.everywhere import Call
from muniment.surfaces.cli.exits import Exit
from muniment.surfaces.cli.opening import opened
from muniment.surfaces.cli.out import put, put_each, put_json, say
from muniment.surfaces.cli.tables import put_table

__all__ = ["token"]

_HEADS = ("id", "principal", "agent", "made", "expires", "revoked")


def token(
    call: Call,
    action: Annotated[str, typer.Argument(metavar="create|list|revoke", show_default=False)],
    name: Annotated[
        str | None, typer.Argument(metavar="ID", help="Which to revoke.", show_default=False)
    ] = None,
    *,
    expires: Annotated[
        str | None, typer.Option(metavar="TIME", help="How long it lasts. [default: 90d]", show_default=False)
    ] = None,
) -> int:
    """Make, list or end the tokens by which somebody comes through HTTP and MCP.

    A token is for whoever --as names, or through --agent for an agent of theirs. It is shown once.
    """
    match action, name:
        case "create", None:
            return _create(call, expires)
        case "list", None:
            return _list(call)
        case "revoke", str():
            return _revoke(call, name)
    raise Usage("write token create, token list or token revoke ID")


def _create(call: Call, expires: str | None) -> int:
    with opened(call) as org:
        who = call.asker or org.login
        lasts = {} if expires is None else {"lasts": _lasts(expires)}
        made = org.tokens.create(who, agent=call.agent, **lasts)
    if call.json:
        put_json(made)
    else:
        put(made.token)
        say(f"for {who}{f' by {call.agent}' if call.agent else ''} until {made.expires:%Y-%m-%d}; shown once")
    return Exit.DONE


def _lasts(said: str) -> timedelta:
    try:
        return parse_duration(said)
    except ValueError as error:
        raise Usage(f"expires: {error}") from None


def _list(call: Call) -> int:
    with opened(call) as org:
        found = org.tokens.of(call.asker or org.login)
    if call.json:
        put_each(found)
        return Exit.DONE
    rows = [
        (one.id, one.principal, one.agent or "", *(f"{at:%Y-%m-%d}" if at else "" for at in times))
        for one in found
        for times in [(one.made_at, one.expires, one.revoked_at)]
    ]
    put_table(_HEADS, rows)
    return Exit.DONE


def _revoke(call: Call, name: str) -> int:
    with opened(call) as org:
        org.tokens.revoke(call.asker or org.login, name)
    say(f"token {name} is no longer good for anything")
    return Exit.DONE
