"""A small workspace for tests: its users, channels and messages, as an export and as a Web API."""

from __future__ import annotations

import json
import threading
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from muniment.sources.connector import Configured, Delivery
from muniment.sources.slack.signature import sign

SECRET = "8f742231b10e8888abcd99yyyzzz85a5"  # noqa: S105  # of Slack's documentation
TOKEN = "xoxb-of-nobody"  # noqa: S105  # nobody's
NOW = datetime(2026, 6, 10, 9, 0, tzinfo=UTC)
JUNE = 1_780_304_400  # 2026-06-01T09:00:00Z

Json = dict[str, Any]


def ts(minutes: float = 0) -> str:
    """A time stamp, in minutes after nine on the first of June."""
    micro = round(minutes * 60_000_000)
    return f"{JUNE + micro // 1_000_000}.{micro % 1_000_000:06d}"


def user(id_: str, name: str, **more: Any) -> Json:
    profile = {
        "real_name": name,
        "display_name": name.split(maxsplit=1)[0],
        "email": f"{id_.lower()}@x.example",
    }
    return {
        "id": id_,
        "team_id": "T1",
        "name": id_.lower(),
        "updated": JUNE - 86_400,
        "profile": profile,
    } | more


def message(text: str, minutes: float = 0, by: str = "U1", **more: Any) -> Json:
    return {"type": "message", "user": by, "text": text, "ts": ts(minutes)} | more


@dataclass
class Workspace:
    """What Slack holds. `members` and `messages` are by channel."""

    users: list[Json] = field(default_factory=list)
    channels: list[Json] = field(default_factory=list)
    members: dict[str, list[str]] = field(default_factory=dict)
    messages: dict[str, list[Json]] = field(default_factory=lambda: defaultdict(list))
    page: int = 200
    team: str = "T1"
    enterprise: Json = field(default_factory=dict)
    asked: list[tuple[str, Json]] = field(default_factory=list)
    failing: list[tuple[int, dict[str, str], bytes]] = field(default_factory=list)

    def channel(self, id_: str, name: str, members: list[str], *, private: bool = False, **more: Any) -> None:
        kind = {"is_channel": not private, "is_group": private, "is_private": private, "is_member": True}
        self.channels.append({"id": id_, "name": name, "created": JUNE, **kind, **more})
        self.members[id_] = members

    def say(self, channel: str, *said: Json) -> None:
        self.messages[channel] += said

    # As an export

    def files(self) -> Iterator[tuple[str, bytes]]:
        kinds: dict[str, list[Json]] = {"channels": [], "groups": [], "dms": [], "mpims": []}
        for one in self.channels:
            kind = "dms" if one.get("is_im") else "mpims" if one.get("is_mpim") else "channels"
            kind = "groups" if kind == "channels" and one["is_private"] else kind
            plain: Json = {name: one[name] for name in ("id", "name", "created") if name in one}
            kinds[kind].append({**plain, "members": self.members[one["id"]]})
        yield "users.json", json.dumps(self.users).encode()
        for kind, listed in kinds.items():
            yield f"{kind}.json", json.dumps(listed).encode()
        for one in self.channels:
            days: dict[str, list[Json]] = defaultdict(list)
            for said in sorted(self.messages[one["id"]], key=lambda said: Decimal(said["ts"])):
                days[datetime.fromtimestamp(int(said["ts"][:10]), UTC).date().isoformat()].append(said)
            folder = one["id"] if one.get("is_im") else one["name"]
            for day, said_then in days.items():
                yield f"{folder}/{day}.json", json.dumps(said_then).encode()

    def zip(self, path: Path, *, top: str = "") -> Path:
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in self.files():
                archive.writestr(top + name, content)
        return path

    def folder(self, path: Path) -> Path:
        for name, content in self.files():
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            (path / name).write_bytes(content)
        return path

    # As a Web API

    def reply(self, method: str, asked: Json) -> Json:
        self.asked.append((method, asked))
        answer = getattr(self, "_" + method.replace(".", "_"), None)
        return {"ok": False, "error": "unknown_method"} if answer is None else answer(asked)

    def _paged(self, key: str, found: list[Any], asked: Json) -> Json:
        begin = int(asked.get("cursor") or 0)
        end = begin + min(self.page, int(asked.get("limit", self.page)))
        following = str(end) if end < len(found) else ""
        return {"ok": True, key: found[begin:end], "response_metadata": {"next_cursor": following}}

    def _auth_test(self, asked: Json) -> Json:
        del asked
        return {"ok": True, "team_id": self.team, "user_id": "U5", **self.enterprise}

    def _users_list(self, asked: Json) -> Json:
        return self._paged("members", [one for one in self.users if not one.get("is_stranger")], asked)

    def _users_info(self, asked: Json) -> Json:
        found = [one for one in self.users if one["id"] == asked["user"]]
        return {"ok": True, "user": found[0]} if found else {"ok": False, "error": "user_not_found"}

    def _conversations_list(self, asked: Json) -> Json:
        return self._paged("channels", self.channels, asked)

    def _conversations_info(self, asked: Json) -> Json:
        found = [one for one in self.channels if one["id"] == asked["channel"]]
        return {"ok": True, "channel": found[0]} if found else {"ok": False, "error": "channel_not_found"}

    def _conversations_members(self, asked: Json) -> Json:
        if asked["channel"] not in self.members:
            return {"ok": False, "error": "channel_not_found"}
        return self._paged("members", self.members[asked["channel"]], asked)

    def _conversations_history(self, asked: Json) -> Json:
        oldest = Decimal(asked.get("oldest", "0"))
        found = [one for one in self.messages[asked["channel"]] if self._is_in_channel(one)]
        found = [self._parent(asked["channel"], one) for one in found if Decimal(one["ts"]) > oldest]
        found.sort(key=lambda one: Decimal(one["ts"]), reverse=True)
        return self._paged("messages", found, asked)

    def _is_in_channel(self, one: Json) -> bool:
        return one.get("thread_ts", one["ts"]) == one["ts"] or one.get("subtype") == "thread_broadcast"

    def _thread(self, channel: str, parent: str) -> list[Json]:
        return [
            one for one in self.messages[channel] if one.get("thread_ts") == parent and one["ts"] != parent
        ]

    def _parent(self, channel: str, one: Json) -> Json:
        replies = self._thread(channel, one["ts"])
        if not replies:
            return one
        latest = max((reply["ts"] for reply in replies), key=Decimal)
        return {**one, "thread_ts": one["ts"], "reply_count": len(replies), "latest_reply": latest}

    def _conversations_replies(self, asked: Json) -> Json:
        first = [one for one in self.messages[asked["channel"]] if one["ts"] == asked["ts"]]
        if not first:
            return {"ok": False, "error": "thread_not_found"}
        oldest = Decimal(asked.get("oldest", "0"))
        later = [one for one in self._thread(asked["channel"], asked["ts"]) if Decimal(one["ts"]) > oldest]
        later.sort(key=lambda one: Decimal(one["ts"]))
        return self._paged("messages", [self._parent(asked["channel"], first[0]), *later], asked)


