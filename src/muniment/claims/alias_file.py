"""An alias file to its entries: which names mean one thing here, and who may know so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import yaml

from muniment.domain.audience import EVERYONE, Audience, parse_audience
from muniment.domain.errors import Malformed
from muniment.domain.names import is_usable, normal_name
from muniment.sources.strict import Node, Wrong, compose

__all__ = ["KINDS", "Entry", "read_aliases"]

KINDS: Final = ("account", "project", "service", "person", "policy", "topic", "incident")
LONGEST: Final = 1_000_000  # characters of a file
MOST: Final = 5_000  # entries of it
MOST_NAMES: Final = 100  # of an entry
_FIELDS: Final = ("means", "kind", "names", "audience")


@dataclass(frozen=True, slots=True)
class Entry:
    """That all these names mean one thing; `line` is where the file says so."""

    means: str
    kind: str | None
    names: tuple[str, ...]
    audience: Audience
    line: int

    @property
    def called(self) -> tuple[str, ...]:
        """Every name it is about, in the form in which names meet, the meaning first."""
        return tuple(dict.fromkeys(normal_name(one) for one in (self.means, *self.names)))


def read_aliases(text: str) -> list[Entry]:
    """The entries a file states; Malformed names what is wrong, where, and what to write instead."""
    root = compose(text, "the alias file", longest=LONGEST, begins="aliases:, a list of entries")
    try:
        return _entries(root)
    except Wrong as error:
        raise Malformed(str(error)) from None


def _entries(root: Node) -> list[Entry]:
    found = root.fields(("audience", "aliases"))
    if "aliases" not in found:
        raise root.wrong("field 'aliases' is missing: a list of entries, each with means and names")
    default = _audience(found["audience"]) if "audience" in found else Audience.of(EVERYONE)
    aliases = found["aliases"]
    if aliases.is_list and not aliases.yaml.value:
        return []
    nodes = aliases.each()
    if len(nodes) > MOST:
        raise aliases.wrong(f"{len(nodes):,} entries are too many: at most {MOST:,}")
    entries = [_entry(node, default) for node in nodes]
    _refuse_twice(nodes, entries)
    return entries


def _entry(node: Node, default: Audience) -> Entry:
    found = node.fields(_FIELDS)
    for name in ("means", "names"):
        if name not in found:
            raise node.wrong(f"field {name!r} is missing: what it means, and the other names for that")
    means = _name(found["means"])
    nodes = found["names"].each()
    if len(nodes) > MOST_NAMES:
        raise found["names"].wrong(f"{len(nodes):,} names are too many for one thing: at most {MOST_NAMES}")
    kind = found["kind"].one_of(KINDS) if "kind" in found else None
    audience = _audience(found["audience"]) if "audience" in found else default
    return Entry(means, kind, _names(means, nodes), audience, node.line)


def _names(means: str, nodes: Sequence[Node]) -> tuple[str, ...]:
    seen = {normal_name(means): "what it means"}
    for node in nodes:
        name = normal_name(_name(node))
        if name in seen:
            raise node.wrong(f"{node.text()!r} is {seen[name]} already: give each name once")
        seen[name] = f"given as {node.text()!r}"
    return tuple(node.text() for node in nodes)


def _name(node: Node) -> str:
    text = node.text()
    if len(normal_name(text)) < 2 or not is_usable(normal_name(text)):  # a letter is in everything
        raise node.wrong(f"{text!r} can be no name: write at least two letters, and at most 1,024 bytes")
    return text


def _audience(node: Node) -> Audience:
    if not node.is_list:
        raise node.wrong("an audience is a list, such as ['*'] or [group:sales]")
    try:
        return parse_audience([_clause(one) for one in node.yaml.value])
    except ValueError as error:
        raise node.wrong(str(error)) from None


def _clause(node: yaml.Node) -> object:
    if isinstance(node, yaml.SequenceNode):
        return [one.value for one in node.value if isinstance(one, yaml.ScalarNode)]
    return node.value if isinstance(node, yaml.ScalarNode) else None


def _refuse_twice(nodes: Sequence[Node], entries: Sequence[Entry]) -> None:
    """One thing, one entry for each audience, or which names were meant is anybody's guess."""
    seen: dict[tuple[str, Audience], int] = {}
    for node, entry in zip(nodes, entries, strict=True):
        key = (normal_name(entry.means), entry.audience)
        if key in seen:
            raise node.wrong(f"{entry.means!r} has an entry on line {seen[key]} already: put its names there")
        seen[key] = entry.line
