"""Deliveries by webhook: acknowledged once they are in the record, and otherwise told nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from muniment.domain.errors import Conflict, MunimentError, Refused, Unavailable

if TYPE_CHECKING:
    from muniment.app import Org

__all__ = ["MOST", "deliver"]

MOST: Final = 25 * 1024 * 1024  # bytes of one delivery, as the largest that sources send
_LATER: Final = {"retry-after": "5"}


async def deliver(request: Request) -> Response:
    """One delivery. An unknown source, a signature that does not hold and too long a body are all a 404."""
    raw = await _body(request)
    if raw is None:
        return _not_found()
    org: Org = request.app.state.org
    headers = {name.lower(): value for name, value in request.headers.items()}
    source = str(request.path_params["source"])
    return await run_in_threadpool(_taken, org, source, raw, headers)


async def _body(request: Request) -> bytes | None:
    """All of it, as it came; None where it is too long or never ended."""
    parts, size = [], 0
    try:
        async for part in request.stream():
            size += len(part)
            if size > MOST:
                return None
            parts.append(part)
    except ClientDisconnect:
        return None
    return b"".join(parts)


def _taken(org: Org, source: str, raw: bytes, headers: dict[str, str]) -> Response:
    try:
        reply = org.hear(source, raw, headers)
    except Refused:
        return _not_found()
    except (Conflict, Unavailable):
        # Nothing was kept, and the source will come again.
        return Response(status_code=503, headers=_LATER)
    except MunimentError:
        return _not_found()
    if reply is None:
        return Response(status_code=204)
    return PlainTextResponse(reply) if isinstance(reply, str) else JSONResponse(dict(reply))


def _not_found() -> Response:
    return PlainTextResponse("not found", status_code=404)
