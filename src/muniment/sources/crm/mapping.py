"""The mapping file of a table of any CRM: which column says what. Every fault is named with its line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Final

from muniment.domain.audience import is_principal
from muniment.domain.errors import Malformed, Usage
from muniment.domain.times import find_zone, format_instant
from muniment.sources.crm.amounts import date_of
from muniment.sources.crm.readers import Readers
from muniment.sources.crm.record import ACCOUNT, Owner, Record, events_of, gone
from muniment.sources.crm.tables import is_yes
from muniment.sources.parsed import Parsed, Unread
from muniment.sources.strict import Node, Wrong, compose
from muniment.sources.wire import told
from muniment.sources.wire.table import Row

__all__ = ["Mapped", "mapped_events", "read_mapping"]

_OBJECTS: Final = (ACCOUNT, "deal", "contact", "note", "task")
_ONE: Final = (
    "id", "title", "changed", "created", "account", "owner", "owner_address", "text", "stage", "url", "team",
    "deleted", "readers",
)  # fmt: skip
_MANY: Final = ("lines", "domains", "aliases", "labels", "metadata")
_REST: Final = ("object", "timezone", "dates")
_LONGEST: Final = 200_000


@dataclass(frozen=True, slots=True)
class Mapped:
    """What a table's rows are, the column of each single thing, and the columns of what there is more of."""

    what: str
    one: Mapping[str, str]
    many: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    zone: tzinfo = UTC
    dates: str | None = None

    def columns(self) -> Iterator[str]:
        """Every column that is named."""
        yield from self.one.values()
        for names in self.many.values():
            yield from names


def read_mapping(path: Path) -> Mapped:
    """Usage says what is wrong with the file, and at which line."""
    try:
        text = path.read_text("utf-8-sig")
        root = compose(text, "the mapping file", longest=_LONGEST, begins="object: deal")
        return _mapped(root)
    except (Wrong, Malformed, OSError, UnicodeError) as error:
        raise Usage(f"mapping {str(path)!r}: {error}") from None


def _mapped(root: Node) -> Mapped:
    parts = root.fields((*_REST, *_ONE, *_MANY))
    for needed in ("object", "id"):
        if needed not in parts:
            raise root.wrong(f"{needed} is missing")
    what = parts["object"].one_of(_OBJECTS)
    if what == ACCOUNT and "title" not in parts:
        raise root.wrong("title is missing: an account needs the column of its name")
    one: dict[str, str] = {name: parts[name].text() for name in _ONE if name in parts}
    many: dict[str, tuple[str, ...]] = {name: _columns(parts[name]) for name in _MANY if name in parts}
    dates = parts["dates"].one_of(("dmy", "mdy", "ymd")) if "dates" in parts else None
    return Mapped(what, one, many, _zone(parts.get("timezone")), dates)


def _columns(node: Node) -> tuple[str, ...]:
    return tuple(part.text() for part in node.each()) if node.is_list else (node.text(),)


def _zone(node: Node | None) -> tzinfo:
    if node is None:
        return UTC
    zone = find_zone(node.text())
    if zone is None:
        raise node.wrong(f"{node.text()!r} is no zone that is known")
    return zone


def mapped_events(
    row: Row, mapped: Mapped, source: str, readers: Readers, written: datetime, account: str | None
) -> Iterator[Parsed]:
    """What a row says by the mapping."""
    id_ = told.name({"at": row.get(mapped.one["id"])}, "at")
    changed = _date(row, mapped, "changed")
    audience = _readers(row, mapped)
    raw = told.written({name: list(values) for name, values in row.cells.items()})
    if id_ is None or id_.startswith("@"):
        yield Unread(f"line {row.number}", raw, f"column {mapped.one['id']!r} holds no id")
    elif isinstance(audience, str):
        yield Unread(f"line {row.number}", raw, audience)
    elif "changed" in mapped.one and changed is None:
        yield Unread(f"line {row.number}", raw, _undated(row, mapped))
    elif is_yes(_cell(row, mapped, "deleted")):
        yield gone(source, id_, changed or format_instant(written))
    elif mapped.what == ACCOUNT and not _cell(row, mapped, "title"):
        yield Unread(f"line {row.number}", raw, f"column {mapped.one['title']!r} holds no name")
    else:
        at = changed or format_instant(written)
        yield from events_of(_record(row, mapped, id_, at, audience, account), source, readers)


def _undated(row: Row, mapped: Mapped) -> str:
    said = _cell(row, mapped, "changed")
    column = mapped.one["changed"]
    return f"column {column!r} says {said!r:.60}: no date, or one of two; for these say `dates: dmy`"


def _record(
    row: Row, mapped: Mapped, id_: str, at: str, audience: list[str] | None, account: str | None
) -> Record:
    return Record(
        what=mapped.what,
        id=id_,
        changed=at,
        title=_cell(row, mapped, "title"),
        created=_date(row, mapped, "created"),
        lines=[(name, value) for name in mapped.many.get("lines", ()) if (value := row.get(name))],
        text=_cell(row, mapped, "text") or "",
        account=told.name({"at": _cell(row, mapped, "account")}, "at") or account,
        owner=_owner(row, mapped),
        domains=_each(row, mapped, "domains"),
        aliases=_each(row, mapped, "aliases"),
        stage=_cell(row, mapped, "stage"),
        url=_cell(row, mapped, "url"),
        labels={name.casefold(): value for name in mapped.many.get("labels", ()) if (value := row.get(name))},
        metadata={
            name: _value(value) for name in mapped.many.get("metadata", ()) if (value := row.get(name))
        },
        audience=audience,
    )


def _cell(row: Row, mapped: Mapped, name: str) -> str | None:
    column = mapped.one.get(name)
    found = row.get(column) if column is not None else None
    return found.strip() if found is not None else None


def _date(row: Row, mapped: Mapped, name: str) -> str | None:
    return date_of(_cell(row, mapped, name), mapped.zone, mapped.dates)


def _each(row: Row, mapped: Mapped, name: str) -> list[str]:
    cells = (row.get(column) or "" for column in mapped.many.get(name, ()))
    return [part.strip() for cell in cells for part in cell.split(";") if part.strip()]


def _value(said: str) -> object:
    plain = said.strip()
    return int(plain) if plain.isascii() and plain.isdecimal() and len(plain) < 16 else plain


def _owner(row: Row, mapped: Mapped) -> Owner:
    """Whose row it is; an address, or a principal such as `user:ann`."""
    address = told.name({"at": _cell(row, mapped, "owner_address")}, "at")
    team = _cell(row, mapped, "team")
    name = told.name({"at": _cell(row, mapped, "owner")}, "at")
    return Owner(name, address.removeprefix("user:") if address else None, (team,) if team else ())


def _readers(row: Row, mapped: Mapped) -> list[str] | str | None:
    """Whom the row names, with blanks or semicolons between; else what is wrong with one."""
    said = (_cell(row, mapped, "readers") or "").replace(";", " ").split()
    for name in said:
        if name != "*" and not is_principal(name) and not (name.startswith("group:") and name != "group:"):
            return f"column {mapped.one['readers']!r} names {name!r:.60}: use user:…, group:… or *"
    return said or None
