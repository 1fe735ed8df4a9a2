"""The composition root: the only place that knows every concrete class."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, Self

from muniment import clock as real
from muniment import doctor
from muniment.context.tokens import count_tokens
from muniment.domain.connections import ConnectionSaid, KindTold, Plan, Pulled
from muniment.domain.distilled import Distilled, Planned
from muniment.domain.errors import Refused, Usage
from muniment.domain.exports import ExportedRecord, ExportedWiki, Restored
from muniment.domain.model_use import ModelUse
from muniment.domain.times import read_instant
from muniment.domain.values import Receipt, Status
from muniment.entrance import Entrance, Progress, Word, unseen
from muniment.gate import audit, grants, policy
from muniment.gate.binding import writing
from muniment.gate.reader import Hearing
from muniment.gate.rights import is_heard
from muniment.jobs import connections, distil, embed, retention
from muniment.jobs.fresh import await_fresh
from muniment.jobs.hear import Reply, hear
from muniment.jobs.lease import present
from muniment.jobs.loop import Work, drain, refresh_statistics, tidy, work_once
from muniment.jobs.pull import Reach, pull, pull_due
from muniment.jobs.seal import seal_due
from muniment.models.embedding import Embedder
from muniment.models.language import LanguageModel
from muniment.opening import database_of, embedders_of, language_of, own_key, prepare, spread_of
from muniment.runtime.desk import Tasks
from muniment.settings import Settings
from muniment.sources.arrived import Arrived
from muniment.sources.connector import Delivery
from muniment.sources.files import Gathering, gather
from muniment.sources.oauth import Client as OAuthClient
from muniment.sources.oauth import authorise
from muniment.steward import Erased, Refusal, Reverted, Source, SourceChange, Steward, stuck
from muniment.steward.connecting import kinds as connector_kinds
from muniment.steward.sources import TRUSTS
from muniment.store.pool import Database
from muniment.store.queries import load
from muniment.surroundings import Surroundings
from muniment.tokens import Tokens
from muniment.view import View

__all__ = [
    "DEFAULT_TENANT",
    "ConnectionSaid",
    "Erased",
    "ExportedRecord",
    "ExportedWiki",
    "KindTold",
    "OAuthClient",
    "Org",
    "Plan",
    "Pulled",
    "Restored",
    "Reverted",
    "Source",
    "SourceChange",
    "Steward",
    "View",
    "authorise",
    "connector_kinds",
    "count_tokens",
    "open",
]

SQL = load("org")
DEFAULT_TENANT = "default"


def open(  # noqa: A001  # the contract's own word
    where: str | Path | Database,
    tenant: str = DEFAULT_TENANT,
    *,
    clock: Callable[[], datetime] = real.now,
    key: bytes | None = None,
    embedder: Embedder | None = None,
    model: LanguageModel | None = None,
    settings: Settings | None = None,
) -> Org:
    """The organisation in a folder, or one tenant of a PostgreSQL by URL, or of one that is open already.

    The folder is made if it is absent or empty; a database that was open stays so. Raises NotAnOrg for a
    folder that holds something else, Unavailable where the database cannot be had.
    """
    found = settings or Settings.read()
    with ExitStack() as stack:
        database, local = database_of(where, found, stack)
        capabilities = prepare(database)
        own = own_key(database, tenant, key or found.key, clock)
        work = Work(database, tenant, own, clock, real.fresh_salt, spread_of(database, found, stack))
        meaning, before = embedders_of(work, embedder, found.embedders)
        language = language_of(work, model, ModelUse.read(found.model))
        org = Org(
            work,
            Surroundings(meaning, capabilities, *language, before=before),
            login=f"user:{found.login}",
            local=local,
        )
        org.welcome(org.login)
        org.hold(stack.pop_all())
    return org


class Org:
    """One organisation's record: what goes in, and the doors through which it is read.

    Use it as a context manager, or close it: an embedded server stops when its last user leaves.
    """

    def __init__(self, work: Work, surroundings: Surroundings, *, login: str, local: bool) -> None:
        self.login = login
        self.is_local = local
        self._work = work
        self._surroundings = surroundings
        self._held = ExitStack()
        self._entrance = Entrance(work)
        self.tokens = Tokens(work)
        self.tasks = Tasks(work, surroundings)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def hold(self, held: ExitStack) -> None:
        """Keep the database, and let go of it when this is closed."""
        self._held = held

    def close(self) -> None:
        """Let go of the database; an embedded server nobody else uses stops."""
        self._held.close()

    @property
    def tenant(self) -> str:
        """Which organisation of the database this is."""
        return self._work.tenant

    # ── what goes in ──

    def add(
        self,
        path: str | Path,
        *,
        source: str | None = None,
        kind: str | None = None,
        importer: str | None = None,
        audience: Sequence[Sequence[str]] | Sequence[str] | None = None,
        account: str | None = None,
        trust: str | None = None,
        options: Mapping[str, str] | None = None,
        defer: bool = False,
        progress: Progress = unseen,
    ) -> Receipt:
        """Take in a file or folder: an export of a kind we know, event JSONL, or documents.

        `kind` is found out where nobody says it; `options` are the kind's own. `audience` fills a missing
        audience and never widens one that is given; without any, only the importer may read.
        """
        word = Word.own(importer or self.login, trust)
        if trust is not None and trust not in TRUSTS:
            raise Usage(f"trust {trust!r} is unknown: use {', '.join(TRUSTS)}")
        if trust is not None:
            self._entrance.require_steward(word.of)
        gathering = Gathering.read(source, kind, word.of, audience, account, options)
        return self._entrance.take(gather(Path(path), gathering), word, progress, defer=defer)

    def ingest(
        self,
        events: Iterable[Mapping[str, object] | str | bytes],
        *,
        importer: str | None = None,
        defer: bool = False,
        progress: Progress = unseen,
    ) -> Receipt:
        """Take in events: objects, or lines of JSON.

        Compiled before it returns, except vectors; `defer` leaves that to `sync` or a worker.
        """
        arrived = (Arrived(event, number, "events") for number, event in enumerate(events, 1))
        return self._entrance.take(arrived, Word.own(importer or self.login), progress, defer=defer)

    # ── live sources ──

    def connect(
        self, kind: str, source: str, settings: Mapping[str, str], *, by: str | None = None, **said: Any
    ) -> Plan:
        """Connect a live source, for `pull` or a worker to read. Secrets are said as `env:NAME`, `file:PATH`.

        `said` is what else `ConnectionSaid` takes: audience, trust, every, sweep_every, pace.
        """
        return self.steward(by or self.login).connect(ConnectionSaid(source, kind, settings, **said))

    def pull(
        self, source: str | None = None, *, sweep: bool = False, progress: Progress = unseen
    ) -> list[Pulled]:
        """Ask a connected source, or every one, for what is new, until there is no more or it fails.

        What failed is told, and tried again by whoever pulls next. `sweep` also asks what it still holds.
        """
        named = [one.source for one in connections.every(self._work) if one.of.connect is not None]
        reach = Reach(sweep=sweep, seen=progress)
        pulling = self._entrance.pulling(real.wait)
        return [pull(pulling, one, reach) for one in (named if source is None else [source])]

    def pull_due(self) -> int:
        """A turn with each source whose time has come; how many pages were read."""
        return pull_due(self._entrance.pulling(real.wait))

    def hear(self, source: str, raw: bytes, headers: Mapping[str, str]) -> Reply:
        """Take in what a source delivered by itself; what to reply. Header names are in any case.

        Refused alike for an unknown source and a delivery that is not signed by it.
        """
        delivery = Delivery(raw, {name.lower(): value for name, value in headers.items()}, self._work.clock())
        return hear(self._entrance.pulling(real.wait), self._entrance.hooks, source, delivery)

    # ── what waits to be done ──

    def replay(self, entries: Sequence[int] | None = None, *, importer: str | None = None) -> Receipt:
        """Hand in again what is in quarantine: all as it came, or some entries on the steward's word."""
        desk = self.steward(Word.own(importer or self.login).of)

        def again(refused: Refusal) -> Receipt:
            # On the steward's own word only what they picked; the rest on that of whoever handed it in.
            word = refused.importer if entries is None else desk.principal
            return self._entrance.take(refused.arrivals(), Word(word, refused.importer))

        return desk.replay(entries, again)

    def sync(self, *, progress: Progress = unseen) -> Mapping[str, int]:
        """Work until nothing is due, vectors included.

        What is dead or pending is reported, never waited for.
        """
        if self._surroundings.calls is not None:
            self._surroundings.calls.begin_run()
        done = drain(self._work, seen=progress)
        retention.apply_all(self._work)
        tidy(self._work)
        vectors = 0
        while count := self._embed():
            vectors += count
            progress(done + vectors)
        seal_due(self._work)
        dead, pending = stuck(self._work)
        return {"compiled": done, "vectors": vectors, "dead": dead, "pending_audience": pending}

    def work(self) -> int:
        """One batch of what is due: compiling, live sources, vectors; how much was done.

        A worker does it over and over.
        """
        present(self._work)
        seal_due(self._work)
        if done := work_once(self._work) or retention.apply_once(self._work) or self.pull_due():
            return done
        tidy(self._work)
        language = self._surroundings.language
        if (done := self._embed()) or language is None:
            return done
        return distil.distil_due(self._work, language, limit=distil.BATCH).calls

    def _embed(self) -> int:
        """A batch of what has no vectors, where anything can give it one; how many got one."""
        around = self._surroundings
        if around.embedder is None or not around.capabilities.vectors:
            return 0
        return embed.embed_due(self._work, around.embedder, around.before)

    def distil(
        self, *, limit: int | None = None, spend: Decimal | None = None, by: str | None = None
    ) -> Distilled:
        """Have the language model read what it has not read, what agents ask for first.

        Until nothing is due, or `limit` calls were made, or one more would likely pass `spend` dollars.
        `by` is a steward, by default whoever opened the record.
        """
        desk = self.steward(by or self.login)
        if self._surroundings.calls is not None:
            self._surroundings.calls.begin_run()
        return desk.distil(self._language(), limit=limit, spend=spend)

    def distil_plan(self, *, limit: int = 20, by: str | None = None) -> list[Planned]:
        """What the model would read next, why, and what it may cost. Asks nothing."""
        return self.steward(by or self.login).distil_plan(self._language(), limit=limit)

    def _language(self) -> LanguageModel:
        if self._surroundings.language is None:
            raise Usage("no language model is set up, so rules alone read what comes in; set MUNIMENT_MODEL")
        return self._surroundings.language

    # ── taking it elsewhere ──

    def export(
        self, folder: str | Path, *, principal: str | None = None, progress: Progress = unseen
    ) -> ExportedWiki:
        """The wiki as one principal sees it, as Markdown; `steward(…).export` writes the whole record."""
        return self.reader(principal or self.login).export(folder, progress=progress)

    def restore(self, folder: str | Path, *, by: str | None = None, progress: Progress = unseen) -> Restored:
        """Become the organisation whose record a folder holds; this one must hold nothing yet.

        All of it is restored or nothing: same ids, same answers, same audit. Vectors follow at the next sync.
        """
        done = self.steward(by or self.login).bring_in(folder, progress)
        self._work = replace(self._work, key=done.key)
        self._entrance, self.tokens = Entrance(self._work), Tokens(self._work)
        self.tasks = Tasks(self._work, self._surroundings)
        refresh_statistics(self._work)
        return Restored(str(folder), done.rows, done.keys, done.stewards)

    # ── who is who ──

    def welcome(self, principal: str) -> None:
        """Make whoever made the organisation a full member and steward, once.

        A later removal is not undone.
        """
        with writing(self._work.database, self.tenant) as conn:
            if conn.execute(SQL["has_members"], {"tenant": self.tenant}).fetchone() == (False,):
                now = self._work.clock()
                grants.add_member(conn, self.tenant, principal, now)
                grants.grant_role(conn, self.tenant, principal, "steward", principal, now)
                act = audit.Act(now, principal, "init", principal, {"role": "steward"})
                audit.record(conn, self.tenant, act, self._work.salts())

    def knows(self, name: str) -> bool:
        """Whether a name means one principal here. For a record's owner: it tells who exists."""
        with writing(self._work.database, self.tenant) as conn:
            return policy.find_principal(conn, self.tenant, name) is not None

    def hears(self, name: str) -> bool:
        """The same of a hearer, who may also be a group that somebody is in."""
        with writing(self._work.database, self.tenant) as conn:
            return is_heard(conn, self.tenant, name, self._work.clock())

    # ── the doors ──

    def reader(
        self,
        principal: str,
        *,
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        agent: str | None = None,
        hearers: Sequence[str] = (),
        at_least_as_fresh: str | None = None,
    ) -> View:
        """What one principal may know: by id, alias or e-mail. Times are instants or RFC 3339 text.

        hearers: everyone who will hear the result; rights are the intersection. at_least_as_fresh: a
        receipt's token, for whose events this waits a little; Unavailable if they are not here by then.
        """
        if at_least_as_fresh is not None:
            await_fresh(self._work, at_least_as_fresh, real.ticks, real.wait)
        if agent is not None and not agent.startswith("agent:"):
            raise Usage(f"agent {agent!r} must begin with agent:")
        times = read_instant("as_of", as_of), read_instant("known_at", known_at)
        return View(self._work, self._surroundings, Hearing(principal, tuple(hearers), agent), *times)

    def steward(self, principal: str) -> Steward:
        """The desk of someone who may run the record; Refused for anyone else."""
        with writing(self._work.database, self.tenant) as conn:
            found = policy.find_principal(conn, self.tenant, principal)
            if found is None or not policy.is_steward(conn, self.tenant, found):
                raise Refused(f"{principal!r} is no steward of this organisation")
        embedder = self._surroundings.embedder
        meaning = None if embedder is None else embedder.name
        return Steward(self._work, found, meaning, self._surroundings.helping)

    def status(self) -> Status:
        """How the record stands, as its owner sees it."""
        return self.steward(self.login).status()

    def unready(self) -> str | None:
        """What keeps the record from answering in time, or None. Tells nothing of what is in it."""
        return doctor.unready(self._work)

    def size(self) -> int:
        """Bytes the whole database takes on disk, all organisations of it together."""
        with writing(self._work.database, self.tenant) as conn:
            row = conn.execute(SQL["size"], {"tenant": self.tenant}).fetchone()
        return 0 if row is None else int(row[0])

    def doctor(self) -> list[doctor.Check]:
        """Whether the installation, the database and the record are sound, and what to do where not."""
        status = self.steward(self.login).status()
        return doctor.examine(self._work, self._surroundings, status)
