"""Answers, packs and hits as a person reads them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from muniment.domain.times import format_instant
from muniment.domain.values import Answer, Citation, Freshness, Hit, Pack
from muniment.surfaces.cli.out import Line, Look, counted, one_line

__all__ = ["answer", "cited", "conflict", "day", "hit", "moment", "pack"]

_QUOTED = 240  # characters of a quote on one line; --json has it whole
_SHOWN = 320  # characters of a hit
_STATUS = {"stale": "stale", "superseded": "superseded", "recalled": "recalled", "candidate": "not in force"}


def answer(found: Answer) -> Iterator[Line]:
    """The text, its citations by number, and everything that bears on how far to trust it."""
    yield Line(found.text, Look.STRONG)
    yield from _numbered(found.citations)
    for sides in found.conflicts:
        yield Line()
        yield from conflict(sides, found.citations)
    yield from _asked_back(found.clarify)
    yield Line()
    yield from _standing(found.freshness, found.warnings)
    yield Line(f"{_searched(found)} · as of {moment(found.as_of)}", Look.FAINT)


def _searched(found: Answer) -> str:
    through = f" up to {moment(found.searched.through)}" if found.searched.through else ""
    return f"searched {counted(found.searched.sources, 'source')}{through}"


def _numbered(citations: Sequence[Citation]) -> Iterator[Line]:
    if citations:
        yield Line()
    for number, citation in enumerate(citations, 1):
        yield Line(f"[{number}] {cited(citation)}")
        yield Line(f"    explain {citation.id}", Look.FAINT)


def cited(citation: Citation) -> str:
    """Where it was said, by whom, when, and the words; those of a level are nobody's, and no quote."""
    parts = [
        citation.source if citation.item is None else f"{citation.source}:{citation.item}",
        citation.said_by,
        day(citation.said_at),
        _STATUS.get(citation.status),
        _cut(citation.statement, _QUOTED) if citation.quote is None else f"“{_cut(citation.quote, _QUOTED)}”",
    ]
    return " · ".join(one_line(part) for part in parts if part)


def conflict(sides: Sequence[Citation], numbered: Sequence[Citation] = ()) -> Iterator[Line]:
    """Both sides of a contradiction; none of them is right because it is first."""
    yield Line("conflict: these contradict each other and nobody has settled it", Look.ALERT)
    numbers = {one.id: number for number, one in enumerate(numbered, 1)}
    for side in sides:
        mark = f"[{numbers[side.id]}]" if side.id in numbers else "-"
        yield Line(f"  {mark} {cited(side)}")
        yield Line(f"    claim {side.claim}, citation {side.id}", Look.FAINT)


def _asked_back(questions: Sequence[str]) -> Iterator[Line]:
    for question in questions:
        yield Line()
        yield Line(f"{question} Say which, or bound the question with --entity.", Look.ALERT)


def _standing(freshness: Sequence[Freshness], warnings: Sequence[str]) -> Iterator[Line]:
    for one in freshness:
        if one.state != "current":
            why = f": {one.why}" if one.why else ""
            yield Line(
                f"source {one.source} is {one.state}, heard up to {moment(one.as_of)}{why}", Look.ALERT
            )
    yield from (Line(f"warning: {warning}", Look.ALERT) for warning in warnings)


def pack(found: Pack) -> Iterator[Line]:
    """The Markdown as a prompt would get it, and below a rule what it cost and what it left out."""
    yield Line(found.text or _nothing(found))
    yield Line()
    yield Line("─" * 72, Look.FAINT)
    budget = found.budget
    parts = counted(len(found.parts), "part")
    yield Line(
        f"{budget.used:,} of {budget.limit:,} tokens ({budget.tokenizer}) · {parts} · {_omitted(found)}"
    )
    yield from _asked_back(found.clarify)
    yield from _standing(found.freshness, found.warnings)
    if not found.enough and found.parts:
        yield Line("this bears on the task, but does not answer it by itself", Look.ALERT)
    if found.cursor is not None:
        yield Line(f"for more: the same command with --cursor {found.cursor}", Look.FAINT)


def _nothing(found: Pack) -> str:
    return (
        "Nothing that you may read is about this."
        if found.state == "out_of_scope"
        else "Nothing was found for this."
    )


def _omitted(found: Pack) -> str:
    if not found.omitted.parts:
        return "nothing left out"
    return f"{found.omitted.parts} left out" + (
        f" for {found.omitted.reason}" if found.omitted.reason else ""
    )


def hit(found: Hit) -> Iterator[Line]:
    """One result: its rank and place, then its words."""
    item = found.item and (f"{found.source}:{found.item}" if found.source else found.item)
    cited_at = None if found.citation is None else day(found.citation.said_at)
    said_by = None if found.citation is None else found.citation.said_by
    why = ", ".join(f"{leg} {rank}" for leg, rank in sorted(found.why.items()))
    if found.unit == "page":
        item, said_by, cited_at = found.entity, None, None
    parts = [item or found.source, said_by, cited_at, f"score {found.score:.2f} ({why})" if why else None]
    yield Line(f"{found.rank}. {' · '.join(one_line(part) for part in parts if part)}", Look.STRONG)
    yield Line(f"   {_cut(found.text, _SHOWN)}")
    if found.unit == "page" and found.citation is not None:
        yield Line(f"   {cited(found.citation)}", Look.FAINT)


def _cut(text: str, limit: int) -> str:
    line = one_line(text)
    return line if len(line) <= limit else f"{line[: limit - 1].rstrip()}…"


def day(at: datetime | None) -> str | None:
    """The day, in UTC."""
    return None if at is None else format_instant(at)[:10]


def moment(at: datetime | None) -> str:
    """To the minute, in UTC."""
    return "never" if at is None else f"{format_instant(at)[:16].replace('T', ' ')} UTC"
