"""What is done to memories of incidents, many at once: retired, merged, and all of it undone.

To retire is to withhold, as a source's recall does: nobody is briefed from it and nobody finds it but its
author and stewards, until one of them lets it hold again. To merge keeps every word: what was merged is told
as what it was merged into, with the verdicts and counter-examples of both. Each act is shown before it is
done, bound to what was shown, and undone by the name of its batch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Literal

from muniment.domain.errors import Conflict, Refused, Usage
from muniment.domain.events import ContentEvent, ItemRef, Op
from muniment.domain.identity import keyed_digest
from muniment.domain.incidents import FINDINGS, Finding, Tidied
from muniment.domain.times import format_instant
from muniment.gate.reader import Hearing, Reader
from muniment.incidents.hand_in import Draft, Grounds, hand_in
from muniment.index.projection import item_uuid
from muniment.items.fold import Accepted
from muniment.jobs.compile import Key, histories_of
from muniment.jobs.intake import stamped
from muniment.jobs.receive import receive
from muniment.lenses.incidents import upkeep
from muniment.lenses.incidents.ledger import Row, text_of
from muniment.sources.arrived import Arrived
from muniment.steward import forgetting, settling
from muniment.steward.desk import Desk

__all__ = ["MOST", "Upkeep"]

MOST: Final = 400  # memories in one act
_LATER: Final = timedelta(milliseconds=1)
_TOKEN: Final = 12  # characters
_THREAD: Final = "upkeep"
_LONGEST: Final = 19_000  # characters of what is said of a merge
Act = Literal["retire", "merge", "restore"]


@dataclass(frozen=True, slots=True)
class Upkeep:
    """The verbs, for one steward; each acts only on what they may read."""

    desk: Desk

    def findings(self) -> list[Finding]:
        """Every memory with each reason to look at it, the oldest first."""
        with self.desk.reading() as reader:
            return upkeep.findings(reader)

    def retire(
        self,
        ids: Sequence[str] = (),
        rules: Mapping[str, timedelta] | None = None,
        *,
        seen: str | None = None,
        reason: str = "",
    ) -> Tidied:
        """Withhold memories by name, or by what was found of them and how old they are at least.

        Without `seen`, show what that would be, and what to say to do it.
        """
        found = self._picked(ids, rules or {})
        if seen is None:
            return self._shown("retire", found, None)
        batch = self._begun("retire", found, seen, reason)
        keys = [_key(one) for one in found]
        with self.desk.writing() as conn:
            histories = histories_of(conn, self.desk.tenant, keys)
        self._receive([self._recall(key, histories[key], batch) for key in keys if key in histories])
        return self._shown("retire", found, batch)

    def merge(self, ids: Sequence[str], *, seen: str | None = None, reason: str = "") -> Tidied:
        """Let several be told as the first of them. Without `seen`, show what that would be."""
        if len(dict.fromkeys(ids)) < 2:
            raise Usage("a merge is of two memories or more: the first is what the others are told as")
        found = self._picked(ids, {})
        if seen is None:
            return self._shown("merge", found, None)
        batch = self._begun("merge", found, seen, reason)
        hearing = Hearing(self.desk.principal)
        hand_in(self.desk.work, hearing, self.desk.principal, self._merging(found, batch, reason))
        return self._shown("merge", found, batch)

    def restore(self, name: str) -> Tidied:
        """Undo a batch, or let one retired memory hold again."""
        retired = self._confirmed(name)
        with self.desk.reading() as reader:
            every = reader.rows(Row, "incidents", "of_kind", entry="merged")
        merges = [row for row in every if text_of(row.said.get("batch")) == name]
        if not (retired or merges):
            raise Refused(f"nothing that was done to memories is called {name!r} for this steward")
        with self.desk.writing() as conn:
            said: dict[str, object] = {"retired": len(retired), "merges": len(merges)}
            self.desk.record(conn, "upkeep restore", name, said)
        self._receive([self._gone(row) for row in merges])
        with self.desk.reading() as reader:
            found = upkeep.named(reader, [self._hint(key) for key in retired])
        return self._shown("restore", found, name)

    def forget(self, policy: str, *, seen: str | None = None) -> Tidied:
        """Retire what a policy, a file in words of its own, says has been of no use for long enough."""
        return self.retire((), forgetting.read_policy(policy), seen=seen, reason="by policy")

    # ── how ──

    def _picked(self, ids: Sequence[str], rules: Mapping[str, timedelta]) -> list[Finding]:
        if strange := sorted(rules.keys() - set(FINDINGS)):
            raise Usage(f"finding {strange[0]!r} is unknown: use {', '.join(FINDINGS)}")
        with self.desk.reading() as reader:
            picked = upkeep.named(reader, ids) if ids else _by_rule(reader, rules)
        if missing := set(ids) - {one.id for one in picked}:
            raise Refused(f"no memory {min(missing)!r} for this steward")
        if len(picked) > MOST:
            raise Usage(f"{len(picked)} memories are too many for one act: choose {MOST} or fewer")
        return picked

    def _shown(self, act: Act, found: Sequence[Finding], batch: str | None) -> Tidied:
        return Tidied(act, tuple(found), self._token(act, found), batch)

    def _token(self, act: Act, found: Sequence[Finding]) -> str:
        said = [part for one in found for part in (one.id, one.kind, one.statement)]
        return keyed_digest(self.desk.work.key, "upkeep", act, *said).hex()[:_TOKEN]

    def _begun(self, act: Act, found: Sequence[Finding], seen: str, reason: str) -> str:
        """The name of the batch, once it is sure that what is done is what was shown, and it is audited."""
        if not found:
            raise Usage(f"there is nothing to {act}")
        if seen != self._token(act, found):
            raise Conflict(f"what there is to {act} is no longer what was shown: look at it again")
        ids = [one.id for one in found]
        parts = (act, format_instant(self.desk.now), *ids)
        batch = f"u_{keyed_digest(self.desk.work.key, 'batch', *parts).hex()[:24]}"
        with self.desk.writing() as conn:
            self.desk.record(conn, f"upkeep {act}", batch, {"memories": ids, "reason": reason})
        return batch

    def _recall(self, key: Key, history: Sequence[Accepted], batch: str) -> Arrived:
        """Just after whatever was last said of it, in the source's own order."""
        said = [one.event for one in history if isinstance(one.event, ContentEvent)]
        settled = [one for one in said if one.op in (Op.RECALL, Op.RESTORE)]
        last = max(settled or said, key=lambda event: event.at)
        at = format_instant(max(self.desk.now, max(one.at for one in said) + _LATER))
        version = {} if last.version is None else {"version": last.version}
        event = {"source": key[0], "id": key[1], "op": "recall", "at": at, "metadata": {"upkeep": batch}}
        return Arrived({**event, **version}, None, "upkeep")

    def _merging(self, found: Sequence[Finding], batch: str, reason: str) -> Draft:
        into, *others = found
        lines = [f"Told as one: {into.statement}", *(f"merged: {one.statement}" for one in others), reason]
        return Draft(
            entry="merged",
            kind="note",
            title=f"Merged: {into.statement}",
            text="\n".join(lines).strip()[:_LONGEST],
            incident=_THREAD,
            audience=[["*"]],
            at=self.desk.now,
            said={"into": into.id, "merged": [one.id for one in others], "batch": batch, "reason": reason},
            # Only whoever may read all of them learns that they are one.
            grounds=Grounds(frozenset(one.source for one in found)),
        )

    def _confirmed(self, name: str) -> list[Key]:
        """What was retired holds again. What was made from it is there to be restored only then."""
        done: list[Key] = []
        while keys := self._retired(name):
            for source, id_ in keys:
                settling.confirm(self.desk, f"{source}:{id_}")
            done.extend(keys)
        return done

    def _retired(self, name: str) -> list[Key]:
        keys = [_split(one.id) for one in settling.recalled(self.desk)]
        with self.desk.writing() as conn:
            histories = histories_of(conn, self.desk.tenant, keys)
        batches = {key: _batch_of(histories.get(key, [])) for key in keys}
        return [key for key, batch in batches.items() if batch and name in (batch, self._hint(key))]

    def _hint(self, key: Key) -> str:
        return f"h_{item_uuid(self.desk.work.key, ItemRef(*key)).hex}"

    def _gone(self, row: Row) -> Arrived:
        at = format_instant(max(self.desk.now, row.at + _LATER))
        said = {"source": "muniment", "id": row.id, "op": "delete", "at": at, "version": "1"}
        return Arrived(said, None, "upkeep")

    def _receive(self, arrived: Sequence[Arrived]) -> None:
        if not arrived:
            return
        word = settling.intake(self.desk)
        receipt, _ = receive(self.desk.work.database, lambda: stamped(word), arrived, _unseen)
        if receipt.accepted != len(arrived):
            raise Conflict("some of it changed at the same time; look at it again")


def _by_rule(reader: Reader, rules: Mapping[str, timedelta]) -> list[Finding]:
    """What was found and is old enough, each memory once, for the first reason."""
    picked: dict[str, Finding] = {}
    for one in upkeep.findings(reader):
        if one.kind in rules and timedelta(days=one.age_days) >= rules[one.kind]:
            picked.setdefault(one.id, one)
    return list(picked.values())


def _key(one: Finding) -> Key:
    return _split(one.source)


def _split(name: str) -> Key:
    source, _, id_ = name.partition(":")
    return source, id_


def _batch_of(history: Sequence[Accepted]) -> str | None:
    """The batch in which it was retired; None where its source recalled it."""
    events = [one.event for one in history if isinstance(one.event, ContentEvent)]
    last = max((one for one in events if one.op is Op.RECALL), key=lambda event: event.at, default=None)
    said = None if last is None else last.raw.get("metadata")
    batch = said.get("upkeep") if isinstance(said, dict) else None
    return batch if isinstance(batch, str) else None


def _unseen(_: int) -> None:
    """Progress that nobody watches."""
