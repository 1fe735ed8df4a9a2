"""What Word's styles and run properties make of a run: seen, or there and not seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from xml.etree import ElementTree as ET

__all__ = ["Looks", "looks_of", "named"]

_OFF = frozenset({"0", "false", "off"})
_TINY = 3  # half points: smaller than anybody prints
_WATCHED = ("vanish", "color", "sz")
_DEEPEST = 20  # styles that rest on styles


def named(element: ET.Element) -> str:
    """An element's name without its namespace: Word has two, one of them strict."""
    return element.tag.rpartition("}")[2]


def _value(element: ET.Element, name: str = "val") -> str | None:
    return next((value for key, value in element.attrib.items() if key.rpartition("}")[2] == name), None)


def _watched(properties: ET.Element | None) -> dict[str, str]:
    """What run properties say of being seen; a switch without a value is on."""
    if properties is None:
        return {}
    return {named(one): _value(one) or "1" for one in properties if named(one) in _WATCHED}


def _child(element: ET.Element, name: str) -> ET.Element | None:
    return next((one for one in element if named(one) == name), None)


@dataclass(frozen=True, slots=True)
class Looks:
    """What each style says, what it rests on included; `default` is that of paragraphs that name none."""

    styles: Mapping[str, Mapping[str, str]]
    default: Mapping[str, str]

    def hides(self, run: ET.Element, paragraph: ET.Element, shaded: bool) -> bool:  # noqa: FBT001  # seen or not
        """Whether nobody sees the run: hidden, too small, or white with nothing behind it."""
        own = _child(run, "rPr")
        said = {**self.default, **self._of(_child(paragraph, "pPr"), "pStyle"), **self._of(own, "rStyle")}
        said |= _watched(own)
        if said.get("vanish", "0") not in _OFF:
            return True
        if said.get("sz", "").isdecimal() and int(said["sz"]) <= _TINY:
            return True
        return said.get("color", "").upper() == "FFFFFF" and not shaded

    def _of(self, properties: ET.Element | None, name: str) -> Mapping[str, str]:
        style = None if properties is None else _child(properties, name)
        return {} if style is None else self.styles.get(_value(style) or "", {})


def looks_of(root: ET.Element | None) -> Looks:
    """The styles of a document."""
    found = (
        {} if root is None else {_value(one, "styleId") or "": one for one in root if named(one) == "style"}
    )
    styles = {name: _inherited(found, name) for name in found}
    plain = [
        name
        for name, one in found.items()
        if _value(one, "default") in ("1", "true") and _value(one, "type") == "paragraph"
    ]
    return Looks(styles, styles[plain[0]] if plain else {})


def _inherited(found: Mapping[str, ET.Element], name: str) -> dict[str, str]:
    said: dict[str, str] = {}
    for _ in range(_DEEPEST):
        style = found.get(name)
        if style is None:
            break
        said = {**_watched(_child(style, "rPr")), **said}
        above = _child(style, "basedOn")
        name = "" if above is None else _value(above) or ""
    return said
