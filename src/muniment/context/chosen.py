"""The pages of a task: those it names, those that what was found speaks for; deeper, what was left out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from muniment.claims.cite import cite_claim, passages_of, quote_of
from muniment.claims.claim import Claim, holds
from muniment.claims.read import claims_of_items
from muniment.context.condense import Bearing, facts
from muniment.context.pack import Draft
from muniment.context.pages import RankedPage, rank_pages
from muniment.context.question import Question
from muniment.context.retrieve import Found
from muniment.context.tokens import count_tokens
from muniment.domain.names import normal_name
from muniment.domain.values import Citation, Page, PageClaim, Section
from muniment.gate.reader import Reader
from muniment.pages.about import is_of_itself
from muniment.pages.entities import Entity
from muniment.pages.layout import NOT_IN_FORCE
from muniment.pages.page import page_of, sheet_for_task

__all__ = ["Chosen", "choose", "deeper_draft", "draft_of", "rest_of"]

NAMED_SHARE = 0.4  # of the budget a page may take before it is condensed: the task's passages need room too
FOUND_SHARE = 0.12
_NAMED, _FOUND = 3, 3
_EVIDENCE = 6  # items whose claims a found page shows
_NEAR = 0.5  # of the best page's score: what lies below is no page of this task
_FIRST = 24  # claims of a page that its first draft is made of
_CHUNK = 12  # claims of a page that go on together in a later pack


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    citations: tuple[Citation, ...]


def _worth(bearing: Bearing, line: _Line) -> float:
    """What it says of what was asked; of two that say as much, the one that holds more facts."""
    return bearing.on(line.text) + facts(line.text)


def _ordered(bearing: Bearing, lines: Sequence[_Line]) -> list[int]:
    """The places of the lines, what is worth most first."""
    worth = [_worth(bearing, line) for line in lines]
    return sorted(range(len(lines)), key=lambda at: (-worth[at], at))


def _telling(bearing: Bearing, lines: Sequence[_Line]) -> tuple[int, ...]:
    """Those places in that order that are worth their room where there is not room for all."""
    return tuple(at for at in _ordered(bearing, lines) if _worth(bearing, lines[at]) > 0)


@dataclass(frozen=True, slots=True)
class Chosen:
    """A page as a task gets it, whatever the budget: its most telling lines, the rest, all of it if short."""

    of: Entity
    kind: str
    title: str
    why: str
    share: float
    best: tuple[_Line, ...]
    order: tuple[int, ...]
    rest: tuple[_Line, ...]
    whole: Page | None
    is_part: bool

    @property
    def entity(self) -> str:
        """By what its page is asked for."""
        return self.of.names[0]

    @property
    def pointer(self) -> str:
        """That it is there."""
        return f"There is a page on {self.title} ({self.kind}): ask for page {self.entity!r}."


def choose(reader: Reader, question: Question, found: Found, named: Sequence[Entity]) -> list[Chosen]:
    """Those that are named, whole; of those that are found, the claims that what was found rests on."""
    bearing = Bearing.of(question, found)
    pages = [_whole(reader, bearing, one, "the task names it") for one in named[:_NAMED]]
    holding = (one for one in found.candidates if one.standing.holds(reader.moment.as_of))
    ranked = rank_pages(reader, question, replace(found, candidates=tuple(holding)))
    known = {one.names[0] for one in named} | {one.entity for one in pages}
    near = [
        one for one in ranked if one.score >= _NEAR * ranked[0].score and one.entity.names[0] not in known
    ]
    return pages + [_excerpt(reader, bearing, page) for page in near[:_FOUND]]


def _whole(reader: Reader, bearing: Bearing, entity: Entity, why: str) -> Chosen:
    sheet = sheet_for_task(reader, entity)
    lines = [
        _Line(_worded(claim), claim.citations)
        for section in sheet.sections
        if section.title not in NOT_IN_FORCE
        for claim in section.claims
    ]
    first = set(_ordered(bearing, lines)[:_FIRST])
    best = [line for at, line in enumerate(lines) if at in first]
    return Chosen(
        of=entity,
        kind=entity.kind,
        title=entity.title,
        why=why,
        share=NAMED_SHARE,
        best=tuple(best),
        order=_telling(bearing, best),
        rest=tuple(line for at, line in enumerate(lines) if at not in first),
        whole=page_of(sheet) if _claims_in(sheet.sections) <= _FIRST else None,
        is_part=False,
    )


def _claims_in(sections: Iterable[Section]) -> int:
    return sum(len(section.claims) + section.more for section in sections)


def _worded(claim: PageClaim) -> str:
    opposed = any(one.conflicts_with for one in claim.citations)
    marks = [
        mark for mark, is_so in ((claim.status, claim.status != "active"), ("disputed", opposed)) if is_so
    ]
    return f"- {claim.statement}" + (f" ({', '.join(marks)})" if marks else "")


def _excerpt(reader: Reader, bearing: Bearing, ranked: RankedPage) -> Chosen:
    """The claims of a page that rest on what was found."""
    entity, evidence = ranked.entity, ranked.evidence
    items = list({one.item.item: one.item for one in evidence[: 2 * _EVIDENCE]}.values())[:_EVIDENCE]
    places = {one.passage.passage: number for number, one in reversed(list(enumerate(evidence)))}
    own = {*entity.names, entity.id}
    held = (one for one in claims_of_items(reader, items) if holds(one, reader.moment.as_of))
    claims = [one for one in held if _belongs(one, own)]
    placed = sorted(
        (place, one.statement, one.id, one) for one in claims if (place := _place(one, places)) >= 0
    )
    quoted = passages_of(reader, (support for *_, claim in placed for support in claim.supports))
    lines = [_line(claim, cite_claim(claim, quoted, limit=2)) for *_, claim in placed]
    why = f"{len(evidence)} found passages speak for it, score {ranked.score:g}"
    shown = tuple(one for one in lines if one.citations)[:_FIRST]
    return Chosen(
        of=entity,
        kind=entity.kind,
        title=entity.title,
        why=why,
        share=FOUND_SHARE,
        best=shown,
        order=_telling(bearing, shown),
        rest=(),
        whole=None,
        is_part=True,
    )


def _belongs(claim: Claim, own: Collection[str]) -> bool:
    """Whether it says something of the entity, or is talk in an item of the entity's."""
    if claim.slot is not None and claim.slot.entity in own:
        return True
    fields = {
        normal_name(name)
        for support in claim.supports
        for name in (support.item.account, support.item.project, support.item.service)
        if name is not None
    }
    return not fields.isdisjoint(own) and not is_of_itself(claim, own)


