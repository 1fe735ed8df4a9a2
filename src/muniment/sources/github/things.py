"""Issues, pull requests, comments, reviews, discussions and releases as events. Pure.

Only fields that a webhook and the REST interface both give are read, so that one state of a thing is one
event whatever way it came. An id begins with its repository and kind, which a sweep is bounded by.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from muniment.sources.parsed import Event, Parsed, Unread
from muniment.sources.wire import told
from muniment.sources.wire.stamps import after_texts, of_text, sortable_time
from muniment.sources.wire.told import Object

__all__ = [
    "Kind",
    "Place",
    "deleted",
    "id_of",
    "moved",
    "number_in",
    "person",
    "reopened",
    "told_of",
]

Kind = Literal["issue", "comment", "commit", "review", "line", "discussion", "remark", "release"]
_THREADED: Final = frozenset(("issue", "discussion"))
_REASONS: Final[Mapping[str, str]] = {"not_planned": "not planned", "duplicate": "duplicate"}


@dataclass(frozen=True, slots=True)
class Place:
    """A repository: the node id it keeps when it is renamed or handed over, and its name today."""

    source: str
    repository: str
    name: str | None = None

    @classmethod
    def of(cls, source: str, repository: Object) -> Place | None:
        """The repository an object describes; None where it has no id."""
        node = told.name(repository, "node_id")
        return None if node is None else cls(source, node, told.name(repository, "full_name"))


def person(source: str, user: Object) -> str | None:
    """A principal from a user or a bot; None for a ghost, whose account is gone.

    A directory says who that is by the alias `SOURCE:NUMBER`, such as `github:583231`.
    """
    number = told.whole(user, "id")
    if number is None or told.text(user, "login") == "ghost":
        return None
    kind = "service" if told.text(user, "type") == "Bot" else "user"
    return f"{kind}:{source}:{number}"


def id_of(place: Place, kind: Kind, thing: Object) -> str | None:
    """The item's id; None where the thing has none."""
    node = told.name(thing, "node_id")
    return None if node is None else f"{place.repository}/{kind}/{node}"


def number_in(thing: Object) -> str | None:
    """The number of the issue, pull request or discussion that a thing is, or stands under."""
    own = told.name(thing, "number")
    if own is not None:
        return own
    for field in ("issue_url", "pull_request_url", "html_url"):
        pieces = (told.text(thing, field) or "").partition("#")[0].rstrip("/").split("/")
        if len(pieces) > 2 and pieces[-1].isdecimal() and pieces[-2] in _NUMBERED:
            return pieces[-1]
    return None


_NUMBERED: Final = frozenset(("issues", "pulls", "pull", "discussions"))


def told_of(place: Place, kind: Kind, thing: Object) -> Iterator[Parsed]:
    """The thing as it stands: its text, and the state it is in where that is one to tell."""
    id_, at = id_of(place, kind, thing), _stands_since(thing)
    if id_ is None or at is None:
        yield Unread(f"{place.name}, {kind} {told.name(thing, 'id')}", told.written(thing), _LACKS)
        return
    upsert = {
        "source": place.source,
        "id": id_,
        "op": "upsert",
        "at": at,
        "container": place.repository,
        "media": "text/markdown",
        **_words(place, kind, thing),
    }
    yield {**upsert, "version": of_text(at, upsert)}
    yield from _state(place, kind, thing, id_)


_LACKS: Final = "it has no node_id or no time, so that it cannot be told from another"


def _stands_since(thing: Object) -> str | None:
    fields = ("updated_at", "submitted_at", "published_at", "created_at")
    times = [at for field in fields if (at := told.instant(thing, field)) is not None]
    return times[0] if times else None


def _words(place: Place, kind: Kind, thing: Object) -> dict[str, object]:
    user = told.part(thing, "author" if kind == "release" else "user")
    body, is_cut = told.clipped(told.text(thing, "body") or "")
    number = number_in(thing)
    known: dict[str, object] = {
        "kind": _KIND_OF.get(kind, "message"),
        "title": _title(kind, thing),
        "body": body,
        "author": person(place.source, user),
        "author_name": told.name(user, "login") or "ghost",
        "created_at": told.instant(thing, "created_at") or told.instant(thing, "submitted_at"),
        "thread": None if number is None else f"{place.repository}#{number}",
        "project": place.name,
        "url": told.text(thing, "html_url"),
        "labels": _labels(place, thing, number),
        "participants": _assigned(place, thing),
        "metadata": {"truncated": True} if is_cut else None,
    }
    if kind == "issue" and _is_pull(thing):
        known["kind"] = "pull_request"
    return {name: value for name, value in known.items() if value not in (None, [], {})}


