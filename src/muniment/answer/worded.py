"""A question in its own words and in the organisation's others for it, and which is answered best."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from muniment.answer.compose import Judged, Named, judge
from muniment.answer.evidence import Evidence
from muniment.answer.state import suffices
from muniment.context.asked.parts import parts
from muniment.context.question import Question, understand, widened
from muniment.context.retrieve import Found
from muniment.context.wordings import wordings
from muniment.domain.names import normal_name
from muniment.gate.reader import Reader
from muniment.pages.entities import Ambiguous, Entity

__all__ = ["Worded", "judge_best", "judge_parts", "worded"]

_STATES = ("answered", "not_found", "out_of_scope")


@dataclass(frozen=True, slots=True)
class Worded:
    """One wording, and what the question names in it."""

    question: Question
    named: Named


def worded(
    reader: Reader, text: str, named: Sequence[Entity | Ambiguous], more: Sequence[str] = ()
) -> tuple[Worded, ...]:
    """The question as it was asked, looked for by `more` words too, then in other words."""
    asked, *others = (_worded(one, named) for one in (text, *wordings(reader, text)))
    return replace(asked, question=widened(asked.question, more)), *others


def _worded(text: str, named: Sequence[Entity | Ambiguous]) -> Worded:
    return Worded(understand(text), Named(tuple(_spoken(named, text)), bool(named)))


def _spoken(named: Iterable[Entity | Ambiguous], text: str) -> Iterator[str]:
    """The names by which the text calls what it names."""
    plain = normal_name(text)
    for one in named:
        names = (one.name,) if isinstance(one, Ambiguous) else one.names
        yield from (name for name in names if name in plain)


def judge_best(
    reader: Reader, asked: Sequence[Worded], found: Found, enough: Callable[[Evidence], bool]
) -> Judged:
    """What was found, judged in the wording that it answers best; the first of those that do so equally."""
    judged = [judge(reader, one.question, found, one.named, enough=enough) for one in asked]
    return min(judged, key=_rank)


def judge_parts(
    reader: Reader, text: str, named: Sequence[Entity], found: Found, whole: Judged
) -> list[Judged]:
    """The judgement of each part of a question that asks several things; of the whole, if it is answered."""
    asked = parts(text)
    if len(asked) == 1 or whole.state == "answered":
        return [whole]
    return [judge_best(reader, worded(reader, one, named), found, suffices) for one in asked]


def _rank(one: Judged) -> tuple[int, float]:
    return _STATES.index(one.state), -max((each.support for each in one.evidence), default=0.0)
