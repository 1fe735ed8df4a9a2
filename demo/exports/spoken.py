"""The demo company's chat as Slack exports a workspace, and its mail as mailboxes, one for each owner."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTPUTF8
from email.utils import format_datetime, formataddr
from pathlib import Path
from typing import Any
from zipfile import ZipFile, ZipInfo

Event = Mapping[str, Any]
OURS = "fernkiel.example"


# Slack


def workspace(path: Path, chat: Iterable[Event], directory: Iterable[Event]) -> None:
    """The zip that Slack hands out, the same bytes whenever it is written."""
    with ZipFile(path, "w") as archive:
        for name, said in sorted(_exported(list(chat), people(directory)).items()):
            text = json.dumps(said, ensure_ascii=False, indent=1)
            archive.writestr(ZipInfo(name, (2026, 11, 30, 6, 0, 0)), text)


def people(directory: Iterable[Event]) -> dict[str, Event]:
    """Everybody, as the directory last says."""
    return {one["id"]: one for one in directory if one["op"] == "principal"}


def _exported(chat: list[Event], who: Mapping[str, Event]) -> dict[str, list[dict[str, Any]]]:
    names = {one["container"]: one["labels"]["channel"] for one in chat if one["op"] == "upsert"}
    days: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for one in _latest(chat):
        message = _message(one, who)
        channel = one["group"].rpartition(":")[2] if one["op"] == "member" else one["id"].partition("/")[0]
        days[f"{names[channel]}/{_day(message['ts'])}.json"].append(message)
    members, private = _members(chat), _private(chat)
    channels = [
        {
            "id": id_,
            "name": name,
            "created": 1756710000,
            "is_archived": False,
            "members": sorted(slack_id(who[one]) for one in members[id_]),
        }
        for id_, name in sorted(names.items())
    ]
    return {
        "users.json": [_user(one) for one in who.values()],
        "channels.json": [one for one in channels if one["id"] not in private],
        "groups.json": [one for one in channels if one["id"] in private],
        **{day: sorted(said, key=lambda one: one["ts"]) for day, said in days.items()},
    }


def _latest(chat: list[Event]) -> Iterator[Event]:
    """What stands at last: each message once, as it was edited last or as it is gone, and who left."""
    said = {one["id"]: one for one in chat if one["op"] in ("upsert", "delete")}
    yield from said.values()
    yield from (one for one in chat if one["op"] == "member" and one.get("remove"))


def _members(chat: list[Event]) -> dict[str, set[str]]:
    """Who is in each channel; in a public one, whoever wrote there."""
    found: dict[str, set[str]] = defaultdict(set)
    private = _private(chat)
    for one in chat:
        if one["op"] == "member":
            channel = one["group"].rpartition(":")[2]
            found[channel] |= {*one.get("set", ()), *one.get("add", ())}
            found[channel] -= set(one.get("remove", ()))
        elif one["op"] == "upsert" and one["container"] not in private:
            found[one["container"]].add(one["author"])
    return found


def _private(chat: list[Event]) -> set[str]:
    return {one["container"] for one in chat if one["op"] == "audience" and one["audience"] != [["*"]]}


def _message(one: Event, who: Mapping[str, Event]) -> dict[str, Any]:
    if one["op"] == "member":
        (left,) = one["remove"]
        at = datetime.fromisoformat(one["at"]).timestamp()
        user = slack_id(who[left])
        return {
            "type": "message",
            "subtype": "channel_leave",
            "user": user,
            "ts": f"{at:.6f}",
            "text": f"<@{user}> has left the channel",
        }
    ts = one["id"].partition("/")[2]
    if one["op"] == "delete":
        gone = {"type": "message", "subtype": "tombstone", "user": "USLACKBOT", "hidden": True}
        return {**gone, "ts": ts, "text": "This message was deleted."}
    user = slack_id(who[one["author"]])
    text = one["body"].replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    thread = one["thread"].partition("/")[2]
    edited = {} if one["version"] == ts else {"edited": {"user": user, "ts": one["version"]}}
    return {
        "type": "message",
        "user": user,
        "ts": ts,
        "text": text,
        **({"thread_ts": thread} if thread != ts else {}),
        **edited,
    }


def _user(one: Event) -> dict[str, Any]:
    standing = one["standing"]
    return {
        "id": slack_id(one),
        "team_id": "TALSTER" if standing == "external" else "TFERNKIEL",
        "name": one["id"].removeprefix("user:"),
        "deleted": standing == "deactivated",
        "is_restricted": standing == "guest",
        "is_bot": False,
        "updated": int(datetime.fromisoformat(one["at"]).timestamp()),
        "profile": {"real_name": one["name"], "email": one["emails"][0]},
    }


def slack_id(one: Event) -> str:
    """Under which id Slack knows somebody."""
    (found,) = (name for name in one["aliases"] if name.startswith("slack:"))
    return str(found).removeprefix("slack:")


def _day(ts: str) -> str:
    return f"{datetime.fromtimestamp(float(ts), UTC):%Y-%m-%d}"


# Mail


def mailboxes(folder: Path, mail: Iterable[Event], directory: Iterable[Event]) -> None:
    """An mbox for each of the company's people who holds a mail, as a program exports it."""
    folder.mkdir(exist_ok=True)
    who = people(directory)
    held: dict[str, list[bytes]] = defaultdict(list)
    for one, owners in _with_recalls(list(mail)):
        raw = _posted(one, who)
        for owner in owners:
            if owner in who and who[owner]["emails"][0].endswith(f"@{OURS}"):
                held[owner].append(raw)
    for owner, mails in sorted(held.items()):
        (folder / f"{owner.removeprefix('user:')}.mbox").write_bytes(b"".join(mails))


