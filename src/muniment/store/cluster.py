"""Making a database cluster and keeping its settings: private, quiet about content, sized to the machine."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

import psycopg
from psycopg.conninfo import make_conninfo

from muniment.domain.errors import Malformed, Unavailable
from muniment.store import queries, roles
from muniment.store.accounts import caller, start_as
from muniment.store.binaries import Binaries
from muniment.store.places import Home

__all__ = ["app_conninfo", "equip", "furnish", "initialise", "major_of", "write_settings"]

_DATABASE: Final = "muniment"
_APP: Final = "muniment"
_SUPERUSER: Final = "postgres"
_MB: Final = 1024 * 1024
_SHARED_MEMORY: Final = Path("/dev/shm")  # noqa: S108  # where Linux has it; nothing is written there by us

# Nothing of content may reach the log: no statements, no parameters, no row in an error's detail. An error's
# own words can quote a value too ("invalid input syntax … 'value'"), so errors go to the client only; what is
# logged is the server's own life.
_SETTINGS: Final = """\
# Written by muniment at each start; changes made here are lost.
listen_addresses = ''
unix_socket_permissions = 0700
log_min_messages = log
log_min_error_statement = panic
log_error_verbosity = terse
log_statement = 'none'
log_min_duration_statement = -1
log_min_duration_sample = -1
log_duration = off
log_parameter_max_length = 0
log_parameter_max_length_on_error = 0
log_lock_waits = off
log_temp_files = -1
log_autovacuum_min_duration = -1
log_checkpoints = off
log_connections = off
log_disconnections = off
log_timezone = 'UTC'
timezone = 'UTC'
fsync = on
full_page_writes = on
synchronous_commit = on
restart_after_crash = on
max_connections = 60
huge_pages = off
jit = off
random_page_cost = 1.1
work_mem = '16MB'
min_wal_size = '80MB'
max_wal_size = '2GB'
wal_compression = on
wal_recycle = off
checkpoint_timeout = '15min'
autovacuum_naptime = '15s'
"""


def initialise(home: Home, binaries: Binaries, folder: Path) -> None:
    """Make the cluster in an empty folder of the home, flushed to disk."""
    with tempfile.TemporaryFile() as output:
        command = [binaries["initdb"], "--pgdata", str(folder), *_initdb_options(binaries.major)]
        status = start_as(
            home.account, command, output=output.fileno(), env={"LC_ALL": "C", "TZ": "UTC"}
        ).wait()
        output.seek(0)
        said = output.read().decode(errors="replace").strip().splitlines()
    if status != 0:
        why = _reason(said)
        raise Unavailable(f"could not make a database in {str(home.pgdata)!r}: {why}")


def _reason(said: list[str]) -> str:
    worst = [line for line in said if re.search(r"\b(FATAL|PANIC|error|[Ee]rror while loading)\b", line)]
    return (worst or said or ["no reason given"])[-1].strip()


def _initdb_options(major: int) -> list[str]:
    # Code point order and Unicode letters, the same on every machine. Debian's initdb has no provider of its
    # own before 17; glibc and musl have C.UTF-8, others only C.
    locale = "C.UTF-8" if sys.platform == "linux" else "C"
    provider = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"] if major >= 17 else []
    return [
        "--username",
        _SUPERUSER,
        "--encoding=UTF8",
        f"--locale={locale}",
        *provider,
        "--data-checksums",
        "--auth-local=peer",
        "--auth-host=reject",
        "--no-instructions",
    ]


def major_of(home: Home) -> int:
    """The major version of the cluster's files."""
    path = home.pgdata / "PG_VERSION"
    try:
        return int(path.read_text(encoding="ascii").strip())
    except FileNotFoundError:
        raise Unavailable(
            f"the database of {str(home.folder)!r} is not in {str(home.pgdata)!r}: bring "
            "that folder back, "
            "or restore a backup"
        ) from None
    except ValueError:
        raise Malformed(f"{str(path)!r} is damaged: restore the folder from a backup") from None


