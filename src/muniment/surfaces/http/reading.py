"""The verbs that read: each a call of the caller's own view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse

from muniment.domain.graph import Node
from muniment.domain.values import (
    Answer,
    Explain,
    History,
    Hit,
    Pack,
    Page,
    PageEntry,
    TimelineEntry,
    Value,
)
from muniment.surfaces.http.bodies import Asked, Expanded, Located, Tasked
from muniment.surfaces.http.callers import Caller
from muniment.surfaces.http.lists import Cursor, Limit, Listed, listed

if TYPE_CHECKING:
    from muniment.app import Org, View

__all__ = ["ROUTER", "told", "view_of"]

ROUTER = APIRouter(prefix="/v1", tags=["reading"])
Time = Annotated[str | None, Query(max_length=64, description="RFC 3339; default now")]
Names = Annotated[list[str] | None, Query(max_length=100)]


def told(value: Value) -> JSONResponse:
    """A value in the contract's JSON."""
    return JSONResponse(value.model_dump())


def view_of(
    request: Request,
    caller: Caller,
    as_of: str | None = None,
    known_at: str | None = None,
    hearers: Sequence[str] = (),
) -> View:
    """What the caller may know."""
    org: Org = request.app.state.org
    return org.reader(
        caller.principal, as_of=as_of, known_at=known_at, agent=caller.agent, hearers=tuple(hearers)
    )


@ROUTER.post("/ask", response_model=Answer)
def ask(request: Request, caller: Caller, body: Asked) -> JSONResponse:
    """An answer in one of three states, every sentence of it cited."""
    view = view_of(request, caller, body.as_of, body.known_at, body.hearers)
    return told(view.ask(body.question, entity=body.entity))


@ROUTER.post("/context", response_model=Pack)
def context(request: Request, caller: Caller, body: Tasked) -> JSONResponse:
    """The few things a task needs, inside a budget of tokens."""
    view = view_of(request, caller, body.as_of, body.known_at, body.hearers)
    return told(view.context(body.task, budget=body.budget, entity=body.entity, cursor=body.cursor))


@ROUTER.get("/search", response_model=Listed[Hit])
def search(
    request: Request,
    caller: Caller,
    q: Annotated[str, Query(max_length=100_000)],
    *,
    limit: Annotated[int, Query(ge=1, le=200)] = 10,
    unit: str = "item",
    kind: str | None = None,
    entity: str | None = None,
    after: Time = None,
    before: Time = None,
    as_of: Time = None,
    known_at: Time = None,
) -> JSONResponse:
    """The best matches, at most one for each unit: item, passage, claim or page."""
    view = view_of(request, caller, as_of, known_at)
    hits = view.search(q, limit=limit, unit=unit, kind=kind, entity=entity, after=after, before=before)
    return listed(hits, limit)


@ROUTER.get("/pages", response_model=Listed[PageEntry])
def pages(
    request: Request,
    caller: Caller,
    *,
    limit: Limit = 100,
    cursor: Cursor = None,
    as_of: Time = None,
    known_at: Time = None,
) -> JSONResponse:
    """Every entity there is a page of, for this caller."""
    return listed(view_of(request, caller, as_of, known_at).pages(), limit, cursor)


@ROUTER.get("/pages/{entity:path}", response_model=Page)
def page(
    request: Request, caller: Caller, entity: str, as_of: Time = None, known_at: Time = None
) -> JSONResponse:
    """Everything the caller may know of an entity, ordered."""
    return told(view_of(request, caller, as_of, known_at).page(entity))


@ROUTER.get("/timeline/{entity:path}", response_model=Listed[TimelineEntry])
def timeline(
    request: Request,
    caller: Caller,
    entity: str,
    *,
    limit: Limit = 500,
    cursor: Cursor = None,
    as_of: Time = None,
    known_at: Time = None,
) -> JSONResponse:
    """What happened to what is known of an entity, oldest first."""
    return listed(view_of(request, caller, as_of, known_at).timeline(entity), limit, cursor)


@ROUTER.post("/locate", response_model=Listed[Node])
def locate(request: Request, caller: Caller, body: Located) -> JSONResponse:
    """What words could mean: exact titles first, items before passages."""
    view = view_of(request, caller, body.as_of, body.known_at, body.hearers)
    found = view.locate(body.terms, body.within, limit=body.limit)
    return listed(found, body.limit)


@ROUTER.post("/expand", response_model=Node)
def expand(request: Request, caller: Caller, body: Expanded) -> JSONResponse:
    """A node with what it leads to."""
    view = view_of(request, caller, body.as_of, body.known_at, body.hearers)
    return told(view.expand(body.node, body.edges, body.hops, limit=body.limit))


@ROUTER.get("/citations/{id_}", response_model=Explain)
def explain(request: Request, caller: Caller, id_: str) -> JSONResponse:
    """The passage behind a citation, and why the caller may see it."""
    return told(view_of(request, caller).explain(id_))


@ROUTER.get("/claims/{id_}/history", response_model=Listed[History])
def history(
    request: Request, caller: Caller, id_: str, *, limit: Limit = 500, cursor: Cursor = None
) -> JSONResponse:
    """Every version of what the claim's slot held."""
    return listed(view_of(request, caller).history(id_), limit, cursor)
