"""The context for a task: pages of what it names, then the passages that matter most, within a budget."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from muniment.context.chosen import Chosen, deeper_draft, draft_of, rest_of
from muniment.context.condense import Bearing
from muniment.context.drafts import LEFT_OUT, passage_draft
from muniment.context.many import PASSAGES as MANY
from muniment.context.many import firsts, manner_of
from muniment.context.pack import PLAIN, Draft, Manner, Packed, pack_made
from muniment.context.question import Question
from muniment.context.retrieve import Found
from muniment.context.tokens import count_tokens
from muniment.domain.errors import Usage
from muniment.gate.reader import Reader

__all__ = ["Assembled", "Span", "assemble", "read_cursor"]

LEAST_BUDGET = 16
PASSAGES = 60
FIRST = 9  # passages that get room before any page: what bears on the task most is never what the budget cuts


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
    manner = manner_of(question.text)
    most = PASSAGES if manner == PLAIN else MANY
    holding = firsts([one for one in found.candidates if one.standing.holds(reader.moment.as_of)])
    bearing = Bearing.of(question, found)
    passages = [partial(passage_draft, one, bearing, reader.moment.as_of) for one in holding[:most]]
    whole = [partial(draft_of, page, budget) for page in pages]
    rest = [partial(_same, one) for page in pages for one in rest_of(page)]
    drafts = [*passages[:FIRST], *whole, *passages[FIRST:], *rest]
    partly = [page for page in pages if page.is_part]
    packed = _packed(drafts, span, manner)
    if packed.left:
        packed = replace(packed, left=packed.left + len(partly))
    else:
        drafts += [partial(_same, deeper_draft(reader, page, question, found, budget)) for page in partly]
        packed = _packed(drafts, span, manner)
    return Assembled(packed, _cursor(span.after + packed.taken) if packed.left and packed.taken else None)


def _same(draft: Draft) -> Draft:
    return draft


def _packed(drafts: Sequence[Callable[[], Draft]], span: Span, manner: Manner) -> Packed:
    left = drafts[span.after :]
    made = (_reachable(draft(), span.budget) for draft in left)
    return pack_made(made, len(left), budget=span.budget, count=count_tokens, manner=manner)


def _reachable(draft: Draft, budget: int) -> Draft:
    """A draft whose pointer alone is over the budget gets one that is not, or nobody would come past it.

    A token is a byte at least, so that a short pointer need not be counted.
    """
    if len(draft.grades[-1].encode()) <= budget or count_tokens(draft.grades[-1]) <= budget:
        return draft
    return replace(draft, grades=(*draft.grades, LEFT_OUT))


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
