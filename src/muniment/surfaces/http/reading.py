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
from muniment.surfaces.http.bodies import Asked, Expanded, Located, Moment, Part, Sought, Tasked
from muniment.surfaces.http.callers import Caller
from muniment.surfaces.http.lists import Listed, listed

if TYPE_CHECKING:
    from muniment.app import Org, View
    from muniment.domain.principals import Bearer

__all__ = ["ROUTER", "then", "told", "view_of"]

ROUTER = APIRouter(prefix="/v1", tags=["reading"])
FRESH = "At-Least-As-Fresh"


def told(value: Value) -> JSONResponse:
    """A value in the contract's JSON."""
    return JSONResponse(value.model_dump())


def view_of(
    request: Request,
    caller: Bearer,
    as_of: str | None = None,
    known_at: str | None = None,
    hearers: Sequence[str] = (),
    fresh: str | None = None,
) -> View:
    """What the caller may know."""
    org: Org = request.app.state.org
    return org.reader(
        caller.principal,
        as_of=as_of,
        known_at=known_at,
        agent=caller.agent,
        hearers=tuple(hearers),
        at_least_as_fresh=fresh or request.headers.get(FRESH),
    )


def then(request: Request, caller: Bearer, moment: Moment) -> View:
    """The same at the moment a request is about, for whoever hears it."""
    return view_of(request, caller, moment.as_of, moment.known_at, moment.hearers, moment.at_least_as_fresh)


@ROUTER.post("/ask", response_model=Answer)
def ask(request: Request, caller: Caller, body: Asked) -> JSONResponse:
    """An answer in one of three states, every sentence of it cited."""
    view = then(request, caller, body)
    return told(view.ask(body.question, entity=body.entity))


@ROUTER.post("/context", response_model=Pack)
def context(request: Request, caller: Caller, body: Tasked) -> JSONResponse:
    """The few things a task needs, inside a budget of tokens."""
    view = then(request, caller, body)
    return told(view.context(body.task, budget=body.budget, entity=body.entity, cursor=body.cursor))


@ROUTER.get("/search", response_model=Listed[Hit])
def search(
    request: Request,
    caller: Caller,
    sought: Annotated[Sought, Query()],
) -> JSONResponse:
    """The best matches, at most one for each unit: item, passage, claim or page."""
    view = then(request, caller, sought)
    how = sought.model_dump(include={"limit", "unit", "kind", "entity", "after", "before"})
    return listed(view.search(sought.q, **how), sought.limit)


@ROUTER.get("/pages", response_model=Listed[PageEntry])
def pages(
    request: Request,
    caller: Caller,
    part: Annotated[Part, Query()],
) -> JSONResponse:
    """Every entity there is a page of, for this caller."""
    return listed(then(request, caller, part).pages(), part.limit, part.cursor)


@ROUTER.get("/pages/{entity:path}", response_model=Page)
def page(request: Request, caller: Caller, entity: str, moment: Annotated[Moment, Query()]) -> JSONResponse:
    """Everything the caller may know of an entity, ordered."""
    return told(then(request, caller, moment).page(entity))


@ROUTER.get("/timeline/{entity:path}", response_model=Listed[TimelineEntry])
def timeline(
    request: Request,
    caller: Caller,
    entity: str,
    part: Annotated[Part, Query()],
) -> JSONResponse:
    """What happened to what is known of an entity, oldest first."""
    return listed(then(request, caller, part).timeline(entity), part.limit, part.cursor)


@ROUTER.post("/locate", response_model=Listed[Node])
def locate(request: Request, caller: Caller, body: Located) -> JSONResponse:
    """What words could mean: exact titles first, items before passages."""
    view = then(request, caller, body)
    found = view.locate(body.terms, body.within, limit=body.limit)
    return listed(found, body.limit)


@ROUTER.post("/expand", response_model=Node)
def expand(request: Request, caller: Caller, body: Expanded) -> JSONResponse:
    """A node with what it leads to."""
    view = then(request, caller, body)
    return told(view.expand(body.node, body.edges, body.hops, limit=body.limit))


@ROUTER.get("/citations/{id_}", response_model=Explain)
def explain(request: Request, caller: Caller, id_: str, moment: Annotated[Moment, Query()]) -> JSONResponse:
    """The passage behind a citation, and why the caller may see it."""
    return told(then(request, caller, moment).explain(id_))


@ROUTER.get("/claims/{id_}/history", response_model=Listed[History])
def history(request: Request, caller: Caller, id_: str, part: Annotated[Part, Query()]) -> JSONResponse:
    """Every version of what the claim's slot held."""
    return listed(then(request, caller, part).history(id_), part.limit, part.cursor)
