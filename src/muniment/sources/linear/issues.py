"""Linear's issues and comments as events, as its exports and its webhooks give them. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from muniment.sources.parsed import Event, Parsed, Unread
from muniment.sources.wire import told
from muniment.sources.wire.stamps import after_texts, of_text
from muniment.sources.wire.told import Object

__all__ = ["comment_told", "gone", "issue_told", "states_in", "team_of"]

_LACKS: Final = "it has no id or no time, so that it cannot be told from another"
_OVER: Final = frozenset(("completed", "canceled", "cancelled"))


def team_of(thing: Object) -> str | None:
    """The key of the team: said, or the beginning of the identifier, which may stand in the address."""
    for where in (thing, told.part(thing, "issue")):
        said = told.name(where, "team", "key")
        identifier = told.name(where, "identifier") or _identifier_in(told.text(where, "url") or "")
        if said or identifier:
            return said or (identifier or "").rpartition("-")[0] or None
    return None


def _identifier_in(url: str) -> str | None:
    pieces = url.partition("#")[0].split("/")
    place = pieces.index("issue") if "issue" in pieces else len(pieces)
    return pieces[place + 1] if place + 1 < len(pieces) else None


def _person(source: str, thing: Object, role: str) -> str | None:
    """A principal; a directory says who that is by the alias `SOURCE:ID`."""
    id_ = told.name(thing, role, "id") or told.name(thing, f"{role}Id")
    if id_ is None:
        return None
    return f"user:{id_}" if "@" in id_ else f"user:{source}:{id_}"  # tables have addresses for ids


def issue_told(source: str, issue: Object) -> Iterator[Parsed]:
    """The issue's text as it stands. What state it is in is another event."""
    id_, at = told.name(issue, "id"), _stands_since(issue)
    if id_ is None or at is None:
        yield Unread(f"issue {told.name(issue, 'identifier')}", told.written(issue), _LACKS)
        return
    identifier, title = told.name(issue, "identifier"), told.text(issue, "title") or ""
    assignee = _person(source, issue, "assignee")
    yield _upsert(source, f"issue/{id_}", at, {
        "kind": "issue",
        "title": f"{identifier}: {title}" if identifier else title,
        "body": told.text(issue, "description") or "",
        "author": _person(source, issue, "creator"),
        "created_at": told.instant(issue, "createdAt"),
        "container": team_of(issue),
        "thread": f"issue/{id_}",
        "project": told.name(issue, "project", "name"),
        "participants": None if assignee is None else [assignee],
        "url": told.text(issue, "url"),
        "labels": _labels(issue),
    })  # fmt: skip


def _labels(issue: Object) -> dict[str, object]:
    listed = told.listed(issue, "labels") or told.listed(issue, "labels", "nodes")
    known: dict[str, object] = {
        "key": told.name(issue, "identifier"),
        "team": told.name(issue, "team", "name"),
        "priority": told.name(issue, "priorityLabel"),
        "due": told.name(issue, "dueDate"),
        "label": sorted({name for one in listed if (name := told.name(one, "name"))}),
    }
    return {name: value for name, value in known.items() if value}


def comment_told(source: str, comment: Object) -> Iterator[Parsed]:
    """A comment as it stands."""
    id_, at = told.name(comment, "id"), _stands_since(comment)
    if id_ is None or at is None:
        yield Unread(f"comment {id_}", told.written(comment), _LACKS)
        return
    issue = told.name(comment, "issueId") or told.name(comment, "issue", "id")
    yield _upsert(source, f"comment/{id_}", at, {
        "kind": "message",
        "body": told.text(comment, "body") or "",
        "author": _person(source, comment, "user"),
        "author_name": told.name(comment, "user", "name"),
        "created_at": told.instant(comment, "createdAt"),
        "container": team_of(comment),
        "thread": None if issue is None else f"issue/{issue}",
        "url": told.text(comment, "url"),
    })  # fmt: skip


def _upsert(source: str, id_: str, at: str, words: dict[str, object]) -> Event:
    body, is_cut = told.clipped(str(words["body"]))
    known = {name: value for name, value in words.items() if value not in (None, {})}
    cut = {"metadata": {"truncated": True}} if is_cut else {}
    upsert = {
        "source": source, "id": id_, "op": "upsert", "at": at, "media": "text/markdown",
        **known, "body": body, **cut,
    }  # fmt: skip
    return {**upsert, "version": of_text(at, upsert)}


def _stands_since(thing: Object) -> str | None:
    return told.instant(thing, "updatedAt") or told.instant(thing, "createdAt")


def states_in(source: str, issue: Object, before: Object, *, whole: bool) -> Iterator[Event]:
    """What state it is in: that it is over, or that it is in another state than before.

    whole: whether it stands alone, as in an export, and no delivery has told of its changes.
    """
    id_, at, state = told.name(issue, "id"), _stands_since(issue), told.name(issue, "state", "name")
    ended = told.instant(issue, "completedAt") or told.instant(issue, "canceledAt")
    is_over = (told.text(issue, "state", "type") or "") in _OVER or ended is not None
    if id_ is None or at is None or state is None:
        return
    if is_over or whole or "stateId" in before:
        since = ended or at if is_over else at
        yield {
            "source": source, "id": f"issue/{id_}", "op": "close", "at": since, "version": after_texts(since),
            "state": state.casefold(),
        }  # fmt: skip


def gone(source: str, kind: str, thing: Object) -> Iterator[Event]:
    """That an issue or comment is gone, as of when it was changed last."""
    id_, at = told.name(thing, "id"), _stands_since(thing)
    if id_ is not None and at is not None:
        yield {
            "source": source, "id": f"{kind}/{id_}", "op": "delete", "at": at, "version": after_texts(at, 9),
        }  # fmt: skip
