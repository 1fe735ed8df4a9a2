"""The verbs of an investigation, each a call of the caller's own view."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from muniment.domain.incidents import (
    Briefing,
    Checkpoint,
    Duplicate,
    Entry,
    Episode,
    Gathered,
    Incident,
    Opened,
    Recurring,
    Topology,
    Unused,
)
from muniment.domain.investigating import Ending, Observed, Reached, Start
from muniment.domain.times import read_instant
from muniment.surfaces.http.bodies import Moment, Part
from muniment.surfaces.http.callers import Caller
from muniment.surfaces.http.lists import Listed, listed
from muniment.surfaces.http.reading import told, view_of

__all__ = ["ROUTER"]

ROUTER = APIRouter(prefix="/v1", tags=["incidents"])
_Text = Annotated[str, Field(max_length=20_000)]
_Short = Annotated[str | None, Field(max_length=1_000)]
_Names = Annotated[tuple[Annotated[str, Field(max_length=2_000)], ...], Field(max_length=100)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Opening(_Body):
    """What an incident is opened with."""

    title: Annotated[str, Field(max_length=300)] = ""
    alert: _Short = None
    service: _Short = None
    environment: _Short = None
    version: _Short = None
    signals: _Names = ()
    entities: _Names = ()
    audience: _Names = ()
    text: _Text = ""


class Observing(_Body):
    """What was seen, done or given up."""

    text: _Text
    tool: _Short = None
    query: _Short = None
    kind: str = "observation"
    at: _Short = None
    version: _Short = None
    signals: _Names = ()
    entities: _Names = ()
    outcome: _Short = None
    evidence: _Names = ()


class Gathering(_Body):
    """Of which services besides the incident's own, and from when until when."""

    services: _Names = ()
    since: _Short = None
    until: _Short = None


class Supposing(_Body):
    """What may be the cause."""

    statement: _Text
    supports: _Names = ()
    against: _Names = ()


class Judging(_Body):
    """A verdict on a hypothesis or a hint."""

    target: Annotated[str, Field(max_length=100)]
    verdict: str
    evidence: _Names = ()
    reason: Annotated[str, Field(max_length=2_000)] = ""


class Reaching(_Body):
    """Where it stands."""

    goal: _Text
    plan: _Names = ()
    done: _Names = ()
    questions: _Names = ()
    evidence: _Names = ()


class Closing(_Body):
    """How it ended. `confirmed`: the caller stands for the cause."""

    result: _Text
    cause: _Short = None
    evidence: _Names = ()
    conditions: _Names = ()
    misleading: _Names = ()
    check: _Short = None
    confirmed: bool = False


class Proposing(_Body):
    """What helped, step by step, and why it is of use again."""

    steps: _Names
    reuse: Annotated[str, Field(max_length=2_000)]
    also: _Names = ()


class Briefed(Moment):
    """How many tokens a briefing may take."""

    budget: Annotated[int, Field(ge=1, le=100_000)] = 1_000


class Then(Moment):
    """As it was at an instant."""

    at: _Short = None


@ROUTER.get("/incidents", response_model=Listed[Incident])
def incidents(request: Request, caller: Caller, part: Annotated[Part, Query()]) -> JSONResponse:
    """Every incident, the newest first."""
    view = view_of(request, caller, part.as_of, part.known_at, part.hearers)
    return listed(view.incidents.every(), part.limit, part.cursor)


@ROUTER.post("/incidents", response_model=Opened)
def open_incident(request: Request, caller: Caller, body: Opening) -> JSONResponse:
    """Open an incident, or join the open one that the alert is part of."""
    return told(view_of(request, caller).incidents.open(Start(**body.model_dump())))


@ROUTER.get("/incidents/{incident}", response_model=Incident)
def show(request: Request, caller: Caller, incident: str, moment: Annotated[Moment, Query()]) -> JSONResponse:
    """One incident with its entries."""
    view = view_of(request, caller, moment.as_of, moment.known_at, moment.hearers)
    return told(view.incidents.show(incident))


@ROUTER.post("/incidents/{incident}/observations", response_model=Entry)
def observe(request: Request, caller: Caller, incident: str, body: Observing) -> JSONResponse:
    """Keep what was seen, done or given up."""
    seen = Observed(**{**body.model_dump(), "at": read_instant("at", body.at)})
    return told(view_of(request, caller).incidents.observe(incident, seen))


