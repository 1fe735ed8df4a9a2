"""The verbs by which something is handed in: events, notes, and words that a citation is wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Body, Header, HTTPException, Request
from fastapi.responses import JSONResponse
from starlette.concurrency import run_in_threadpool

from muniment.domain.errors import Malformed
from muniment.domain.values import Receipt, Remembered, Reported
from muniment.surfaces.http.bodies import Noted, Problematic
from muniment.surfaces.http.callers import Caller
from muniment.surfaces.http.reading import told, view_of

if TYPE_CHECKING:
    from muniment.app import Org
    from muniment.domain.principals import Bearer

__all__ = ["ROUTER"]

ROUTER = APIRouter(prefix="/v1", tags=["handing in"])
_EVENTS = {
    "requestBody": {
        "required": True,
        "content": {
            "application/x-ndjson": {"schema": {"type": "string", "description": "one event a line"}},
            "application/json": {"schema": {"type": "array", "items": {"type": "object"}}},
        },
    }
}


@ROUTER.post("/events", response_model=Receipt, openapi_extra=_EVENTS)
async def events(
    request: Request,
    caller: Caller,
    idempotency_key: Annotated[str | None, Header(max_length=255)] = None,
) -> JSONResponse:
    """Take in events, as JSONL or an array; what is refused is in quarantine and in the receipt."""
    raw = await request.body()
    return await run_in_threadpool(_take, request.app.state.org, caller, raw, idempotency_key)


def _take(org: Org, caller: Bearer, raw: bytes, key: str | None) -> JSONResponse:
    # By its content a repeated event is a duplicate anyway; a key only forbids another body under it.
    if key is not None and not org.tokens.is_said_anew(caller, key, raw):
        raise HTTPException(409, "this Idempotency-Key was used for other events; use a new one")
    if caller.agent is not None:
        raise HTTPException(403, "an agent hands in notes, not events: use /v1/notes")
    return told(org.ingest(_lines(raw), importer=caller.principal))


def _lines(raw: bytes) -> Iterator[bytes]:
    """The events of a body, each as its own bytes, so that what is refused is kept as it came."""
    if raw.lstrip()[:1] != b"[":
        yield from (line for line in raw.split(b"\n") if line.strip())
        return
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"the array of events is not JSON: {error}") from None
    yield from (json.dumps(one, ensure_ascii=False).encode("utf-8", "surrogatepass") for one in found)


@ROUTER.post("/notes", response_model=Remembered)
def remember(request: Request, caller: Caller, body: Noted) -> JSONResponse:
    """Keep a note for the caller alone."""
    return told(view_of(request, caller).remember(body.text, body.evidence))


@ROUTER.post("/citations/{id_}/report", response_model=Reported)
def report(request: Request, caller: Caller, id_: str, body: Annotated[Problematic, Body()]) -> JSONResponse:
    """Tell stewards who may read it that a citation is wrong."""
    return told(view_of(request, caller).report(id_, body.problem))
