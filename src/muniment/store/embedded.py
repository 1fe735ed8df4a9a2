"""An organisation's own PostgreSQL in its folder: started by who comes first, stopped by who leaves last."""

from __future__ import annotations

import atexit
import errno
import os
import secrets
import shutil
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, Self

import psycopg

from muniment.domain.errors import NotAnOrg, Unavailable
from muniment.store import binaries as programs
from muniment.store import cluster, server
from muniment.store.accounts import Account, caller, named, server_account
from muniment.store.binaries import Binaries
from muniment.store.locks import FileLock
from muniment.store.places import (
    HIDDEN,
    Home,
    Marker,
    find_marker,
    make_home,
    make_private,
    publish,
    socket_folder,
)
from muniment.store.server import Running

__all__ = ["Lease", "attach", "create", "discard", "is_org", "settle", "stop"]

_STATE: Final = Path("/var/lib/muniment")
_CREATE_LOCK: Final = "create.lock"
_ADVICE: Final = {
    errno.ENOSPC: "free some disk space",
    errno.EDQUOT: "free some of your disk quota",
    errno.EACCES: "run as the account the folder belongs to",
    errno.EPERM: "run as the account the folder belongs to",
    errno.EROFS: "the file system is read-only; choose another folder",
}
_leases: set[Lease] = set()


class Lease:
    """A share in a running server, which stays up at least until the lease is released.

    A forked child has a share of its own. A process that dies without releasing loses its share, and the next
    one to come or go finds the server where it was.
    """

    def __init__(self, home: Home, users: FileLock, dsn: str) -> None:
        self.dsn = dsn
        self._home = home
        self._users: FileLock | None = users
        _leases.add(self)

    def release(self) -> None:
        """Give the share up, and stop the server if nobody else has one. Releasing twice is harmless."""
        users, self._users = self._users, None
        _leases.discard(self)
        if users is None:
            return
        with ExitStack() as stack, _clearly(self._home.folder):
            stack.callback(users.close)
            # A folder that was removed meanwhile takes its server with it: that watches its own files.
            if self._home.root.exists():
                stack.enter_context(_alone(self._home.start_lock))
                if users.try_hold():
                    server.stop(self._home)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


@atexit.register
def _release_all() -> None:
    for lease in list(_leases):
        lease.release()


def is_org(folder: Path) -> bool:
    """Whether the folder holds an organisation, finished and whole enough to be asked."""
    with _clearly(folder):
        return find_marker(folder) is not None


def attach(
    folder: Path,
    *,
    state_dir: Path | None = None,
    binaries: Path | None = None,
    runtime_dir: Path | None = None,
) -> Lease:
    """A share in the organisation's server, started if it is not running.

    `state_dir` is where root's servers keep their files, `binaries` the folder of PostgreSQL's programs,
    `runtime_dir` a short path for sockets; each has a default.
    """
    folder = folder.absolute()
    with _clearly(folder):
        home = _home(folder, state_dir or _STATE)
        return _shared(
            home, lambda: server.find(home) or _start(home, state_dir or _STATE, binaries, runtime_dir)
        )


def create(
    folder: Path,
    *,
    state_dir: Path | None = None,
    binaries: Path | None = None,
    runtime_dir: Path | None = None,
) -> Lease:
    """A new organisation's server, in a folder that is absent or empty.

    Of two processes that create the same one at once, one does and both get a share.
    """
    folder, state = folder.absolute(), state_dir or _STATE
    with _clearly(folder):
        account = server_account()
        found = _usable(programs.find(binaries), account, state)
        _claim(folder)
        with _alone(folder / HIDDEN / _CREATE_LOCK):
            if not is_org(folder):
                marker = _draft(folder, account, state)
                home = _home_of(folder, marker, account)
                lease = _shared(home, lambda: _build(home, found, runtime_dir))
                publish(folder, marker)
                return lease
    return attach(folder, state_dir=state_dir, binaries=binaries, runtime_dir=runtime_dir)


def stop(folder: Path) -> None:
    """Stop the organisation's server whoever still uses it; the next one to come starts it again."""
    folder = folder.absolute()
    with _clearly(folder):
        home = _home(folder, _STATE)
        with _alone(home.start_lock):
            server.stop(home)


def settle(draft: Path, folder: Path) -> None:
    """Move a whole organisation that nobody uses into the folder it was made for, in one step."""
    with _clearly(folder):
        (draft / HIDDEN).rename(folder / HIDDEN)
        draft.rmdir()


def discard(folder: Path) -> None:
    """Take away an organisation that was not finished, with its server's files wherever they are."""
    with _clearly(folder):
        marker = find_marker(folder) or find_marker(folder, draft=True)
        if marker is not None:
            home = _home_of(folder, marker, named(marker.account) if marker.home else caller())
            server.stop(home)
            shutil.rmtree(home.root, ignore_errors=True)
        shutil.rmtree(folder, ignore_errors=True)


