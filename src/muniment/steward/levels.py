"""The disclosure policy: who reads a band or a direction of values that only others read exactly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from muniment.disclosure.files import read_policy
from muniment.disclosure.policy import Only, Policy, Rule, regrids
from muniment.domain.errors import Malformed, Refused
from muniment.domain.regex import regex
from muniment.domain.values import Value
from muniment.jobs.behind import Behind, behind
from muniment.jobs.disclose import Stated, policies, redisclose, state_policy
from muniment.jobs.turns import compile_alone
from muniment.steward.desk import Desk
from muniment.store.pool import Connection

__all__ = ["Disclosure", "Evidence", "check_disclosure", "disclosure", "evidence", "set_disclosure"]

_CITATION = regex(r"c_([0-9a-f]{32})")


@dataclass(frozen=True, slots=True)
class Disclosure(Value):
    """A policy in force: since when, who set it, what it says, and what that means."""

    since: datetime
    by: str
    content: str
    means: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Evidence(Value):
    """An exact statement behind a level: where its quote stands, and that it stands there word for word."""

    source: str
    item: str
    passage: str
    start: int
    end: int
    verbatim: bool


def disclosure(desk: Desk) -> Disclosure | None:
    """The policy in force, if there is one."""
    with desk.writing() as conn:
        every = policies(conn, desk.tenant)
    return _told(every[-1]) if every else None


def set_disclosure(desk: Desk, content: str) -> Disclosure:
    """Put a policy in force: what it discloses, and what it no longer does, hold when this returns."""
    stated = Stated(desk.now, desk.principal, content)
    with desk.writing() as conn:
        compile_alone(conn, desk.tenant)
        _checked(conn, desk, content)
        state_policy(conn, desk.tenant, stated)
        topics = redisclose(conn, desk.tenant, desk.work.key)
        desk.record(conn, "disclosure set", "policy", {"content": content, "topics": topics})
    return _told(stated)


def check_disclosure(desk: Desk, content: str) -> list[str]:
    """Who would see what, a line each."""
    with desk.writing() as conn:
        return list(_means(_checked(conn, desk, content)))


def evidence(desk: Desk, citation: str) -> list[Evidence]:
    """What a level's citation rests on: the internal verifier, as readers are shown none of it.

    Places and whether the quote stands there, never words: running the record gives no right to read it.
    """
    match = _CITATION.fullmatch(citation)
    with desk.writing() as conn:
        found = None if match is None else behind(conn, desk.tenant, UUID(match[1]))
        desk.record(conn, "disclosure evidence", citation, {})
    if found is None:
        raise Refused(f"no citation {citation!r} of a range or trend")
    return [_evidence(one) for one in found]


def _evidence(one: Behind) -> Evidence:
    return Evidence(one.source, one.id, one.passage.hex, one.start, one.end, one.verbatim)


def _checked(conn: Connection, desk: Desk, content: str) -> Policy:
    policy = read_policy(content)
    earlier = [(one.since, one.policy) for one in policies(conn, desk.tenant)]
    for fault in regrids(policy, earlier):
        raise Malformed(fault)
    return policy


def _told(stated: Stated) -> Disclosure:
    return Disclosure(stated.since, stated.by, stated.content, tuple(_means(stated.policy)))


def _means(policy: Policy) -> Iterator[str]:
    if not policy.rules:
        yield "Nothing is disclosed: every value is read by who can read its item, and by nobody else."
    for rule in policy.rules:
        yield from _rule(rule)


def _rule(rule: Rule) -> Iterator[str]:
    what = f"{_listed(sorted(rule.attributes))}{''.join(_only(one) for one in rule.only)}"
    yield f"{what}: the exact value stays with whoever can read the item that states it."
    if rule.range is not None:
        edges = rule.range.grid.edges
        low, high = rule.range.grid.band_at(0), rule.range.grid.band_at(len(edges) - 2)
        yield (
            f"  {_listed(sorted(rule.range.groups))} read a band, one of {len(edges) - 1}, from "
            f"“{low.words}” to “{high.words}”, with times no finer than a {rule.range.window}; "
            f"nothing of a value outside."
        )
    if rule.trend is not None:
        yield (
            f"  {_listed(sorted(rule.trend.groups))} read whether it is up, down or unchanged on the "
            f"previous {rule.trend.window}, once both have closed."
        )
    yield "  What has the value is named with it, and the period; of other qualifiers " + (
        f"only {_listed(sorted(rule.qualifiers))}." if rule.qualifiers else "none."
    )
    yield f"  Counted are statements trusted as {rule.trust} or more."


def _only(one: Only) -> str:
    return f", only of the {one.field} {_listed(sorted(one.names))}"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
