"""Every profile there is, by its name, and where each is served."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

from mcp.server import MCPServer

from muniment.domain.errors import Usage
from muniment.surfaces.mcp.accounts import accounts
from muniment.surfaces.mcp.memory import memory
from muniment.surfaces.mcp.profile import Profile, Seat, server_of

if TYPE_CHECKING:
    from muniment.app import Org
    from muniment.domain.principals import Bearer

__all__ = ["PROFILES", "serve_here", "servers"]

PROFILES: Final[dict[str, Callable[[Seat], Profile]]] = {"memory": memory, "accounts": accounts}
_FIRST: Final = "memory"  # at /mcp; the others lie below it


def servers(org: Org) -> dict[str, MCPServer[Any]]:
    """A server for each profile, by its path under HTTP."""
    return {
        "/mcp" if name == _FIRST else f"/mcp/{name}": server_of(make(Seat(org)), version("muniment"))
        for name, make in PROFILES.items()
    }


def serve_here(org: Org, bearer: Bearer, name: str) -> None:
    """Serve one profile over standard input and output, until the other side goes."""
    make = PROFILES.get(name)
    if make is None:
        raise Usage(f"profile {name!r} is unknown: use {', '.join(PROFILES)}")
    server_of(make(Seat(org, bearer)), version("muniment")).run("stdio")
