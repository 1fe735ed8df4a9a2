"""A relation model and its tuples as our events: which groups there are, and for whom each object is.

A relation of an object is a group, as long as it is a union: people, other groups, a relation of a parent.
Where it is an intersection, the object's audience gets a clause for each part. Neither has a form for what is
excepted (`but not`), nor for conditions on what a request brings along, but for the time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import reduce
from typing import TypeAlias

__all__ = ["CannotSayError", "Model", "Tuple", "World", "parse_model"]


class CannotSayError(Exception):
    """Something our audiences have no form for."""


@dataclass(frozen=True, slots=True)
class Direct:
    """Whoever a tuple names."""

    types: frozenset[str]


@dataclass(frozen=True, slots=True)
class Computed:
    """Whoever has another relation to the same object."""

    relation: str


@dataclass(frozen=True, slots=True)
class Parent:
    """Whoever has a relation to a parent."""

    relation: str
    parents: str


@dataclass(frozen=True, slots=True)
class Any:
    """Whoever is in one of the parts."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class All:
    """Whoever is in all of the parts."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Except:
    """Whoever is in the one and not in the other."""

    part: Node


Node: TypeAlias = Direct | Computed | Parent | Any | All | Except
Clauses: TypeAlias = frozenset[frozenset[str]]
_WORD = re.compile(r"\[[^\]]*\]|[()]|[\w-]+")
_UNTIL = re.compile(r"current_time\s*<\s*(\w+)\s*\+\s*(\w+)\Z")
_LENGTH = re.compile(r"(\d+)(h|m|s)")
_UNITS = {"h": "hours", "m": "minutes", "s": "seconds"}


@dataclass(frozen=True, slots=True)
class Model:
    """What each type's relations mean, and each condition as it is written."""

    types: Mapping[str, Mapping[str, Node]]
    conditions: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Tuple:
    """One statement; `condition` names what it depends on, with what it brings for that."""

    user: str
    relation: str
    target: str
    condition: str | None = None
    context: Mapping[str, object] = field(default_factory=dict, compare=False)


def parse_model(text: str) -> Model:
    """The model as it is written in its own language."""
    lines = [line.split(" #")[0].strip() for line in text.splitlines() if not line.strip().startswith("#")]
    types: dict[str, dict[str, Node]] = {}
    here: dict[str, Node] = {}
    for line in lines:
        if line.startswith("type "):
            here = types.setdefault(line.split()[1], {})
        elif line.startswith("define "):
            name, _, said = line.removeprefix("define ").partition(":")
            here[name.strip()] = _Reading(_WORD.findall(said)).expression()
    found = re.findall(r"condition\s+(\w+)\s*\([^{]*\)\s*\{([^}]*)\}", "\n".join(lines))
    return Model(types, {name: " ".join(body.split()) for name, body in found})


class _Reading:
    """One definition, word by word."""

    def __init__(self, words: list[str]) -> None:
        self.words = words

    def expression(self) -> Node:
        parts = [self._term()]
        joint = None
        while self.words and self.words[0] in {"or", "and", "but"}:
            joint = self.words.pop(0)
            if joint == "but":
                self.words.pop(0)
            parts.append(self._term())
        match joint:
            case None:
                return parts[0]
            case "or":
                return Any(tuple(parts))
            case "and":
                return All(tuple(parts))
            case _:
                return Except(parts[0])

    def _term(self) -> Node:
        word = self.words.pop(0)
        if word == "(":
            inner = self.expression()
            self.words.pop(0)
            return inner
        if word.startswith("["):
            return Direct(frozenset(part.strip() for part in word[1:-1].split(",")))
        if self.words and self.words[0] == "from":
            self.words.pop(0)
            return Parent(word, self.words.pop(0))
        return Computed(word)


