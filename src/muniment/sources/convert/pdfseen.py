"""Which characters of a PDF page nobody sees.

A page is drawn twice, with its text and without. Words where the two do not differ leave no trace: drawn
without ink, under a picture, outside what is shown, in the colour of their ground. Colour is also held
against the page without text, so that words hidden under other words are found.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from pypdfium2 import raw

__all__ = ["Glyph", "glyphs_of", "unseen"]

Pixels = npt.NDArray[np.int16]

_TRACE = 16  # of 255: a difference smaller than that is none
_TINY = 2.0  # points
_INKLESS = (3, 7)  # text render modes: invisible, and clip only (ISO 32000-1, table 106)
_FILLED = (0, 4)
_MOST_PIXELS = 2_000_000
_DEEPEST = 8  # forms within forms


@dataclass(frozen=True, slots=True)
class Glyph:
    """One character: where its ink is, in points from the page's lower left, and what object drew it.

    `drawn` is 0 for what pdfium adds between words and lines.
    """

    text: str
    left: float
    bottom: float
    right: float
    top: float
    size: float
    drawn: int
    ink: int = 0
    colour: tuple[int, int, int, int] = (0, 0, 0, 255)


def glyphs_of(text: Any) -> list[Glyph]:
    """The page's characters in its own order."""
    looks: dict[int, tuple[int, float]] = {}
    return [_glyph(text, at, looks) for at in range(text.count_chars())]


def _glyph(text: Any, at: int, looks: dict[int, tuple[int, float]]) -> Glyph:
    said = _said(raw.FPDFText_GetUnicode(text, at))
    drawn = raw.FPDFText_GetTextObject(text, at)
    address = ctypes.cast(drawn, ctypes.c_void_p).value or 0 if drawn else 0
    if raw.FPDFText_IsGenerated(text, at) == 1 or not address:
        return Glyph(said, 0, 0, 0, 0, 0, 0)
    if address not in looks:
        looks[address] = (raw.FPDFTextObj_GetTextRenderMode(drawn), _scale(drawn))
    ink, scale = looks[address]
    box = [ctypes.c_double() for _ in range(4)]
    raw.FPDFText_GetCharBox(text, at, *map(ctypes.byref, box))
    left, right, bottom, top = (one.value for one in box)
    size = raw.FPDFText_GetFontSize(text, at) * scale
    return Glyph(said, left, bottom, right, top, size, address, ink, _colour(text, at))


def _said(code: int) -> str:
    """Halves of a pair, and a hyphen that pdfium marks at a line's end, as they can be written."""
    if code in (0x02, 0xFFFE):
        return "\u00ad"
    return "\ufffd" if 0xD800 <= code < 0xE000 or code == 0 else chr(code)


def _scale(drawn: Any) -> float:
    matrix = raw.FS_MATRIX()
    raw.FPDFPageObj_GetMatrix(drawn, matrix)
    return math.hypot(matrix.c, matrix.d)


def _colour(text: Any, at: int) -> tuple[int, int, int, int]:
    parts = [ctypes.c_uint() for _ in range(4)]
    raw.FPDFText_GetFillColor(text, at, *map(ctypes.byref, parts))
    red, green, blue, alpha = (one.value for one in parts)
    return red, green, blue, alpha


def unseen(page: Any, glyphs: list[Glyph]) -> set[int]:
    """The places of characters that nobody sees, whole words at a time."""
    words = list(_words(glyphs))
    if not words:
        return set()
    sheet = _Sheet.drawn(page)
    return {at for word in words if not any(sheet.shows(glyphs[at]) for at in word) for at in word}


def _words(glyphs: list[Glyph]) -> Iterator[list[int]]:
    word: list[int] = []
    for at, glyph in enumerate(glyphs):
        if glyph.text.isspace() or not glyph.drawn or (word and glyphs[word[-1]].drawn != glyph.drawn):
            if word:
                yield word
            word = []
        if glyph.drawn and not glyph.text.isspace():
            word.append(at)
    if word:
        yield word


@dataclass(frozen=True, slots=True)
class _Sheet:
    """The page as pixels, as it is and without its text, and how points lead to pixels."""

    page: Any
    full: Pixels
    bare: Pixels

    @classmethod
    def drawn(cls, page: Any) -> _Sheet:
        """Drawn twice, small: strokes that one cannot see at this size are none."""
        width, height = page.get_size()
        scale = min(1.0, math.sqrt(_MOST_PIXELS / max(width * height, 1)))
        full = _pixels(page, scale)
        for drawn in _texts(page):
            raw.FPDFPageObj_SetIsActive(drawn, False)
        return cls(page, full, _pixels(page, scale))

    def shows(self, glyph: Glyph) -> bool:
        """Whether the character leaves a trace."""
        if glyph.ink in _INKLESS or glyph.size < _TINY or glyph.colour[3] < _TRACE:
            return False
        box = self._box(glyph)
        if box is None:
            return False
        ground = self.bare[box]
        if glyph.ink in _FILLED and np.abs(ground - np.array(glyph.colour[:3])).max() < _TRACE:
            return False
        return bool(np.abs(self.full[box] - ground).max() >= _TRACE)

    def _box(self, glyph: Glyph) -> tuple[slice, slice] | None:
        """The character's pixels; None where it lies outside what is shown."""
        high, wide = self.full.shape[:2]
        corners = [
            self._pixel(glyph.left, glyph.top, wide, high),
            self._pixel(glyph.right, glyph.bottom, wide, high),
        ]
        (left, right), (top, bottom) = sorted(x for x, _ in corners), sorted(y for _, y in corners)
        if right < 0 or bottom < 0 or left >= wide or top >= high:
            return None
        return slice(max(top, 0), min(bottom, high - 1) + 1), slice(max(left, 0), min(right, wide - 1) + 1)

    def _pixel(self, x: float, y: float, wide: int, high: int) -> tuple[int, int]:
        across, down = ctypes.c_int(), ctypes.c_int()
        raw.FPDF_PageToDevice(self.page, 0, 0, wide, high, 0, x, y, across, down)
        return across.value, down.value


def _pixels(page: Any, scale: float) -> Pixels:
    drawn = page.render(scale=scale, draw_annots=False, may_draw_forms=False)
    found: Pixels = drawn.to_numpy()[:, :, :3].astype(np.int16)[:, :, ::-1]
    drawn.close()
    return found


def _texts(page: Any) -> Iterator[Any]:
    """Every text that is drawn, those inside forms too."""
    for at in range(raw.FPDFPage_CountObjects(page)):
        yield from _inside(raw.FPDFPage_GetObject(page, at), _DEEPEST)


def _inside(drawn: Any, depth: int) -> Iterator[Any]:
    match raw.FPDFPageObj_GetType(drawn):
        case raw.FPDF_PAGEOBJ_TEXT:
            yield drawn
        case raw.FPDF_PAGEOBJ_FORM if depth:
            for at in range(raw.FPDFFormObj_CountObjects(drawn)):
                yield from _inside(raw.FPDFFormObj_GetObject(drawn, at), depth - 1)
        case _:
            pass
