"""A request that is given up while its body is read is refused, unless its reply has begun."""

from __future__ import annotations

from http import HTTPStatus

from fastapi import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from muniment.surfaces.http.problems import problem

__all__ = ["GivenUp", "or_refused"]


class GivenUp(HTTPException):
    """Why nothing more of a body is read: as what a framework lets through while it reads one."""


async def or_refused(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """One request, whose body `receive` may give up."""
    begun = False

    async def noted(message: Message) -> None:
        nonlocal begun
        begun = True
        await send(message)

    try:
        await app(scope, receive, noted)
    except GivenUp as why:
        if not begun:
            await problem(HTTPStatus(why.status_code), why.detail)(scope, receive, send)
