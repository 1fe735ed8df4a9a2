"""PowerPoint presentations: what each slide shows, and apart from it notes and whatever is hidden."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from muniment.sources.convert.made import Apart, Failed, Limits, Made
from muniment.sources.convert.markdown import table
from muniment.sources.convert.ooxml import Package, open_package, properties_of
from muniment.sources.convert.slideground import Ground, is_unseen

__all__ = ["read"]

_DEEPEST = 8  # groups within groups


def read(data: bytes, limits: Limits) -> Made | Failed:
    """The presentation as Markdown, a heading a slide."""
    package = open_package(data, limits)
    if isinstance(package, Failed):
        return package
    # Heavy, and of the extra `docs`: imported where a presentation is read.
    from pptx import Presentation  # noqa: PLC0415  # the reason above

    deck = Presentation(io.BytesIO(data))
    size = (int(deck.slide_width or 0), int(deck.slide_height or 0))
    parts: list[str] = []
    apart: list[Apart] = []
    empty: list[str] = []
    title = None
    for number, slide in enumerate(deck.slides, 1):
        shown = _Slide(slide, f"slide {number}", size)
        text, kept = shown.read()
        apart += kept
        if text or (text is not None and shown.title()):
            parts.append(f"## Slide {number}{shown.titled()}\n\n{text}".rstrip() + "\n")
            title = title or shown.title()
        elif text is not None:
            empty.append(str(number))
    apart += _comments(package)
    notes = (f"slides without text: {', '.join(empty)}",) if empty else ()
    return Made("\n".join(parts), title, {"properties": properties_of(package)}, notes, tuple(apart))


@dataclass(frozen=True, slots=True)
class _Slide:
    """One slide, where it stands, and how large slides are."""

    slide: Any
    where: str
    size: tuple[int, int]

    def title(self) -> str | None:
        """What its title says, where that is seen."""
        shape, ground = self.slide.shapes.title, Ground.of(self.slide)
        if shape is None or self._why(shape, ground) is not None:
            return None
        seen = (part for one in shape.text_frame.paragraphs for part in (*_seen(one, shape, ground), " "))
        return " ".join("".join(seen).split()) or None

    def titled(self) -> str:
        """The title behind the slide's number."""
        title = self.title()
        return f": {title}" if title else ""

    def read(self) -> tuple[str | None, list[Apart]]:
        """What it shows, None where the whole slide is hidden, and what it holds besides."""
        ground = Ground.of(self.slide)
        blocks: list[str] = []
        apart: list[Apart] = []
        for shape in _flat(self.slide.shapes, _DEEPEST):
            self._take(shape, ground, blocks, apart)
        apart += self._notes()
        if self.slide._element.get("show") in ("0", "false"):  # noqa: SLF001  # the library has no name for it
            whole = " | ".join(filter(None, [self.title(), *blocks]))
            return None, [Apart("hidden slide", self.where, whole), *apart]
        return "\n\n".join(blocks), apart

    def _take(self, shape: Any, ground: Ground, blocks: list[str], apart: list[Apart]) -> None:
        why = self._why(shape, ground)
        if why is not None:
            apart.append(Apart(why, self.where, _words(shape)))
            return
        if shape.has_text_frame:
            unseen = _unseen_runs(shape, ground)
            apart += [Apart("hidden text", self.where, text) for text in unseen]
            if not _is_title(shape) and (text := _paragraphs(shape, ground)):
                blocks.append(text)
        elif getattr(shape, "has_table", False):
            blocks.append(table([[cell.text for cell in row.cells] for row in shape.table.rows]))
        elif getattr(shape, "has_chart", False):
            blocks += _chart(shape.chart)

    def _why(self, shape: Any, ground: Ground) -> str | None:
        if shape._element.xpath(".//*[local-name()='cNvPr'][@hidden='1' or @hidden='true']"):  # noqa: SLF001  # as above
            return "hidden shape"
        left, top = int(shape.left or 0), int(shape.top or 0)
        wide, high = int(shape.width or 0), int(shape.height or 0)
        outside = left >= self.size[0] or top >= self.size[1] or left + wide < 0 or top + high < 0
        return "text beside the slide" if outside and ground is not None else None

    def _notes(self) -> Iterator[Apart]:
        if self.slide.has_notes_slide and self.slide.notes_slide.notes_text_frame is not None:
            yield Apart("speaker notes", self.where, self.slide.notes_slide.notes_text_frame.text)


def _flat(shapes: Any, depth: int) -> Iterator[Any]:
    """Shapes in their order, those of groups in place of the group."""
    for shape in shapes:
        inner = getattr(shape, "shapes", None)
        if inner is None:
            yield shape
        elif depth:
            yield from _flat(inner, depth - 1)


def _is_title(shape: Any) -> bool:
    return bool(shape.is_placeholder and shape.placeholder_format.type in (1, 3))


def _words(shape: Any) -> str:
    if shape.has_text_frame:
        return str(shape.text_frame.text)
    if getattr(shape, "has_table", False):
        return " | ".join(cell.text for row in shape.table.rows for cell in row.cells)
    return ""


def _unseen_runs(shape: Any, ground: Ground) -> list[str]:
    runs = (run for paragraph in shape.text_frame.paragraphs for run in paragraph.runs)
    return [run.text for run in runs if is_unseen(run, shape, ground)]


def _paragraphs(shape: Any, ground: Ground) -> str:
    """A line for each paragraph; those below the first level as items of a list."""
    lines = []
    several = len([one for one in shape.text_frame.paragraphs if one.text.strip()]) > 1
    for paragraph in shape.text_frame.paragraphs:
        text = " ".join("".join(_seen(paragraph, shape, ground)).split())
        if text:
            lines.append(f"{'  ' * paragraph.level}- {text}" if several else text)
    return "\n".join(lines)


def _seen(paragraph: Any, shape: Any, ground: Ground) -> Iterator[str]:
    unseen = {id(run._r) for run in paragraph.runs if is_unseen(run, shape, ground)}  # noqa: SLF001  # as above
    for one in paragraph._p:  # noqa: SLF001  # fields and breaks are no runs to the library
        match one.tag.rpartition("}")[2]:
            case "r" | "fld" if id(one) not in unseen:
                yield "".join(part.text or "" for part in one if part.tag.endswith("}t"))
            case "br":
                yield " "
            case _:
                pass


def _chart(chart: Any) -> Iterator[str]:
    """What a chart was drawn from, as a table."""
    for plot in chart.plots:
        head = ["", *(str(series.name) for series in plot.series)]
        columns: Sequence[Sequence[object]] = [list(series.values) for series in plot.series]
        names = [str(category) for category in plot.categories]
        rows = [[name, *(_at(column, at) for column in columns)] for at, name in enumerate(names)]
        if rows:
            yield table([head, *rows])


def _at(column: Sequence[object], at: int) -> str:
    value = column[at] if at < len(column) else None
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _comments(package: Package) -> Iterator[Apart]:
    for name in package.names("ppt/comments/"):
        root = package.xml(name)
        for one in () if root is None else root.iter():
            if one.tag.rpartition("}")[2] in ("cm", "reply"):
                yield Apart("comment", name.rpartition("/")[2], "".join(one.itertext()))
