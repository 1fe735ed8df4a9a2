"""Jira's issues and comments as events, as its REST interface, exports and webhooks give them. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from muniment.sources.jira.adf import as_text
from muniment.sources.parsed import Event, Parsed, Unread
from muniment.sources.wire import told
from muniment.sources.wire.stamps import after_texts, of_text
from muniment.sources.wire.told import Object

__all__ = ["comment_gone", "comment_told", "container_of", "issue_gone", "issue_told", "states_in"]

_LACKS: Final = "it has no id or no time, so that it cannot be told from another"


def container_of(issue: Object) -> str | None:
    """The key of the issue's project, which every form of Jira's exports has."""
    key = told.name(issue, "fields", "project", "key")
    whole = told.name(issue, "key") or ""
    return key or (whole.rpartition("-")[0] or None)


def person(source: str, user: Object) -> str | None:
    """A principal; a directory says who that is by the alias `SOURCE:ID`."""
    id_ = told.name(user, "accountId") or told.name(user, "key") or told.name(user, "name")
    kind = "service" if told.text(user, "accountType") == "app" else "user"
    return None if id_ is None else f"{kind}:{source}:{id_}"


def _id_of(issue: Object) -> str | None:
    id_ = told.name(issue, "id")
    return None if id_ is None else f"issue/{id_}"


def issue_told(source: str, issue: Object) -> Iterator[Parsed]:
    """The issue's text as it stands. What state it is in is another event."""
    id_ = _id_of(issue)
    at = told.instant(issue, "fields", "updated") or told.instant(issue, "fields", "created")
    if id_ is None or at is None:
        yield Unread(f"issue {told.name(issue, 'key')}", told.written(issue), _LACKS)
        return
    upsert = {"source": source, "id": id_, "op": "upsert", "at": at, **_words(source, issue, id_)}
    yield {**upsert, "version": of_text(at, upsert)}


def _words(source: str, issue: Object, id_: str) -> dict[str, object]:
    fields = told.part(issue, "fields")
    author = told.part(fields, "reporter") or told.part(fields, "creator")
    body, is_cut = told.clipped(as_text(fields.get("description")))
    key, summary = told.name(issue, "key"), told.text(fields, "summary") or ""
    assignee = person(source, told.part(fields, "assignee"))
    known: dict[str, object] = {
        "kind": "issue",
        "title": f"{key}: {summary}" if key else summary,
        "body": body,
        "author": person(source, author),
        "author_name": told.name(author, "displayName"),
        "created_at": told.instant(fields, "created"),
        "container": container_of(issue),
        "thread": id_,
        "project": told.name(fields, "project", "name") or told.name(fields, "project", "key"),
        "participants": [] if assignee is None else [assignee],
        "labels": _labels(issue),
        "audience": _secured(source, fields),
        "metadata": {"truncated": True} if is_cut else None,
    }
    return {name: value for name, value in known.items() if value not in (None, [], {})}


def _labels(issue: Object) -> dict[str, object]:
    fields = told.part(issue, "fields")
    labels = fields.get("labels")
    names = sorted({one for one in labels if isinstance(one, str)}) if isinstance(labels, list) else []
    known = {
        "key": told.name(issue, "key"),
        "type": told.name(fields, "issuetype", "name"),
        "priority": told.name(fields, "priority", "name"),
        "due": told.name(fields, "duedate"),
        "label": names,
    }
    return {name: value for name, value in known.items() if value}


def _secured(source: str, fields: Object) -> list[list[str]] | None:
    """An issue with a security level is read by those of that level, whom a directory has to name."""
    level = told.name(fields, "security", "id") or told.name(fields, "security", "name")
    if level is not None:
        return [[f"group:{source}:security/{level}"]]
    # A level in a form we do not know is one all the same.
    return [[f"group:{source}:security"]] if fields.get("security") else None


# States