_KIND_OF: Final[Mapping[str, str]] = {"issue": "issue", "release": "document"}


def _title(kind: Kind, thing: Object) -> str | None:
    if kind == "release":
        return told.text(thing, "name") or told.text(thing, "tag_name")
    return told.text(thing, "title") if kind in _THREADED else None


def _is_pull(thing: Object) -> bool:
    """A pull request by itself has a head; among issues it points to one."""
    return bool(told.part(thing, "pull_request")) or bool(told.part(thing, "head"))


def _labels(place: Place, thing: Object, number: str | None) -> dict[str, object]:
    names = sorted({name for one in told.listed(thing, "labels") if (name := told.name(one, "name"))})
    return {
        key: value
        for key, value in (
            ("repository", place.name),
            ("number", number),
            ("label", names),
            ("milestone", told.name(thing, "milestone", "title")),
            ("category", told.name(thing, "category", "name")),
            ("path", told.text(thing, "path")),
            ("tag", told.name(thing, "tag_name")),
            ("locked", "yes" if thing.get("locked") is True else None),
        )
        if value
    }


def _assigned(place: Place, thing: Object) -> list[str]:
    assigned = told.listed(thing, "assignees")
    return sorted({who for one in assigned if (who := person(place.source, one))})


# States


def _state(place: Place, kind: Kind, thing: Object, id_: str) -> Iterator[Event]:
    if kind == "review":
        yield from _ruling(place, thing, id_)
    elif kind in _THREADED:
        yield from _closing(place, thing, id_)


def _closing(place: Place, thing: Object, id_: str) -> Iterator[Event]:
    closed, updated = told.instant(thing, "closed_at"), told.instant(thing, "updated_at")
    answered = told.instant(thing, "answer_chosen_at")
    if told.text(thing, "state") == "closed":
        yield _close(place, id_, _how(thing), closed or updated)
    elif answered is not None:
        yield _close(place, id_, "answered", answered)
    elif told.text(thing, "state_reason") == "reopened":
        yield from reopened(place, id_, updated)


def _how(thing: Object) -> str:
    merged = told.instant(thing, "merged_at") or told.instant(thing, "pull_request", "merged_at")
    return "merged" if merged else _REASONS.get(told.text(thing, "state_reason") or "", "closed")


def reopened(place: Place, id_: str, at: str | None) -> Iterator[Event]:
    """That it is open again; nothing where no time is known."""
    if at is not None:
        yield _close(place, id_, "open", at)


def _ruling(place: Place, thing: Object, id_: str) -> Iterator[Event]:
    """What a review decided. Its time stays when it is dismissed, which is why that ranks later."""
    said, at = (told.name(thing, "state") or "").casefold(), told.instant(thing, "submitted_at")
    if said in _RULINGS and at is not None:
        yield _close(place, id_, said.replace("_", " "), at, rank=int(said == "dismissed"))


_RULINGS: Final = frozenset(("approved", "changes_requested", "dismissed"))


def _close(place: Place, id_: str, state: str, at: str | None, rank: int = 0) -> Event:
    stamp = {} if at is None else {"at": at, "version": after_texts(at, rank)}
    return {"source": place.source, "id": id_, "op": "close", "state": state, **stamp}


# Going away


def deleted(place: Place, kind: Kind, thing: Object) -> Iterator[Event]:
    """That it is gone, as of the last state it had: a deletion carries no time of its own."""
    id_, at = id_of(place, kind, thing), _stands_since(thing)
    if id_ is not None and at is not None:
        yield {
            "source": place.source, "id": id_, "op": "delete", "at": at, "version": after_texts(at, 9),
        }  # fmt: skip


def moved(place: Place, kind: Kind, thing: Object, there: Place, anew: Object) -> Iterator[Parsed]:
    """That it went to another repository under a new id, where it stands as it does now.

    The new id is moved there as well: what it was before comes along, and may count as later than its first
    text there; it must not be read by whom the old repository lets read.
    """
    old, new, at = id_of(place, kind, thing), id_of(there, kind, anew), _stands_since(thing)
    if old is None or new is None or at is None:
        return
    number = number_in(anew)
    where = {
        "container": there.repository,
        **({} if number is None else {"thread": f"{there.repository}#{number}"}),
    }
    latest = max(at, _stands_since(anew) or at, key=sortable_time)
    yield _move(place.source, old, {"id": new, **where}, at)
    yield _move(place.source, new, where, latest)
    yield from told_of(there, kind, anew)


def _move(source: str, id_: str, to: dict[str, str], at: str) -> Event:
    return {"source": source, "id": id_, "op": "move", "at": at, "version": after_texts(at, 8), "to": to}
