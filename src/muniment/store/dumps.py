"""Rows written down by PostgreSQL's own programs, and read back by them into a database that has none."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from muniment.domain.errors import Malformed, Unavailable, Usage
from muniment.store.binaries import Binaries
from muniment.store.pool import Connection
from muniment.store.roles import OWNER, WRITER

__all__ = ["SECTIONS", "Way", "read_dump", "way_to", "write_dump"]

SECTIONS: Final = ("pre-data", "data", "post-data")
_SCHEMA: Final = "muniment"
_SERVICE: Final = "muniment"
# Programs of 17 and later set it even for servers that do not know it.
_UNKNOWN_BEFORE_17: Final = b"SET transaction_timeout = 0;\n"
_PREAMBLE: Final = 40  # lines, within which it stands


@dataclass(frozen=True, slots=True)
class Way:
    """How a program reaches a database: what an open connection went by, its password among it."""

    parameters: Mapping[str, str]
    programs: Binaries


def way_to(conn: Connection, programs: Binaries) -> Way:
    """The way this connection came. Unavailable where these programs are older than its server."""
    server = conn.info.server_version // 10000
    if server > programs.major:
        raise Unavailable(
            f"the server is PostgreSQL {server}, and the programs in {str(programs.folder)!r} are of "
            f"{programs.version}: set MUNIMENT_PG_BIN to those of the server"
        )
    found = {**conn.info.get_parameters(), "password": conn.info.password}
    return Way({name: value for name, value in found.items() if value}, programs)


def write_dump(way: Way, file: Path, tenant: str, snapshot: str, *, empty: Sequence[str]) -> None:
    """Write one organisation's rows, as another transaction's snapshot has them, and the schema around them.

    Row security chooses the rows, so that no right is needed but the writer's. Of `empty` tables the schema
    alone is written; of the list of versions nothing, which is its owner's.
    """
    command = [
        *("--format=custom", f"--schema={_SCHEMA}", "--no-owner", "--enable-row-security"),
        *(f"--role={WRITER}", f"--snapshot={snapshot}", f"--file={file}"),
        f"--exclude-table={_SCHEMA}.schema_version",
        *(f"--exclude-table-data={_SCHEMA}.{table}" for table in empty),
    ]
    with _service(way, {"muniment.tenant": tenant}) as environment, tempfile.TemporaryFile() as said:
        done = subprocess.run(
            [way.programs["pg_dump"], *command], check=False, env=environment, stderr=said, umask=0o077
        )
        if done.returncode != 0:
            raise Unavailable(f"the database could not be written down: {_reason(said)}")


def read_dump(way: Way, file: Path, sections: Sequence[str]) -> None:
    """Read these sections of a dump into the database as the owner's: all of them, or nothing."""
    with (
        _service(way, {"role": OWNER}) as environment,
        tempfile.TemporaryFile() as unread,
        tempfile.TemporaryFile() as refused,
    ):
        script = [way.programs["pg_restore"], "--no-owner", "--file=-"]
        script += [f"--section={section}" for section in sections]
        taker = [way.programs["psql"], "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1"]
        taker += ["--single-transaction", "--file=-"]
        with (
            subprocess.Popen([*script, str(file)], stdout=subprocess.PIPE, stderr=unread, env={}) as source,
            subprocess.Popen(
                taker, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=refused, env=environment
            ) as target,
        ):
            whole = _poured(source, target)
        if not whole:
            raise Malformed(f"dump {str(file)!r} cannot be read: {_reason(unread)}")
        if target.returncode != 0:
            raise Unavailable(f"the database did not take {str(file)!r}: {_reason(refused)}")


def _poured(source: subprocess.Popen[bytes], target: subprocess.Popen[bytes]) -> bool:
    """Whether all of the source was read. A script that broke off is never ended, so that it is not taken."""
    if source.stdout is None or target.stdin is None:
        raise RuntimeError("a program was started without its pipe")
    with suppress(BrokenPipeError):
        for _ in range(_PREAMBLE):
            line = source.stdout.readline()
            if line != _UNKNOWN_BEFORE_17:
                target.stdin.write(line)
        shutil.copyfileobj(source.stdout, target.stdin, 1 << 20)
    source.stdout.close()
    # It is told that its pipe has gone where the other ended first, which is that one's failure.
    whole = source.wait() == 0 or target.poll() is not None
    if not whole:
        target.kill()
    with suppress(BrokenPipeError):
        target.stdin.close()
    target.wait()
    return whole


@contextmanager
def _service(way: Way, settings: Mapping[str, str]) -> Generator[dict[str, str]]:
    """An environment that leads libpq to a private file: a command line is everybody's to read."""
    options = [way.parameters.get("options", "")]
    options += [f"-c {name}={_escaped(value)}" for name, value in settings.items()]
    said = {**way.parameters, "options": " ".join(options).strip()}
    if any("\n" in value for value in said.values()):
        raise Usage("the database URL has a line break in it; write it without")
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "service.conf"
        lines = [f"[{_SERVICE}]", *(f"{key}={value}" for key, value in said.items())]
        file.touch(mode=0o600)
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        yield {"PGSERVICEFILE": str(file), "PGSERVICE": _SERVICE, "LC_ALL": "C"}


def _escaped(value: str) -> str:
    """As an option of the server's own command line takes it."""
    return "".join(f"\\{sign}" if sign.isspace() or sign == "\\" else sign for sign in value)


def _reason(output: IO[bytes]) -> str:
    """What the program said went wrong first. A row it names may be content, so that only errors are told."""
    output.seek(0)
    lines = output.read(65536).decode(errors="replace").splitlines()
    worst = [line for line in lines if "rror:" in line or "ERROR:" in line or "FATAL:" in line]
    return (worst or lines or ["it gave no reason"])[0].strip()
