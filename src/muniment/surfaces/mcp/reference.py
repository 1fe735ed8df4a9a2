"""The reference of the MCP profiles in docs/reference/mcp.md, made from what each lists of itself.

`python -m muniment.surfaces.mcp.reference FOLDER > docs/reference/mcp.md`, with any record; a test compares.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import TYPE_CHECKING, Any

from mcp.server import MCPServer

import muniment
from muniment.surfaces.cli.out import put
from muniment.surfaces.mcp.profiles import servers

if TYPE_CHECKING:
    from muniment.app import Org

__all__ = ["as_markdown"]

_HEAD = """# MCP

Made from what each profile tells an agent of itself; a test holds it to that. How to give one to an agent:
[give an agent a memory](../how-to/agents.md)."""


def as_markdown(org: Org) -> str:
    """A page of documentation."""
    parts = [_HEAD]
    for path, server in servers(org).items():
        parts += [f"## `{path}`", f"```text\n{(server.instructions or '').strip()}\n```", *_tools(server)]
    return "\n\n".join(parts) + "\n"


def _tools(server: MCPServer[Any]) -> list[str]:
    return [
        f"### {tool.name}\n\n{tool.description}\n\n{_arguments(tool.input_schema)}"
        for tool in asyncio.run(server.list_tools())
    ]


def _arguments(schema: dict[str, Any]) -> str:
    lines = ["| argument | kind | usual |", "|---|---|---|"]
    for name, one in schema.get("properties", {}).items():
        usual = "needed" if name in schema.get("required", ()) else f"`{json.dumps(one.get('default'))}`"
        kind = one.get("type") or " or ".join(str(part.get("type", "value")) for part in one.get("anyOf", ()))
        told = f": {one['description']}" if "description" in one else ""
        lines.append(f"| `{name}` | {kind or 'value'}{told} | {usual} |")
    return "\n".join(lines) if len(lines) > 2 else "No arguments."


if __name__ == "__main__":
    with muniment.open(sys.argv[1]) as found:
        put(as_markdown(found).rstrip("\n"))
