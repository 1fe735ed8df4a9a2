"""What people do to a record besides handing things in, drawn at random and done to any copy of it alike.

An act picks what it is about by number from what the record shows, so that equal records meet equal acts.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TypeVar

from muniment.app import Org, SourceChange
from muniment.domain.entities import Parting, Terms
from muniment.domain.errors import Conflict, Held, MunimentError, Refused, Unavailable, Usage
from muniment.gate.binding import writing
from muniment.jobs.distil import distil_due
from muniment.steward import Steward
from tests.doubles import CountingModel, of_all_sorts
from tests.worlds import START, Event, at, person, said

T = TypeVar("T")
OWNER = "user:owner"
PEOPLE = ("user:ann", "user:bo", "user:cy")
SOURCES = ("chat", "docs")
AGENT = "agent:scribe"
WORDS = "Ann Lee"  # what `erase_subject` takes out of a corpus
FINE = """\
levels:
  - about: [rate limit]
    trust: external_document
    range: {groups: [group:board, group:team], unit: number, grid: {from: 0, step: 100, to: 2000}}
  - about: [discount]
    range: {groups: [group:board], unit: "%", grid: [0, 5, 10, 20, 50, 100], window: quarter}
    trend: {groups: [group:team], window: quarter}
"""
COARSE = """\
levels:
  - about: [rate limit]
    trust: external_document
    range: {groups: [group:board], unit: number, grid: {from: 0, step: 500, to: 2000}}
"""
POLICIES = (FINE, COARSE, "levels: []")
RULE = "All refunds must be approved by the finance team."
NAMES = ("Acme", "Globex", "Initech", "Acme GmbH", "Globex Ltd", WORDS, *PEOPLE)
ALIASES = (
    f"""\
aliases:
  - {{means: Acme, kind: account, names: [Globex, the mill]}}
  - {{means: {WORDS}, kind: person, names: [the owl, Annie]}}
""",
    f"""\
aliases:
  - {{means: Initech, names: [the mill, {WORDS} Works]}}
  - {{means: Travel policy, kind: policy, names: [旅行办法]}}
""",
    "aliases: []",
)
ITEMS = """
select source || ':' || id from muniment.stream
 where tenant = %(tenant)s and last_seq > 0 and id not like '@%%'