class World:
    """A model with its tuples in our words, under one prefix; groups are written as they are needed."""

    def __init__(self, model: Model, tuples: Iterable[Tuple], prefix: str) -> None:
        self.model = model
        self.tuples = list(tuples)
        self.prefix = prefix
        self.edges: dict[tuple[str, str], datetime | None] = {}
        self.public: set[str] = set()
        self._written: set[str] = set()

    def principal(self, user: str) -> str:
        """Somebody, or something that acts, by our name."""
        kind, _, name = user.partition(":")
        return f"{'user' if kind == 'user' else 'service'}:{self.prefix}/{kind}/{name}"

    def subjects(self, kind: str) -> list[str]:
        """Everyone of a type that anything is said of."""
        named = {one.user for one in self.tuples} | {one.target for one in self.tuples}
        return sorted(
            one for one in named if one.startswith(f"{kind}:") and "#" not in one and "*" not in one
        )

    def full_members(self) -> set[str]:
        """The types whose everyone is meant by a tuple."""
        return {one.user.partition(":")[0] for one in self.tuples if one.user.endswith(":*")}

    def audience(self, object_: str, relation: str) -> Clauses:
        """For whom something is that whoever has this relation to the object may read."""
        clauses = self._relation(object_, relation, frozenset())
        return frozenset(clause | {"*"} if self._is_public(clause) else clause for clause in clauses)

    def _is_public(self, clause: frozenset[str]) -> bool:
        """Whether everyone is in one of these groups, or one in them; a group itself cannot hold `*`."""
        seen: set[str] = set()
        waiting = list(clause)
        while waiting:
            group = waiting.pop()
            if group not in seen:
                seen.add(group)
                waiting += [member for member, outer in self.edges if outer == group]
        return not seen.isdisjoint(self.public)

    def _relation(self, object_: str, relation: str, open_: frozenset[tuple[str, str]]) -> Clauses:
        kind = object_.partition(":")[0]
        node = self.model.types.get(kind, {}).get(relation)
        if node is None:
            raise CannotSayError(f"{kind} has no relation {relation}")
        if self._is_union(kind, relation):
            return frozenset({frozenset({self._group(object_, relation)})})
        if (object_, relation) in open_:
            raise CannotSayError("an intersection that leads to itself")
        return self._clauses(object_, relation, node, open_ | {(object_, relation)})

    def _clauses(self, object_: str, relation: str, node: Node, open_: frozenset[tuple[str, str]]) -> Clauses:
        match node:
            case All(parts):
                return frozenset().union(*(self._clauses(object_, relation, one, open_) for one in parts))
            case Any(parts):
                return _either(self._clauses(object_, relation, one, open_) for one in parts)
            case Computed(other):
                return self._relation(object_, other, open_)
            case Parent(other, parents):
                over = [one.user for one in self._said(object_, parents) if self._has(one.user, other)]
                return _either(self._relation(parent, other, open_) for parent in over)
            case Direct():
                return frozenset({frozenset({self._direct(object_, relation)})})
            case Except():
                raise CannotSayError("an exception (but not)")

    def _is_union(self, kind: str, relation: str) -> bool:
        """Whether nothing this relation leads to is an intersection or an exception."""
        return all(not isinstance(node, All | Except) for node in self._leads_to(kind, relation, set()))

    def _leads_to(self, kind: str, relation: str, seen: set[tuple[str, str]]) -> Iterator[Node]:
        if (kind, relation) in seen or relation not in self.model.types.get(kind, {}):
            return
        seen.add((kind, relation))
        waiting = [self.model.types[kind][relation]]
        while waiting:
            node = waiting.pop()
            yield node
            match node:
                case Any(parts) | All(parts):
                    waiting += parts
                case Except(part):
                    waiting.append(part)
                case Computed(other):
                    yield from self._leads_to(kind, other, seen)
                case Parent(other, parents):
                    for above in self._types_of(kind, parents):
                        yield from self._leads_to(above, other, seen)
                case Direct(types):
                    for one in types:
                        above, _, other = one.split(" ")[0].partition("#")
                        yield from self._leads_to(above, other, seen)

    def _types_of(self, kind: str, relation: str) -> set[str]:
        nodes = self._leads_to(kind, relation, set())
        return {
            one.split(" ")[0].split("#")[0]
            for node in nodes
            if isinstance(node, Direct)
            for one in node.types
        }

    def _has(self, object_: str, relation: str) -> bool:
        return relation in self.model.types.get(object_.partition(":")[0], {})

    def _said(self, object_: str, relation: str) -> list[Tuple]:
        return [one for one in self.tuples if (one.target, one.relation) == (object_, relation)]

    # What is a group is written down once, with everything in it.

    def _group(self, object_: str, relation: str) -> str:
        group = f"group:{self.prefix}/{object_}#{relation}"
        if group not in self._written:
            self._written.add(group)
            self._fill(group, object_, relation, self.model.types[object_.partition(":")[0]][relation])
        return group

    def _fill(self, group: str, object_: str, relation: str, node: Node) -> None:
        match node:
            case Any(parts):
                for part in parts:
                    self._fill(group, object_, relation, part)
            case Computed(other):
                self.edges[self._group(object_, other), group] = None
            case Parent(other, parents):
                for one in self._said(object_, parents):
                    if self._has(one.user, other):
                        self.edges[self._group(one.user, other), group] = None
            case Direct():
                self._name(group, object_, relation)
            case All() | Except():
                raise CannotSayError("an intersection inside a group")

    def _direct(self, object_: str, relation: str) -> str:
        group = f"group:{self.prefix}/{object_}#{relation}/named"
        if group not in self._written:
            self._written.add(group)
            self._name(group, object_, relation)
        return group

    def _name(self, group: str, object_: str, relation: str) -> None:
        for one in self._said(object_, relation):
            until = self._until(one)
            held, name = one.user.partition("#")[::2]
            if one.user.endswith(":*"):
                if until is not None or len(self.full_members()) > 1:
                    raise CannotSayError("everyone of one kind among others, or for a time")
                self.public.add(group)
            elif not name:
                self.edges[self.principal(held), group] = until
            elif self._is_union(held.partition(":")[0], name):
                self.edges[self._group(held, name), group] = until
            else:
                raise CannotSayError("a group whose members are an intersection")

    def _until(self, one: Tuple) -> datetime | None:
        """When a statement ends; a condition on anything but the time has no such instant."""
        if one.condition is None:
            return None
        said = _UNTIL.match(self.model.conditions.get(one.condition, "").strip())
        if said is None:
            raise CannotSayError(f"the condition {one.condition}")
        start, length = (one.context.get(name) for name in said.groups())
        if start is None or length is None:
            raise CannotSayError(f"the condition {one.condition}, whose period the request brings")
        return datetime.fromisoformat(str(start)) + _length(str(length))


def _length(said: str) -> timedelta:
    return sum((timedelta(**{_UNITS[unit]: int(n)}) for n, unit in _LENGTH.findall(said)), timedelta())


def _either(parts: Iterable[Clauses]) -> Clauses:
    """An OR of ANDs as an AND of ORs; of nothing, what nobody is in."""
    found = list(parts)
    if not found:
        return frozenset({frozenset({"group:nobody"})})
    return reduce(lambda one, other: frozenset(a | b for a in one for b in other), found)
