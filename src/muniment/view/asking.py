"""Questions and tasks: what is found for them, judged, and put into an answer or a pack."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from muniment.answer.compose import Judged, compose
from muniment.answer.enough import is_enough, unclear
from muniment.answer.evidence import Evidence
from muniment.answer.seat import Aid, Draft, aided
from muniment.answer.state import suffices
from muniment.answer.worded import Worded, judge_best, judge_parts, worded
from muniment.claims.cite import find_citations
from muniment.claims.told import told
from muniment.context.assemble import Span, assemble, read_cursor
from muniment.context.belonging import nearest_first
from muniment.context.chosen import choose
from muniment.context.connected import with_connected
from muniment.context.freshness import freshness, searched, touched
from muniment.context.many import wants_many
from muniment.context.meant import meaning_of, people_in
from muniment.context.question import LIMIT, Question
from muniment.context.retrieve import EVERYTHING, Found, Meaning, Scope, retrieve
from muniment.context.search import Filters, deepening
from muniment.context.subjects import subjects_of, with_subjects
from muniment.context.tokens import TOKENIZER
from muniment.domain.values import (
    Answer,
    Budget,
    Citation,
    Hit,
    Omitted,
    Pack,
)
from muniment.gate.reader import Reader
from muniment.jobs.swap import asked_of
from muniment.models.embedding import Silent
from muniment.pages import entities
from muniment.view.base import Base, anywhere

__all__ = ["Asking", "judged"]


@dataclass(frozen=True, slots=True)
class _Sought:
    """A question as far as retrieval takes it."""

    question: Question
    found: Found
    named: tuple[entities.Entity, ...]
    asked: tuple[Worded, ...]
    clarify: tuple[str, ...]
    warnings: tuple[str, ...]


class Asking(Base):
    """The verbs that ask."""

    def ask(self, question: str, *, entity: str | None = None) -> Answer:
        """An answer in one of three states, every sentence of it cited.

        `entity` bounds it to what is about that.
        """
        return aided(self._surroundings.seat, question, lambda aid: self._draft(question, entity, aid))

    @anywhere
    def context(
        self, task: str, *, budget: int = 3000, entity: str | None = None, cursor: str | None = None
    ) -> Pack:
        """The few things a task needs, in a budget of tokens; `cursor` goes on where a pack ended."""
        after = read_cursor(cursor)
        meaning, why = self._meaning(task)
        with self._reading() as reader:
            sought = self._seek(reader, task, meaning, entity)
            sought = replace(sought, found=nearest_first(sought.found, sought.named))
            pages = choose(reader, sought.question, sought.found, sought.named)
            assembled = assemble(reader, sought.question, sought.found, pages, Span(budget, after))
            packed = told(reader, assembled.packed)
            found = judged(reader, sought)
            each = judge_parts(reader, task, sought.named, sought.found, found)
            fresh = freshness(reader)
        return Pack(
            state="answered" if packed.parts and found.state != "out_of_scope" else found.state,
            text=packed.text,
            parts=packed.parts,
            budget=Budget(budget, packed.used, TOKENIZER),
            omitted=Omitted(packed.left, "budget" if packed.left else None),
            enough=is_enough(each, packed.text, wants_all=wants_many(task)),
            clarify=unclear(sought.question, found, sought.named, sought.clarify),
            cursor=assembled.cursor,
            freshness=touched(fresh, tuple(one for part in packed.parts for one in part.citations)),
            warnings=(*sought.warnings, *why),
            as_of=reader.moment.as_of,
            known_at=reader.moment.known_at or reader.moment.now,
            trace=self._note(reader, "context", task, len(sought.found.candidates)),
        )

    def standing(self, citations: Sequence[str], verb: str, what: str) -> tuple[dict[str, Citation], str]:
        """Those of these citations that this principal may read at this moment, and the trace of asking.

        What somebody does with what they were told is noted under `verb` with it.
        """
        with self._reading() as reader:
            found = told(reader, find_citations(reader, citations))
        return {one.id: one for one in found}, self._note(reader, verb, what)

    @anywhere
    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        unit: str = "item",
        kind: str | None = None,
        entity: str | None = None,
        after: datetime | str | None = None,
        before: datetime | str | None = None,
    ) -> list[Hit]:
        """The best matches, at most one for each unit: item, passage, claim or page."""
        filters = Filters.read(limit, unit, kind, after, before)
        meaning, _ = self._meaning(query)
        with self._reading() as reader:
            asked = [one.question for one in worded(reader, query, ())]
            bound = None if entity is None else entities.get_entity(reader, entity)
            scope = filters.scope(bound)
            hits = told(reader, deepening(reader, asked, meaning, scope, filters))
        self._note(reader, "search", query)
        return hits

    def _meaning(self, text: str) -> tuple[Meaning | None, tuple[str, ...]]:
        """The text as a vector, or why there is none.

        An organisation that never had an embedder is not told so.
        """
        around = self._surroundings
        if around.embedder is None or not text.strip():
            return None, ()
        if not around.capabilities.vectors:
            return None, (f"meaning was not used: {around.capabilities.why}",)
        placing, said = asked_of(self._work, around.embedder, around.before)
        if isinstance(placing, Silent):
            return None, (f"meaning was not used: {placing.why}",)
        meaning, why = meaning_of(placing, text[:LIMIT], self._people)
        return meaning, why if said is None else (*why, said)

    def _people(self, text: str) -> tuple[str, ...]:
        with self._reading() as reader:
            return people_in(reader, text)

    @anywhere
    def _draft(self, question: str, entity: str | None, aid: Aid) -> Draft:
        """What the rules answer now, in a transaction of its own, with what help a model gave."""
        meaning, why = self._meaning(question)
        with self._reading() as reader:
            sought = self._seek(reader, question, meaning, entity, aid.words)
            found = judged(reader, sought)
            composed = told(reader, compose(reader, found, aid.chosen))
            fresh = freshness(reader)
        answer = Answer(
            state=found.state,
            text=composed.text,
            citations=composed.citations,
            conflicts=composed.conflicts,
            clarify=unclear(sought.question, found, sought.named, sought.clarify),
            freshness=touched(fresh, composed.citations),
            warnings=(*sought.warnings, *composed.warnings, *why),
            searched=searched(fresh),
            as_of=reader.moment.as_of,
            known_at=reader.moment.known_at or reader.moment.now,
            trace=self._note(reader, "ask", question, len(sought.found.candidates)),
        )
        return Draft(answer, found.evidence, composed.tells_preferred)

    def _seek(
        self,
        reader: Reader,
        text: str,
        meaning: Meaning | None,
        entity: str | None,
        more: Sequence[str] = (),
    ) -> _Sought:
        bound = None if entity is None else entities.get_entity(reader, entity)
        named = entities.entities_in(reader, text) if bound is None else [bound]
        asked = worded(reader, text, named, more)
        question, *also = (one.question for one in asked)
        scope = EVERYTHING if bound is None else Scope(bound.names, bound.parts)
        found = retrieve(reader, question, meaning, scope=scope, also=also)
        if bound is None:
            found = with_connected(reader, question, found, nearest_first(found, named).candidates)
        warnings = ("the question was cut to its first 8,000 characters",) if question.is_cut else ()
        every = dict.fromkeys(lexeme for one in (question, *also) for lexeme in one.lexemes)
        return _Sought(
            replace(question, lexemes=tuple(every)),
            found,
            tuple(one for one in named if isinstance(one, entities.Entity)),
            asked,
            tuple(one.which for one in named if isinstance(one, entities.Ambiguous)),
            warnings,
        )


def judged(reader: Reader, sought: _Sought, enough: Callable[[Evidence], bool] = suffices) -> Judged:
    """What was found, judged; an evaluation asks for more than a door shows and may set another bar."""
    looked = with_subjects(reader, sought.found, subjects_of(reader, sought.named))
    return judge_best(reader, sought.asked, looked, enough)
