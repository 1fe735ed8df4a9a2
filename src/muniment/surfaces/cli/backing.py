"""Commands that keep the record against loss: backup, restore."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from muniment.domain.errors import Malformed, Usage
from muniment.settings import Settings
from muniment.surfaces.cli.answers import moment
from muniment.surfaces.cli.erasing import objects
from muniment.surfaces.cli.everywhere import Call
from muniment.surfaces.cli.exits import Exit
from muniment.surfaces.cli.opening import desk, is_url
from muniment.surfaces.cli.out import Line, Look, counted, give, one_line

if TYPE_CHECKING:
    from muniment.domain.exports import BackedUp, Recovered

__all__ = ["backup", "restore"]

_KEY: Final = {
    "within": (
        "its key is in it: whoever has this folder has the organisation; --key-file keeps the key apart",
        Look.ALERT,
    ),
    "apart": ("its key is not in it: keep the key's file elsewhere, and restore with --key-file", Look.PLAIN),
    "yours": ("your key is not in it: restore with the same MUNIMENT_KEY", Look.PLAIN),
}


def backup(
    call: Call,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty folder.", show_default=False)],
    *,
    key_file: Annotated[
        Path | None,
        typer.Option(
            "--key-file",
            metavar="FILE",
            help="Write the key there, and not into the backup.",
            show_default=False,
        ),
    ] = None,
) -> int:
    """Back the whole record up, while it is in use: everything at one moment, vectors included. For stewards.

    Whoever holds the folder reads everything. What is erased later stays in it: keep what
    muniment erase --list writes beside your backups, and restore with it.
    """
    _refuse_narrowed(call)
    with desk(call) as steward:
        found = steward.backup(folder, programs=Settings.read().pg_bin, key_file=key_file)
    give(found, _backed_up(found), as_json=call.json)
    return Exit.DONE


def restore(
    call: Call,
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="What muniment backup wrote.", show_default=False)
    ],
    place: Annotated[
        str,
        typer.Argument(
            metavar="PLACE",
            help="A new or empty folder, or the URL of an empty PostgreSQL.",
            show_default=False,
        ),
    ],
    *,
    key_file: Annotated[
        Path | None,
        typer.Option(
            "--key-file", metavar="FILE", help="The key, where it was kept apart.", show_default=False
        ),
    ] = None,
    erasures: Annotated[
        Path | None,
        typer.Option(
            "--erasures",
            metavar="FILE",
            help="What muniment erase --list wrote last: all of it is erased again, before this ends.",
            show_default=False,
        ),
    ] = None,
) -> int:
    """Bring a backup back into an empty place: all of it, found to be what it was, or nothing.

    Rows, digests and the audit are compared with what the backup says of itself. Tokens are not in
    a backup: make new ones.
    """
    # What the record knows is not asked for by who only wants help.
    from muniment.recovery import Wanted  # noqa: PLC0415  # the reason above
    from muniment.recovery import restore as restored  # noqa: PLC0415  # the reason above

    _refuse_narrowed(call)
    if call.org is not None or call.tenant is not None:
        raise Usage(
            "restore takes the place as its second argument, and the organisation's name from the backup"
        )
    listed = None if erasures is None else objects(erasures)
    wanted = Wanted(folder, place, _key(key_file), listed, call.asker)
    settings = Settings.read()
    found = restored(wanted, settings if is_url(place) else replace(settings, database_url=None))
    give(found, _recovered(found), as_json=call.json)
    return Exit.DONE


def _refuse_narrowed(call: Call) -> None:
    if call.as_of or call.known_at or call.agent or call.hearers:
        raise Usage(
            "a backup is the whole record at all times; leave --as-of, --known-at, --agent, --hearers out"
        )


def _key(file: Path | None) -> bytes | None:
    if file is None:
        return None
    if not file.is_file():
        raise Usage(f"path {str(file)!r} does not exist; name the file that backup --key-file wrote")
    try:
        return bytes.fromhex(file.read_text(encoding="ascii"))
    except ValueError:
        raise Malformed(f"{str(file)!r} holds no key as backup --key-file writes one") from None


def _backed_up(found: BackedUp) -> Iterator[Line]:
    yield Line(
        f"{one_line(found.folder)}: {counted(found.rows, 'row')} of {found.tables} tables, "
        f"{found.bytes:,} bytes, as of {moment(found.taken_at)}"
    )
    yield Line(*_KEY[found.key])
    yield Line(f"the audit ends at {found.head}; keep that line where nobody can change it", Look.FAINT)


def _recovered(found: Recovered) -> Iterator[Line]:
    yield Line(
        f"restored {counted(found.rows, 'row')} of {found.tables} tables, as of {moment(found.taken_at)}; "
        "rows, digests and audit are what they were"
    )
    if found.erased is None:
        yield Line(
            "what was erased after that is back, unless you erase it again: muniment erase --replay FILE",
            Look.ALERT,
        )
    else:
        yield Line(f"erased again {counted(found.erased, 'item')}, and kept out from now on")
    yield Line("tokens are not in a backup: muniment token create", Look.FAINT)
