"""Rows of HubSpot's and Salesforce's exports as records: columns by whatever language they are named in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from typing import Final

from muniment.domain.times import format_instant
from muniment.sources.crm.amounts import amount_of, date_of, day_of
from muniment.sources.crm.headers import field_of
from muniment.sources.crm.ids import whole_id
from muniment.sources.crm.readers import Readers
from muniment.sources.crm.record import ACCOUNT, Owner, Record, events_of, gone, merged
from muniment.sources.parsed import Parsed, Unread
from muniment.sources.wire import told
from muniment.sources.wire.table import Row

__all__ = ["KINDS", "LABELS", "LINES", "Export", "is_yes", "row_events"]

# What each vendor calls what a record is; ids begin so.
KINDS: Final[Mapping[str, Mapping[str, str]]] = {
    "hubspot": {ACCOUNT: "company", "deal": "deal", "contact": "contact", "note": "note", "task": "task"},
    "salesforce": {
        ACCOUNT: "account",
        "deal": "opportunity",
        "contact": "contact",
        "note": "note",
        "task": "task",
    },
}
LABELS: Final[Mapping[str, str]] = {
    "stage": "Stage", "amount": "Amount", "close": "Close date", "pipeline": "Pipeline", "type": "Type",
    "probability": "Probability (%)", "next": "Next step", "status": "Status", "due": "Due",
    "industry": "Industry", "city": "City", "country": "Country", "title": "Job title", "email": "E-mail",
    "phone": "Phone", "owner": "Owner", "account": "Account",
}  # fmt: skip
LINES: Final[Mapping[str, Sequence[str]]] = {
    ACCOUNT: ("type", "industry", "city", "country", "phone", "owner"),
    "deal": ("stage", "amount", "close", "pipeline", "type", "probability", "next", "owner"),
    "contact": ("title", "email", "phone", "owner"),
    "note": ("owner",),
    "task": ("status", "due", "owner"),
}
_YES: Final = frozenset(("true", "yes", "1", "ja", "oui", "是", "wahr", "vrai", "y"))
_DATES: Final = frozenset(("close", "due"))
_APART: Final = frozenset(
    "id company_id deal_id contact_id activity_id company domain deal task note first_name last_name name "
    "account_id account what_id changed created deleted merged_into merged currency description team".split()
)


@dataclass(frozen=True, slots=True)
class Export:
    """What holds for all rows of a table. `written` is when the file was, for rows that have no time."""

    vendor: str
    source: str
    readers: Readers
    zone: tzinfo
    written: datetime
    dates: str | None = None
    what: str | None = None
    account: str | None = None


@dataclass(slots=True)
class _Cells:
    """A row by our names of its columns, and what is under names of their own."""

    known: dict[str, str] = field(default_factory=dict)
    others: list[tuple[str, str]] = field(default_factory=list)

    def get(self, *names: str) -> str | None:
        return next((self.known[name] for name in names if self.known.get(name)), None)


def is_yes(said: str | None) -> bool:
    """Whether a cell says yes."""
    return (said or "").strip().casefold() in _YES


def row_events(row: Row, export: Export) -> Iterator[Parsed]:
    """What a row says: a record, that it is gone, or into which other it went."""
    cells = _cells(row)
    what = export.what or _what(cells)
    id_ = _id(cells, what, export) if what else None
    if what is None or id_ is None:
        yield Unread(f"line {row.number}", told.written({k: list(v) for k, v in row.cells.items()}), _LACKS)
        return
    changed = date_of(cells.get("changed", "created"), export.zone, export.dates)
    at = changed or format_instant(export.written)
    if into := _other(cells.get("merged_into"), what, export):
        yield merged(export.source, id_, into, at)
    elif is_yes(cells.get("deleted")):
        yield gone(export.source, id_, at)
    else:
        yield from events_of(
            _record(cells, what, id_, at, export, dated=changed is not None), export.source, export.readers
        )
        for old in (cells.get("merged") or "").replace(",", ";").split(";"):
            if (other := _other(old, what, export)) is not None and other != id_:
                yield merged(export.source, other, id_, at)


_LACKS: Final = (
    "it has no record id that can be read: export the columns Record ID and Name, or say option object"
)


def _cells(row: Row) -> _Cells:
    found = _Cells()
    for column, values in row.cells.items():
        value = next((one.strip() for one in values if one.strip()), "")
        ours = field_of(column)
        if not value:
            continue
        if ours in found.known and ours in _APART:
            continue
        if ours is None or ours in found.known:
            found.others.append((column[:1].upper() + column[1:100], value))
        else:
            found.known[ours] = value
    return found


def _what(cells: _Cells) -> str | None:
    for what, names in (
        ("deal", ("deal",)),
        ("note", ("note",)),
        ("contact", ("first_name", "last_name")),
        ("task", ("task",)),
        (ACCOUNT, ("company",)),
    ):
        if cells.get(*names):
            return what
    return None


_IDS: Final[Mapping[str, Sequence[str]]] = {
    ACCOUNT: ("company_id", "id"),
    "deal": ("deal_id", "id"),
    "contact": ("contact_id", "id"),
    "note": ("activity_id", "id"),
    "task": ("activity_id", "id"),
}


def _id(cells: _Cells, what: str, export: Export) -> str | None:
    return _other(cells.get(*_IDS.get(what, ("id",))), what, export)


def _other(said: str | None, what: str, export: Export) -> str | None:
    """The id of ours of a vendor's; None where there is none."""
    plain = told.name({"at": (said or "").strip()}, "at")
    if plain is None or len(plain) > 100 or " " in plain:
        return None
    return f"{KINDS[export.vendor][what]}/{whole_id(plain) if export.vendor == 'salesforce' else plain}"


