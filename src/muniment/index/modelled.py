"""What models said of an item, beside what rules read in it, and which of it its text no longer proves. Pure.

A model's statement stands while its words do: a moved quote is found again and costs nothing. Where the words
are gone, the statement goes stale, until a rule or a model reads the same slot anew, or a model is asked
about it and its verdict passes the gates. All of it follows from the versions and from what models gave
when, so that a rebuild gives the same bytes and asks nobody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from muniment.assertions.anchor import normal_quote
from muniment.assertions.distil import AGAIN, DISTIL, ask_again, ask_of
from muniment.assertions.validity import Bounds, Said, dated, over
from muniment.assertions.verify import Shown
from muniment.domain.assertions import Assertion
from muniment.domain.distilled import Output
from muniment.domain.identity import keyed_uuid
from muniment.index.projection import MEMORY, Projection, StoredAssertion, when_said
from muniment.index.shown import Gates, Outputs, ShownText, again_digest, nearest, texts_of
from muniment.index.told import Told, slot_key
from muniment.models.language import Prompt

__all__ = ["Asked", "Due", "due_of", "with_outputs"]

CONFIDENCE = 0.5  # of what a model put in its own words; what is verbatim has 1


@dataclass(frozen=True, slots=True)
class Due:
    """Something to ask a model: `unit` stands for what it is shown, `before` is what went stale."""

    purpose: str
    unit: bytes
    passage: UUID
    prompt: Prompt
    shown: Shown
    before: Assertion | None = None


@dataclass(frozen=True, slots=True)
class _Held:
    """A model's statement, and where its words last stood."""

    assertion: UUID
    said: Assertion
    passage: UUID
    seq: int
    stated_at: datetime
    when: Said
    input: bytes
    is_stale: bool = False


_Holding = Mapping[UUID, _Held]
Asked = Collection[tuple[str, bytes]]  # purposes, each with what was shown


def with_outputs(key: bytes, one: Projection, outputs: Sequence[Output]) -> Projection:
    """The item's rows with what models said of it."""
    if not outputs:
        return one
    rows = _stretches(_Story(key, one, outputs).rows())
    return replace(one, assertions=(*one.assertions, *rows))


def due_of(key: bytes, one: Projection, outputs: Sequence[Output], asked: Asked) -> tuple[Due, ...]:
    """What was not asked yet: of passages as they stand; once those are read, of stale statements."""
    story = _Story(key, one, outputs)
    if one.standing.state != "live" or not story.texts or story.texts[-1].version.known_to is not None:
        return ()
    passages = {due.unit: due for due in _unread(story.texts[-1]) if (DISTIL, due.unit) not in asked}
    if passages:
        return tuple(passages.values())
    return tuple({due.unit: due for due in story.stale() if (AGAIN, due.unit) not in asked}.values())


def _unread(text: ShownText) -> Iterator[Due]:
    for passage, unit in text.units.items():
        yield Due(DISTIL, text.digests[passage], passage, ask_of(unit), text.shown(passage))


