"""Where an organisation's server keeps its files, and the marker that says which folder is one."""

from __future__ import annotations

import json
import os
import re
import stat
import tempfile
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from muniment.domain.errors import Malformed, NotAnOrg, Unavailable
from muniment.store.accounts import Account

__all__ = ["HIDDEN", "Home", "Marker", "find_marker", "make_home", "make_private", "publish", "socket_folder"]

HIDDEN: Final = ".muniment"
_FORMAT: Final = 1
_MARKER: Final = "org.json"
_DRAFT: Final = "creating.json"
# sun_path holds 108 bytes with its closing zero; the server adds "/.s.PGSQL.5432".
_LONGEST_SOCKET_FOLDER: Final = 107 - len("/.s.PGSQL.5432")


@dataclass(frozen=True, slots=True)
class Marker:
    """What the org folder says about its server: an id, and for root where the files are and who runs it."""

    server: str
    home: str | None
    account: str

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[0-9a-f]{16}", self.server):
            raise ValueError("a server id is 16 hexadecimal digits, since it becomes part of paths")


@dataclass(frozen=True, slots=True)
class Home:
    """The folder of one server's files. Its account owns only `pgdata` and the socket folder."""

    folder: Path
    root: Path
    server: str
    account: Account

    @property
    def pgdata(self) -> Path:
        return self.root / "pgdata"

    @property
    def socket(self) -> Path:
        return self.root / "socket"

    @property
    def log(self) -> Path:
        return self.root / "log"

    @property
    def start_lock(self) -> Path:
        return self.root / "start.lock"

    @property
    def users_lock(self) -> Path:
        return self.root / "users.lock"


def find_marker(folder: Path, *, draft: bool = False) -> Marker | None:
    """The marker of an org folder; None where the folder is not one (yet)."""
    path = folder / HIDDEN / (_DRAFT if draft else _MARKER)
    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except UnicodeDecodeError:
        raise _damaged(path) from None
    return _parsed(path, text)


def _parsed(path: Path, text: str) -> Marker:
    try:
        match json.loads(text):
            case {"format": int(version)} if version > _FORMAT:
                raise Malformed(
                    f"{str(path)!r} has format {version!r}, and this muniment knows {_FORMAT}: upgrade "
                    "muniment"
                )
            case {"format": 1, "server": str(server), "home": str() | None as home, "account": str(account)}:
                return Marker(server, home, account)
            case _:
                raise _damaged(path)
    except ValueError:
        raise _damaged(path) from None


def _damaged(path: Path) -> NotAnOrg:
    return NotAnOrg(f"{str(path)!r} is damaged: restore it, or the whole folder, from a backup")


def publish(folder: Path, marker: Marker, *, draft: bool = False) -> None:
    """Write the marker so that after a crash it is there whole or not at all."""
    hidden = folder / HIDDEN
    fd, name = tempfile.mkstemp(dir=hidden)
    with os.fdopen(fd, "w", encoding="utf-8") as file:
        file.write(json.dumps({"format": _FORMAT, **asdict(marker)}) + "\n")
        file.flush()
        os.fsync(file.fileno())
    Path(name).rename(hidden / (_DRAFT if draft else _MARKER))
    if not draft:
        (hidden / _DRAFT).unlink(missing_ok=True)
    _sync_folder(hidden)


def _sync_folder(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def make_home(home: Home) -> None:
    """Make the server's folder, which its account may enter and not change, and those it owns."""
    home.root.mkdir(mode=0o700, exist_ok=True)
    if home.account.uid != os.geteuid():
        os.chown(home.root, -1, home.account.gid)
        home.root.chmod(0o710)
    make_private(home.pgdata, home.account)
    make_private(home.socket, home.account)


def make_private(path: Path, account: Account) -> None:
    """Make a folder only `account` may enter; one that is there already must be exactly so.

    Everything after the first step is done on the opened folder, so a link put in its place changes nothing.
    """
    with suppress(FileExistsError):
        path.mkdir(mode=0o700)
    fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        if os.geteuid() == 0 and os.fstat(fd).st_uid == 0:
            os.fchown(fd, account.uid, account.gid)
        found = os.fstat(fd)
    finally:
        os.close(fd)
    if found.st_uid != account.uid or stat.S_IMODE(found.st_mode) & 0o077:
        raise Unavailable(
            f"folder {str(path)!r} is not private to {account.name!r}: "
            "remove it or restore its owner and mode 0700"
        )


def socket_folder(home: Home, runtime_dir: Path | None) -> Path:
    """The folder of the server's socket: in its home, or in a runtime folder where the path would not do."""
    if _fits(home.socket):
        return home.socket
    parent = runtime_dir or _runtime_dir(home.account)
    shared = parent.stat().st_mode
    if shared & stat.S_IWOTH and not shared & stat.S_ISVTX:
        raise Unavailable(f"everyone may replace folders in {str(parent)!r}: name a private runtime folder")
    path = parent / f"muniment-{home.server}"
    if not _fits(path):
        raise Unavailable(
            f"the socket path {str(path)!r} is too long or has a comma in it: name a shorter runtime folder"
        )
    make_private(path, home.account)
    return path


def _fits(path: Path) -> bool:
    # A comma or a double quote would end the path in libpq's and the server's lists of hosts and folders.
    text = str(path)
    return (
        text.isprintable() and not set(text) & {",", '"'} and len(os.fsencode(text)) <= _LONGEST_SOCKET_FOLDER
    )


def _runtime_dir(account: Account) -> Path:
    own = Path(f"/run/user/{account.uid}")
    if own.is_dir() and os.access(own, os.W_OK):
        return own
    return Path(tempfile.gettempdir())
