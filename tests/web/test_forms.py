"""Signing in, sessions, forms, and the headers that every page leaves with."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from pathlib import Path

import pytest
from fastapi import FastAPI
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from muniment.app import Org
from muniment.domain.principals import Bearer
from muniment.surfaces.http.api import Serving, api
from muniment.surfaces.web import door, wording
from muniment.surfaces.web.assets import ASSETS
from muniment.surfaces.web.door import add_web
from muniment.surfaces.web.sessions import Once, is_local
from tests.web.conftest import HERE, Browser, form_of, site_of
from tests.web.test_strangers import OPEN, VISITED, at
from tests.worlds import Clock, open_org

WEB = Path(door.__file__).parent
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


def test_every_reply_forbids_scripts_and_styles_but_our_own(browser: Browser, site: FastAPI) -> None:
    for http in (browser("user:root"), TestClient(site, follow_redirects=False)):
        for method, path in {*VISITED, *OPEN, ("GET", "/static/muniment.css")}:
            if path == "/static/{name}":
                continue
            said = http.request(method, at(path), headers={"Accept": "text/html"})
            assert said.headers["content-security-policy"] == POLICY, path
            assert said.headers["x-content-type-options"] == "nosniff"
            assert said.headers["cache-control"] == ("no-cache" if "static" in path else "no-store")


def test_no_page_has_a_script_or_a_style_of_its_own() -> None:
    for template in (WEB / "templates").glob("*.html"):
        text = template.read_text(encoding="utf-8")
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:|https?://|\|\s*safe|Markup", text), (
            template
        )
        assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", text)), template


def test_both_languages_have_the_same_words_and_every_page_finds_its_own() -> None:
    words = {
        code: json.loads((WEB / "words" / f"{code}.json").read_text("utf-8")) for code in wording.LANGUAGES
    }
    asked = {
        name
        for template in (WEB / "templates").glob("*.html")
        for name in re.findall(r'\bt\("([^"]+)"[,)]', template.read_text("utf-8"))
    }

    assert set(words["en"]) == set(words["zh"])
    assert asked <= set(words["en"])
    for name, said in words["en"].items():
        assert set(re.findall(r"\{(\w+)\}", said)) == set(re.findall(r"\{(\w+)\}", words["zh"][name])), name


@pytest.mark.parametrize(
    ("chosen", "accepted", "read"),
    [
        (None, "", "en"),
        (None, "zh-CN,zh;q=0.9,en;q=0.8", "zh"),
        (None, "de,en;q=0.7,zh;q=0.3", "en"),
        (None, "en;q=0.1, zh;q=0.9", "zh"),
        ("en", "zh", "en"),
        ("xx", "zh", "zh"),
        (None, "\x00;q=9," * 2000, "en"),
    ],
)
def test_a_visitor_reads_the_language_they_chose_or_their_browser_asks_for(
    chosen: str | None, accepted: str, read: str
) -> None:
    assert wording.language(chosen, accepted) == read


def test_a_form_that_does_not_bring_back_what_it_was_given_does_nothing(browser: Browser) -> None:
    http, other = browser("user:root"), browser("user:root")
    right = form_of(http.get("/desk").text)
    wrong: tuple[dict[str, str], ...] = (
        {},
        {"form": ""},
        {"form": right[:-1]},
        {"form": "é" * 64},
        {"form": form_of(other.get("/desk").text)},
    )

    for method, path in {*VISITED, *OPEN}:
        for sent in wrong if method == "POST" else ():
            assert http.post(at(path), data=sent, headers={"Origin": HERE}).status_code == 403, path
    assert http.get("/desk").status_code == 200


def test_a_form_from_another_site_does_nothing(browser: Browser) -> None:
    http = browser("user:root")
    sent = {"form": form_of(http.get("/desk").text), "entry": "1"}

    for headers in (
        {"Origin": "https://elsewhere.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ):
        assert http.post("/desk/quarantine", data=sent, headers=headers).status_code == 403
    assert http.post("/desk/quarantine", data=sent, headers={"Origin": HERE}).status_code == 404


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_cookies_are_out_of_reach_of_scripts_and_other_sites(
    site: FastAPI, company: Org, scheme: str
) -> None:
    http = TestClient(site, base_url=f"{scheme}://testserver", follow_redirects=False)
    first = http.get("/signin")
    token = company.tokens.create("user:mara").token
    second = http.post("/signin", data={"form": form_of(first.text), "token": token})

    prefix = "__Host-" if scheme == "https" else ""
    for reply, name in ((first, "muniment-form"), (second, "muniment")):
        cookie = reply.headers["set-cookie"]
        assert cookie.startswith(f"{prefix}{name}=")
        assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(cookie.split("; "))
        assert ("Secure" in cookie.split("; ")) == (scheme == "https")
        assert token not in cookie


def test_a_session_ends_with_the_token_it_was_begun_with(site: FastAPI, company: Org) -> None:
    made = company.tokens.create("user:mara")
    http = TestClient(site, follow_redirects=False)
    http.post("/signin", data={"form": form_of(http.get("/signin").text), "token": made.token})
    again = TestClient(site, follow_redirects=False)
    again.post(
        "/signin", data={"form": form_of(again.get("/signin").text), "token": http.cookies["muniment"]}
    )
    assert [one.get("/pages").status_code for one in (http, again)] == [200, 200]

    company.tokens.revoke("user:mara", made.id)

    assert [one.get("/pages").status_code for one in (http, again)] == [303, 303]


def test_a_session_lasts_for_hours_and_no_longer_than_its_token(url: str, tenant: str, clock: Clock) -> None:
    with open_org(url, tenant, clock) as org:
        long, short = org.tokens.create("user:ann"), org.tokens.create("user:ann", lasts=timedelta(hours=1))
        sessions = [
            org.tokens.begin_session(Bearer("user:ann"), one.token, 12 * 3600) for one in (long, short)
        ]
        listed = {one.id: one.made_by for one in org.tokens.of("user:ann")}

        alive = []
        for _ in range(3):
            alive.append([org.tokens.bearer(one) is not None for one in sessions])
            clock.forward(hours=6, minutes=1)

    assert alive == [[True, True], [True, False], [False, False]]
    assert [listed[one.split("_")[1]] for one in sessions] == [f"token:{long.id}", f"token:{short.id}"]


def test_signing_out_ends_the_session_in_the_record(browser: Browser, company: Org) -> None:
    http = browser("user:mara")
    session = http.cookies["muniment"]
    http.post("/signout", data={"form": form_of(http.get("/pages").text)}, headers={"Origin": HERE})

    assert company.tokens.bearer(session) is None
    assert http.get("/pages").status_code == 303


def test_whatever_is_wrong_with_a_token_is_told_alike(site: FastAPI, company: Org) -> None:
    http = TestClient(site, follow_redirects=False)
    form = form_of(http.get("/signin").text)
    real = company.tokens.create("user:mara").token

    replies = {
        (said.status_code, said.text)
        for token in ("", "x", f"{real[:-1]}é", f"{real}0", "a.b.c", "\x00", "x" * 20_000)
        for said in [http.post("/signin", data={"form": form, "token": token})]
    }

    assert len(replies) == 1
    assert next(iter(replies))[0] == 401


def test_nobody_tries_tokens_for_long(company: Org) -> None:
    http = TestClient(site_of(company, tries=3), follow_redirects=False)
    form = form_of(http.get("/signin").text)

    said = [http.post("/signin", data={"form": form, "token": "x"}) for _ in range(5)]

    assert [one.status_code for one in said] == [401, 401, 401, 429, 429]
    assert int(said[-1].headers["retry-after"]) >= 1


def test_an_address_of_the_terminal_signs_in_once(company: Org) -> None:
    serving = Serving(step=0.0)
    app = api(company, serving)
    place = add_web(app, serving).place("user:root")
    http, late = TestClient(app, follow_redirects=False), TestClient(app, follow_redirects=False)
    page, seen = http.get(place).text, late.get(place).text
    code = place.partition("once=")[2]

    first = http.post("/signin", data={"form": form_of(page), "once": code})
    second = late.post("/signin", data={"form": form_of(seen), "once": code})

    assert (first.status_code, second.status_code) == (303, 401)
    assert http.get("/desk").status_code == 200
    assert late.get("/desk").status_code == 303


def test_an_address_of_the_terminal_is_soon_too_old() -> None:
    now = [0.0]
    once = Once(lambda: now[0])
    code = once.place("user:root").partition("once=")[2]
    assert once.find(code) == "user:root"

    now[0] = 601.0

    assert (once.find(code), once.spend(code)) == (None, None)


@given(st.text())
def test_nobody_is_sent_elsewhere(place: str) -> None:
    if is_local(place):
        assert place[0] == "/"
        assert place[1:2] not in ("/", "\\")
        assert not re.search(r"[\x00-\x1f\x7f\\]", place)


@pytest.mark.parametrize("place", ["//x.example", "https://x.example", "/\\x.example", "/\n/x", "x", "\t//x"])
def test_signing_in_leads_to_a_page_of_ours(site: FastAPI, company: Org, place: str) -> None:
    http = TestClient(site, follow_redirects=False)
    sent = {"form": form_of(http.get("/signin").text), "token": company.tokens.create("user:mara").token}

    assert http.post("/signin", data={**sent, "next": place}).headers["location"] == "/"
    assert http.get("/language", params={"to": "zh", "next": place}).headers["location"] == "/"


def test_a_page_that_was_asked_for_is_where_signing_in_leads(site: FastAPI, company: Org) -> None:
    http = TestClient(site, follow_redirects=False)
    asked = http.get("/wiki/travel%20policy?as_of=2026-01-01").headers["location"]
    sent = {"form": form_of(http.get(asked).text), "token": company.tokens.create("user:mara").token}
    wanted = re.search(r'name="next" value="([^"]*)"', http.get(asked).text)
    assert wanted is not None

    reply = http.post("/signin", data={**sent, "next": wanted[1]})

    assert http.get(reply.headers["location"]).status_code == 200


def test_files_are_those_there_are_and_no_others(site: FastAPI) -> None:
    http = TestClient(site)

    for name, kind in ASSETS.items():
        said = http.get(f"/static/{name}")
        assert said.headers["content-type"].startswith(kind)
        known = {"If-None-Match": said.headers["etag"]}
        assert http.get(f"/static/{name}", headers=known).status_code == 304
    for name in ("../door.py", "%2e%2e%2fdoor.py", "htmx.LICENSE.txt", "%00", "templates/base.html"):
        assert http.get(f"/static/{name}").status_code == 404


def test_a_place_where_nothing_is_shows_a_page_to_people_and_a_problem_to_agents(site: FastAPI) -> None:
    http = TestClient(site)

    people = http.get("/nowhere", headers={"Accept": "text/html"})
    agents = http.get("/nowhere")

    assert (people.status_code, people.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert (agents.status_code, agents.headers["content-type"]) == (404, "application/problem+json")
    assert http.get("/v1/nowhere", headers={"Accept": "text/html"}).headers["content-type"].endswith("+json")
