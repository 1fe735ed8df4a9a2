"""What the corpus will hold, drawn from a seed before a word of it is written: which documents, what each
sets, where it sends its reader, and the number every entry stands at.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import product

from evals.ledger.entries import Concept, Peril, Value, concepts, perils

__all__ = ["Amends", "Entry", "Plan", "Points", "Sets", "Size", "Unnamed", "draw", "plans"]

LINES = {
    "HO": ("Homeowners", "property"),
    "PA": ("Personal Auto", "auto"),
    "CP": ("Commercial Property", "property"),
    "IM": ("Inland Marine", "marine"),
    "RN": ("Renters", "property"),
}
STATES = {"NV": "Nevada", "OR": "Oregon", "GA": "Georgia", "ME": "Maine", "OH": "Ohio", "CO": "Colorado"}


@dataclass(frozen=True, slots=True)
class Size:
    """How much to draw: lines, states, sentences in a provision that sets nothing; every nth question."""

    lines: int = 5
    states: int = 6
    sentences: tuple[int, int] = (6, 9)
    every: int = 1

    def markets(self) -> list[tuple[str, str]]:
        """Every line in every state."""
        return list(product(list(LINES)[: self.lines], list(STATES)[: self.states]))


@dataclass(frozen=True, slots=True)
class Sets:
    """Sets a value in words that say of what; `restates` is the title whose word it repeats, wrongly."""

    concept: Concept
    value: Value
    is_current: bool = True
    restates: str | None = None


@dataclass(frozen=True, slots=True)
class Unnamed:
    """Sets a value for those who are sent here; `concept` is what they came for."""

    concept: Concept
    value: Value


@dataclass(frozen=True, slots=True)
class Points:
    """Sends its reader to an entry of another document; `concept` None where it only passes a reader on."""

    concept: Concept | None
    document: str
    key: str


@dataclass(frozen=True, slots=True)
class Amends:
    """Puts a value in place of the one an entry of another document sets."""

    concept: Concept
    value: Value
    document: str
    key: str


Entry = Sets | Unnamed | Points | Amends


@dataclass(frozen=True, slots=True)
class Plan:
    """One document to be written: its entries by key, and the number each stands at."""

    id: str
    kind: str
    title: str
    market: tuple[str, str]
    effective: date
    entries: Mapping[str, Entry]
    provisions: int
    fields: Mapping[str, object] = field(default_factory=dict)
    is_deleted: bool = False
    numbers: Mapping[str, str] = field(default_factory=dict)

    @property
    def line(self) -> str:
        return LINES[self.market[0]][0]

    @property
    def state(self) -> str:
        return STATES[self.market[1]]


def draw(concept: Concept, chance: random.Random, avoid: Iterable[Value] = ()) -> Value:
    """A value of a concept that is none of those to avoid."""
    low, high, step = concept.range
    taken = {one.number for one in avoid}
    number = chance.choice([one for one in range(low, high + 1, step) if one not in taken])
    return Value(concept.kind, number, concept.unit)


def plans(seed: int, size: Size) -> tuple[Plan, ...]:
    """Every document of the corpus, numbered."""
    chance = random.Random(f"{seed}:plan")
    markets = size.markets()
    drawn = [one for place, market in enumerate(markets) for one in _market(market, place, chance)]
    drawn += [
        _definitions(line, [state for _, state in markets if _ == line], drawn, chance)
        for line in dict(markets)
    ]
    drawn += [_manual(state, drawn, size, chance) for state in dict.fromkeys(state for _, state in markets)]
    return tuple(replace(one, numbers=_numbers(one, seed)) for one in drawn)


def _market(market: tuple[str, str], place: int, chance: random.Random) -> Iterator[Plan]:
    """Form, endorsement and what else there is of one line in one state; `place` says what else."""
    form = _form(market, place, chance)
    yield form
    older = _older_form(form, chance)
    if place % 2 == 0:
        yield older
    endorsement = _endorsement(market, place, chance)
    yield endorsement
    if place % 4 == 1:
        yield _older_endorsement(endorsement, chance)
    if place % 5 in (0, 2):
        yield _notice(form, older, chance)
    yield (_guide, _service_guide, _bulletin)[place % 3](form, place, chance)


def _name(market: tuple[str, str]) -> str:
    return f"{STATES[market[1]]} {LINES[market[0]][0]}"


def _form(market: tuple[str, str], place: int, chance: random.Random) -> Plan:
    line, state = market
    every = [*concepts("general"), *concepts(LINES[line][1])]
    timed = [one for one in every if one.kind in ("days", "months", "money")]
    through, defined = chance.sample(timed, 2)
    entries: dict[str, Entry] = {one.key: Sets(one, draw(one, chance)) for one in every}
    entries[through.key] = Points(through, f"{state}-{line}-{_peril(place).key.upper()}-2024", "relay")
    entries[defined.key] = Points(defined, f"{line}-DEF-2023", f"entry-{state}")
    return Plan(
        f"{state}-{line}-3-2024",
        "base form",
        f"{_name(market)} Special Form",
        market,
        date(2024, 1 + place % 6, 1),
        entries,
        provisions=19,
    )


def _older_form(form: Plan, chance: random.Random) -> Plan:
    """The edition before: a value for everything, none of them today's."""
    entries: dict[str, Entry] = {}
    for key, entry in form.entries.items():
        concept = _concept(entry)
        avoid = [entry.value] if isinstance(entry, Sets) else []
        entries[key] = Sets(concept, draw(concept, chance, avoid), is_current=False)
    return _older(form, entries)


