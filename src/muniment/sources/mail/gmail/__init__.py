"""Gmail mailboxes by the API: all of it once, then what its history says, then what is still there."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime

from muniment.domain.errors import Unavailable
from muniment.sources.connector import Configured, Cursor, Listing, Page
from muniment.sources.mail.gmail.api import Account, Json, account
from muniment.sources.mail.mailboxes import Mailbox, aside_of, held_by, mailboxes, names_of, whole
from muniment.sources.mail.message import Mail, Unparsed, parse
from muniment.sources.mail.told import events_of, released
from muniment.sources.parsed import Parsed, Unread

__all__ = ["Gmail", "connect"]

_BASE = "https://gmail.googleapis.com"
_LABELS = {"SPAM": "spam", "TRASH": "trash", "DRAFT": "drafts"}
_NO_MAIL = "CHAT"
_MOST_KNOWN = 200_000
_CHANGES = ("messagesAdded", "labelsAdded", "labelsRemoved")
_State = dict[str, dict[str, str]]


def connect(configured: Configured) -> Gmail:
    """The connector of these settings; Malformed where they say what cannot be."""
    return Gmail(configured)


class Gmail:
    """Every mailbox of the settings. Labels say where a mail lies, and never who may read it."""

    def __init__(self, configured: Configured) -> None:
        self._base = configured.settings.get("base_url") or _BASE
        self._mailboxes = mailboxes(configured, "token")
        self._aside = aside_of(configured)
        self._source, self._clock = configured.source, configured.clock
        # A mail of Gmail's never changes: what was read once need not be read again to be listed.
        self._known: dict[tuple[str, str], frozenset[str]] = {}

    @property
    def _takes_all(self) -> bool:
        return not {"spam", "trash"} <= self._aside

    def pull(self, cursor: Cursor | None) -> Iterator[Page]:
        """A mailbox met for the first time whole; of others what happened since."""
        state = _state(cursor)
        for mailbox in self._mailboxes:
            began = self._clock()
            with account(self._base, mailbox) as asked:
                place = state.setdefault(mailbox.key, {})
                if "history" not in place:
                    yield from self._backfill(asked, mailbox, state)
                yield from self._since(asked, mailbox, state)
            last = mailbox is self._mailboxes[-1]
            yield Page((), _cursor(state), began if last else None)

    def _backfill(self, asked: Account, mailbox: Mailbox, state: _State) -> Iterator[Page]:
        """Everything there is, from the page that was reached. What happens meanwhile is history by then."""
        place = state[mailbox.key]
        place.setdefault("began", _text(asked.profile(), "historyId"))
        while True:
            listed = asked.listed(place.get("page"), also=self._takes_all)
            names = _ids(listed.get("messages"))
            parsed = [event for name in names for event in self._parsed(asked, mailbox, name, is_new=True)]
            following = listed.get("nextPageToken")
            if not isinstance(following, str) or following == place.get("page"):
                break
            place["page"] = following
            yield Page(parsed, _cursor(state), None, len(names))
        state[mailbox.key] = {"history": place["began"]}
        yield Page(parsed, _cursor(state), None, len(names))

    def _since(self, asked: Account, mailbox: Mailbox, state: _State) -> Iterator[Page]:
        """What was added, and what went into the trash or came out of it."""
        since, page = state[mailbox.key]["history"], None
        while True:
            said = asked.history(since, page)
            changed = _changed(said.get("history"))
            parsed = [
                event
                for name, is_new in changed.items()
                for event in self._parsed(asked, mailbox, name, is_new=is_new)
            ]
            following = said.get("nextPageToken")
            more = isinstance(following, str) and following != page
            if not more:
                state[mailbox.key] = {"history": _text(said, "historyId")}
            if parsed or not more:
                yield Page(parsed, _cursor(state), None, len(changed))
            if not more:
                return
            page = str(following)

    def _parsed(self, asked: Account, mailbox: Mailbox, name: str, *, is_new: bool) -> list[Parsed]:
        """A mail as it lies now: held, held no more, or none of our business."""
        said = asked.mail(name)
        labels = set(_strings(said.get("labelIds"))) if said is not None else set()
        if said is None or _NO_MAIL in labels:
            return []
        is_aside = bool({_LABELS[one] for one in labels if one in _LABELS} & self._aside)
        if is_aside and (is_new or "DRAFT" in labels):
            return []
        raw = _raw(said)
        mail = parse(raw) if raw is not None else Unparsed("gmail gave no bytes of it")
        if isinstance(mail, Unparsed):
            return [Unread(f"gmail, mail {name}", (raw or b"")[:2_000], mail.reason)]
        self._keep(mailbox, name, names_of(mail))
        now = self._clock()
        held = held_by(mailbox, self._source, _arrived(said) or now, now)
        return list(released(mail, held)) if is_aside else list(events_of(mail, held))

    def _keep(self, mailbox: Mailbox, name: str, names: frozenset[str]) -> None:
        if len(self._known) < _MOST_KNOWN:
            self._known[mailbox.key, name] = names

    def sweep(self) -> Iterator[Listing]:
        """What all mailboxes hold; a mail this process has not read yet is read for its id."""
        at, before = self._clock(), dict(self._known)
        held: dict[str, set[str]] = {mailbox.owner: set() for mailbox in self._mailboxes}
        seen: dict[str, set[str]] = {}
        for (key, _), names in before.items():
            seen.setdefault(key.partition("=")[0], set()).update(names)
        for mailbox in self._mailboxes:
            with account(self._base, mailbox) as asked:
                listed = set(self._all(asked))
                held[mailbox.owner].update(*(self._names(asked, mailbox, name) for name in sorted(listed)))
            for gone in [one for one in before if one[0] == mailbox.key and one[1] not in listed]:
                del self._known[gone]
        yield whole(held, seen, at, self._source, complete=True)

    def _names(self, asked: Account, mailbox: Mailbox, name: str) -> frozenset[str]:
        if (known := self._known.get((mailbox.key, name))) is not None:
            return known
        said = asked.mail(name)
        raw = _raw(said) if said is not None else None
        mail = parse(raw) if raw is not None else None
        if said is None or not isinstance(mail, Mail) or "DRAFT" in _strings(said.get("labelIds")):
            return frozenset()
        self._keep(mailbox, name, names_of(mail))
        return names_of(mail)

    def _all(self, asked: Account) -> Iterator[str]:
        """The ids of all its mails, page by page to the end."""
        page: str | None = None
        while True:
            listed = asked.listed(page, also=self._takes_all)
            yield from _ids(listed.get("messages"))
            following = listed.get("nextPageToken")
            if not isinstance(following, str):
                return
            if following == page:
                raise Unavailable("gmail gives one page of its list again and again")
            page = following


def _state(cursor: Cursor | None) -> _State:
    boxes = (cursor or {}).get("mailboxes")
    return {
        str(key): {str(name): str(said) for name, said in place.items()}
        for key, place in (boxes if isinstance(boxes, Mapping) else {}).items()
        if isinstance(place, Mapping)
    }


def _cursor(state: _State) -> Cursor:
    return {"mailboxes": {key: dict(place) for key, place in state.items()}}


def _changed(history: object) -> dict[str, bool]:
    """Which mails to look at again, in order, and whether each is only new. A deleted one says nothing."""
    found: dict[str, bool] = {}
    for record in history if isinstance(history, list) else []:
        for kind in _CHANGES:
            said = record.get(kind) if isinstance(record, dict) else None
            for name in _ids([one.get("message") for one in _dicts(said)]):
                found[name] = found.get(name, True) and kind == "messagesAdded"
    return found


def _dicts(value: object) -> list[Json]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _ids(value: object) -> list[str]:
    return [name for one in _dicts(value) if isinstance(name := one.get("id"), str)]


def _strings(value: object) -> Iterable[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _text(said: Json, name: str) -> str:
    value = said.get(name)
    if not isinstance(value, (str, int)) or not str(value):
        raise Unavailable(f"gmail's reply has no {name}")
    return str(value)


def _raw(said: Json) -> bytes | None:
    raw = said.get("raw")
    try:
        return base64.urlsafe_b64decode(raw + "=" * (-len(raw) % 4)) if isinstance(raw, str) else None
    except (binascii.Error, ValueError):
        return None


def _arrived(said: Json) -> datetime | None:
    """When it came in, in milliseconds."""
    value = said.get("internalDate")
    digits = str(value) if isinstance(value, (str, int)) else ""
    return datetime.fromtimestamp(int(digits) / 1000, UTC) if digits.isdigit() and len(digits) < 14 else None