def _with_recalls(mail: list[Event]) -> Iterator[tuple[Event, list[str]]]:
    """Each mail and who holds it; what was asked back is a mail that asks for it."""
    sent = {one["id"]: one for one in mail if one["op"] == "upsert"}
    for one in mail:
        original = sent[one["id"]]
        (owners,) = original["audience"]
        # Whoever else may read a mail that is for all or for a group, no mailbox says.
        if not all(one.startswith("user:") for one in owners):
            owners = original["participants"]
        if one["op"] == "recall":
            asks = {"id": f"{one['id']}-recall", "title": f"Recall: {original['title']}", "at": one["at"]}
            told = f"{original['author_name']} would like to recall the message."
            yield {**original, **asks, "body": told}, owners
        else:
            yield one, owners


def _posted(one: Event, who: Mapping[str, Event]) -> bytes:
    """A mail under its envelope line, its lines that begin like one quoted."""
    message = EmailMessage(SMTPUTF8.clone(linesep="\n", max_line_length=998))
    at = datetime.fromisoformat(one["at"])
    message["From"] = formataddr((one["author_name"], _address(one["author"], who)), "utf-8")
    message["To"] = ", ".join(
        formataddr((who[to]["name"] if to in who else "", _address(to, who)), "utf-8")
        for to in one["participants"]
        if to != one["author"]
    )
    message["Subject"] = one["title"]
    message["Date"] = format_datetime(at)
    message["Message-ID"] = f"<{one['id']}@{OURS}>"
    if one["thread"] != one["id"]:
        message["In-Reply-To"] = message["References"] = f"<{one['thread']}@{OURS}>"
    message.set_content(one["body"] + "\n", cte="8bit")
    raw = re.sub(rb"^(>*From )", rb">\1", bytes(message), flags=re.MULTILINE)
    return f"From {_address(one['author'], who)} {at:%a %b %d %H:%M:%S %Y}\n".encode() + raw + b"\n"


def _address(name: str, who: Mapping[str, Event]) -> str:
    return str(who[name]["emails"][0]) if name in who else name
