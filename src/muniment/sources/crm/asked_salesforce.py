"""Salesforce, asked by its REST interface: what changed since, deletions included, and all ids there are.

`SystemModstamp` orders what changed; `queryAll` tells deleted and merged records for as long as they lie in
the bin. A listing of all ids finds what was purged unseen. A field the login may not see is not there, which
is not the same as empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final
from urllib.parse import quote, urlencode

from muniment.domain.errors import Unavailable
from muniment.domain.times import format_instant, parse_instant
from muniment.sources.connector import Configured, Cursor, CursorLost, Listing, Page
from muniment.sources.crm.amounts import amount_of
from muniment.sources.crm.ids import whole_id
from muniment.sources.crm.readers import Readers
from muniment.sources.crm.record import ACCOUNT, Owner, Record, events_of, gone, merged
from muniment.sources.crm.tables import KINDS, LABELS
from muniment.sources.parsed import Parsed, Unread
from muniment.sources.wire import told
from muniment.sources.wire.ask import Asked
from muniment.sources.wire.told import Object

__all__ = ["Salesforce"]

_VERSION: Final = "v62.0"
_AGAIN: Final = timedelta(minutes=2)  # a record is stamped when its change begins and seen when it is done
# What is read of each object, theirs by ours; one that the login may not see makes the question fail.
_FIELDS: Final[Mapping[str, Mapping[str, str]]] = {
    "Account": {"type": "Type", "industry": "Industry", "city": "BillingCity", "country": "BillingCountry",
                "phone": "Phone", "domain": "Website", "description": "Description"},
    "Opportunity": {"stage": "StageName", "amount": "Amount", "close": "CloseDate", "type": "Type",
                    "probability": "Probability", "next": "NextStep", "account_id": "AccountId",
                    "description": "Description"},
    "Contact": {"title": "Title", "email": "Email", "phone": "Phone", "account_id": "AccountId"},
    "Task": {"status": "Status", "due": "ActivityDate", "account_id": "AccountId",
             "description": "Description"},
}  # fmt: skip
_WHAT: Final = {"Account": ACCOUNT, "Opportunity": "deal", "Contact": "contact", "Task": "task"}
_TITLE: Final = {"Account": "Name", "Opportunity": "Name", "Contact": "Name", "Task": "Subject"}
_BEGINNING: Final = "1970-01-01T00:00:00.000Z"
_QUESTIONS: Final[Mapping[str, str]] = {
    "Account": (
        "SELECT Id, IsDeleted, MasterRecordId, SystemModstamp, CreatedDate, Owner.Name, Owner.Email, Name, "
        "Type, Industry, BillingCity, BillingCountry, Phone, Website, Description FROM Account "
        "WHERE SystemModstamp >= 1970-01-01T00:00:00.000Z ORDER BY SystemModstamp, Id"
    ),
    "Opportunity": (
        "SELECT Id, IsDeleted, SystemModstamp, CreatedDate, Owner.Name, Owner.Email, Name, StageName, "
        "Amount, CloseDate, Type, Probability, NextStep, AccountId, Description FROM Opportunity "
        "WHERE SystemModstamp >= 1970-01-01T00:00:00.000Z ORDER BY SystemModstamp, Id"
    ),
    "Contact": (
        "SELECT Id, IsDeleted, MasterRecordId, SystemModstamp, CreatedDate, Owner.Name, Owner.Email, Name, "
        "Title, Email, Phone, AccountId FROM Contact "
        "WHERE SystemModstamp >= 1970-01-01T00:00:00.000Z ORDER BY SystemModstamp, Id"
    ),
    "Task": (
        "SELECT Id, IsDeleted, SystemModstamp, CreatedDate, Owner.Name, Owner.Email, Subject, Status, "
        "ActivityDate, AccountId, Description FROM Task "
        "WHERE SystemModstamp >= 1970-01-01T00:00:00.000Z ORDER BY SystemModstamp, Id"
    ),
}
_ALL: Final[Mapping[str, str]] = {
    "Account": "SELECT Id FROM Account",
    "Opportunity": "SELECT Id FROM Opportunity",
    "Contact": "SELECT Id FROM Contact",
    "Task": "SELECT Id FROM Task",
}


@dataclass(frozen=True, slots=True)
class Salesforce:
    """The records one login sees."""

    configured: Configured
    readers: Readers
    asked: Asked

    @classmethod
    def of(cls, configured: Configured) -> Salesforce:
        """Checked; Malformed says what is wrong with the settings."""
        headers = {"authorization": f"Bearer {configured.secret('token')}"}
        readers = Readers.read(configured.importer, configured.settings)
        return cls(configured, readers, Asked(configured.source, configured.require("instance"), headers))

    def pull(self, cursor: Cursor | None) -> Iterator[Page]:
        """What changed in each object since its mark, oldest first."""
        began = self.configured.clock()
        marks = {name: at for name in _WHAT if (at := told.instant(dict(cursor or {}), name))}
        for name in _WHAT:
            for found in self._query(_changed(name, marks.get(name))):
                parsed = [one for record in found for one in self._read(name, record)]
                last = _latest(found)
                marks = {**marks, name: last} if last else marks
                yield Page(parsed, dict(marks), None, len(found))
            marks = {**marks, name: format_instant(began - _AGAIN)}
            yield Page((), dict(marks))
        yield Page((), dict(marks), began)

    def sweep(self) -> Iterator[Listing]:
        """All ids of each object that the login sees."""
        for name, what in _WHAT.items():
            at = self.configured.clock()
            prefix = f"{KINDS['salesforce'][what]}/"
            ids = [
                f"{prefix}{whole_id(id_)}"
                for page in self._query(_ALL[name], deleted=False)
                for id_ in _ids(page)
            ]
            yield Listing(prefix, frozenset(ids), at, complete=True)

    def _query(self, soql: str, *, deleted: bool = True) -> Iterator[list[Object]]:
        """Pages of an answer. Its order is the question's; `nextRecordsUrl` is on the same host."""
        verb = "queryAll" if deleted else "query"
        path = f"services/data/{_VERSION}/{verb}?{urlencode({'q': soql}, quote_via=quote)}"
        while path:
            reply = self.asked.get(path)
            if reply.status != 200:
                raise _refusal(self.configured.source, reply.json(), reply.status)
            page = told.as_object(reply.json())
            yield list(told.listed(page, "records"))
            path = (told.text(page, "nextRecordsUrl") or "") if page.get("done") is not True else ""

    def _read(self, name: str, record: Object) -> Iterator[Parsed]:
        id_, at = told.name(record, "Id"), told.instant(record, "SystemModstamp")
        if id_ is None or at is None:
            yield Unread(f"{name} {id_!r}", told.written(record), "it has no Id, or no SystemModstamp")
            return
        prefix, source = KINDS["salesforce"][_WHAT[name]], self.configured.source
        ours = f"{prefix}/{whole_id(id_)}"
        master = told.name(record, "MasterRecordId")
        if record.get("IsDeleted") is True and master:
            yield merged(source, ours, f"{prefix}/{whole_id(master)}", at)
        elif record.get("IsDeleted") is True:
            yield gone(source, ours, at)
        else:
            yield from events_of(_record(name, record, ours, at), source, self.readers)