def _record(cells: _Cells, what: str, id_: str, at: str, export: Export, *, dated: bool) -> Record:
    lines = [(LABELS[name], said) for name in LINES[what] if (said := _line(cells, name, export))]
    others = [(label, value) for label, value in cells.others]
    others += [
        (LABELS.get(name, name.capitalize()), _line(cells, name, export) or "")
        for name in cells.known
        if name not in LINES[what] and name not in _APART
    ]
    account, more = _account(cells, what, export)
    amount = amount_of(cells.known["amount"], cells.get("currency")) if cells.get("amount") else None
    return Record(
        what=what,
        id=id_,
        changed=at,
        title=_title(cells, what),
        created=date_of(cells.get("created"), export.zone, export.dates),
        lines=[*lines, *sorted(others)],
        text=(cells.get("note", "description") or "").strip(),
        account=account or export.account,
        owner=_owner(cells),
        domains=[one for one in (cells.get("domain") or "").split(";") if one.strip()],
        aliases=[f"{KINDS[export.vendor][ACCOUNT]}/{old.strip()}" for old in _olds(cells)]
        if what == ACCOUNT
        else (),
        stage=cells.get("stage"),
        place=cells.get("pipeline"),
        metadata={
            **({} if dated else {"changed": "unknown"}),
            **({"accounts": more} if more else {}),
            **({"amount": float(amount.number)} if amount and amount.number is not None else {}),
            **({"currency": amount.currency} if amount and amount.currency else {}),
        },
    )


def _olds(cells: _Cells) -> list[str]:
    return [old for old in (cells.get("merged") or "").replace(",", ";").split(";") if old.strip()][:100]


def _line(cells: _Cells, name: str, export: Export) -> str | None:
    said = cells.get(name)
    if said is None:
        return None
    if name == "amount":
        return amount_of(said, cells.get("currency")).said
    return day_of(said, export.zone, export.dates) if name in _DATES else said


def _title(cells: _Cells, what: str) -> str | None:
    if what == "contact":
        return " ".join(
            part for name in ("first_name", "last_name") if (part := cells.get(name))
        ) or cells.get("name")
    names = {ACCOUNT: ("company", "name"), "deal": ("deal", "name"), "task": ("task", "name")}
    found = cells.get(*names.get(what, ("task", "name")))
    return " ".join(found.split())[:1_000] if found is not None else None


def _account(cells: _Cells, what: str, export: Export) -> tuple[str | None, list[str]]:
    """The account by id where there is one, else by name; and the others that are named."""
    if what == ACCOUNT:
        return None, []
    said = cells.get("account_id") or (
        cells.get("company_id", "what_id") if export.vendor == "salesforce" else None
    )
    ids = [
        one for part in (said or "").replace(",", ";").split(";") if (one := _other(part, ACCOUNT, export))
    ]
    if export.vendor == "salesforce" and not cells.get("account_id", "company_id"):
        # What a task is related to may be another kind of thing; accounts' ids begin so.
        ids = [one for one in ids if one.startswith("account/001")]
    name = told.name({"at": cells.get("account", "company")}, "at")
    names = [part.strip() for part in (name or "").split(";") if part.strip()]
    found = [*ids, *([] if ids else names)]
    return (found[0] if found else None), ids[1:]


def _owner(cells: _Cells) -> Owner:
    said = told.name({"at": cells.get("owner")}, "at")
    teams = tuple(part.strip() for part in (cells.get("team") or "").split(";") if part.strip())
    if said is not None and said.endswith(")") and "@" in said:
        name, _, address = said[:-1].rpartition("(")
        return Owner(name.strip() or None, address.strip().casefold(), teams)
    if said is not None and "@" in said and " " not in said:
        return Owner(None, said.casefold(), teams)
    return Owner(said, None, teams)
