"""Every page, opened by nobody, by strangers and with what is wrong: nothing, shown as what is not there."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from fastapi import FastAPI
from starlette.routing import Route
from starlette.testclient import TestClient

from muniment.app import Org
from muniment.surfaces.http.api import Serving, api
from tests.web.conftest import HERE, Browser, form_of, investigated, signed_in, site_of, unbound
from tests.worlds import open_org

THEN = urlencode({"as_of": "2026-11-30", "known_at": "2030-01-01"})
# Of plain letters, so that a page that says a name back says both alike.
SECRET, NOWHERE = "orrinvale.example", "zephyrine.example"
STRANGERS = ("user:diego", "user:karl", "user:never-seen")
# Each page with an address that names {}; a new page that is on no list fails.
NAMING = {
    ("GET", "/"): [
        f"/?q=Who+owns+%7B%7D%3F&{THEN}".replace("%7B%7D", "{}"),
        f"/?q=Owner%3F&entity={{}}&{THEN}",
    ],
    ("GET", "/search"): [f"/search?q={{}}&unit={unit}&{THEN}" for unit in "item passage claim page".split()],
    ("GET", "/pages"): [f"/pages?q={{}}&{THEN}"],
    ("GET", "/wiki"): [f"/wiki?entity={{}}&{THEN}"],
    ("GET", "/wiki/{entity:path}"): [f"/wiki/{{}}?{THEN}", f"/wiki/{{}}?since=2026-01-01&{THEN}"],
    ("GET", "/timeline"): [f"/timeline?entity={{}}&{THEN}"],
    ("GET", "/timeline/{entity:path}"): [f"/timeline/{{}}?{THEN}"],
    ("GET", "/accounts"): [f"/accounts?q={{}}&{THEN}"],
    **{
        ("GET", f"/{room}{path}"): [f"/{room}{asked}{THEN}"]
        for room in ("account", "commitments", "landmines")
        for path, asked in (("", "?entity={}&"), ("/{entity:path}", "/{}?"))
    },
    ("GET", "/due.ics"): [f"/due.ics?entity={{}}&{THEN}"],
    ("GET", "/incidents"): [f"/incidents?q={{}}&{THEN}"],
    ("GET", "/topology"): [f"/topology?entity={{}}&{THEN}"],
    ("GET", "/topology/{entity:path}"): [f"/topology/{{}}?{THEN}"],
    ("GET", "/memories"): [f"/memories?q={{}}&{THEN}"],
}
BY_ID = {("GET", "/evidence/{id}"), ("POST", "/evidence/{id}/report"), ("GET", "/claims/{id}")}
# What forms name: an account to sign, an alert to open an incident from, an incident to add to.
SENT = {("POST", "/account"), ("POST", "/incidents"), ("POST", "/incidents/{id}")}
ONE_INCIDENT = ("GET", "/incidents/{id}")
DESK = {
    ("GET", "/desk"),
    ("GET", "/desk/candidates"),
    ("GET", "/desk/candidates/{id}"),
    ("POST", "/desk/candidates/{id}"),
    ("GET", "/desk/conflicts"),
    ("POST", "/desk/conflicts"),
    ("GET", "/desk/stale"),
    ("GET", "/desk/recalled"),
    ("POST", "/desk/recalled"),
    ("GET", "/desk/reports"),
    ("GET", "/desk/duplicates"),
    ("GET", "/desk/upkeep"),
    ("POST", "/desk/upkeep"),
    ("GET", "/desk/quarantine"),
    ("POST", "/desk/quarantine"),
    ("GET", "/desk/access"),
    ("GET", "/desk/audit"),
    ("GET", "/desk/erase"),
    ("POST", "/desk/erase"),
}
OPEN = {
    ("GET", "/signin"),
    ("POST", "/signin"),
    ("POST", "/signout"),
    ("GET", "/language"),
    ("GET", "/static/{name}"),
}
VISITED = {*NAMING, *BY_ID, *SENT, ONE_INCIDENT, *DESK}


def ways(app: FastAPI) -> set[tuple[str, str]]:
    """Every way in, by method and path."""
    return {
        (method, route.path)
        for route in app.routes
        if isinstance(route, Route)
        for method in route.methods or ()
        if method != "HEAD"
    }


def at(path: str) -> str:
    return path.replace("{entity:path}", "travel%20policy").replace("{id}", "c_1").replace("{name}", "none")


def test_every_page_is_on_a_list(site: FastAPI, company: Org) -> None:
    added = ways(site) - ways(api(company, Serving()))

    assert added == {*VISITED, *OPEN}


def test_nobody_sees_a_page_and_every_page_asks_them_in(site: FastAPI, company: Org) -> None:
    revoked = company.tokens.create("user:mara")
    company.tokens.revoke("user:mara", revoked.id)
    cookies = ("", "x", revoked.token, f"{revoked.token[:-1]}0", "é'; drop table muniment.token; --")

    for cookie in cookies:
        nobody = TestClient(site, follow_redirects=False)
        for method, path in VISITED:
            carried = {"Cookie": f"muniment={cookie}".encode()} if cookie else {}
            said = nobody.request(method, at(path), headers=carried)
            if method == "POST":
                assert said.status_code == 403
            else:
                assert (said.status_code, said.headers["location"][:7]) == (303, "/signin")
            assert "EUR" not in said.text


def test_a_bearer_that_stands_for_nobody_is_told_so_whatever_the_page(site: FastAPI) -> None:
    nobody = TestClient(site, headers={"Authorization": "Bearer mnt_0_0"}, follow_redirects=False)

    replies = {
        (said.status_code, said.headers["www-authenticate"])
        for method, path in VISITED
        for said in [nobody.request(method, at(path))]
    }

    assert replies == {(401, 'Bearer realm="muniment"')}


def test_a_bearer_that_holds_opens_pages_and_sends_forms(site: FastAPI, company: Org) -> None:
    token = company.tokens.create("user:mara").token
    http = TestClient(site, headers={"Authorization": f"Bearer {token}"}, follow_redirects=False)

    assert http.get("/pages").status_code == 200
    assert http.post("/desk/quarantine", data={"entry": "1"}).status_code == 404


@pytest.mark.parametrize("sign", [{"Origin": "https://elsewhere.example"}, {"Sec-Fetch-Site": "cross-site"}])
def test_a_bearer_that_a_proxy_adds_sends_no_form_of_another_site(
    site: FastAPI, company: Org, sign: dict[str, str]
) -> None:
    token = company.tokens.create("user:mara").token
    http = TestClient(site, headers={"Authorization": f"Bearer {token}"}, follow_redirects=False)

    assert http.post("/desk/quarantine", data={"entry": "1"}, headers=sign).status_code == 403


@pytest.mark.parametrize("stranger", STRANGERS)
def test_a_name_that_is_not_for_a_stranger_is_one_that_nobody_wrote(browser: Browser, stranger: str) -> None:
    http = browser(stranger)

    def said(place: str, name: str) -> tuple[int, str]:
        reply = http.get(place.replace("{}", name))
        return reply.status_code, reply.text.replace(name, "X")

    for places in NAMING.values():
        for place in places:
            assert said(place, SECRET) == said(place, NOWHERE), place


@pytest.mark.parametrize("room", ["wiki", "account"])
def test_the_same_name_is_a_page_for_whoever_may_read_it(browser: Browser, room: str) -> None:
    assert "EUR 240,000" in browser("user:mara").get(f"/{room}/{SECRET}?{THEN}").text


@pytest.mark.parametrize("stranger", STRANGERS)
def test_an_id_that_is_not_for_a_stranger_is_one_that_was_never_given(
    browser: Browser, company: Org, stranger: str
) -> None:
    cited = company.reader("user:mara").timeline("orrin & vale")[0].citation
    assert cited is not None
    http = browser(stranger)
    form = form_of(http.get("/pages").text)

    for method, path in BY_ID:
        real = (cited.claim if "claims" in path else cited.id) or ""
        replies = set()
        for one in (real, f"{real[:2]}{'0' * (len(real) - 2)}"):
            data = {"form": form, "problem": "wrong"} if method == "POST" else None
            said = http.request(method, path.replace("{id}", one), data=data, headers={"Origin": HERE})
            replies.add((said.status_code, said.text))
        assert len(replies) == 1, path
        assert next(iter(replies))[0] == 404


@pytest.mark.parametrize("stranger", STRANGERS)
def test_an_incident_that_is_not_for_a_stranger_is_one_that_was_never_opened(
    browser: Browser, company: Org, stranger: str
) -> None:
    real = investigated(company).incident
    http = browser(stranger)
    form, absent = form_of(http.get("/pages").text), http.get("/wiki/nothing")
    acts = ("observe", "suppose", "doubt", "reach", "close", "propose", "adopted h_0", "nothing", "")

    listed = http.get("/incidents").text
    for one in (real, f"inc-{'0' * 16}", "\u202e"):
        replies = [http.get(f"/incidents/{one}")]
        for act in acts:
            sent = {"form": form, "act": act, "text": "x", "words": "x", "goal": "x", "result": "x"}
            replies.append(http.post(f"/incidents/{one}", data=sent, headers={"Origin": HERE}))
        assert {(said.status_code, said.text) for said in replies} == {(404, absent.text)}
        assert http.get(f"/incidents/{one}?{THEN}").text == http.get(f"/wiki/nothing?{THEN}").text
    assert real not in listed
    assert real in browser("user:oskar").get("/incidents").text


@pytest.mark.parametrize("stranger", STRANGERS)
def test_an_account_or_alert_that_is_not_for_a_stranger_is_not_there_for_their_forms(
    browser: Browser, stranger: str
) -> None:
    http = browser(stranger)
    form, absent = form_of(http.get("/pages").text), http.get("/wiki/nothing")

    for place, field, names in (
        ("/account", "entity", (SECRET, NOWHERE, "")),
        # What a stranger may see of alerts is theirs to open one from; a private message is not.
        ("/incidents", "alert", ("slack:C09SALES/1793266200.012600", "slack:C09SALES/1", "x")),
    ):
        for name in names:
            sent = {"form": form, field: name, "seen": "0" * 64}
            said = http.post(place, data=sent, headers={"Origin": HERE})
            assert (said.status_code, said.text) == (404, absent.text), (place, name)


@pytest.mark.parametrize("stranger", STRANGERS)
def test_the_desk_is_not_there_for_a_stranger(browser: Browser, stranger: str) -> None:
    http = browser(stranger)
    form, absent = form_of(http.get("/pages").text), http.get("/wiki/nothing")

    for method, path in DESK:
        sent = {"form": form, "act": "approve", "entry": "1", "target": "user:mara", "typed": "user:mara"}
        said = http.request(
            method, at(path), data=sent if method == "POST" else None, headers={"Origin": HERE}
        )
        assert (said.status_code, said.text) == (404, absent.text), path


def test_an_agent_sits_at_no_desk(site: FastAPI, company: Org) -> None:
    token = company.tokens.create("user:root", agent="agent:bot").token
    http = TestClient(site, headers={"Authorization": f"Bearer {token}"}, follow_redirects=False)

    assert {http.get(at(path)).status_code for method, path in DESK if method == "GET"} == {404}


def test_only_a_steward_looks_with_somebody_elses_eyes_and_sees_what_both_may(browser: Browser) -> None:
    mara, root = browser("user:mara"), browser("user:root")

    assert mara.get("/pages?with=user:karl").status_code == 404
    alone, both = root.get("/pages").text, root.get("/pages?with=user:felix").text
    assert "Travel policy" in alone
    assert "Travel policy" not in both


@pytest.mark.parametrize(
    "place",
    [
        f"/pages?{THEN}",
        f"/?q=Who+owns+Acme%3F&{THEN}",
        f"/search?q=Acme&{THEN}",
        *(f"/{one}?{THEN}" for one in "accounts commitments landmines due.ics incidents memories".split()),
    ],
)
def test_somebody_without_rights_sees_what_an_empty_record_shows(
    browser: Browser, url: str, tenant: str, place: str
) -> None:
    with open_org(url, tenant) as empty:
        there = signed_in(site_of(empty), empty, "user:never-seen").get(place)
    here = browser("user:never-seen").get(place)

    assert (here.status_code, unbound(here.text)) == (200, unbound(there.text))
