"""A backup brought back into an empty place, and believed only once it is found to be what it was.

All of it or nothing: what does not agree with its manifest, by counts, digests and the audit's chain, is
taken away again. What was erased after the backup was made is erased again, where the list of it is given.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from muniment import clock as real
from muniment.domain.errors import Malformed, NotAnOrg, Unavailable, Usage
from muniment.domain.exports import Recovered
from muniment.export.backup import DUMP, Backup, counted, read_backup
from muniment.export.manifest import proof_of
from muniment.gate import audit, chain
from muniment.gate.binding import looking, writing
from muniment.jobs.loop import Work, refresh_statistics
from muniment.settings import Settings
from muniment.steward import Steward
from muniment.store import embedded
from muniment.store.binaries import find
from muniment.store.dumps import read_dump, way_to
from muniment.store.migrate import make_room, migrate, note_versions, versions
from muniment.store.pool import Database
from muniment.store.queries import load
from muniment.store.roles import OWNER

__all__ = ["Wanted", "restore"]

EXPORT: Final = load("export")
STORE: Final = load("store")
_DRAFT: Final = ".restoring"
_FOLDERS_TENANT: Final = "default"


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which backup goes where, under which key, and what is to be erased again.

    `key` is what was kept apart or is yours. `erasures` is what `muniment erase --list` says, object by
    object; `by` the steward on whose word, by default whoever is logged in.
    """

    backup: Path
    place: str
    key: bytes | None = None
    erasures: Sequence[Mapping[str, object]] | None = None
    by: str | None = None


def restore(
    wanted: Wanted, settings: Settings | None = None, clock: Callable[[], datetime] = real.now
) -> Recovered:
    """Bring a backup back. Usage where the place is not empty; Malformed where the backup is not whole."""
    found = settings or Settings.read()
    backup = read_backup(wanted.backup)
    key = _key(backup, wanted.key or found.key)
    _require_known(backup)
    with _place(wanted.place, backup, found) as database:
        work = Work(database, backup.tenant, key, clock, real.fresh_salt)
        _fill(database, wanted.backup / DUMP, backup, key, found)
        with _taken_away_on_failure(database):
            _require_alike(work, backup)
            with database.session() as conn:
                migrate(conn)
            by = wanted.by or f"user:{found.login}"
            _note(work, backup, by)
            erased = None if wanted.erasures is None else _erased(Steward(work, by, None), wanted.erasures)
        refresh_statistics(work)
    head = backup.head.line()
    return Recovered(wanted.place, len(backup.tables), backup.rows, head, backup.taken_at, erased)


def _erased(desk: Steward, listed: Sequence[Mapping[str, object]]) -> int:
    """What the list says is gone again, out of the files too."""
    done = desk.replay_erasures(listed)
    desk.scrub(all_tables=True)
    return done.items


def _key(backup: Backup, given: bytes | None) -> bytes:
    """The key the record was made with, by which the manifest is known to be as it was made."""
    key = given if given is not None else backup.key
    if key is None:
        raise Usage("this backup does not hold its key: set MUNIMENT_KEY, or name the file with --key-file")
    if proof_of(key) != backup.proof:
        raise Usage("this backup was made with another key than the one given in MUNIMENT_KEY or --key-file")
    if backup.sealed(key).seal != backup.seal:
        raise Malformed("the backup's manifest was altered after it was made; use another backup")
    return key


def _require_known(backup: Backup) -> None:
    known = versions()
    for part, number in backup.schema.items():
        if number > known.get(part, 0):
            raise Malformed(
                f"the backup has version {number} of the {part} schema, and this muniment knows "
                f"{known.get(part, 0)}: restore it with {backup.made_by} or later"
            )


@contextmanager
def _place(where: str, backup: Backup, settings: Settings) -> Generator[Database]:
    """An empty database, which stays only if nothing goes wrong."""
    if where.startswith(("postgresql://", "postgres://")):
        with Database.connect(where) as database:
            yield database
        return
    if backup.tenant != _FOLDERS_TENANT:
        raise Usage(
            f"a folder holds one organisation, called {_FOLDERS_TENANT!r}, and this is {backup.tenant!r}: "
            "restore it into a PostgreSQL URL, or take it there with export --record and import"
        )
    with _folder(Path(where).absolute(), settings) as dsn, Database.connect(dsn) as database:
        yield database


