"""A workspace's export: people, channels and their members, then each channel's messages, day by day.

The export says who is in a channel as it was when it was made, and says nowhere when that was. It is at least
as late as anything it holds, so that is what its audiences are verified through.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import reduce
from pathlib import Path

from muniment.sources.filekind import Handed
from muniment.sources.parsed import Event, Parsed, Unread
from muniment.sources.slack.accounts import ACCOUNTS, parse_accounts
from muniment.sources.slack.archive import LISTINGS, Archive, Damaged, opened
from muniment.sources.slack.changes import told
from muniment.sources.slack.channels import exported_audience, listed, name_at
from muniment.sources.slack.layout import Conversation, conversations, days_of, listing, read_json, surveyed
from muniment.sources.slack.message import Place, is_id
from muniment.sources.slack.names import Names, person_id
from muniment.sources.slack.people import home_of, principals
from muniment.sources.slack.shapes import EPOCH, Shape, instant_of, is_ts, later, number, shape, text, texts

__all__ = ["read_export"]


@dataclass(frozen=True, slots=True)
class _Export:
    archive: Archive
    source: str
    names: Names
    through: datetime


def read_export(path: Path, handed: Handed) -> Iterator[Parsed]:
    """Everything in the export. What cannot be read is handed on with where it stands, and why."""
    accounts = parse_accounts(handed.options.get(ACCOUNTS, ""))
    try:
        with opened(path) as archive:
            yield from _read(archive, handed.source, accounts)
    except Damaged as error:
        yield Unread(path.name, path.name, str(error))


def _read(archive: Archive, source: str, accounts: Mapping[str, str]) -> Iterator[Parsed]:
    listings: dict[str, list[Shape]] = {}
    for name in ("users.json", *LISTINGS, "canvases.json"):
        listings[name], troubles = listing(archive, name)
        yield from troubles
    users = listings["users.json"]
    surveys = [surveyed(archive, one) for one in conversations(listings, days_of(archive))]
    latest = reduce(later, (one for _, one in surveys), "")
    channels = ({"id": one.channel.id, "name": one.channel.name} for one, _ in surveys)
    names = Names.of(users, channels, accounts)
    export = _Export(archive, source, names, instant_of(latest) if latest else _made(listings))
    yield from principals(users, source, export.through, home_of(users))
    for one, _ in surveys:
        yield from _conversed(one, export)
    for said in listings["canvases.json"]:
        yield from _canvas(said, export)


def _made(listings: dict[str, list[Shape]]) -> datetime:
    """When an export without a message was made, at the earliest."""
    said = (number(one, "created") for name in LISTINGS for one in listings[name])
    return EPOCH + timedelta(seconds=max((one for one in said if one is not None), default=0))


def _conversed(found: Conversation, export: _Export) -> Iterator[Parsed]:
    if found.is_listed:
        yield listed(export.source, found.channel.id, found.members, export.through)
        yield exported_audience(export.source, found.channel, export.through)
    else:
        unnamed = "is named by no listing: its messages wait until somebody says who may read them"
        yield Unread(found.channel.id, found.channel.id, unnamed)
    strangers: set[str] = set()
    for day in found.days:
        read = read_json(export.archive, day)
        if isinstance(read, Unread):
            yield read
        elif not isinstance(read, list):
            yield Unread(day, str(read)[:2_000], "is no list of messages")
        else:
            yield from _day(day, read, found, export, strangers)


def _day(
    day: str, said: Iterable[object], found: Conversation, export: _Export, strangers: set[str]
) -> Iterator[Parsed]:
    for number_, one in enumerate(said, 1):
        message = shape(one)
        ts = text(message, "ts")
        if not is_ts(ts):
            shown = f"ts {message.get('ts')!r:.80} is no time stamp"
            yield Unread(f"{day}, message {number_}", str(one)[:2_000], shown)
            continue
        yield from _stranger(message, export, strangers)
        name = name_at(ts, found.channel.name, found.renamings)
        yield from told(message, Place(export.source, found.channel.id, export.names, name, export.through))


def _stranger(message: Shape, export: _Export, met: set[str]) -> Iterator[Event]:
    """Who writes from another company's workspace is in no list of users; the message itself says so."""
    user, theirs, ours = text(message, "user"), text(message, "user_team"), text(message, "team")
    foreign = bool(theirs and ours) and theirs != ours
    if not foreign or user in met or user in export.names.people or not is_id(user):
        return
    met.add(user)
    yield {
        "op": "principal",
        "source": export.source,
        "id": person_id(export.source, user),
        "at": export.through.isoformat(),
        "standing": "external",
    }


def _canvas(said: Shape, export: _Export) -> Iterator[Event]:
    """A canvas by its title: an export holds what it is called and not what is in it."""
    id_, title = text(said, "id"), text(said, "title") or text(said, "name")
    channel = next((one for name in ("channels", "groups", "ims") for one in texts(said, name)), "")
    made, changed = number(said, "created"), number(said, "updated")
    if not is_id(id_) or not title or not is_id(channel) or made is None:
        return
    user = text(said, "user")
    yield {
        "op": "upsert",
        "source": export.source,
        "id": f"canvas/{id_}",  # apart from the channel's messages, which a sweep of it lists
        "kind": "document",
        "at": (EPOCH + timedelta(seconds=changed or made)).isoformat(),
        "created_at": (EPOCH + timedelta(seconds=made)).isoformat(),
        "author": person_id(export.source, user) if is_id(user) else None,
        "author_name": export.names.person(user),
        "title": title[:500],
        "body": title,
        "container": channel,
        "metadata": {"canvas": id_},
    }
