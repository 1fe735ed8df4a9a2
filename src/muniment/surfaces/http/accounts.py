"""Accounts over HTTP: what is owed, what to tread lightly on, what hands one over; and tasks kept."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, PlainTextResponse

from muniment.domain.accounts import Checkpoint, Commitment, Handoff, Landmine, SignOff
from muniment.surfaces.http.bodies import Moment, Paged, Part, Signed, Stated
from muniment.surfaces.http.callers import Caller
from muniment.surfaces.http.lists import Listed, listed
from muniment.surfaces.http.reading import then, told, view_of

__all__ = ["ROUTER"]

ROUTER = APIRouter(prefix="/v1", tags=["accounts"])


@ROUTER.get("/accounts/{account:path}/handoff", response_model=Handoff)
def handoff(request: Request, caller: Caller, account: str, paged: Annotated[Paged, Query()]) -> JSONResponse:
    """One page for whoever takes the account over, every line cited."""
    return told(then(request, caller, paged).handoff(account, budget=paged.budget))


@ROUTER.post("/accounts/{account:path}/handoff", response_model=SignOff)
def sign(request: Request, caller: Caller, account: str, body: Signed) -> JSONResponse:
    """Sign the page that `seen` stands for; 409 where it says something else by now."""
    return told(view_of(request, caller, body.as_of).sign_handoff(account, body.seen, budget=body.budget))


@ROUTER.get("/accounts/{account:path}/commitments", response_model=Listed[Commitment])
def commitments(
    request: Request, caller: Caller, account: str, part: Annotated[Part, Query()]
) -> JSONResponse:
    """Who owes what to whom, overdue first."""
    return listed(then(request, caller, part).commitments(account), part.limit, part.cursor)


@ROUTER.get("/accounts/{account:path}/landmines", response_model=Listed[Landmine])
def landmines(request: Request, caller: Caller, account: str, part: Annotated[Part, Query()]) -> JSONResponse:
    """What to know before a subject is opened again."""
    return listed(then(request, caller, part).landmines(account), part.limit, part.cursor)


@ROUTER.get("/accounts/{account:path}/due.ics", response_class=PlainTextResponse)
def due_days(
    request: Request, caller: Caller, account: str, moment: Annotated[Moment, Query()]
) -> PlainTextResponse:
    """The days of open commitments, as an iCalendar file."""
    text = then(request, caller, moment).due_days(account)
    return PlainTextResponse(text, media_type="text/calendar; charset=utf-8")


@ROUTER.put("/checkpoints/{task:path}", response_model=Checkpoint)
def checkpoint(request: Request, caller: Caller, task: str, body: Stated) -> JSONResponse:
    """Keep how far a task has come, for the caller alone."""
    return told(view_of(request, caller).checkpoint(task, body.state))


@ROUTER.get("/checkpoints/{task:path}", response_model=Checkpoint)
def resume(request: Request, caller: Caller, task: str) -> JSONResponse:
    """The state in which the caller left a task."""
    return told(view_of(request, caller).resume(task))
