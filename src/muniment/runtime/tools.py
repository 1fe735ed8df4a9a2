"""Which tools a task may call: a file that somebody who runs the record writes, read into frozen values.

What a file does not list is not there, whatever its server offers.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import yaml

from muniment.domain.errors import Usage
from muniment.domain.tasks import ToolUse

__all__ = ["Allowed", "ServerSaid", "read_tools"]

_SERVER: Final = frozenset({"command", "url", "env", "headers", "seconds", "tools"})
_TOOL: Final = frozenset({"use", "about"})
_SECONDS: Final = 30.0


@dataclass(frozen=True, slots=True)
class Allowed:
    """One tool of a server: what it may be used for, and what it does in the words of who allows it."""

    use: ToolUse
    about: str = ""


@dataclass(frozen=True, slots=True)
class ServerSaid:
    """An MCP server: a command to start, or a URL. `env` and `headers` may be references to secrets."""

    name: str
    command: tuple[str, ...]
    url: str | None
    tools: Mapping[str, Allowed]
    env: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    seconds: float = _SECONDS


def read_tools(path: str | Path) -> tuple[ServerSaid, ...]:
    """The servers that a YAML or TOML file names; Usage, with the place, for what makes no sense."""
    file = Path(path)
    try:
        text = file.read_text(encoding="utf-8")
        found = tomllib.loads(text) if file.suffix == ".toml" else yaml.safe_load(text)
    except OSError as error:
        raise Usage(f"tools file {str(path)!r}: {error.strerror}") from None
    except (ValueError, yaml.YAMLError) as error:
        raise Usage(f"tools file {str(path)!r} is no YAML or TOML: {' '.join(str(error).split())}") from None
    match found:
        case {"servers": dict(servers), **rest} if servers and not rest:
            return tuple(_server(str(name), said) for name, said in servers.items())
    raise Usage(f"tools file {str(path)!r} needs `servers:` and nothing else beside it")


def _server(name: str, said: object) -> ServerSaid:
    if not isinstance(said, dict) or not name.replace("-", "").replace("_", "").isalnum():
        raise Usage(f"server {name!r}: a name of letters, digits, - and _, and what it is below it")
    if unknown := sorted(str(key) for key in said if key not in _SERVER):
        raise Usage(f"server {name!r}: unknown {unknown[0]!r}; use {', '.join(sorted(_SERVER))}")
    command, url = _command(name, said.get("command")), said.get("url")
    if bool(command) == bool(url) or not isinstance(url, str | None):
        raise Usage(f"server {name!r}: give it either a command or a url")
    return ServerSaid(
        name,
        command,
        _safe(name, url),
        _tools(name, said.get("tools")),
        _texts(name, "env", said.get("env")),
        _texts(name, "headers", said.get("headers")),
        _seconds(name, said.get("seconds", _SECONDS)),
    )


def _safe(name: str, url: str | None) -> str | None:
    if url is not None and not url.startswith(("https://", "http://")):
        raise Usage(f"server {name!r}: url {url!r} begins with https:// or http://")
    return url


def _command(name: str, said: object) -> tuple[str, ...]:
    match said:
        case None:
            return ()
        case list() if said and all(isinstance(part, str) for part in said):
            return tuple(said)
    raise Usage(f"server {name!r}: command is a list of words, such as [tickets-mcp, --quiet]")


def _texts(name: str, key: str, said: object) -> Mapping[str, str]:
    match said:
        case None:
            return {}
        case dict() if all(isinstance(part, str) for pair in said.items() for part in pair):
            return dict(said)
    raise Usage(f"server {name!r}: {key} is names and texts, a secret as env:NAME or file:PATH")


def _seconds(name: str, said: object) -> float:
    if not isinstance(said, int | float) or isinstance(said, bool) or not 0 < said <= 600:
        raise Usage(f"server {name!r}: seconds is a number up to 600, not {said!r}")
    return float(said)


def _tools(name: str, said: object) -> Mapping[str, Allowed]:
    if not isinstance(said, dict) or not said:
        raise Usage(f"server {name!r}: list its tools, each `read` or `act`; none is allowed by itself")
    return {str(tool): _allowed(f"{name}.{tool}", one) for tool, one in said.items()}


def _allowed(name: str, said: object) -> Allowed:
    match said:
        case "read" | "act":
            return Allowed(said)
        case {"use": "read" | "act" as use, **rest} if not rest.keys() - _TOOL:
            return Allowed(use, str(rest.get("about", "")))
    raise Usage(f"tool {name!r} is `read` or `act`, or has `use:` and `about:`, not {said!r}")
