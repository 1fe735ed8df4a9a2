"""The web beside the API: around each page, who may come, from where, and how it leaves."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from urllib.parse import parse_qsl, urlencode

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from muniment.domain.errors import Conflict, Held, Malformed, Refused, Unavailable
from muniment.surfaces.http.api import Serving
from muniment.surfaces.http.limits import Rate
from muniment.surfaces.http.pad import rest_of_step
from muniment.surfaces.web import assets, signing
from muniment.surfaces.web.guests import Guest, failed, guest_of, left
from muniment.surfaces.web.routes import SCREENS
from muniment.surfaces.web.sessions import Once
from muniment.surfaces.web.visits import Gone, Reply, Screen

__all__ = ["add_web"]

_Answer = Callable[[Guest], Response]
_TRIES = 10  # sign-ins a minute from one place
_MOST_FIELDS = 100
# Whoever is signed in or not: these answer to everybody.
_OPEN: Mapping[tuple[str, str], _Answer] = {
    ("GET", "/signin"): signing.sign_in_form,
    ("POST", "/signin"): signing.sign_in,
    ("POST", "/signout"): signing.sign_out,
    ("GET", "/language"): signing.choose_language,
}


def add_web(app: FastAPI, serving: Serving | None = None, tries: int = _TRIES) -> Once:
    """Offer the pages beside the API of `app`; what makes addresses that sign in once."""
    use = serving or Serving()
    app.state.once, app.state.sign_ins = Once(use.ticks), Rate(tries, use.ticks)
    answers: dict[tuple[str, str], _Answer] = {**_OPEN}
    answers |= {way: _for_visitors(screen) for way, screen in SCREENS.items()}
    for (method, path), answer in answers.items():
        app.router.routes.append(Route(path, _endpoint(answer, use), methods=[method]))
    app.router.routes.append(Route("/static/{name}", assets.asset, methods=["GET"]))
    _show_failures(app)
    return app.state.once  # type: ignore[no-any-return]  # starlette's state has no types


def _endpoint(answer: _Answer, use: Serving) -> Callable[[Request], Awaitable[Response]]:
    """One page as the server calls it. It leaves at a whole step of time, as what `/v1` answers does."""

    async def endpoint(request: Request) -> Response:
        began = use.ticks()
        sent = await _sent(request)
        reply = await run_in_threadpool(_answered, answer, request, sent)
        await asyncio.sleep(rest_of_step(use.ticks() - began, use.step))
        return reply

    return endpoint


async def _sent(request: Request) -> Mapping[str, str]:
    """The fields of a form; none where the body is no form."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if request.method != "POST" or kind != "application/x-www-form-urlencoded":
        return {}
    raw = (await request.body()).decode("utf-8", "replace")
    try:
        return dict(parse_qsl(raw, keep_blank_values=True, max_num_fields=_MOST_FIELDS))
    except ValueError:
        return {}


def _answered(answer: _Answer, request: Request, sent: Mapping[str, str]) -> Response:
    """What leaves, whatever happens on the way."""
    guest = guest_of(request, sent)
    if request.method == "POST" and not guest.may_send:
        return left(guest, failed("form", 403))
    return answer(guest)


def _for_visitors(screen: Screen) -> _Answer:
    """A screen, for whoever is signed in; others are asked to, wherever they wanted to go."""

    def answer(guest: Guest) -> Response:
        if guest.bearer is None:
            return _stranger(guest)
        rate: Rate = guest.request.app.state.rate
        if wait := rate.wait_for(f"{guest.bearer.principal} {guest.bearer.agent}"):
            later = left(guest, failed("often", 429))
            later.headers["Retry-After"] = str(int(wait) + 1)
            return later
        visit = guest.visit(guest.bearer)
        return left(guest, _tried(lambda: screen(visit)))

    return answer


def _stranger(guest: Guest) -> Response:
    if not guest.is_by_cookie:
        refused = left(guest, failed("nobody", 401))
        refused.headers["WWW-Authenticate"] = 'Bearer realm="muniment"'
        return refused
    request = guest.request
    wanted = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    then = {"next": wanted} if request.method == "GET" and wanted != "/" else {}
    return left(guest, Gone(f"/signin?{urlencode(then)}" if then else "/signin"))


def _tried(show: Callable[[], Reply]) -> Reply:
    """A reply, or a page that says what is wrong. Missing and forbidden are one page."""
    try:
        return show()
    except Refused:
        return failed("missing", 404)
    except (Conflict, Held) as error:
        return failed("conflict", 409, str(error))
    except Malformed as error:
        return failed("malformed", 400, str(error))
    except Unavailable:
        return failed("away", 503)


def _show_failures(app: FastAPI) -> None:
    """Let whoever reads pages get a page where there is nothing, and agents what they always get."""
    before = app.exception_handlers[HTTPException]

    async def shown(request: Request, error: Exception) -> Response:
        if not isinstance(error, HTTPException) or error.status_code != 404 or not _reads_pages(request):
            told = before(request, error)
            return await told if isinstance(told, Awaitable) else told
        return await run_in_threadpool(_nothing, request)

    app.add_exception_handler(HTTPException, shown)


def _reads_pages(request: Request) -> bool:
    return "text/html" in request.headers.get("accept", "") and not request.url.path.startswith(
        ("/v1", "/mcp", "/hooks", "/.well-known")
    )


def _nothing(request: Request) -> Response:
    return left(guest_of(request, {}), failed("missing", 404))
