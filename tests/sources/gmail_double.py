"""A small Gmail on this machine: mailboxes with labels and a history, behind the API's shapes."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

_PAGE = 2  # mails and records of one page


@dataclass
class Box:
    """One mailbox: mails by id with their labels, and what happened, oldest first."""

    mails: dict[str, tuple[bytes, set[str]]] = field(default_factory=dict)
    happened: list[tuple[int, str, str]] = field(default_factory=list)
    oldest: int = 0

    @property
    def now(self) -> int:
        return 100 + len(self.happened)

    def add(self, name: str, mail: bytes, *labels: str) -> None:
        self.mails[name] = (mail, set(labels or ("INBOX",)))
        self.happened.append((self.now + 1, "messagesAdded", name))

    def label(self, name: str, *, add: str = "", remove: str = "") -> None:
        labels = self.mails[name][1]
        labels.update({add} - {""})
        labels.discard(remove)
        self.happened.append((self.now + 1, "labelsAdded" if add else "labelsRemoved", name))

    def delete(self, name: str) -> None:
        del self.mails[name]
        self.happened.append((self.now + 1, "messagesDeleted", name))


@dataclass
class Gmail:
    """The server: mailboxes by login, what was asked, and a fault to answer with instead."""

    boxes: dict[str, Box] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    tokens: set[str] = field(default_factory=set)
    fault: tuple[int, dict[str, str], bytes] | None = None
    url: str = ""

    def reply(self, path: str) -> tuple[int, dict[str, object]]:
        url = urlsplit(path)
        said = {name: values[0] for name, values in parse_qs(url.query).items()}
        _, _, _, _, login, what, *rest = [*url.path.split("/"), ""]
        box = self.boxes.get(unquote(login))
        if box is None:
            return 404, {}
        if what == "profile":
            return 200, {"emailAddress": login, "historyId": str(box.now)}
        if what == "history":
            return _history(box, said)
        if rest and rest[0]:
            return _mail(box, rest[0])
        return _listed(box, said)


def _listed(box: Box, said: dict[str, str]) -> tuple[int, dict[str, object]]:
    hidden = set() if said.get("includeSpamTrash") == "true" else {"SPAM", "TRASH"}
    names = [name for name, (_, labels) in reversed(box.mails.items()) if not labels & hidden]
    return 200, _paged("messages", [{"id": name, "threadId": name} for name in names], said)


def _mail(box: Box, name: str) -> tuple[int, dict[str, object]]:
    if name not in box.mails:
        return 404, {"error": {"code": 404}}
    data, labels = box.mails[name]
    raw = base64.urlsafe_b64encode(data).decode().rstrip("=")
    return 200, {"id": name, "labelIds": sorted(labels), "internalDate": "1780470000000", "raw": raw}


def _history(box: Box, said: dict[str, str]) -> tuple[int, dict[str, object]]:
    since = int(said["startHistoryId"])
    if since < box.oldest:
        return 404, {"error": {"code": 404, "message": "Requested entity was not found."}}
    records: list[dict[str, object]] = [
        {"id": str(number), kind: [{"message": {"id": name}}]}
        for number, kind, name in box.happened
        if number > since
    ]
    return 200, {**_paged("history", records, said), "historyId": str(box.now)}


def _paged(name: str, everything: list[dict[str, object]], said: dict[str, str]) -> dict[str, object]:
    start = int(said.get("pageToken", "0"))
    page: dict[str, object] = {name: everything[start : start + _PAGE]} if everything else {}
    return page | ({"nextPageToken": str(start + _PAGE)} if start + _PAGE < len(everything) else {})


@contextmanager
def serving() -> Iterator[Gmail]:
    """The server, while it runs."""
    gmail = Gmail()

    class Answering(BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # the library's own name
            gmail.asked.append(self.path)
            gmail.tokens.add(self.headers.get("authorization", ""))
            if gmail.fault is not None:
                status, headers, body = gmail.fault
            else:
                status, said = gmail.reply(self.path)
                headers, body = {}, json.dumps(said).encode()
            self.send_response(status)
            for name, value in {**headers, "content-length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:  # type: ignore[explicit-override]  # 3.12
            """Nothing on stderr."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as server:
        gmail.url = f"http://127.0.0.1:{server.server_address[1]}"
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        try:
            yield gmail
        finally:
            server.shutdown()