def _concept(entry: Entry) -> Concept:
    if entry.concept is None:
        raise ValueError(f"{entry} sets nothing of its own")
    return entry.concept


def _older(newer: Plan, entries: Mapping[str, Entry]) -> Plan:
    since = date(2019, newer.effective.month, 1)
    return replace(newer, id=newer.id.replace("2024", "2019"), effective=since, entries=entries)


def _peril(place: int) -> Peril:
    every = perils()
    return every[(place * 5 + place // 6) % len(every)]


def _endorsement(market: tuple[str, str], place: int, chance: random.Random) -> Plan:
    line, state = market
    peril = _peril(place)
    about = [one.about(peril) for one in concepts("endorsement")]
    entries: dict[str, Entry] = {one.key: Sets(one, draw(one, chance)) for one in about}
    entries["relay"] = Points(None, f"{state}-MAN-2024", f"schedule-{line}")
    return Plan(
        f"{state}-{line}-{peril.key.upper()}-2024",
        "endorsement",
        f"{_name(market)} {peril.title} Endorsement",
        market,
        date(2024, 2 + place % 6, 1),
        entries,
        provisions=23,
        fields={"attaches_to": f"{state}-{line}-3-2024"},
    )


def _older_endorsement(newer: Plan, chance: random.Random) -> Plan:
    entries: dict[str, Entry] = {
        key: Sets(entry.concept, draw(entry.concept, chance, [entry.value]), is_current=False)
        for key, entry in newer.entries.items()
        if isinstance(entry, Sets)
    }
    return replace(_older(newer, entries), fields={})


def _settable(form: Plan, chance: random.Random, n: int) -> list[Sets]:
    return chance.sample([entry for entry in form.entries.values() if isinstance(entry, Sets)], n)


def _notice(form: Plan, older: Plan, chance: random.Random) -> Plan:
    """Three values of the form replaced by number, without a word of what they are of."""
    entries: dict[str, Entry] = {
        f"change-{one.concept.key}": Amends(
            one.concept,
            draw(one.concept, chance, [one.value, _before(older, one.concept)]),
            form.id,
            one.concept.key,
        )
        for one in _settable(form, chance, 3)
    }
    id_ = f"{form.market[1]}-{form.market[0]}-AM-1"
    title = f"{_name(form.market)} Amendatory Notice"
    fields = {"amends": form.id}
    return Plan(
        id_, "amendatory notice", title, form.market, date(2024, 9, 1), entries, provisions=23, fields=fields
    )


def _before(older: Plan, concept: Concept) -> Value:
    entry = older.entries[concept.key]
    if not isinstance(entry, Sets):
        raise TypeError(f"an older edition sets everything, not {entry}")
    return entry.value


def _guide(form: Plan, place: int, chance: random.Random) -> Plan:
    """What underwriters alone may read."""
    entries: dict[str, Entry] = {one.key: Sets(one, draw(one, chance)) for one in concepts("guideline")}
    id_, title = f"{form.market[1]}-{form.market[0]}-UW", f"{_name(form.market)} Underwriting Guide"
    fields = {"audience": ["group:underwriting"]}
    since = date(2024, 1 + place % 9, 15)
    return Plan(id_, "underwriting guideline", title, form.market, since, entries, 30, fields)


def _service_guide(form: Plan, place: int, chance: random.Random) -> Plan:
    """What the service desk is told: two values that are not the form's, and nothing says which is right."""
    entries: dict[str, Entry] = {
        f"told-{one.concept.key}": Sets(
            one.concept, draw(one.concept, chance, [one.value]), is_current=False, restates=form.title
        )
        for one in _settable(form, chance, 2)
    }
    id_, title = f"{form.market[1]}-{form.market[0]}-SVC", f"{_name(form.market)} Service Guide"
    return Plan(
        id_, "service guideline", title, form.market, date(2024, 1 + place % 9, 20), entries, provisions=26
    )


def _bulletin(form: Plan, place: int, chance: random.Random) -> Plan:
    """A circular about what underwriters do; most are withdrawn, which deletes them."""
    entries: dict[str, Entry] = {
        one.key: Sets(one, draw(one, chance)) for one in chance.sample(concepts("guideline"), 3)
    }
    id_, title = (
        f"{form.market[1]}-{form.market[0]}-B{10 + place}",
        f"{_name(form.market)} Bulletin {10 + place}",
    )
    since = date(2024, 1 + place % 9, 25)
    return Plan(id_, "bulletin", title, form.market, since, entries, provisions=23, is_deleted=place % 4 != 1)


def _sent_to(id_: str, drawn: Iterable[Plan]) -> Iterator[tuple[str, Plan, Points]]:
    """Who sends readers to a document: the key they ask for, the document and the entry that sends them."""
    return (
        (entry.key, one, entry)
        for one in drawn
        for entry in one.entries.values()
        if isinstance(entry, Points) and entry.document == id_
    )


def _definitions(line: str, states: Iterable[str], drawn: list[Plan], chance: random.Random) -> Plan:
    """One booklet a line, with an entry for each state that forms send their readers to."""
    id_ = f"{line}-DEF-2023"
    entries: dict[str, Entry] = {
        key: Unnamed(_concept(entry), _unlike(entry, one, drawn, chance))
        for key, one, entry in _sent_to(id_, drawn)
    }
    title = f"{LINES[line][0]} Definitions Booklet"
    return Plan(
        id_, "definitions", title, (line, next(iter(states))), date(2023, 6, 1), entries, provisions=30
    )


def _unlike(entry: Points, form: Plan, drawn: Iterable[Plan], chance: random.Random) -> Value:
    """A value that no other edition of the form gives."""
    concept = _concept(entry)
    others = (one.entries.get(concept.key) for one in drawn if one.market == form.market)
    return draw(concept, chance, [one.value for one in others if isinstance(one, Sets)])


def _manual(state: str, drawn: list[Plan], size: Size, chance: random.Random) -> Plan:
    """Every charge of every line in one state, and the schedules that endorsements pass readers on to."""
    id_ = f"{state}-MAN-2024"
    entries: dict[str, Entry] = {}
    for line in list(LINES)[: size.lines]:
        for one in concepts("manual"):
            named = replace(one, key=f"{line}-{one.key}", heading=f"{one.heading}, {LINES[line][0]}")
            entries[named.key] = Sets(named, draw(named, chance))
    for key, endorsement, _ in _sent_to(id_, drawn):
        for _, form, entry in _sent_to(endorsement.id, drawn):
            entries[key] = Unnamed(_concept(entry), _unlike(entry, form, drawn, chance))
    title = f"{STATES[state]} Manual of Rules"
    return Plan(id_, "rate manual", title, ("HO", state), date(2024, 1, 1), entries, provisions=64)


def _numbers(plan: Plan, seed: int) -> dict[str, str]:
    """Where each entry stands; provisions that set nothing have keys of their own.

    Documents of one line are cut alike.
    """
    keys = [*plan.entries, *(f"provision-{n}" for n in range(plan.provisions))]
    random.Random(f"{seed}:{plan.kind}:{plan.market[0]}").shuffle(keys)
    if plan.kind == "rate manual":
        return {key: f"Rule {place}" for place, key in enumerate(keys, start=1)}
    return {key: f"{1 + place // 4}.{1 + place % 4}" for place, key in enumerate(keys)}