def _changed(name: str, since: str | None) -> str:
    """The question for what changed since; from the beginning where there is no mark."""
    after = _stamp(parse_instant(since)) if since else _BEGINNING
    return _QUESTIONS[name].replace(_BEGINNING, after)


def _stamp(at: datetime) -> str:
    """As the interface takes it: milliseconds and a Z, and no more."""
    whole = at.astimezone(UTC)
    return f"{whole:%Y-%m-%dT%H:%M:%S}.{whole.microsecond // 1000:03d}Z"


def _latest(found: list[Object]) -> str | None:
    times = [at for one in found if (at := told.instant(one, "SystemModstamp"))]
    return max(times, key=parse_instant, default=None)


def _ids(page: list[Object]) -> list[str]:
    return [id_ for one in page if (id_ := told.name(one, "Id"))]


def _refusal(source: str, said: object, status: int) -> Unavailable:
    errors = said if isinstance(said, list) else []
    code = told.text(errors[0], "errorCode") if errors else None
    if code in ("INVALID_QUERY_LOCATOR", "INVALID_QUERY_CURSOR"):
        return CursorLost(f"source {source!r} no longer knows the page we were at")
    return Unavailable(f"source {source!r} answers {status}: {code or 'no code'!s:.60}")


def _record(name: str, record: Object, id_: str, at: str) -> Record:
    said = {ours: text for ours, theirs in _FIELDS[name].items() if (text := _text(record, theirs))}
    currency = told.text(record, "CurrencyIsoCode")
    amount = amount_of(said["amount"], currency) if "amount" in said else None
    lines = [
        (LABELS[ours], amount.said if ours == "amount" and amount else text)
        for ours, text in said.items()
        if ours in LABELS
    ]
    account = said.get("account_id")
    owner = told.name(record, "Owner", "Name")
    address = told.name(record, "Owner", "Email")
    return Record(
        what=_WHAT[name],
        id=id_,
        changed=at,
        title=told.name(record, _TITLE[name]),
        created=told.instant(record, "CreatedDate"),
        lines=[*lines, *([("Owner", owner)] if owner else [])],
        text=said.get("description", "").strip(),
        account=f"account/{whole_id(account)}" if account else None,
        owner=Owner(owner, address.casefold() if address and "@" in address else None),
        domains=[said["domain"]] if "domain" in said else (),
        stage=said.get("stage"),
        metadata={
            **({"amount": float(amount.number)} if amount and amount.number is not None else {}),
            **({"currency": currency} if currency else {}),
        },
    )


def _text(record: Object, name: str) -> str | None:
    found = record.get(name)
    if isinstance(found, bool) or not isinstance(found, str | int | float):
        return None
    return str(found).strip() or None
