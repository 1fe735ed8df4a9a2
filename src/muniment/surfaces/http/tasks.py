"""Tasks over HTTP, streamed as Server-Sent Events: each as it happens, the last tells how it ended."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import StreamingResponse
from pydantic import Field

from muniment.domain.errors import MunimentError
from muniment.domain.tasks import LONGEST_TASK, Limits, Task, TaskDone, TaskEvent
from muniment.surfaces.http.bodies import Moment
from muniment.surfaces.http.callers import Caller

if TYPE_CHECKING:
    from muniment.app import Org

__all__ = ["ROUTER", "Done"]

ROUTER = APIRouter(prefix="/v1", tags=["tasks"])
_EVENT = {"type": "object", "properties": {"event": {"type": "string"}, "data": {"type": "string"}}}
_STREAM: dict[int | str, dict[str, object]] = {
    200: {
        "description": "events: step, citation, sentence, clarify, consent, done; or error",
        "content": {"text/event-stream": {"schema": _EVENT}},
    }
}


class Done(Moment):
    """A task, what it may take, and the token of a consent where a person agrees to what it asked."""

    task: Annotated[str, Field(min_length=1, max_length=LONGEST_TASK)]
    entity: str | None = None
    steps: Annotated[int, Field(ge=1, le=20)] = 8
    tokens: Annotated[int, Field(ge=1, le=200_000)] = 40_000
    seconds: Annotated[float, Field(gt=0, le=300)] = 120.0
    usd: Annotated[float, Field(ge=0, le=5)] = 0.5
    consent: Annotated[str | None, Field(max_length=200_000)] = None

    @property
    def asked(self) -> Task:
        """What is to be done."""
        limits = Limits(self.steps, self.tokens, self.seconds, Decimal(str(self.usd)))
        return Task(self.task, self.entity, self.as_of, self.known_at, self.hearers, limits, self.consent)


@ROUTER.post("/tasks", response_class=StreamingResponse, responses=_STREAM)
def task(request: Request, caller: Caller, body: Done) -> StreamingResponse:
    """Have the language model do a task: sentences with citations, each checked before it is sent."""
    if body.consent is not None and caller.agent is not None:
        raise HTTPException(HTTPStatus.FORBIDDEN, "an agent cannot agree to what it asked; the person can")
    org: Org = request.app.state.org
    # What is put wrongly is a problem with a status, not an event: it is found before the first one.
    events = org.tasks.run(caller.principal, body.asked, agent=caller.agent, tools=request.app.state.tools)
    return StreamingResponse(_sent(events), media_type="text/event-stream")


def _sent(events: Iterator[TaskEvent]) -> Iterator[str]:
    try:
        for event in events:
            yield _event(_name(event), json.dumps(event.model_dump(), ensure_ascii=False))
    except MunimentError:
        # The reply has begun, so that no status can say it; why is for the log.
        yield _event("error", json.dumps({"title": "the task could not go on; try it again"}))


def _event(name: str, text: str) -> str:
    return f"event: {name}\ndata: {text}\n\n"


def _name(event: TaskEvent) -> str:
    return "done" if isinstance(event, TaskDone) else type(event).__name__.lower()
