"""Whoever comes, signed in or not, with the words they read and what their forms are bound to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from muniment.surfaces.http.callers import Whose, presented
from muniment.surfaces.web.rendering import HEADERS, render
from muniment.surfaces.web.sessions import (
    form_key,
    form_token,
    is_from_here,
    is_token,
    keep_form_key,
    new_form_key,
    session_of,
)
from muniment.surfaces.web.visits import Gone, Reply, Sheet, Shown, Visit
from muniment.surfaces.web.wording import LANGUAGES, Wording, language, wording

if TYPE_CHECKING:
    from muniment.app import Org
    from muniment.domain.principals import Bearer

__all__ = ["LANGUAGE", "Guest", "failed", "guest_of", "left"]

LANGUAGE = "muniment-language"


@dataclass(frozen=True, slots=True)
class Guest:
    """A request, and what is known of whoever sent it. `credential` is a header's or a session's."""

    request: Request
    sent: Mapping[str, str]
    wording: Wording
    credential: str | None
    bearer: Bearer | None
    key: str

    @property
    def is_by_cookie(self) -> bool:
        """Whether a browser signs the request by itself, so that another site could make it do so."""
        return presented(self.request.headers.get("authorization")) is None

    @property
    def may_send(self) -> bool:
        """Whether a form is one of ours, sent from here."""
        if not is_from_here(self.request.headers):
            return False
        # A proxy that signs people in adds the header to whatever a browser sends: hence the above.
        return not self.is_by_cookie or is_token(self.sent.get("form", ""), self.key)

    def visit(self, bearer: Bearer) -> Visit:
        """The same as the screens see it."""
        request = self.request
        org: Org = request.app.state.org
        path = {name: str(said) for name, said in request.path_params.items()}
        return Visit(org, bearer, self.wording, dict(request.query_params), self.sent, path)


def guest_of(request: Request, sent: Mapping[str, str]) -> Guest:
    """Who comes. Unavailable where the record cannot say."""
    header = presented(request.headers.get("authorization"))
    credential = header if header is not None else session_of(request)
    whose: Whose = request.app.state.whose
    bearer = None if credential is None else whose.find_bearer(credential)
    key = credential if credential is not None and bearer is not None else form_key(request)
    return Guest(request, sent, words_for(request), credential, bearer, key or new_form_key())


def words_for(request: Request) -> Wording:
    """The words somebody reads."""
    chosen, accepted = request.cookies.get(LANGUAGE), request.headers.get("accept-language", "")
    return wording(language(chosen, accepted))


def left(guest: Guest, reply: Reply) -> Response:
    """A reply as it leaves."""
    match reply:
        case Gone(place):
            return RedirectResponse(place, 303, dict(HEADERS))
        case Sheet(text, kind, name):
            kept = {**HEADERS, "Content-Disposition": f'attachment; filename="{name}"'}
            return Response(text, headers=kept, media_type=f"{kind}; charset=utf-8")
        case Shown(template, values, status):
            # What is wrong is told alike wherever it was met: such a page does not even know its own address.
            path, query = guest.request.url.path, guest.request.url.query
            where = ("/", "") if status >= 400 else (path, f"?{query}" if query else "")
            shown = {**_around(guest, *where), **values}
            made = HTMLResponse(render(template, shown), status, dict(HEADERS))
            if guest.bearer is None and form_key(guest.request) is None:
                keep_form_key(guest.request, made, guest.key)
            return made


def failed(name: str, status: int, why: str | None = None) -> Shown:
    """A page that says what is wrong in words, and nothing of what was asked for."""
    return Shown("failed.html", {"name": name, "why": why}, status)


def _around(guest: Guest, path: str, query: str) -> dict[str, object]:
    """What every page has besides its own."""
    request, bearer = guest.request, guest.bearer
    visit = None if bearer is None else guest.visit(bearer)
    here = path + query
    return {
        "t": guest.wording,
        "form": form_token(guest.key),
        "visitor": bearer,
        "is_steward": visit is not None and visit.is_steward,
        "place": (lambda path, **_: path) if visit is None else visit.place,
        "asked": request.query_params if query else {},
        "where": path,
        "here": here,
        "is_part": request.headers.get("hx-request") == "true",
        "languages": [
            (code, name, f"/language?{urlencode({'to': code, 'next': here})}")
            for code, name in LANGUAGES.items()
        ],
    }
