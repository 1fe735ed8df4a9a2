"""A record of a CRM, whatever its vendor and however it came, as events.

An account is an entity, known by its name and domains, and a card with the rest of what is said of it. Deals,
notes, tasks and contacts are items about an account. Who reads them a person has to say: the systems have no
list of readers, and what nobody said is for whoever connects.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from muniment.domain.regex import regex
from muniment.sources.crm.readers import Readers
from muniment.sources.parsed import Event
from muniment.sources.wire import told
from muniment.sources.wire.stamps import after_texts, of_text

__all__ = ["ACCOUNT", "Owner", "Record", "events_of", "gone", "known_as", "merged"]

ACCOUNT: Final = "account"
_LEGAL: Final = regex(
    r"[,\s]+(?:gmbh|ag|se|kg|kgaa|ohg|ug|e\.?v\.?|inc\.?|incorporated|llc|ltd\.?|limited|plc|corp\.?|"
    r"corporation|co\.?|s\.?a\.?s?|s\.?a\.?r\.?l\.?|s\.?r\.?l\.?|s\.?p\.?a\.?|b\.?v\.?|n\.?v\.?|a\.?b\.?|oy|"
    r"a\.?s\.?)\Z",
    re.IGNORECASE,
)
_LEGAL_ZH: Final = regex(r"(?:股份)?有限(?:责任)?公司\Z")
_DOMAIN: Final = regex(r"(?:https?://)?(?:www\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)+)(?:[/?#:].*)?\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose record it is: a name, an address, the teams they are in."""

    name: str | None = None
    address: str | None = None
    teams: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """One record. `what` is account, deal, contact, note or task; `id` is the source's, `kind/number`.

    `lines` are told in the text, a label and a value each; `text` stands beneath them as it is. `audience`
    is what the record itself says of its readers; where it says nothing, they are those of its team or owner.
    """

    what: str
    id: str
    changed: str
    title: str | None = None
    created: str | None = None
    lines: Sequence[tuple[str, str]] = ()
    text: str = ""
    account: str | None = None
    owner: Owner = Owner()
    domains: Sequence[str] = ()
    aliases: Sequence[str] = ()
    stage: str | None = None
    url: str | None = None
    place: str | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    metadata: Mapping[str, object] = field(default_factory=dict)
    audience: Sequence[str] | None = None


def events_of(record: Record, source: str, readers: Readers) -> Iterator[Event]:
    """The entity where it is an account, and the item where there is more to say of it than its name."""
    who = record.audience or readers.of(record.owner, record.place)
    if record.what == ACCOUNT and record.title:
        yield _entity(record, source, who or [readers.importer])
    if record.what != ACCOUNT or record.lines or record.text:
        yield _item(record, source, who)


def _entity(record: Record, source: str, who: Sequence[str]) -> Event:
    name = (record.title or "")[:250]
    said: dict[str, object] = {
        "source": source, "id": record.id, "op": "entity", "at": record.changed, "entity_kind": "account",
        "name": name, "aliases": list(dict.fromkeys((*record.aliases, *known_as(name)))),
        "domains": [domain for one in record.domains if (domain := _domain(one))], "audience": [list(who)],
    }  # fmt: skip
    return {**said, "version": of_text(record.changed, said)}


def _domain(said: str) -> str | None:
    match = _DOMAIN.match(said.strip()[:250])
    return match[1].lower() if match is not None else None


def known_as(name: str) -> list[str]:
    """What else a company goes by: its name without its legal form, where that leaves more than a letter."""
    short = _LEGAL_ZH.sub("", name.strip())
    for _ in range(3):
        short = _LEGAL.sub("", short).strip(" ,&")
    return [short] if len(short) > 1 and short != name.strip() else []


def _item(record: Record, source: str, who: Sequence[str] | None) -> Event:
    owner = record.owner
    body, is_cut = told.clipped(_body(record))
    said: dict[str, object] = {
        "source": source,
        "id": record.id,
        "op": "upsert",
        "kind": "crm",
        "at": record.changed,
        "created_at": record.created,
        "title": record.title,
        "body": body,
        "author": f"user:{owner.address}" if owner.address else None,
        "author_name": owner.name,
        "account": record.id if record.what == ACCOUNT else record.account,
        "url": record.url,
        "audience": None if who is None else [list(who)],
        "labels": {
            "object": record.what,
            **({"stage": record.stage} if record.stage else {}),
            **record.labels,
        },
        "metadata": {**record.metadata, **({"truncated": True} if is_cut else {})},
    }
    present = {key: value for key, value in said.items() if value is not None and value != {}}
    return {**present, "version": of_text(record.changed, present)}


def _body(record: Record) -> str:
    lines = "\n".join(f"{label}: {' '.join(value.split())}" for label, value in record.lines)
    return f"{lines}\n\n{record.text}" if lines and record.text else lines or record.text


def gone(source: str, id_: str, at: str) -> Event:
    """That the record is no more, or is put away."""
    return {"source": source, "id": id_, "op": "delete", "at": at, "version": after_texts(at, 5)}


def merged(source: str, id_: str, into: str, at: str) -> Event:
    """That the record lives on in another."""
    return {"source": source, "id": id_, "op": "merge", "into": into, "at": at, "version": after_texts(at, 7)}
