"""A steward's upkeep of memories, each act shown before it is done."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from muniment.domain.errors import Usage
from muniment.domain.incidents import Finding, Tidied
from muniment.domain.times import parse_duration
from muniment.surfaces.http.bodies import Part
from muniment.surfaces.http.callers import Caller
from muniment.surfaces.http.desk import steward_of
from muniment.surfaces.http.lists import Listed, listed
from muniment.surfaces.http.reading import told

__all__ = ["ROUTER"]

ROUTER = APIRouter(tags=["steward"])
_Name = Annotated[str, Field(max_length=100)]


class Tidying(BaseModel):
    """What to do to which memories; without `seen` it is only shown."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    act: Literal["retire", "merge", "restore"]
    ids: Annotated[tuple[_Name, ...], Field(max_length=400)] = ()
    findings: Annotated[tuple[_Name, ...], Field(max_length=20)] = ()
    older: _Name | None = None
    policy: Annotated[str | None, Field(max_length=20_000)] = None
    seen: _Name | None = None
    reason: Annotated[str, Field(max_length=2_000)] = ""


@ROUTER.get("/v1/upkeep", response_model=Listed[Finding])
def findings(request: Request, caller: Caller, part: Annotated[Part, Query()]) -> JSONResponse:
    """Every memory of incidents with each reason to look at it."""
    return listed(steward_of(request, caller).upkeep.findings(), part.limit, part.cursor)


@ROUTER.post("/v1/upkeep", response_model=Tidied)
def tidy(request: Request, caller: Caller, body: Tidying) -> JSONResponse:
    """Retire memories, let several be told as one, or undo it."""
    desk = steward_of(request, caller).upkeep
    if body.act == "restore":
        if len(body.ids) != 1:
            raise Usage("restore takes one batch or memory")
        return told(desk.restore(body.ids[0]))
    if body.act == "merge":
        return told(desk.merge(body.ids, seen=body.seen, reason=body.reason))
    if sum(map(bool, (body.ids, body.findings, body.policy))) != 1:
        raise Usage("say what to retire: ids, findings or a policy")
    if body.policy:
        return told(desk.forget(body.policy, seen=body.seen))
    return told(desk.retire(body.ids, _rules(body), seen=body.seen, reason=body.reason))


def _rules(body: Tidying) -> dict[str, timedelta]:
    try:
        span = timedelta() if body.older is None else parse_duration(body.older)
    except ValueError as error:
        raise Usage(f"older: {error}") from None
    return dict.fromkeys(body.findings, span)
