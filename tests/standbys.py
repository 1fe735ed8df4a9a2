"""A PostgreSQL that follows another by streaming, made of the embedded server's own programs."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from muniment.store import binaries as programs
from muniment.store import embedded
from muniment.store.accounts import Account, caller, start_as
from muniment.store.binaries import Binaries
from muniment.store.migrate import migrate
from tests.places import until
from tests.servers import hurry

_SETTINGS = """\
listen_addresses = ''
unix_socket_permissions = 0700
max_connections = 60
shared_buffers = 64MB
fsync = off
huge_pages = off
dynamic_shared_memory_type = mmap
wal_retrieve_retry_interval = 100ms
max_standby_streaming_delay = 5s
hot_standby_feedback = on
wal_receiver_status_interval = 1s
"""


def url_of(dsn: str) -> str:
    """A connection string as a URL, as somebody with a PostgreSQL of their own would give it."""
    known = conninfo_to_dict(dsn)
    named = known.pop("dbname")
    return f"postgresql:///{named}?{urlencode({key: str(value) for key, value in known.items()})}"


@dataclass
class Server:
    """A running PostgreSQL: where it listens, and its process if we started it ourselves."""

    dsn: str
    folder: Path
    account: Account
    binaries: Binaries

    @property
    def url(self) -> str:
        return url_of(self.dsn)

    def told(self, statement: str, **values: object) -> Any:
        """What its superuser is told for one statement."""
        with psycopg.connect(self.dsn, user="postgres", autocommit=True) as conn:
            found = conn.execute(statement.encode(), values)
            row = found.fetchone() if found.description else None
        return None if row is None else row[0]

    @property
    def log(self) -> Path:
        return self.folder.parent / f"{self.folder.name}.log"

    def start(self) -> None:
        """Start it, and return once it takes connections."""
        with self.log.open("ab") as log:
            command = [self.binaries["postgres"], "-D", str(self.folder)]
            self._child = start_as(self.account, command, output=log.fileno(), env={"LC_ALL": "C"})
        until(self.answers)

    def answers(self) -> bool:
        try:
            psycopg.connect(self.dsn).close()
        except psycopg.OperationalError:
            return False
        return True

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End it: SIGINT as an administrator would, SIGQUIT as a machine that goes away does."""
        if self._child.poll() is None:
            os.kill(self._child.pid, how)
            self._child.wait()

    def pause(self) -> None:
        """Receive, but show nothing of it."""
        self.told("select pg_wal_replay_pause()")
        until(lambda: self.told("select pg_get_wal_replay_pause_state()") == "paused")

    def resume(self) -> None:
        self.told("select pg_wal_replay_resume()")

    def promote(self) -> None:
        """Make it a primary of its own."""
        # Not waited for inside the statement, whose snapshot replay might have to wait for.
        self.told("select pg_promote(false)")
        until(lambda: self.told("select pg_is_in_recovery()") is False)

    def follow(self, primary: Server | None) -> None:
        """Be fed by that one from now on, and have all it has; or by nobody."""
        source = "" if primary is None else make_conninfo(primary.dsn, user="postgres", dbname="")
        self.told(f"alter system set primary_conninfo = '{_quoted(source)}'")
        self.told("select pg_reload_conf()")
        if primary is None:
            until(lambda: self.told("select count(*) from pg_stat_wal_receiver") == 0)
        else:
            until(lambda: self.follows(primary))

    def follows(self, primary: Server) -> bool:
        """Whether it streams, and shows all that the primary has."""
        at = primary.told("select pg_current_wal_flush_lsn()")
        shows = self.told(
            "select coalesce(pg_last_wal_replay_lsn() >= %(at)s::pg_lsn, false)"
            " and exists (select from pg_stat_wal_receiver where status = 'streaming')",
            at=at,
        )
        return shows is True


@contextmanager
def primary(base: Path) -> Iterator[Server]:
    """A primary with the schema, which a server of the same account may follow."""
    found = programs.find(None)
    with embedded.create(base / "acme", state_dir=base / "state") as lease:
        hurry(lease.dsn)
        home = lease._home
        with psycopg.connect(lease.dsn) as conn:
            migrate(conn)
        server = Server(
            lease.dsn, home.pgdata, home.account, programs.reachable(found, home.account, base / "state")
        )
        with (home.root / "pg_ident.conf").open("a", encoding="utf-8") as names:
            names.write(f'org "{home.account.name}" postgres\n')
        server.told("grant pg_read_all_stats to muniment with inherit true")
        server.told("select pg_reload_conf()")
        yield server


@contextmanager
def following(leader: Server, folder: Path) -> Iterator[Server]:
    """A standby of that server in this folder, which must not be there yet."""
    sockets = folder.parent / f"{folder.name}.sockets"
    sockets.mkdir(mode=0o700)
    source = make_conninfo(leader.dsn, user="postgres", dbname="")
    copy = [leader.binaries["pg_basebackup"], "-D", str(folder), "-d", source, "-c", "fast", "-X", "stream"]
    subprocess.run(copy, check=True, capture_output=True)
    _settle(folder, sockets, source, leader.account)
    dsn = make_conninfo(leader.dsn, host=str(sockets))
    server = Server(dsn, folder, leader.account, leader.binaries)
    try:
        server.start()
        until(lambda: server.follows(leader))
        yield server
    finally:
        server.stop(signal.SIGQUIT)
        shutil.rmtree(folder)


def _settle(folder: Path, sockets: Path, source: str, account: Account) -> None:
    """Its own settings; whoever might connect to the leader may connect here."""
    (folder / "postgresql.conf").write_text(
        f"{_SETTINGS}unix_socket_directories = '{sockets}'\nprimary_conninfo = '{_quoted(source)}'\n"
    )
    (folder / "pg_hba.conf").write_text("local all all peer map=org\nlocal replication all peer map=org\n")
    people = "".join(f'org "{one}" postgres\norg "{one}" muniment\n' for one in {account.name, caller().name})
    (folder / "pg_ident.conf").write_text(people)
    (folder / "standby.signal").touch()
    if account.uid != os.geteuid():
        for path in (sockets, folder, *folder.rglob("*")):
            os.chown(path, account.uid, account.gid, follow_symlinks=False)


def _quoted(text: str) -> str:
    return text.replace("'", "''")
