"""One PostgreSQL server process: found, started, stopped. The caller holds the lock that makes this safe."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from psycopg import pq
from psycopg.conninfo import make_conninfo

from muniment.domain.errors import Unavailable
from muniment.store.accounts import start_as
from muniment.store.binaries import Binaries
from muniment.store.cluster import app_conninfo
from muniment.store.places import Home

__all__ = ["Running", "find", "start", "stop"]

_POLL: Final = 0.002
_RECOVERY: Final = 300.0
_ORPHANS: Final = 15.0
_FAST: Final = 60.0
_IMMEDIATE: Final = 10.0
_LOG_LIMIT: Final = 4 * 1024 * 1024
# Backends of a killed server take a moment to notice; until then its shared memory is theirs.
_PASSING: Final = ("pre-existing shared memory block", "lock file")
_PROC: Final = Path("/proc")

# Servers this process started, so that one that has died is reaped rather than left as a zombie.
_children: dict[int, subprocess.Popen[bytes]] = {}


@dataclass(frozen=True, slots=True)
class Running:
    """A server that accepts connections in its socket folder. No pid: it runs where we cannot signal it."""

    pid: int | None
    sockets: Path


@dataclass(frozen=True, slots=True)
class _PidFile:
    pid: int
    sockets: Path
    status: str


def find(home: Home) -> Running | None:
    """The server of this home, once it is ready; None if there is none, or once it has finished stopping."""
    noted = _pid_file(home)
    if noted is None:
        return None
    if not _is_ours(noted.pid, home):
        return Running(None, noted.sockets) if _answers(noted.sockets) else None
    if noted.status == "stopping":
        _until(lambda: not _is_ours(noted.pid, home), _FAST)
        return None
    return _ready(noted.pid, home)


def start(home: Home, binaries: Binaries, settings: Path) -> Running:
    """Start the server and wait until it accepts connections, through crash recovery if need be."""
    deadline = time.monotonic() + _ORPHANS
    while True:
        begun = _log_size(home)
        child = _spawn(home, binaries, settings)
        running = _ready(child.pid, home)
        if running is not None:
            return running
        reason = _reason(home, begun)
        if not any(words in reason for words in _PASSING) or time.monotonic() > deadline:
            raise Unavailable(
                f"the database of {str(home.folder)!r} did not start: {reason} (log: {str(home.log)!r})"
            )
        time.sleep(_POLL * 10)


def stop(home: Home) -> None:
    """Stop the server of this home, if there is one we may signal, leaving its files consistent."""
    noted = _pid_file(home)
    if noted is None or not _is_ours(noted.pid, home):
        return
    # Told to stop while it recovers from the death of one of its own, PostgreSQL 18 ends the recovery and
    # then waits for a checkpointer that nobody told: it would take all our patience.
    _until(lambda: not (_is_ours(noted.pid, home) and _turns_away(noted.sockets)), _FAST)
    for sign, patience in ((signal.SIGINT, _FAST), (signal.SIGQUIT, _IMMEDIATE)):
        with suppress(ProcessLookupError):
            os.kill(noted.pid, sign)
        if _until(lambda: not _is_ours(noted.pid, home), patience):
            break
    else:
        raise Unavailable(
            f"the server {noted.pid!r} of {str(home.folder)!r} does not stop; see {str(home.log)!r}"
        )
    if noted.sockets != home.socket:
        with suppress(OSError):
            noted.sockets.rmdir()


def _spawn(home: Home, binaries: Binaries, settings: Path) -> subprocess.Popen[bytes]:
    log = _open_log(home)
    command = [binaries["postgres"], "-D", str(home.pgdata), "-c", f"config_file={settings}"]
    try:
        child = start_as(home.account, command, output=log, env=_environment(home))
    finally:
        os.close(log)
    _children[child.pid] = child
    return child


def _environment(home: Home) -> dict[str, str]:
    noted = _pid_file(home)
    base = {"LC_ALL": "C", "TZ": "UTC"}
    # After a reboot a stale pid may be some other process's. We know it is not our server; the server takes
    # our word for it in this variable (pg_ctl's own way), and still makes sure that nobody uses its shared
    # memory.
    return base if noted is None else {**base, "PG_GRANDPARENT_PID": str(noted.pid)}


def _ready(pid: int, home: Home) -> Running | None:
    """Wait for a starting server; None when it ended instead."""

    def settled() -> bool:
        noted = _pid_file(home)
        return (noted is not None and noted.pid == pid and noted.status == "ready") or not _alive(pid, home)

    if not _until(settled, _RECOVERY):
        raise Unavailable(
            f"the database of {str(home.folder)!r} is still recovering after "
            f"{_RECOVERY:.0f} s; "
            f"wait and try again (log: {str(home.log)!r})"
        )
    noted = _pid_file(home)
    if noted is None or noted.pid != pid or not _alive(pid, home):
        return None
    return Running(pid, noted.sockets)


def _until(reached: Callable[[], bool], patience: float) -> bool:
    deadline = time.monotonic() + patience
    while not reached():
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL)
    return True


def _pid_file(home: Home) -> _PidFile | None:
    """What the server noted about itself. Its folder is its own to write: follow no links out of it."""
    try:
        fd = os.open(home.pgdata / "postmaster.pid", os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    with os.fdopen(fd, "rb") as file:
        lines = os.fsdecode(file.read(8192)).split("\n")
    if len(lines) < 5 or not lines[0].isdecimal() or not lines[4]:
        return None
    return _PidFile(int(lines[0]), Path(lines[4]), lines[7].strip() if len(lines) > 7 else "")


def _alive(pid: int, home: Home) -> bool:
    child = _children.get(pid)
    if child is None:
        return _is_ours(pid, home)
    if child.poll() is None:
        return True
    del _children[pid]
    return False


def _is_ours(pid: int, home: Home) -> bool:
    """Whether that process is this home's server: run by its account, in its data folder, and not a zombie.

    A pid file can outlive its server, and pids are used again.
    """
    if (child := _children.get(pid)) is not None and child.poll() is not None:
        del _children[pid]
    try:
        if _PROC.joinpath("self").exists():
            owner = (_PROC / str(pid)).stat().st_uid
            return (
                owner == home.account.uid and (_PROC / str(pid) / "cwd").readlink() == home.pgdata.resolve()
            )
        os.kill(pid, 0)
    except OSError:
        return False
    return True


def _answers(sockets: Path) -> bool:
    """Whether a server listens, seen or not: it may run in another container on the same folder."""
    with suppress(OSError), socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(5)
        probe.connect(str(sockets / ".s.PGSQL.5432"))
        return True
    return False


def _turns_away(sockets: Path) -> bool:
    """Whether a server is there and lets nobody in yet, or any more."""
    asked = make_conninfo(app_conninfo(sockets), connect_timeout=5)
    return pq.PGconn.ping(asked.encode()) == pq.Ping.REJECT


def _open_log(home: Home) -> int:
    if _log_size(home) > _LOG_LIMIT:
        home.log.rename(home.log.with_suffix(".old"))
    return os.open(home.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)


def _log_size(home: Home) -> int:
    try:
        return home.log.stat().st_size
    except FileNotFoundError:
        return 0


def _reason(home: Home, begun: int) -> str:
    """The line of this start's log that says why: the last fatal one, else the last."""
    try:
        with home.log.open("rb") as file:
            file.seek(begun)
            lines = file.read(65536).decode(errors="replace").strip().splitlines()
    except FileNotFoundError:
        lines = []
    fatal = [line for line in lines if "FATAL:" in line or "PANIC:" in line]
    said = (fatal or lines or ["the server said nothing"])[-1]
    return said.partition("FATAL:")[2].strip() or said.strip()
