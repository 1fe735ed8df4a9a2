"""Slack's own markup made readable: mentions by name, links with their labels, escapes undone.

One pass over the text, whatever is in it; what is unescaped last is never read as markup.
"""

from __future__ import annotations

from muniment.domain.regex import regex
from muniment.sources.slack.names import Names

__all__ = ["readable"]

_MARK = regex(r"<((?:[@#!]|[A-Za-z][A-Za-z0-9+.-]{0,20}:)[^<>\n]*)>")
_ESCAPES = {"&lt;": "<", "&gt;": ">", "&amp;": "&"}
_ESCAPE = regex(r"&(?:lt|gt|amp);")


def readable(said: str, names: Names) -> str:
    """The text as a person reads it."""
    parts: list[str] = []
    end = 0
    for mark in _MARK.finditer(said):
        parts += (_plain(said[end : mark.start()]), _marked(mark[1], names))
        end = mark.end()
    return "".join((*parts, _plain(said[end:])))


def _plain(said: str) -> str:
    return _ESCAPE.sub(lambda found: _ESCAPES[found[0]], said)


def _marked(inside: str, names: Names) -> str:
    """What stands between angle brackets: somebody, a channel, a group, a word to all, or a link."""
    target, bar, label = inside.partition("|")
    label = _plain(label)
    match target[:1]:
        case "@":
            return f"@{names.person(target[1:]) or label or target[1:]}"
        case "#":
            return f"#{label or names.channels.get(target[1:], target[1:])}"
        case "!":
            return _command(target[1:], label)
        case _:
            return _link(_plain(target), label if bar else "")


def _command(said: str, label: str) -> str:
    if said.startswith("date^"):
        return label or said
    if said.startswith("subteam^"):
        return f"@{(label or said.removeprefix('subteam^')).removeprefix('@')}"
    return f"@{label.removeprefix('@') or said}"


def _link(url: str, label: str) -> str:
    shown = url.removeprefix("mailto:").removeprefix("tel:")
    if not label or label in (url, shown):
        return shown
    return f"{label} ({shown})"
