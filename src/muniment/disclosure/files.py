"""A policy file to a policy: YAML read strictly, every fault named with its line and field."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Final, Literal, cast

import yaml

from muniment.assertions.attributes import normal_attribute
from muniment.disclosure.grids import Grid
from muniment.disclosure.policy import FILTERS, TRUSTS, Only, Policy, Range, Rule, Trend
from muniment.disclosure.windows import WINDOWS, WindowKind
from muniment.domain.errors import Malformed
from muniment.domain.names import normal_name
from muniment.domain.remembered import forgettable
from muniment.sources.strict import Node, Wrong, compose

__all__ = ["LONGEST", "read_policy"]

LONGEST: Final = 100_000  # characters of a policy file
_RULE: Final = ("about", *FILTERS, "qualifiers", "trust", "range", "trend")
_RANGE: Final = ("groups", "unit", "grid", "window")
_TREND: Final = ("groups", "window")
_STEPS: Final = ("from", "step", "to")


@forgettable
@lru_cache(maxsize=32)
def read_policy(text: str) -> Policy:
    """The policy a file's text states; Malformed names what is wrong and where."""
    root = compose(text, "the policy", longest=LONGEST, begins="levels:, a list of rules")
    try:
        return _policy(root)
    except Wrong as error:
        raise Malformed(str(error)) from None


def _number(node: Node) -> Decimal:
    """A number; low lines between digits are for the eye."""
    text = node.text().replace("_", "")
    try:
        number = Decimal(text)
    except InvalidOperation:
        raise node.wrong(f"{text!r} is no number") from None
    if not number.is_finite() or abs(number) > 10**18 or number != round(number, 6):
        raise node.wrong(f"{text!r} is too large or too fine for an edge")
    return number


def _policy(root: Node) -> Policy:
    found = root.fields(("levels",))
    if "levels" not in found:
        raise root.wrong("field 'levels' is missing: a list of rules")
    levels = found["levels"]
    if levels.is_list and not levels.yaml.value:
        return Policy(())
    rules: list[Rule] = []
    seen: dict[str, str] = {}
    for node in levels.each():
        rule = _rule(node)
        for attribute in sorted(rule.attributes):
            if attribute in seen:
                raise node.wrong(
                    f"{attribute!r} stands in {seen[attribute]} already: one attribute, one rule, so that "
                    f"nobody meets two grids for one value"
                )
            seen[attribute] = node.path
        rules.append(rule)
    return Policy(tuple(rules))


def _rule(node: Node) -> Rule:
    found = node.fields(_RULE)
    if "about" not in found:
        raise node.wrong("field 'about' is missing: the attributes it discloses, such as [revenue]")
    if "range" not in found and "trend" not in found:
        raise node.wrong("says neither range nor trend: it discloses nothing")
    return Rule(
        frozenset(_attribute(one) for one in found["about"].each()),
        tuple(_only(name, found[name]) for name in FILTERS if name in found),
        frozenset(_words(found, "qualifiers")),
        found["trust"].one_of(TRUSTS) if "trust" in found else "member",
        _range(found["range"]) if "range" in found else None,
        _trend(found["trend"]) if "trend" in found else None,
    )


def _words(found: Mapping[str, Node], name: str) -> list[str]:
    return [normal_name(one.text()) for one in found[name].each()] if name in found else []


def _attribute(node: Node) -> str:
    attribute = normal_attribute(node.text())
    if attribute is None:
        raise node.wrong(f"{node.text()!r} is no attribute that statements are read by")
    return attribute


def _only(field: str, node: Node) -> Only:
    names = [one.text() for one in node.each()]
    if field in ("entities", "accounts"):
        names = [normal_name(name) for name in names]
    return Only(cast("Literal['entities', 'accounts', 'kinds', 'sources']", field), frozenset(names))


def _groups(node: Node, found: Mapping[str, Node]) -> frozenset[str]:
    if "groups" not in found:
        raise node.wrong("field 'groups' is missing: who reads it, such as [group:sales]")
    groups = [(one, one.text()) for one in found["groups"].each()]
    for one, name in groups:
        if not name.startswith("group:") or len(name) == len("group:"):
            raise one.wrong(f"{name!r} is no group: write group:NAME")
    return frozenset(name for _, name in groups)


def _window(found: Mapping[str, Node]) -> WindowKind:
    return WINDOWS[found["window"].one_of(WINDOWS)] if "window" in found else "month"


def _range(node: Node) -> Range:
    found = node.fields(_RANGE)
    groups = _groups(node, found)
    for name in ("unit", "grid"):
        if name not in found:
            raise node.wrong(f"field {name!r} is missing")
    return Range(groups, _grid(found["grid"], _unit(found["unit"])), _window(found))


def _unit(node: Node) -> str:
    unit = node.text()
    return "" if unit == "number" else unit


def _grid(node: Node, unit: str) -> Grid:
    try:
        if isinstance(node.yaml, yaml.MappingNode):
            return Grid.stepped(unit, _steps(node))
        return Grid(unit, tuple(_number(one) for one in node.each()))
    except ValueError as error:
        raise node.wrong(str(error)) from None


def _steps(node: Node) -> list[Decimal]:
    found = node.fields(_STEPS)
    for name in _STEPS:
        if name not in found:
            raise node.wrong(f"field {name!r} is missing: a grid of equal bands says from, step and to")
    return [_number(found[name]) for name in _STEPS]


def _trend(node: Node) -> Trend:
    found = node.fields(_TREND)
    groups = _groups(node, found)
    if "window" not in found:
        raise node.wrong(f"field 'window' is missing: use {', '.join(WINDOWS)}")
    return Trend(groups, _window(found))
