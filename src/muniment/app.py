"""The composition root: the only place that knows every concrete class."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Self

from muniment import clock as real
from muniment import doctor
from muniment.domain.audience import is_principal
from muniment.domain.errors import Malformed, NotAnOrg, Refused, Usage
from muniment.domain.record import Moment
from muniment.domain.times import parse_day_or_instant
from muniment.domain.values import Receipt, Status
from muniment.events.rights import Credential
from muniment.gate import grants, policy
from muniment.gate.binding import writing
from muniment.gate.reader import Hearing
from muniment.jobs import embed
from muniment.jobs.intake import Intake, compile_taken, leave_due
from muniment.jobs.lease import present
from muniment.jobs.loop import Work, drain, refresh_statistics, tidy, work_once
from muniment.jobs.receive import receive
from muniment.models.embedding import Embedder
from muniment.models.nano import find_embedder
from muniment.settings import Settings
from muniment.sources.arrived import Arrived
from muniment.sources.files import Gathering, gather
from muniment.steward import Refusal, Steward, stuck
from muniment.store import embedded
from muniment.store.migrate import Capabilities, migrate
from muniment.store.pool import Database
from muniment.store.queries import load
from muniment.view import Surroundings, View

__all__ = ["DEFAULT_TENANT", "Org", "Steward", "View", "open"]

SQL = load("org")
DEFAULT_TENANT = "default"
LINES_BETWEEN_TIDYING = 300
# What an importer may say of a source; `approved` only a decision gives.
TRUSTS = ("external_document", "external_tool", "internal_tool", "member", "system_of_record")
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
    settings: Settings | None = None,
) -> Org:
    """The organisation in a folder, or one tenant of a PostgreSQL by URL.

    The folder is made if it is absent or empty. Raises NotAnOrg for a folder that holds something else,
    Unavailable where the database cannot be had.
    """
    found = settings or Settings.read()
    with ExitStack() as stack:
        database, local = _database(str(where), found, stack)
        capabilities = _prepare(database)
        org = Org(
            Work(
                database, tenant, _own_key(database, tenant, key or found.key, clock), clock, real.fresh_salt
            ),
            Surroundings(embedder if embedder is not None else find_embedder(found.embedder), capabilities),
            login=f"user:{found.login}",
            local=local,
        )
        org.welcome(org.login)
        org.hold(stack.pop_all())
    return org


def _database(where: str, settings: Settings, stack: ExitStack) -> tuple[Database, bool]:
    """The database, and whether it is a folder of this machine, whose owner may speak for anyone."""
    if where.startswith(("postgresql://", "postgres://")):
        return stack.enter_context(Database.connect(where)), False
    folder = Path(where)
    if settings.database_url is not None:
        return stack.enter_context(Database.connect(settings.database_url)), False
    make = embedded.attach if embedded.is_org(folder) else _create
    lease = make(
        folder, state_dir=settings.state_dir, binaries=settings.pg_bin, runtime_dir=settings.runtime_dir
    )
    stack.enter_context(lease)
    return stack.enter_context(Database.connect(lease.dsn)), True


def _create(
    folder: Path, *, state_dir: Path | None, binaries: Path | None, runtime_dir: Path | None
) -> embedded.Lease:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise NotAnOrg(
            f"folder {str(folder)!r} is not empty and holds no organisation; name a new or an empty one"
        )
    return embedded.create(folder, state_dir=state_dir, binaries=binaries, runtime_dir=runtime_dir)


def _prepare(database: Database) -> Capabilities:
    with database.session() as conn:
        return migrate(conn)


def _own_key(database: Database, tenant: str, given: bytes | None, clock: Callable[[], datetime]) -> bytes:
    """The organisation's key: the one given, else the one made with it."""
    with writing(database, tenant) as conn:
        made = None if given is not None else real.fresh_salt() + real.fresh_salt()
        conn.execute(SQL["make_org"], {"tenant": tenant, "key": made, "now": clock()})
        row = conn.execute(SQL["org_key"], {"tenant": tenant}).fetchone()
    stored = None if row is None else row[0]
    if given is not None:
        return given
    if stored is None:
        raise Malformed(f"organisation {tenant!r} was made with a key of your own; set MUNIMENT_KEY to it")
    return bytes(stored)


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
        if trust is not None and not self._credential(who).steward:
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
            who = replace(self._credential(word), importer=refused.importer)
            return self._take(refused.arrivals(), who, None, _unseen, defer=False)

        return desk.replay(entries, again)

    def sync(self, *, progress: Progress = _unseen) -> Mapping[str, int]:
        """Work until nothing is due, vectors included.

        What is dead or pending is reported, never waited for.
        """
        done = drain(self._work, seen=progress)
        embedder = self._surroundings.embedder
        vectors = 0
        if embedder is not None and self._surroundings.capabilities.vectors:
            while count := embed.embed_due(self._work, embedder, limit=embed.BATCH):
                vectors += count
                progress(done + vectors)
        dead, pending = stuck(self._work)
        return {"compiled": done, "vectors": vectors, "dead": dead, "pending_audience": pending}

    def work(self) -> int:
        """One batch of what is due, vectors once all is compiled; how much was done.

        A worker does it over and over.
        """
        present(self._work)
        if done := work_once(self._work):
            return done
        embedder = self._surroundings.embedder
        if embedder is None or not self._surroundings.capabilities.vectors:
            return 0
        return embed.embed_due(self._work, embedder)

    def _receive(
        self,
        arrived: Iterable[Arrived],
        importer: str,
        trust: str | None,
        progress: Progress,
        *,
        defer: bool,
    ) -> Receipt:
        return self._take(arrived, self._credential(importer), trust, progress, defer=defer)

    def _take(
        self,
        arrived: Iterable[Arrived],
        credential: Credential,
        trust: str | None,
        progress: Progress,
        *,
        defer: bool,
    ) -> Receipt:
        def stamp() -> Intake:
            at = self._work.clock()
            apply = leave_due if defer else compile_taken
            return Intake(
                self.tenant,
                self._work.key,
                credential,
                at,
                self._work.salts,
                "import",
                trust or "default",
                apply,
            )

        def after(lines: int) -> None:
            # A few lines leave a few small segments, which the next larger import or a worker merges.
            if lines >= LINES_BETWEEN_TIDYING:
                tidy(self._work)
            progress(lines)

        receipt = receive(self._work.database, stamp, arrived, after)
        if not defer:
            drain(self._work)
        if len(receipt.items) >= LINES_BETWEEN_TIDYING:
            refresh_statistics(self._work)
        return receipt

    def _importer(self, importer: str | None) -> str:
        who = importer or self.login
        if not is_principal(who):
            raise Usage(f"importer {who!r} names nobody: use user:…, service:… or agent:…")
        return who

    def _credential(self, importer: str) -> Credential:
        with writing(self._work.database, self.tenant) as conn:
            steward = policy.is_steward(conn, self.tenant, importer)
            sources = conn.execute(SQL["sources"], {"tenant": self.tenant}).fetchall()
        foreign = frozenset(source for source, fed_by, _ in sources if fed_by != importer and not steward)
        return Credential(importer, steward, foreign, frozenset(row[0] for row in sources if row[2]))

    # ── who is who ──

    def welcome(self, principal: str) -> None:
        """Make whoever made the organisation a full member and steward, once.

        A later removal is not undone.
        """
        with writing(self._work.database, self.tenant) as conn:
            if conn.execute(SQL["has_members"], {"tenant": self.tenant}).fetchone() == (False,):
                grants.add_member(conn, self.tenant, principal, self._work.clock())
                grants.grant_role(conn, self.tenant, principal, "steward", principal, self._work.clock())

    def knows(self, name: str) -> bool:
        """Whether an id, alias or e-mail means one principal here.

        For a record's owner: it tells who exists.
        """
        with writing(self._work.database, self.tenant) as conn:
            return policy.find_principal(conn, self.tenant, name) is not None

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
        now = self._work.clock()
        moment = Moment(now, _instant("as_of", as_of) or now, _instant("known_at", known_at))
        return View(self._work, self._surroundings, Hearing(principal, tuple(hearers), agent), moment)

    def steward(self, principal: str) -> Steward:
        """The desk of someone who may run the record; Refused for anyone else."""
        with writing(self._work.database, self.tenant) as conn:
            found = policy.find_principal(conn, self.tenant, principal)
            if found is None or not policy.is_steward(conn, self.tenant, found):
                raise Refused(f"{principal!r} is no steward of this organisation")
        embedder = self._surroundings.embedder
        return Steward(self._work, found, None if embedder is None else embedder.name)

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
        return doctor.examine(
            self._work, self._surroundings.embedder, self._surroundings.capabilities, status
        )


def _instant(name: str, said: datetime | str | None) -> datetime | None:
    if said is None:
        return None
    if isinstance(said, datetime):
        if said.tzinfo is None:
            raise Usage(f"{name} {said.isoformat()!r} has no zone")
        return said
    try:
        return parse_day_or_instant(said)
    except ValueError as error:
        raise Usage(f"{name}: {error}") from None
