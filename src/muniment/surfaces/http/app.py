"""Everything that `muniment serve` answers: the API, MCP, web pages, and deliveries by webhook."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fastapi import FastAPI
from starlette.routing import Route

from muniment.clock import ticks
from muniment.surfaces.http import hooks
from muniment.surfaces.http.api import Serving, api
from muniment.surfaces.http.logs import to_stderr
from muniment.surfaces.http.oidc import OidcUse, issuer_of
from muniment.surfaces.mcp.door import add_mcp
from muniment.surfaces.mcp.profiles import servers
from muniment.surfaces.web.door import add_web

if TYPE_CHECKING:
    from muniment.app import Org

__all__ = ["application", "serving_as"]


def serving_as(said: Mapping[str, str]) -> Serving:
    """How to serve, by what the environment says; Malformed where that makes no sense."""
    use = OidcUse.read(said)
    return Serving(issuer=None if use is None else issuer_of(use, ticks), line=to_stderr())


def application(org: Org, serving: Serving | None = None) -> FastAPI:
    """The doors of one record over HTTP. The record stays the caller's to close."""
    app = api(org, serving)
    app.router.routes.append(Route("/hooks/{source}", hooks.deliver, methods=["POST"]))
    issuer = None if serving is None or serving.issuer is None else serving.issuer.use.issuer
    add_mcp(app, servers(org), issuer)
    add_web(app, serving)
    return app
