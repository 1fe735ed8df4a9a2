"""A readable page being written: inline text gathers until a block ends, then stands on its own lines."""

from __future__ import annotations

import re
from collections.abc import Collection

from selectolax.lexbor import LexborNode

from muniment.domain.regex import regex

__all__ = ["Page"]

_HEADINGS = {f"h{level}": "#" * level + " " for level in range(1, 7)}
_BLOCKS = frozenset(
    "address article aside blockquote body caption center dd details dialog div dl dt fieldset "
    "figcaption figure "
    "footer form h1 h2 h3 h4 h5 h6 header hr html legend li main nav ol p pre section summary table "
    "tbody td tfoot "
    "th thead tr ul".split()
)
_SPACE = regex(r"[ \t\n\f\r]+")
_DEEPEST_LIST = 8  # deeper items are indented no further
_DEEPEST_QUOTE = 3


class Page:
    """Lines so far, and what is open around the place being written."""

    def __init__(self, layout_tables: Collection[int]) -> None:
        self._layout = layout_tables
        self._lines: list[str] = []
        self._inline: list[str] = []
        self._prefix = ""  # what the next block begins with: a heading's or an item's mark
        self._lists: list[int | None] = []  # the next number; None where unordered
        self._quotes = 0
        self._verbatim = 0
        self._tables: list[bool] = []  # whether each open table holds data
        self._row: list[str] | None = None  # the cells of the open row
        self._names_columns = False  # whether the open row has header cells
        self._rows = 0  # rows of the open table

    def text(self) -> str:
        """The whole page, blocks apart by one blank line, list items by none."""
        self._end_block()
        text = "\n".join(self._lines)
        return re.sub(r"\n{3,}", "\n\n", text).strip("\n") + "\n" if text.strip() else ""

    def write(self, text: str) -> None:
        """Text inside whatever is open."""
        self._inline.append(text if self._verbatim else _SPACE.sub(" ", text))

    def enter(self, node: LexborNode) -> None:
        """An element begins."""
        tag = node.tag or ""
        if tag == "br":
            self._inline.append(" " if self._in_cell() else "\n")
        elif tag in _BLOCKS and (not self._in_cell() or tag == "table"):
            self._end_block()
            self._open(tag, node)
        elif tag in _BLOCKS:
            self._inline.append(" ")

    def leave(self, node: LexborNode) -> None:
        """An element ends."""
        tag = node.tag or ""
        if self._in_cell() and tag in ("td", "th"):
            self._end_cell(tag)
        elif self._in_cell() and tag == "tr":
            self._end_row()
        elif tag in _BLOCKS and not self._in_cell():
            self._close(tag)

    def _in_cell(self) -> bool:
        return self._row is not None

    def _open(self, tag: str, node: LexborNode) -> None:
        match tag:
            case "ul" | "ol":
                self._lists.append(1 if tag == "ol" else None)
            case "li":
                self._prefix = self._item_mark()
            case "blockquote":
                self._quotes += 1
            case "pre":
                self._verbatim += 1
            case "table":
                self._tables.append(node.mem_id not in self._layout)
                self._rows = 0
            case "tr" if self._tables and self._tables[-1]:
                self._row, self._names_columns = [], False
            case _:
                self._prefix = _HEADINGS.get(tag, self._prefix)

    def _close(self, tag: str) -> None:
        self._end_block()
        match tag:
            case "ul" | "ol" if self._lists:
                self._lists.pop()
                self._gap()
            case "blockquote":
                self._gap()
                self._quotes -= 1
            case "pre":
                self._verbatim -= 1
            case "table":
                self._tables.pop()
                self._gap()
            case _ if tag == "li" or tag in _HEADINGS:
                self._prefix = ""
            case _:
                pass

    def _item_mark(self) -> str:
        indent = "  " * min(len(self._lists) - 1, _DEEPEST_LIST)
        number = self._lists[-1] if self._lists else None
        if number is None:
            return f"{indent}- "
        self._lists[-1] = number + 1
        return f"{indent}{number}. "

    def _end_cell(self, tag: str) -> None:
        if self._row is not None:
            self._row.append(" ".join("".join(self._inline).split()).replace("|", "\\|"))
        self._inline.clear()
        self._names_columns = self._names_columns or tag == "th"

    def _end_row(self) -> None:
        cells, self._row = self._row or [], None
        if not any(cells):
            return
        if self._rows == 0:
            self._gap()
        self._lines.append(f"| {' | '.join(cells)} |")
        if self._rows == 0 and self._names_columns:
            self._lines.append(f"|{' --- |' * len(cells)}")
        self._rows += 1

    def _end_block(self) -> None:
        text = "".join(self._inline)
        self._inline.clear()
        if self._verbatim and text.strip():
            fence = "~~~" if "```" in text else "```"
            self._add([fence, *text.strip("\n").split("\n"), fence])
            return
        lines = [" ".join(line.split()) for line in text.split("\n")]
        worded = [line for line in lines if line]
        if worded:
            self._add([" ".join(worded)] if self._prefix.lstrip().startswith("#") else worded)

    def _add(self, block: list[str]) -> None:
        prefix, self._prefix = self._prefix, ""
        item = bool(self._lists)
        if not item:
            self._gap()
        hang = "  " * min(len(self._lists), _DEEPEST_LIST)
        quote = "> " * min(self._quotes, _DEEPEST_QUOTE)
        first = prefix or hang
        self._lines += [f"{quote}{hang if number else first}{line}" for number, line in enumerate(block)]
        if not item:
            self._gap()

    def _gap(self) -> None:
        if self._lines and self._lines[-1]:
            self._lines.append("")
