"""Migrations: what a database becomes, from nothing or from an older release, and who may do it."""

import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from muniment.domain.errors import Malformed, NotAnOrg, Unavailable
from muniment.store import binaries as programs
from muniment.store import embedded
from muniment.store.migrate import migrate, parts
from muniment.store.pool import Connection, Database

SCHEMA = (
    "create schema if not exists muniment; create table muniment.note (tenant text primary key, body text);"
)
SCHEMA_2 = SCHEMA.replace("body text", "body text, said_at date")
STEP_2 = "alter table muniment.note add said_at date;"
VECTORS = "alter table muniment.note add vector public.halfvec(3);"


class Server:
    """An embedded server with databases to be made and thrown away, as its superuser makes them."""

    def __init__(self, sockets: str) -> None:
        self.sockets = sockets
        self.made = 0

    def conninfo(self, database: str, user: str = "muniment") -> str:
        return make_conninfo(host=self.sockets, dbname=database, user=user)

    def run(self, *statements: sql.Composed, database: str = "template1") -> None:
        with psycopg.connect(self.conninfo(database, "postgres"), autocommit=True) as conn:
            for statement in statements:
                conn.execute(statement)

    def new_database(self) -> str:
        """An empty database that the ordinary user owns."""
        self.made += 1
        name = f"test_{self.made}"
        self.run(sql.SQL("create database {} owner muniment").format(sql.Identifier(name)))
        return name


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    # Not pytest's own folder, which an unprivileged server could not enter.
    with tempfile.TemporaryDirectory() as name:
        base = Path(name)
        base.chmod(0o711)
        with embedded.create(base / "acme", state_dir=base / "state") as lease:
            yield Server(str(conninfo_to_dict(lease.dsn)["host"]))


@pytest.fixture
def conn(server: Server) -> Iterator[Connection]:
    """A connection of the ordinary user to an empty database."""
    with psycopg.connect(server.conninfo(server.new_database())) as connection:
        yield connection


def release(folder: Path, texts: Mapping[str, str]) -> Path:
    """A release's SQL, as it would be shipped."""
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def versions(conn: Connection) -> list[tuple[str, int]]:
    with conn.transaction():
        conn.execute("set local role muniment_owner")
        return conn.execute(
            "select part, version from muniment.schema_version order by part, version"
        ).fetchall()


def dump(server: Server, database: str) -> str:
    """The schema as pg_dump writes it: every object, in an order of its own."""
    command = [programs.find(None)["pg_dump"], "--schema-only", server.conninfo(database, "postgres")]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    # Newer releases guard each dump with a random word.
    return "\n".join(
        line for line in said.splitlines() if not line.startswith(("\\restrict", "\\unrestrict"))
    )


def made_at_once(server: Server, source: Path | None) -> str:
    database = server.new_database()
    with psycopg.connect(server.conninfo(database)) as conn:
        migrate(conn, source)
    return dump(server, database)


def made_step_by_step(server: Server, source: Path | None, older: Path) -> str:
    """What a database of the first release becomes when today's program opens it."""
    core, _ = parts(source or files("muniment") / "sql")
    first = release(older, {"schema.sql": core.steps[0][1] if core.steps else core.whole})
    database = server.new_database()
    with psycopg.connect(server.conninfo(database)) as conn:
        migrate(conn, first)
        migrate(conn, source)
    return dump(server, database)


# ── the whole and the way agree ──


def test_every_step_since_the_first_release_leads_to_todays_schema(server: Server, tmp_path: Path) -> None:
    assert made_step_by_step(server, None, tmp_path) == made_at_once(server, None)


def test_a_step_that_leads_to_the_schema_is_found_right(server: Server, tmp_path: Path) -> None:
    texts = {"schema.sql": SCHEMA_2, "migrations/0001_first.sql": SCHEMA, "migrations/0002_when.sql": STEP_2}
    source = release(tmp_path / "new", texts)

    assert made_step_by_step(server, source, tmp_path / "old") == made_at_once(server, source)


