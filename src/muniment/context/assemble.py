"""The context for a task: pages of what it names, then the passages that matter most, within a budget."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass, replace

from muniment.claims.cite import cite_passage
from muniment.context.pack import Draft, Packed, pack
from muniment.context.question import Question
from muniment.context.retrieve import Candidate, Found
from muniment.context.tokens import count_tokens
from muniment.domain.errors import Usage
from muniment.domain.values import Page
from muniment.gate.reader import Reader
from muniment.index.words import lexemes
from muniment.items.sentences import sentences

__all__ = ["Assembled", "assemble", "read_cursor"]

PAGE_SHARE = 0.4  # of the budget a page may take before it is condensed: the task's passages need room too
LEAST_BUDGET = 16
PASSAGES = 60
LEFT_OUT = "(left out for length)"  # within the least budget


@dataclass(frozen=True, slots=True)
class Assembled:
    """The pack, and where the next one goes on; `cursor` None where nothing was left out."""

    packed: Packed
    cursor: str | None


def assemble(
    reader: Reader, question: Question, found: Found, pages: Sequence[Page], *, budget: int, after: int
) -> Assembled:
    """Drafts in order of worth, from the one after the last pack's on."""
    if budget < LEAST_BUDGET:
        raise Usage(f"budget {budget} is too small to say anything: give at least {LEAST_BUDGET} tokens")
    drafts = [_page_draft(page, int(budget * PAGE_SHARE)) for page in pages]
    holding = [one for one in found.candidates if one.standing.holds(reader.moment.as_of)]
    wanted = set(question.lexemes)
    drafts += [_passage_draft(reader, one, wanted) for one in holding[:PASSAGES]]
    left = [_reachable(draft, budget) for draft in drafts[after:]]
    packed = pack(left, budget=budget, count=count_tokens)
    goes_on = packed.left and packed.taken
    return Assembled(packed, _cursor(after + packed.taken) if goes_on else None)


def _reachable(draft: Draft, budget: int) -> Draft:
    """A draft whose pointer alone is over the budget gets one that is not, or nobody would come past it."""
    if count_tokens(draft.grades[-1]) <= budget:
        return draft
    return replace(draft, grades=(*draft.grades, LEFT_OUT))


def _page_draft(page: Page, share: int) -> Draft:
    """A page whole where it takes no more than its share, else its claims alone, else that it is there."""
    pointer = f"There is a page on {page.title} ({page.kind}): ask for page {page.entity!r}."
    lines = [
        f"- {claim.statement}"
        for section in page.sections
        for claim in section.claims
        if section.title != "History"
    ]
    condensed = _as_many(f"## {page.title}", lines, share)
    whole = (page.markdown,) if count_tokens(page.markdown) <= share else ()
    citations = tuple(one for section in page.sections for claim in section.claims for one in claim.citations)
    return Draft("page", (*whole, condensed, pointer), "the task names it", citations)


def _as_many(head: str, lines: Sequence[str], share: int) -> str:
    """The head and the first lines that fit; the rest is counted in a last one."""
    text, kept = head, 0
    for line in lines:
        if count_tokens(f"{text}\n{line}") > share:
            break
        text, kept = f"{text}\n{line}", kept + 1
    return text if kept == len(lines) else f"{text}\n- … {len(lines) - kept} more on the page"


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
        f"{item.source}:{_plain(item.id)}",
    ]
    status = "" if one.standing.is_in_force else f" — {one.standing.status}, not in force"
    return "**" + " · ".join(part for part in parts if part) + "**" + status


def _plain(text: str) -> str:
    """Source text on one line, with nothing that would end the emphasis it stands in."""
    return " ".join(text.replace("*", "").split())


def _quoted(text: str) -> str:
    """As a block quote, so that text from a source is never mistaken for ours."""
    return "\n".join(f"> {line}" for line in text.strip().splitlines())


def _why(one: Candidate) -> str:
    ranks = ", ".join(f"{leg} {rank}" for leg, rank in sorted(one.why.items()))
    return f"score {one.score:g} ({ranks})"


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
