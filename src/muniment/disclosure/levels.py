"""From exact statements to what of them is disclosed: bands and directions, and since when. Pure.

Statements meet by the ordinary rules (`claims.dated`), by their bands and not by their values: so what moves
a value inside its band can move nothing that is disclosed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal
from uuid import UUID

from muniment.claims.claim import Statement, Tie
from muniment.claims.dated import Dated, Precedence, date
from muniment.claims.ties import cut_rings
from muniment.disclosure.grids import quantity, same_unit
from muniment.disclosure.policy import Range, Rule, Trend
from muniment.disclosure.windows import Window, WindowKind, floor, split_window
from muniment.domain.assertions import Kind

__all__ = ["Disclosed", "Held", "Part", "Topic", "disclosed", "evidence_of"]

Level = Literal["range", "trend"]
Slots = Mapping[str | None, Sequence[Statement]]
Read = Callable[[datetime], tuple["Part", ...]]
_UNPLACED: Final = "?"
_TELLING: Final = 4  # digits that are no year, month or house number by chance
# These add up and never meet in a slot, so no value of theirs holds for it.
_ADDING_UP = frozenset(
    {Kind.QUESTION, Kind.ATTEMPT, Kind.OBJECTION, Kind.SENSITIVITY, Kind.OBSERVATION, Kind.PITFALL}
)


@dataclass(frozen=True, slots=True)
class Topic:
    """All that is stated of one attribute of one entity, whoever may read it, with the ties of its items.

    begun: since when the record knows each item.
    """

    entity: str
    attribute: str
    statements: Sequence[Statement]
    ties: frozenset[Tie]
    begun: Mapping[UUID, datetime]


@dataclass(frozen=True, slots=True)
class Part:
    """One thing disclosed of a slot, and over which stretch; its times are the edges of windows."""

    value: str
    words: str
    valid_from: datetime | None
    valid_to: datetime | None
    said: datetime


@dataclass(frozen=True, slots=True)
class Held:
    """What the record held, [known_from, known_to)."""

    known_from: datetime
    known_to: datetime | None
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Disclosed:
    """One level of one slot: to whom, and everything it said over time, the last of which stands.

    slot: entity, attribute and qualifier as the statements have them.
    """

    slot: tuple[str, str, str | None]
    level: Level
    groups: frozenset[str]
    trust: str
    held: tuple[Held, ...]


@dataclass(frozen=True, slots=True)
class _Run:
    """A stretch in which statements give one value without a break; `opens` is the first of them."""

    value: str
    start: datetime
    end: datetime | None
    opens: Dated
    said: datetime

    def meets(self, other: _Run) -> bool:
        """Whether the two share an instant."""
        return (self.end is None or other.start < self.end) and (other.end is None or self.start < other.end)


def disclosed(topic: Topic, rule: Rule) -> list[Disclosed]:
    """Every level of every slot of the topic.

    Where nothing stands now, nothing is told of the past either.
    """
    slots: dict[str | None, list[Statement]] = {}
    for one in topic.statements:
        if _counts(one, rule):
            slots.setdefault(one.row.qualifier, []).append(one)
    found: list[Disclosed] = []
    if rule.range is not None:
        found += _ranges(topic, rule, rule.range, slots)
    if rule.trend is not None:
        found += _trends(topic, rule, rule.trend, slots)
    return [one for one in found if one.held]


def _counts(one: Statement, rule: Rule) -> bool:
    row = one.row
    stands = one.item.state == "live" and one.may_act and row.level == "exact" and row.value is not None
    return stands and row.kind not in _ADDING_UP and rule.admits(one) and not _names_its_value(one)


def _names_its_value(one: Statement) -> bool:
    """Whether the entity is called by the very number, as `Invoice 1734967` may be."""
    found = quantity(one.row.value or "")
    digits = "" if found is None else f"{abs(found.number):f}".replace(".", "")
    return len(digits) >= _TELLING and digits in re.sub(r"\D", "", one.row.entity or "")


# ── bands ──


def _ranges(topic: Topic, rule: Rule, level: Range, slots: Slots) -> Iterator[Disclosed]:
    for qualifier, statements in slots.items():

        def read(at: datetime, statements: Sequence[Statement] = statements) -> tuple[Part, ...]:
            return _bands(_known(statements, at), _ties(topic, at), level)

        held = _history(_instants(statements), read, level.window)
        about = (topic.entity, topic.attribute, qualifier)
        yield Disclosed(about, "range", level.groups, rule.trust, held)


def _bands(statements: Sequence[Statement], ties: Precedence, level: Range) -> tuple[Part, ...]:
    """The band of each stretch about which the statements agree."""
    placed = {}
    for one in statements:
        band = level.grid.band(one.row.value or "")
        placed[one.row.value] = _UNPLACED + (one.row.value or "") if band is None else band.value
    words = {band.value: band.words for one in statements if (band := level.grid.band(one.row.value or ""))}
    stretches = _runs(statements, ties, lambda value: placed[value])
    first = min((run.start for run in stretches), default=None)
    parts = [
        _part(run, words[run.value], level.window, is_first=run.start == first)
        for run in _undisputed(stretches)
        if run.value in words
    ]
    # What begins and ends within one window leaves no trace.
    return tuple(part for part in parts if part.valid_from is None or part.valid_from != part.valid_to)


def _part(run: _Run, words: str, window: WindowKind, *, is_first: bool) -> Part:
    """A beginning that nobody gives is unknown, unless something else held before."""
    unknown = is_first and run.opens.since is None
    return Part(
        run.value,
        words,
        None if unknown else floor(run.start, window),
        None if run.end is None else floor(run.end, window),
        floor(run.said, window),
    )


# ── directions ──


def _trends(topic: Topic, rule: Rule, level: Trend, slots: Slots) -> Iterator[Disclosed]:
    """A direction for each window whose own value and whose predecessor's are known."""
    named = {split: name for name in slots if (split := split_window(name, level.window)) is not None}
    for (window, rest), name in named.items():
        earlier = named.get((window.before, rest))
        if earlier is not None:
            pair = (slots[name], slots[earlier])

            def read(
                at: datetime, window: Window = window, pair: tuple[Sequence[Statement], ...] = pair
            ) -> tuple[Part, ...]:
                now, then = (_known(statements, at) for statements in pair)
                return _direction(now, then, window, _ties(topic, at))

            held = _history(_instants([*pair[0], *pair[1]]), read, level.window)
            about = (topic.entity, topic.attribute, name)
            yield Disclosed(about, "trend", level.groups, rule.trust, held)


