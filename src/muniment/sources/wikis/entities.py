"""The objects of a Confluence XML export: pages, their bodies, who they are restricted to."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree import ElementTree as ET

__all__ = ["Entities", "PageObject", "read_entities"]

_CONTROL = bytes(one for one in range(32) if one not in (9, 10, 13))
_KINDS = frozenset(
    "Page BlogPost BodyContent Space ConfluenceUserImpl ContentPermission ContentPermissionSet".split()
)


@dataclass(frozen=True, slots=True)
class PageObject:
    """One object: its class, its id, and its properties; of one that is another object, the id."""

    kind: str
    id: str
    said: dict[str, str]

    def get(self, name: str) -> str:
        """A property, empty where it is not said."""
        return self.said.get(name, "")


@dataclass(frozen=True, slots=True)
class Entities:
    """What of an export makes pages, by id."""

    pages: dict[str, PageObject] = field(default_factory=dict)
    bodies: dict[str, str] = field(default_factory=dict)
    spaces: dict[str, PageObject] = field(default_factory=dict)
    people: dict[str, str] = field(default_factory=dict)
    restrictions: dict[str, list[tuple[str, str]]] = field(default_factory=dict)

    def above(self, page: PageObject) -> list[PageObject] | None:
        """The pages a page lies under, outermost first; None where one of them is not in the export."""
        found: list[PageObject] = []
        seen = {page.id}
        while parent := page.get("parent"):
            if parent in seen or parent not in self.pages:
                return None
            page = self.pages[parent]
            seen.add(parent)
            found.append(page)
        return found[::-1]


def read_entities(raw: bytes) -> Entities:
    """From `entities.xml`. ValueError where it is no XML, or declares a document type."""
    if b"<!DOCTYPE" in raw[:65536] or b"<!ENTITY" in raw[:65536]:
        raise ValueError("it declares a document type, which Confluence does not write")
    found = Entities()
    sets: dict[str, str] = {}
    permissions: list[PageObject] = []
    try:
        for one in _objects(raw):
            _take(found, one, sets, permissions)
    except ET.ParseError as error:
        raise ValueError(f"it is no XML: {error}") from None
    for permission in permissions:
        page = sets.get(permission.get("owningSet"))
        if page is not None and permission.get("type").casefold() == "view":
            found.restrictions.setdefault(page, []).append(_subject(found, permission))
    return found


def _objects(raw: bytes) -> Iterator[PageObject]:
    source = io.BytesIO(raw.translate(None, _CONTROL))
    for _, element in ET.iterparse(source, events=("end",)):  # noqa: S314  # no document type, so no entities
        if element.tag == "object":
            kind = element.get("class", "")
            if kind in _KINDS:
                yield PageObject(kind, _id(element), dict(_properties(element)))
            element.clear()


def _id(element: ET.Element) -> str:
    return next(((one.text or "").strip() for one in element if one.tag == "id"), "")


def _properties(element: ET.Element) -> Iterator[tuple[str, str]]:
    for one in element:
        if one.tag == "property":
            yield one.get("name", ""), _id(one) or (one.text or "").strip()


def _take(found: Entities, one: PageObject, sets: dict[str, str], permissions: list[PageObject]) -> None:
    match one.kind:
        case "Page" | "BlogPost":
            found.pages[one.id] = one
        case "BodyContent":
            found.bodies[one.get("content")] = one.get("body")
        case "Space":
            found.spaces[one.id] = one
        case "ConfluenceUserImpl":
            found.people[one.id] = one.get("name") or one.get("lowerName")
        case "ContentPermissionSet" if one.get("type").casefold() == "view":
            sets[one.id] = one.get("owningContent")
            found.restrictions.setdefault(one.get("owningContent"), [])
        case "ContentPermission":
            permissions.append(one)
        case _:
            pass


def _subject(found: Entities, permission: PageObject) -> tuple[str, str]:
    """A group, or a user by name: users may be named here, or by a key."""
    if permission.get("groupName"):
        return "group", permission.get("groupName")
    key = permission.get("userSubject") or permission.get("userName")
    return "user", found.people.get(key) or key or "nobody"
