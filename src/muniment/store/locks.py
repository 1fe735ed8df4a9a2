"""Advisory file locks that end with their holder, however it ends, and behave across `fork`."""

from __future__ import annotations

import fcntl
import os
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from muniment.domain.errors import Unavailable

__all__ = ["FileLock"]

_PATIENCE: Final = 120.0
_POLL: Final = 0.002

# flock belongs to the open file, which a forked child shares: a child that unlocked or merely outlived its
# parent would change the parent's lock. So every open lock is known here, and none is opened in the middle of
# a fork.
_guard = threading.Lock()
_open: dict[int, FileLock] = {}


class FileLock:
    """A lock on one file, shared or exclusive; the kernel drops it when the process dies."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._shared = False
        self._spare: int | None = None
        self._fd = self._opened()

    def _opened(self) -> int:
        with _guard:
            fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
            _open[fd] = self
        return fd

    def share(self) -> None:
        """Hold the lock beside other sharers."""
        self._wait(fcntl.LOCK_SH)
        self._shared = True

    def hold(self) -> None:
        """Hold the lock alone."""
        self._wait(fcntl.LOCK_EX)

    def try_hold(self) -> bool:
        """Hold the lock alone if nobody else has it; a share held until now is given up either way."""
        self._shared = False
        return self._took(fcntl.LOCK_EX)

    def close(self) -> None:
        """Give the lock up; closing twice is harmless."""
        if _open.pop(self._fd, None) is self:
            os.close(self._fd)

    def _took(self, kind: int) -> bool:
        try:
            fcntl.flock(self._fd, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _wait(self, kind: int) -> None:
        deadline = time.monotonic() + _PATIENCE
        while not self._took(kind):
            if time.monotonic() > deadline:
                raise Unavailable(
                    f"{str(self._path)!r} has been locked by another process for "
                    f"{_PATIENCE:.0f} s; "
                    "see whether one hangs while it starts or stops the server"
                )
            time.sleep(_POLL)

    def before_fork(self) -> None:
        """Open a share for the child to be, so that there is no moment in which it has none."""
        if self._shared:
            with suppress(OSError):
                self._spare = os.open(self._path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
                fcntl.flock(self._spare, fcntl.LOCK_SH | fcntl.LOCK_NB)

    def after_fork_in_parent(self) -> None:
        """Leave the child's share to the child."""
        spare, self._spare = self._spare, None
        if spare is not None:
            os.close(spare)

    def after_fork_in_child(self) -> None:
        """Let go of the parent's lock without touching it, and take the share that was opened for us."""
        inherited, spare, self._spare = self._fd, self._spare, None
        _open.pop(inherited, None)
        os.close(inherited)
        if spare is not None:
            self._fd = spare
            _open[spare] = self


def _before_fork() -> None:
    _guard.acquire()
    for lock in list(_open.values()):
        lock.before_fork()


def _after_fork_in_parent() -> None:
    for lock in list(_open.values()):
        lock.after_fork_in_parent()
    _guard.release()


def _after_fork_in_child() -> None:
    for lock in list(_open.values()):
        lock.after_fork_in_child()
    _guard.release()


os.register_at_fork(
    before=_before_fork, after_in_parent=_after_fork_in_parent, after_in_child=_after_fork_in_child
)
