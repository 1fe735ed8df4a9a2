"""Tools of MCP servers, by the official client. The extra `serve` brings it; it is imported when first used.

Each use is a connection of its own: a worker keeps nothing between two steps, and nothing is left running. A
server may not ask back: it gets no sampling, no roots and no elicitation. Its replies and its descriptions of
itself are anybody's words.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, TypeVar

from muniment.domain.errors import Unavailable, Usage
from muniment.domain.tasks import Tool, ToolResult
from muniment.domain.values import Json
from muniment.models.language import FAULTS
from muniment.runtime.tools import ServerSaid
from muniment.sources.secrets import resolve

if TYPE_CHECKING:
    from mcp import Client
    from mcp import Tool as Offered

__all__ = ["Servers", "servers_of"]

_LONGEST: Final = 200_000  # characters of a result that are read at all
_DESCRIBED: Final = 600  # characters of a description that a server gives
_PAGES: Final = 20  # of a server's list of tools
_REFERENCES: Final = ("env:", "file:")
T = TypeVar("T")


def servers_of(said: Sequence[ServerSaid]) -> Servers:
    """The tools of these servers; Usage where the library is not installed."""
    if find_spec("mcp") is None:
        raise Usage("tools need an extra: pip install 'muniment[serve]'")
    return Servers(tuple(said))


@dataclass(frozen=True, slots=True)
class Servers:
    """What the servers offer, as far as it is allowed."""

    said: tuple[ServerSaid, ...]

    def tools(self) -> tuple[Tool, ...]:
        """Each allowed tool that its server has; Unavailable for a server that does not answer."""
        return tuple(tool for one in self.said for tool in _asked(one, _listed, one.seconds))

    def call(self, tool: str, arguments: Mapping[str, Json], seconds: float) -> ToolResult:
        """What the tool gives. Only one that is allowed is ever called."""
        name, _, own = tool.partition(".")
        server = next((one for one in self.said if one.name == name and own in one.tools), None)
        if server is None:
            return ToolResult(f"there is no tool {tool!r}", failed=True)

        async def called(client: Client, _: ServerSaid) -> ToolResult:
            return _read(await client.call_tool(own, dict(arguments)))

        try:
            return _asked(server, called, min(seconds, server.seconds))
        except Unavailable as error:
            return ToolResult(str(error), failed=True)


def _asked(server: ServerSaid, what: Callable[[Client, ServerSaid], Awaitable[T]], seconds: float) -> T:
    """What is done over a connection that lasts as long as that."""

    async def within() -> T:
        async with asyncio.timeout(seconds), _connected(server) as client:
            return await what(client, server)

    try:
        return asyncio.run(within())
    except TimeoutError:
        raise Unavailable(f"server {server.name!r} did not answer within {seconds:g} s") from None
    except _faults() as error:
        # Its words may quote a secret or be anything, so only the kind is kept.
        raise Unavailable(f"server {server.name!r} failed: {_kind(error)}") from None


def _faults() -> tuple[type[BaseException], ...]:
    from httpx2 import HTTPError  # noqa: PLC0415  # the extra, see the module
    from mcp import MCPError  # noqa: PLC0415  # the extra, see the module

    return (*FAULTS, MCPError, HTTPError, ExceptionGroup)


def _kind(error: BaseException) -> str:
    """The innermost kind: groups say nothing by themselves."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return type(error).__name__


@asynccontextmanager
async def _connected(server: ServerSaid) -> AsyncIterator[Client]:
    from mcp import Client  # noqa: PLC0415  # as above

    async with AsyncExitStack() as stack:
        transport = _started(server) if server.command else await _reached(server, stack)
        yield await stack.enter_async_context(Client(transport))


def _started(server: ServerSaid) -> Any:
    from mcp import StdioServerParameters  # noqa: PLC0415  # as above

    program, *arguments = server.command
    # Of our own environment it gets the few harmless names that the library passes on, and no secret.
    return StdioServerParameters(command=program, args=arguments, env=_secrets(server.env))


async def _reached(server: ServerSaid, stack: AsyncExitStack) -> Any:
    from httpx2 import AsyncClient  # noqa: PLC0415  # as above
    from mcp.client.streamable_http import streamable_http_client  # noqa: PLC0415  # as above

    # Redirects are not followed: a credential stays with the host it is for.
    client = AsyncClient(headers=_secrets(server.headers), timeout=server.seconds, follow_redirects=False)
    await stack.enter_async_context(client)
    return streamable_http_client(server.url or "", http_client=client)


def _secrets(said: Mapping[str, str]) -> dict[str, str]:
    return {name: resolve(text) if text.startswith(_REFERENCES) else text for name, text in said.items()}


async def _listed(client: Client, server: ServerSaid) -> list[Tool]:
    found: list[Tool] = []
    cursor: str | None = None
    for _ in range(_PAGES):
        page = await client.list_tools(cursor=cursor)
        found += [_tool(server, one) for one in page.tools if one.name in server.tools]
        cursor = page.next_cursor
        if cursor is None:
            break
    return found


def _tool(server: ServerSaid, offered: Offered) -> Tool:
    allowed = server.tools[offered.name]
    described = " ".join((offered.description or "").split())[:_DESCRIBED]
    name = f"{server.name}.{offered.name}"
    return Tool(name, allowed.use, offered.input_schema, allowed.about, described)


def _read(result: Any) -> ToolResult:
    texts = [one.text for one in result.content if one.type == "text"]
    return ToolResult("\n".join(texts)[:_LONGEST], failed=bool(result.is_error))
