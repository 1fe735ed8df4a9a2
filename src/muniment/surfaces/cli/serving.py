"""The command that offers the record to an agent's host over standard input and output."""

from __future__ import annotations

from typing import Annotated

import typer

from muniment.domain.errors import Usage
from muniment.domain.principals import Bearer
from muniment.surfaces.cli.everywhere import Call
from muniment.surfaces.cli.exits import Exit
from muniment.surfaces.cli.opening import opened

__all__ = ["mcp"]


def mcp(
    call: Call,
    *,
    profile: Annotated[
        str, typer.Option(metavar="NAME", help="Which tools: memory, incidents.", show_default=True)
    ] = "memory",
) -> int:
    """Serve MCP over standard input and output, for whoever --as names. An agent's host starts it."""
    try:
        # The extra, and slow to load: only this command needs it.
        from muniment.surfaces.mcp import profiles  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise Usage(f"this needs the extra serve: pip install 'muniment[serve]' ({error.name})") from None
    with opened(call) as org:
        profiles.serve_here(org, Bearer(call.asker or org.login, call.agent), profile)
    return Exit.DONE
