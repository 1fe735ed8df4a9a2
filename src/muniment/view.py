"""What one principal may know: the verbs of the Python door, each one read of the record."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from muniment import notes
from muniment.answer.compose import Judged, compose
from muniment.answer.enough import is_enough, unclear
from muniment.answer.evidence import Evidence
from muniment.answer.seat import Aid, Draft, aided
from muniment.answer.state import suffices
from muniment.answer.worded import Worded, judge_best, judge_parts, worded
from muniment.claims.cite import find_citations
from muniment.claims.read import conflicts
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
from muniment.context.tokens import TOKENIZER, count_tokens
from muniment.domain.changes import PageChanges
from muniment.domain.events import JsonObject
from muniment.domain.exports import ExportedWiki
from muniment.domain.graph import Node, read_edges
from muniment.domain.identity import keyed_digest, keyed_uuid
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
    Remembered,
    Reported,
    TimelineEntry,
)
from muniment.export.tree import staged
from muniment.export.wiki import Asked, exported, write_wiki
from muniment.gate.audit import Act, Trace, record_read
from muniment.gate.reader import Hearing, Reader, reading_as
from muniment.jobs.loop import Work
from muniment.jobs.swap import asked_of
from muniment.models.embedding import Silent
from muniment.pages import entities, page
from muniment.pages.expand import Reach, expand
from muniment.pages.locate import locate
from muniment.shelf import Shelf
from muniment.surroundings import Surroundings

__all__ = ["View", "judged"]


@dataclass(frozen=True, slots=True)
class _Sought:
    """A question as far as retrieval takes it."""

    question: Question
    found: Found
    named: tuple[entities.Entity, ...]
    asked: tuple[Worded, ...]
    clarify: tuple[str, ...]
    warnings: tuple[str, ...]


class View:
    """One principal's view of the record. Every call is judged by the clock of that call.

    `as_of` and `known_at` stay what they were asked to be; None is the instant of the call.
    """

    def __init__(
        self,
        work: Work,
        surroundings: Surroundings,
        hearing: Hearing,
        as_of: datetime | None,
        known_at: datetime | None,
    ) -> None:
        self._work = work
        self._surroundings = surroundings
        self._hearing = hearing
        self._as_of = as_of
        self._known_at = known_at

    @property
    def _moment(self) -> Moment:
        now = self._work.clock()
        return Moment(now, self._as_of or now, self._known_at)

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
        return aided(self._surroundings.seat, question, lambda aid: self._draft(question, entity, aid))

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

    # ── looking ──

    def page(self, entity: str) -> Page:
        """Everything this principal may know of an entity, ordered."""
        with self._looking("page", entity) as reader:
            return told(reader, page.page(reader, entity))

    def changes(self, entity: str, since: datetime | str) -> PageChanges:
        """Every sentence of a page that came, went or changed since then, as the record learnt it."""
        with self._looking("changes", entity) as reader:
            return told(reader, page.changes(reader, entity, since))

    def pages(self) -> list[PageEntry]:
        """Every entity there is a page of, for this principal."""
        with self._looking("pages", "") as reader:
            return list(page.pages(reader))

    def timeline(self, entity: str) -> list[TimelineEntry]:
        """What happened to what is known of an entity, oldest first."""
        with self._looking("timeline", entity) as reader:
            return told(reader, list(page.timeline(reader, entity)))

    def conflicts(self) -> list[tuple[Citation, ...]]:
        """Every visible contradiction, each as one citation a side."""
        with self._looking("conflicts", "") as reader:
            return told(reader, page.cited_conflicts(reader, conflicts(reader)))

    def explain(self, citation: str) -> Explain:
        """The passage behind a citation, and why this principal may see it."""
        with self._looking("explain", citation) as reader:
            return told(reader, page.explain(reader, citation))

    def standing(self, citations: Sequence[str], verb: str, what: str) -> tuple[dict[str, Citation], str]:
        """Those of these citations that this principal may read at this moment, and the trace of asking.

        What somebody does with what they were told is noted under `verb` with it.
        """
        with self._reading() as reader:
            found = told(reader, find_citations(reader, citations))
        return {one.id: one for one in found}, self._note(reader, verb, what)

    def history(self, claim: str) -> list[History]:
        """Every version of what the claim's slot held."""
        with self._looking("history", claim) as reader:
            return told(reader, list(page.history(reader, claim)))

    def locate(self, terms: str, within: str | None = None, *, limit: int = 20) -> list[Node]:
        """What words could mean: exact titles first, items before passages; the last is marked if cut."""
        with self._looking("locate", terms) as reader:
            return locate(reader, terms, within, limit)

    def expand(
        self,
        node: str,
        edges: Sequence[str] | None = None,
        hops: int = 1,
        *,
        limit: int = 50,
        budget: int = 4000,
    ) -> Node:
        """A node with what it leads to, so many steps away: at most `limit` neighbours, in a token budget."""
        reach = Reach(read_edges(edges), hops, limit, budget)
        with self._looking("expand", node) as reader:
            return expand(reader, node, reach, count_tokens)

    def export(self, folder: str | Path, *, progress: Callable[[int], None] = lambda _: None) -> ExportedWiki:
        """Write the wiki into a folder: pages as Markdown, claims as JSON; an earlier one is renewed."""
        asked = Asked(self._as_of, self._known_at, self._hearing.agent, self._hearing.hearers)
        # In the audit before the folder holds it: the reader is left first.
        with staged(Path(folder)) as tree, self._looking("export", "") as reader:
            wiki = write_wiki(reader, tree, asked, progress)
        return exported(tree, wiki)

    # ── handing in ──

    def remember(self, text: str, evidence: Sequence[str] = ()) -> Remembered:
        """Keep a note for this principal alone.

        It was made from these citations, and from whatever visible words it repeats.
        """
        kept = notes.remember(self._work, self._hearing, self._now, text, evidence)
        with self._looking("remember", kept.id) as reader:
            reader.hand_out(one.id for one in kept.evidence)
        return kept

    def report(self, citation: str, problem: str = "wrong") -> Reported:
        """Tell stewards who may read it that a citation is wrong; by itself this changes nothing."""
        reported = notes.report(self._work, self._hearing, self._now, citation, problem)
        with self._looking("report", citation) as reader:
            reader.hand_out([reported.citation.id])
        return reported

    @property
    def shelf(self) -> Shelf:
        """The files that this principal keeps for themselves."""
        return Shelf(self._work, self._hearing, self._looking)

    # ── how ──

    @property
    def _now(self) -> Moment:
        """Whatever moment is asked about, what is handed in is handed in now."""
        now = self._work.clock()
        return Moment(now, now, None)

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
            tuple(_which(one) for one in named if isinstance(one, entities.Ambiguous)),
            warnings,
        )

    @contextmanager
    def _looking(self, verb: str, what: str) -> Generator[Reader]:
        """A reader whose use is noted once it was of use."""
        with self._reading() as reader:
            yield reader
        self._note(reader, verb, what)

    def _note(self, reader: Reader, verb: str, text: str, left: int = 0) -> str:
        """Audit and trace of a read, written before its reply is given; the trace's id."""
        work, hearing, moment = self._work, self._hearing, reader.moment
        times = [format_instant(at) for at in (moment.now, moment.as_of, moment.known_at) if at is not None]
        who = (hearing.principal, hearing.agent or "", *hearing.hearers)
        trace = keyed_uuid(work.key, "trace", verb, text, *times, *who)
        kept = list(dict.fromkeys(reader.handed_out))
        act = Act(
            moment.now, _storable(reader.permitted.principal), verb, trace.hex, self._read(reader, kept)
        )
        why = Trace(trace, verb, _storable(text), kept, left)
        record_read(work.database, work.tenant, act, why, work.salts())
        return trace.hex

    def _read(self, reader: Reader, kept: Sequence[str]) -> JsonObject:
        """Under which rights something was read, as the record stood when, and what was handed out."""
        moment = reader.moment
        return {
            "citations": kept,
            "agent": _storable(self._hearing.agent or ""),
            "hearers": [_storable(one) for one in self._hearing.hearers],
            "rights": keyed_digest(reader.key, "rights", reader.permitted.as_text()).hex(),
            "watermark": reader.watermark,
            "as_of": format_instant(moment.as_of),
            "known_at": None if moment.known_at is None else format_instant(moment.known_at),
        }


def judged(reader: Reader, sought: _Sought, enough: Callable[[Evidence], bool] = suffices) -> Judged:
    """What was found, judged; an evaluation asks for more than a door shows and may set another bar."""
    looked = with_subjects(reader, sought.found, subjects_of(reader, sought.named))
    return judge_best(reader, sought.asked, looked, enough)


def _storable(text: str) -> str:
    """What of a question can be stored as text."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode()


def _which(one: entities.Ambiguous) -> str:
    return f"Which {one.name}: {' or '.join(one.candidates)}?"
