"""A few hints from history for an open incident: safety first, then relevance, inside a budget."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final, Literal, cast

from muniment.context.retrieve import Meaning
from muniment.context.tokens import TOKENIZER, count_tokens
from muniment.domain.incidents import WARNING, Briefing, Hint, LeftOut
from muniment.domain.values import Budget, Json
from muniment.events.rights import RESERVED
from muniment.lenses.incidents.clashes import clashes
from muniment.lenses.incidents.ledger import Row, entries_of, text_of
from muniment.lenses.incidents.memories import Memory, memories
from muniment.lenses.incidents.merges import Merges, counter_examples, merges, root_of
from muniment.lenses.incidents.nearness import nearness
from muniment.lenses.incidents.relevance import Weighed, weigh
from muniment.lenses.incidents.safety import FILTERS, Now, Tally, kept_out
from muniment.lenses.incidents.situation import Situation, situation
from muniment.lenses.incidents.topology import Span, around, edges_at, spans

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["MOST_HINTS", "brief", "seen", "tallies"]

MOST_HINTS: Final = 5
Filter = Callable[[Memory, Now], str | None]


def brief(
    reader: Reader,
    incident_id: str,
    budget: int,
    meaning: Meaning | None,
    filters: Sequence[Filter] = FILTERS,
) -> Briefing:
    """What history suggests to look at; `meaning` is that of what is seen, where a model told it."""
    rows = entries_of(reader, incident_id)
    now_seen = situation(rows)
    distance = nearness(reader, now_seen.text, meaning)
    every = memories(reader, now_seen, distance.keys())
    merged = merges(reader)
    moved = _moved(reader, now_seen, every)
    now = Now(now_seen, reader.moment.as_of, tallies(reader, merged), moved, merged)
    every = [one for one in every if one.scope != f"{RESERVED}:episode/{incident_id}"]
    outside = {one.id: why for one in every if (why := kept_out(one, now, filters)) is not None}
    safe = [one for one in every if one.id not in outside]
    weighed = sorted(
        (found for one in safe if (found := weigh(one, now, distance)) is not None), key=lambda one: one.order
    )
    against = counter_examples(reader, merged)
    hints, used = _within(
        [(one, against.get(one.memory.id, [])) for one in weighed], now, _verdicts(rows), budget
    )
    # Whatever is left out would have had to do with this; the rest is nobody's question.
    left = [
        LeftOut(one.id, outside[one.id]) for one in every if one.id in outside and weigh(one, now, distance)
    ]
    told = Budget(budget, used, TOKENIZER)
    # Of all that is safe, told or not: that the other is there must not hang on the budget.
    at_odds = clashes((one.memory for one in weighed), now_seen)
    return Briefing(incident_id, tuple(hints), tuple(left), told, at_odds)


def seen(reader: Reader, incident_id: str) -> Situation:
    """What is observed in an incident."""
    return situation(entries_of(reader, incident_id))


def tallies(reader: Reader, merged: Merges) -> dict[str, Tally]:
    """How memories fared, by the last verdict that each incident gave on them and that this reader sees.

    What was merged counts for what it was merged into.
    """
    last: dict[tuple[str, str], str] = {}
    for row in reader.rows(Row, "incidents", "of_kind", entry="verdict"):
        target = text_of(row.said.get("target")) or ""
        if target.startswith("h_"):
            last[str(row.said.get("incident")), root_of(merged, target)] = str(row.said.get("verdict"))
    counts: dict[str, Counter[str]] = {}
    for (_, target), verdict in last.items():
        counts.setdefault(target, Counter())[verdict] += 1
    return {
        target: Tally(said["adopted"], said["refuted"], said["ignored"]) for target, said in counts.items()
    }


def _moved(reader: Reader, seen: Situation, every: Iterable[Memory]) -> frozenset[str]:
    """The memories of services whose edges were others then, both as this reader sees them now.

    Where nothing was known of the topology at one of the two times, nothing is said of a change.
    """
    known, at = spans(reader), reader.moment.as_of
    dated = [(one, one.service) for one in every if one.kind == "episode" and one.service] if known else []
    return frozenset(
        one.id for one, service in dated if _differs(known, service, (one.at, at), seen.environment)
    )


def _differs(
    known: Sequence[Span], service: str, times: tuple[datetime, datetime], environment: str | None
) -> bool:
    then, now = (around(edges_at(known, at, environment), service) for at in times)
    return bool(then) and bool(now) and then != now


def _verdicts(rows: Iterable[Row]) -> dict[str, str]:
    """What this incident said of each hint."""
    return {
        str(row.said.get("target")): str(row.said.get("verdict")) for row in rows if row.entry == "verdict"
    }


def _within(
    weighed: Sequence[tuple[Weighed, list[str]]], now: Now, verdicts: Mapping[str, str], budget: int
) -> tuple[list[Hint], int]:
    hints: list[Hint] = []
    used = 0
    for one, against in weighed[:MOST_HINTS]:
        hint = _hint(one, now, verdicts.get(one.memory.id, "open"), against)
        said = (hint.statement, hint.why, hint.check or "", hint.warning, *against)
        cost = count_tokens(" ".join(said))
        if used + cost > budget:
            break
        hints.append(hint)
        used += cost
    return hints, used


def _hint(one: Weighed, now: Now, verdict: str, against: list[str]) -> Hint:
    memory = one.memory
    conditions: dict[str, Json] = {
        "service": memory.service,
        "environment": memory.environment,
        "version": memory.version,
        "signals": [*sorted(memory.signals)],
        "source": memory.scope,
        "counter_examples": [*against],
    }
    return Hint(
        id=memory.id,
        kind=memory.kind,
        statement=memory.statement,
        check=memory.check,
        why=one.why,
        age_days=max((now.as_of - memory.at).days, 0),
        conditions={name: value for name, value in conditions.items() if value},
        warning=WARNING,
        citations=memory.citations,
        verdict=cast("Literal['open', 'adopted', 'refuted', 'ignored']", verdict),
    )
