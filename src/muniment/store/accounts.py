"""Which operating-system account runs the server: the caller, or for root one without privileges."""

from __future__ import annotations

import logging
import os
import pwd
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from muniment.domain.errors import Unavailable
from muniment.store.locks import FileLock

__all__ = ["Account", "caller", "named", "server_account", "start_as"]

_NAME: Final = "muniment"
_FALLBACK: Final = "nobody"
# Root's own folders, so that nobody else can hold the lock.
_RUN: Final = (Path("/run"), Path("/var/run"))
_ADDING: Final = "muniment-account.lock"
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Account:
    """An operating-system account, by name and number."""

    name: str
    uid: int
    gid: int


def caller() -> Account:
    """The account of this process, which PostgreSQL will recognise by name on its socket."""
    uid = os.geteuid()
    try:
        entry = pwd.getpwuid(uid)
    except KeyError:
        raise Unavailable(
            f"no account has the user id {uid!r}, and PostgreSQL needs one with a name: "
            "add it to "
            "/etc/passwd, or set MUNIMENT_DATABASE_URL"
        ) from None
    return Account(entry.pw_name, uid, os.getegid())


def named(name: str) -> Account:
    """The account of that name."""
    account = _find(name)
    if account is None:
        raise Unavailable(
            f"the account {name!r} that runs the server is gone; create it again (useradd --system {name})"
        )
    return account


def server_account() -> Account:
    """The account a new server runs under: the caller's, but never root's, which PostgreSQL refuses."""
    if os.geteuid() != 0:
        return caller()
    return _find(_NAME) or _added() or _fallback()


def start_as(
    account: Account, command: list[str], *, output: int, env: dict[str, str]
) -> subprocess.Popen[bytes]:
    """Start a program as `account`, away from the caller's terminal and with nothing of its environment.

    An environment holds keys, and a server needs none of ours.
    """
    other = account.uid != os.geteuid()
    return subprocess.Popen(
        command,
        user=account.uid if other else None,
        group=account.gid if other else None,
        extra_groups=[] if other else None,
        cwd="/",
        umask=0o077,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


def _find(name: str) -> Account | None:
    try:
        entry = pwd.getpwnam(name)
    except KeyError:
        return None
    if entry.pw_uid == 0:
        raise Unavailable(
            f"the account {name!r} is root by another name, and PostgreSQL refuses to run as root; rename it"
        )
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)


def _added() -> Account | None:
    useradd = shutil.which("useradd", path="/usr/sbin:/sbin:/usr/bin:/bin")
    if useradd is None:
        return None
    with _adding_alone():
        return _find(_NAME) or _added_by(useradd)


@contextmanager
def _adding_alone() -> Generator[None, None, None]:
    """One of our processes at a time: of two useradds for one name the second changes the number it has."""
    folder = next(path for path in _RUN if path.is_dir())
    lock = FileLock(folder / _ADDING)
    try:
        lock.hold()
        yield
    finally:
        lock.close()


def _added_by(useradd: str) -> Account | None:
    command = [
        useradd,
        "--system",
        "--user-group",
        "--no-create-home",
        "--home-dir",
        "/nonexistent",
        "--shell",
        "/usr/sbin/nologin",
        _NAME,
    ]
    done = subprocess.run(command, check=False, capture_output=True, text=True, env={"LC_ALL": "C"})
    if (account := _find(_NAME)) is None:
        _log.warning("useradd could not add %r: %s", _NAME, done.stderr.strip())
    return account


def _fallback() -> Account:
    account = _find(_FALLBACK)
    if account is None:
        raise Unavailable(
            f"root cannot run PostgreSQL: {_NAME!r} could not be added as an account for it, "
            f"and there is no {_FALLBACK!r}; add {_NAME!r} by hand"
        )
    _log.warning(
        "the server runs as %r, which other services may share, because %r could not be added; "
        "add that account before making an organisation of consequence",
        _FALLBACK,
        _NAME,
    )
    return account
