"""Memories to look at: of no use, often refuted, over, said twice, at odds. Nothing is done to them here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import combinations
from typing import TYPE_CHECKING, Final

from muniment.domain.incidents import Duplicate, Finding, Unused
from muniment.domain.names import normal_name
from muniment.lenses.incidents.briefing import tallies
from muniment.lenses.incidents.memories import Memory, approved, episodes
from muniment.lenses.incidents.merges import merges
from muniment.lenses.incidents.safety import Tally
from muniment.lenses.incidents.situation import words_of

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["duplicates", "findings", "named", "unused"]

_RESTED: Final = timedelta(days=180)  # without anybody having adopted it
_ALIKE: Final = 0.6  # of the words of the shorter cause
_DOUBTED: Final = 0.4
_OTHER: Final = 0.5  # of the words: so few are shared by causes that are not one


def unused(reader: Reader) -> list[Unused]:
    """What a maintainer should look at, the oldest first, each with the reason."""
    judged, as_of = tallies(reader, merges(reader)), reader.moment.as_of
    found = []
    for one in episodes(reader):
        why = next(_reasons(one, judged.get(one.id, Tally()), as_of - one.at), None)
        if why is not None:
            cited = one.citations[0] if one.citations else None
            found.append(Unused(one.id, one.statement, why, (as_of - one.at).days, cited))
    return sorted(found, key=lambda one: (-one.age_days, one.id))


def _reasons(memory: Memory, tally: Tally, age: timedelta) -> Iterator[str]:
    if memory.standing.superseded_by is not None:
        yield "superseded"
    if tally.refuted and tally.confidence < _DOUBTED:
        yield f"low confidence: adopted {tally.adopted} times, refuted {tally.refuted} times"
    if not memory.is_settled:
        yield "nobody confirmed its cause"
    if not tally.adopted and age > _RESTED:
        yield "never adopted by anybody"


def duplicates(reader: Reader) -> list[Duplicate]:
    """Pairs of one service, environment and signal whose causes are told in much the same words."""
    gone = merges(reader)
    pairs = (found for several in _together(episodes(reader)) for found in _alike(several))
    return [one for one in pairs if one.one not in gone and one.other not in gone]


def _alike(several: Sequence[Memory]) -> Iterator[Duplicate]:
    words = {one.id: words_of(one.statement) for one in several}
    for one, other in combinations(sorted(several, key=lambda each: (each.at, each.id)), 2):
        both, least = words[one.id] & words[other.id], min(len(words[one.id]), len(words[other.id]))
        if least and len(both) / least >= _ALIKE and one.signals & other.signals:
            why = f"same service and signal {', '.join(sorted(one.signals & other.signals))}; alike causes"
            yield Duplicate(one.id, other.id, (one.statement, other.statement), why)


# ── everything that is found ──


def findings(reader: Reader) -> list[Finding]:
    """Each memory with each reason to look at it, the oldest first; what was merged is settled."""
    merged, as_of = merges(reader), reader.moment.as_of
    judged = tallies(reader, merged)
    every = [one for one in (*episodes(reader), *approved(reader)) if one.id not in merged]
    found = [
        _finding(one, kind, why, as_of)
        for one in every
        for kind, why in _found(one, judged.get(one.id, Tally()), as_of)
    ]
    for several in _together(one for one in every if one.kind == "episode"):
        found.extend(_at_odds(several, as_of))
    return sorted(found, key=lambda one: (-one.age_days, one.id, one.kind, one.others))


def named(reader: Reader, ids: Sequence[str]) -> list[Finding]:
    """Memories that somebody names; those that this reader may not see are not there."""
    known = {one.id: one for one in (*episodes(reader), *approved(reader))}
    as_of = reader.moment.as_of
    return [_finding(known[id_], "named", "named", as_of) for id_ in dict.fromkeys(ids) if id_ in known]


def _finding(one: Memory, kind: str, why: str, as_of: datetime, others: tuple[str, ...] = ()) -> Finding:
    age = max((as_of - one.at).days, 0)
    return Finding(one.id, kind, one.statement, why, age, one.scope, others)


def _found(one: Memory, tally: Tally, as_of: datetime) -> Iterator[tuple[str, str]]:
    if not one.standing.holds(as_of) and one.standing.superseded_by is None:
        yield "expired", "it no longer holds, or not yet"
    if one.standing.superseded_by is not None:
        yield "superseded", "something that is in force takes its place"
    if any(cited.status == "stale" for cited in one.citations):
        yield "stale", "its words changed at their source"
    if not one.is_settled:
        yield "unconfirmed", "nobody confirmed its cause"
    if tally.refuted and tally.confidence < _DOUBTED:
        yield "low-confidence", f"adopted {tally.adopted} times, refuted {tally.refuted} times"
    if not (tally.adopted or tally.refuted or tally.ignored):
        yield "never-hit", "no incident has judged it"


def _at_odds(several: Sequence[Memory], as_of: datetime) -> Iterator[Finding]:
    by_id = {one.id: one for one in several}
    for pair in _alike(several):
        yield _finding(by_id[pair.other], "duplicate", f"{pair.why}: {pair.one}", as_of, (pair.one,))
    settled = [one for one in several if one.is_settled and one.standing.superseded_by is None]
    for one, other in combinations(sorted(settled, key=lambda each: (each.at, each.id)), 2):
        if one.signals & other.signals and _shared(one, other) < _OTHER:
            why = f"the same signal of the same service had another cause: {other.id}"
            yield _finding(one, "conflicting", why, as_of, (other.id,))


def _shared(one: Memory, other: Memory) -> float:
    words, others = words_of(one.statement), words_of(other.statement)
    least = min(len(words), len(others))
    return len(words & others) / least if least else 1.0


def _together(every: Iterable[Memory]) -> list[list[Memory]]:
    """Those of one service and environment."""
    groups: dict[tuple[str, str], list[Memory]] = {}
    for one in every:
        where = (normal_name(one.service or ""), (one.environment or "").casefold())
        groups.setdefault(where, []).append(one)
    return list(groups.values())
