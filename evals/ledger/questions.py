"""Questions about a drawn corpus, each in three wordings, with the words an answer has to rest on."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from evals.ledger.entries import UNDERWRITER, Fact, Gold, Question, Reference
from evals.ledger.plan import Amends, Plan, Points, Sets
from evals.ledger.wording import scoped
from evals.ledger.writing import Written

__all__ = ["SPLITS", "questions"]

SPLITS = ("lookup", "connected", "as-of", "permission", "deletion", "conflict", "budget")
LOOKUPS = {"base form": 40, "endorsement": 20, "rate manual": 20}
CONNECTED, DATED, CONFLICTS, GUIDES = 56, 16, 10, 5
BUDGETED, SMALL_BUDGET = 6, 400
_THEN = "2021-06-30T12:00:00Z"  # between the editions
_BEFORE_NOTICES = "2024-08-15T12:00:00Z"

T = TypeVar("T")
Planned = Mapping[str, Plan]
Texts = Mapping[str, Written]


def questions(planned: Planned, written: Texts, seed: int) -> Iterator[Question]:
    """Every question, in a fixed order, ids included."""
    chance = random.Random(f"{seed}:questions")
    lookups = list(_lookups(planned, written, chance))
    connected = _some(list(_connected(planned, written, chance)), CONNECTED, chance)
    yield from lookups
    yield from connected
    yield from _some(list(_then(planned, written, chance)), DATED, chance)
    yield from _permitted(planned, written, chance)
    yield from _deleted(planned, written, chance)
    yield from _some(list(_conflicts(planned, written, chance)), CONFLICTS, chance)
    for one in (*_some(lookups, BUDGETED, chance), *_some(connected, BUDGETED, chance)):
        yield replace(one, id=f"budget-{one.id}", split="budget", budget=SMALL_BUDGET)


def _some(every: Sequence[T], n: int, chance: random.Random) -> list[T]:
    return chance.sample(every, min(n, len(every)))


def _wordings(
    fact: Fact, plan: Plan, chance: random.Random, market: Plan | None = None
) -> tuple[str, str, str]:
    place = market or plan
    scopes = chance.sample(range(6), 3)
    first, second, third = (
        scoped(ask, place.line.lower(), place.state, scope)
        for ask, scope in zip(fact.concept.asks, scopes, strict=True)
    )
    return first, second, third


def _gold(fact: Fact, settled_by: str | None = None) -> Gold:
    return Gold(fact.document, fact.section, fact.quote, fact.value, settled_by)


def _by_key(one: Written) -> dict[str, Fact]:
    return {fact.concept.key: fact for fact in one.facts}


def _older(fact: Fact, written: Texts) -> tuple[Gold, ...]:
    """What an edition before says in its place."""
    before = written.get(fact.document.replace("2024", "2019"))
    if before is None or before.document.id == fact.document:
        return ()
    found = _by_key(before).get(fact.concept.key)
    return () if found is None else (_gold(found),)


def _contested(planned: Planned) -> set[tuple[str, str]]:
    """What a notice amends or a guide restates: document and concept."""
    amended = {
        (entry.document, entry.concept.key)
        for plan in planned.values()
        for entry in plan.entries.values()
        if isinstance(entry, Amends)
    }
    titles = {plan.title: plan.id for plan in planned.values() if plan.id.endswith("2024")}
    return amended | {
        (titles[entry.restates], entry.concept.key)
        for plan in planned.values()
        for entry in plan.entries.values()
        if isinstance(entry, Sets) and entry.restates is not None
    }


def _lookups(planned: Planned, written: Texts, chance: random.Random) -> Iterator[Question]:
    """One section answers. What an edition before says may not be stated."""
    contested = _contested(planned)
    for kind, n in LOOKUPS.items():
        facts = [
            fact
            for id_, one in written.items()
            if planned[id_].kind == kind
            for fact in one.facts
            if fact.is_current
            and isinstance(planned[id_].entries.get(fact.concept.key), Sets)
            and (id_, fact.concept.key) not in contested
        ]
        for fact in _some(facts, n, chance):
            plan = planned[fact.document]
            yield Question(
                f"lookup-{fact.document}-{fact.concept.key}",
                "lookup",
                _wordings(fact, _market_of(fact, plan, planned), chance),
                (_gold(fact),),
                _older(fact, written),
            )


def _market_of(fact: Fact, plan: Plan, planned: Planned) -> Plan:
    """A manual is every line's: the market is that of the fact's line in its state."""
    if plan.kind != "rate manual":
        return plan
    line = fact.concept.key.partition("-")[0]
    return planned[f"{plan.market[1]}-{line}-3-2024"]


def _connected(planned: Planned, written: Texts, chance: random.Random) -> Iterator[Question]:
    """What is about the question sends its reader on; what answers it names nothing of it."""
    for id_, plan in planned.items():
        for key, entry in plan.entries.items():
            if isinstance(entry, Points) and entry.concept is not None:
                yield _sent_on(id_, key, planned, written, chance)
        if plan.kind == "amendatory notice":
            yield _amended(id_, planned, written, chance)


def _sent_on(id_: str, key: str, planned: Planned, written: Texts, chance: random.Random) -> Question:
    """From a form through one or two references to the entry that sets the value."""
    steps: list[Reference] = []
    at, entry = id_, planned[id_].entries[key]
    while isinstance(entry, Points):
        steps.append(_reference(written[at], planned[at].numbers[key]))
        at, key = entry.document, entry.key
        entry = planned[at].entries[key]
    fact = next(one for one in written[at].facts if one.section == planned[at].numbers[key])
    return Question(
        f"connected-{id_}-{fact.concept.key}",
        "connected",
        _wordings(fact, planned[id_], chance),
        (_gold(fact),),
        _older(replace(fact, document=id_), written),
        through=tuple(Gold(one.document, one.section, one.quote) for one in steps),
    )


def _reference(one: Written, section: str) -> Reference:
    return next(reference for reference in one.references if reference.section == section)


def _amended(id_: str, planned: Planned, written: Texts, chance: random.Random) -> Question:
    """A notice replaces a value by the number of its section."""
    fact = chance.choice(written[id_].facts)
    form = planned[str(planned[id_].fields["amends"])]
    old = _by_key(written[form.id])[fact.concept.key]
    return Question(
        f"connected-{id_}-{fact.concept.key}",
        "connected",
        _wordings(fact, form, chance),
        (_gold(fact),),
        (_gold(old, settled_by=fact.quote), *_older(old, written)),
        through=(Gold(old.document, old.section, old.quote),),
    )


def _then(planned: Planned, written: Texts, chance: random.Random) -> Iterator[Question]:
    """What held before the edition of today, and before a notice."""
    for id_, plan in planned.items():
        if plan.kind == "base form" and id_.endswith("2019"):
            newer = _by_key(written[id_.replace("2019", "2024")])
            both = [fact for fact in written[id_].facts if fact.concept.key in newer]
            fact = chance.choice(both)
            yield _dated(fact, newer[fact.concept.key], plan, _THEN, chance)
        if plan.kind == "amendatory notice":
            new = chance.choice(written[id_].facts)
            form = str(plan.fields["amends"])
            yield _dated(_by_key(written[form])[new.concept.key], new, planned[form], _BEFORE_NOTICES, chance)


def _dated(old: Fact, new: Fact, plan: Plan, as_of: str, chance: random.Random) -> Question:
    id_ = f"as-of-{old.document}-{old.concept.key}"
    return Question(id_, "as-of", _wordings(old, plan, chance), (_gold(old),), (_gold(new),), as_of=as_of)


def _permitted(planned: Planned, written: Texts, chance: random.Random) -> Iterator[Question]:
    """The same question by somebody who may read the guide and by somebody who may not."""
    guides = [id_ for id_, plan in planned.items() if plan.kind == "underwriting guideline"]
    for id_ in _some(guides, GUIDES, chance):
        fact = chance.choice(written[id_].facts)
        wordings = _wordings(fact, planned[id_], chance)
        gold = _gold(fact)
        name = f"permission-{id_}-{fact.concept.key}"
        yield Question(f"{name}-may", "permission", wordings, (gold,), principal=UNDERWRITER)
        yield Question(f"{name}-may-not", "permission", wordings, (), (gold,))


def _deleted(planned: Planned, written: Texts, chance: random.Random) -> Iterator[Question]:
    """What stood in a bulletin that was withdrawn."""
    for id_, plan in planned.items():
        if plan.is_deleted:
            fact = chance.choice(written[id_].facts)
            name = f"deletion-{id_}-{fact.concept.key}"
            yield Question(name, "deletion", _wordings(fact, plan, chance), (), (_gold(fact),))


def _conflicts(planned: Planned, written: Texts, chance: random.Random) -> Iterator[Question]:
    """Two texts in force disagree, and neither says which is right: both have to be shown."""
    for id_, plan in planned.items():
        if plan.kind == "service guideline":
            form = _by_key(written[f"{plan.market[1]}-{plan.market[0]}-3-2024"])
            for fact in written[id_].facts:
                name = f"conflict-{id_}-{fact.concept.key}"
                gold = (_gold(form[fact.concept.key]), _gold(fact))
                yield Question(name, "conflict", _wordings(fact, plan, chance), gold)
