"""The steward's verbs, refused to anybody else as if they were not there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, PlainTextResponse
from pydantic import BaseModel, ConfigDict, Field

from muniment.domain.errors import Refused
from muniment.domain.values import Candidate, Status
from muniment.surfaces.http.bodies import Part
from muniment.surfaces.http.callers import Caller
from muniment.surfaces.http.lists import Listed, listed
from muniment.surfaces.http.reading import told

if TYPE_CHECKING:
    from muniment.app import Org, Steward
    from muniment.domain.principals import Bearer
    from muniment.surfaces.http.metrics import Counted

__all__ = ["ROUTER", "steward_of"]

ROUTER = APIRouter(tags=["steward"])


class Decided(BaseModel):
    """What a steward decides about a candidate; `seen` binds an approval to what they were shown."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    act: Literal["approve", "reject", "hold"]
    reason: Annotated[str, Field(max_length=2_000)] = ""
    seen: str | None = None


def steward_of(request: Request, caller: Bearer) -> Steward:
    """The caller's desk; Refused where they are no steward, or come through an agent."""
    org: Org = request.app.state.org
    if caller.agent is not None:
        raise Refused("an agent sits at nobody's desk")
    return org.steward(caller.principal)


@ROUTER.get("/v1/candidates", response_model=Listed[Candidate])
def candidates(request: Request, caller: Caller, part: Annotated[Part, Query()]) -> JSONResponse:
    """Every rule that waits for a decision and that this steward may read."""
    return listed(steward_of(request, caller).candidates(), part.limit, part.cursor)


@ROUTER.get("/v1/candidates/{id_}", response_model=Candidate)
def candidate(request: Request, caller: Caller, id_: str) -> JSONResponse:
    """One of them, with what it would change."""
    return told(steward_of(request, caller).candidate(id_))


@ROUTER.post("/v1/candidates/{id_}", response_model=Candidate)
def decide(request: Request, caller: Caller, id_: str, body: Decided) -> JSONResponse:
    """Approve a candidate, reject it, or leave it waiting with a reason."""
    desk = steward_of(request, caller)
    match body.act:
        case "approve":
            return told(desk.approve(id_, seen=body.seen))
        case "hold":
            return told(desk.hold(id_, body.reason))
        case "reject":
            before = desk.candidate(id_)
            desk.reject(id_, body.reason)
            return JSONResponse({**before.model_dump(), "state": "rejected"})


@ROUTER.get("/v1/status", response_model=Status)
def status(request: Request, caller: Caller) -> JSONResponse:
    """Sources, queue, and everything that waits for somebody."""
    return told(steward_of(request, caller).status())


@ROUTER.get("/metrics", response_class=PlainTextResponse)
def metrics(request: Request, caller: Caller) -> PlainTextResponse:
    """The same as numbers, in Prometheus' text format, with what this process answered."""
    counted: Counted = request.app.state.counted
    return PlainTextResponse(counted.text(steward_of(request, caller).status()))