@contextmanager
def _folder(folder: Path, settings: Settings) -> Generator[str]:
    """An organisation's server beside its place, moved there whole at the end: until then there is none."""
    _require_empty(folder)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = folder / _DRAFT
    with ExitStack() as undo:
        undo.callback(embedded.discard, draft)
        with embedded.create(
            draft, state_dir=settings.state_dir, binaries=settings.pg_bin, runtime_dir=settings.runtime_dir
        ) as lease:
            yield lease.dsn
        embedded.settle(draft, folder)
        undo.pop_all()


def _require_empty(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise NotAnOrg(f"{str(folder)!r} is no folder; name one that is absent or empty")
    names = sorted(one.name for one in folder.iterdir()) if folder.is_dir() else []
    if _DRAFT in names:
        raise NotAnOrg(
            f"folder {str(folder)!r} holds {_DRAFT!r}, left by a restore that was cut short: remove it"
        )
    if names:
        raise NotAnOrg(f"folder {str(folder)!r} is not empty (it holds {names[0]!r}); name an empty one")


def _fill(database: Database, dump: Path, backup: Backup, key: bytes, settings: Settings) -> None:
    """Tables, the organisation, its rows, and last the note by which it is known for a schema."""
    with database.session() as conn:
        there = conn.execute(STORE["what_is_there"]).fetchone()
        if there is not None:
            raise NotAnOrg(
                f"the database is not empty (it holds {there[0]!r}); give the backup one of its own"
            )
        able = make_room(conn)
        if not able.vectors and "passage_vector" in {one.table for one in backup.tables}:
            raise Unavailable(f"the backup has vectors, and {able.why}; see the how-to on moving a record")
        way = way_to(conn, find(settings.pg_bin))
    read_dump(way, dump, ["pre-data"])
    with _taken_away_on_failure(database):
        stored = key if backup.is_key_stored else None
        values = {"tenant": backup.tenant, "created_at": backup.created_at, "chained_as": backup.chained_as}
        with database.transaction(OWNER) as conn:
            conn.execute(EXPORT["bring_org_back"], {**values, "key": stored, "proof": backup.proof})
        read_dump(way, dump, ["data", "post-data"])
        with database.transaction(OWNER) as conn:
            note_versions(conn, backup.schema)


@contextmanager
def _taken_away_on_failure(database: Database) -> Generator[None]:
    with ExitStack() as undo:
        undo.callback(_take_away, database)
        yield
        undo.pop_all()


def _take_away(database: Database) -> None:
    with database.transaction(OWNER) as conn:
        conn.execute(STORE["drop_everything"])


def _require_alike(work: Work, backup: Backup) -> None:
    """Counts, digests and the audit's chain: each as the manifest says."""
    with looking(work.database, work.tenant) as conn:
        here = {one.table: one for one in counted(conn, work.tenant)}
        for one in backup.tables:
            found = here.get(one.table)
            if found != one:
                rows = 0 if found is None else found.rows
                raise Malformed(
                    f"table {one.table!r} has {rows:,} rows, and not the {one.rows:,} of the backup: "
                    "use another backup"
                )
        report = chain.verify(conn, work.tenant, [backup.head])
    if not report.ok or report.head.hash != backup.head.hash:
        why = report.broken[0].what if report.broken else "it ends elsewhere"
        raise Malformed(f"the audit in the backup is not whole ({why}): use another backup")


def _note(work: Work, backup: Backup, by: str) -> None:
    """The restored record's own audit says that it was, by whom and from when."""
    now = work.clock()
    taken = backup.taken_at.isoformat()
    act = audit.Act(now, by, "restore", "record", {"rows": backup.rows, "taken_at": taken})
    with writing(work.database, work.tenant) as conn:
        audit.record(conn, work.tenant, act, work.salts())
