"""Mailboxes behind IMAP: what is new by the servers' numbers, and what is still there."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from muniment.sources.connector import Configured, Cursor, Listing, Page
from muniment.sources.mail.imap.session import Fetched, Folder, Opened, Server, Session, session
from muniment.sources.mail.mailboxes import Mailbox, aside_of, held_by, mailboxes, names_of, whole
from muniment.sources.mail.message import MOST_BYTES, Mail, Unparsed, parse
from muniment.sources.mail.told import events_of, released
from muniment.sources.parsed import Parsed, Unread

__all__ = ["Imap", "connect"]

_MOST_MAILS = 100  # of one page
_MOST_TOGETHER = 8 * 1024 * 1024  # bytes of one page, but for a mail that is larger by itself
_MOST_KNOWN = 200_000
_USES = {"\\junk": "spam", "\\trash": "trash", "\\drafts": "drafts"}
# Folders as programs call them where a server does not say what they are for.
_CALLED = {
    **dict.fromkeys(("junk", "spam", "junk e-mail", "bulk mail"), "spam"),
    **dict.fromkeys(("trash", "deleted items", "deleted messages", "papierkorb"), "trash"),
    **dict.fromkeys(("drafts", "entwürfe"), "drafts"),
}
_State = dict[str, dict[str, list[int]]]


def connect(configured: Configured) -> Imap:
    """The connector of these settings; Malformed where they say what cannot be."""
    return Imap(configured)


@dataclass(frozen=True, slots=True)
class _Read:
    """A folder while it is open: whose, what it is for, and by what a cursor knows it."""

    mailbox: Mailbox
    folder: Folder
    use: str
    opened: Opened

    @property
    def place(self) -> str:
        """The folder without its name, which may be somebody's business."""
        return hashlib.sha256(self.folder.name).hexdigest()[:16]

    @property
    def key(self) -> tuple[str, str, int]:
        """One generation of the folder."""
        return self.mailbox.key, self.place, self.opened.validity


class Imap:
    """Every mailbox of the settings, folder by folder. What is new to a folder may be known long since."""

    def __init__(self, configured: Configured) -> None:
        settings = configured.settings
        self._server = Server(
            configured.require("host"), int(settings.get("port") or 993), settings.get("tls") or "yes"
        )
        self._mailboxes = mailboxes(configured, "password")
        self._aside = aside_of(configured)
        self._wanted = {one.strip() for one in (settings.get("folders") or "").split(",") if one.strip()}
        self._source, self._clock = configured.source, configured.clock
        # By folder, generation and number: what was read once need not be read again to be listed.
        self._known: dict[tuple[tuple[str, str, int], int], frozenset[str]] = {}

    def pull(self, cursor: Cursor | None) -> Iterator[Page]:
        """What is new in each folder; all of it where the server began to number a folder anew."""
        state = _state(cursor)
        for mailbox in self._mailboxes:
            began = self._clock()
            with session(self._server, mailbox.login, mailbox.secret) as asked:
                for read in self._folders(asked, mailbox):
                    yield from self._pulled(asked, read, state)
            last = mailbox is self._mailboxes[-1]
            yield Page((), _cursor(state), began if last else None)

    def _folders(self, asked: Session, mailbox: Mailbox) -> Iterator[_Read]:
        """The folders to read, each opened, and last those whose mails count as gone."""
        found = [(one, _use(one)) for one in asked.folders()]
        chosen = [
            (one, use)
            for one, use in found
            if use == "trash" or not self._wanted or _name(one) in self._wanted
        ]
        for folder, use in sorted(chosen, key=lambda one: one[1] in self._aside):
            yield _Read(mailbox, folder, use, asked.open(folder))

    def _pulled(self, asked: Session, read: _Read, state: _State) -> Iterator[Page]:
        known = state.setdefault(read.mailbox.key, {})
        begin = self._begin(read, known.get(read.place))
        for uids, parsed in self._pages(asked, read, begin):
            known[read.place] = [read.opened.validity, uids[-1] + 1]
            yield Page(parsed, _cursor(state), None, len(uids))
        reached = known.get(read.place, [0, 0])
        following = max(read.opened.following, reached[1] if reached[0] == read.opened.validity else 0)
        known[read.place] = [read.opened.validity, following]

    def _begin(self, read: _Read, reached: list[int] | None) -> int:
        """The number to go on from: the first, where the folder is new or numbered anew.

        What was thrown away before we came was never held by our word; what is since, was held until then.
        """
        known = reached is not None and reached[0] == read.opened.validity
        if read.use not in self._aside:
            return reached[1] if known and reached is not None else 1
        return reached[1] if known and reached is not None and read.use == "trash" else read.opened.following

    def _pages(self, asked: Session, read: _Read, begin: int) -> Iterator[tuple[list[int], list[Parsed]]]:
        """Mails from a number on, a page at a time: as items, or as held no more."""
        if read.opened.count == 0 or begin >= read.opened.following > 0:
            return
        sizes = asked.sizes(max(begin, 1))
        for uids in _together(sizes):
            parsed: list[Parsed] = [_too_long(read, uid, size) for uid, size in _longer(uids, sizes)]
            for one in asked.fetch([uid for uid in uids if sizes[uid] <= MOST_BYTES]):
                parsed += self._parsed(read, one)
            yield uids, parsed

    def _parsed(self, read: _Read, one: Fetched) -> list[Parsed]:
        if self._is_apart(one):
            return []
        mail = parse(one.raw)
        if isinstance(mail, Unparsed):
            return [Unread(f"{_name(read.folder)}, mail {one.uid}", one.raw[:2_000], mail.reason)]
        now = self._clock()
        held = held_by(read.mailbox, self._source, one.arrived or now, now)
        if read.use in self._aside:
            return list(released(mail, held))
        self._keep(read, one.uid, names_of(mail))
        return list(events_of(mail, held))

    def _is_apart(self, one: Fetched) -> bool:
        """Whether its owner has not sent it, or has marked it as deleted."""
        return "\\deleted" in one.flags or ("\\draft" in one.flags and "drafts" in self._aside)

    def _keep(self, read: _Read, uid: int, names: frozenset[str]) -> None:
        if len(self._known) < _MOST_KNOWN:
            self._known[read.key, uid] = names

    def sweep(self) -> Iterator[Listing]:
        """What all mailboxes hold. Whole only where every folder was listed and every mail in it read.

        Ids rest on what a mail says, so that a mail this process has not read yet is read for it.
        """
        at, before = self._clock(), self._seen()
        held: dict[str, set[str]] = {mailbox.owner: set() for mailbox in self._mailboxes}
        complete = not self._wanted
        for mailbox in self._mailboxes:
            with session(self._server, mailbox.login, mailbox.secret) as asked:
                complete &= self._hold(asked, mailbox, held[mailbox.owner])
        yield whole(held, before, at, self._source, complete=complete)
        gone = [
            key for key, names in self._known.items() if complete and names.isdisjoint(self._of(held, key))
        ]
        for key in gone:
            del self._known[key]

    def _of(self, held: Mapping[str, set[str]], key: tuple[tuple[str, str, int], int]) -> set[str]:
        return held[key[0][0].partition("=")[0]]

    def _seen(self) -> dict[str, set[str]]:
        """What this process has seen in the mailboxes so far, by owner; of what lay in the trash nothing."""
        found: dict[str, set[str]] = {}
        for key, names in self._known.items():
            found.setdefault(key[0][0].partition("=")[0], set()).update(names)
        return found

    def _hold(self, asked: Session, mailbox: Mailbox, found: set[str]) -> bool:
        """Add the items a mailbox holds, and say whether that is all of them."""
        complete = True
        for read in self._folders(asked, mailbox):
            if read.use not in self._aside and read.opened.count:
                sizes = asked.sizes(1)
                complete &= len(sizes) >= read.opened.count and not list(_longer(sizes, sizes))
                complete &= self._listed(asked, read, sizes, found)
        return complete

    def _listed(self, asked: Session, read: _Read, sizes: Mapping[int, int], found: set[str]) -> bool:
        """Add the items of these mails; whether none of them was gone by the time it was asked for."""
        unread = {uid: size for uid, size in sizes.items() if (read.key, uid) not in self._known}
        found.update(*(self._known[read.key, uid] for uid in sizes if uid not in unread))
        all_read = True
        for uids in _together({uid: size for uid, size in unread.items() if size <= MOST_BYTES}):
            got = list(asked.fetch(uids))
            all_read &= len(got) == len(uids)
            for one in got:
                found |= self._names(read, one)
        return all_read

    def _names(self, read: _Read, one: Fetched) -> frozenset[str]:
        mail = None if self._is_apart(one) else parse(one.raw)
        if not isinstance(mail, Mail):
            return frozenset()
        names = names_of(mail)
        self._keep(read, one.uid, names)
        return names


