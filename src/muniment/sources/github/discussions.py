"""Discussions, which only GitHub's GraphQL interface lists, in the form that webhooks give them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from muniment.domain.errors import Unavailable
from muniment.sources.github.things import Place
from muniment.sources.wire import told
from muniment.sources.wire.ask import Asked
from muniment.sources.wire.told import Object

__all__ = ["discussions"]

_WHO: Final = (
    "author{__typename login ... on User{databaseId} ... on Bot{databaseId} ... on Organization{databaseId}}"
)
_REMARK: Final = f"id body url createdAt updatedAt {_WHO}"
_QUERY: Final = (
    "query($owner:String!,$name:String!,$after:String){repository(owner:$owner,name:$name){"
    "discussions(first:25,after:$after,orderBy:{field:UPDATED_AT,direction:DESC}){"
    "pageInfo{hasNextPage endCursor} nodes{id number title body url createdAt updatedAt closed closedAt "
    f"stateReason answerChosenAt locked category{{name}} labels(first:50){{nodes{{name}}}} {_WHO} "
    f"comments(first:100){{nodes{{{_REMARK} replies(first:100){{nodes{{{_REMARK}}}}}}}}}}}}}}}}}"
)


def discussions(asked: Asked, place: Place, since: str | None) -> Iterator[list[tuple[Object, list[Object]]]]:
    """Pages of discussions with all that was said in them, the latest changed first, down to `since`.

    Of one discussion the first hundred comments and of each the first hundred replies are read.
    """
    after: str | None = None
    while True:
        found = _page(asked, place, after)
        nodes = told.listed(found, "nodes")
        new = [one for one in nodes if since is None or (told.instant(one, "updatedAt") or "") >= since]
        yield [(_discussion(one), list(_remarks(one))) for one in new]
        onward = told.text(found, "pageInfo", "endCursor")
        going = told.part(found, "pageInfo").get("hasNextPage") is True
        if not going or onward in (None, after) or len(new) < len(nodes):
            return
        after = onward


def _page(asked: Asked, place: Place, after: str | None) -> Object:
    owner, _, name = (place.name or "").partition("/")
    said = {"query": _QUERY, "variables": {"owner": owner, "name": name, "after": after}}
    reply = asked.post("graphql", said)
    found = told.part(reply.json(), "data", "repository", "discussions")
    if reply.status >= 400 or not found:
        raise Unavailable(f"source {asked.source!r}: discussions of {place.name!r} cannot be read")
    return found


def _discussion(node: Object) -> Object:
    closed = node.get("closed") is True
    return {
        **_common(node),
        "title": node.get("title"),
        "number": node.get("number"),
        "category": node.get("category"),
        "labels": list(told.listed(node, "labels", "nodes")),
        "locked": node.get("locked"),
        "answer_chosen_at": node.get("answerChosenAt"),
        "state": "closed" if closed else "open",
        "closed_at": node.get("closedAt"),
        "state_reason": (told.text(node, "stateReason") or "").casefold() or None,
    }


def _remarks(node: Object) -> Iterator[Object]:
    for one in told.listed(node, "comments", "nodes"):
        yield _common(one)
        for reply in told.listed(one, "replies", "nodes"):
            yield _common(reply)


def _common(node: Object) -> Mapping[str, object]:
    who = told.part(node, "author")
    return {
        "node_id": node.get("id"),
        "body": node.get("body"),
        "html_url": node.get("url"),
        "created_at": node.get("createdAt"),
        "updated_at": node.get("updatedAt"),
        "user": {
            "login": who.get("login"), "id": who.get("databaseId"), "type": who.get("__typename"),
        } if who else None,
    }  # fmt: skip
