"""Bringing a database to the schema this version of the program knows."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

import psycopg
from psycopg import sql

from muniment.domain.errors import Malformed, NotAnOrg
from muniment.domain.regex import regex
from muniment.store import queries, roles
from muniment.store.pool import Connection

__all__ = ["Capabilities", "Part", "make_room", "migrate", "note_versions", "parts", "versions"]

_VECTOR: Final = (0, 7)
_FILE: Final = regex(r"(\d{4})_[a-z0-9_]+\.sql")


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What this database can do beyond the least we need, and why not more."""

    vectors: bool
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the schema: today's whole of it, and the numbered steps that led older databases here.

    Version 1 is the first release's whole. Its text is kept as step 0001 from the day there is a step 0002,
    so that a test can walk the whole way.
    """

    name: str
    whole: str
    steps: tuple[tuple[int, str], ...]

    @property
    def version(self) -> int:
        return max([1, *(number for number, _ in self.steps)])


def migrate(conn: Connection, source: Traversable | None = None) -> Capabilities:
    """Make the schema on an empty database, else run the steps it lacks, each in its own transaction.

    `conn` must not be inside a transaction. It need not be a superuser's.
    """
    core, vectors = parts(source or files("muniment") / "sql")
    with _autocommit(conn):
        with conn.transaction():
            _locked(conn)
            roles.ensure(conn, conn.info.user)
        _advance(conn, core)
        if vectors is None:
            return Capabilities(vectors=False, why="this version of muniment has no vectors")
        why = _vectors_missing(conn)
        if why is None:
            _advance(conn, vectors)
    return Capabilities(vectors=why is None, why=why)


def make_room(conn: Connection) -> Capabilities:
    """Everything a schema rests on, in a database that is about to be given one: roles and extensions."""
    statements = queries.load("store")
    with _autocommit(conn):
        with conn.transaction():
            _locked(conn)
            roles.ensure(conn, conn.info.user)
            conn.execute(sql.SQL("set local role {}").format(sql.Identifier(roles.OWNER)))
            conn.execute(statements["create_gist"])
        why = _vectors_missing(conn)
    return Capabilities(vectors=why is None, why=why)


def note_versions(conn: Connection, found: Mapping[str, int]) -> None:
    """Note which versions the schema is of that was brought in, in the owner's transaction."""
    statements = queries.load("store")
    conn.execute(statements["create_schema_version"])
    for part, number in found.items():
        conn.execute(statements["record_schema_version"], {"part": part, "version": number})


def versions() -> dict[str, int]:
    """The version of each part of the schema that this muniment knows."""
    return {part.name: part.version for part in parts(files("muniment") / "sql") if part is not None}


def parts(source: Traversable) -> tuple[Part, Part | None]:
    """The schema's two parts, as shipped: the core, and what needs pgvector."""
    core = _part(source, "core", "schema.sql", "migrations")
    if core is None:
        raise FileNotFoundError("schema.sql is missing from this installation; install muniment again")
    return core, _part(source, "vectors", "vectors.sql", "migrations_vectors")


def _part(source: Traversable, name: str, whole: str, folder: str) -> Part | None:
    path = source / whole
    if not path.is_file():
        return None
    return Part(name, path.read_text(encoding="utf-8"), tuple(sorted(_steps(source / folder))))


def _steps(folder: Traversable) -> Iterator[tuple[int, str]]:
    if not folder.is_dir():
        return
    for file in folder.iterdir():
        if file.name.endswith(".sql"):
            if (match := _FILE.fullmatch(file.name)) is None:
                raise ValueError(f"migration {file.name!r} is not named NNNN_lowercase_words.sql")
            yield int(match[1]), file.read_text(encoding="utf-8")


@contextmanager
def _autocommit(conn: Connection) -> Generator[None, None, None]:
    before = conn.autocommit
    conn.autocommit = True
    try:
        yield
    finally:
        conn.autocommit = before


def _advance(conn: Connection, part: Part) -> None:
    while _step(conn, part):
        pass


def _step(conn: Connection, part: Part) -> bool:
    """Take one step if there is one to take. The lock is the transaction's, so two processes take turns."""
    with conn.transaction():
        _locked(conn)
        conn.execute(sql.SQL("set local role {}").format(sql.Identifier(roles.OWNER)))
        found = _version(conn, part)
        if found == part.version:
            return False
        if found is not None and found > part.version:
            raise Malformed(
                f"database {conn.info.dbname!r} has version {found} of the {part.name} "
                "schema, and this "
                f"muniment knows {part.version}: upgrade muniment"
            )
        number, text = _next(part, found)
        _run(conn, text, f"{part.name} {number:04d}")
        _record(conn, part, number)
    return True


def _next(part: Part, found: int | None) -> tuple[int, str]:
    if found is None:
        return part.version, part.whole
    return next(step for step in part.steps if step[0] > found)


def _run(conn: Connection, text: str, name: str) -> None:
    try:
        # As bytes: shipped statements, many at once, without parameters.
        conn.execute(text.encode())
    except (psycopg.errors.DuplicateTable, psycopg.errors.DuplicateObject) as error:
        raise NotAnOrg(
            f"database {conn.info.dbname!r} already holds other things "
            f"({error.diag.message_primary}): "
            "give muniment a database of its own"
        ) from error
    except psycopg.Error as error:
        error.add_note(f"while applying {name}")
        raise


def _locked(conn: Connection) -> None:
    conn.execute(queries.load("store")["take_migration_lock"])


def _version(conn: Connection, part: Part) -> int | None:
    """The version of that part here; None where it has not been made."""
    statements = queries.load("store")
    row = conn.execute(statements["has_schema"]).fetchone()
    if row is None or not row[0]:
        return None
    latest = conn.execute(statements["schema_version_of"], {"part": part.name}).fetchone()
    return None if latest is None else latest[0]


def _record(conn: Connection, part: Part, version: int) -> None:
    statements = queries.load("store")
    conn.execute(statements["create_schema_version"])
    conn.execute(statements["record_schema_version"], {"part": part.name, "version": version})


def _vectors_missing(conn: Connection) -> str | None:
    """Why there can be no vectors here; None once pgvector is installed in a version that will do."""
    if not _offered(conn):
        return "pgvector is not installed on this server"
    if (refused := _create_vector(conn)) is not None:
        return refused
    row = conn.execute(queries.load("store")["vector_versions"]).fetchone()
    installed = None if row is None else row[1]
    if installed is None or _numbers(installed) < _VECTOR:
        return f"pgvector {installed!r} is older than 0.7; run: alter extension vector update"
    return None


def _offered(conn: Connection) -> bool:
    return conn.execute(queries.load("store")["vector_versions"]).fetchone() is not None


def _create_vector(conn: Connection) -> str | None:
    """Install pgvector if it is not there; the reason if we may not."""
    try:
        with conn.transaction():
            conn.execute(queries.load("store")["create_vector"])
    except psycopg.errors.InsufficientPrivilege:
        return (
            f"user {conn.info.user!r} may not install pgvector; have a superuser run: create extension vector"
        )
    return None


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version))
