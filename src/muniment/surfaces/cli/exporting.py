"""Commands that take the record elsewhere: export, import."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from muniment.domain.errors import Usage
from muniment.surfaces.cli.answers import moment
from muniment.surfaces.cli.everywhere import Call
from muniment.surfaces.cli.exits import Exit
from muniment.surfaces.cli.opening import desk, opened, reading
from muniment.surfaces.cli.out import Line, Look, counted, give, one_line
from muniment.surfaces.cli.progress import progress

if TYPE_CHECKING:
    from muniment.app import ExportedRecord, ExportedWiki, Restored

__all__ = ["export", "import_"]


def export(
    call: Call,
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="DIR", help="A new or empty folder, or that of an earlier export.", show_default=False
        ),
    ],
    *,
    record: Annotated[
        bool, typer.Option("--record", help="Write the whole record, for muniment import. For stewards.")
    ] = False,
    with_key: Annotated[
        bool, typer.Option("--with-key", help="With --record: its key too. Keep that folder like the key.")
    ] = False,
) -> int:
    """Write the wiki as you see it into a folder: Markdown for git, Obsidian and agents, and JSONL.

    A later export into the same folder changes only the files that have changed. What is erased later
    stays in what was exported before.
    """
    if with_key and not record:
        raise Usage("--with-key goes with --record; the wiki holds no key")
    if record:
        return _export_record(call, folder, with_key=with_key)
    with reading(call) as view, progress("pages", quiet=call.json) as seen:
        found = view.export(folder, progress=seen)
    give(found, _wiki(found), as_json=call.json)
    return Exit.DONE


def _export_record(call: Call, folder: Path, *, with_key: bool) -> int:
    if call.as_of or call.known_at or call.agent or call.hearers:
        raise Usage(
            "--record is the whole record at all times; leave --as-of, --known-at, --agent, --hearers out"
        )
    with desk(call) as steward, progress("rows", quiet=call.json) as seen:
        found = steward.export(folder, with_key=with_key, progress=seen)
    give(found, _record(found), as_json=call.json)
    return Exit.DONE


def import_(
    call: Call,
    folder: Annotated[
        Path,
        typer.Argument(metavar="DIR", help="What muniment export --record wrote.", show_default=False),
    ],
) -> int:
    """Make a new organisation the one whose record was exported: same ids, answers and audit.

    All of it or nothing. Its key comes with the record, where that was exported --with-key, or in
    MUNIMENT_KEY.
    """
    with opened(call) as org, progress("rows", quiet=call.json) as seen:
        found = org.restore(folder, by=call.asker, progress=seen)
    give(found, _restored(found), as_json=call.json)
    return Exit.DONE


def _wiki(found: ExportedWiki) -> Iterator[Line]:
    yield Line(
        f"{one_line(found.folder)}: {counted(found.pages, 'page')}, {counted(found.claims, 'claim')}, "
        f"as of {moment(found.as_of)}"
    )
    yield Line(
        f"{counted(found.written, 'file')} written, {found.unchanged:,} unchanged, {found.removed:,} removed",
        Look.FAINT,
    )


def _record(found: ExportedRecord) -> Iterator[Line]:
    yield Line(
        f"{one_line(found.folder)}: {counted(found.rows, 'row')} of {found.tables} tables, "
        f"{found.bytes:,} bytes"
    )
    if found.with_key:
        yield Line("its key is in it: whoever has this folder has the organisation", Look.ALERT)
    else:
        yield Line("its key is not in it: import needs the same MUNIMENT_KEY, or an export --with-key")


def _restored(found: Restored) -> Iterator[Line]:
    yield Line(
        f"restored {counted(found.rows, 'row')}, and made items, claims and index anew from "
        f"{counted(found.keys, 'key')}"
    )
    yield Line(f"stewards: {', '.join(map(one_line, found.stewards)) or 'none'}")
    yield Line(
        "muniment audit verify looks whether its audit is whole; muniment sync makes vectors", Look.FAINT
    )