def _direction(
    now: Sequence[Statement], then: Sequence[Statement], window: Window, ties: Precedence
) -> tuple[Part, ...]:
    new, old = _closed(now, window, ties), _closed(then, window.before, ties)
    directions = {_compared(one, other) for one in new for other in old}
    value = next(iter(directions)) if len(directions) == 1 else None
    if value is None:
        return ()
    joint = "from" if value == "unchanged" else "on"
    return (Part(value, f"{value} {joint} the previous {window.kind}", None, None, window.end),)


def _closed(statements: Sequence[Statement], window: Window, ties: Precedence) -> set[str]:
    """What stands of a window, by what was said once it had closed; several values where they conflict."""
    said = [one for one in statements if one.row.stated_at >= window.end]
    return {run.value for run in _runs(said, ties, str) if run.end is None}


def _compared(new: str, old: str) -> str | None:
    """Where a value went from another; None where the two cannot be compared."""
    one, other = quantity(new), quantity(old)
    if one is None or other is None or not same_unit(one.unit, other.unit):
        return None
    if one.number == other.number:
        return "unchanged"
    return "up" if one.number > other.number else "down"


# ── what it rests on ──


def evidence_of(topic: Topic, rule: Rule, told: tuple[str, str | None, str]) -> list[Statement]:
    """The exact statements of now behind a level, its qualifier and its value: for the verifier alone."""
    level, qualifier, value = told
    counted = [one for one in topic.statements if _counts(one, rule) and one.row.known_to is None]
    if level == "range":
        return [one for one in counted if one.row.qualifier == qualifier and _lies_in(one, rule, value)]
    if rule.trend is None or (split := split_window(qualifier, rule.trend.window)) is None:
        return []
    window, rest = split
    both = {(window, rest), (window.before, rest)}
    places = [(one, split_window(one.row.qualifier, window.kind)) for one in counted]
    return [one for one, place in places if place in both and one.row.stated_at >= place[0].end]


