"""Errors as problem+json (RFC 9457). Missing, forbidden and malformed ids are one answer, byte for byte."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from muniment.domain.errors import Conflict, Held, Malformed, MunimentError, Refused, Unavailable

__all__ = ["Problem", "add_problems", "problem"]

_MEDIA = "application/problem+json"


class Problem(BaseModel):
    """What went wrong, and what to do about it."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str | None = None


def problem(
    status: HTTPStatus, detail: str | None = None, headers: Mapping[str, str] | None = None
) -> JSONResponse:
    """A reply of this status."""
    said = Problem(title=status.phrase, status=status, detail=detail)
    return JSONResponse(said.model_dump(), status, dict(headers or {}), _MEDIA)


def add_problems(app: FastAPI) -> None:
    """Let every error of the application leave as a problem."""
    app.add_exception_handler(MunimentError, _of_ours)
    app.add_exception_handler(RequestValidationError, _of_shape)
    app.add_exception_handler(HTTPException, _of_http)


def _of_ours(_: Request, error: Exception) -> JSONResponse:
    match error:
        case Refused():
            # Never its message, which names what was asked for in more ways than one.
            return problem(HTTPStatus.NOT_FOUND)
        case Conflict() | Held():
            return problem(HTTPStatus.CONFLICT, str(error))
        case Malformed():
            return problem(HTTPStatus.BAD_REQUEST, str(error))
        case Unavailable():
            return problem(HTTPStatus.SERVICE_UNAVAILABLE, str(error), {"Retry-After": "1"})
    return problem(HTTPStatus.INTERNAL_SERVER_ERROR)


def _of_shape(_: Request, error: Exception) -> JSONResponse:
    found = error.errors() if isinstance(error, RequestValidationError) else []
    each = (f"{'.'.join(str(part) for part in one['loc'])}: {one['msg']}" for one in found)
    return problem(HTTPStatus.UNPROCESSABLE_ENTITY, "; ".join(each).encode("utf-8", "replace").decode())


def _of_http(_: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, HTTPException):
        return problem(HTTPStatus.INTERNAL_SERVER_ERROR)
    detail = None if error.detail == HTTPStatus(error.status_code).phrase else error.detail
    return problem(HTTPStatus(error.status_code), detail, error.headers)
