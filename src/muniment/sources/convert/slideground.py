"""Whether text on a slide stands out from what is behind it, as far as colours are said outright."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["Ground", "is_unseen"]

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_FILLS = (f"{_A}solidFill", f"{_A}gradFill", f"{_A}blipFill", f"{_A}pattFill", f"{_P}blipFill")
_PAPER = frozenset({"FFFFFF", "bg1", "lt1"})
_TINY = 200  # hundredths of a point


@dataclass(frozen=True, slots=True)
class Ground:
    """What a slide's text is drawn on: white paper, unless a background says otherwise, and shapes."""

    white: bool
    shapes: tuple[Any, ...]

    @classmethod
    def of(cls, slide: Any) -> Ground:
        """The nearest background of the slide, its layout and its master, and the shapes upon it."""
        pages = (slide, slide.slide_layout, slide.slide_layout.slide_master)
        shapes = tuple(shape for page in reversed(pages) for shape in page.shapes)
        for page in pages:
            background = page._element.find(f"{_P}cSld/{_P}bg")  # noqa: SLF001  # the library makes one where it looks
            if background is not None:
                return cls(_colour(background) in _PAPER, shapes)
        return cls(white=True, shapes=shapes)

    def is_paper_under(self, shape: Any) -> bool:
        """Whether nothing lies between the shape's text and white paper."""
        if not self.white or _fill(shape):
            return False
        for other in self.shapes:
            if other._element is shape._element:  # noqa: SLF001  # what is drawn later lies above
                return True
            if _fill(other) and _overlap(shape, other):
                return False
        return True


def _colour(element: Any) -> str | None:
    """The colour said first inside an element."""
    for one in element.iter(f"{_A}srgbClr", f"{_A}schemeClr", f"{_A}sysClr"):
        return (
            str(one.get("lastClr") or one.get("val")) if one.tag.endswith("sysClr") else str(one.get("val"))
        )
    return None


def _fill(shape: Any) -> bool:
    """Whether a shape is filled, with white too: then its text stands on that."""
    element = shape._element  # noqa: SLF001  # a picture has its fill where the library does not look
    if element.tag.endswith(("}pic", "}graphicFrame")):
        return True
    properties = element.find(f"{_P}spPr")
    if properties is None:
        return False
    if properties.find(f"{_A}noFill") is not None:
        return False
    filled = next((one for one in properties if one.tag in _FILLS), None)
    if filled is not None:
        return filled.tag != f"{_A}solidFill" or _colour(filled) not in _PAPER
    style = element.find(f"{_P}style/{_A}fillRef")
    return style is not None and style.get("idx") not in (None, "0")


def _overlap(one: Any, other: Any) -> bool:
    if None in (one.left, one.top, other.left, other.top):
        return True
    apart = (
        one.left >= other.left + other.width
        or other.left >= one.left + one.width
        or one.top >= other.top + other.height
        or other.top >= one.top + one.height
    )
    return not apart


def is_unseen(run: Any, shape: Any, ground: Ground) -> bool:
    """Whether a run is too small to read, see-through, or white on white."""
    properties = run._r.find(f"{_A}rPr")  # noqa: SLF001  # what is said, not what the library would add
    if properties is None or not run.text.strip():
        return False
    if (properties.get("sz") or "").isdecimal() and int(properties.get("sz")) <= _TINY:
        return True
    fill = properties.find(f"{_A}solidFill")
    if fill is None:
        return properties.find(f"{_A}noFill") is not None
    alpha = next(fill.iter(f"{_A}alpha"), None)
    if alpha is not None and alpha.get("val") in ("0", "0%"):
        return True
    return _colour(fill) in _PAPER and ground.is_paper_under(shape)
