"""How an export is laid out: which folder holds which conversation, how it was called, until when it goes."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from muniment.domain.regex import regex
from muniment.sources.parsed import Unread
from muniment.sources.slack.archive import LISTINGS, Archive, Damaged
from muniment.sources.slack.channels import Channel, Renaming, renaming_of
from muniment.sources.slack.message import is_id, version_of
from muniment.sources.slack.shapes import Shape, flag, is_ts, later, objects, order, text, texts

__all__ = ["Conversation", "Days", "conversations", "days_of", "listing", "read_json", "surveyed"]

Days = Mapping[str, Sequence[str]]
_DAY = regex(r"\d{4}-\d{2}-\d{2}\.json\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Conversation:
    """A channel, the days it was written in, who is in it, and how it was called from which time on.

    `is_listed` is false for a folder that no listing names: who may read it, nobody says.
    """

    channel: Channel
    days: Sequence[str]
    members: Sequence[str] = ()
    is_listed: bool = True
    renamings: Sequence[Renaming] = ()


def read_json(archive: Archive, name: str) -> object:
    """What a file says, or an Unread that says why it cannot be read."""
    try:
        raw = archive.read(name)
    except Damaged as error:
        return Unread(name, name, str(error))
    try:
        return json.loads(raw)
    except (ValueError, RecursionError) as error:
        return Unread(name, raw[:100_000], f"not JSON: {str(error)[:200]}")


def listing(archive: Archive, name: str) -> tuple[list[Shape], list[Unread]]:
    """The objects of one listing; an export that has no such file has none of that kind."""
    if name not in archive.names:
        return [], []
    read = read_json(archive, name)
    return ([], [read]) if isinstance(read, Unread) else (objects({"all": read}, "all"), [])


def days_of(archive: Archive) -> Days:
    """The days that each folder holds, oldest first."""
    found: dict[str, list[str]] = defaultdict(list)
    for name in sorted(archive.names):
        folder, _, day = name.partition("/")
        if _DAY.match(day):
            found[folder].append(name)
    return found


def conversations(listings: Mapping[str, Iterable[Shape]], days: Days) -> Iterator[Conversation]:
    """Those that are listed, then the folders that no listing names."""
    taken = set()
    for name in LISTINGS:
        for said in listings.get(name, ()):
            folder = _folder(said, days)
            if is_id(text(said, "id")):
                taken.add(folder)
                yield _listed(said, name, days.get(folder, ()))
    for folder in sorted(days.keys() - taken):
        yield Conversation(
            Channel(folder[:200], folder[:200], is_private=True), days[folder], is_listed=False
        )


def _folder(said: Shape, days: Days) -> str:
    """A channel's folder has the name it had then, a direct message's its id."""
    name = text(said, "name")
    return name if name in days else text(said, "id")


def _listed(said: Shape, listing: str, days: Sequence[str]) -> Conversation:
    private = listing != "channels.json" or flag(said, "is_private")
    # The name of a direct message is made of its members' handles: nobody calls it so.
    name = "" if listing in ("dms.json", "mpims.json") else text(said, "name")[:200]
    return Conversation(Channel(text(said, "id"), name, private), days, texts(said, "members"))


def surveyed(archive: Archive, found: Conversation) -> tuple[Conversation, str]:
    """The conversation with its renamings, and the latest time that anything in it was said or changed.

    A message is stamped by Slack itself; times deeper in it are whatever an app wrote there.
    """
    latest = ""
    renamings: list[Renaming] = []
    for day in found.days:
        for said in objects({"all": read_json(archive, day)}, "all"):
            if is_ts(ts := text(said, "ts")):
                latest = later(latest, later(ts, version_of(said)))
            if (renaming := renaming_of(said)) is not None:
                renamings.append(renaming)
    return replace(found, renamings=sorted(renamings, key=lambda one: order(one[0]))), latest
