"""Word documents: what a reader of the printed page would read, and apart from it what is hidden or open."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from xml.etree import ElementTree as ET

from muniment.domain.regex import regex
from muniment.sources.convert.made import Apart, Failed, Limits, Made
from muniment.sources.convert.ooxml import Package, open_package, properties_of
from muniment.sources.convert.wordstyles import Looks, looks_of, named

__all__ = ["read"]

_MAIN = "word/document.xml"
_NOTED = {"footnote": "word/footnotes.xml", "endnote": "word/endnotes.xml"}
_PENDING = {"ins": "{+%s+}", "moveTo": "{+%s+}", "del": "[-%s-]", "moveFrom": "[-%s-]"}
_TITLED = "p[style-name='Title'] => h1:fresh"
_INLINE = ["a", "b", "em", "i", "img", "strong", "u", "s", "del", "sub", "sup"]
_H1 = regex(r"^#[ \t]+(\S[^\n]*)", re.MULTILINE)


def read(data: bytes, limits: Limits) -> Made | Failed:
    """The document as Markdown."""
    package = open_package(data, limits)
    if isinstance(package, Failed):
        return package
    looks = looks_of(package.xml("word/styles.xml"))
    apart: list[Apart] = []
    changed: dict[str, bytes] = {}
    for what, name in {"paragraph": _MAIN, **_NOTED}.items():
        root = package.xml(name)
        if root is not None:
            apart += _Pass(root, looks, what).cleared()
            changed[name] = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    apart += _margins(package)
    body = _markdown(_rewritten(package, changed))
    title = _H1.search(body)
    return Made(body, title and title[1].strip(), {"properties": properties_of(package)}, (), tuple(apart))


@dataclass(frozen=True, slots=True)
class _Pass:
    """One part, from which everything leaves that is not shown or not settled."""

    root: ET.Element
    looks: Looks
    what: str
    parents: dict[ET.Element, ET.Element] = field(init=False)

    def __post_init__(self) -> None:
        parents = {child: parent for parent in self.root.iter() for child in parent}
        object.__setattr__(self, "parents", parents)

    def cleared(self) -> list[Apart]:
        """What was taken out, in order."""
        found: list[Apart] = []
        for number, paragraph in enumerate(list(_each(self.root, "p")), 1):
            where = f"{self.what} {number}"
            if self._is_pending(paragraph):
                found.append(Apart("tracked change", where, _both(paragraph), _by(paragraph)))
                _empty(paragraph)
            else:
                found += self._hidden(paragraph, where)
        return found

    def _is_pending(self, paragraph: ET.Element) -> bool:
        inside = any(_text(one).strip() for one in _each(paragraph, *_PENDING))
        return inside or any(_row_changes(above) for above in self._above(paragraph))

    def _above(self, element: ET.Element) -> Iterator[ET.Element]:
        while (element := self.parents.get(element, self.root)) is not self.root:
            yield element

    def _hidden(self, paragraph: ET.Element, where: str) -> Iterator[Apart]:
        """The runs nobody sees, those that follow each other as one piece."""
        gathered: list[str] = []
        for run in list(_each(paragraph, "r")):
            if self.looks.hides(run, paragraph, self._shaded(run)):
                gathered.append(_text(run))
                _empty(run)
            elif _text(run).strip() and gathered:
                yield Apart("hidden text", where, "".join(gathered))
                gathered = []
        if gathered:
            yield Apart("hidden text", where, "".join(gathered))

    def _shaded(self, run: ET.Element) -> bool:
        """Whether something around the run gives it a ground of its own."""
        return any(
            _is_ground(one)
            for above in (run, *self._above(run))
            for properties in above
            if named(properties) in ("rPr", "pPr", "tcPr", "tblPr")
            for one in properties
        )


def _is_ground(element: ET.Element) -> bool:
    match named(element):
        case "shd":
            fill = (_attribute(element, "fill") or "auto").upper()
            return fill not in ("AUTO", "FFFFFF")
        case "highlight":
            return _attribute(element, "val") not in (None, "none", "white")
        case _:
            return False


def _row_changes(element: ET.Element) -> bool:
    if named(element) != "tr":
        return False
    return any(named(change) in _PENDING for one in element if named(one) == "trPr" for change in one)


def _each(root: ET.Element, *names: str) -> Iterator[ET.Element]:
    return (one for one in root.iter() if named(one) in names)


def _attribute(element: ET.Element, name: str) -> str | None:
    return next((value for key, value in element.attrib.items() if key.rpartition("}")[2] == name), None)


def _text(element: ET.Element) -> str:
    """The words in an element, deleted ones too."""
    parts = []
    for one in element.iter():
        match named(one):
            case "t" | "delText":
                parts.append(one.text or "")
            case "tab" | "br" | "cr" | "p":
                parts.append(" ")
            case _:
                pass
    return "".join(parts)


def _both(paragraph: ET.Element) -> str:
    """A paragraph with what is to go in `[-…-]` and what is to come in `{+…+}`."""
    parts: list[str] = []
    for child in paragraph:
        mark = _PENDING.get(named(child))
        if mark is not None:
            parts.append(mark % _text(child) if _text(child) else "")
        elif named(child) != "pPr":
            parts.append(_both(child) if any(True for _ in _each(child, *_PENDING)) else _text(child))
    return "".join(parts)


def _by(paragraph: ET.Element) -> str | None:
    names = (_attribute(one, "author") for one in _each(paragraph, *_PENDING))
    return ", ".join(dict.fromkeys(name for name in names if name)) or None


def _empty(element: ET.Element) -> None:
    """Leave of an element only how it looks."""
    for child in list(element):
        if named(child) not in ("pPr", "rPr"):
            element.remove(child)


def _margins(package: Package) -> Iterator[Apart]:
    """Comments, and what stands at the head and foot of every page."""
    comments = package.xml("word/comments.xml")
    for number, one in enumerate(() if comments is None else _each(comments, "comment"), 1):
        yield Apart("comment", f"comment {number}", _text(one), _attribute(one, "author"))
    for what in ("header", "footer"):
        for name in package.names(f"word/{what}"):
            root = package.xml(name)
            if root is not None:
                yield Apart(f"page {what}", name.removeprefix("word/").removesuffix(".xml"), _text(root))


def _rewritten(package: Package, changed: Mapping[str, bytes]) -> io.BytesIO:
    """The file with these parts in place of its own, and without its media."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as archive:
        for name in dict.fromkeys(package.archive.namelist()):
            if not name.startswith(("word/media/", "word/embeddings/")):
                archive.writestr(name, changed[name] if name in changed else package.archive.read(name))
    made.seek(0)
    return made


def _markdown(file: io.BytesIO) -> str:
    # Heavy, and of the extra `docs`: imported where a document is read.
    import mammoth  # noqa: PLC0415  # the reason above
    from markdownify import markdownify  # noqa: PLC0415  # the reason above

    html = mammoth.convert_to_html(file, style_map=_TITLED, convert_image=_no_image).value
    text = markdownify(
        html,
        heading_style="ATX",
        bullets="-",
        strip=_INLINE,
        table_infer_header=True,
        escape_asterisks=False,
        escape_underscores=False,
        escape_misc=False,
    )
    return re.sub(r"\n{3,}", "\n\n", text).strip("\n") + "\n"


def _no_image(_: object) -> list[object]:
    """Pictures are not read."""
    return []
