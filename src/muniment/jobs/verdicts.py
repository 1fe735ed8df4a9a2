"""What people decided about an item's statements, applied where it still is what they saw. Pure.

Below `member` a policy, procedure or decision is a candidate until somebody other than its author approves
it. The decision is bound to a digest of everything they were shown: the statement, its words, the whole
text around it, and what that was made from. One byte of it changed, and the decision is void.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from muniment.domain.events import Body
from muniment.domain.identity import keyed_digest
from muniment.domain.times import format_instant
from muniment.domain.trust import ACTING, APPROVED, APPROVED_ALONE, is_trusted
from muniment.events.rights import RESERVED
from muniment.gate.labelled import Quality
from muniment.index.projection import Projection, StoredAssertion
from muniment.items.fold import Standing

__all__ = ["ACTIONS", "Decided", "State", "Verdicts", "lineage_digest"]

Key = tuple[str, str]
State = Literal["waiting", "approved", "rejected", "held", "void"]
ACTIONS: Mapping[str, State] = {
    "approve": "approved",
    "approve_alone": "approved",
    "reject": "rejected",
    "hold": "held",
}


@dataclass(frozen=True, slots=True)
class Decided:
    """One decision on one statement."""

    action: str
    subject: str
    saw: bytes
    decided_at: datetime


@dataclass(frozen=True, slots=True)
class Verdicts:
    """The decisions on one item, oldest first, and what stands behind its statements now."""

    key: bytes
    lineage: bytes
    decisions: Sequence[Decided]

    def seen(self, one: Projection, row: StoredAssertion, trust: str) -> bytes:
        """What whoever decides on this statement now is shown, as a digest."""
        said, body = row.said, one.standing.bodies.get(row.seq, one.standing.body)
        slot = (
            ("",) if said.slot is None else (said.slot.entity, said.slot.attribute, said.slot.qualifier or "")
        )
        parts = (said.kind.value, said.statement, *slot, said.value or "", said.quote.text, trust)
        text = (body.title or "", body.author or "", body.author_name or "", body.media, body.body)
        return keyed_digest(
            self.key, "saw", row.assertion.bytes, str(len(slot)), *parts, *text, *_reach(body), self.lineage
        )

    def state(self, saw: bytes, subject: str) -> State:
        """How a statement stands that would now be seen so."""
        last = self._last(subject)
        if last is None:
            return "waiting"
        return ACTIONS[last.action] if last.saw == saw else "void"

    def applied(self, one: Projection, quality: Quality) -> Projection:
        """The item's statements, each as it may act."""
        if not one.assertions:
            return one
        rows = [part for row in one.assertions for part in self._judged(one, row, quality)]
        return replace(one, assertions=tuple(_numbered(rows)))

    def _judged(self, one: Projection, row: StoredAssertion, quality: Quality) -> Sequence[StoredAssertion]:
        waits = row.said.kind in ACTING and (
            not is_trusted(quality.trust) or one.standing.ref.source == RESERVED
        )
        if row.status == "stale":
            # What never acted need not be missed; what did is shown as stale, and nothing said of it then
            # holds.
            return [] if waits else [row]
        before = replace(row, status="candidate") if waits else row
        last = self._last(row.assertion.hex)
        if row.known_to is not None or last is None or last.saw != self.seen(one, row, quality.trust):
            return [before]
        after = _decided(before, last, quality)
        if after == before or last.decided_at <= row.known_from:
            return [after]
        first = replace(before, known_to=last.decided_at)
        return [first, replace(after, known_from=last.decided_at)]

    def _last(self, subject: str) -> Decided | None:
        return next((one for one in reversed(self.decisions) if one.subject == subject), None)


def _reach(body: Body) -> Iterator[str]:
    """What an item declares beside its text, and what decides when, over what and against what it holds."""
    yield from (body.kind, body.account or "", body.project or "", body.service or "")
    yield from (str(body.metadata.get("status")), body.timezone or "")
    yield from ("" if at is None else format_instant(at) for at in (body.valid_from, body.valid_to))
    for refs in (body.supersedes, body.amends, body.superseded_by):
        yield from (str(len(refs)), *(part for ref in refs for part in (ref.source, ref.id)))


def _decided(row: StoredAssertion, decision: Decided, quality: Quality) -> StoredAssertion:
    match decision.action:
        case "approve":
            return replace(
                row, status="active", trust=APPROVED, authority=_at_least(quality.authority, "owner")
            )
        case "approve_alone":
            authority = _at_least(quality.authority, "member")
            return replace(row, status="active", trust=APPROVED_ALONE, authority=authority)
        case "reject":
            return replace(row, status="rejected")
    return row


_AUTHORITIES = ("external", "tool", "member", "owner", "system_of_record")


def _at_least(authority: str, least: str) -> str:
    """An approved rule counts as its approver's word does."""
    ranks = {name: rank for rank, name in enumerate(_AUTHORITIES)}
    return max(authority, least, key=lambda name: ranks.get(name, -1))


def _numbered(rows: Sequence[StoredAssertion]) -> list[StoredAssertion]:
    """Revisions counted anew, as a decision begins one."""
    counts: dict[object, int] = {}
    numbered = []
    for row in sorted(rows, key=lambda one: (one.assertion, one.known_from, one.seq)):
        counts[row.assertion] = counts.get(row.assertion, 0) + 1
        numbered.append(replace(row, revision=counts[row.assertion]))
    return numbered


def lineage_digest(key: bytes, origins: Sequence[Key], standings: Mapping[Key, Standing | None]) -> bytes:
    """Everything an item was made from, as it stands."""
    parts: list[str] = []
    for name in origins:
        standing = standings.get(name)
        body = "" if standing is None else standing.body.body
        parts += [*name, "" if standing is None else standing.state, body]
    return keyed_digest(key, "lineage", *parts)