def test_a_step_that_leads_elsewhere_is_found_wrong(server: Server, tmp_path: Path) -> None:
    step = STEP_2.replace("date", "timestamptz")
    texts = {"schema.sql": SCHEMA_2, "migrations/0001_first.sql": SCHEMA, "migrations/0002_when.sql": step}
    source = release(tmp_path / "new", texts)

    assert made_step_by_step(server, source, tmp_path / "old") != made_at_once(server, source)


def test_steps_are_numbered_from_the_first_release_without_a_gap() -> None:
    core, _ = parts(files("muniment") / "sql")

    assert [number for number, _ in core.steps] == list(range(1, len(core.steps) + 1))


# ── what migrate does ──


def test_migrating_again_changes_nothing(conn: Connection) -> None:
    first = migrate(conn)
    before = versions(conn)

    assert migrate(conn) == first
    assert versions(conn) == before


def test_an_older_database_takes_the_steps_it_lacks_in_order(conn: Connection, tmp_path: Path) -> None:
    migrate(conn, release(tmp_path / "1", {"schema.sql": SCHEMA}))
    steps = {
        "migrations/0001_first.sql": SCHEMA,
        "migrations/0002_when.sql": STEP_2,
        "migrations/0003_since.sql": "alter table muniment.note rename said_at to since;",
    }

    migrate(
        conn,
        release(
            tmp_path / "3", {"schema.sql": SCHEMA.replace("body text", "body text, since date"), **steps}
        ),
    )

    assert versions(conn) == [("core", 1), ("core", 2), ("core", 3)]


def test_a_step_that_fails_leaves_the_version_before_it(conn: Connection, tmp_path: Path) -> None:
    migrate(conn, release(tmp_path / "1", {"schema.sql": SCHEMA}))
    steps = {"migrations/0002_when.sql": STEP_2, "migrations/0003_bad.sql": STEP_2 + "select 1 / 0;"}

    with pytest.raises(psycopg.Error) as failure:
        migrate(conn, release(tmp_path / "3", {"schema.sql": SCHEMA, **steps}))

    assert failure.value.__notes__ == ["while applying core 0003"]
    assert versions(conn) == [("core", 1), ("core", 2)]


def test_a_newer_database_is_refused_with_what_to_do(conn: Connection, tmp_path: Path) -> None:
    migrate(conn, release(tmp_path / "2", {"schema.sql": SCHEMA_2, "migrations/0002_when.sql": STEP_2}))

    with pytest.raises(
        Malformed, match="has version 2 of the core schema, and this muniment knows 1: upgrade"
    ):
        migrate(conn, release(tmp_path / "1", {"schema.sql": SCHEMA}))


def test_a_database_that_holds_other_things_is_refused(conn: Connection, tmp_path: Path) -> None:
    conn.execute("create schema muniment create table note (mine text)")
    conn.execute("grant all on schema muniment to muniment_owner")
    conn.commit()

    with pytest.raises(NotAnOrg, match="give muniment a database of its own"):
        migrate(conn, release(tmp_path, {"schema.sql": SCHEMA}))


def test_processes_that_migrate_at_once_make_one_schema(server: Server) -> None:
    database = server.new_database()
    failures: list[Exception] = []

    def run() -> None:
        try:
            with psycopg.connect(server.conninfo(database)) as own:
                migrate(own)
        except psycopg.Error as error:
            failures.append(error)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert failures == []
    with psycopg.connect(server.conninfo(database)) as own:
        assert [version for part, version in versions(own) if part == "core"] == [1]


# ── vectors ──