"""


@dataclass(frozen=True)
class Act:
    """Something done at a desk or by a reader: `pick` chooses what it is about."""

    name: str
    pick: int
    do: Callable[[Org, int], object] = field(repr=False)

    def __call__(self, org: Org) -> str:
        """Done, or why not: an act may be refused, but it must be refused alike."""
        try:
            self.do(org, self.pick)
        except (Conflict, Held, MunimentError) as error:
            if isinstance(error, Unavailable):
                raise
            return f"{self.name}: {type(error).__name__}"
        return f"{self.name}: done"


def _desk(org: Org) -> Steward:
    return org.steward(OWNER)


def _one(found: Sequence[T], pick: int) -> T:
    if not found:
        raise Refused("nothing to do it to")
    return found[pick % len(found)]


def items(org: Org) -> list[str]:
    """Every item that was ever handed in."""
    with writing(org._work.database, org.tenant) as conn:
        return sorted(row[0] for row in conn.execute(ITEMS.encode(), {"tenant": org.tenant}))


def _citation(org: Org, who: str, pick: int) -> str:
    hits = org.reader(who).search(
        ("discount", "rate limit", "renewal date")[pick % 3], limit=20, unit="claim"
    )
    return _one(sorted(hit.citation.id for hit in hits if hit.citation is not None), pick)


def _remember(org: Org, pick: int) -> None:
    who = _one(PEOPLE, pick)
    text = _one(("The discount of Acme looks too low.", f"{WORDS} owns the rate limit.", RULE), pick // 3)
    evidence = [_citation(org, who, pick)] if pick % 2 else []
    org.reader(who, agent=AGENT if pick % 5 == 0 else None).remember(text, evidence=evidence)


def _report(org: Org, pick: int) -> None:
    who = _one(PEOPLE, pick)
    org.reader(who).report(_citation(org, who, pick), f"wrong, says {WORDS}")


def _decide(org: Org, pick: int) -> None:
    id_ = _one(sorted(one.id for one in _desk(org).candidates()), pick)
    match pick % 3:
        case 0:
            _desk(org).approve(id_)
        case 1:
            _desk(org).reject(id_, f"{WORDS} says no")
        case _:
            _desk(org).hold(id_, "later")


def _resolve(org: Org, pick: int) -> None:
    sides = _one(sorted(org.reader(OWNER).conflicts(), key=lambda group: group[0].id), pick)
    kept = _one(sorted(sides, key=lambda one: one.id), pick)
    _desk(org).resolve(kept.claim or "", kept.id)


def _settle(org: Org, pick: int) -> None:
    id_ = _one(sorted(one.id for one in _desk(org).recalled()), pick)
    _desk(org).confirm(id_) if pick % 2 else _desk(org).reject(id_)


def _disclose(org: Org, pick: int) -> None:
    _desk(org).set_disclosure(_one(POLICIES, pick))


def _trust(org: Org, pick: int) -> None:
    trust = _one(("default", "member", "external_document", "system_of_record"), pick)
    authority = _one(("default", "owner", "tool"), pick)
    _desk(org).set_source(_one(SOURCES, pick // 4), SourceChange(trust=trust, authority=authority))


def _limit(org: Org, pick: int) -> None:
    within = timedelta(days=1 + pick % 200)
    change = SourceChange(verify_within="off" if pick % 3 == 0 else within)
    _desk(org).set_source(_one(SOURCES, pick), change)


def _keep(org: Org, pick: int) -> None:
    rule = _one(("quotes", "whole", "101d", "12w"), pick)
    _desk(org).set_source(_one(SOURCES, pick // 4), SourceChange(keep=rule))
    _desk(org).apply_rules()


def _hold(org: Org, pick: int) -> None:
    target = _one(["docs", "chat:attic", "user:bo", *items(org)], pick)
    _desk(org).add_hold(target, "a case")


def _release(org: Org, pick: int) -> None:
    _desk(org).remove_hold(_one([one.target for one in _desk(org).holds() if one.released_at is None], pick))


def _erase_item(org: Org, pick: int) -> None:
    _desk(org).erase(_one(items(org), pick))


def _erase_person(org: Org, pick: int) -> None:
    _desk(org).erase(_one(PEOPLE[1:], pick))


def _erase_words(org: Org, _pick: int) -> None:
    _desk(org).erase_subject(WORDS)


def _revert(org: Org, pick: int) -> None:
    _desk(org).revert(_one(SOURCES, pick), START + timedelta(days=100 + pick % 4))


def _undo(org: Org, pick: int) -> None:
    source, other = (SOURCES[pick % 2], SOURCES[1 - pick % 2])
    try:
        _desk(org).undo_revert(source)
    except Usage:  # nothing of it is reverted
        _desk(org).undo_revert(other)


def _grant_agent(org: Org, pick: int) -> None:
    target = _one([*SOURCES, "chat:hall", *items(org)], pick)
    _desk(org).grant_read(AGENT, target) if pick % 3 else _desk(org).revoke_read(AGENT, target)


def _grant_read(org: Org, pick: int) -> None:
    target = _one(["chat:hall", *items(org)], pick)
    act = _desk(org).grant_read if pick % 3 else _desk(org).revoke_read
    act(_one(PEOPLE, pick), target)


def _member(org: Org, pick: int) -> None:
    _desk(org).add_member(_one(PEOPLE, pick)) if pick % 2 else _desk(org).remove_member(_one(PEOPLE, pick))


def _distil(org: Org, pick: int) -> None:
    distil_due(org._work, CountingModel(of_all_sorts, name=("one", "two", "one")[pick % 3]))


def _alias(org: Org, pick: int) -> None:
    _desk(org).set_aliases(_one(ALIASES, pick))


def _merge(org: Org, pick: int) -> None:
    reason = f"{WORDS} says so" if pick % 2 else None
    _desk(org).merge(_one(NAMES, pick), _one(NAMES, pick // len(NAMES)), Terms(reason))


def _split(org: Org, pick: int) -> None:
    name, target = _one(NAMES, pick), _one(("Hooli", f"{WORDS} Works", "Acme"), pick // 7)
    parts = (Parting(sources=[_one(SOURCES, pick)]), Parting(items=[_one(items(org), pick)]))
    _desk(org).split(name, target, _one((*parts, Parting(names=[_one(NAMES, pick // 3)])), pick // 5))


def _undo_entities(org: Org, pick: int) -> None:
    settled = [one.id for one in _desk(org).entity_decisions() if one.id is not None]
    _desk(org).undo_entities(_one(sorted(settled), pick))


ACTS: dict[str, Callable[[Org, int], object]] = {
    "distil": _distil,
    "alias": _alias,
    "merge": _merge,
    "split": _split,
    "undo entities": _undo_entities,
    "remember": _remember,
    "report": _report,
    "decide": _decide,
    "resolve": _resolve,
    "settle a recall": _settle,
    "disclose": _disclose,
    "trust": _trust,
    "limit": _limit,
    "keep": _keep,
    "hold": _hold,
    "release": _release,
    "erase item": _erase_item,
    "erase person": _erase_person,
    "erase words": _erase_words,
    "revert": _revert,
    "undo": _undo,
    "grant agent": _grant_agent,
    "grant read": _grant_read,
    "members": _member,
}
RARE = ("erase person", "erase item", "erase words")


def acts(draw: random.Random, count: int) -> list[Act]:
    """Some acts in their order; what takes much away is drawn less often."""
    weights = [1 if name in RARE else 3 for name in ACTS]
    names = draw.choices(list(ACTS), weights, k=count)
    return [Act(name, draw.randrange(10_000), ACTS[name]) for name in names]


def governed_events(draw: random.Random, ids: Sequence[str]) -> list[Event]:
    """What needs governing: rules nobody has approved, memberships for a time, values to disclose."""
    hours = draw.randint(0, 48)
    until = {"valid_from": at(hours), "valid_to": at(hours + draw.randint(1, 4000))}
    group = draw.choice(("group:team", "group:board"))
    value = draw.choice((110, 140, 450, 2100))
    return [
        said(draw.choice(ids), RULE, hours, source=draw.choice(SOURCES), author=draw.choice(PEOPLE)),
        said(draw.choice(ids), f"The rate limit of Acme is {value}.", hours, author=draw.choice(PEOPLE)),
        {
            "op": "member",
            "source": "dir",
            "group": group,
            "at": at(hours),
            "add": [draw.choice(PEOPLE)],
            **until,
        },
        person(draw.choice(PEOPLE), hours, name=WORDS),
        said(
            draw.choice(ids),
            f"Summary: the discount of Acme is {draw.randrange(60)} %.",
            hours,
            derived_from=[
                f"{draw.choice(SOURCES)}:{one}" for one in draw.sample(list(ids), min(2, len(ids)))
            ],
        ),
    ]


def refreshed(draw: random.Random, events: Iterable[Event], ids: Sequence[str]) -> list[Event]:
    """The day's events with what needs governing among them."""
    mixed = [*events, *governed_events(draw, ids), *governed_events(draw, ids)]
    draw.shuffle(mixed)
    return mixed
