"""The desk of someone who may run the record: who may read, what is stuck, what was refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from pathlib import Path

from muniment.domain.audit import AuditEntry, AuditReport, Head
from muniment.domain.connections import ConnectionSaid, Plan
from muniment.domain.distilled import Distilled, PageCost, Planned
from muniment.domain.entities import AliasEntry, EntityDecision, EntityEntry, EntityProposal, Parting, Terms
from muniment.domain.exports import BackedUp, ExportedRecord
from muniment.domain.model_use import ModelCost
from muniment.domain.values import Candidate, Citation, Receipt, Reported, Status
from muniment.export.record import Progress
from muniment.export.restore import Done
from muniment.jobs.loop import Work
from muniment.models.language import LanguageModel
from muniment.steward import (
    aliasing,
    audited,
    connecting,
    distilling,
    erasing,
    exporting,
    holding,
    joining,
    levels,
    naming,
    proposing,
    refused,
    replaying,
    retention,
    reverting,
    review,
    rights,
    settling,
    spending,
    standing,
    widening,
)
from muniment.steward import sources as configured
from muniment.steward.audited import Heads, Sought
from muniment.steward.desk import Desk
from muniment.steward.erasing import Erased
from muniment.steward.holding import Hold
from muniment.steward.joining import AT_ONCE
from muniment.steward.levels import Disclosure, Evidence
from muniment.steward.refused import Quarantined, Refusal
from muniment.steward.replaying import Erasure
from muniment.steward.reverting import Reverted
from muniment.steward.review import is_citation
from muniment.steward.rights import Access, Granted, Member
from muniment.steward.settling import Recalled
from muniment.steward.sources import Change as SourceChange
from muniment.steward.sources import Source
from muniment.steward.standing import stuck
from muniment.steward.upkeep import Upkeep
from muniment.steward.widening import Widening

__all__ = [
    "Access",
    "Disclosure",
    "Erased",
    "Erasure",
    "Evidence",
    "Granted",
    "Hold",
    "Member",
    "Quarantined",
    "Recalled",
    "Refusal",
    "Reverted",
    "Source",
    "SourceChange",
    "Steward",
    "stuck",
]


class Steward:
    """One steward's desk: what they may do, each act a function of the room it is about, and in the audit."""

    def __init__(
        self, work: Work, principal: str, model: str | None, language_model: str | None = None
    ) -> None:
        self._desk = Desk(work, principal, model, language_model)

    @property
    def principal(self) -> str:
        """Who sits here."""
        return self._desk.principal

    @property
    def upkeep(self) -> Upkeep:
        """Memories of incidents, looked after."""
        return Upkeep(self._desk)

    def members(self) -> list[Member]:
        """Everyone the record knows."""
        return rights.members(self._desk)

    def add_member(self, principal: str) -> None:
        """Make someone a full member: they may read what everyone may."""
        rights.add_member(self._desk, principal)

    def remove_member(self, principal: str) -> None:
        """Take everything from someone at once."""
        rights.remove_member(self._desk, principal)

    def grant_role(self, principal: str, role: str) -> Granted:
        """Give a role."""
        return rights.grant_role(self._desk, principal, role)

    def revoke_role(self, principal: str, role: str) -> Granted:
        """Take a role back."""
        return rights.revoke_role(self._desk, principal, role)

    def grant_read(self, principal: str, target: str) -> Granted:
        """Let someone read an item or a container, whatever its source says."""
        return rights.grant_read(self._desk, principal, target)

    def revoke_read(self, principal: str, target: str) -> Granted:
        """Take a grant back; says how they can still read it, where they can."""
        return rights.revoke_read(self._desk, principal, target)

    def who_can(self, target: str, *, at: datetime | None = None) -> list[Access]:
        """Everyone who can read an item or container, now or at an earlier time, and through what."""
        return rights.who_can(self._desk, target, at=at)

    # ── where it comes from ──

    def sources(self) -> list[Source]:
        """Every source as it is configured."""
        return configured.sources(self._desk)

    def set_source(self, source: str, change: SourceChange) -> Source:
        """Configure a source; what its items are worth is made anew before this returns."""
        return configured.set_source(self._desk, source, change)

    def plan_connection(self, said: ConnectionSaid) -> Plan:
        """What connecting a source would read and for whom, with one request to it. Writes nothing."""
        return connecting.plan(self._desk, said)

    def connect(self, said: ConnectionSaid) -> Plan:
        """Connect a source; it is due at once."""
        return connecting.connect(self._desk, said)

    def disconnect(self, source: str) -> None:
        """Stop reading a source; what it said stays."""
        connecting.disconnect(self._desk, source)

    def pause(self, source: str, *, paused: bool) -> None:
        """Leave a connected source alone, or go on with it."""
        connecting.pause(self._desk, source, paused=paused)

    # ── what is disclosed ──

    def disclosure(self) -> Disclosure | None:
        """The disclosure policy in force, if there is one."""
        return levels.disclosure(self._desk)

    def set_disclosure(self, content: str) -> Disclosure:
        """Put a disclosure policy in force; what it discloses is there when this returns."""
        return levels.set_disclosure(self._desk, content)

    def check_disclosure(self, content: str) -> list[str]:
        """Who would see what by a policy, in words; Malformed for one that could not be put in force."""
        return levels.check_disclosure(self._desk, content)

    def evidence(self, citation: str) -> list[Evidence]:
        """The exact statements behind a range or trend, by their places and without their words."""
        return levels.evidence(self._desk, citation)

    # ── who and what is one ──

    def aliases(self) -> list[AliasEntry]:
        """The alias file, entry by entry, as far as this steward may know of it."""
        return aliasing.aliases(self._desk)

    def set_aliases(self, content: str) -> list[AliasEntry]:
        """Put an alias file in force, in place of what this steward may know of it."""
        return aliasing.set_aliases(self._desk, content)

    def entities(self) -> list[EntityEntry]:
        """Every entity this steward can see, with its names."""
        return naming.entities(self._desk)

    def entity(self, name: str) -> EntityEntry:
        """One of them, and what was settled about it."""
        return naming.entity(self._desk, name)

    def entity_decisions(self, name: str | None = None) -> list[EntityDecision]:
        """What was settled about entities, or one of them, and undone; oldest first."""
        return naming.decisions(self._desk, name)

    def entity_proposals(self) -> list[EntityProposal]:
        """Entities that may be one, of what this steward can see. Nothing joins them but a merge."""
        return proposing.proposals(self._desk)

    def merge(self, name: str, other: str, terms: Terms = AT_ONCE) -> EntityDecision:
        """Let two entities be one, called as the first is."""
        return joining.merge(self._desk, name, other, terms)

    def split(self, name: str, target: str, parting: Parting, terms: Terms = AT_ONCE) -> EntityDecision:
        """Let some names of an entity, or what some sources or items say of it, mean another."""
        return joining.split(self._desk, name, target, parting, terms)

    def undo_entities(self, decision: str) -> EntityDecision:
        """Let what was settled about entities count for nothing from now on."""
        return joining.undo(self._desk, decision)

    # ── how it stands ──

    def status(self) -> Status:
        """Sources, queue, and everything that waits for somebody."""
        return standing.status(self._desk)

    def model_costs(self, since: datetime | None = None, *, by_run: bool = False) -> list[ModelCost]:
        """What language models were asked and what it took, by purpose: counts and money, no words."""
        return spending.model_costs(self._desk, since, by_run=by_run)

    def revive(self) -> int:
        """Make what failed for good due again, once what spoilt it is mended; how many keys there are."""
        return standing.revive(self._desk)

    def distil(self, model: LanguageModel, *, limit: int | None, spend: Decimal | None) -> Distilled:
        """Have a model read what it has not read, within so many calls and dollars."""
        return distilling.run(self._desk, model, limit, spend)

    def distil_plan(self, model: LanguageModel, *, limit: int) -> list[Planned]:
        """What a model would read next, as far as this steward may read it."""
        return distilling.plan(self._desk, model, limit)

    def distil_costs(self) -> list[PageCost]:
        """What models have cost for each page, of what this steward may read."""
        return distilling.costs(self._desk)

    def distil_again(self) -> None:
        """Make due again what models failed on."""
        distilling.again(self._desk)

    def rebuild(self) -> int:
        """Make everything derived anew from what was handed in; how many keys it took."""
        return standing.rebuild(self._desk)

    # ── who did what ──

    def audit(
        self,
        by: str | None = None,
        object: str | None = None,  # noqa: A002  # the contract's own word
        action: str | None = None,
        since: datetime | str | None = None,
        limit: int = 50,
    ) -> list[AuditEntry]:
        """Who did what, newest first: ids, times and counts, never what was asked or read.

        `object` is what an act names, a source that was fed, or a citation that was handed out.
        """
        return audited.entries(self._desk, Sought(by, object, action, since), limit)

    def audit_head(self) -> Head:
        """Where the audit's chain ends now, to be published where the database's owner cannot reach it."""
        return audited.head(self._desk)

    def verify_audit(self, head: Heads = None) -> AuditReport:
        """Whether the audit is whole. A published head, its line or a file of them catches a cut tail too."""
        return audited.verify(self._desk, head)

    # ── how much is kept ──

    def apply_rules(self) -> int:
        """Let go of what the rules no longer keep; how many items it took. A worker does it by itself."""
        return retention.apply_rules(self._desk)

    def widened(self, *, since: datetime | None = None) -> list[Widening]:
        """What turned up where more can read it than where it came from; words where you may read both."""
        return widening.widened(self._desk, since)

    # ── what waits for a decision ──

    def candidates(self) -> list[Candidate]:
        """Every rule that waits for a decision and that this steward may read."""
        return review.candidates(self._desk)

    def candidate(self, id_: str) -> Candidate:
        """One of them, with what it would change and a token of what was seen."""
        return review.candidate(self._desk, id_)

    def approve(self, id_: str, *, seen: str | None = None) -> Candidate:
        """Let a candidate act as it is now.

        With `seen`, only if it is still what that token was shown for.
        """
        return review.approve(self._desk, id_, seen)

    def reject(self, id_: str, reason: str = "") -> None:
        """Let a candidate never act; what a source recalled (SOURCE:ID) is gone for good."""
        if is_citation(id_):
            review.reject(self._desk, id_, reason)
        else:
            settling.refuse(self._desk, id_)

    def hold(self, id_: str, reason: str = "") -> Candidate:
        """Leave a candidate waiting, with the reason."""
        return review.hold(self._desk, id_, reason)

    def confirm(self, id_: str) -> None:
        """What a source recalled (SOURCE:ID) holds after all."""
        settling.confirm(self._desk, id_)

    def recalled(self) -> list[Recalled]:
        """What its source recalled and this steward could read before."""
        return settling.recalled(self._desk)

    def stale(self) -> list[Citation]:
        """Statements whose words changed at their source and that nobody has confirmed."""
        return settling.stale(self._desk)

    def reports(self) -> list[Reported]:
        """What people said is wrong, of what this steward may read."""
        return settling.reports(self._desk)

    def resolve(self, claim: str, keep: str) -> list[Citation]:
        """Keep one side of a conflict, by its citation; what was dropped."""
        return settling.resolve(self._desk, claim, keep)

    # ── what was refused ──

    def quarantined(self) -> list[Quarantined]:
        """What the door refused and nobody handed in again, oldest first."""
        return refused.quarantined(self._desk)

    def replay(self, entries: Sequence[int] | None, receive: Callable[[Refusal], Receipt]) -> Receipt:
        """Hand refused input in again, an entry at a time; what is refused again stays as it is."""
        return refused.replay(self._desk, entries, receive)

    # ── what is to be gone ──

    def erase(self, target: str, *, dry_run: bool = False) -> Erased:
        """Erase an item (SOURCE:ID), or a principal and all they wrote. See `scrub` for the files."""
        return erasing.erase_target(self._desk, target, dry_run=dry_run)

    def erase_subject(self, words: str, *, dry_run: bool = False) -> Erased:
        """Blank words, such as a name, wherever a text has them, now and in what is handed in later."""
        return erasing.erase_words(self._desk, words, dry_run=dry_run)

    def scrub(self, *, all_tables: bool = False) -> str:
        """Take the bytes of deleted rows out of the files; of tables over 64 MB if all are asked for."""
        return erasing.scrub_files(self._desk, all_tables=all_tables)

    def add_hold(self, target: str, reason: str) -> bool:
        """Let nothing erase or revert an item, container, source or principal; False where held already."""
        return holding.hold(self._desk, target, reason)

    def remove_hold(self, target: str, reason: str = "") -> bool:
        """End a hold; False where there is none."""
        return holding.release(self._desk, target, reason)

    def holds(self) -> list[Hold]:
        """Every hold there is and was, oldest first."""
        return holding.list_holds(self._desk)

    def revert(self, source: str, since: datetime, *, dry_run: bool = False) -> Reverted:
        """Let everything a source said since then count for nothing, at whatever time is asked about."""
        return reverting.revert(self._desk, source, since, dry_run=dry_run)

    def undo_revert(self, source: str, since: datetime | None = None, *, dry_run: bool = False) -> Reverted:
        """Let what was reverted count again."""
        return reverting.undo(self._desk, source, since, dry_run=dry_run)

    def erasures(self) -> list[Erasure]:
        """Everything that was erased, by keyed digest, for a record restored from an older backup."""
        return replaying.erasures(self._desk)

    def replay_erasures(self, listed: Iterable[Mapping[str, object]], *, dry_run: bool = False) -> Erased:
        """Erase again what a list says, object by object, in a record that has the same key."""
        return replaying.replay(self._desk, listed, dry_run=dry_run)

    # ── taking it elsewhere ──

    def export(
        self, folder: str | Path, *, with_key: bool = False, progress: Progress = lambda _: None
    ) -> ExportedRecord:
        """Write the whole record into a folder of its own, its key only if that is asked for."""
        return exporting.export_record(self._desk, Path(folder), progress, with_key=with_key)

    def backup(
        self, folder: str | Path, *, programs: Path | None = None, key_file: Path | None = None
    ) -> BackedUp:
        """Write a backup. `key_file` is where its key goes apart, `programs` a folder of PostgreSQL's."""
        return exporting.back_up(self._desk, Path(folder), programs=programs, key_file=key_file)

    def bring_in(self, folder: str | Path, progress: Progress) -> Done:
        """Make an organisation that holds nothing yet what a folder's record is; see `Org.restore`."""
        return exporting.bring_in(self._desk, Path(folder), progress)
