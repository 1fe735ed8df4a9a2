"""The pages in a real browser: what people do with them, by keyboard too, and whether everybody can."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from shutil import which

import pytest
import uvicorn
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

from muniment.app import Org
from muniment.surfaces.http.api import Serving, api
from muniment.surfaces.web.door import add_web
from tests.web.conftest import company, investigated

__all__ = ["company"]

CHROMIUM = which("chromium")
AXE = (Path(__file__).parent / "axe.min.js").read_text(encoding="utf-8")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed")
Opened = Callable[..., Page]
PLACES = (
    "/",
    "/?q=What+is+the+hotel+limit+per+night+in+Germany%3F",
    "/?q=What+is+the+renewal+date+of+Kvarnby%3F",
    "/?q=zzz",
    "/search?q=discount",
    "/pages",
    "/wiki/travel%20policy?since=2026-01-01",
    "/timeline/travel%20policy",
    "/nothing",
    "/accounts",
    "/account/kvarnby%20freight%20ab",
    "/commitments",
    "/landmines",
    "/incidents",
    "/topology/edi-gateway",
    "/memories",
    "/desk",
    "/desk/conflicts",
    "/desk/access?target=policies:travel-policy-2026",
    "/desk/audit?verify=1",
    "/desk/erase?target=policies:travel-policy-2026",
)


@pytest.fixture(scope="module")
def place(company: Org) -> Iterator[str]:
    """The company's pages, served on a port of their own."""
    serving = Serving(step=0.0, a_minute=1_000_000)
    app = api(company, serving)
    add_web(app, serving, 1_000_000)
    with closing(socket.create_server(("127.0.0.1", 0))) as bound:
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
        thread.start()
        yield f"http://127.0.0.1:{bound.getsockname()[1]}"
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """One browser for all of them."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        )
        yield browser
        browser.close()


@pytest.fixture
def opened(chromium: Browser, place: str, company: Org) -> Iterator[Opened]:
    """A window in which somebody is signed in; whatever its console complains of fails the test."""
    complaints: list[str] = []
    contexts = []

    def window(principal: str, **how: object) -> Page:
        context = chromium.new_context(base_url=place, **how)  # type: ignore[arg-type]  # Playwright's own
        context.set_default_timeout(60_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if is_complaint(said) else None)
        page.goto("/signin")
        page.get_by_label(re.compile("token|令牌")).fill(company.tokens.create(principal).token)
        page.keyboard.press("Enter")
        page.wait_for_url(f"{place}/")
        return page

    yield window
    for context in contexts:
        context.close()
    assert not complaints


def is_complaint(said: ConsoleMessage) -> bool:
    """Whether the console says that something is broken; that a page is not there is none of that."""
    return said.type == "error" and "responded with a status of 4" not in said.text


def faults(page: Page, which: str) -> list[str]:
    """What axe finds wrong with a page by these of its rules."""
    page.evaluate(AXE)
    found = page.evaluate(f"axe.run(document, {{runOnly: {which}}})")
    return [f"{one['id']}: {node['html'][:150]}" for one in found["violations"] for node in one["nodes"]]


def test_somebody_asks_and_reads_what_the_answer_rests_on_without_a_mouse(opened: Opened) -> None:
    page = opened("user:jonas")

    page.keyboard.type("What is the hotel limit per night in Germany?")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".answer")
    page.locator(".answer .text .chip").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#drawer article")

    assert page.locator("#state").inner_text() == "Answered"
    assert "EUR 180" in page.locator(".answer .text").inner_text()
    assert "EUR 180" in page.locator("#drawer mark").inner_text()
    assert page.evaluate("document.activeElement.id") == "drawer"
    assert "140" in page.locator("#drawer .steps del").first.inner_text()

    page.keyboard.press("Escape")

    assert page.locator("#drawer").inner_html() == ""
    assert "chip" in page.evaluate("document.activeElement.className")


def test_somebody_finds_a_page_goes_back_in_time_and_sees_its_evidence_drawn(opened: Opened) -> None:
    page = opened("user:jonas")

    page.get_by_role("link", name="Pages").click()
    page.get_by_role("link", name="Travel policy", exact=True).click()
    page.locator("details:has(.graph) summary").click()
    now = page.locator(".claims").first.inner_text()
    drawn = page.locator(".graph .box").count()
    page.get_by_label("As of").fill("2025-06-01")
    page.get_by_role("button", name="Show").first.click()
    page.wait_for_selector(".banner")

    assert "EUR 180" in now
    assert drawn >= 5
    assert "EUR 140" in page.locator(".claims").first.inner_text()
    assert "EUR 180" not in page.locator(".claims").first.inner_text()


def test_a_steward_settles_what_waits_and_looks_with_somebody_elses_eyes(
    opened: Opened, company: Org
) -> None:
    page = opened("user:root")
    line = '{"source":"manual","id":"w1","op":"upsert","kind":"note","body":"x","audience":[["*"]]}'
    refused = company.ingest([line.encode()])
    assert refused.quarantined == 1

    page.get_by_role("link", name="Desk").click()
    page.get_by_role("link", name="Quarantine").first.click()
    page.get_by_role("button", name=re.compile("Hand in entry")).first.click()
    again = page.get_by_role("status").inner_text()
    page.get_by_role("link", name="Who can read").click()
    page.get_by_label("An item or container").fill("policies:travel-policy-2026")
    page.keyboard.press("Enter")
    readers = page.locator("tbody").first.inner_text()
    page.get_by_label("Principal").fill("user:felix")
    page.get_by_role("button", name="Look").click()

    assert "refused again" in again
    assert "user:mara" in readers
    assert page.locator(".empty").inner_text() == "No pages yet."


def test_a_steward_keeps_one_side_of_a_conflict(opened: Opened) -> None:
    page = opened("user:root")
    page.goto("/desk/conflicts")
    before = page.locator("section.conflicts").count()

    page.get_by_role("button", name=re.compile("I keep being asked")).click()

    assert "one side holds" in page.get_by_role("status").inner_text()
    assert page.locator("section.conflicts").count() == before - 1


def test_nothing_is_erased_until_its_name_is_typed(opened: Opened, company: Org) -> None:
    company.ingest(
        [
            {
                "source": "manual",
                "id": "doomed",
                "op": "upsert",
                "kind": "note",
                "at": "2026-11-01T09:00:00Z",
                "body": "The doomed limit is EUR 77.",
                "audience": [["*"]],
            }
        ]
    )
    page = opened("user:root")
    page.goto("/desk/erase?target=manual:doomed")

    def found() -> list[str | None]:
        return [hit.item for hit in company.reader("user:root").search("doomed limit")]

    page.get_by_label("To erase it, type").fill("manual:other")
    page.get_by_role("button", name="Erase for good").click()
    kept = page.locator("h1").inner_text()
    still = found()
    page.goto("/desk/erase?target=manual:doomed")
    page.get_by_label("To erase it, type").fill("manual:doomed")
    page.get_by_role("button", name="Erase for good").click()

    assert kept == "That cannot be read"
    assert "doomed" in still
    assert "Erased" in page.get_by_role("status").inner_text()
    assert "doomed" not in found()


def test_everything_works_without_script(opened: Opened) -> None:
    page = opened("user:jonas", java_script_enabled=False)

    page.get_by_label("Your question").fill("What is the hotel limit per night in Germany?")
    page.get_by_role("button", name="Ask").click()
    page.locator(".answer .text .chip").first.click()

    assert page.locator("h1").inner_text() == "Evidence"
    assert "EUR 180" in page.locator("mark").inner_text()


def test_an_account_is_taken_over_and_signed_without_a_mouse(opened: Opened) -> None:
    page = opened("user:priya")

    page.get_by_role("link", name="Accounts").focus()
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Kvarnby Freight AB", exact=True).focus()
    page.keyboard.press("Enter")
    page.locator(".claims .chip").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#drawer article")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Sign this page").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/account/*signed=1")

    assert "Signed." in page.get_by_role("status").inner_text()
    assert "priya" in page.locator("#signed").inner_text()
    page.emulate_media(media="print")
    assert page.locator(".sources").is_visible()
    assert not page.get_by_role("button", name="Sign this page").is_visible()


def test_an_incident_is_investigated_without_script(opened: Opened) -> None:
    page = opened("user:oskar", java_script_enabled=False)

    page.get_by_role("link", name="Incidents").click()
    page.get_by_text("Open an incident").click()
    for label, text in (
        ("What is wrong", "Stuck again"),
        ("Service", "edi-gateway"),
        ("Environment", "prod"),
    ):
        page.get_by_label(label, exact=True).fill(text)
    page.get_by_label("Signals, one a line").fill("EdiQueueBacklog")
    page.get_by_role("button", name="Open it").click()
    page.get_by_label("In your words, or a tool's").fill("the handshake fails")
    page.get_by_role("button", name="Keep it").first.click()
    page.get_by_label("Entry 2").check()
    page.get_by_label("A hypothesis, or the reason for a verdict").fill("The certificate expired")
    page.get_by_role("button", name="Suppose it; what is ticked speaks for it").click()
    supposed = page.locator("#hypotheses").inner_text()
    page.get_by_label("Entry 2").check()
    page.get_by_role("button", name=re.compile("Adopt: The root cause of INC-31")).click()

    assert "The certificate expired" in supposed
    assert "for it: 2" in supposed
    assert "adopted" in page.locator("#briefing li").first.inner_text()
    assert "not facts" in page.locator("#briefing").inner_text()


def test_a_chinese_reader_on_a_telephone_reads_chinese_and_scrolls_one_way(opened: Opened) -> None:
    page = opened("user:mara", locale="zh-CN", viewport={"width": 360, "height": 740})

    page.goto("/wiki/上海办公室差旅规定")
    page.locator(".chip").first.click()
    page.wait_for_selector("#drawer article")

    assert page.locator("html").get_attribute("lang") == "zh"
    assert page.locator("#drawer h1").inner_text() == "依据"
    lenses = ("/accounts", "/account/alsterkontor", "/commitments", "/landmines", "/incidents")
    for where in ("/", "/pages", "/search?q=480", "/wiki/上海办公室差旅规定", *lenses, "/desk"):
        page.goto(where) if where != "/desk" else None
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), where


@pytest.mark.parametrize(
    ("scheme", "which"),
    [
        # WCAG 2.2 AA, and what axe calls good practice; in the dark only the colours are others.
        ("light", "['wcag2a','wcag2aa','wcag21a','wcag21aa','wcag22aa','best-practice']"),
        ("dark", "['color-contrast']"),
    ],
)
def test_everybody_can_read_and_use_every_page(opened: Opened, company: Org, scheme: str, which: str) -> None:
    page = opened("user:root", color_scheme=scheme)

    found = {}
    for place in (*PLACES, f"/incidents/{investigated(company, audience='user:root').incident}"):
        page.goto(place)
        for summary in page.locator("summary").all():
            summary.click()
        found[place] = faults(page, which)
    page.goto("/wiki/travel%20policy")
    page.locator(".chip").first.click()
    page.wait_for_selector("#drawer article")
    found["the drawer"] = faults(page, which)

    assert {place: wrong for place, wrong in found.items() if wrong} == {}