def test_vectors_are_made_where_pgvector_is(conn: Connection, tmp_path: Path) -> None:
    with psycopg.connect(
        make_conninfo(host=conn.info.host, dbname=conn.info.dbname, user="postgres")
    ) as admin:
        admin.execute("create extension vector")

    able = migrate(conn, release(tmp_path, {"schema.sql": SCHEMA, "vectors.sql": VECTORS}))

    assert (able.vectors, able.why) == (True, None)
    assert ("vectors", 1) in versions(conn)


def test_without_the_right_to_install_pgvector_the_rest_works_and_says_so(
    conn: Connection, tmp_path: Path
) -> None:
    able = migrate(conn, release(tmp_path, {"schema.sql": SCHEMA, "vectors.sql": VECTORS}))

    assert not able.vectors
    assert able.why is not None
    assert "create extension vector" in able.why
    assert versions(conn) == [("core", 1)]


# ── who may ──


def test_a_user_without_rights_is_told_the_statements_to_run(server: Server, tmp_path: Path) -> None:
    source = release(tmp_path, {"schema.sql": SCHEMA})
    name = server.new_database()
    server.run(sql.SQL("alter database {} owner to postgres").format(sql.Identifier(name)))
    with psycopg.connect(server.conninfo(name)) as conn:
        with pytest.raises(Unavailable, match="have an administrator run there: ") as refusal:
            migrate(conn, source)
        statements = str(refusal.value).partition("run there: ")[2]
        assert statements == f'grant create on database "{name}" to "muniment_owner"'

        with psycopg.connect(server.conninfo(name, "postgres")) as admin:
            admin.execute(statements.encode())

        migrate(conn, source)


def test_a_role_that_could_ignore_row_security_is_refused(server: Server, conn: Connection) -> None:
    server.run(sql.SQL("alter role {} bypassrls").format(sql.Identifier("muniment_reader")))
    try:
        with pytest.raises(Malformed, match="'muniment_reader' is a superuser or bypasses row security"):
            migrate(conn)
    finally:
        server.run(sql.SQL("alter role {} nobypassrls").format(sql.Identifier("muniment_reader")))


def test_the_version_table_is_the_owners_alone(conn: Connection) -> None:
    migrate(conn)

    for role in ("muniment_reader", "muniment_writer"):
        with conn.transaction(force_rollback=True):
            conn.execute(sql.SQL("set local role {}").format(sql.Identifier(role)))
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                conn.execute("delete from muniment.schema_version")


# ── the pool ──


def test_a_transaction_acts_as_its_role_and_the_next_does_not(server: Server) -> None:
    with Database.connect(server.conninfo("muniment"), size=1) as database:
        with database.transaction("muniment_reader") as conn:
            conn.execute("set transaction isolation level repeatable read, read only")
            assert conn.execute("select current_user").fetchone() == ("muniment_reader",)
        with database.transaction() as conn:
            assert conn.execute("select current_user").fetchone() == ("muniment",)


def test_a_transaction_that_raises_leaves_nothing(server: Server) -> None:
    with Database.connect(server.conninfo("muniment")) as database:
        with pytest.raises(psycopg.errors.DivisionByZero), database.transaction() as conn:
            _ = conn.execute("create schema never"), conn.execute("select 1 / 0")
        with database.transaction() as conn:
            assert conn.execute("select to_regnamespace('never')").fetchone() == (None,)


def test_an_unreachable_database_is_named_without_its_password(tmp_path: Path) -> None:
    dsn = make_conninfo(host=str(tmp_path), user="ann", password="hunter2", dbname="acme")  # noqa: S106  # a canary

    with Database.connect(dsn) as database, pytest.raises(Unavailable) as refusal, database.transaction():
        pass

    assert f"database 'acme' at {str(tmp_path)!r}" in str(refusal.value)
    assert "hunter2" not in str(refusal.value)


def test_a_url_that_cannot_be_read_is_not_repeated() -> None:
    with pytest.raises(Malformed) as refusal:
        Database.connect("host=x hunter2")

    assert "hunter2" not in str(refusal.value)
    assert refusal.value.__suppress_context__
