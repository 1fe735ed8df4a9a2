"""What one principal may know: the verbs of the Python door, each one read of the record."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from muniment.answer.compose import compose, judge
from muniment.claims.read import conflicts
from muniment.context.assemble import assemble, read_cursor
from muniment.context.freshness import freshness, searched, touched
from muniment.context.question import LIMIT, Question, understand
from muniment.context.retrieve import DEPTH, EVERYTHING, Found, Meaning, Scope, retrieve
from muniment.context.search import Filters, search
from muniment.context.subjects import subjects_of, with_subjects
from muniment.context.tokens import TOKENIZER
from muniment.domain.identity import keyed_uuid
from muniment.domain.names import normal_name
from muniment.domain.record import Moment
from muniment.domain.times import format_instant
from muniment.domain.values import (
    Answer,
    Budget,
    Citation,
    Explain,
    History,
    Hit,
    Omitted,
    Pack,
    Page,
    PageEntry,
    TimelineEntry,
)
from muniment.gate.audit import Act, Trace, record_read
from muniment.gate.reader import Hearing, Reader, reading_as
from muniment.jobs.loop import Work
from muniment.models.embedding import Embedder, Silent, ask
from muniment.pages import entities, page
from muniment.store.migrate import Capabilities

__all__ = ["Surroundings", "View"]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is there besides the record: an embedder or None, and what the database can do."""

    embedder: Embedder | None
    capabilities: Capabilities


@dataclass(frozen=True, slots=True)
class _Sought:
    """A question as far as retrieval takes it."""

    question: Question
    found: Found
    named: tuple[entities.Entity, ...]
    names: tuple[str, ...]
    is_about: bool
    clarify: tuple[str, ...]
    warnings: tuple[str, ...]