def _lies_in(one: Statement, rule: Rule, value: str) -> bool:
    band = None if rule.range is None else rule.range.grid.band(one.row.value or "")
    return band is not None and band.value == value


# ── stretches ──


def _runs(statements: Sequence[Statement], ties: Precedence, word: Callable[[str], str]) -> list[_Run]:
    """Stretches by value. A statement that gives no beginning is sure to hold since its item was made."""
    dated = date([(one, word(one.row.value or "")) for one in statements], ties)
    values: dict[str, list[Dated]] = {}
    for one in sorted(dated, key=lambda one: (_start(one), one.statement.order)):
        if one.until is None or one.until > _start(one):
            values.setdefault(one.value, []).append(one)
    return [run for value in sorted(values) for run in _joined(values[value])]


def _start(one: Dated) -> datetime:
    return one.since or one.statement.item.created_at


def _joined(dated: Iterable[Dated]) -> Iterator[_Run]:
    run: _Run | None = None
    for one in dated:
        start, said = _start(one), one.statement.item.created_at
        if run is None or (run.end is not None and run.end < start):
            if run is not None:
                yield run
            run = _Run(one.value, start, one.until, one, said)
        else:
            end = None if run.end is None or one.until is None else max(run.end, one.until)
            run = replace(run, end=end, said=min(run.said, said))
    if run is not None:
        yield run


def _undisputed(stretches: Sequence[_Run]) -> list[_Run]:
    """Without those beside which something else is said: of a conflict nothing is disclosed."""
    kept = [
        run
        for run in stretches
        if not any(other.value != run.value and run.meets(other) for other in stretches)
    ]
    return sorted(kept, key=lambda run: run.start)


# ── what was known when ──


def _instants(statements: Iterable[Statement]) -> list[datetime]:
    """Whenever what is known of them changed."""
    rows = [one.row for one in statements]
    return sorted({at for row in rows for at in (row.known_from, row.known_to) if at is not None})


def _known(statements: Iterable[Statement], at: datetime) -> list[Statement]:
    return [
        one
        for one in statements
        if one.row.known_from <= at and (one.row.known_to is None or at < one.row.known_to)
    ]


def _ties(topic: Topic, at: datetime) -> Precedence:
    known = frozenset(tie for tie in topic.ties if topic.begun[tie.actor.item] <= at)
    return Precedence.of(cut_rings(known)[0], frozenset())


def _history(instants: Sequence[datetime], read: Read, window: WindowKind) -> tuple[Held, ...]:
    """What stood after each change, without the changes that show nothing; nothing where nothing stands now.

    Of what changed within one window only the last is kept. What says the same keeps the times it began with.
    """
    states: list[tuple[datetime, tuple[Part, ...]]] = []
    for at in instants:
        parts = read(at)
        if not states or not _is_same(states[-1][1], parts):
            states.append((floor(at, window), parts))
    last = dict(states)  # of one window the last
    kept: list[tuple[datetime, tuple[Part, ...]]] = []
    for since, parts in sorted(last.items()):
        if not kept or not _is_same(kept[-1][1], parts):
            kept.append((since, parts))
    if not kept or not kept[-1][1]:
        return ()
    ends = [since for since, _ in kept[1:]]
    return tuple(
        Held(since, until, parts) for (since, parts), until in zip(kept, [*ends, None], strict=True) if parts
    )


def _is_same(before: tuple[Part, ...], after: tuple[Part, ...]) -> bool:
    """Whether they say the same of the same stretches, whoever said it first."""
    return [_told(before, at) for at in range(len(before))] == [_told(after, at) for at in range(len(after))]


def _told(parts: Sequence[Part], at: int) -> tuple[object, ...]:
    part = parts[at]
    return (part.value, part.valid_from if at else None, part.valid_to)
