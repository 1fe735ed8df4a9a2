"""Whether what was packed suffices, and what would have to be asked back. Pure, from visible evidence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from muniment.answer.compose import CLOSE, Judged
from muniment.answer.evidence import Evidence
from muniment.context.question import Question
from muniment.domain.names import normal_name
from muniment.domain.record import ItemRow
from muniment.pages.entities import Entity

__all__ = ["is_enough", "unclear"]

SUBJECTS = ("account", "project", "service")
MOST = 5  # subjects that are named in what is asked back
LOOKED_AT = 20  # pieces of evidence whose authors may bear a name


def is_enough(judged: Sequence[Judged], text: str, *, wants_all: bool) -> bool:
    """Whether the text tells what each judgement rests on: a sentence that suffices, one of the best.

    judged: of the question, or of each of its parts. wants_all: a list or a story is enough where every
    sentence that suffices is told.
    """
    told = _plain(text)
    return all(_is_told(one, told, wants_all=wants_all) for one in judged) and bool(judged)


def _is_told(judged: Judged, told: str, *, wants_all: bool) -> bool:
    if judged.state != "answered":
        return False
    held = (_plain(one.text) in told for one in (judged.evidence if wants_all else _leading(judged)))
    return all(held) if wants_all else any(held)


def _leading(judged: Judged) -> list[Evidence]:
    """The best sentence and those nearly as good, which an answer would choose from."""
    bar = CLOSE * judged.evidence[0].score if judged.evidence else 0.0
    return [one for one in judged.evidence if one.score >= bar]


def _plain(text: str) -> str:
    """Without the marks of a quotation and the breaks of lines."""
    return " ".join(word for line in text.splitlines() for word in line.removeprefix("> ").split())


def unclear(
    question: Question, judged: Judged, named: Sequence[Entity], ambiguous: Sequence[str]
) -> tuple[str, ...]:
    """What to ask back: what its names leave open, else which of several that answer equally well is meant.

    named: what the question names or is bounded to. ambiguous: what to ask back about its names.
    """
    if named or ambiguous:
        return tuple(ambiguous)
    asked = [] if question.named else _subjects(_leading(judged))
    return (*asked, *_people(question, judged.weighed))


def _subjects(leading: Sequence[Evidence]) -> list[str]:
    """The first kind of subject that the leading sentences are of more than one of."""
    for kind in SUBJECTS:
        names = _different(_subject(one.candidate.item, kind) for one in leading)
        if len(names) > 1:
            return [f"Which {kind}: {_listed(names)}?"]
    return []


def _subject(item: ItemRow, kind: str) -> str | None:
    subjects: Mapping[str, str | None] = {
        "account": item.account,
        "project": item.project,
        "service": item.service,
    }
    return subjects[kind]


def _people(question: Question, weighed: Sequence[Evidence]) -> list[str]:
    """For a lone first name, the authors and speakers of evidence who have it and differ in the rest."""
    said = [one.candidate.passage.speaker or one.candidate.item.author_name for one in weighed[:LOOKED_AT]]
    found = []
    for named in question.named:
        first = normal_name(named.surface)
        if " " not in first:
            names = _different(name for name in said if name and normal_name(name).startswith(f"{first} "))
            found += [f"Which {named.surface}: {_listed(names)}?"] if len(names) > 1 else []
    return found


def _different(names: Iterable[str | None]) -> list[str]:
    """Each name once, in the order of the alphabet."""
    found = {normal_name(name): " ".join(name.split()) for name in names if name}
    return [found[name] for name in sorted(found)]


def _listed(names: Sequence[str]) -> str:
    listed = " or ".join(names[:MOST])
    return listed if len(names) <= MOST else f"{listed} or another"