@ROUTER.post("/incidents/{incident}/gathered", response_model=Gathered)
def gather(request: Request, caller: Caller, incident: str, body: Gathering) -> JSONResponse:
    """Take in what sources sent of its service while it lasts, each as an observation."""
    since, until = read_instant("since", body.since), read_instant("until", body.until)
    return told(view_of(request, caller).incidents.gather(incident, body.services, since, until))


@ROUTER.post("/incidents/{incident}/hypotheses", response_model=Entry)
def hypothesis(request: Request, caller: Caller, incident: str, body: Supposing) -> JSONResponse:
    """Keep what may be the cause, with what speaks for and against it."""
    desk = view_of(request, caller).incidents
    return told(desk.hypothesis(incident, body.statement, body.supports, body.against))


@ROUTER.post("/incidents/{incident}/verdicts", response_model=Entry)
def verdict(request: Request, caller: Caller, incident: str, body: Judging) -> JSONResponse:
    """Judge a hypothesis or a hint by what is observed now."""
    desk = view_of(request, caller).incidents
    return told(desk.verdict(incident, body.target, body.verdict, body.evidence, body.reason))


@ROUTER.get("/incidents/{incident}/checkpoint", response_model=Checkpoint)
def resume(request: Request, caller: Caller, incident: str) -> JSONResponse:
    """Where it stood when somebody last said so."""
    return told(view_of(request, caller).incidents.resume(incident))


@ROUTER.put("/incidents/{incident}/checkpoint", response_model=Entry)
def checkpoint(request: Request, caller: Caller, incident: str, body: Reaching) -> JSONResponse:
    """Keep where it stands."""
    return told(view_of(request, caller).incidents.checkpoint(incident, Reached(**body.model_dump())))


@ROUTER.get("/incidents/{incident}/briefing", response_model=Briefing)
def briefing(
    request: Request, caller: Caller, incident: str, asked: Annotated[Briefed, Query()]
) -> JSONResponse:
    """A few hints from history, each awaiting a verdict by current evidence."""
    view = view_of(request, caller, asked.as_of, asked.known_at, asked.hearers)
    return told(view.incidents.briefing(incident, asked.budget))


@ROUTER.post("/incidents/{incident}/close", response_model=Episode)
def close(request: Request, caller: Caller, incident: str, body: Closing) -> JSONResponse:
    """Close it, and keep what it was as an episode."""
    said = body.model_dump(exclude={"confirmed"})
    ending = Ending(**said, confirmed_by="me" if body.confirmed else None)
    return told(view_of(request, caller).incidents.close(incident, ending))


@ROUTER.post("/incidents/{incident}/proposals", response_model=Entry)
def propose(request: Request, caller: Caller, incident: str, body: Proposing) -> JSONResponse:
    """Propose what helped as a procedure; it waits until somebody else approves it."""
    return told(view_of(request, caller).incidents.propose(incident, body.steps, body.reuse, body.also))


@ROUTER.get("/topology/{entity:path}", response_model=Topology)
def topology(request: Request, caller: Caller, entity: str, then: Annotated[Then, Query()]) -> JSONResponse:
    """What a service leaned on and what leaned on it, then."""
    view = view_of(request, caller, then.as_of, then.known_at, then.hearers)
    return told(view.incidents.topology(entity, then.at))


@ROUTER.get("/memories/unused", response_model=Listed[Unused])
def unused(request: Request, caller: Caller, part: Annotated[Part, Query()]) -> JSONResponse:
    """What is remembered and was of no use: never adopted, refuted, or over."""
    view = view_of(request, caller, part.as_of, part.known_at, part.hearers)
    return listed(view.incidents.unused(), part.limit, part.cursor)


@ROUTER.get("/memories/recurring", response_model=Listed[Recurring])
def recurring(request: Request, caller: Caller, part: Annotated[Part, Query()]) -> JSONResponse:
    """Causes that came back and that no procedure was proposed for."""
    view = view_of(request, caller, part.as_of, part.known_at, part.hearers)
    return listed(view.incidents.recurring(), part.limit, part.cursor)


@ROUTER.get("/memories/duplicates", response_model=Listed[Duplicate])
def duplicates(request: Request, caller: Caller, part: Annotated[Part, Query()]) -> JSONResponse:
    """What is remembered twice."""
    view = view_of(request, caller, part.as_of, part.known_at, part.hearers)
    return listed(view.incidents.duplicates(), part.limit, part.cursor)
