"""From one state of a page to another: what came, what went, what took whose place. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from muniment.claims.claim import Claim
from muniment.index.words import lexemes
from muniment.pages.layout import NOT_IN_FORCE

__all__ = ["Step", "steps"]

Section = Callable[[Claim], str]
Claims = Mapping[UUID, Claim]
_LIKE = 0.4  # share of words that a sentence and what it was before have in common


@dataclass(frozen=True, slots=True)
class Step:
    """One sentence before and after. What ended may still be there, as history: that is its `after`."""

    change: Literal["added", "ended", "revised"]
    before: Claim | None
    after: Claim | None


def steps(old: Claims, new: Claims, section: Section) -> list[Step]:
    """Every difference, once."""
    was = {id_ for id_, claim in old.items() if section(claim) not in NOT_IN_FORCE}
    now = {id_ for id_, claim in new.items() if section(claim) not in NOT_IN_FORCE}
    pairs = _pairs([old[one] for one in sorted(was - now)], [new[one] for one in sorted(now - was)])
    gone = was - now - {before.id for before, _ in pairs}
    come = now - was - {after.id for _, after in pairs}
    return [
        *(Step("revised", before, after) for before, after in pairs),
        *(Step("ended", old[one], new.get(one)) for one in sorted(gone)),
        *(Step("added", None, new[one]) for one in sorted(come)),
        *(Step("revised", old[one], new[one]) for one in sorted(was & now) if _differ(old[one], new[one])),
        *_aside(_without(old, was | now), _without(new, was | now), section),
    ]


def _without(claims: Claims, ids: set[UUID]) -> dict[UUID, Claim]:
    return {id_: claim for id_, claim in claims.items() if id_ not in ids}


def _aside(old: Claims, new: Claims, section: Section) -> Iterator[Step]:
    """What is in force in neither state: candidates, what is recalled, what was over when it came."""
    yield from (Step("ended", old[one], None) for one in sorted(old.keys() - new.keys()))
    yield from (Step("added", None, new[one]) for one in sorted(new.keys() - old.keys()))
    for one in sorted(old.keys() & new.keys()):
        if section(old[one]) != section(new[one]):
            yield Step("revised", old[one], new[one])


def _differ(before: Claim, after: Claim) -> bool:
    return _told(before) != _told(after)


def _told(claim: Claim) -> tuple[object, ...]:
    return (claim.statement, claim.status, claim.valid_from, claim.valid_to)


def _pairs(left: Sequence[Claim], right: Iterable[Claim]) -> list[tuple[Claim, Claim]]:
    """What went with what came in its place: in its slot, else in its item and much the same words."""
    waiting = list(left)
    found: list[tuple[Claim, Claim]] = []
    for after in sorted(right, key=lambda claim: (claim.statement, claim.id)):
        likeness, before = max(
            ((_likeness(one, after), one) for one in waiting),
            key=lambda pair: (pair[0], pair[1].statement, pair[1].id),
            default=(0.0, None),
        )
        if before is not None and likeness >= _LIKE:
            waiting.remove(before)
            found.append((before, after))
    return found


def _likeness(before: Claim, after: Claim) -> float:
    if before.level != after.level:
        return 0.0
    share = _shared_words(before.statement, after.statement)
    if before.slot is not None and before.slot == after.slot:
        return 1.0 + share
    same_item = {one.item.item for one in before.supports} & {one.item.item for one in after.supports}
    return share if same_item and before.kind == after.kind else 0.0


def _shared_words(one: str, other: str) -> float:
    left, right = set(lexemes(one)), set(lexemes(other))
    return len(left & right) / len(left | right) if left | right else 0.0