def _home(folder: Path, state: Path) -> Home:
    """Where the organisation's server keeps its files."""
    marker = find_marker(folder)
    if marker is None:
        raise NotAnOrg(f"folder {str(folder)!r} holds no organisation; make one with: muniment init {folder}")
    owner = (folder / HIDDEN).stat().st_uid
    if owner != os.geteuid():
        raise Unavailable(
            f"organisation {str(folder)!r} belongs to user id {owner}, and this is "
            f"{os.geteuid()}: "
            "run as its owner"
        )
    home = _home_of(folder, marker, named(marker.account) if marker.home else caller())
    if marker.home and not home.root.is_dir() and (moved := state / marker.server).is_dir():
        home = Home(folder, moved, marker.server, home.account)
    if not home.root.is_dir():
        raise Unavailable(
            f"the database of {str(folder)!r} is not in {str(home.root)!r}: bring that "
            "folder back, "
            "or restore a backup"
        )
    return home


def _home_of(folder: Path, marker: Marker, account: Account) -> Home:
    root = Path(marker.home) if marker.home else folder / HIDDEN
    return Home(folder, root, marker.server, account)


def _claim(folder: Path) -> None:
    """Take an absent or empty folder for ours; refuse one with anything else in it."""
    if folder.exists() and not folder.is_dir():
        raise NotAnOrg(f"{str(folder)!r} is not a folder; name one that is absent or empty")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    hidden = folder / HIDDEN
    others = [path.name for path in folder.iterdir() if path != hidden]
    if not hidden.exists() and others:
        raise NotAnOrg(
            f"folder {str(folder)!r} is not empty (it holds {others[0]!r}) and holds no "
            "organisation; "
            "name an empty folder"
        )
    hidden.mkdir(mode=0o700, exist_ok=True)
    if any(hidden.iterdir()) and not (hidden / _CREATE_LOCK).exists():
        raise NotAnOrg(f"folder {str(hidden)!r} was not made by muniment, or is damaged: name another folder")


def _draft(folder: Path, account: Account, state: Path) -> Marker:
    """The marker of the organisation to be, or the one an interrupted attempt left."""
    marker = find_marker(folder, draft=True)
    if marker is None:
        server_id = secrets.token_hex(8)
        apart = account.uid != os.geteuid()
        marker = Marker(server_id, str(state.absolute() / server_id) if apart else None, account.name)
        publish(folder, marker, draft=True)
    home = _home_of(folder, marker, account)
    if marker.home:
        _make_state(home.root.parent)
    make_home(home)
    return marker


def _make_state(state: Path) -> None:
    """Root's folder of servers: to be walked through, not to be looked into."""
    if not state.is_dir():
        state.mkdir(mode=0o711, parents=True)
        state.chmod(0o711)


def _build(home: Home, found: Binaries, runtime_dir: Path | None) -> Running:
    """Make the cluster from nothing; whatever an interrupted attempt left is not worth keeping."""
    server.stop(home)
    # Made beside its place and moved there whole: an initdb that outlives its killed maker writes elsewhere.
    made = home.root / f"{home.pgdata.name}.{secrets.token_hex(4)}"
    make_private(made, home.account)
    cluster.initialise(home, found, made)
    shutil.rmtree(home.pgdata)
    made.rename(home.pgdata)
    for left in home.root.glob(f"{home.pgdata.name}.*"):
        shutil.rmtree(left, ignore_errors=True)
    running = server.start(home, found, cluster.write_settings(home, socket_folder(home, runtime_dir)))
    with ExitStack() as undo:
        undo.callback(server.stop, home)
        cluster.furnish(running.sockets)
        cluster.equip(running.sockets)
        undo.pop_all()
    return running


def _start(home: Home, state: Path, explicit: Path | None, runtime_dir: Path | None) -> Running:
    found = _usable(programs.find(explicit, major=cluster.major_of(home)), home.account, state)
    running = server.start(home, found, cluster.write_settings(home, socket_folder(home, runtime_dir)))
    cluster.equip(running.sockets)
    return running


def _usable(found: Binaries, account: Account, state: Path) -> Binaries:
    if account.uid != os.geteuid():
        _make_state(state)
    return programs.reachable(found, account, state)


def _shared(home: Home, running: Callable[[], Running]) -> Lease:
    """Join the users first, so that nobody stops the server in between, then see that it runs."""
    with ExitStack() as stack:
        stack.enter_context(_alone(home.start_lock))
        users = FileLock(home.users_lock)
        undo = stack.enter_context(ExitStack())
        undo.callback(users.close)
        users.share()
        lease = Lease(home, users, cluster.app_conninfo(running().sockets))
        undo.pop_all()
        return lease


@contextmanager
def _alone(path: Path) -> Generator[None, None, None]:
    lock = FileLock(path)
    try:
        lock.hold()
        yield
    finally:
        lock.close()


@contextmanager
def _clearly(folder: Path) -> Generator[None, None, None]:
    """What the operating system or the server refused becomes one line that names the folder and a remedy."""
    try:
        yield
    except OSError as error:
        advice = _ADVICE.get(error.errno or 0, "check the folder and its disk")
        what = f"{error.strerror} ({error.filename!r})" if error.filename else str(error.strerror)
        raise Unavailable(f"organisation {str(folder)!r}: {what}; {advice}") from error
    except psycopg.Error as error:
        said = str(error).strip().splitlines() or [type(error).__name__]
        raise Unavailable(f"organisation {str(folder)!r}: its database refused: {said[0]}") from error
