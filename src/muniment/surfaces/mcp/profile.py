"""A profile: a few tools, how an agent is told to use them, and who is behind each call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeAlias

from mcp.server import CacheHint, MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp.types import CallToolResult, ToolAnnotations
from starlette.requests import Request

from muniment.domain.errors import MunimentError, Refused

if TYPE_CHECKING:
    from muniment.app import Org
    from muniment.domain.principals import Bearer

__all__ = ["BEARER", "Call", "Profile", "Seat", "Tool", "answered", "server_of"]

BEARER = "muniment.bearer"  # where the HTTP door leaves, in a request's scope, whose it is
MOST_TOOLS = 8
MOST_INSTRUCTIONS = 2_000
Call: TypeAlias = Context[Any, Any]


@dataclass(frozen=True, slots=True)
class Seat:
    """Whose rights a call runs under: those of the request's token, or, over stdio, always the same."""

    org: Org
    always: Bearer | None = None

    def bearer(self, call: Call) -> Bearer:
        """Who is behind this call."""
        if self.always is not None:
            return self.always
        request: Request | None = call.request_context.request
        if request is None:
            raise Refused("nobody is behind this call")
        found: Bearer = request.scope[BEARER]  # the guard let nobody past without
        return found


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool: a function of a call, named and described as an agent sees it."""

    name: str
    does: Callable[..., CallToolResult]
    reads: bool = True


@dataclass(frozen=True, slots=True)
class Profile:
    """What is offered at one address; `wiki` gives a page of it as a resource."""

    name: str
    instructions: str
    tools: Sequence[Tool]
    wiki: Callable[[str, Call], str] | None = None

    def __post_init__(self) -> None:
        if len(self.tools) > MOST_TOOLS or len(self.instructions) > MOST_INSTRUCTIONS:
            raise ValueError(f"profile {self.name!r} has more than a host would read")


def server_of(profile: Profile, version: str) -> MCPServer[Any]:
    """The server of a profile. Nothing of it may be kept by anybody but the caller, nor for any time."""
    private = CacheHint(ttl_ms=0, scope="private")
    server: MCPServer[Any] = MCPServer(
        f"muniment-{profile.name}",
        title="Muniment",
        instructions=profile.instructions,
        version=version,
        log_level="WARNING",
        subscriptions=False,
        cache_hints={
            "tools/list": private,
            "resources/list": private,
            "resources/read": private,
            "resources/templates/list": private,
        },
    )
    for tool in profile.tools:
        notes = ToolAnnotations(
            read_only_hint=tool.reads, destructive_hint=False, idempotent_hint=True, open_world_hint=False
        )
        server.add_tool(_told(tool.does), name=tool.name, annotations=notes)
    if (wiki := profile.wiki) is not None:
        _offer_pages(server, wiki)
    return server


def _offer_pages(server: MCPServer[Any], wiki: Callable[[str, Call], str]) -> None:
    """Pages by their address, and no list of them."""

    @server.resource("wiki://{entity}", mime_type="text/markdown")
    def page(entity: str, call: Call) -> str:
        """What is known of an account, project, service, person, policy or topic."""
        try:
            return wiki(entity, call)
        except MunimentError:
            raise ResourceNotFoundError("not found") from None


def _told(does: Callable[..., CallToolResult]) -> Callable[..., CallToolResult]:
    """Errors of ours as a tool's error; what is missing and what is forbidden are one."""

    @wraps(does)
    def called(*args: Any, **kwargs: Any) -> CallToolResult:  # the SDK's own arguments
        return answered(lambda: does(*args, **kwargs))

    return called


def answered(call: Callable[[], CallToolResult]) -> CallToolResult:
    """The reply, or a ToolError that an agent can act on."""
    try:
        return call()
    except Refused:
        raise ToolError("not found") from None
    except MunimentError as error:
        raise ToolError(str(error)) from error