def states_in(source: str, issue: Object, changelog: Object, *, whole: bool) -> Iterator[Event]:
    """What state it is in: that it is done, or that it is in another state than before.

    whole: whether it stands alone, as in an export, and no delivery has told of its changes.
    """
    id_, updated = _id_of(issue), told.instant(issue, "fields", "updated")
    state = told.name(issue, "fields", "status", "name")
    if id_ is None or updated is None or state is None:
        return
    settled = told.instant(issue, "fields", "resolutiondate")
    turned = told.instant(issue, "fields", "statuscategorychangedate")
    if told.text(issue, "fields", "status", "statusCategory", "key") == "done" or settled is not None:
        yield _close(source, id_, state, settled or turned or updated)
    elif any(told.text(one, "field") == "status" for one in told.listed(changelog, "items")):
        yield _close(source, id_, state, updated)
    elif whole:
        yield _close(source, id_, state, turned or updated)


def _close(source: str, id_: str, state: str, at: str) -> Event:
    version = after_texts(at)
    return {
        "source": source, "id": id_, "op": "close", "at": at, "version": version, "state": state.casefold(),
    }  # fmt: skip


# Comments


def comment_told(source: str, comment: Object, issue: Object) -> Iterator[Parsed]:
    """A comment as it stands. One for a role or a group is read by that alone."""
    id_ = told.name(comment, "id")
    at = told.instant(comment, "updated") or told.instant(comment, "created")
    if id_ is None or at is None:
        yield Unread(f"comment of {told.name(issue, 'key')}", told.written(comment), _LACKS)
        return
    author = told.part(comment, "author")
    body, is_cut = told.clipped(as_text(comment.get("body")))
    known: dict[str, object] = {
        "kind": "message",
        "body": body,
        "author": person(source, author),
        "author_name": told.name(author, "displayName"),
        "created_at": told.instant(comment, "created"),
        "container": container_of(issue),
        "thread": _id_of(issue),
        "project": told.name(issue, "fields", "project", "name"),
        "labels": {"key": told.name(issue, "key")} if told.name(issue, "key") else None,
        "audience": _restricted(source, comment, issue),
        "metadata": {"truncated": True} if is_cut else None,
    }
    upsert = {
        "source": source, "id": f"comment/{id_}", "op": "upsert", "at": at,
        **{name: value for name, value in known.items() if value not in (None, {})},
    }  # fmt: skip
    yield {**upsert, "version": of_text(at, upsert)}


def _restricted(source: str, comment: Object, issue: Object) -> list[list[str]] | None:
    """The clauses of a comment that not everybody in its project reads."""
    clauses = _secured(source, told.part(issue, "fields")) or []
    if comment.get("visibility"):
        kind = told.name(comment, "visibility", "type") or "unknown"
        name = told.name(comment, "visibility", "value") or "unknown"
        scope = f"{container_of(issue)}/" if kind == "role" else ""  # roles are a project's own
        clauses.append([f"group:{source}:{kind}/{scope}{name}"])
    return clauses or None


# Going away


def issue_gone(source: str, issue: Object) -> Iterator[Event]:
    """That an issue is gone, and its comments with it, as far as it came with them."""
    at = told.instant(issue, "fields", "updated") or told.instant(issue, "fields", "created")
    if (id_ := _id_of(issue)) is not None and at is not None:
        yield _gone(source, id_, at)
    for comment in told.listed(issue, "fields", "comment", "comments"):
        yield from comment_gone(source, comment)


def comment_gone(source: str, comment: Object) -> Iterator[Event]:
    """That a comment is gone, as of when it was changed last."""
    at = told.instant(comment, "updated") or told.instant(comment, "created")
    if (id_ := told.name(comment, "id")) is not None and at is not None:
        yield _gone(source, f"comment/{id_}", at)


def _gone(source: str, id_: str, at: str) -> Event:
    return {"source": source, "id": id_, "op": "delete", "at": at, "version": after_texts(at, 9)}
