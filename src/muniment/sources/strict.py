"""YAML that somebody wrote by hand, read strictly: every fault is named with its line and field."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import yaml

from muniment.domain.errors import Malformed

__all__ = ["Node", "Wrong", "compose"]


class Wrong(Exception):  # what it says reads as a sentence: wrong at line 3
    """What is wrong, at which line and field."""


@dataclass(frozen=True, slots=True)
class Node:
    """A part of the file and the path of fields that leads to it."""

    yaml: yaml.Node
    path: str

    @property
    def line(self) -> int:
        """Where it begins, counted from 1."""
        return int(self.yaml.start_mark.line) + 1

    def wrong(self, what: str) -> Wrong:
        """A fault of this part."""
        return Wrong(f"line {self.line}, {self.path}: {what}")

    def fields(self, known: Sequence[str]) -> dict[str, Node]:
        """A mapping's parts by name; a name that is unknown or given twice is a fault."""
        if not isinstance(self.yaml, yaml.MappingNode):
            raise self.wrong(f"fields are wanted here: {', '.join(known)}")
        found: dict[str, Node] = {}
        for key, value in self.yaml.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else ""
            part = Node(value, f"{self.path}.{name}")
            if name not in known:
                raise Node(key, self.path).wrong(f"field {name!r} is unknown: use {', '.join(known)}")
            if name in found:
                raise part.wrong("is given twice")
            found[name] = part
        return found

    def each(self) -> list[Node]:
        """The parts of a list that is not empty."""
        if not self.is_list or not self.yaml.value:
            raise self.wrong("a list of at least one is wanted here")
        return [Node(one, f"{self.path}[{at}]") for at, one in enumerate(self.yaml.value, 1)]

    @property
    def is_list(self) -> bool:
        """Whether it is a list, which may be empty."""
        return isinstance(self.yaml, yaml.SequenceNode)

    def text(self) -> str:
        """A word or number, as written."""
        if not isinstance(self.yaml, yaml.ScalarNode) or not self.yaml.value.strip():
            raise self.wrong("a word or a number is wanted here")
        return str(self.yaml.value).strip()

    def one_of(self, known: Collection[str]) -> str:
        """One of a few words."""
        text = self.text()
        if text not in known:
            raise self.wrong(f"{text!r} is unknown: use {', '.join(known)}")
        return text


def compose(text: str, what: str, *, longest: int, begins: str) -> Node:
    """The file's outermost part. `what` names the file in faults; `begins` says what one begins with."""
    if len(text) > longest:
        raise Malformed(f"{what} takes at most {longest:,} characters, not {len(text):,}")
    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=yaml.SafeLoader)):
            raise Malformed(f"{what} says everything where it stands: it uses no YAML aliases")
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError) as error:
        raise Malformed(f"{what} is no YAML: {_first_line(error)}") from None
    if root is None:
        raise Malformed(f"{what} is empty: it begins with {begins}")
    return Node(root, what.rsplit(maxsplit=1)[-1])


def _first_line(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    where = "" if mark is None else f"line {mark.line + 1}: "
    return where + (getattr(error, "problem", None) or type(error).__name__)
