"""The context for a task: pages of what it names, then the passages that matter most, within a budget."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass, replace

from muniment.claims.cite import cite_passage
from muniment.context.chosen import Chosen, deeper_draft, draft_of, rest_of
from muniment.context.pack import BETWEEN, Draft, Packed, pack
from muniment.context.question import Question
from muniment.context.retrieve import Candidate, Found
from muniment.context.tokens import count_tokens
from muniment.domain.errors import Usage
from muniment.domain.trust import is_trusted
from muniment.gate.reader import Reader
from muniment.index.words import lexemes
from muniment.items.sentences import sentences

__all__ = ["Assembled", "Span", "assemble", "read_cursor"]

LEAST_BUDGET = 16
PASSAGES = 60
FIRST = 9  # passages that get room before any page: what bears on the task most is never what the budget cuts
LEFT_OUT = "(left out for length)"  # within the least budget


@dataclass(frozen=True, slots=True)
class Assembled:
    """The pack, and where the next one goes on; `cursor` None where nothing was left out."""

    packed: Packed
    cursor: str | None


@dataclass(frozen=True, slots=True)
class Span:
    """How many tokens a pack may take, and how many drafts earlier packs have taken."""

    budget: int
    after: int


def assemble(
    reader: Reader, question: Question, found: Found, pages: Sequence[Chosen], span: Span
) -> Assembled:
    """Drafts in order of worth, from the one after the last pack's on; deeper ones where there is room."""
    budget = span.budget
    if budget < LEAST_BUDGET:
        raise Usage(f"budget {budget} is too small to say anything: give at least {LEAST_BUDGET} tokens")
    holding = [one for one in found.candidates if one.standing.holds(reader.moment.as_of)]
    wanted = set(question.lexemes)
    passages = [_passage_draft(reader, one, wanted) for one in holding[:PASSAGES]]
    drafts = [*passages[:FIRST], *(draft_of(page, budget) for page in pages), *passages[FIRST:]]
    drafts += [rest for page in pages for rest in rest_of(page)]
    left = [_reachable(draft, budget) for draft in drafts[span.after :]]
    packed = pack(left, budget=budget, count=count_tokens)
    partly = [page for page in pages if page.is_part]
    firsts = 0 if span.after else len(passages[:FIRST])
    if packed.left:
        packed = replace(packed, left=packed.left + len(partly))
        return _assembled(_pages_first(packed, firsts, len(pages), budget), span.after)
    drafts += [deeper_draft(reader, page, question, found, budget) for page in partly]
    left = [_reachable(draft, budget) for draft in drafts[span.after :]]
    packed = pack(left, budget=budget, count=count_tokens)
    return _assembled(_pages_first(packed, firsts, len(pages), budget), span.after)


def _pages_first(packed: Packed, firsts: int, pages: int, budget: int) -> Packed:
    """As it is read: the pages before the passages that were given room before them."""
    parts = packed.parts
    if not firsts or len(parts) <= firsts:
        return packed
    ordered = (*parts[firsts : firsts + pages], *parts[:firsts], *parts[firsts + pages :])
    text = BETWEEN.join(part.text for part in ordered)
    used = count_tokens(text)
    # Tokens merge across other seams now: rather the order of worth than a pack above its budget.
    return replace(packed, parts=ordered, text=text, used=used) if used <= budget else packed


def _assembled(packed: Packed, after: int) -> Assembled:
    return Assembled(packed, _cursor(after + packed.taken) if packed.left and packed.taken else None)


def _reachable(draft: Draft, budget: int) -> Draft:
    """A draft whose pointer alone is over the budget gets one that is not, or nobody would come past it.

    A token is a byte at least, so that a short pointer need not be counted.
    """
    if len(draft.grades[-1].encode()) <= budget or count_tokens(draft.grades[-1]) <= budget:
        return draft
    return replace(draft, grades=(*draft.grades, LEFT_OUT))


def _passage_draft(reader: Reader, one: Candidate, wanted: set[str]) -> Draft:
    body = one.passage.body
    cited = cite_passage(one.passage, (0, len(body)), one.item, one.standing, reader.moment.as_of)
    head = _head(one)
    telling = " … ".join(body[start:end] for start, end in _telling(body, wanted))
    grades = (f"{head}\n{_quoted(body)}", f"{head}\n{_quoted(telling)}", f"{head} (left out for length)")
    return Draft("passage", grades if telling else (grades[0], grades[2]), _why(one), (cited,))


def _telling(body: str, wanted: set[str]) -> list[tuple[int, int]]:
    """The sentences that share a word with the task, in the order they stand."""
    return [span for span in sentences(body) if wanted & set(lexemes(body[span[0] : span[1]]))][:3]


def _head(one: Candidate) -> str:
    item = one.item
    said = one.passage.speaker or item.author_name or item.author
    where = " › ".join(_plain(part) for part in (item.title, *one.passage.heading) if part)
    parts = [
        where,
        _plain(said) if said else "",
        item.at.date().isoformat(),
        f"{item.source}:{_plain(item.id)}" if item.level == "exact" else item.source,
    ]
    status = "" if one.standing.is_in_force else f" — {one.standing.status}, not in force"
    trust = "" if is_trusted(item.trust) else f" — {item.trust}, no rule to act by"
    return "**" + " · ".join(part for part in parts if part) + "**" + status + trust


def _plain(text: str) -> str:
    """Source text on one line, with nothing that would end the emphasis it stands in."""
    return " ".join(text.replace("*", "").split())


def _quoted(text: str) -> str:
    """As a block quote, so that text from a source is never mistaken for ours."""
    return "\n".join(f"> {line}" for line in text.strip().splitlines())


def _why(one: Candidate) -> str:
    ranks = ", ".join(f"{leg} {rank}" for leg, rank in sorted(one.why.items())) or "led to"
    way = "" if one.way is None else f": {one.way.told}"
    return f"score {one.score:g} ({ranks}){way}"


def _cursor(after: int) -> str:
    return base64.urlsafe_b64encode(f"after:{after}".encode()).decode()


def read_cursor(cursor: str | None) -> int:
    """How many drafts an earlier pack has taken; Usage for a cursor that is none of ours."""
    if cursor is None:
        return 0
    try:
        head, _, number = base64.urlsafe_b64decode(cursor.encode()).decode().partition(":")
    except (ValueError, binascii.Error):
        head, number = "", ""
    if head != "after" or not number.isdecimal():
        raise Usage(f"cursor {cursor!r} was not given by an earlier pack")
    return int(number)
