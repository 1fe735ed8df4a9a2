"""Three ways to hand an agent what it needs for a question, each within the same budget of tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from time import perf_counter

import muniment
from evals.ledger.corpus import NOW
from evals.ledger.entries import Question
from muniment.context.tokens import count_tokens
from muniment.domain.values import Citation, Pack
from muniment.index.words import lexemes
from muniment.view import View

__all__ = ["BUDGET", "CONDITIONS", "Handed", "Shown", "ask"]

BUDGET = 1500
PAGE_SHARE = 0.4
_HITS = 20
_NOT_IN_FORCE = ("History", "Upcoming", "Candidates", "Recalled")


@dataclass(frozen=True, slots=True)
class Shown:
    """One piece of what an agent is handed: what it cites, and what of that it says holds that day."""

    text: str
    documents: frozenset[str]
    current: frozenset[str]
    spans: frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Asked:
    """One wording, the day it is asked about, and what the answer's evidence may cost."""

    as_of: str
    wording: str
    budget: int
    titles: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Handed:
    """What one wording of a question brought."""

    shown: tuple[Shown, ...]
    tokens: int
    seconds: float


Bag = tuple[tuple[Shown, ...], int]


def ask(
    org: muniment.Org, question: Question, wording: str, condition: str, titles: Mapping[str, str]
) -> Handed:
    """What the agent of a condition is handed for one wording; `titles` are the documents' by id."""
    asked = Asked(question.as_of or NOW, wording, question.budget or BUDGET, titles)
    view = org.reader(question.principal, as_of=asked.as_of)
    began = perf_counter()
    shown, tokens = CONDITIONS[condition](view, asked)
    return Handed(shown, tokens, perf_counter() - began)


def _search(view: View, asked: Asked) -> Bag:
    """The best passages, in order, as many as fit."""
    return _fitting(_passages(view, asked), asked.budget)


def _wiki(view: View, asked: Asked) -> Bag:
    """What the best pages say in words of the question, in two fifths of the budget; then passages."""
    pages, used = _fitting(_pages(view, asked), int(asked.budget * PAGE_SHARE))
    passages, more = _fitting(_passages(view, asked), asked.budget - used)
    return (*pages, *passages), used + more


def _graph(view: View, asked: Asked) -> Bag:
    """The product's own pack: pages, passages, and where the best of them lead."""
    return _pack(view.context(asked.wording, budget=asked.budget), asked)


def _fitting(pieces: Iterable[Shown], budget: int) -> Bag:
    kept: list[Shown] = []
    used = 0
    for piece in pieces:
        cost = count_tokens(f"{piece.text}\n\n")
        if used + cost > budget:
            break
        kept.append(piece)
        used += cost
    return tuple(kept), used


def _passages(view: View, asked: Asked) -> Iterator[Shown]:
    for hit in view.search(asked.wording, limit=_HITS, unit="passage"):
        cited = [] if hit.citation is None else [hit.citation]
        yield _shown(f"**{asked.titles.get(hit.item or '', '')} · {hit.item}**\n{hit.text}", cited, asked)


def _pages(view: View, asked: Asked) -> Iterator[Shown]:
    """A piece for each claim of the two best pages that shares a word with the question."""
    wanted = set(lexemes(asked.wording))
    for hit in view.search(asked.wording, limit=2, unit="page"):
        page = view.page(hit.text)
        for section in page.sections:
            for claim in section.claims:
                if section.title not in _NOT_IN_FORCE and wanted & set(lexemes(claim.statement)):
                    yield _shown(f"**{page.title}**\n{claim.statement}", claim.citations, asked)


def _pack(pack: Pack, asked: Asked) -> Bag:
    return tuple(_shown(part.text, part.citations, asked) for part in pack.parts), pack.budget.used


def _shown(text: str, citations: Iterable[Citation], asked: Asked) -> Shown:
    cited = list(citations)
    return Shown(
        text,
        frozenset(one.item or "" for one in cited),
        frozenset(one.item or "" for one in cited if _is_current(one, asked)),
        frozenset((one.item or "", one.quote or one.statement) for one in cited),
    )


def _is_current(cited: Citation, asked: Asked) -> bool:
    """Whether the citation says so: its status, and from when until when it holds."""
    day = datetime.fromisoformat(asked.as_of)
    begun = cited.valid_from is None or cited.valid_from <= day
    return cited.status == "active" and begun and (cited.valid_to is None or day < cited.valid_to)


CONDITIONS: dict[str, Callable[[View, Asked], Bag]] = {
    "search": _search,
    "wiki": _wiki,
    "wiki + graph": _graph,
}
