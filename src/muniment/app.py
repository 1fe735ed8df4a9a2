"""The composition root: the only place that knows every concrete class."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Self

from muniment import clock as real
from muniment import doctor
from muniment.domain.audience import is_principal
from muniment.domain.distilled import Distilled, Planned
from muniment.domain.errors import Refused, Usage
from muniment.domain.exports import ExportedRecord, ExportedWiki, Restored
from muniment.domain.model_use import ModelUse
from muniment.domain.times import read_instant
from muniment.domain.values import Receipt, Status
from muniment.gate import audit, grants, policy
from muniment.gate.binding import writing
from muniment.gate.reader import Hearing
from muniment.gate.rights import is_heard
from muniment.jobs import distil, embed, retention
from muniment.jobs.credentials import credential_of
from muniment.jobs.intake import Intake, Stamped, compile_taken, leave_due
from muniment.jobs.lease import present
from muniment.jobs.loop import Work, drain, refresh_statistics, settle, tidy, tidy_meanwhile, work_once
from muniment.jobs.receive import receive
from muniment.jobs.seal import seal_due
from muniment.models.embedding import Embedder
from muniment.models.language import LanguageModel
from muniment.opening import database_of, embedders_of, language_of, own_key, prepare
from muniment.settings import Settings
from muniment.sources.arrived import Arrived
from muniment.sources.files import Gathering, gather
from muniment.steward import Erased, Refusal, Reverted, Source, SourceChange, Steward, stuck
from muniment.steward.sources import TRUSTS
from muniment.store.pool import Connection
from muniment.store.queries import load
from muniment.surroundings import Surroundings
from muniment.view import View

__all__ = [
    "DEFAULT_TENANT",
    "Erased",
    "ExportedRecord",
    "ExportedWiki",
    "Org",
    "Restored",
    "Reverted",
    "Source",
    "SourceChange",
    "Steward",
    "View",
    "open",
]

SQL = load("org")
DEFAULT_TENANT = "default"
LINES_BETWEEN_TIDYING = 300
Progress = Callable[[int], None]


def _unseen(_: int) -> None:
    """Progress that nobody watches."""


def open(  # noqa: A001  # the contract's own word
    where: str | Path,
    tenant: str = DEFAULT_TENANT,
    *,
    clock: Callable[[], datetime] = real.now,
    key: bytes | None = None,
    embedder: Embedder | None = None,
    model: LanguageModel | None = None,
    settings: Settings | None = None,
) -> Org:
    """The organisation in a folder, or one tenant of a PostgreSQL by URL.

    The folder is made if it is absent or empty. Raises NotAnOrg for a folder that holds something else,
    Unavailable where the database cannot be had.
    """
    found = settings or Settings.read()
    with ExitStack() as stack:
        database, local = database_of(str(where), found, stack)
        capabilities = prepare(database)
        own = own_key(database, tenant, key or found.key, clock)
        work = Work(database, tenant, own, clock, real.fresh_salt)
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
        self._untidied = 0  # lines taken in since small segments of the index were last merged

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
        defer: bool = False,
        progress: Progress = _unseen,
    ) -> Receipt:
        """Take in a file or folder: event JSONL, or documents (Markdown, reStructuredText, text, HTML).

        `audience` fills a missing audience and never widens one that is given; without any, only the importer
        may read.
        """
        if trust is not None and trust not in TRUSTS:
            raise Usage(f"trust {trust!r} is unknown: use {', '.join(TRUSTS)}")
        who = self._importer(importer)
        if trust is not None and not self._is_steward(who):
            raise Usage(f"only a steward says how far a source is trusted, and {who!r} is none")
        gathering = Gathering.read(source, kind, who, audience, account)
        return self._receive(gather(Path(path), gathering), who, trust, progress, defer=defer)

    def ingest(
        self,
        events: Iterable[Mapping[str, object]],
        *,
        importer: str | None = None,
        defer: bool = False,
        progress: Progress = _unseen,
    ) -> Receipt:
        """Take in event objects.

        Compiled before it returns, except vectors; `defer` leaves that to `sync` or a worker.
        """
        arrived = (Arrived(event, number, "events") for number, event in enumerate(events, 1))
        return self._receive(arrived, self._importer(importer), None, progress, defer=defer)

    def replay(self, entries: Sequence[int] | None = None, *, importer: str | None = None) -> Receipt:
        """Hand in again what is in quarantine: all as it came, or some entries on the steward's word."""
        desk = self.steward(self._importer(importer))

        def again(refused: Refusal) -> Receipt:
            # On the steward's own word only what they picked; the rest on that of whoever handed it in.
            word = refused.importer if entries is None else desk.principal
            return self._take(refused.arrivals(), word, refused.importer, None, _unseen, defer=False)

        return desk.replay(entries, again)

    def sync(self, *, progress: Progress = _unseen) -> Mapping[str, int]:
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
        """One batch of what is due, vectors once all is compiled; how much was done.

        A worker does it over and over.
        """
        present(self._work)
        seal_due(self._work)
        if done := work_once(self._work) or retention.apply_once(self._work):
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

    def _receive(
        self,
        arrived: Iterable[Arrived],
        importer: str,
        trust: str | None,
        progress: Progress,
        *,
        defer: bool,
    ) -> Receipt:
        return self._take(arrived, importer, importer, trust, progress, defer=defer)

    def _take(
        self,
        arrived: Iterable[Arrived],
        word: str,
        importer: str,
        trust: str | None,
        progress: Progress,
        *,
        defer: bool,
    ) -> Receipt:
        """Take it in on somebody's word; whoever hands it in may be another."""
        work, apply = self._work, leave_due if defer else compile_taken

        def stamp() -> Stamped:
            at = work.clock()

            def intake(conn: Connection) -> Intake:
                who = replace(credential_of(conn, self.tenant, word), importer=importer)
                return Intake(self.tenant, work.key, who, at, work.salts, "import", trust or "default", apply)

            return Stamped(self.tenant, intake)

        def after(lines: int) -> None:
            if self._untidied + lines >= LINES_BETWEEN_TIDYING:
                tidy_meanwhile(work)
            progress(lines)

        receipt, due = receive(self._work.database, stamp, arrived, after)
        self._untidied += len(receipt.items)
        if due and not defer:
            drain(work)
        if self._untidied >= LINES_BETWEEN_TIDYING:
            settle(work)
            self._untidied = 0
        return receipt

    def _importer(self, importer: str | None) -> str:
        who = importer or self.login
        if not is_principal(who):
            raise Usage(f"importer {who!r} names nobody: use user:…, service:… or agent:…")
        return who

    def _is_steward(self, who: str) -> bool:
        with writing(self._work.database, self.tenant) as conn:
            return policy.is_steward(conn, self.tenant, who)

    # ── taking it elsewhere ──

    def export(
        self, folder: str | Path, *, principal: str | None = None, progress: Progress = _unseen
    ) -> ExportedWiki:
        """The wiki as one principal sees it, as Markdown; `steward(…).export` writes the whole record."""
        return self.reader(principal or self.login).export(folder, progress=progress)

    def restore(self, folder: str | Path, *, by: str | None = None, progress: Progress = _unseen) -> Restored:
        """Become the organisation whose record a folder holds; this one must hold nothing yet.

        All of it is restored or nothing: same ids, same answers, same audit. Vectors follow at the next sync.
        """
        done = self.steward(by or self.login).bring_in(folder, progress)
        self._work = replace(self._work, key=done.key)
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
        """Whether an id, alias or e-mail means one principal here.

        For a record's owner: it tells who exists.
        """
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
    ) -> View:
        """What one principal may know: by id, alias or e-mail. Times are instants or RFC 3339 text.

        hearers: everyone who will hear the result; rights are the intersection.
        """
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

    def size(self) -> int:
        """Bytes the whole database takes on disk, all organisations of it together."""
        with writing(self._work.database, self.tenant) as conn:
            row = conn.execute(SQL["size"], {"tenant": self.tenant}).fetchone()
        return 0 if row is None else int(row[0])

    def doctor(self) -> list[doctor.Check]:
        """Whether the installation, the database and the record are sound, and what to do where not."""
        status = self.steward(self.login).status()
        return doctor.examine(self._work, self._surroundings, status)
