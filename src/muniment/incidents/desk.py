"""The verbs of an investigation, for one principal: each one read, or one event handed in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime

from muniment.claims.told import told
from muniment.context.retrieve import Meaning
from muniment.domain.errors import Refused, Usage
from muniment.domain.incidents import (
    Briefing,
    Checkpoint,
    Duplicate,
    Entry,
    Episode,
    FaultDomain,
    Gathered,
    Incident,
    Opened,
    Recurring,
    Topology,
    Unused,
)
from muniment.domain.investigating import Ending, Looked, Observed, Reached, Start
from muniment.domain.times import read_instant
from muniment.gate.reader import Hearing, Reader
from muniment.incidents.closing import closing_of, episode_of, find_episode, proposal_of
from muniment.incidents.entries import checkpointed, joined_by, judged, observed, supposed
from muniment.incidents.gathering import gathered
from muniment.incidents.hand_in import Draft, hand_in, hand_in_each, rest_of
from muniment.incidents.looking import looked
from muniment.incidents.opening import alerted, draft_of, open_already
from muniment.index.projection import item_uuid
from muniment.jobs.loop import Work
from muniment.lenses.incidents import briefing, ledger, recurring, topology, upkeep

__all__ = ["Incidents"]

Looking = Callable[[str, str], AbstractContextManager[Reader]]


@dataclass(frozen=True, slots=True)
class Incidents:
    """What one principal may do and see. `looking` reads and leaves a trace; `meaning` is that of a text."""

    work: Work
    hearing: Hearing
    looking: Looking
    meaning: Callable[[str], tuple[Meaning | None, tuple[str, ...]]]

    # ── investigating ──

    def open(self, start: Start) -> Opened:
        """Open an incident, or join the open one that the alert is part of."""
        with self.looking("incident open", start.alert or start.title) as reader:
            self._require_rights(reader)
            start, grounds = alerted(reader, start)
            if (found := open_already(reader, start)) is not None:
                return self._joined(reader, found, start)
            draft = draft_of(self.work, reader, self.hearing, start, grounds)
            author = reader.permitted.principal
        hand_in(self.work, self.hearing, author, draft)
        return Opened(draft.incident, "opened", _in_words(draft.audience))

    def _joined(self, reader: Reader, found: Incident, start: Start) -> Opened:
        """A storm's further alerts are observations of the incident that its first one opened."""
        audience = _in_words(ledger.audience_of(ledger.entries_of(reader, found.id)))
        if start.alert is not None and start.alert != found.alert:
            self._keep(reader, joined_by(self.work, reader, found.id, start))
        return Opened(found.id, "joined", audience)

    def observe(self, incident: str, seen: Observed) -> Entry:
        """Keep what was seen, done or given up."""
        return self._hand_in(
            "incident observe", incident, lambda reader: self._observed(reader, incident, seen)
        )

    def look(self, incident: str, at: Looked) -> Entry:
        """Ask a running system once, or read a file of its logs or traces, and keep what it says."""
        with self.looking("incident show", incident) as reader:
            ledger.entries_of(reader, incident)
        return self.observe(incident, looked(at, self.work.clock()))

    def gather(
        self,
        incident: str,
        services: Sequence[str] = (),
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> Gathered:
        """Take in what sources sent of the incident's service and of those named, while it lasts."""
        span = (since, until or self.work.clock())
        with self.looking("incident gather", incident) as reader:
            self._require_rights(reader)
            found = gathered(self.work, reader, incident, services, span)
            author = reader.permitted.principal
        items = hand_in_each(self.work, self.hearing, author, found.drafts)
        with self.looking("incident show", incident) as reader:
            entries = tuple(map(ledger.entry, ledger.rows_of(reader, items)))
        return Gathered(incident, entries, found.already, found.left)

    def _observed(self, reader: Reader, incident: str, seen: Observed) -> Draft:
        return observed(reader, self.hearing, self.work.clock(), incident, seen)

    def hypothesis(
        self, incident: str, statement: str, supports: Sequence[str] = (), against: Sequence[str] = ()
    ) -> Entry:
        """Keep what may be the cause, with what speaks for and against it."""
        now = self.work.clock()
        return self._hand_in(
            "incident hypothesis",
            incident,
            lambda reader: supposed(reader, self.hearing, now, incident, statement, (supports, against)),
        )

    def verdict(
        self, incident: str, target: str, verdict: str, evidence: Sequence[str] = (), reason: str = ""
    ) -> Entry:
        """Judge a hypothesis or a hint by what is observed now."""
        now, said = self.work.clock(), (target, verdict, reason)
        return self._hand_in(
            "incident verdict",
            incident,
            lambda reader: judged(reader, self.hearing, now, incident, said, evidence),
        )

    def checkpoint(self, incident: str, reached: Reached) -> Entry:
        """Keep where it stands."""
        now = self.work.clock()
        return self._hand_in(
            "incident checkpoint",
            incident,
            lambda reader: checkpointed(reader, self.hearing, now, incident, reached),
        )

    def close(self, incident: str, ending: Ending) -> Episode:
        """Close it, and keep what it was as an episode."""
        now = self.work.clock()
        with self.looking("incident close", incident) as reader:
            self._require_rights(reader)
            draft = episode_of(reader, self.hearing, now, incident, ending)
            closing = closing_of(reader, now, incident, ending)
            author = reader.permitted.principal
        for one in (draft, closing):
            hand_in(self.work, self.hearing, author, one)
        with self.looking("incident show", incident) as reader:
            row = find_episode(reader, incident)
        said = row.said
        cause, confirmed = ledger.text_of(said.get("cause")), said.get("confirmed_by")
        return Episode(
            f"h_{row.item.hex}",
            row.id,
            incident,
            row.title or "",
            draft.text,
            cause,
            bool(confirmed),
            row.trust,
        )

    def propose(self, episode: str, steps: Sequence[str], reuse: str, also: Sequence[str] = ()) -> Entry:
        """Propose what helped as a procedure, from an episode and `also` others in which it did.

        It waits until somebody else approves it.
        """
        now = self.work.clock()

        def proposal(reader: Reader) -> Draft:
            instances = [find_episode(reader, one) for one in dict.fromkeys((episode, *also))]
            return proposal_of(reader, self.hearing, now, instances, steps, reuse)

        return self._hand_in("incident propose", episode, proposal)

    # ── looking ──

    def every(self) -> list[Incident]:
        """Every incident, the newest first."""
        with self.looking("incident list", "") as reader:
            return ledger.incidents(reader)

    def show(self, incident: str) -> Incident:
        """One with its entries."""
        with self.looking("incident show", incident) as reader:
            return ledger.incident(reader, incident)

    def resume(self, incident: str) -> Checkpoint:
        """Where it stood when somebody last said so."""
        with self.looking("incident resume", incident) as reader:
            found = ledger.incident(reader, incident).checkpoint
        if found is None:
            raise Refused(f"no checkpoint of incident {incident!r} for this reader")
        return found

    def briefing(self, incident: str, budget: int = 1_000) -> Briefing:
        """A few hints from history."""
        if budget < 1:
            raise Usage(f"a budget is 1 token or more, not {budget}")
        with self.looking("incident briefing", incident) as reader:
            seen = briefing.seen(reader, incident)
        # A model is asked between two transactions, never inside one.
        meaning, _ = self.meaning(seen.text)
        with self.looking("incident briefing", incident) as reader:
            return told(reader, briefing.brief(reader, incident, budget, meaning))

    def topology(self, entity: str, at: datetime | str | None = None) -> Topology:
        """What leaned on what, then."""
        when = read_instant("at", at)
        with self.looking("topology", entity) as reader:
            return topology.topology(reader, entity, when or reader.moment.as_of)

    def fault_domain(self, entities: Sequence[str], at: datetime | str | None = None) -> FaultDomain:
        """What several services all lean on."""
        when = read_instant("at", at)
        with self.looking("topology", " ".join(entities)) as reader:
            return topology.fault_domain(reader, entities, when or reader.moment.as_of)

    def unused(self) -> list[Unused]:
        """Memories that were never of use, are often refuted, or are over."""
        with self.looking("unused", "") as reader:
            return told(reader, upkeep.unused(reader))

    def recurring(self) -> list[Recurring]:
        """Causes that came back and that no procedure was proposed for."""
        with self.looking("recurring", "") as reader:
            return recurring.recurring(reader)

    def duplicates(self) -> list[Duplicate]:
        """Memories that say the same."""
        with self.looking("duplicates", "") as reader:
            return upkeep.duplicates(reader)

    # ── how ──

    def _require_rights(self, reader: Reader) -> None:
        if not reader.permitted.subjects or reader.permitted.principal not in reader.permitted.subjects:
            raise Refused(
                f"nothing can be handed in for {self.hearing.principal!r} here; leave the hearers out"
            )

    def _hand_in(self, verb: str, what: str, make: Callable[[Reader], Draft]) -> Entry:
        with self.looking(verb, what) as reader:
            self._require_rights(reader)
            draft = make(reader)
            author = reader.permitted.principal
            item = item_uuid(reader.key, rest_of(draft, self.work, author, self.hearing.agent))
            is_there = bool(reader.rows(ledger.Row, "incidents", "items_with_labels", items=[item]))
        if not is_there:
            hand_in(self.work, self.hearing, author, draft)
        with self.looking("incident show", draft.incident) as reader:
            return ledger.entry(ledger.find_entry(reader, ledger.entry_id(item)))

    def _keep(self, reader: Reader, draft: Draft) -> None:
        author = reader.permitted.principal
        item = item_uuid(reader.key, rest_of(draft, self.work, author, self.hearing.agent))
        if not reader.rows(ledger.Row, "incidents", "items_with_labels", items=[item]):
            hand_in(self.work, self.hearing, author, draft)


def _in_words(audience: Sequence[Sequence[str]]) -> str:
    """Who may read it, as whoever opened it said."""
    named = [" or ".join("every full member" if one == "*" else one for one in clause) for clause in audience]
    return " and ".join(named)