def _place(claim: Claim, places: Mapping[UUID, int]) -> int:
    """How high the best passage stands that the claim rests on; -1 where none was found or it may not act."""
    if claim.status not in {"active", "stale"}:
        return -1
    return min(
        (places[one] for support in claim.supports if (one := quote_of(support.row)[0]) in places), default=-1
    )


def _line(claim: Claim, citations: tuple[Citation, ...]) -> _Line:
    return _Line(_worded(PageClaim(claim.id.hex, claim.statement, claim.status, citations)), citations)


def draft_of(chosen: Chosen, budget: int) -> Draft:
    """The page whole where it takes no more than its share, else its claims that bear most on the task."""
    share = int(budget * chosen.share)
    lines = _text(chosen, _kept(chosen, share))
    if chosen.whole is None:
        grades = (lines, chosen.pointer) if chosen.best else (chosen.pointer,)
        return Draft("page", grades, chosen.why, _cited(chosen.best), is_ahead=True)
    text = chosen.whole.markdown
    whole = (text,) if count_tokens(text) <= share else ()
    grades = (*whole, lines, chosen.pointer)
    return Draft("page", grades, chosen.why, _all_cited(chosen.whole), is_ahead=True)


def _all_cited(page: Page) -> tuple[Citation, ...]:
    return tuple(one for section in page.sections for claim in section.claims for one in claim.citations)


def _text(chosen: Chosen, kept: Sequence[_Line]) -> str:
    text = "\n".join([f"## {chosen.title}", *(line.text for line in kept)])
    left = len(chosen.best) + len(chosen.rest) - len(kept)
    return f"{text}\n- … {left} more on the page" if left else text


def _cited(lines: Iterable[_Line]) -> tuple[Citation, ...]:
    return tuple({one.id: one for line in lines for one in line.citations}.values())


def _kept(chosen: Chosen, share: int) -> list[_Line]:
    """The lines that tell most for the task, as many as fit, in the page's order."""
    left = share - count_tokens(_text(chosen, ()))
    kept: set[int] = set()
    for at in chosen.order:
        left -= count_tokens(f"\n{chosen.best[at].text}")
        if left < 0:
            break
        kept.add(at)
    return [line for at, line in enumerate(chosen.best) if at in kept]


def rest_of(chosen: Chosen) -> Iterator[Draft]:
    """What of the page its first draft does not tell, a few claims at a time."""
    for start in range(0, len(chosen.rest), _CHUNK):
        lines = chosen.rest[start : start + _CHUNK]
        text = "\n".join([f"## {chosen.title}, continued", *(line.text for line in lines)])
        yield Draft("page", (text, chosen.pointer), "what the page says besides", _cited(lines))


def deeper_draft(reader: Reader, chosen: Chosen, question: Question, found: Found, budget: int) -> Draft:
    """A page that was found and shown in part, as a named one is."""
    whole = _whole(reader, Bearing.of(question, found), chosen.of, f"deeper: {chosen.why}")
    return draft_of(whole, budget)