class View:
    """One principal's view of the record at one moment. Rights are resolved anew for every call."""

    def __init__(self, work: Work, surroundings: Surroundings, hearing: Hearing, moment: Moment) -> None:
        self._work = work
        self._surroundings = surroundings
        self._hearing = hearing
        self._moment = moment

    @contextmanager
    def _reading(self) -> Generator[Reader]:
        work = self._work
        with reading_as(work.database, work.tenant, work.key, self._hearing, self._moment) as reader:
            yield reader

    # ── asking ──

    def ask(self, question: str, *, entity: str | None = None) -> Answer:
        """An answer in one of three states, every sentence of it cited.

        `entity` bounds it to what is about that.
        """
        meaning, why = self._meaning(question)
        with self._reading() as reader:
            sought = self._seek(reader, question, meaning, entity)
            looked = with_subjects(reader, sought.found, subjects_of(reader, sought.named))
            judged = judge(reader, sought.question, looked, sought.names, is_about=sought.is_about)
            composed = compose(reader, judged)
            fresh = freshness(reader)
        return Answer(
            state=judged.state,
            text=composed.text,
            citations=composed.citations,
            conflicts=composed.conflicts,
            clarify=sought.clarify,
            freshness=touched(fresh, composed.citations),
            warnings=(*sought.warnings, *composed.warnings, *why),
            searched=searched(fresh),
            as_of=self._moment.as_of,
            known_at=self._moment.known_at or self._moment.now,
            trace=self._note("ask", question, composed.citations, len(sought.found.candidates)),
        )

    def context(
        self, task: str, *, budget: int = 3000, entity: str | None = None, cursor: str | None = None
    ) -> Pack:
        """The few things a task needs, within a budget of tokens.

        `cursor` goes on where an earlier pack ended.
        """
        after = read_cursor(cursor)
        meaning, why = self._meaning(task)
        with self._reading() as reader:
            sought = self._seek(reader, task, meaning, entity)
            pages = [page.page(reader, one.names[0]) for one in sought.named[:3]]
            assembled = assemble(reader, sought.question, sought.found, pages, budget=budget, after=after)
            looked = with_subjects(reader, sought.found, subjects_of(reader, sought.named))
            state = judge(reader, sought.question, looked, sought.names, is_about=sought.is_about).state
            fresh = freshness(reader)
        packed = assembled.packed
        citations = tuple(one for part in packed.parts for one in part.citations)
        return Pack(
            state="answered" if packed.parts and state != "out_of_scope" else state,
            text=packed.text,
            parts=packed.parts,
            budget=Budget(budget, packed.used, TOKENIZER),
            omitted=Omitted(packed.left, "budget" if packed.left else None),
            enough=state == "answered",
            clarify=sought.clarify,
            cursor=assembled.cursor,
            freshness=touched(fresh, citations),
            warnings=(*sought.warnings, *why),
            as_of=self._moment.as_of,
            known_at=self._moment.known_at or self._moment.now,
            trace=self._note("context", task, citations, len(sought.found.candidates)),
        )

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
            question = understand(query)
            names = None if entity is None else entities.get_entity(reader, entity).names
            hits = _deepening(reader, question, meaning, filters, names)
        self._note("search", query, [hit.citation for hit in hits if hit.citation is not None])
        return hits

    # ── looking ──

    def page(self, entity: str) -> Page:
        """Everything this principal may know of an entity, ordered."""
        with self._looking("page", entity) as reader:
            return page.page(reader, entity)

    def pages(self) -> list[PageEntry]:
        """Every entity there is a page of, for this principal."""
        with self._looking("pages", "") as reader:
            return list(page.pages(reader))

    def timeline(self, entity: str) -> list[TimelineEntry]:
        """What happened to what is known of an entity, oldest first."""
        with self._looking("timeline", entity) as reader:
            return list(page.timeline(reader, entity))

    def conflicts(self) -> list[tuple[Citation, ...]]:
        """Every visible contradiction, each as one citation a side."""
        with self._looking("conflicts", "") as reader:
            return page.cited_conflicts(reader, conflicts(reader))

    def explain(self, citation: str) -> Explain:
        """The passage behind a citation, and why this principal may see it."""
        with self._looking("explain", citation) as reader:
            return page.explain(reader, citation)

    def history(self, claim: str) -> list[History]:
        """Every version of what the claim's slot held."""
        with self._looking("history", claim) as reader:
            return list(page.history(reader, claim))

    # ── how ──

    def _meaning(self, text: str) -> tuple[Meaning | None, tuple[str, ...]]:
        """The text as a vector, or why there is none.

        An organisation that never had an embedder is not told so.
        """
        embedder = self._surroundings.embedder
        if embedder is None or not text.strip():
            return None, ()
        if not self._surroundings.capabilities.vectors:
            return None, (f"meaning was not used: {self._surroundings.capabilities.why}",)
        match ask(embedder, text[:LIMIT]):
            case Silent(why=why):
                return None, (f"meaning was not used: {why}",)
            case vector:
                return Meaning(embedder.name, vector), ()

    def _seek(self, reader: Reader, text: str, meaning: Meaning | None, entity: str | None) -> _Sought:
        question = understand(text)
        bound = None if entity is None else entities.get_entity(reader, entity)
        named = entities.entities_in(reader, text) if bound is None else [bound]
        found = retrieve(reader, question, meaning, scope=EVERYTHING if bound is None else Scope(bound.names))
        warnings = ("the question was cut to its first 8,000 characters",) if question.is_cut else ()
        return _Sought(
            question,
            found,
            tuple(one for one in named if isinstance(one, entities.Entity)),
            tuple(_spoken(named, text)),
            bool(named),
            tuple(_which(one) for one in named if isinstance(one, entities.Ambiguous)),
            warnings,
        )

    @contextmanager
    def _looking(self, verb: str, what: str) -> Generator[Reader]:
        """A reader whose use is noted once it was of use."""
        with self._reading() as reader:
            yield reader
        self._note(verb, what, ())

    def _note(self, verb: str, text: str, citations: Sequence[Citation], left: int = 0) -> str:
        """Audit and trace of a read, written before its reply is given; the trace's id."""
        work, hearing, moment = self._work, self._hearing, self._moment
        times = [format_instant(at) for at in (moment.now, moment.as_of, moment.known_at) if at is not None]
        who = (hearing.principal, hearing.agent or "", *hearing.hearers)
        trace = keyed_uuid(work.key, "trace", verb, text, *times, *who)
        kept = [one.id for one in citations]
        heard = [_storable(one) for one in hearing.hearers]
        said = {"citations": kept, "agent": _storable(hearing.agent or ""), "hearers": heard}
        act = Act(moment.now, _storable(hearing.principal), verb, trace.hex, said)
        why = Trace(trace, verb, _storable(text), kept, left)
        record_read(work.database, work.tenant, act, why, work.salts())
        return trace.hex


def _storable(text: str) -> str:
    """What of a question can be stored as text."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode()


def _deepening(
    reader: Reader,
    question: Question,
    meaning: Meaning | None,
    filters: Filters,
    names: tuple[str, ...] | None,
) -> list[Hit]:
    """As many hits as were asked for, looked for deeper until there are so many or nothing is left."""
    depth = max(DEPTH, 3 * filters.limit)
    while True:
        found = retrieve(reader, question, meaning, scope=filters.scope(names), depth=depth)
        hits = search(reader, found, filters)
        if len(hits) >= filters.limit or found.is_all:
            return hits
        depth *= 8


def _spoken(named: Sequence[entities.Entity | entities.Ambiguous], text: str) -> Iterator[str]:
    """The names by which the question calls what it names."""
    plain = normal_name(text)
    for one in named:
        names = (one.name,) if isinstance(one, entities.Ambiguous) else one.names
        yield from (name for name in names if name in plain)


def _which(one: entities.Ambiguous) -> str:
    return f"Which {one.name}: {' or '.join(one.candidates)}?"