def _state(cursor: Cursor | None) -> _State:
    """How far each folder of each mailbox is read: its generation and the next number."""
    found: _State = {}
    boxes = (cursor or {}).get("mailboxes")
    for key, folders in (boxes if isinstance(boxes, Mapping) else {}).items():
        found[str(key)] = {
            str(name): [int(part) for part in place]
            for name, place in (folders if isinstance(folders, Mapping) else {}).items()
        }
    return found


def _cursor(state: _State) -> Cursor:
    return {"mailboxes": {key: {name: list(at) for name, at in one.items()} for key, one in state.items()}}


def _together(sizes: Mapping[int, int]) -> Iterator[list[int]]:
    """Numbers in order, as many as go well into one page."""
    page: list[int] = []
    weight = 0
    for uid, size in sizes.items():
        if page and (len(page) >= _MOST_MAILS or weight + size > _MOST_TOGETHER):
            yield page
            page, weight = [], 0
        page.append(uid)
        weight += size if size <= MOST_BYTES else 0
    if page:
        yield page


def _longer(uids: Iterable[int], sizes: Mapping[int, int]) -> Iterator[tuple[int, int]]:
    """Those that are too long to be read, with their sizes."""
    return ((uid, sizes[uid]) for uid in uids if sizes[uid] > MOST_BYTES)


def _too_long(read: _Read, uid: int, size: int) -> Unread:
    reason = f"it has {size} bytes, more than the limit of {MOST_BYTES}"
    return Unread(f"{_name(read.folder)}, mail {uid}", "", reason)


def _name(folder: Folder) -> str:
    """A folder's name as its owner reads it, from modified UTF-7 (RFC 3501, 5.1.3)."""
    said = folder.name[1:-1].replace(b'\\"', b'"').replace(b"\\\\", b"\\")
    parts = said.split(b"&")
    found = [parts[0].decode("utf-8", "replace")]
    for part in parts[1:]:
        coded, _, rest = part.partition(b"-")
        text = b"+" + coded.replace(b",", b"/") + b"-"
        found.append("&" if not coded else text.decode("utf-7", "replace"))
        found.append(rest.decode("utf-8", "replace"))
    return "".join(found)


def _use(folder: Folder) -> str:
    """What a folder is for, as the server says, else by what it is called."""
    said = next((use for flag, use in _USES.items() if flag in folder.flags), None)
    return said or _CALLED.get(_name(folder).rpartition("/")[2].casefold(), "")
