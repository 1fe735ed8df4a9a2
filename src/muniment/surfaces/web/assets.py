"""The few files every page uses, the same for everybody, kept in memory by the names there are."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from muniment.surfaces.web.rendering import HEADERS

__all__ = ["ASSETS", "asset"]

ASSETS: Mapping[str, str] = {
    "htmx.min.js": "text/javascript",
    "muniment.css": "text/css",
    "muniment.js": "text/javascript",
    "muniment.svg": "image/svg+xml",
}


@cache
def _content(name: str) -> tuple[bytes, str]:
    raw = files(__package__).joinpath("static", name).read_bytes()
    return raw, f'"{sha256(raw).hexdigest()[:32]}"'


async def asset(request: Request) -> Response:
    """One of them; a browser asks whether it has changed."""
    kind = ASSETS.get(request.path_params["name"])
    if kind is None:
        raise HTTPException(404)
    raw, tag = _content(request.path_params["name"])
    headers = {**HEADERS, "ETag": tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(raw, headers=headers, media_type=kind)