def write_settings(home: Home, sockets: Path) -> Path:
    """Write the server's settings and who may connect; the server can read these files and not change them.

    Only this account, which owns the folder or is root, may connect, as the kernel tells the server (peer).
    """
    name = caller().name.replace('"', '""')
    _write(home, "pg_hba.conf", "local all all peer map=org\nlocal replication all peer map=org\n")
    _write(home, "pg_ident.conf", f'org "{name}" {_SUPERUSER}\norg "{name}" {_APP}\n')
    lines = [
        f"hba_file = {_quoted(home.root / 'pg_hba.conf')}",
        f"ident_file = {_quoted(home.root / 'pg_ident.conf')}",
        "unix_socket_directories = " + _quoted(f'"{sockets}"'),
        *_sized(_memory(), os.cpu_count() or 1),
    ]
    return _write(home, "postgresql.conf", _SETTINGS + "\n".join(lines) + "\n")


def _write(home: Home, name: str, text: str) -> Path:
    path = home.root / name
    fd, draft = tempfile.mkstemp(dir=home.root)
    with os.fdopen(fd, "wb") as file:
        file.write(os.fsencode(text))
        if home.account.uid != os.geteuid():
            os.fchown(fd, -1, home.account.gid)
            os.fchmod(fd, 0o640)
    Path(draft).rename(path)
    return path


def _quoted(value: object) -> str:
    text = str(value).replace("\\", "\\\\").replace("'", "''").replace("\n", "\\n")
    return f"'{text}'"


def _sized(memory: int, cores: int) -> list[str]:
    """Settings for a machine shared with its user's other work: an eighth of memory, up to 1 GB."""
    shared = min(max(memory // 8, 64 * _MB), 1024 * _MB)
    upkeep = min(max(memory // 32, 32 * _MB), 512 * _MB)
    return [
        f"shared_buffers = '{shared // _MB}MB'",
        f"maintenance_work_mem = '{upkeep // _MB}MB'",
        f"effective_cache_size = '{max(memory // 2, 128 * _MB) // _MB}MB'",
        f"max_parallel_workers_per_gather = {min(cores // 2, 2)}",
        f"max_parallel_maintenance_workers = {min(cores // 2, 2)}",
        f"dynamic_shared_memory_type = {'posix' if _roomy(_SHARED_MEMORY) else 'mmap'}",
    ]


def _memory() -> int:
    """Bytes this machine, or the container we are in, may use."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    with suppress(OSError, ValueError):
        memory = min(memory, int(Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii")))
    return memory


def _roomy(shm: Path) -> bool:
    # Containers often have 64 MB there, and a parallel query that outgrows it fails.
    with suppress(OSError):
        found = os.statvfs(shm)
        return found.f_bavail * found.f_frsize >= 512 * _MB
    return False


def app_conninfo(sockets: Path) -> str:
    """How the program connects: an ordinary user that owns the database and may become one of our roles."""
    return make_conninfo(host=str(sockets), port=5432, user=_APP, dbname=_DATABASE)


def _admin_conninfo(sockets: Path, database: str) -> str:
    return make_conninfo(host=str(sockets), port=5432, user=_SUPERUSER, dbname=database)


def furnish(sockets: Path) -> None:
    """Give a new cluster its database and roles."""
    sql = queries.load("store")
    # Renaming takes 1 ms where copying a template takes 50 to 170.
    with psycopg.connect(_admin_conninfo(sockets, "template1"), autocommit=True) as conn:
        for name in ("rename_first_database", "create_app_user", "give_database", "close_database"):
            conn.execute(sql[name])
    with psycopg.connect(_admin_conninfo(sockets, _DATABASE)) as conn:
        roles.ensure(conn, _APP)
        for name in ("may_leave_log_behind", "may_switch_log"):
            conn.execute(sql[name])


def equip(sockets: Path) -> None:
    """Install pgvector, or the version these programs bring, which takes a superuser."""
    sql = queries.load("store")
    with psycopg.connect(_admin_conninfo(sockets, _DATABASE)) as conn:
        match conn.execute(sql["vector_versions"]).fetchone():
            case (str(), None):
                conn.execute(sql["create_vector"])
            case (str(default), str(installed)) if default != installed:
                conn.execute(sql["update_vector"])
            case _:
                pass
