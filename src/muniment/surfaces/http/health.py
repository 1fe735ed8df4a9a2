"""Whether the process lives and can answer, for whatever starts and watches it. No content, no names."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel

if TYPE_CHECKING:
    from muniment.app import Org

__all__ = ["ROUTER"]

ROUTER = APIRouter(tags=["health"])


class Health(BaseModel):
    """`why` says what is missing."""

    ok: bool
    why: str | None = None


@ROUTER.get("/healthz", response_model=Health)
async def healthz() -> Health:
    """The process answers, also where every thread waits for something."""
    return Health(ok=True)


@ROUTER.get("/readyz", response_model=Health, responses={503: {"model": Health}})
def readyz(request: Request) -> JSONResponse:
    """The database answers, and somebody works through what is accepted."""
    org: Org = request.app.state.org
    why = org.unready()
    status = HTTPStatus.OK if why is None else HTTPStatus.SERVICE_UNAVAILABLE
    return JSONResponse(Health(ok=why is None, why=why).model_dump(), status)
