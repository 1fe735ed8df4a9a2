"""Coming and going: a token is pasted once, and a session of hours stands for it from then on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import RedirectResponse, Response

from muniment.domain.principals import Bearer
from muniment.surfaces.http.callers import Whose
from muniment.surfaces.http.limits import Rate
from muniment.surfaces.web.guests import LANGUAGE, Guest, failed, left
from muniment.surfaces.web.rendering import HEADERS
from muniment.surfaces.web.sessions import LASTS, Once, drop_session, is_local, keep_session
from muniment.surfaces.web.visits import Shown
from muniment.surfaces.web.wording import LANGUAGES

if TYPE_CHECKING:
    from muniment.app import Org

__all__ = ["choose_language", "sign_in", "sign_in_form", "sign_out"]


def sign_in_form(guest: Guest) -> Response:
    """Where a token is pasted, or, with a one-time address, where somebody goes on."""
    once: Once = guest.request.app.state.once
    code = guest.request.query_params.get("once", "")
    values = {"then": _then(guest), "code": code, "whom": once.find(code), "wrong": False}
    return left(guest, Shown("signin.html", values))


def sign_in(guest: Guest) -> Response:
    """Begin a session. Whatever is wrong with a token is told alike."""
    tried: Rate = guest.request.app.state.sign_ins
    client = guest.request.client
    if wait := tried.wait_for("" if client is None else client.host):
        later = left(guest, failed("often", 429))
        later.headers["Retry-After"] = str(int(wait) + 1)
        return later
    session = _session(guest)
    if session is None:
        values = {"then": _then(guest), "code": "", "whom": None, "wrong": True}
        return left(guest, Shown("signin.html", values, 401))
    reply = RedirectResponse(_then(guest), 303, dict(HEADERS))
    keep_session(guest.request, reply, session)
    return reply


def sign_out(guest: Guest) -> Response:
    """End the session, here and in the record."""
    org: Org = guest.request.app.state.org
    if guest.bearer is not None and guest.credential is not None and guest.is_by_cookie:
        org.tokens.end_session(guest.bearer, guest.credential)
    reply = RedirectResponse("/signin", 303, dict(HEADERS))
    drop_session(guest.request, reply)
    return reply


def choose_language(guest: Guest) -> Response:
    """Keep in mind which language somebody reads; it tells nothing of them that their browser does not."""
    asked = guest.request.query_params
    back = asked.get("next", "/")
    reply = RedirectResponse(back if is_local(back) else "/", 303, dict(HEADERS))
    if asked.get("to") in LANGUAGES:
        secure = guest.request.url.scheme == "https"
        reply.set_cookie(
            LANGUAGE, asked["to"], max_age=400 * 86400, httponly=True, samesite="lax", secure=secure
        )
    return reply


def _session(guest: Guest) -> str | None:
    """The token of a new session, where what was sent stands for somebody."""
    state = guest.request.app.state
    org: Org = state.org
    once: Once = state.once
    whose: Whose = state.whose
    code, token = guest.sent.get("once", ""), guest.sent.get("token", "").strip()
    if code:
        whom = once.spend(code)
        return None if whom is None else org.tokens.begin_session(Bearer(whom), None, LASTS)
    bearer = whose.find_bearer(token)
    return None if bearer is None else org.tokens.begin_session(bearer, token, LASTS)


def _then(guest: Guest) -> str:
    """Where to go once signed in."""
    said = guest.sent.get("next") or guest.request.query_params.get("next", "")
    return said if is_local(said) else "/"
