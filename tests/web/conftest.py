"""The demo's company behind its pages, and browsers that are signed in as whoever a test wants to be."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from muniment.app import Org
from muniment.domain.investigating import Observed, Start
from muniment.surfaces.http.api import Serving, api
from muniment.surfaces.web.door import add_web
from tests.http.conftest import company

__all__ = [
    "HERE",
    "Browser",
    "Investigated",
    "company",
    "form_of",
    "investigated",
    "signed_in",
    "site_of",
    "unbound",
]

HERE = "http://testserver"
Browser = Callable[[str], TestClient]
_FORM = re.compile(r'name="form" value="([0-9a-f]{64})"')


def site_of(org: Org, tries: int = 1_000_000) -> FastAPI:
    """The API and its pages, with nothing to wait for."""
    serving = Serving(step=0.0, a_minute=1_000_000)
    app = api(org, serving)
    add_web(app, serving, tries)
    return app


def form_of(page: str) -> str:
    """What the forms of a page bring back."""
    found = _FORM.search(page)
    assert found is not None
    return found[1]


def unbound(page: str) -> str:
    """A page without what binds its forms to one session."""
    return _FORM.sub('name="form" value=""', page)


def signed_in(app: FastAPI, org: Org, principal: str) -> TestClient:
    """A browser in which somebody pasted their token."""
    browser = TestClient(app, follow_redirects=False)
    sent = {"form": form_of(browser.get("/signin").text), "token": org.tokens.create(principal).token}
    reply = browser.post("/signin", data=sent, headers={"Origin": HERE})
    assert (reply.status_code, reply.headers["location"]) == (303, "/")
    return browser


@dataclass(frozen=True, slots=True)
class Investigated:
    """An open incident of the company's, for SRE: what was seen, and what is supposed of it."""

    incident: str
    seen: str
    supposed: str


def investigated(org: Org, audience: str = "group:sre") -> Investigated:
    """One that is like an earlier one of the demo's."""
    desk = org.reader("user:oskar").incidents
    about = ("Declarations are stuck", None, "edi-gateway", "prod")
    start = Start(*about, signals=("EdiQueueBacklog",), audience=(audience,))
    opened = desk.open(start).incident
    seen = desk.observe(opened, Observed("queue depth 8123", tool="prometheus", query="edi_queue_depth"))
    supposed = desk.hypothesis(opened, "The certificate expired again", [seen.id])
    return Investigated(opened, seen.id, supposed.id)


@pytest.fixture(scope="session")
def site(company: Org) -> FastAPI:  # the fixture of the same name
    """The company's pages."""
    return site_of(company)


@pytest.fixture(scope="session")
def browser(company: Org, site: FastAPI) -> Browser:
    """A browser of somebody's."""
    return lambda principal: signed_in(site, company, principal)
