"""The application that a web server runs: its routes, and what errors become."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.routing import Route

from muniment.surfaces.http import hooks

if TYPE_CHECKING:
    from muniment.app import Org

__all__ = ["application"]


def application(org: Org) -> Starlette:
    """The doors of one record over HTTP. The record stays the caller's to close."""
    app = Starlette(routes=[Route("/hooks/{source}", hooks.deliver, methods=["POST"])])
    app.state.org = org
    return app