def company() -> Workspace:
    """Ann and Bo are members, Gia is a guest, Eve is of another company."""
    found = Workspace()
    found.users = [
        user("U1", "Ann Lee"),
        user("U2", "Bo Ek"),
        user("U3", "Gia Guest", is_restricted=True),
        user("U4", "Dan Gone", deleted=True),
        user("U5", "Build Bot", is_bot=True),
        user("USLACKBOT", "Slackbot"),
        user("U9", "Eve Else", is_stranger=True, team_id="T9"),
    ]
    found.channel("C1", "general", ["U1", "U2"])
    found.channel("G1", "board", ["U1"], private=True)
    return found


@contextmanager
def served(workspace: Workspace) -> Iterator[str]:
    """The address of a server that speaks the Web API of this workspace."""

    class Answers(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("content-length") or 0)).decode()
            if workspace.failing:
                self._send(*workspace.failing.pop(0))
            elif self.headers.get("authorization") != f"Bearer {TOKEN}":
                self._send(200, {}, b'{"ok": false, "error": "invalid_auth"}')
            else:
                said = workspace.reply(self.path.rsplit("/", 1)[-1], dict(parse_qsl(raw)))
                self._send(200, {}, json.dumps(said).encode())

        def _send(self, status: int, headers: dict[str, str], body: bytes) -> None:
            self.send_response(status)
            for name, value in {"content-type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self) -> None:
            workspace.asked.append(("GET", {"authorization": self.headers.get("authorization")}))
            self._send(200, {}, b'{"ok": true}')

        def log_message(self, format: str, *args: object) -> None:  # type: ignore[explicit-override]  # noqa: A002  # the library's own word
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/api/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class Time:
    """A clock that a test turns."""

    def __init__(self, at: datetime = NOW) -> None:
        self.at = at

    def __call__(self) -> datetime:
        return self.at


def configured(url: str, clock: Time | None = None, **settings: str) -> Configured:
    secrets = {"token": TOKEN, "signing_secret": SECRET}
    return Configured(
        "slack", {"base_url": url, **settings}, secrets.__getitem__, clock or Time(), "user:owner"
    )


def delivery(said: Json, at: datetime = NOW) -> Delivery:
    """A request as Slack signs it."""
    raw = json.dumps(said).encode()
    stamp = str(int(at.timestamp()))
    headers = {"x-slack-request-timestamp": stamp, "x-slack-signature": sign(raw, stamp, SECRET)}
    return Delivery(raw, headers, at)


def callback(event: Json, **more: Any) -> Json:
    """The envelope around one event."""
    return {
        "type": "event_callback",
        "team_id": "T1",
        "event_id": "Ev1",
        "event_time": JUNE,
        "event": event,
    } | more