class _Story:
    """An item's versions in order, and what was held of models' words at each instant."""

    def __init__(self, key: bytes, one: Projection, outputs: Sequence[Output]) -> None:
        self._key = key
        self._one = one
        self._cuts = {row.passage: row.cut for row in one.passages}
        self._rules = [row for row in one.assertions if row.input is None]
        self._outputs = Outputs(outputs)
        self._gates = Gates()
        self.texts = texts_of(key, one)

    def rows(self) -> Iterator[StoredAssertion]:
        """A row for each statement and each stretch between two instants at which anything changed."""
        for start, end, _, holding in self._told():
            for held in holding.values():
                yield self._row(held, start, end)

    def stale(self) -> Iterator[Due]:
        """What to ask about statements that are stale now."""
        told = list(self._told())
        if not told:
            return
        _, _, text, holding = told[-1]
        for held in holding.values():
            found = nearest(self._passage_text(held.passage), text) if held.is_stale else None
            if found is not None:
                unit, shown = text.units[found], text.shown(found)
                digest = again_digest(self._key, unit, held.said)
                yield Due(AGAIN, digest, found, ask_again(held.said, unit), shown, held.said)

    def _told(self) -> Iterator[tuple[datetime, datetime | None, ShownText, _Holding]]:
        holding: _Holding = {}
        for text in self.texts:
            instants = self._outputs.instants(text.version.known_from, text.version.known_to)
            for start, end in zip(instants, [*instants[1:], text.version.known_to], strict=True):
                holding = self._next(holding, text, start)
                yield start, end, text, holding

    def _next(self, holding: _Holding, text: ShownText, now: datetime) -> _Holding:
        """What is held from this instant on, of what was held before it and what models gave by then."""
        rules = Told.by_rules(self._rules, now)
        kept = {held.assertion: held for held in self._fresh(text, now, rules)}
        anew = Told.of((held.passage, held.said) for held in kept.values())
        for held in holding.values():
            if held.assertion in kept:
                continue
            left = self._left(held, text, now, (rules, anew))
            if left is not None:
                kept[left.assertion] = left
        return kept

    def _fresh(self, text: ShownText, now: datetime, rules: Told) -> Iterator[_Held]:
        """What models read in the text as it stands, without what rules read in it: that confirms nothing."""
        seen: Counter[tuple[str, ...]] = Counter()
        for passage, digest in text.digests.items():
            given = self._outputs.newest(DISTIL, digest, now)
            if given is None:
                continue
            for said in self._gates.drafts(given, passage, text.shown(passage)):
                anchor = _anchor(said)
                seen[anchor] += 1
                if not rules.has(passage, said):
                    yield self._read(self._id(*anchor, str(seen[anchor])), said, passage, given, text)

    def _id(self, *anchor: str) -> UUID:
        return keyed_uuid(self._key, "assertion", self._one.item.bytes, "model", *anchor)

    def _read(self, assertion: UUID, said: Assertion, passage: UUID, given: Output, text: ShownText) -> _Held:
        """A statement as it is first held, said when its words first stood there."""
        first = self._since(said.quote.text, passage, text)
        when, seq = when_said(first.version, first.body), text.version.text_seq
        return _Held(assertion, said, passage, seq, first.version.at, when, given.input)

    def _since(self, quote: str, passage: UUID, text: ShownText) -> ShownText:
        """The version in which these words began to stand: they were said then, and not with each edit."""
        words, first = normal_quote(quote), text
        for earlier in reversed(self.texts[: self.texts.index(text)]):
            if not earlier.has(words, passage):
                break
            first = earlier
        return first

    def _left(self, held: _Held, text: ShownText, now: datetime, told: tuple[Told, Told]) -> _Held | None:
        """What is left of a statement that no model read anew; None where something else took its place."""
        rules, anew = told
        place = text.place(held.passage, held.said.quote)
        if place is None:
            filled = slot_key(held.said) in rules.slots | anew.slots
            return None if filled else self._ruled(held, text, now)
        passage, quote = place
        moved = replace(held.said, quote=quote)
        given = self._outputs.newest(DISTIL, text.digests.get(passage), now)
        if given is not None and given.extractor != moved.extractor:
            return None
        if rules.has(passage, moved) or anew.covers(passage, moved):
            return None
        return replace(held, said=moved, passage=passage, seq=text.version.text_seq, is_stale=False)

    def _ruled(self, held: _Held, text: ShownText, now: datetime) -> _Held | None:
        """The statement as a model that was asked about it had it; stale where no reply passed the gates."""
        stale = replace(held, is_stale=True)
        passage = nearest(self._passage_text(held.passage), text)
        if passage is None:
            return stale
        digest = again_digest(self._key, text.units[passage], held.said)
        given = self._outputs.newest(AGAIN, digest, now)
        ruled = None if given is None else self._gates.ruling(given, held.said, text.shown(passage))
        if given is None or ruled is None:
            return stale
        if ruled.now is None:
            return None
        seq, at = text.version.text_seq, text.version.at
        when = when_said(text.version, text.body)
        return _Held(held.assertion, ruled.now, passage, seq, at, when, given.input)

    def _passage_text(self, passage: UUID) -> str:
        return self._cuts[passage].text

    def _row(self, held: _Held, start: datetime, end: datetime | None) -> StoredAssertion:
        said, own = dated(held.said, held.when)
        body = self._one.standing.bodies[held.seq]
        bounds = over(own, Bounds(body.valid_from, body.valid_to))
        return StoredAssertion(
            assertion=held.assertion,
            revision=0,
            seq=held.seq,
            said=said,
            memory_type=MEMORY.get(said.kind, "semantic"),
            passage=held.passage,
            stated_at=held.stated_at,
            valid_from=bounds.start,
            valid_to=bounds.end,
            known_from=start,
            known_to=end,
            status="stale" if held.is_stale else "active",
            input=held.input,
            confidence=CONFIDENCE,
        )


def _anchor(said: Assertion) -> tuple[str, ...]:
    return (said.kind.value, *(slot_key(said) or ("", "", "")), normal_quote(said.quote.text))


def _stretches(rows: Iterator[StoredAssertion]) -> list[StoredAssertion]:
    """Rows that say the same, one after the other, as one; each assertion's counted from 1."""
    found: dict[UUID, list[StoredAssertion]] = {}
    for row in rows:
        if row.known_from == row.known_to:
            continue
        stretch = found.setdefault(row.assertion, [])
        if stretch and _continues(stretch[-1], row):
            stretch[-1] = replace(row, known_from=stretch[-1].known_from, stated_at=stretch[-1].stated_at)
        else:
            stretch.append(replace(row, revision=len(stretch) + 1))
    return [
        replace(row, revision=number) for stretch in found.values() for number, row in enumerate(stretch, 1)
    ]


def _continues(row: StoredAssertion, then: StoredAssertion) -> bool:
    """Whether the later says what the earlier did, wherever its words stand now."""
    same = (row.said.statement, row.said.value, row.status, row.valid_from, row.valid_to)
    also = (then.said.statement, then.said.value, then.status, then.valid_from, then.valid_to)
    return row.known_to == then.known_from and same == also
