"""What a browser would not show of a page: hidden elements, comments, and white words on white."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from selectolax.lexbor import LexborNode

from muniment.domain.regex import regex
from muniment.sources.convert import Apart
from muniment.sources.unseen.looks import ELEMENTS, hides, is_hidden

__all__ = ["Inks", "Unseen"]

_INK = regex(r"(?<![-\w])color\s*:\s*([^;!]{1,60})", re.IGNORECASE)
_GROUND = regex(r"background(?:-color|-image)?\s*:\s*([^;!]{1,200})", re.IGNORECASE)
_WHITE = regex(
    r"(?:white|#f{3}|#f{6}|rgba?\(\s*255\s*,\s*255\s*,\s*255\s*(?:,\s*1(?:\.0*)?\s*)?\)|transparent"
    r"|rgba\([^)]*,\s*0?(?:\.0+)?\s*\))\s*\Z",
    re.IGNORECASE,
)
_NO_GROUND = regex(r"(?:none|transparent|initial|inherit|unset)\s*\Z", re.IGNORECASE)
_RULE = regex(r"([^{}]{1,500})\{([^{}]{0,5000})\}")
_SIMPLE = regex(r"([a-z][a-z0-9]*)?(?:([.#])([\w-]+))?\Z", re.IGNORECASE)
_MOST_RULES = 5000


@dataclass(slots=True)
class Unseen:
    """What is left out of a page, counted, with its words. `styles` are those of its own style sheets."""

    styles: dict[str, str] = field(default_factory=dict)
    dropped: Counter[str] = field(default_factory=Counter)
    apart: list[Apart] = field(default_factory=list)

    @classmethod
    def of(cls, root: LexborNode) -> Unseen:
        """With the rules of the page's style sheets that hold for plain names, classes and ids."""
        styles: dict[str, str] = {}
        for sheet in root.css("style"):
            for names, said in _rules(sheet.text(deep=True) or ""):
                for name in names:
                    styles[name] = f"{styles.get(name, '')};{said}"
        return cls(styles)

    def style(self, node: LexborNode) -> str:
        """Everything that the page says outright of how an element looks, its own words last."""
        attributes = node.attributes
        tag = node.tag or ""
        names = [tag, *(f".{one}" for one in (attributes.get("class") or "").split()[:50])]
        names += [f"{tag}{one}" for one in names[1:]]
        if attributes.get("id"):
            names += [f"#{attributes['id']}", f"{tag}#{attributes['id']}"]
        given = [self.styles[name] for name in names if name in self.styles]
        return ";".join([*given, attributes.get("style") or ""])

    def drops(self, node: LexborNode) -> bool:
        """Whether an element or comment is not shown; then it is counted and its words are kept apart."""
        if node.is_comment_node:
            self.dropped["comments"] += 1
            self.apart.append(Apart("comment in the markup", "page", node.comment_content or ""))
            return True
        if not node.is_element_node:
            return False
        tag = node.tag or ""
        if tag in ELEMENTS:
            self.dropped[f"<{tag}> elements"] += tag not in ("script", "style", "head")
            return True
        if is_hidden(tag, node.attributes) or hides(self.style(node)):
            self.dropped["hidden elements"] += 1
            self.apart.append(Apart("hidden text", "page", _words(node)))
            return True
        return False

    def notes(self) -> tuple[str, ...]:
        """How much of what was left out."""
        return tuple(f"left out: {what} ({count})" for what, count in sorted(self.dropped.items()) if count)


def _words(node: LexborNode) -> str:
    """The words in an element, those of its comments too."""
    said = [node.text(deep=True, separator=" ") or ""]
    said += [part.comment_content or "" for part in node.traverse(include_text=True) if part.is_comment_node]
    return " ".join(" ".join(said).split())


def _rules(sheet: str) -> Iterator[tuple[list[str], str]]:
    """Rules of a style sheet outside `@media` and the like, for selectors that name one thing."""
    flat = _flat(re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL))
    for number, match in enumerate(_RULE.finditer(flat)):
        if number >= _MOST_RULES:
            return
        names = [one.strip() for one in match[1].split(",")]
        yield [name for name in names if name and _SIMPLE.match(name)], match[2]


def _flat(sheet: str) -> str:
    """The sheet without what stands under a condition."""
    kept: list[str] = []
    depth = 0
    conditional = False
    for part in re.split(r"([{}])", sheet):
        if part == "{":
            depth += 1
        elif part == "}":
            depth = max(depth - 1, 0)
        elif not depth:
            conditional = part.rpartition(";")[2].lstrip().startswith("@")
        if not conditional:
            kept.append(part if part in "{}" else part.rpartition(";")[2] if not depth else part)
        conditional = conditional and not (part == "}" and not depth)
    return "".join(kept)


class Inks:
    """The colour of words and of what is behind them, while a page is walked."""

    def __init__(self, unseen: Unseen) -> None:
        self._unseen = unseen
        self._open: list[tuple[bool, bool]] = [(False, True)]  # white ink, white ground

    def enter(self, node: LexborNode) -> None:
        """An element may change both."""
        style = self._unseen.style(node)
        ink, paper = self._open[-1]
        colours = [*filter(None, [node.attributes.get("color")]), *_INK.findall(style)]
        grounds = [*filter(None, [node.attributes.get("bgcolor")]), *_GROUND.findall(style)]
        if colours:
            ink = _WHITE.match(colours[-1].strip()) is not None
        for ground in (one.strip() for one in grounds):
            if not _NO_GROUND.match(ground):
                paper = _WHITE.match(ground) is not None
        self._open.append((ink, paper))

    def leave(self) -> None:
        """An element ends."""
        self._open.pop()

    def shows(self, words: str) -> bool:
        """Whether words can be seen here; those that cannot are kept apart."""
        if self._open[-1] != (True, True) or not words.strip():
            return True
        self._unseen.dropped["white words on white"] += 1
        self._unseen.apart.append(Apart("hidden text", "page", words))
        return False
