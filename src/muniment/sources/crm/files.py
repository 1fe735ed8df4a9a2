"""Tables of a CRM in files: HubSpot's, Salesforce's, and any other by a mapping file."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Final

from muniment.domain.errors import Malformed, Usage
from muniment.domain.times import find_zone
from muniment.sources.crm.headers import field_of
from muniment.sources.crm.mapping import Mapped, mapped_events, read_mapping
from muniment.sources.crm.readers import Readers
from muniment.sources.crm.record import ACCOUNT
from muniment.sources.crm.tables import Export, row_events
from muniment.sources.filekind import Handed
from muniment.sources.parsed import Parsed, Unread
from muniment.sources.wire.table import Row, rows

__all__ = [
    "CSV_OPTIONS",
    "VENDOR_OPTIONS",
    "is_hubspot",
    "is_salesforce",
    "read_hubspot",
    "read_mapped",
    "read_salesforce",
]

CSV_OPTIONS: Final = ("mapping", "audiences")
VENDOR_OPTIONS: Final = ("audiences", "timezone", "dates", "object")
MOST_BYTES: Final = 512 * 1024 * 1024
_BEGINNING: Final = 65_536
_SHOWN: Final = 2_000
_OBJECTS: Final = (ACCOUNT, "deal", "contact", "note", "task")
# What Salesforce's own export of data calls its files, one of each object.
_NAMED: Final = {
    "account": ACCOUNT, "opportunity": "deal", "contact": "contact", "task": "task", "event": "task",
    "note": "note", "companies": ACCOUNT, "deals": "deal", "contacts": "contact",
}  # fmt: skip


def is_hubspot(path: Path) -> bool:
    """A table with HubSpot's record id, by whatever language it is named in."""
    return _has(path, {"id"}, but="systemmodstamp") and not is_salesforce(path)


def is_salesforce(path: Path) -> bool:
    """A table with the columns of Salesforce's data, or of its reports."""
    header = _header(path)
    has_stamp = "systemmodstamp" in header
    report = {
        "opportunity id",
        "opportunity-id",
        "id d'opportunité",
        "业务机会 id",
        "account id",
        "account-id",
    }
    return has_stamp or bool(report & header)


def _has(path: Path, wanted: set[str], *, but: str) -> bool:
    header = _header(path)
    named = {field_of(column) for column in header if column != "id"}
    return (
        wanted <= named and bool({"company", "deal", "note", "task", "email"} & named) and but not in header
    )


def _header(path: Path) -> set[str]:
    """The names of the columns; none where it is no table."""
    if path.suffix.lower() != ".csv" or not path.is_file():
        return set()
    try:
        with path.open("rb") as file:
            start = file.read(_BEGINNING).decode("utf-8-sig", "replace").replace("\0", "")
        return {name.strip().casefold() for name in next(csv.reader(io.StringIO(start, newline="")), [])}
    except (OSError, csv.Error):
        return set()


def read_hubspot(path: Path, handed: Handed) -> Iterator[Parsed]:
    """Companies, deals, contacts, notes and tasks of HubSpot."""
    yield from _vendor(path, handed, "hubspot")


def read_salesforce(path: Path, handed: Handed) -> Iterator[Parsed]:
    """Accounts, opportunities, contacts and tasks of Salesforce."""
    yield from _vendor(path, handed, "salesforce")


def _vendor(path: Path, handed: Handed, vendor: str) -> Iterator[Parsed]:
    _check(handed, VENDOR_OPTIONS)
    readers, zone = Readers.read(handed.importer, handed.options), _zone(handed)
    for file in _files(path):
        what = handed.options.get("object") or (
            _NAMED.get(file.stem.casefold()) if vendor == "salesforce" else None
        )
        export = Export(
            vendor,
            handed.source,
            readers,
            zone,
            _written(file),
            handed.options.get("dates"),
            what,
            handed.account,
        )
        yield from _rows(file, lambda row, export=export: row_events(row, export))  # type: ignore[misc]


def read_mapped(path: Path, handed: Handed) -> Iterator[Parsed]:
    """Any table, by its mapping file."""
    _check(handed, CSV_OPTIONS)
    if (said := handed.options.get("mapping")) is None:
        raise Usage("a table needs to be told what its columns say: --option mapping=map.yaml")
    mapped, readers = read_mapping(Path(said)), Readers.read(handed.importer, handed.options)
    for file in _files(path):
        _columns_are_there(file, mapped, said)
        written = _written(file)
        yield from _rows(
            file,
            lambda row, written=written: mapped_events(  # type: ignore[misc]
                row, mapped, handed.source, readers, written, handed.account
            ),
        )


def _columns_are_there(file: Path, mapped: Mapped, said: str) -> None:
    header = _header(file)
    for column in mapped.columns():
        if column.casefold() not in header:
            known = ", ".join(sorted(header))
            raise Usage(f"mapping {said!r}: {file.name!r} has no column {column!r}: it has {known}")


def _check(handed: Handed, known: tuple[str, ...]) -> None:
    if unknown := handed.options.keys() - set(known):
        raise Usage(f"option {min(unknown)!r} is unknown: use {', '.join(known)}")
    for name, words in (("object", _OBJECTS), ("dates", ("dmy", "mdy"))):
        if handed.options.get(name, words[0]) not in words:
            raise Usage(f"{name} {handed.options[name]!r} is unknown: use {', '.join(words)}")


def _zone(handed: Handed) -> tzinfo:
    name = handed.options.get("timezone", "UTC")
    zone = find_zone(name)
    if zone is None:
        raise Usage(f"timezone {name!r} is no zone that is known")
    return zone


def _files(path: Path) -> list[Path]:
    return [path] if path.is_file() else sorted(one for one in path.rglob("*.csv") if one.is_file())


def _written(file: Path) -> datetime:
    return datetime.fromtimestamp(int(file.stat().st_mtime), UTC)


def _rows(file: Path, tell: Callable[[Row], Iterator[Parsed]]) -> Iterator[Parsed]:
    try:
        if file.stat().st_size > MOST_BYTES:
            yield Unread(file.name, file.name, f"it is longer than {MOST_BYTES} bytes")
            return
        for row in rows(file.read_bytes()):
            for one in tell(row):
                yield (
                    one
                    if not isinstance(one, Unread)
                    else Unread(f"{file.name}, {one.origin}", one.said, one.reason)
                )
    except (OSError, Malformed) as error:
        yield Unread(file.name, file.name, f"it cannot be read: {error}"[:_SHOWN])
