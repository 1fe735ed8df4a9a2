"""Folders for an embedded server, and other processes that come to them."""

import json
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from muniment.store import binaries as programs
from muniment.store import embedded
from muniment.store.accounts import Account

ROOT = os.geteuid() == 0
# What another process needs to import what this one can.
IMPORTS = os.pathsep.join([str(Path(embedded.__file__).parents[2]), *filter(None, sys.path)])

# A process of its own: opens the folder as the given user, says where the server is, and stays until told.
VISITOR = """
import os, signal, sys
from pathlib import Path
import psycopg
from muniment.store import queries
from muniment.store.embedded import attach, create, is_org

signal.signal(signal.SIGINT, signal.default_int_handler)  # a run in the background has it ignored
queries.load("store")  # while we may still read the interpreter's own folder
uid, gid, folder, state, binaries, last = sys.argv[1:]
if int(uid) != os.geteuid():
    os.setgroups([]); os.setgid(int(gid)); os.setuid(int(uid))
folder, places = Path(folder), {"state_dir": Path(state), "binaries": Path(binaries)}
lease = attach(folder, **places) if is_org(folder) else create(folder, **places)
print(lease.dsn, flush=True)
if last == "fork":
    ready, go = os.pipe()
    if (child := os.fork()) != 0:
        lease.release()
        os.close(go)
        print("released", flush=True)
        sys.stdin.read()
        os.waitpid(child, 0)
        sys.exit()
    os.close(ready)
    sys.stdout = open(os.devnull, "w")
sys.stdin.read()
"""


@dataclass(frozen=True)
class Place:
    """A private parent folder, an organisation's folder in it, and who opens it."""

    folder: Path
    state: Path
    binaries: Path
    account: Account

    @property
    def home(self) -> Path:
        marker = json.loads((self.folder / ".muniment" / "org.json").read_text())
        return Path(marker["home"] or self.folder / ".muniment")

    def lease(self) -> embedded.Lease:
        make = embedded.attach if embedded.is_org(self.folder) else embedded.create
        return make(self.folder, state_dir=self.state, binaries=self.binaries)

    def postmaster(self) -> int:
        return int((self.home / "pgdata" / "postmaster.pid").read_text().split()[0])

    def is_stopped(self) -> bool:
        return not self.is_running()

    def kill_server(self) -> None:
        kill_server(self.postmaster(), self.home / "pgdata")

    def is_running(self) -> bool:
        return (self.home / "pgdata" / "postmaster.pid").exists()


class Visitor:
    """Another process in the organisation's folder."""

    def __init__(self, place: Place, last: str = "") -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", VISITOR, str(place.account.uid), str(place.account.gid), str(place.folder),
             str(place.state), str(place.binaries), last],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={"PYTHONPATH": IMPORTS, "PYTHONDONTWRITEBYTECODE": "1"},
            start_new_session=True,
        )  # fmt: skip

    def said(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def leave(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        assert self.process.wait() == 0

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()


def until(fact: Callable[[], bool]) -> None:
    """Wait for something another process does."""
    deadline = time.monotonic() + 30
    while not fact():
        assert time.monotonic() < deadline, "waited 30 s in vain"
        os.sched_yield()


def serves(pid: int, pgdata: Path) -> bool:
    """Whether that process is the server of that folder, and no zombie."""
    with suppress(FileNotFoundError):
        return Path(f"/proc/{pid}/cwd").readlink() == pgdata
    return False


def kill_server(pid: int, pgdata: Path) -> None:
    """Kill the server of that folder, and see it dead."""
    if serves(pid, pgdata):
        os.kill(pid, signal.SIGKILL)
        until(lambda: not serves(pid, pgdata))


def fast_disk() -> Path | None:
    """Memory, where there is enough of it: most of these tests wait for a disk otherwise."""
    memory = Path("/dev/shm")  # noqa: S108  # a folder of our own is made in it
    return memory if memory.is_dir() and shutil.disk_usage(memory).free > 1 << 30 else None


def a_place(account: Account) -> Iterator[Place]:
    base = Path(tempfile.mkdtemp(prefix="muniment-test-", dir=fast_disk()))
    base.chmod(0o711)
    state, parent = base / "state", base / "private"
    parent.mkdir(mode=0o700)
    state.mkdir(mode=0o711)
    if account.uid != os.geteuid():
        os.chown(parent, account.uid, account.gid)
    found = programs.reachable(programs.find(None), account, state)
    place = Place(parent / "acme", state, found.folder, account)
    yield place
    for pid_file in base.glob("**/postmaster.pid"):
        kill_server(int(pid_file.read_text().split()[0]), pid_file.parent)
    shutil.rmtree(base, ignore_errors=True)


def me() -> Account:
    entry = pwd.getpwuid(os.geteuid())
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)


def nobody() -> Account:
    entry = pwd.getpwnam("nobody")
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)
