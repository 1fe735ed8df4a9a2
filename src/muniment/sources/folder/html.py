"""HTML to the text a reader of the page would see, as Markdown: headings, lists, quotations, tables, code.

Parsed by lexbor, walked without recursion. What a browser would not show is left out and counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser, LexborNode

from muniment.domain.regex import regex
from muniment.sources.convert import Apart, bounded
from muniment.sources.folder.decode import Unreadable
from muniment.sources.folder.page import Page
from muniment.sources.folder.unseen import Inks, Unseen

__all__ = ["Converted", "convert"]


@dataclass(frozen=True, slots=True)
class Converted:
    """A page's title, its readable text, and what was left out of it."""

    title: str | None
    text: str
    notes: tuple[str, ...] = ()
    apart: tuple[Apart, ...] = ()


_TAG = regex(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_CLOSES_ITSELF = frozenset(
    "p li dt dd tr td th thead tbody tfoot option optgroup rt rp html body head".split()
)
_FORMATS = frozenset("a b big code em font i nobr s small strike strong tt u".split())
_ATTRIBUTE = r"""[^\s/>"'=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>][^\s>]*))?"""
_ATTRIBUTES = regex(rf"""<[a-zA-Z][^\s/>]*((?:[\s/]+|{_ATTRIBUTE}|["'=])*+)""")
_MANY = 200  # characters of attributes from which they are counted
_MOST_PAIRS = 100_000_000  # attributes of one element, each compared with every other
_MOST_STEPS = 150_000_000  # levels times tags: what lexbor may walk up through
_MOST_COPIES = 5_000_000  # open formats times tags: what the standard has it copy into each block


def convert(markup: str) -> Converted | Unreadable:
    """The page as text, or why nobody could read it in reasonable time."""
    if _costs_too_much(markup):
        return Unreadable("its elements are nested too deeply")
    if _compares_too_much(markup):
        return Unreadable("its elements have too many attributes")
    root = LexborHTMLParser(markup).root
    if root is None:
        return Converted(None, "")
    unseen = Unseen.of(root)
    inks = Inks(unseen)
    page = Page(_layout_tables(root))
    for entering, node in _walk(root, unseen):
        if node.is_text_node:
            words = node.text_content or ""
            page.write(words if inks.shows(words) else "")
        elif entering:
            inks.enter(node)
            page.enter(node)
        else:
            inks.leave()
            page.leave(node)
    apart, _ = bounded(unseen.apart)
    return Converted(_title(root), page.text(), unseen.notes(), apart)


def _costs_too_much(markup: str) -> bool:
    """Whether parsing as the standard says would take more than linear work to speak of."""
    deep = formats = deepest = most_formats = tags = 0
    for tag in _TAG.finditer(markup):
        tags += 1
        name = tag[2].lower()
        if name in _VOID or name in _CLOSES_ITSELF:
            continue
        step = -1 if tag[1] else 1
        deep = max(deep + step, 0)
        deepest = max(deepest, deep)
        if name in _FORMATS:
            formats = max(formats + step, 0)
            most_formats = max(most_formats, formats)
    return deepest * tags > _MOST_STEPS or most_formats * tags > _MOST_COPIES


def _compares_too_much(markup: str) -> bool:
    """Whether an element's attributes are so many that looking for doubles among them is the most work."""
    long = (match[1] for match in _ATTRIBUTES.finditer(markup) if len(match[1]) > _MANY)
    return sum(len(re.findall(_ATTRIBUTE, text)) ** 2 for text in long) > _MOST_PAIRS


def _walk(root: LexborNode, unseen: Unseen) -> Iterator[tuple[bool, LexborNode]]:
    """Every visible node on the way in, and elements again on the way out."""
    waiting = [(True, root)]
    while waiting:
        entering, node = waiting.pop()
        if entering and unseen.drops(node):
            continue
        yield entering, node
        if entering and node.is_element_node:
            waiting.append((False, node))
            waiting += reversed([(True, child) for child in node.iter(include_text=True)])


def _layout_tables(root: LexborNode) -> frozenset[int]:
    """Tables that only place things: those that hold another table, or say so."""
    found: set[int] = set()
    opened: list[int] = []
    for entering, node in _walk(root, Unseen.of(root)):
        if node.tag != "table":
            continue
        if not entering:
            opened.pop()
            continue
        found.update(opened[-1:])
        opened.append(node.mem_id)
        if node.attributes.get("role") == "presentation":
            found.add(node.mem_id)
    return frozenset(found)


def _title(root: LexborNode) -> str | None:
    for query in ("head > title", "h1"):
        node = root.css_first(query)
        text = " ".join(node.text(deep=True).split()) if node is not None else ""
        if text:
            return text
    return None
