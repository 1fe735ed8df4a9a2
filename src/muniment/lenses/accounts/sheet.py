"""The page as Markdown, and what of it a budget holds: every section gets its first lines. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from muniment.domain.accounts import HandoffSection
from muniment.domain.values import Citation
from muniment.pages.markdown import bullet, heading, plain

__all__ = ["Sheet", "fill", "render"]

_MOST_LINES: Final = 14  # of one section: it is one page
# In a small budget, what is most costly not to know comes first.
_FIRST: Final = (
    "We owe",
    "Before you reopen anything",
    "They owe",
    "Where it stands",
    "In the contract",
    "People",
    "Recently",
    "Open questions",
    "Done and dropped",
)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page before or after it was cut to its budget."""

    title: str
    as_of: datetime
    sections: tuple[HandoffSection, ...]
    missing: tuple[str, ...]
    unsure: tuple[str, ...]


def fill(sheet: Sheet, budget: int, count: Callable[[str], int]) -> Sheet:
    """Lines by turns from every section, until the next one would not fit."""
    taken = {one.title: 0 for one in sheet.sections}
    full: set[str] = set()
    kept = _with(sheet, taken)
    if count(render(kept)) > budget:
        return replace(kept, missing=("the budget holds not even the headings",), unsure=())
    for title in _turns(sheet.sections):
        if title in full:
            continue
        tried = {**taken, title: taken[title] + 1}
        if count(render(_with(sheet, tried))) > budget:
            full.add(title)
            continue
        taken = tried
    return _with(sheet, taken)


def _turns(sections: Sequence[HandoffSection]) -> Iterator[str]:
    """One line of each section in turn, the most telling section first."""
    ordered = sorted(sections, key=lambda one: _FIRST.index(one.title))
    for number in range(_MOST_LINES):
        yield from (one.title for one in ordered if number < len(one.lines))


def _with(sheet: Sheet, taken: dict[str, int]) -> Sheet:
    sections = (
        replace(one, lines=one.lines[: taken[one.title]], more=max(0, len(one.lines) - taken[one.title]))
        for one in sheet.sections
    )
    return replace(sheet, sections=tuple(sections))


def render(sheet: Sheet) -> str:
    """What sources said is set in it as plain words, whatever it contains."""
    numbers = _numbers(sheet)
    lines = [heading(1, f"Handoff: {plain(sheet.title)}"), "", f"As of {sheet.as_of.date().isoformat()}."]
    for section in sheet.sections:
        if section.lines:
            lines += ["", heading(2, section.title), ""]
            lines += [bullet(f"{plain(one.text)} {_marks(one.citations, numbers)}") for one in section.lines]
        if section.lines and section.more:
            lines.append(bullet(f"… {section.more} more"))
    for title, told in (("Missing", sheet.missing), ("Unsure", sheet.unsure)):
        lines += ["", heading(2, title), "", *(bullet(plain(one)) for one in told)] if told else []
    if numbers:
        lines += ["", heading(2, "Sources"), ""]
        lines += [f"[{number}] {_source(one)}" for one, number in numbers.values()]
    return "\n".join(lines) + "\n"


def _numbers(sheet: Sheet) -> dict[str, tuple[Citation, int]]:
    cited = {one.id: one for section in sheet.sections for line in section.lines for one in line.citations}
    return {id_: (one, number) for number, (id_, one) in enumerate(cited.items(), 1)}


def _marks(citations: Sequence[Citation], numbers: dict[str, tuple[Citation, int]]) -> str:
    return "".join(f"[{numbers[one.id][1]}]" for one in citations)


def _source(one: Citation) -> str:
    where = one.source if one.item is None else f"{one.source}:{one.item}"
    day = None if one.said_at is None else one.said_at.date().isoformat()
    return ", ".join(plain(part) for part in (where, day, one.said_by) if part)
