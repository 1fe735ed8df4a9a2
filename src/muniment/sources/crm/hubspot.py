"""HubSpot's objects, as its interface gives them, as records; an object's history as its versions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC
from html import unescape
from re import compile as pattern
from typing import Final

from muniment.domain.times import parse_instant
from muniment.sources.crm.amounts import amount_of, day_of
from muniment.sources.crm.readers import Readers
from muniment.sources.crm.record import ACCOUNT, Owner, Record, events_of, gone, merged
from muniment.sources.crm.tables import KINDS, LABELS, LINES
from muniment.sources.parsed import Parsed, Unread
from muniment.sources.wire import told
from muniment.sources.wire.told import Object

__all__ = ["ASKED", "HISTORY", "Asking", "Known", "read_object"]

HISTORY: Final = frozenset(("dealname", "dealstage", "amount", "closedate", "hubspot_owner_id", "pipeline"))
_MOST_VERSIONS: Final = 200
_TAG: Final = pattern(r"<[^<>]{0,500}>")


@dataclass(frozen=True, slots=True)
class Asking:
    """What is asked of a kind of object: its properties under our names, and that of its last change."""

    what: str
    names: Mapping[str, str]
    stamp: str = "hs_lastmodifieddate"

    @property
    def properties(self) -> Sequence[str]:
        """All that are asked for."""
        return [*self.names.values(), self.stamp, "hs_createdate", "hs_merged_object_ids", "hubspot_owner_id"]


ASKED: Final[Mapping[str, Asking]] = {
    "companies": Asking(ACCOUNT, {"name": "name", "domain": "domain", "type": "type", "industry": "industry",
                                  "city": "city", "country": "country", "phone": "phone",
                                  "description": "description"}),
    "deals": Asking("deal", {"name": "dealname", "stage": "dealstage", "amount": "amount",
                             "close": "closedate",
                             "pipeline": "pipeline", "type": "dealtype", "next": "hs_next_step",
                             "currency": "deal_currency_code", "description": "description"}),
    "contacts": Asking("contact", {"first_name": "firstname", "last_name": "lastname", "title": "jobtitle",
                                   "email": "email", "phone": "phone"}, "lastmodifieddate"),
    "notes": Asking("note", {"description": "hs_note_body"}),
    "tasks": Asking("task", {"name": "hs_task_subject", "status": "hs_task_status", "due": "hs_timestamp",
                             "description": "hs_task_body"}),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Known:
    """Owners by id, and what stages and pipelines are called."""

    owners: Mapping[str, Owner] = field(default_factory=dict)
    stages: Mapping[str, str] = field(default_factory=dict)


def read_object(name: str, found: Object, known: Known, source: str, readers: Readers) -> Iterator[Parsed]:
    """A version for each change of what counts, the newest as it stands; or that it is gone or merged."""
    asking = ASKED[name]
    prefix = KINDS["hubspot"][asking.what]
    id_ = told.name(found, "id")
    at = told.instant(found, "properties", asking.stamp) or told.instant(found, "updatedAt")
    if found.get("archived") is True:
        at = told.instant(found, "archivedAt") or at
    if id_ is None or at is None:
        yield Unread(f"{name} {id_!r}", told.written(found), "it has no id, or no time of its last change")
        return
    ours = f"{prefix}/{id_}"
    if found.get("archived") is True:
        yield gone(source, ours, at)
        return
    now = _properties(found)
    for since, then in _versions(found, now, at):
        yield from events_of(_record(asking, ours, since, then, found, known), source, readers)
    for old in _former(now):
        yield merged(source, f"{prefix}/{old}", ours, at)


def _properties(found: Object) -> dict[str, str]:
    said = told.part(found, "properties")
    return {name: text for name in said if (text := (told.text(said, name) or "").strip())}


def _former(now: Mapping[str, str]) -> list[str]:
    return [
        old
        for old in now.get("hs_merged_object_ids", "").replace(",", ";").split(";")
        if old.strip().isalnum()
    ][:100]


def _versions(found: Object, now: dict[str, str], at: str) -> Iterator[tuple[str, dict[str, str]]]:
    """What the properties were at each time one of them changed; then what they are."""
    changes = sorted(_changes(found), key=lambda one: parse_instant(one[0]))
    moments = [moment for moment in dict.fromkeys(one[0] for one in changes) if moment != at]
    then = {name: value for name, value in now.items() if name not in {one[1] for one in changes}}
    for moment in moments[-_MOST_VERSIONS:]:
        as_of: dict[str, str] = dict(then)
        as_of |= {name: value for when, name, value in changes if _by(when, moment)}
        if not _by(at, moment):
            yield moment, {name: value for name, value in as_of.items() if value}
    yield at, now


def _by(one: str, other: str) -> bool:
    return parse_instant(one) <= parse_instant(other)


def _changes(found: Object) -> Iterator[tuple[str, str, str]]:
    history = told.part(found, "propertiesWithHistory")
    for name in history:
        for one in told.listed(history, name):
            if name in HISTORY and (when := told.instant(one, "timestamp")):
                yield when, name, (told.text(one, "value") or "").strip()


def _record(
    asking: Asking, id_: str, at: str, said: Mapping[str, str], found: Object, known: Known
) -> Record:
    values = {ours: said[theirs] for ours, theirs in asking.names.items() if theirs in said}
    owner = known.owners.get(said.get("hubspot_owner_id", ""), Owner())
    amount = amount_of(values["amount"], values.get("currency")) if "amount" in values else None
    told_as: dict[str, str] = dict(values)
    told_as |= {"amount": amount.said} if amount else {}
    labels = ((name, known.stages.get(values.get(name, ""))) for name in ("stage", "pipeline"))
    told_as |= {name: label for name, label in labels if label}
    told_as |= {name: day_of(values[name], UTC, None) for name in ("close", "due") if name in values}
    told_as |= {"owner": owner.name or owner.address or ""} if owner != Owner() else {}
    accounts = found.get("accounts")
    belongs = [one for one in accounts if isinstance(one, str)] if isinstance(accounts, list) else []
    return Record(
        what=asking.what,
        id=id_,
        changed=at,
        title=_title(asking.what, values),
        created=told.instant(said, "hs_createdate") or told.instant(found, "createdAt"),
        lines=[(LABELS[name], told_as[name]) for name in LINES[asking.what] if told_as.get(name)],
        text=_plain(values.get("description", "")),
        account=f"company/{belongs[0]}" if belongs else None,
        owner=owner,
        domains=[values["domain"]] if "domain" in values else (),
        aliases=[f"company/{old}" for old in _former(said)] if asking.what == ACCOUNT else (),
        stage=told_as.get("stage"),
        place=told_as.get("pipeline"),
        metadata={
            **({"accounts": [f"company/{one}" for one in belongs[1:]]} if belongs[1:] else {}),
            **({"amount": float(amount.number)} if amount and amount.number is not None else {}),
            **({"currency": amount.currency} if amount and amount.currency else {}),
        },
    )


def _title(what: str, values: Mapping[str, str]) -> str | None:
    if what == "contact":
        return " ".join(values[name] for name in ("first_name", "last_name") if name in values) or None
    found = values.get("name")
    return " ".join(found.split())[:1_000] if found else None


def _plain(body: str) -> str:
    """A note's text without its marks; what is between angle brackets and long is text."""
    if "<" not in body:
        return body
    broken = body.replace("<br>", "\n").replace("<br/>", "\n").replace("</p>", "\n").replace("</li>", "\n")
    return unescape(_TAG.sub("", broken)).strip()
